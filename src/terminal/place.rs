//! The arguments that name a game and a position, which several subcommands share.

use super::Failure;
use clap::Command;
use clap::builder::PossibleValuesParser;
use hasami_api::{Line, MoveText, Rules, Start};
use hasami_catalog::{Catalog, Games};
use hasami_catalog::{EvaluationError, evaluation};
use hasami_nnue::Network;
use hasami_protocol::Protocol;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// The default of `--game`, until [`with_games`] sets the known games.
pub const ANY_GAME: &str = "any";

/// A game, and a position of that game.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// The game [default: the first one that accepts the position and the moves]
    #[arg(long)]
    game: Option<String>,

    /// Start position as FEN (chess) or SFEN (shogi), or as in `position` (startpos moves ...), in quotes [default:
    /// that of the game]
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,

    /// Start position in the formats of --fen, read as shogi if possible
    #[arg(long, value_name = "POSITION", conflicts_with = "fen")]
    sfen: Option<String>,

    /// Write castling as king takes rook (chess960)
    #[arg(long)]
    chess960: bool,
}

impl PositionArgs {
    /// Returns the named game, or else the first game that accepts the position and the moves.
    fn catalog(&self, games: Games, moves: &str) -> Result<&'static dyn Catalog, Failure> {
        let catalog = match &self.game {
            Some(name) => catalog(games, name)?,
            None => {
                let usual = games.speaking(Protocol::Usi).next().filter(|_| self.sfen.is_some());
                let reads = |game: &&'static dyn Catalog| self.read(*game, moves).is_ok();
                let found = usual.into_iter().chain(games.iter()).find(reads);
                // If no game accepts the position, the error is that of the default game.
                found.or(usual).unwrap_or(games.first())
            }
        };
        check_castling("--chess960", self.chess960, catalog, games)?;
        Ok(catalog)
    }

    pub fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// Returns the position of the option, and any moves after it (`... moves 7g7f`).
    fn posted(&self, catalog: &dyn Catalog) -> Result<Line, Failure> {
        let text = self.fen.as_deref().or(self.sfen.as_deref());
        let rules = self.rules();
        let usual = Line { start: Start { rules, ..Start::default() }, moves: Vec::new() };
        let read = text.map_or(Ok(usual), |text| catalog.posted(text, rules));
        let line = read.map_err(|why| self.refused(why))?;
        catalog.check(&line).map_err(|e| self.refused(e))?;
        Ok(line)
    }

    pub fn rules(&self) -> Rules {
        Rules { chess960: self.chess960, ..Rules::default() }
    }

    fn read(&self, catalog: &dyn Catalog, moves: &str) -> Result<Line, Failure> {
        let line = self.posted(catalog)?;
        catalog.typed_line(&line, moves).map_err(|why| Failure::at("--moves", why))
    }

    /// Returns the game and a line: the start position and `moves`, checked against the rules.
    pub fn line(&self, games: Games, moves: &[String]) -> Result<(&'static dyn Catalog, Line), Failure> {
        let moves = moves.join(" ");
        let catalog = self.catalog(games, &moves)?;
        catalog.check_play(&self.posted(catalog)?).map_err(|e| self.refused(e))?;
        Ok((catalog, self.read(catalog, &moves)?))
    }

    /// Returns the number of leaf nodes below each legal move of the position.
    pub fn perft(&self, games: Games, depth: u32) -> Result<Vec<(MoveText, u64)>, Failure> {
        let catalog = self.catalog(games, "")?;
        let mut line = self.posted(catalog)?;
        if !line.moves.is_empty() {
            line.start.text = Some(catalog.position(&line).map_err(|e| self.refused(e))?.into());
        }
        catalog.perft(&line.start, depth).map_err(|e| self.refused(e))
    }

    fn refused(&self, why: impl Display) -> Failure {
        let option = if self.sfen.is_some() { "--sfen" } else { "--fen" };
        Failure::at(option, why)
    }
}

/// Returns the option for positions (`--fen` or `--sfen`) that belongs to the first game that accepts `position`.
pub fn option_of(games: Games, position: &str) -> Option<&'static str> {
    let accepts = |game: &&'static dyn Catalog| {
        let read = |rules| game.posted(position, rules).is_ok_and(|line| game.check(&line).is_ok());
        read(Rules::OF_PROBLEMS) || read(Rules::OF_DEFENCES)
    };
    let found = games.iter().find(accepts)?;
    Some(if found.protocol() == Protocol::Usi { "--sfen" } else { "--fen" })
}

/// Returns an error if an argument that should name `wanted` is a position instead.
pub fn not_a_position(games: Games, argument: &str, wanted: &str) -> Result<(), Failure> {
    let Some(option) = option_of(games, argument) else { return Ok(()) };
    let meant = format!("{option} \"{argument}\"");
    Err(Failure::bad_input(format!("'{argument}' is a position, not {wanted}: did you mean {meant}?")))
}

/// Explains why `option` rejects a position. If another game accepts the position, suggests that game's option.
pub fn misplaced(games: Games, option: &str, position: &str, why: &dyn Display) -> String {
    match option_of(games, position).filter(|other| *other != option) {
        Some(other) => format!("{why}: did you mean {other}?"),
        None => why.to_string(),
    }
}

/// Sets the games that every `--game` of the command tree accepts.
pub fn with_games(command: Command, games: Games) -> Command {
    let command = if command.get_arguments().any(|argument| argument.get_id() == "game") {
        command.mut_arg("game", |argument| {
            let has_default = !argument.get_default_values().is_empty();
            let argument = argument.value_parser(PossibleValuesParser::new(games.names()));
            if has_default { argument.default_value(games.first().name()) } else { argument }
        })
    } else {
        command
    };
    command.mut_subcommands(|job| with_games(job, games))
}

/// Returns the error for a position that no game accepts.
pub fn no_game(games: Games) -> Failure {
    Failure::bad_input(format!("expected a position of one of {}", games.names().join(", ")))
}

/// Returns the game called `name`, or the error for `--game`.
pub fn catalog(games: Games, name: &str) -> Result<&'static dyn Catalog, Failure> {
    games.find(name).ok_or_else(|| {
        Failure::bad_input(format!("--game: expected one of {}, found '{name}'", games.names().join(", ")))
    })
}

/// Reads the network file `path`, or returns the built-in network without one; `None` if the game has no networks.
pub fn network(catalog: &dyn Catalog, path: Option<&Path>) -> Result<Option<Arc<Network>>, Failure> {
    match path {
        None => Ok(catalog.built_in_network()),
        Some(path) => Ok(Some(Arc::new(read_network(catalog, path)?))),
    }
}

fn read_network(catalog: &dyn Catalog, path: &Path) -> Result<Network, Failure> {
    let refused = |why| Failure::at(path.display().to_string(), why);
    let network = evaluation::read(path).map_err(refused)?;
    let (wanted, found) = (catalog.name(), network.game.name());
    if found != wanted {
        return Err(refused(EvaluationError::OtherGame { wanted, found }));
    }
    Ok(network)
}

/// In games without a choice of castling notation, rejects the option for it.
pub fn check_castling(option: &str, is_wanted: bool, catalog: &dyn Catalog, games: Games) -> Result<(), Failure> {
    let has = |game: &dyn Catalog| game.options().is_offered("UCI_Chess960");
    if is_wanted && !has(catalog) {
        let name = games.iter().find(|game| has(*game)).map_or("a game with castling", |game| game.name());
        return Err(Failure::at(option, format!("needs --game {name}, not {}", catalog.name())));
    }
    Ok(())
}
