//! `hasami net`: says what a network file is.

use hasami_catalog::evaluation;
use hasami_nnue::Network;
use hasami_terminal::Failure;
use hasami_words::text::{padded, visible};
use hasami_words::{Message, Words};
use std::io::Write;
use std::path::PathBuf;
use unicode_width::UnicodeWidthStr;

/// Describe a network file: format, sizes, SHA-256, scale
#[derive(clap::Args)]
pub struct Net {
    /// Network file of Stockfish, of a shogi engine, or of this program
    file: PathBuf,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Net {
    pub fn run(&self, words: &Words, out: &mut impl Write) -> Result<(), Failure> {
        let refused = |why: Message| Failure::at(self.file.display().to_string(), why);
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
        let rows = rows(&network).map(|(name, told)| (words.get(name), told.said(words)));
        let width = rows.iter().map(|(name, _)| name.width()).max().unwrap_or(0) + 2;
        for (name, told) in &rows {
            writeln!(out, "{}{told}", padded(name, width))?;
        }
        Ok(())
    }
}

fn rows(network: &Network) -> [(&'static str, Message); 7] {
    let text = |text: String| Message::from(text);
    let layer = Message::new("network-rows").with("rows", network.rows()).with("values", network.width());
    let scale = match network.fv_scale() {
        Some(divisor) => Message::new("network-divisor").with("divisor", divisor.to_string()),
        None => Message::new("network-units"),
    };
    [
        ("network-game", text(network.game().name().to_owned())),
        ("network-architecture", text(network.name().to_owned())),
        ("network-first-layer", layer),
        ("network-bytes", text(network.bytes().to_string())),
        ("network-hash", text(network.sha256_text())),
        ("network-scale", scale.with("units", format!("{:.2}", network.unit()))),
        ("network-description", text(visible(network.description()))),
    ]
}
