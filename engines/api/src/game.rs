//! The rules of a game, in the form that the search tree, the alpha-beta searches and the mate solvers need.

use crate::{MateUnit, MoveText, Moves, Rules, Start};
use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::hash::Hash;

/// The two players, of whom `First` moves first (White in chess, Black in shogi).
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

    /// The index of the side: 0 for the first player, 1 for the second.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The verdict of the rules on a position, from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game goes on.
    Open,
    /// The side to move has won.
    Win,
    /// The game is drawn.
    Draw,
    /// The side to move has lost.
    Loss,
}

/// The error for a start position that the game rejects, as one line of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidPosition(pub String);

impl InvalidPosition {
    /// Creates the error for a text in the notation `format` (FEN or SFEN) that is not a valid position of the game
    /// because of `flaw`.
    pub fn flawed(game: &str, format: &str, text: &str, flaw: &str) -> Self {
        Self(format!("expected a {game} position in {format}, found '{text}' ({flaw})"))
    }

    /// Creates the error for a position that cannot be played because `side` has no king.
    pub fn kingless(side: &str) -> Self {
        Self(format!("expected a king of each side, found none of {side}"))
    }
}

impl fmt::Display for InvalidPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidPosition {}

/// The error for a text that is not a legal move in the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseMoveError {
    /// The text is not in the notation of the game.
    Notation(String),
    /// The text is in the notation of the game, but the move is not legal in the position.
    Illegal(String),
    /// The move breaks one of the rules in [`Prohibition`].
    Forbidden(String, Prohibition),
}

/// A rule that forbids a move that the piece could otherwise make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prohibition {
    /// A drop of a pawn on a file that already has an unpromoted pawn of the same side (nifu).
    TwoPawns,
    /// Mate by dropping a pawn (uchifuzume).
    PawnMate,
    /// A move or drop to a square from which the piece could never move again.
    Stuck,
    /// A move that leaves the king of the side to move in check.
    InCheck,
}

impl Prohibition {
    /// Returns the keyword for looking up the translated messages about the rule.
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

/// A position, together with the rules of its game and the history that these rules need.
///
/// `make` and `unmake` work like push and pop on a stack of moves. Cloning a game takes time proportional to the length
/// of its history.
pub trait Game: Clone + Send + Sized + 'static {
    /// A move of the game, which makes sense only in the position for which it was generated.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// Name of the game on the command line: `chess`, `shogi`.
    const NAME: &'static str;

    /// The unit in which players of the game count the distance to a mate.
    const MATE_UNIT: MateUnit = MateUnit::Plies;

    /// Numbers of moves over which the remaining time on the clock is spread, at the beginning of a game and late in a
    /// game. Smaller numbers of moves suit games that are decided early.
    const CLOCK_SHARES: [u32; 2] = [52, 18];

    /// Sets up a start position; fails if the game rejects it.
    fn new(start: &Start) -> Result<Self, InvalidPosition>;

    /// Checks that two players can continue the game from this position. A game may accept positions of problems that
    /// two players cannot continue, such as a mate problem whose attacker has no king.
    fn check_play(&self) -> Result<(), InvalidPosition> {
        Ok(())
    }

    /// Formats the current position as FEN or SFEN.
    fn to_text(&self) -> String;

    /// Reads a legal move in any of the notations that GUIs use.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError>;

    /// The rules of a game that begins with `start`: those in `start`, and those that the position requires (in chess,
    /// those of Chess960 if the castling rights exist only in Chess960).
    fn rules_of(start: &Start) -> Rules {
        start.rules
    }

    /// Formats a legal move for the protocol (in chess, castling according to [`crate::Rules::chess960`]).
    fn format_move(&self, m: Self::Move) -> MoveText;

    /// The side to move.
    fn side(&self) -> Side;

    /// Plies since the initial position: the number that the start position's text implies, plus the moves made since.
    fn ply(&self) -> u32;

    /// Hash of the position (board, side to move, castling and en passant rights, hands) without its history. Equal
    /// positions have equal keys, whether they were reached by moves or read from text.
    fn key(&self) -> u64;

    /// Is the side to move in check?
    fn in_check(&self) -> bool;

    /// Appends every legal move (in shogi, including non-promotions that are never better than the promotion).
    fn legal_moves(&self, out: &mut Moves<Self::Move>);

    /// Counts the legal moves, if possible without generating them.
    fn count_moves(&self) -> usize {
        let mut out = Moves::new();
        self.legal_moves(&mut out);
        out.len()
    }

    /// Makes a legal move.
    fn make(&mut self, m: Self::Move);

    /// Takes back the last move made (or the last null move).
    fn unmake(&mut self);

    /// The verdict of the rules on repetition, perpetual check, move counters, insufficient material and declaration,
    /// but not on the lack of legal moves. `Win` means that the side to move may declare a win.
    ///
    /// As an arbiter would, the method counts a repetition as a draw at the third occurrence in chess and at the fourth
    /// in shogi.
    fn verdict(&self) -> Verdict;

    /// Returns the same as [`Self::verdict`], except that a single repetition of a position from at most `plies` plies
    /// ago already counts, because the players could repeat the position again. `plies` is the distance to the root of
    /// the search.
    fn verdict_in_search(&self, plies: usize) -> Verdict;

    /// The verdict on a position without legal moves: mate or stalemate.
    fn verdict_without_moves(&self) -> Verdict;

    /// May the side to move end the game by declaring a win (shogi: `bestmove win`)?
    fn may_declare_win(&self) -> bool {
        false
    }
}

/// The properties of a move that index the history tables of the alpha-beta search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveFacts {
    /// Kind and colour of the moved piece (in shogi, after any promotion), less than `SearchGame::PIECES`. The kinds of
    /// one side come first, beginning with pawns, then those of the other side.
    pub piece: u8,
    /// Origin square, less than `SearchGame::ORIGINS`. In shogi, each kind of piece in hand has its own origin,
    /// numbered after the squares.
    pub origin: u8,
    /// Target square, less than `SearchGame::SQUARES`.
    pub to: u8,
    /// Kind of the captured piece, less than `SearchGame::VICTIMS`; 0 if nothing is captured.
    pub victim: u8,
    /// Whether the move promotes a piece.
    pub promotes: bool,
}

/// The operations that an alpha-beta search needs beyond the rules.
pub trait SearchGame: Game {
    /// Number of possible values of [`MoveFacts::piece`].
    const PIECES: usize;
    /// Number of possible values of [`MoveFacts::origin`].
    const ORIGINS: usize;
    /// Number of possible values of [`MoveFacts::to`].
    const SQUARES: usize;
    /// Number of possible values of [`MoveFacts::victim`], 0 included.
    const VICTIMS: usize;
    /// Value of a pawn in the units of [`Self::victim_value`] and of the evaluation. The search margins are
    /// proportional to this value.
    const PAWN: i32;
    /// Whether moves can be generated in stages, so that a search need not generate moves that it does not reach. If
    /// moves are generated in stages, [`Self::noisy_moves`], [`Self::minor_promotions`] and [`Self::quiet_moves`]
    /// together generate the moves that [`Self::search_moves`] generates outside check, and [`Self::unpack`] finds all
    /// these moves.
    const STAGED: bool = false;
    /// Names and values of the alpha-beta search parameters that differ from their defaults in this game.
    const SEARCH_NUMBERS: &[(&str, i32)] = &[];

    /// Appends the legal moves that are worth searching. Moves that are never better than another move (such as a
    /// bishop's non-promotion) may be omitted, as long as a legal move remains.
    fn search_moves(&self, out: &mut Moves<Self::Move>) {
        self.legal_moves(out);
    }

    /// Appends legal captures and promotions except [`Self::minor_promotions`], for quiescence search; not called in
    /// check.
    fn noisy_moves(&self, out: &mut Moves<Self::Move>);

    /// Appends the promotions of [`Self::search_moves`] that quiescence search skips; not called in check.
    fn minor_promotions(&self, _out: &mut Moves<Self::Move>) {}

    /// Appends the moves of [`Self::search_moves`] that neither capture nor promote; not called in check.
    fn quiet_moves(&self, out: &mut Moves<Self::Move>) {
        self.search_moves(out);
        out.retain(|m| self.facts(m).victim == 0 && !self.facts(m).promotes);
    }

    /// Is the move a capture, or so similar to one that quiescence search should try it?
    fn is_noisy(facts: MoveFacts) -> bool {
        facts.victim != 0 || facts.promotes
    }

    /// Returns the properties of a legal move in this position, for the history tables and for move ordering.
    fn facts(&self, m: Self::Move) -> MoveFacts;

    /// Does the legal move `m` give check?
    fn gives_check(&self, m: Self::Move) -> bool;

    /// Returns a function that computes [`Self::gives_check`] efficiently for many moves of this position.
    fn check_test(&self) -> impl Fn(Self::Move) -> bool + '_ {
        |m| self.gives_check(m)
    }

    /// Static exchange evaluation: does the exchange that `m` begins win at least `threshold` centipawns?
    fn see_at_least(&self, m: Self::Move, threshold: i32) -> bool;

    /// Returns the centipawns gained by capturing `victim` (see [`MoveFacts::victim`]); 0 if nothing is captured.
    fn victim_value(victim: u8) -> i32;

    /// Packs the move into a 16-bit number, which is never 0 and unique among the legal moves of a position.
    fn pack(m: Self::Move) -> u16;

    /// Finds the legal move with the packed form `_packed`, or `None` if generating all moves would be cheaper.
    fn unpack(&self, _packed: u16) -> Option<Self::Move> {
        None
    }

    /// An approximation of the position's key after the move `m`, for prefetching.
    fn key_after(&self, m: Self::Move) -> u64;

    /// Keys of slowly changing features of the position, for the correction histories: the pawns, the minor pieces, and
    /// the pieces of each side.
    fn feature_keys(&self) -> [u64; 4];

    /// Compares the hands now with the hands at most `plies` plies ago, when the board was the same. `Greater` means
    /// that the hands are better for the side to move now, and `Less` that they are worse.
    fn repeats_with(&self, _plies: usize) -> Ordering {
        Ordering::Equal
    }

    /// Whether [`Self::mate_in_one`] is implemented and cheap.
    const FINDS_MATES: bool = false;

    /// Returns a move that mates at once, if such a move is easy to find; not called in check.
    fn mate_in_one(&self) -> Option<Self::Move> {
        None
    }

    /// Returns whether a null move is safe, that is, whether the side to move has enough material for zugzwang to be
    /// unlikely.
    fn null_move_is_safe(&self) -> bool;

    /// Makes a null move; not called in check.
    fn make_null(&mut self);

    /// Number of plies that count towards a draw by lack of progress (in chess, the half-move clock), and the limit of
    /// this number; `(0, 0)` if the game has no such rule. Near the limit, transposition table cut-offs are unsafe.
    fn draw_clock(&self) -> (u32, u32);
}
