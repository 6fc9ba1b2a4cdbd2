//! Where to begin: the arguments that name a game and a position, shared by the subcommands.

use super::Failure;
use crate::catalog::Catalog;
use crate::games;
use crate::protocol::option;
use clap::builder::PossibleValuesParser;
use hasami_api::{Line, MoveText, Rules};
use std::fmt::Display;

/// A game and a position of it.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// Which game
    #[arg(long, value_parser = PossibleValuesParser::new(games::names()), default_value = games::names()[0])]
    game: String,

    /// Start position as FEN (chess) or SFEN (shogi), or as posted (startpos moves ...), in quotes; the game's own without it
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,

    /// The same
    #[arg(long, value_name = "POSITION", conflicts_with = "fen")]
    sfen: Option<String>,

    /// Castling as king takes rook (chess960)
    #[arg(long)]
    chess960: bool,
}

impl PositionArgs {
    pub fn catalog(&self) -> Result<&'static dyn Catalog, Failure> {
        let catalog = catalog(&self.game)?;
        check_castling("--chess960", self.chess960, catalog)?;
        Ok(catalog)
    }

    /// Where the game begins, and the moves that were posted with it.
    fn posted(&self) -> Result<Line, Failure> {
        let catalog = self.catalog()?;
        let text = self.fen.as_deref().or(self.sfen.as_deref());
        let read = text.map_or_else(|| Ok(Line::default()), |text| catalog.posted(text));
        let mut line = read.map_err(|why| self.refused(why))?;
        line.start.rules = self.rules();
        catalog.check(&line).map_err(|e| self.refused(e))?;
        Ok(line)
    }

    pub fn rules(&self) -> Rules {
        Rules { chess960: self.chess960, ..Rules::default() }
    }

    /// The position after `moves` (words separated by blanks), checked against the rules.
    pub fn line(&self, moves: &[String]) -> Result<Line, Failure> {
        let mut line = self.posted()?;
        self.catalog()?.check_play(&line).map_err(|e| self.refused(e))?;
        let words = moves.iter().flat_map(|part| part.split_whitespace());
        line.moves.extend(words.map(parse_move).collect::<Result<Vec<_>, _>>()?);
        self.catalog()?.check(&line).map_err(|e| Failure::BadInput(format!("--moves: {e}")))?;
        Ok(line)
    }

    /// Leaf counts below each move of the position.
    pub fn perft(&self, depth: u32) -> Result<Vec<(MoveText, u64)>, Failure> {
        let (catalog, mut line) = (self.catalog()?, self.posted()?);
        if !line.moves.is_empty() {
            line.start.text = Some(catalog.position(&line).map_err(|e| self.refused(e))?.into());
        }
        catalog.perft(&line.start, depth).map_err(|e| self.refused(e))
    }

    fn refused(&self, why: impl Display) -> Failure {
        let option = if self.sfen.is_some() { "--sfen" } else { "--fen" };
        Failure::BadInput(format!("{option}: {why}"))
    }
}

/// The game that `--game` names.
pub fn catalog(name: &str) -> Result<&'static dyn Catalog, Failure> {
    let complaint = || format!("--game: expected one of {}, found '{name}'", games::names().join(", "));
    games::find(name).ok_or_else(|| Failure::BadInput(complaint()))
}

/// Only where the protocol has an option for it castling may be written another way.
pub fn check_castling(option: &str, is_wanted: bool, catalog: &dyn Catalog) -> Result<(), Failure> {
    if is_wanted && !option::is_offered(catalog.dialect().protocol(), "UCI_Chess960") {
        return Err(Failure::BadInput(format!(
            "{option}: expected --game {}, found {}",
            games::names()[0],
            catalog.name()
        )));
    }
    Ok(())
}

fn parse_move(word: &str) -> Result<MoveText, Failure> {
    word.parse().map_err(|e| Failure::BadInput(format!("--moves: {e}, found '{word}'")))
}
