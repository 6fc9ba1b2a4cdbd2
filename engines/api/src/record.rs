//! Game records that hold all data about each move, and the trait [`Records`] for writing and reading them.

use crate::{
    Bound, Game, GameReview, InvalidPosition, Judging, Line, MoveText, ParseMoveError, Rules, Score, Side, Start,
};
use std::fmt;
use std::time::Duration;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Outcome {
    /// The given side has won.
    Win(Side),
    /// The game is drawn.
    Draw,
    /// The game has no result and does not count in statistics.
    #[default]
    Unfinished,
}

impl Outcome {
    /// Returns twice the points of `side` (2, 1 or 0), or `None` for an unfinished game.
    pub fn half_points(self, side: Side) -> Option<u8> {
        match self {
            Self::Win(winner) => Some(if winner == side { 2 } else { 0 }),
            Self::Draw => Some(1),
            Self::Unfinished => None,
        }
    }

    /// Returns the result as `1-0`, `0-1`, `1/2-1/2` or `*`, with the points of the first player first.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Win(Side::First) => "1-0",
            Self::Win(Side::Second) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unfinished => "*",
        }
    }
}

/// The reason a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// A position has occurred as often as the rules allow (threefold repetition, sennichite).
    Repetition,
    /// The side to move declared a win according to the rules.
    Declaration,
    /// An ending under a rule that only one game has.
    Own(&'static OwnEnding),
    /// A player resigned.
    Resignation,
    /// A player ran out of time.
    TimeLoss,
    /// A player made an illegal move.
    IllegalMove,
    /// The process of an engine exited unexpectedly.
    Crash,
    /// An engine did not answer.
    Silence,
    /// The match tool adjudicated the game because of the engines' scores.
    Adjudication,
    /// The match tool adjudicated the game according to an endgame table.
    Table,
    /// The maximum number of moves was reached.
    MaxMoves,
    /// The game was interrupted without a result.
    #[default]
    Interruption,
}

/// An ending that only one game has ([`Records::ENDINGS`]).
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct OwnEnding {
    /// The keyword of the ending in data files.
    pub word: &'static str,
    /// Whether engines know the rule behind the ending; if not, their variations may continue beyond the game's end.
    pub is_known_to_engines: bool,
}

impl Ending {
    /// The endings that every game has.
    pub const COMMON: [Self; 13] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::Repetition,
        Self::Declaration,
        Self::Resignation,
        Self::TimeLoss,
        Self::IllegalMove,
        Self::Crash,
        Self::Silence,
        Self::Adjudication,
        Self::Table,
        Self::MaxMoves,
        Self::Interruption,
    ];

    /// Returns the keyword of the ending in data files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::Declaration => "declaration",
            Self::Own(own) => own.word,
            Self::Resignation => "resignation",
            Self::TimeLoss => "time",
            Self::IllegalMove => "illegal move",
            Self::Crash => "crash",
            Self::Silence => "silence",
            Self::Adjudication => "adjudication",
            Self::Table => "tablebase",
            Self::MaxMoves => "maximum of moves",
            Self::Interruption => "interruption",
        }
    }

    /// Returns the ending with the keyword `word` in a game that adds the endings `own` to [`Self::COMMON`].
    pub fn from_word(word: &str, own: &[Self]) -> Option<Self> {
        Self::COMMON.iter().chain(own).copied().find(|ending| ending.word() == word)
    }

    /// Do engines know the rule behind this ending? Engines do not know the move limit of a match, and may not know the
    /// endings that only one game has.
    pub const fn is_known_to_engines(self) -> bool {
        match self {
            Self::Own(own) => own.is_known_to_engines,
            Self::MaxMoves => false,
            _ => true,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A move, with the data that the player who made it reported.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// The move in the notation of the game's protocol.
    pub text: MoveText,
    /// Whether the move was taken from an opening book instead of being chosen by the player.
    pub book: bool,
    /// How long the player thought about the move.
    pub time: Option<Duration>,
    /// Time on the player's clock after the move.
    pub left: Option<Duration>,
    /// The score from the player's point of view.
    pub score: Option<Score>,
    /// How `score` relates to the true value.
    pub bound: Bound,
    /// Search depth, in plies.
    pub depth: Option<u16>,
    /// Depth of the deepest line, in plies.
    pub seldepth: Option<u16>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// The principal variation, beginning with the played move; empty if the player did not report one.
    pub pv: Vec<MoveText>,
}

impl PlayedMove {
    /// Creates a move without any other data.
    pub const fn new(text: MoveText) -> Self {
        Self {
            text,
            book: false,
            time: None,
            left: None,
            score: None,
            bound: Bound::Exact,
            depth: None,
            seldepth: None,
            nodes: None,
            pv: Vec::new(),
        }
    }
}

/// A variation: moves that replace the moves of a game from some ply on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideLine {
    /// The ply, counted from 1, of the game's move that the first move of the variation replaces.
    pub ply: usize,
    /// The moves of the variation.
    pub moves: Vec<MoveText>,
    /// Whether the variation ends in mate.
    pub mates: bool,
    /// One line of text about the variation, written after its first move; may be empty.
    pub remark: String,
}

/// A game, with everything that is known about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameRecord {
    /// The name of the tournament or match.
    pub event: String,
    /// The place where the game was played.
    pub site: String,
    /// The round, in the notation of game records: `3`, `3.1`.
    pub round: String,
    /// Start of the game in UTC: `2026-11-21 14:05:09`.
    pub began: String,
    /// End of the game in UTC, in the format of [`Self::began`].
    pub ended: String,
    /// Names of the players, indexed by [`Side::index`].
    pub players: [String; 2],
    /// Time controls in the notation of the match tool, indexed by [`Side::index`].
    pub clocks: [String; 2],
    /// The position before the first move of the game.
    pub start: Start,
    /// The moves of the game, including those of the opening.
    pub moves: Vec<PlayedMove>,
    /// Variations that replace moves of the game, for formats that have variations (KIF); other formats omit them.
    pub side_lines: Vec<SideLine>,
    /// The result of the game.
    pub outcome: Outcome,
    /// The reason the game ended.
    pub ending: Ending,
    /// One line of text that describes the end of the game, such as `White loses on time`.
    pub remark: String,
    /// In a game lost on time, how far the last move exceeded the time limit, or how long the arbiter waited for a move
    /// that never came.
    pub overrun: Option<Duration>,
}

impl GameRecord {
    /// Returns the start position and the moves, without other data.
    pub fn line(&self) -> Line {
        Line { start: self.start.clone(), moves: self.moves.iter().map(|played| played.text).collect() }
    }
}

/// A game read from a file, up to the first move that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadGame {
    /// The start position and the moves of the main line.
    pub line: Line,
    /// The fault that stopped the reader; `None` if it read the whole game.
    pub fault: Option<GameFault>,
}

/// A fault in a game record that stopped the reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFault {
    /// The error, including where in the record it occurred.
    pub why: RecordError,
    /// Whether the fault is in the last move. A shogi record may contain the illegal move that lost the game.
    pub is_last: bool,
}

impl ReadGame {
    /// Returns the line and, if only the last move of the game could not be read, the error in this move. Fails if
    /// other moves follow the faulty one, because these moves would be lost.
    pub fn into_line(self) -> Result<(Line, Option<RecordError>), RecordError> {
        match self.fault {
            Some(GameFault { why, is_last: false }) => Err(why),
            fault => Ok((self.line, fault.map(|fault| fault.why))),
        }
    }
}

impl From<Line> for ReadGame {
    fn from(line: Line) -> Self {
        Self { line, fault: None }
    }
}

/// The error for a record that cannot be written or read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// A word that is not a move, or a move that the rules forbid.
    Move {
        /// The ply of the move in the game, counted from 1.
        ply: usize,
        /// What is wrong with the move.
        why: ParseMoveError,
    },
    /// A word that may mean more than one legal move.
    Ambiguous {
        /// The ply of the move in the game, counted from 1.
        ply: usize,
        /// The ambiguous text of the move.
        found: String,
        /// Two of the moves that the text may mean.
        moves: [MoveText; 2],
    },
    /// A start position that the rules forbid.
    Position(InvalidPosition),
    /// A line that the file format does not allow, truncated if it is long.
    Line(String),
    /// An error in a line of a file, with the number of the line, counted from 1.
    AtLine(usize, Box<Self>),
    /// An error in one game of a file, with the number of the game, counted from 1.
    Game(usize, Box<Self>),
    /// Any other error, described by one line of text.
    Other(String),
}

/// An error message shows at most this many characters of the line or word that caused the error.
const SHOWN: usize = 40;

impl RecordError {
    /// Creates the error for a line that the file format does not allow; a long line is truncated.
    pub fn line(text: &str) -> Self {
        Self::Line(shown(text))
    }

    /// Creates the error for a word that is not a move; a long word is truncated.
    pub fn no_move(ply: usize, text: &str) -> Self {
        Self::Move { ply, why: ParseMoveError::Notation(shown(text)) }
    }

    /// Creates the error for a move that the rules forbid; a long text is truncated.
    pub fn illegal(ply: usize, text: &str) -> Self {
        Self::Move { ply, why: ParseMoveError::Illegal(shown(text)) }
    }

    /// Adds the number of the faulty line to the error.
    pub fn at_line(self, number: usize) -> Self {
        Self::AtLine(number, Box::new(self))
    }
}

fn shown(text: &str) -> String {
    let text = text.trim().lines().next().unwrap_or_default();
    let visible = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let shown: String = text.chars().take(SHOWN).map(visible).collect();
    if text.chars().nth(SHOWN).is_some() { shown + "..." } else { shown }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { ply, why } => write!(f, "ply {ply}: {why}"),
            Self::Ambiguous { ply, found, moves: [one, other] } => {
                write!(f, "ply {ply}: expected one move, found '{found}', which may be {one} or {other}")
            }
            Self::Position(why) => why.fmt(f),
            Self::Line(line) => write!(f, "expected a line of a record, found '{line}'"),
            Self::AtLine(number, why) => write!(f, "line {number}: {why}"),
            Self::Game(number, why) => write!(f, "game {number}: {why}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for RecordError {}

/// A file format for game records. A game declares its formats, and the keyword `word` identifies each format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Format {
    /// The file name extension, which is also the name of the format on the command line.
    pub word: &'static str,
    /// Additional file name extensions of the format.
    pub others: &'static [&'static str],
    /// The text that separates two games in a file.
    pub separator: &'static str,
    /// Whether the format also contains the principal variations reported by engines.
    pub has_variations: bool,
    /// Whether files are encoded in Shift JIS. Files with one of the extensions in `others` are always UTF-8.
    pub is_shift_jis: bool,
}

impl Format {
    /// Creates a UTF-8 format without separator, variations or other file name extensions.
    pub const fn new(word: &'static str) -> Self {
        Self { word, others: &[], separator: "", has_variations: false, is_shift_jis: false }
    }

    /// Is `ending`, which must be in lower case, a file name extension of the format?
    pub fn is_named(&self, ending: &str) -> bool {
        self.word == ending || self.others.contains(&ending)
    }
}

/// A game that can write and read its records, and can determine why a game ended.
pub trait Records: Game {
    /// The formats of this game.
    const FORMATS: &'static [Format];

    /// The endings that no other game has, each an [`Ending::Own`].
    const ENDINGS: &'static [Ending];

    /// Returns the name and value of the optional rule [`Rules::own`] for data files, or `None` if the game has no
    /// optional rule.
    fn own_rule(_rules: Rules) -> Option<(&'static str, String)> {
        None
    }

    /// Names of the two sides: `White` and `Black`, or `Black` and `White`.
    const SIDES: [&'static str; 2];

    /// The number of plies in what players count as one move: two in chess, one in shogi.
    const PLIES_PER_MOVE: u32;

    /// Formats one game as the text of a file. Between two games, the caller writes [`Format::separator`].
    fn write_record(record: &GameRecord, format: Format) -> Result<String, RecordError>;

    /// Reads the start position and the main line of each game in the text of a file.
    fn read_records(text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError>;

    /// How the values of moves are converted to winning chances to judge the moves.
    const JUDGING: Judging = Judging::CHESS;

    /// Returns the names of the two players in each game of a file, first player first. A name that is missing in the
    /// file becomes an empty string.
    fn players(_text: &str, _format: Format) -> Vec<[String; 2]> {
        Vec::new()
    }

    /// Adds the results of an analysis to the text of a file, leaving the existing text unchanged. `_reviews` contains
    /// one review for each game of the file; the review of a game that was not analysed has no moves.
    fn annotate(_text: &str, format: Format, _reviews: &[GameReview]) -> Result<String, RecordError> {
        Err(RecordError::Other(format!("the format {} takes no annotations", format.word)))
    }

    /// Returns the rule by which [`Game::verdict`] or the lack of legal moves ends the game in this position.
    fn ending(&self) -> Ending;

    /// Number of plies since the last irreversible move (capture or pawn move); `None` if the game does not count them.
    fn plies_without_progress(&self) -> Option<u32> {
        None
    }
}
