//! The rules of a game, as seen by the tree, by the searches and by the mate solvers.

use crate::{MateUnit, MoveText, Moves, Rules, Start};
use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::hash::Hash;

/// The two players; `First` moves first (White in chess, Black in shogi).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// White in chess, black (sente) in shogi.
    First,
    /// Black in chess, white (gote) in shogi.
    Second,
}

impl Side {
    /// The opponent.
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The verdict of the rules about a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game goes on.
    Open,
    /// The side to move has won.
    Win,
    /// Nobody wins.
    Draw,
    /// The side to move has lost.
    Loss,
}

/// A start position that the game refuses. Shown in one line: what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvalidPosition {
    /// A position of this game was expected in this format.
    Flawed {
        /// The name of the game.
        game: &'static str,
        /// FEN, SFEN.
        format: &'static str,
        /// What was found.
        text: String,
        /// What is wrong with it.
        flaw: PositionFlaw,
    },
    /// Two sides cannot play on: this one has no king.
    Kingless(&'static str),
    /// In words.
    Other(String),
}

/// What is wrong with the text of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionFlaw {
    /// A word for it, for those who put it into other words. `other`: only the text tells.
    pub kind: &'static str,
    /// The square or the piece that it is about, or nothing.
    pub at: String,
    /// What was found, in English.
    pub text: String,
}

impl PositionFlaw {
    /// One that is about no square and no piece.
    pub fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, at: String::new(), text: text.into() }
    }

    /// One that is about this square or piece.
    pub fn at(kind: &'static str, at: impl fmt::Display, text: impl Into<String>) -> Self {
        Self { kind, at: at.to_string(), text: text.into() }
    }
}

impl fmt::Display for InvalidPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flawed { game, format, text, flaw } => {
                write!(f, "expected a {game} position in {format}, found '{text}' ({})", flaw.text)
            }
            Self::Kingless(side) => write!(f, "expected a king of each side, found none of {side}"),
            Self::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for InvalidPosition {}

/// A text that is not a legal move in the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseMoveError {
    /// Not the notation of the game.
    Notation(String),
    /// Well written, but not legal here.
    Illegal(String),
    /// A move that a piece could make, but for a rule that players know by name.
    Forbidden(String, Prohibition),
}

/// A rule that forbids a move which a piece could make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prohibition {
    /// A second unpromoted pawn of a side on one file (nifu).
    TwoPawns,
    /// Mate by dropping a pawn (uchifuzume).
    PawnMate,
    /// The piece could never move again.
    Stuck,
    /// The side's own king would be in check.
    InCheck,
}

impl Prohibition {
    /// One word, by which messages are found.
    pub const fn word(self) -> &'static str {
        match self {
            Self::TwoPawns => "two-pawns",
            Self::PawnMate => "pawn-mate",
            Self::Stuck => "stuck",
            Self::InCheck => "in-check",
        }
    }
}

impl fmt::Display for Prohibition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TwoPawns => "nifu: a second pawn of that side on the file",
            Self::PawnMate => "uchifuzume: mate by dropping a pawn",
            Self::Stuck => "the piece could never move again",
            Self::InCheck => "the king would be in check",
        })
    }
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notation(text) => write!(f, "expected a move, found '{text}'"),
            Self::Illegal(text) => write!(f, "expected a legal move, found '{text}'"),
            Self::Forbidden(text, rule) => write!(f, "expected a legal move, found '{text}' ({rule})"),
        }
    }
}

impl std::error::Error for ParseMoveError {}

/// A position with the history that its rules need, and the rules themselves.
///
/// `make` and `unmake` are a stack; a clone costs as much as the history is long.
pub trait Game: Clone + Send + Sized + 'static {
    /// A move, small enough to be copied; it means something only with its position.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// `chess`, `shogi`: the word of the command line.
    const NAME: &'static str;

    /// How its players count to a mate.
    const MATE_UNIT: MateUnit = MateUnit::Plies;

    /// Sets up a start position; errors say what was expected and what was found.
    fn new(start: &Start) -> Result<Self, InvalidPosition>;

    /// Whether both sides can play on from here. A game may take positions of problems that nobody can play, such as a mate
    /// problem whose attacker has no king; the error says what was expected and what was found.
    fn check_play(&self) -> Result<(), InvalidPosition> {
        Ok(())
    }

    /// The current position as FEN or SFEN.
    fn to_text(&self) -> String;

    /// Reads a legal move in any notation that GUIs use for it.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError>;

    /// The rules of a game that begins so: those of the start, and what its position demands (chess: castling rights that only
    /// Chess960 has).
    fn rules_of(start: &Start) -> Rules {
        start.rules
    }

    /// Writes a legal move as the protocol wants it (chess: castling by [`crate::Rules::chess960`]).
    fn format_move(&self, m: Self::Move) -> MoveText;

    /// The side to move.
    fn side(&self) -> Side;

    /// Plies played from the initial position, from the position's text and the moves made.
    fn ply(&self) -> u32;

    /// Hash of the position (board, side, rights, hands), not of its history. Equal positions have equal keys,
    /// whether reached by moves or set up from text.
    fn key(&self) -> u64;

    /// The side to move is in check.
    fn in_check(&self) -> bool;

    /// Appends every legal move (shogi: also the non-promotions that are never better).
    fn legal_moves(&self, out: &mut Moves<Self::Move>);

    /// The number of legal moves; cheaper than making the list where the rules allow it.
    fn count_moves(&self) -> usize {
        let mut out = Moves::new();
        self.legal_moves(&mut out);
        out.len()
    }

    /// Plays a legal move.
    fn make(&mut self, m: Self::Move);

    /// Takes back the last move made (or the last null move).
    fn unmake(&mut self);

    /// The verdict of the rules apart from "no legal move": repetition, perpetual check, move counters, insufficient
    /// material, declaration (a `Win` when the side to move may declare).
    ///
    /// This is the arbiter's view: chess draws at the third occurrence, shogi at the fourth.
    fn verdict(&self) -> Verdict;

    /// As [`Self::verdict`], but a repetition of a position at most `plies` back already counts, because inside a
    /// search either side could repeat it again. `plies` is the distance to the root of the search.
    fn verdict_in_search(&self, plies: usize) -> Verdict;

    /// The meaning of "no legal move" here: mate, stalemate.
    fn verdict_without_moves(&self) -> Verdict;

    /// The side to move may end the game by declaring a win (shogi: `bestmove win`).
    fn may_declare_win(&self) -> bool {
        false
    }
}

/// A move as the sequential search sees it: indices for its history tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveFacts {
    /// Coloured kind of the moved piece, `< SearchGame::PIECES`: those of one side, pawns first, then those of the other.
    /// (Shogi: the kind after a promotion.)
    pub piece: u8,
    /// Where it comes from, `< SearchGame::ORIGINS` (shogi: squares, then one for each kind in hand).
    pub origin: u8,
    /// Where it goes, `< SearchGame::SQUARES`.
    pub to: u8,
    /// Kind of the captured piece, `< SearchGame::VICTIMS`; 0 for none.
    pub victim: u8,
    /// The piece is another one afterwards.
    pub promotes: bool,
}

/// Questions of an alpha-beta search beyond the rules.
pub trait SearchGame: Game {
    /// Number of values of [`MoveFacts::piece`].
    const PIECES: usize;
    /// Number of values of [`MoveFacts::origin`].
    const ORIGINS: usize;
    /// Number of values of [`MoveFacts::to`].
    const SQUARES: usize;
    /// Number of values of [`MoveFacts::victim`], 0 included.
    const VICTIMS: usize;
    /// Value of a pawn in the units of [`Self::victim_value`] and of the evaluation: margins of the search scale with it.
    const PAWN: i32;
    /// Outside check, [`Self::search_moves`] are [`Self::noisy_moves`], [`Self::minor_promotions`] and
    /// [`Self::quiet_moves`], and [`Self::unpack`] finds all of them: a search need not generate what it does not come to.
    const STAGED: bool = false;
    /// Numbers of the alpha-beta search that are others in this game, by their names there.
    const SEARCH_NUMBERS: &[(&str, i32)] = &[];

    /// Legal moves worth searching: may leave out those that are never better than another (a bishop's non-promotion).
    /// Never empty when there is a legal move.
    fn search_moves(&self, out: &mut Moves<Self::Move>) {
        self.legal_moves(out);
    }

    /// Legal captures and promotions but for [`Self::minor_promotions`], for quiescence; not called in check.
    fn noisy_moves(&self, out: &mut Moves<Self::Move>);

    /// Promotions of [`Self::search_moves`] that are not worth a look in quiescence; not called in check.
    fn minor_promotions(&self, _out: &mut Moves<Self::Move>) {}

    /// Moves of [`Self::search_moves`] that neither capture nor promote; not called in check.
    fn quiet_moves(&self, out: &mut Moves<Self::Move>) {
        self.search_moves(out);
        out.retain(|m| self.facts(m).victim == 0 && !self.facts(m).promotes);
    }

    /// The move is a capture or as good as one: it belongs to quiescence.
    fn is_noisy(facts: MoveFacts) -> bool {
        facts.victim != 0 || facts.promotes
    }

    /// What histories and orderings need to know of a legal move of this position.
    fn facts(&self, m: Self::Move) -> MoveFacts;

    /// The legal move `m` puts the opponent in check.
    fn gives_check(&self, m: Self::Move) -> bool;

    /// [`Self::gives_check`] for many moves of this position.
    fn check_test(&self) -> impl Fn(Self::Move) -> bool + '_ {
        |m| self.gives_check(m)
    }

    /// Static exchange evaluation: does the exchange begun by `m` win at least `threshold` centipawns?
    fn see_at_least(&self, m: Self::Move, threshold: i32) -> bool;

    /// Centipawns gained by capturing `victim` (as in [`MoveFacts::victim`]); 0 for none.
    fn victim_value(victim: u8) -> i32;

    /// A 16-bit name of the move, unique among the legal moves of one position and never 0.
    fn pack(m: Self::Move) -> u16;

    /// The legal move of this name, if there is one and it is found for less than generating all moves costs.
    fn unpack(&self, _packed: u16) -> Option<Self::Move> {
        None
    }

    /// Key after `m`, for prefetching: need not be exact.
    fn key_after(&self, m: Self::Move) -> u64;

    /// Keys of slowly changing parts of the position (pawns; minor pieces; each side's pieces), for correction history.
    fn feature_keys(&self) -> [u64; 4];

    /// The board of at most `plies` plies ago has come again, with better or worse hands for the side to move.
    fn repeats_with(&self, _plies: usize) -> Ordering {
        Ordering::Equal
    }

    /// [`Self::mate_in_one`] finds something and costs little.
    const FINDS_MATES: bool = false;

    /// A move that mates at once, if it is found easily. Not in check.
    fn mate_in_one(&self) -> Option<Self::Move> {
        None
    }

    /// Passing would not be the best move for lack of pieces (zugzwang): null moves are safe.
    fn null_move_is_safe(&self) -> bool;

    /// Passes. Not in check.
    fn make_null(&mut self);

    /// Plies that already count towards a draw by "no progress" (chess: half-move clock), and the limit; `(0, 0)` for none.
    /// Near the limit, table cut-offs are not safe.
    fn draw_clock(&self) -> (u32, u32);
}
