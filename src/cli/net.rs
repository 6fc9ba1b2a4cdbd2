//! `hasami net`: describes a network file, evaluates a position with it, or writes the mean of two networks.

mod evaluation;

use evaluation::PositionOption;
use hasami_catalog::{Games, evaluation as networks};
use hasami_nnue::Network;
use hasami_terminal::{Failure, values};
use hasami_training::Shape;
use hasami_words::files;
use hasami_words::text::{padded, visible};
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

/// Describe a network file (format, sizes, SHA-256, scale), evaluate a position with it, or write a mean of two networks
#[derive(clap::Args)]
pub struct Net {
    /// Network file of Stockfish, of a shogi engine, or of this program [default for a position: the
    /// built-in network]
    #[arg(required_unless_present_any = ["fen", "sfen"])]
    file: Option<PathBuf>,

    #[command(flatten)]
    position: PositionOption,

    /// Write the mean of FILE and this network, both of this program's own format, to OUT
    #[arg(long, value_name = "NETWORK", requires_all = ["file", "out"], conflicts_with_all = ["fen", "sfen"])]
    mean: Option<PathBuf>,

    /// Weight of the second network in the mean
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = values::unit)]
    share: f32,

    /// The network to write
    #[arg(long, value_name = "OUT", requires = "mean")]
    out: Option<PathBuf>,

    /// Description to store in OUT
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Net {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        if let (Some(one), Some(other), Some(mean)) = (&self.file, &self.mean, &self.out) {
            return self.write_mean(one, other, mean);
        }
        match &self.file {
            Some(file) if !self.position.is_given() => self.describe(file, out),
            file => self.position.evaluate(file.as_deref(), self.json, games, out),
        }
    }

    fn write_mean(&self, one: &Path, other: &Path, out: &Path) -> Result<(), Failure> {
        let at = |path: &Path, why: &dyn Display| Failure::at(path.display().to_string(), why);
        let read = |path: &Path| networks::read_own(path).map_err(|why| at(path, &why));
        let mean = hasami_training::mean(&read(one)?, &read(other)?, self.share, &self.description);
        let mean = mean.map_err(|why| at(other, &why))?;
        files::write_whole(out, &mean.to_bytes()).map_err(|why| at(out, &why))
    }

    fn describe(&self, file: &Path, out: &mut impl Write) -> Result<(), Failure> {
        let refused = |why: &dyn Display| Failure::at(file.display().to_string(), why);
        let network = networks::read(file).map_err(|why| refused(&why))?;
        let cp = network.unit();
        let buckets = networks::read_own(file).map(|own| Shape::of_network(&own).bucket_list()).unwrap_or_default();
        if self.json {
            let object = serde_json::json!({
                "game": network.game.name(),
                "architecture": network.name,
                "features": network.features(),
                "rows": network.rows(),
                "width": network.width(),
                "buckets": buckets,
                "stacks": network.stacks(),
                "bytes": network.bytes,
                "sha256": network.sha256_text(),
                "fv_scale": network.fv_scale(),
                "outputs_per_centipawn": cp,
                "description": network.description,
            });
            return Ok(writeln!(out, "{object}")?);
        }
        let mut rows = rows(&network).to_vec();
        if buckets.iter().any(|&bucket| bucket > 0) {
            let list: Vec<_> = buckets.iter().map(u8::to_string).collect();
            rows.insert(2, ("buckets", list.join(",")));
        }
        let width = rows.iter().map(|(name, _)| name.width()).max().unwrap_or(0) + 2;
        for (name, value) in &rows {
            writeln!(out, "{}{value}", padded(name, width))?;
        }
        Ok(())
    }
}

fn rows(network: &Network) -> [(&'static str, String); 7] {
    let scale = network.fv_scale().map_or_else(String::new, |divisor| format!("FV_SCALE {divisor} by default: "));
    [
        ("game", network.game.name().to_owned()),
        ("architecture", network.name.clone()),
        ("first layer", format!("{} rows of {} values", network.rows(), network.width())),
        ("bytes", network.bytes.to_string()),
        ("SHA-256", network.sha256_text()),
        ("scale", format!("{scale}{:.2} units of output per centipawn", network.unit())),
        ("description", visible(&network.description)),
    ]
}
