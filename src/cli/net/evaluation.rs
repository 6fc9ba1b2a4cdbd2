//! Evaluates a position with a network, without a search.

use hasami_api::{Line, Rules};
use hasami_catalog::{Catalog, Games, evaluation};
use hasami_protocol::{Protocol, Settings};
use hasami_terminal::{Failure, place};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// The position to evaluate, and how.
#[derive(clap::Args)]
pub struct PositionOption {
    /// Evaluate this chess position in FEN, in quotes (startpos: the start position)
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,

    /// Evaluate this shogi position in SFEN, in quotes
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

    /// Evaluates the position, and prints the value as JSON or as text. Without a file, the built-in network is used.
    pub fn evaluate(
        &self,
        file: Option<&Path>,
        is_json: bool,
        games: Games,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let catalog = self.catalog(games)?;
        let settings = self.settings(catalog, file)?;
        let line = self.line(games, catalog)?;
        let value = catalog.evaluate(&line, &settings).map_err(|why| self.refused(why))?;
        let position = catalog.position(&line).map_err(|why| self.refused(why))?;
        if is_json {
            return Ok(writeln!(out, "{}", serde_json::json!({ "position": position, "centipawns": value }))?);
        }
        writeln!(out, "{position}")?;
        if let Some(network) = &settings.network {
            writeln!(out, "{}", evaluation::describe(network))?;
        }
        Ok(writeln!(out, "{} for {}", catalog.mate_unit().value(value), catalog.sides()[0])?)
    }

    fn refused(&self, why: impl std::fmt::Display) -> Failure {
        Failure::at(self.option(), why)
    }

    /// Returns the first game that uses the notation (FEN or SFEN) of the given position.
    fn catalog(&self, games: Games) -> Result<&'static dyn Catalog, Failure> {
        let protocol = if self.sfen.is_some() { Protocol::Usi } else { Protocol::Uci };
        let found = games.iter().find(|game| game.protocol() == protocol);
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
        // Nothing else owns a network that was just read from a file.
        if let (Some(network), Some(divisor)) = (network.as_mut().and_then(Arc::get_mut), self.fv_scale) {
            network.set_fv_scale(divisor);
        }
        Ok(Settings { network, ..Settings::default() })
    }
}
