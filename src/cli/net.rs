//! `hasami net`: says what a network file is.

use super::Failure;
use crate::evaluation;
use std::io::Write;
use std::path::PathBuf;

/// Say what a network file is: format, sizes, SHA-256, scale
#[derive(clap::Args)]
pub struct Net {
    /// A network of Stockfish, of a shogi engine, or of this program
    file: PathBuf,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Net {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let refused = |why| Failure::bad_input(format!("{}: {why}", self.file.display()));
        let network = evaluation::read(&self.file).map_err(refused)?;
        let cp = network.unit();
        if self.json {
            let told = serde_json::json!({
                "game": network.game().name(),
                "architecture": network.name(),
                "features": network.features(),
                "rows": network.rows(),
                "width": network.width(),
                "stacks": network.stacks(),
                "bytes": network.bytes(),
                "sha256": network.sha256_text(),
                "fv_scale": network.fv_scale(),
                "outputs_per_centipawn": cp,
                "description": network.description(),
            });
            return Ok(writeln!(out, "{told}")?);
        }
        writeln!(out, "game          {}", network.game().name())?;
        writeln!(out, "architecture  {}", network.name())?;
        writeln!(out, "first layer   {} rows of {} values", network.rows(), network.width())?;
        writeln!(out, "bytes         {}", network.bytes())?;
        writeln!(out, "SHA-256       {}", network.sha256_text())?;
        match network.fv_scale() {
            Some(divisor) => writeln!(
                out,
                "scale         FV_SCALE {divisor} unless the option says otherwise: {cp:.2} units of output a centipawn"
            )?,
            None => writeln!(out, "scale         {cp:.2} units of output a centipawn")?,
        }
        Ok(writeln!(out, "description   {}", crate::text::visible(network.description()))?)
    }
}
