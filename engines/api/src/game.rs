//! The rules of a game, in the form in which the tree, the searches and the mate solvers use them.

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

    /// The index of the side: 0 for the first player, 1 for the second.
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
    /// The game is drawn.
    Draw,
    /// The side to move has lost.
    Loss,
}

/// A start position that the game rejects, as one line: what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidPosition(pub String);

impl InvalidPosition {
    /// Creates the error for a text that, because of this flaw, is not a valid position of the game in this format (FEN
    /// or SFEN).
    pub fn flawed(game: &str, format: &str, text: &str, flaw: &str) -> Self {
        Self(format!("expected a {game} position in {format}, found '{text}' ({flaw})"))
    }

    /// Creates the error for a position that two players cannot play from, because the named side has no king.
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

/// A text that is not a legal move in the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseMoveError {
    /// The text is not in the notation of the game.
    Notation(String),
    /// The notation is right, but the move is not legal here.
    Illegal(String),
    /// The piece could make the move, but a rule that has a name among players forbids it.
    Forbidden(String, Prohibition),
}

/// A rule that forbids a move which a piece could make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prohibition {
    /// A second unpromoted pawn of a side on one file (nifu).
    TwoPawns,
    /// Mate by dropping a pawn (uchifuzume).
    PawnMate,
    /// The piece could never move again from its target square.
    Stuck,
    /// The king of the side to move would be in check.
    InCheck,
}

impl Prohibition {
    /// Returns the keyword by which translated messages are found.
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
/// `make` and `unmake` work as a stack. Cloning takes time proportional to the length of the history.
pub trait Game: Clone + Send + Sized + 'static {
    /// A move, small enough to be copied. A move has a meaning only together with its position.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// Name of the game on the command line: `chess`, `shogi`.
    const NAME: &'static str;

    /// The unit in which players of the game count the distance to a mate.
    const MATE_UNIT: MateUnit = MateUnit::Plies;

    /// Number of moves over which the remaining time on the clock is spread, at the beginning of a game and late in it.
    /// Smaller numbers suit games that are decided early.
    const CLOCK_SHARES: [u32; 2] = [52, 18];

    /// Sets up a start position. An error states what was expected and what was found.
    fn new(start: &Start) -> Result<Self, InvalidPosition>;

    /// Checks that two players can play on from here. A game may accept positions of problems that cannot be played,
    /// such as a mate problem whose attacker has no king. An error states what was expected and what was found.
    fn check_play(&self) -> Result<(), InvalidPosition> {
        Ok(())
    }

    /// The current position as FEN or SFEN.
    fn to_text(&self) -> String;

    /// Reads a legal move in any notation that GUIs use for it.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError>;

    /// The rules of a game that begins with `start`: its own rules, and those that its position requires (in chess,
    /// castling rights that exist only in Chess960).
    fn rules_of(start: &Start) -> Rules {
        start.rules
    }

    /// Formats a legal move for the protocol (in chess, castling according to [`crate::Rules::chess960`]).
    fn format_move(&self, m: Self::Move) -> MoveText;

    /// The side to move.
    fn side(&self) -> Side;

    /// Plies since the initial position: those given by the start position's text, and the moves made.
    fn ply(&self) -> u32;

    /// Hash of the position (board, side to move, castling and en passant rights, hands) without its history. Equal
    /// positions have equal keys, whether they were reached by moves or set up from text.
    fn key(&self) -> u64;

    /// Is the side to move in check?
    fn in_check(&self) -> bool;

    /// Appends every legal move (in shogi also non-promotions that are never better than the promotion).
    fn legal_moves(&self, out: &mut Moves<Self::Move>);

    /// Counts the legal moves, without generating them where the rules allow that.
    fn count_moves(&self) -> usize {
        let mut out = Moves::new();
        self.legal_moves(&mut out);
        out.len()
    }

    /// Makes a legal move.
    fn make(&mut self, m: Self::Move);

    /// Takes back the last move made (or the last null move).
    fn unmake(&mut self);

    /// The verdict of the rules apart from "no legal move": repetition, perpetual check, move counters, insufficient
    /// material, declaration (a `Win` when the side to move may declare).
    ///
    /// The verdict is that of an arbiter: chess draws at the third occurrence, shogi at the fourth.
    fn verdict(&self) -> Verdict;

    /// Returns the same as [`Self::verdict`], except that a single repetition of a position from at most `plies` plies
    /// ago already counts, because inside a search either side could repeat it again. `plies` is the distance to the
    /// root of the search.
    fn verdict_in_search(&self, plies: usize) -> Verdict;

    /// The verdict for a position without legal moves: mate or stalemate.
    fn verdict_without_moves(&self) -> Verdict;

    /// May the side to move end the game by declaring a win (shogi: `bestmove win`)?
    fn may_declare_win(&self) -> bool {
        false
    }
}

/// The properties of a move that index the history tables of the alpha-beta search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveFacts {
    /// Kind and colour of the moved piece, less than `SearchGame::PIECES`: all kinds of one side, pawns first, then all
    /// kinds of the other side. (In shogi: the kind after the move, so after a promotion.)
    pub piece: u8,
    /// Origin square, less than `SearchGame::ORIGINS` (in shogi the squares are followed by one origin per kind in
    /// hand).
    pub origin: u8,
    /// Target square, less than `SearchGame::SQUARES`.
    pub to: u8,
    /// Kind of the captured piece, less than `SearchGame::VICTIMS`; 0: no capture.
    pub victim: u8,
    /// Does the move promote a piece?
    pub promotes: bool,
}

/// The operations that an alpha-beta search needs beyond the rules.
pub trait SearchGame: Game {
    /// Number of values of [`MoveFacts::piece`].
    const PIECES: usize;
    /// Number of values of [`MoveFacts::origin`].
    const ORIGINS: usize;
    /// Number of values of [`MoveFacts::to`].
    const SQUARES: usize;
    /// Number of values of [`MoveFacts::victim`], 0 included.
    const VICTIMS: usize;
    /// Value of a pawn in the units of [`Self::victim_value`] and of the evaluation. Margins of the search scale with
    /// it.
    const PAWN: i32;
    /// Whether moves can be generated in stages. If they can, then outside check [`Self::search_moves`] is the union of
    /// [`Self::noisy_moves`], [`Self::minor_promotions`] and [`Self::quiet_moves`], and [`Self::unpack`] finds each of
    /// these moves, so that a search can skip the generation of moves that it does not reach.
    const STAGED: bool = false;
    /// Parameters of the alpha-beta search that differ from their defaults in this game, by name.
    const SEARCH_NUMBERS: &[(&str, i32)] = &[];

    /// Legal moves worth searching. The list may omit moves that are never better than another one (a bishop's
    /// non-promotion), but is never empty if there is a legal move.
    fn search_moves(&self, out: &mut Moves<Self::Move>) {
        self.legal_moves(out);
    }

    /// Legal captures and promotions except [`Self::minor_promotions`], for quiescence search. This is not called in
    /// check.
    fn noisy_moves(&self, out: &mut Moves<Self::Move>);

    /// Promotions among [`Self::search_moves`] that quiescence search skips. This is not called in check.
    fn minor_promotions(&self, _out: &mut Moves<Self::Move>) {}

    /// The moves of [`Self::search_moves`] that neither capture nor promote. This is not called in check.
    fn quiet_moves(&self, out: &mut Moves<Self::Move>) {
        self.search_moves(out);
        out.retain(|m| self.facts(m).victim == 0 && !self.facts(m).promotes);
    }

    /// Is the move a capture or comparable to one, so that it belongs to quiescence search?
    fn is_noisy(facts: MoveFacts) -> bool {
        facts.victim != 0 || facts.promotes
    }

    /// The properties of a legal move of this position that histories and move ordering need.
    fn facts(&self, m: Self::Move) -> MoveFacts;

    /// Does the legal move `m` give check?
    fn gives_check(&self, m: Self::Move) -> bool;

    /// Returns a function that computes [`Self::gives_check`] and is efficient for testing many moves of this position.
    fn check_test(&self) -> impl Fn(Self::Move) -> bool + '_ {
        |m| self.gives_check(m)
    }

    /// Static exchange evaluation: does the exchange that `m` begins win at least `threshold` centipawns?
    fn see_at_least(&self, m: Self::Move, threshold: i32) -> bool;

    /// Returns the centipawns gained by capturing `victim` (see [`MoveFacts::victim`]); 0 if nothing is captured.
    fn victim_value(victim: u8) -> i32;

    /// Packs the move into 16 bits: unique among the legal moves of a position and never 0.
    fn pack(m: Self::Move) -> u16;

    /// Finds the legal move with this packed form, if there is one and finding it is cheaper than generating all moves.
    fn unpack(&self, _packed: u16) -> Option<Self::Move> {
        None
    }

    /// The key after `m`, for prefetching; it need not be exact.
    fn key_after(&self, m: Self::Move) -> u64;

    /// Keys of features of the position that change slowly, for the correction histories: the pawns, the minor pieces,
    /// and the pieces of each side.
    fn feature_keys(&self) -> [u64; 4];

    /// Compares the hands with those of an earlier position that had the same board and occurred at most `plies` plies
    /// ago. `Greater` means that the hands are better for the side to move now, and `Less` that they are worse.
    fn repeats_with(&self, _plies: usize) -> Ordering {
        Ordering::Equal
    }

    /// Whether [`Self::mate_in_one`] is implemented and cheap.
    const FINDS_MATES: bool = false;

    /// A move that mates at once, if one is found easily. This is not called in check.
    fn mate_in_one(&self) -> Option<Self::Move> {
        None
    }

    /// Does the side to move have enough material for a null move, so that zugzwang is unlikely?
    fn null_move_is_safe(&self) -> bool;

    /// Makes a null move. This is not called in check.
    fn make_null(&mut self);

    /// Number of plies that count towards a draw by a rule against lack of progress (in chess, the half-move clock),
    /// and the limit; `(0, 0)` if the game has no such rule. Near the limit, table cut-offs are not safe.
    fn draw_clock(&self) -> (u32, u32);
}
