//! Evaluates a position by a network, without a search.

use hasami_api::{Line, MateUnit, Rules};
use hasami_catalog::evaluation;
use hasami_catalog::{Catalog, Games, PieceValue, StaticEvaluation};
use hasami_protocol::{Protocol, Settings};
use hasami_terminal::{Failure, place};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// A position of one of the games.
#[derive(clap::Args)]
pub struct PositionOption {
    /// Evaluate this chess position in FEN, in quotes (startpos: the start position), and print the value of every
    /// piece
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,

    /// Evaluate this shogi position in SFEN, in quotes, and print the value of every piece
    #[arg(long, value_name = "POSITION", conflicts_with = "fen")]
    sfen: Option<String>,

    /// Divisor of a shogi network's output, if it differs from the usual one for its kind of network
    #[arg(long, value_name = "N", requires = "file", value_parser = clap::value_parser!(u32).range(1..=128))]
    fv_scale: Option<u32>,
}

impl PositionOption {
    pub const fn is_given(&self) -> bool {
        self.fen.is_some() || self.sfen.is_some()
    }

    /// Evaluates the position, as JSON or as text. Without a file, the built-in network is used.
    pub fn evaluate(
        &self,
        file: Option<&Path>,
        is_json: bool,
        games: Games,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let catalog = self.catalog(games)?;
        let settings = self.settings(catalog, file)?;
        let found = catalog.evaluate(&self.line(games, catalog)?, &settings).map_err(|why| self.refused(why))?;
        if is_json {
            return Ok(writeln!(out, "{}", json(&found))?);
        }
        writeln!(out, "{}", found.text)?;
        if let Some(network) = &settings.network {
            writeln!(out, "{}", evaluation::describe(network))?;
        }
        let unit = catalog.mate_unit();
        let total = unit.value(found.total);
        writeln!(out, "{total} for {}", catalog.sides()[0])?;
        write!(out, "{}", board(&found.pieces, unit))?;
        Ok(())
    }

    fn refused(&self, why: impl std::fmt::Display) -> Failure {
        Failure::at(self.option(), why)
    }

    /// The first game whose protocol uses this notation of positions.
    fn catalog(&self, games: Games) -> Result<&'static dyn Catalog, Failure> {
        let protocol = if self.sfen.is_some() { Protocol::Usi } else { Protocol::Uci };
        let found = games.iter().find(|game| game.dialect().protocol() == protocol);
        found.ok_or_else(|| place::no_game(games))
    }

    fn line(&self, games: Games, catalog: &dyn Catalog) -> Result<Line, Failure> {
        let text = self.fen.as_deref().or(self.sfen.as_deref()).unwrap_or_default();
        let read = catalog.posted(text, Rules::default());
        let read = read.and_then(|line| catalog.check(&line).map(|()| line));
        read.map_err(|why| self.refused(place::misplaced(games, self.option(), text, &why)))
    }

    const fn option(&self) -> &'static str {
        if self.sfen.is_some() { "--sfen" } else { "--fen" }
    }

    fn settings(&self, catalog: &dyn Catalog, file: Option<&Path>) -> Result<Settings, Failure> {
        let mut network = place::network(catalog, file)?;
        // A network that was just read from a file has no other owner.
        if let (Some(network), Some(divisor)) = (network.as_mut().and_then(Arc::get_mut), self.fv_scale) {
            network.set_fv_scale(divisor);
        }
        Ok(Settings { network, ..Settings::default() })
    }
}

fn json(found: &StaticEvaluation) -> serde_json::Value {
    let piece = |piece: &PieceValue| serde_json::json!({ "piece": piece.name, "rank_and_file": piece.place, "centipawns": piece.value });
    serde_json::json!({
        "position": found.text,
        "centipawns": found.total,
        "pieces": found.pieces.iter().map(piece).collect::<Vec<_>>(),
    })
}

/// Draws the board with two lines per rank: one with letters, one with values.
fn board(pieces: &[PieceValue], unit: MateUnit) -> String {
    let placed = || pieces.iter().filter_map(|piece| piece.place.map(|place| (place, piece)));
    let files = placed().map(|([_, file], _)| file + 1).max().unwrap_or(0).max(8);
    let ranks = placed().map(|([rank, _], _)| rank + 1).max().unwrap_or(0);
    let value = |piece: &PieceValue| piece.value.map_or_else(String::new, |cp| unit.value(cp));
    let mut out = String::new();
    for rank in 0..ranks {
        let at = |file| placed().find(|&(place, _)| place == [rank, file]).map(|(_, piece)| piece);
        let line = |empty: &str, text: &dyn Fn(&PieceValue) -> String| {
            let cells = (0..files).map(|file| format!("{:>8}", at(file).map_or_else(|| empty.to_owned(), text)));
            cells.collect::<String>().trim_end().to_owned() + "\n"
        };
        out += &line(".", &|piece| piece.name.clone());
        out += &line("", &value);
    }
    for piece in pieces.iter().filter(|piece| piece.place.is_none()) {
        out += &(format!("in hand {:>2} {}", piece.name, value(piece)).to_string() + "\n");
    }
    out
}
