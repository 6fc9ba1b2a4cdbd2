//! The rules of a game, and its presentation to people: records, notation, diagrams.

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

    /// Names of the game in other engines, as values of `UCI_Variant` or `USI_Variant`, beginning with the most common
    /// one.
    fn variants(&self) -> &'static [&'static str];

    /// Returns the protocol and the variant names by which other engines identify the game.
    fn played(&self) -> PlayedGame {
        PlayedGame { protocol: self.protocol(), variants: self.variants() }
    }

    /// Returns the built-in openings, which matches use by default.
    fn built_in_openings(&self) -> Option<BuiltInOpenings> {
        None
    }

    /// Returns whether every move of the attacker must give check in mate problems of this game.
    fn mates_by_checks(&self) -> bool;

    /// Number of leaf nodes below each legal move, in the order of move generation.
    fn perft(&self, start: &Start, depth: u32) -> Result<Vec<(MoveText, u64)>, InvalidPosition>;

    /// Checks that the moves of a line are legal.
    fn check(&self, line: &Line) -> Result<(), GameError>;

    /// Checks that the moves of a line are legal, and that two players could continue from its last position.
    fn check_play(&self, line: &Line) -> Result<(), GameError>;

    /// Returns the rules of a game that begins with `start`: the stated rules, and the rules that the position
    /// requires.
    fn rules_of(&self, start: &Start) -> Rules;

    /// Creates a referee for a game that begins with this line. If a move of the line is illegal, the error names that
    /// move.
    fn referee(&self, line: &Line) -> Result<Box<dyn Referee>, GameError>;

    /// Returns the unit in which scores and distances to mate are shown to people.
    fn mate_unit(&self) -> MateUnit;

    /// Returns the names of the two sides, beginning with the first player.
    fn sides(&self) -> [&'static str; 2];

    /// Number of plies that people count as one move.
    fn plies_per_move(&self) -> u32;

    /// The formats in which games can be read and written.
    fn formats(&self) -> &'static [Format];

    fn format(&self, word: &str) -> Option<Format> {
        self.formats().iter().copied().find(|format| format.word == word)
    }

    /// The endings that only this game has.
    fn endings(&self) -> &'static [Ending];

    /// Name and current value of the rule that players of the game may choose, if there is such a rule.
    fn own_rule(&self, rules: Rules) -> Option<(&'static str, String)>;

    fn write_record(&self, record: &GameRecord, format: Format) -> Result<String, RecordError>;

    /// Reads the games in the text of a file.
    fn read_records(&self, text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError>;

    /// Adds the rules that the start position requires to `start`.
    fn ruled(&self, start: Start) -> Start {
        Start { rules: self.rules_of(&start), ..start }
    }

    /// The names of the players of each game in the text of a file, if the format contains them.
    fn players(&self, text: &str, format: Format) -> Vec<[String; 2]>;

    /// Adds the results of an analysis to the text of a file: one review per game.
    fn annotate(&self, text: &str, format: Format, reviews: &[GameReview]) -> Result<String, RecordError>;

    /// Returns the conversion of scores to winning chances, by which moves are judged.
    fn judging(&self) -> Judging;

    /// Parses a position in any notation that people use. The position is checked against the rules only if it is
    /// followed by moves in the notation of players.
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

    /// Appends to `line` the moves that a person has typed, each in the notation of the protocol or of players. If a
    /// move is illegal, the error names that move.
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

    /// Returns the position at the end of a line as FEN or SFEN. If a move of the line is illegal, the error names that
    /// move.
    fn position(&self, line: &Line) -> Result<String, GameError> {
        Ok(self.referee(line)?.to_text())
    }

    /// Returns the diagram of the position at the end of a line. If a move of the line is illegal, the error names that
    /// move.
    fn diagram(&self, line: &Line) -> Result<Diagram, String>;

    /// Returns the origin and target of each move of a line, on the diagram before that move. If a move of the line is
    /// illegal, the error names that move.
    fn places(&self, line: &Line) -> Result<Vec<MovePlaces>, String>;

    /// Writes the moves of a line in the notation of players. If a move of the line is illegal, the error names that
    /// move.
    fn notation(&self, line: &Line) -> Result<Vec<String>, String>;

    /// Writes the moves of a line in the notation of Western players.
    fn western(&self, line: &Line) -> Result<Vec<String>, String>;

    /// Opens endgame tables. The error names the folder that cannot be used.
    fn oracle(&self, folders: &[PathBuf]) -> Result<Box<dyn Oracle>, GameError>;
}
