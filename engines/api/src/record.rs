//! Games that were played, with what is known about every move, and the trait of games that can write and read them.

use crate::{
    Bound, Game, GameReview, InvalidPosition, Judging, Line, MoveText, ParseMoveError, Rules, Score, Side, Start,
};
use std::fmt;
use std::time::Duration;

/// How a game came out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Nobody has won.
    Draw,
    /// No result; not to be counted.
    #[default]
    Unfinished,
}

impl Outcome {
    /// Points of `side` in halves: 2, 1, 0; none for an unfinished game.
    pub fn half_points(self, side: Side) -> Option<u8> {
        match self {
            Self::Win(winner) => Some(if winner == side { 2 } else { 0 }),
            Self::Draw => Some(1),
            Self::Unfinished => None,
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2`, `*`: the first player's points come first.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Win(Side::First) => "1-0",
            Self::Win(Side::Second) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unfinished => "*",
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// No legal move and no check.
    Stalemate,
    /// A position has come back as often as the game allows (threefold repetition, sennichite).
    Repetition,
    /// The side to move declared a win that the rules give it.
    Declaration,
    /// By a rule that this game has beside those of all games.
    Own(&'static OwnEnding),
    /// A player has given up.
    Resignation,
    /// A player has used up the time.
    TimeLoss,
    /// A player has made a move that the rules forbid.
    IllegalMove,
    /// The engine's process ended.
    Crash,
    /// The engine did not answer.
    Silence,
    /// The match tool ended the game by the engines' scores.
    Adjudication,
    /// The match tool ended the game by an endgame table.
    Table,
    /// The greatest number of moves has been played.
    MaxMoves,
    /// The game was broken off without a result.
    #[default]
    Interruption,
}

/// An end that one game declares ([`Records::ENDINGS`]).
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct OwnEnding {
    /// Its word in data files.
    pub word: &'static str,
    /// Engines see it coming. Otherwise their variations may go on beyond it.
    pub is_known_to_engines: bool,
}

impl Ending {
    /// Those that every game may have.
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

    /// Its word in data files.
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

    /// The end of this word, in a game with these ends of its own.
    pub fn from_word(word: &str, own: &[Self]) -> Option<Self> {
        Self::COMMON.iter().chain(own).copied().find(|ending| ending.word() == word)
    }

    /// Engines see it coming: they know neither the match's limit of moves nor what the game says that they need not know.
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

/// A move with what its player said about it.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// In the notation of the game's protocol.
    pub text: MoveText,
    /// From the opening, not from the player.
    pub book: bool,
    /// Thinking time.
    pub time: Option<Duration>,
    /// The player's clock after the move.
    pub left: Option<Duration>,
    /// From the player's point of view.
    pub score: Option<Score>,
    /// How `score` relates to the true value.
    pub bound: Bound,
    /// Depth of the search, plies.
    pub depth: Option<u16>,
    /// Depth of its deepest line, plies.
    pub seldepth: Option<u16>,
    /// Nodes of the search.
    pub nodes: Option<u64>,
    /// Begins with this move, where the player said what it is.
    pub pv: Vec<MoveText>,
}

impl PlayedMove {
    /// A move of which nothing more is known.
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

/// A game with everything that is known about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameRecord {
    /// The name of the tournament or match.
    pub event: String,
    /// The place.
    pub site: String,
    /// The round, as records write it: `3`, `3.1`.
    pub round: String,
    /// UTC, `2026-11-21 14:05:09`.
    pub began: String,
    /// As `began`.
    pub ended: String,
    /// Indexed by [`Side::index`].
    pub players: [String; 2],
    /// Time controls as the match tool writes them.
    pub clocks: [String; 2],
    /// The position before the first move.
    pub start: Start,
    /// The moves, opening included.
    pub moves: Vec<PlayedMove>,
    /// The result.
    pub outcome: Outcome,
    /// The reason of the result.
    pub ending: Ending,
    /// One line about the end: `White loses on time`.
    pub remark: String,
    /// How much too long the move was that lost the game on time, or how long it was waited for in vain.
    pub overrun: Option<Duration>,
}

impl GameRecord {
    /// Start position and moves, without what is known about them.
    pub fn line(&self) -> Line {
        Line { start: self.start.clone(), moves: self.moves.iter().map(|played| played.text).collect() }
    }
}

/// A game of a file, as far as its moves could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadGame {
    /// Its start, and the moves of its main line.
    pub line: Line,
    /// Why it has no more of them; `None`: it was read to its end.
    pub fault: Option<GameFault>,
}

/// What ended the reading of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFault {
    /// What is wrong, and where.
    pub why: RecordError,
    /// No move comes after it. Games of shogi end so: a foul loses, and records show it.
    pub is_last: bool,
}

impl ReadGame {
    /// The line, with the fault of a last move that was left out; an error where moves after the fault would be lost.
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

/// A record that cannot be written or read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// A word that is no move, or a move that the rules forbid.
    Move {
        /// Its place in the game; the first move is 1.
        ply: usize,
        /// As it was written.
        why: ParseMoveError,
    },
    /// A move that may be one or the other.
    Ambiguous {
        /// Its place in the game; the first move is 1.
        ply: usize,
        /// As it was written.
        found: String,
        /// Two of those that it may be.
        moves: [MoveText; 2],
    },
    /// A start position that the rules forbid.
    Position(InvalidPosition),
    /// A line that the format does not have, cut where it is long.
    Line(String),
    /// The same in the line of this number, the first of which is 1.
    AtLine(usize, Box<Self>),
    /// The same in one of several games, the first of which is 1.
    Game(usize, Box<Self>),
    /// What was expected and what was found, in one line.
    Other(String),
}

/// Characters of a line or a word that are shown.
const SHOWN: usize = 40;

impl RecordError {
    /// A line that the format does not have; a long one is cut.
    pub fn line(text: &str) -> Self {
        Self::Line(shown(text))
    }

    /// A word that is no move; a long one is cut.
    pub fn no_move(ply: usize, text: &str) -> Self {
        Self::Move { ply, why: ParseMoveError::Notation(shown(text)) }
    }

    /// A move that the rules forbid; a long one is cut.
    pub fn illegal(ply: usize, text: &str) -> Self {
        Self::Move { ply, why: ParseMoveError::Illegal(shown(text)) }
    }

    /// The same, of the line of this number.
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

/// A file format of games, declared by the game that is written in it. Its word tells it from others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Format {
    /// The ending of file names, and the word of the command line.
    pub word: &'static str,
    /// Other endings of file names.
    pub others: &'static [&'static str],
    /// The separator of two games in a file.
    pub separator: &'static str,
    /// The variations of engines are written, too.
    pub has_variations: bool,
    /// Programs that read only the first game of a file.
    pub read_once_by: Option<&'static str>,
    /// Files are written in Shift JIS, unless they have one of the other endings.
    pub is_shift_jis: bool,
}

impl Format {
    /// A plain format in UTF-8.
    pub const fn new(word: &'static str) -> Self {
        Self { word, others: &[], separator: "", has_variations: false, read_once_by: None, is_shift_jis: false }
    }

    /// Files of this format may end so; `ending` is in lower case.
    pub fn is_named(&self, ending: &str) -> bool {
        self.word == ending || self.others.contains(&ending)
    }
}

/// A game whose records can be written and read, and which can say why it ended.
pub trait Records: Game {
    /// The formats of this game.
    const FORMATS: &'static [Format];

    /// Ends that only this game has, each [`Ending::Own`].
    const ENDINGS: &'static [Ending];

    /// The name of the rule behind [`Rules::own`], and how it is chosen, for data files; `None`: there is none.
    fn own_rule(_rules: Rules) -> Option<(&'static str, String)> {
        None
    }

    /// Names of the players: `White` and `Black`, `Black` and `White`.
    const SIDES: [&'static str; 2];

    /// Plies that people count as one move: two in chess, one in shogi.
    const PLIES_PER_MOVE: u32;

    /// One game as the text of a file; between two of them belongs the separator of the format.
    fn write_record(record: &GameRecord, format: Format) -> Result<String, RecordError>;

    /// The games of a file, main lines only, each with the start that it names.
    fn read_records(text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError>;

    /// How values become chances where moves are judged.
    const JUDGING: Judging = Judging::CHESS;

    /// The names of the players of each game of a file, first player first; empty where the file has none.
    fn players(_text: &str, _format: Format) -> Vec<[String; 2]> {
        Vec::new()
    }

    /// The text of a file with what an analysis found written into it; all that stands there stays. One review for each
    /// game of the file, without moves for those that were not analysed.
    fn annotate(_text: &str, format: Format, _reviews: &[GameReview]) -> Result<String, RecordError> {
        Err(RecordError::Other(format!("expected a format that takes annotations, found {}", format.word)))
    }

    /// Why [`Game::verdict`], or the lack of moves, ends the game here.
    fn ending(&self) -> Ending;

    /// Plies since the last move that cannot be taken back (capture, pawn move), where the game counts them.
    fn plies_without_progress(&self) -> Option<u32> {
        None
    }
}
