//! The rules of a game, and its records, notation and diagrams.

use super::{BuiltInOpenings, GameError, Oracle, Referee, typed};
use hasami_api::{
    Diagram, Ending, Format, GameRecord, GameReview, InvalidPosition, Judging, Line, MateUnit, MovePlaces, MoveText,
    ReadGame, RecordError, Rules, Start,
};
use hasami_protocol::client::PlayedGame;
use hasami_protocol::{Command, Protocol, TypedLine, pasted};
use std::path::PathBuf;

/// The rules of a game, without any engine.
pub trait GameRules: Send + Sync {
    /// The name of the game, such as `chess` or `shogi`.
    fn name(&self) -> &'static str;

    fn protocol(&self) -> Protocol;

    /// Names that other engines use for the game, as values of `UCI_Variant` or `USI_Variant`, the most common one
    /// first.
    fn variants(&self) -> &'static [&'static str];

    /// Returns the game's protocol, and the variant names that other engines use for it.
    fn played(&self) -> PlayedGame {
        PlayedGame { protocol: self.protocol(), variants: self.variants() }
    }

    /// Returns the built-in openings, which matches use by default.
    fn built_in_openings(&self) -> Option<BuiltInOpenings> {
        None
    }

    /// Returns whether every move of the attacker must give check in mate problems of this game.
    fn mates_by_checks(&self) -> bool;

    /// Number of leaf nodes at `depth` plies below each legal move, in move generation order.
    fn perft(&self, start: &Start, depth: u32) -> Result<Vec<(MoveText, u64)>, InvalidPosition>;

    /// Checks that the moves of a line are legal.
    fn check(&self, line: &Line) -> Result<(), GameError>;

    /// Checks that a line is legal and suits a game between two players (a mate problem may lack a king).
    fn check_play(&self, line: &Line) -> Result<(), GameError>;

    /// Returns the rules that `start` names, with those that its position requires (such as Chess960 castling).
    fn rules_of(&self, start: &Start) -> Rules;

    /// Creates a referee for a game that begins with `line`. If a move in the line is illegal, the error names that
    /// move.
    fn referee(&self, line: &Line) -> Result<Box<dyn Referee>, GameError>;

    /// Returns the units of scores and of distances to mate in output for people.
    fn mate_unit(&self) -> MateUnit;

    /// Returns the names of the two sides, beginning with the first player.
    fn sides(&self) -> [&'static str; 2];

    /// Number of plies that people count as one move.
    fn plies_per_move(&self) -> u32;

    /// The file formats for reading and writing games.
    fn formats(&self) -> &'static [Format];

    fn format(&self, word: &str) -> Option<Format> {
        self.formats().iter().copied().find(|format| format.word == word)
    }

    /// Kinds of game endings that are specific to this game.
    fn endings(&self) -> &'static [Ending];

    /// Name and current value of the rule that users may choose; `None` if the game has no such rule.
    fn own_rule(&self, rules: Rules) -> Option<(&'static str, String)>;

    fn write_record(&self, record: &GameRecord, format: Format) -> Result<String, RecordError>;

    /// Reads all games from the text of a game file.
    fn read_records(&self, text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError>;

    /// Returns `start` with the rules that its position requires.
    fn ruled(&self, start: Start) -> Start {
        Start { rules: self.rules_of(&start), ..start }
    }

    /// The players' names for each game in the text of a game file, if the format contains them.
    fn players(&self, text: &str, format: Format) -> Vec<[String; 2]>;

    /// Adds an analysis to the text of a game file; `reviews` contains one review per game.
    fn annotate(&self, text: &str, format: Format, reviews: &[GameReview]) -> Result<String, RecordError>;

    /// Returns the function that converts scores to winning chances, which are used to judge moves.
    fn judging(&self) -> Judging;

    /// Parses a position in any common notation. The position is checked against the rules only if moves in the
    /// players' notation follow it.
    fn posted(&self, text: &str, rules: Rules) -> Result<Line, GameError> {
        match pasted::read(self.protocol(), text) {
            Command::Position(line) => Ok(Line { start: self.ruled(Start { rules, ..line.start }), ..line }),
            Command::TypedPosition(TypedLine { start, moves }) => {
                let start = self.ruled(Start { rules, ..start });
                self.typed_line(&Line { start, moves: Vec::new() }, &moves)
            }
            Command::BadPosition(why) => Err(why.into()),
            _ => Err(GameError::NoPosition(text.to_owned())),
        }
    }

    /// Appends to `line` the moves that a person has typed, each in the protocol's or the players' notation. If a move
    /// is illegal, the error names that move.
    fn typed_line(&self, line: &Line, moves: &str) -> Result<Line, GameError> {
        let mut referee = self.referee(line)?;
        let mut line = line.clone();
        for word in typed::words(moves) {
            let number = line.moves.len() + 1;
            let read = referee.read(&word).and_then(|m| Ok(referee.play(&m)?));
            line.moves.push(read.map_err(|why| why.at(number))?);
        }
        Ok(line)
    }

    /// Returns the position at the end of a line as FEN or SFEN. If a move in the line is illegal, the error names that
    /// move.
    fn position(&self, line: &Line) -> Result<String, GameError> {
        Ok(self.referee(line)?.to_text())
    }

    /// Returns the diagram of the position at the end of a line. If a move in the line is illegal, the error names that
    /// move.
    fn diagram(&self, line: &Line) -> Result<Diagram, String>;

    /// Returns the origin and target squares of each move in a line, on the diagram of the position before the move. If
    /// a move in the line is illegal, the error names that move.
    fn places(&self, line: &Line) -> Result<Vec<MovePlaces>, String>;

    /// Writes the moves of a line in the players' notation. If a move in the line is illegal, the error names that
    /// move.
    fn notation(&self, line: &Line) -> Result<Vec<String>, String>;

    /// Writes the moves of a line in Western notation.
    fn western(&self, line: &Line) -> Result<Vec<String>, String>;

    /// Opens the endgame tables in `folders`; an error names the unusable folder.
    fn oracle(&self, folders: &[PathBuf]) -> Result<Box<dyn Oracle>, GameError>;
}
