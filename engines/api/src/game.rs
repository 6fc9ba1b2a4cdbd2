//! The rules of a game, as seen by the tree, by the searches and by the mate solvers.

use crate::hand::Hand;
use crate::{MateUnit, MoveStage, MoveText, Moves, Start, Twin, Zone};
use std::fmt::{self, Debug};
use std::hash::Hash;

/// The two players; `First` moves first (White in chess, Black in shogi).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    First,
    Second,
}

impl Side {
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What the rules say about a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game goes on.
    Open,
    Win,
    Draw,
    Loss,
}

/// A start position that the game refuses: what was expected and what was found, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidPosition(pub String);

impl fmt::Display for InvalidPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notation(text) => write!(f, "expected a move, found '{text}'"),
            Self::Illegal(text) => write!(f, "expected a legal move, found '{text}'"),
        }
    }
}

impl std::error::Error for ParseMoveError {}

/// A position with the history that its rules need, and the rules themselves.
///
/// `make` and `unmake` are a stack; a clone costs as much as the history is long.
pub trait Game: Clone + Send + Sized + 'static {
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// `chess`, `shogi`: the word of the command line.
    const NAME: &'static str;

    /// How its players count to a mate.
    const MATE_UNIT: MateUnit = MateUnit::Plies;

    /// Sets up a start position; errors say what was expected and what was found.
    fn new(start: &Start) -> Result<Self, InvalidPosition>;

    /// Whether both sides can play on from here. A game may take positions of problems that nobody can play, such as a mate
    /// problem whose attacker has no king; the error says what was expected and what was found.
    fn check_play(&self) -> Result<(), String> {
        Ok(())
    }

    /// The current position as FEN or SFEN.
    fn to_text(&self) -> String;

    /// Reads a legal move in any notation that GUIs use for it.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError>;

    /// Writes a legal move as the protocol wants it (chess: castling by [`crate::Rules::chess960`]).
    fn format_move(&self, m: Self::Move) -> MoveText;

    fn side(&self) -> Side;

    /// Plies played from the initial position, from the position's text and the moves made.
    fn ply(&self) -> u32;

    /// Hash of the position (board, side, rights, hands), not of its history. Equal positions have equal keys,
    /// whether reached by moves or set up from text.
    fn key(&self) -> u64;

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

    /// What the rules say now apart from "no legal move": repetition, perpetual check, move counters, insufficient
    /// material, declaration (a `Win` when the side to move may declare).
    ///
    /// This is the arbiter's view: chess draws at the third occurrence, shogi at the fourth.
    fn verdict(&self) -> Verdict;

    /// As [`Self::verdict`], but a repetition of a position at most `plies` back already counts, because inside a
    /// search either side could repeat it again. `plies` is the distance to the root of the search.
    fn verdict_in_search(&self, plies: usize) -> Verdict;

    /// What "no legal move" means here: mate, stalemate.
    fn verdict_without_moves(&self) -> Verdict;

    /// The side to move may end the game by declaring a win (shogi: `bestmove win`).
    fn may_declare_win(&self) -> bool {
        false
    }
}

/// A move as the sequential search sees it: indices for its history tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveFacts {
    /// Coloured kind of the moved piece, `< SearchGame::PIECES`. (Shogi: the kind before promotion; a drop has its own.)
    pub piece: u8,
    /// Where it comes from, `< SearchGame::ORIGINS` (shogi: squares, then one for each kind in hand).
    pub origin: u8,
    /// Where it goes, `< SearchGame::SQUARES`.
    pub to: u8,
    /// Kind of the captured piece, `< SearchGame::VICTIMS`; 0 for none.
    pub victim: u8,
    pub promotes: bool,
}

/// What an alpha-beta search asks beyond the rules.
pub trait SearchGame: Game {
    const PIECES: usize;
    const ORIGINS: usize;
    const SQUARES: usize;
    const VICTIMS: usize;
    /// Value of a pawn in the units of [`Self::victim_value`] and of the evaluation: margins of the search scale with it.
    const PAWN: i32;
    /// Outside check, [`Self::search_moves`] are [`Self::noisy_moves`] and [`Self::quiet_moves`], and [`Self::unpack`]
    /// finds all of them: a search need not generate what it does not come to.
    const STAGED: bool = false;

    /// Legal moves worth searching: may leave out those that are never better than another (a bishop's non-promotion).
    /// Never empty when there is a legal move.
    fn search_moves(&self, out: &mut Moves<Self::Move>) {
        self.legal_moves(out);
    }

    /// Legal captures and promotions, for quiescence; not called in check.
    fn noisy_moves(&self, out: &mut Moves<Self::Move>);

    /// Moves of [`Self::search_moves`] that neither capture nor promote; not called in check.
    fn quiet_moves(&self, out: &mut Moves<Self::Move>) {
        self.search_moves(out);
        out.retain(|m| self.facts(m).victim == 0 && !self.facts(m).promotes);
    }

    fn facts(&self, m: Self::Move) -> MoveFacts;

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

    /// Keys of slowly changing parts of the position (pawns; each side's pieces), for correction history.
    fn feature_keys(&self) -> [u64; 3];

    /// Passing would not be the best move for lack of pieces (zugzwang): null moves are safe.
    fn null_move_is_safe(&self) -> bool;

    /// Passes. Not in check.
    fn make_null(&mut self);

    /// Plies that already count towards a draw by "no progress" (chess: half-move clock), and the limit; `(0, 0)` for none.
    /// Near the limit, table cut-offs are not safe.
    fn draw_clock(&self) -> (u32, u32);
}

/// What an AND/OR search for mates asks: checks of the attacker, all answers of the defender.
///
/// The defender's moves are [`Game::legal_moves`]; the attacker is whoever moves at the root.
///
/// Games with pieces in hand (shogi) say what of the position stands on the board and what is held, so that a solver can
/// use what it knows of one hand for another. Games without leave these questions as they are.
pub trait MateGame: Game {
    /// Appends every legal move that gives check, non-promotions included.
    fn checking_moves(&self, out: &mut Moves<Self::Move>);

    /// How many legal moves there are, drops on one square counted as one.
    fn count_answers(&self) -> usize {
        let mut moves = Moves::new();
        self.legal_moves(&mut moves);
        let (mut squares, mut count) = (0u128, 0);
        for &m in moves.iter() {
            match self.dropped(m) {
                Some((_, square)) => squares |= 1 << (square & 127),
                None => count += 1,
            }
        }
        count + squares.count_ones() as usize
    }

    /// Hash of the board and the side to move, hands left out. Positions of one game with the same board have the same
    /// pieces in both hands together.
    fn board_key(&self) -> u64 {
        self.key()
    }

    /// [`Self::board_key`] after a legal move, if that costs less than making it; only for prefetching.
    fn board_key_after(&self, _m: Self::Move) -> Option<u64> {
        None
    }

    /// What the side holds.
    fn hand(&self, _side: Side) -> Hand {
        Hand::EMPTY
    }

    /// The kind in hand that the move puts on the board, and the square, if it is a drop.
    fn dropped(&self, _m: Self::Move) -> Option<(usize, u8)> {
        None
    }

    /// The kind in hand that a legal move of this position wins by its capture, if it captures.
    fn won(&self, _m: Self::Move) -> Option<usize> {
        None
    }

    /// The side to move is in check and could end it by a drop between, if only it held the right piece.
    fn could_block(&self) -> bool {
        false
    }

    /// What a search by proof numbers looks at first: the checks of the attacker, all answers of the defender. Problems of
    /// another kind than mates by checks have further moves, in stages.
    fn first_moves(&self, attacks: bool, out: &mut Moves<Self::Move>) {
        if attacks { self.checking_moves(out) } else { self.legal_moves(out) }
    }

    /// When the moves of a stage, from 1 on, are looked at, too; `None`: there is no such stage.
    fn stage(&self, _attacks: bool, _stage: u8) -> Option<MoveStage> {
        None
    }

    /// Appends the moves of a stage.
    fn later_moves(&self, _attacks: bool, _stage: u8, _out: &mut Moves<Self::Move>) {}

    /// Proof and disproof number at first sight, where they are not those of the moves.
    fn first_numbers(&self, _attacks: bool) -> Option<(u32, u32)> {
        None
    }

    /// What a position as deep as this adds to its first proof number.
    fn depth_cost(&self) -> u32 {
        0
    }

    /// A proof of so many plies after this move is one of so many before it.
    fn length_before(&self, _m: Self::Move, after: i16) -> i16 {
        after + 1
    }

    /// What refuted an attack is tried first where the same attack is made elsewhere.
    fn remembers_escapes(&self) -> bool {
        false
    }

    /// What proves the attack against this answer is tried against the answers of later stages.
    fn is_sample(&self, _answer: Self::Move) -> bool {
        false
    }

    /// Where another piece of the defender could change what this move of the attacker does; before it is made.
    fn zone_of_attack(&self, _m: Self::Move) -> Zone {
        Zone::EVERYWHERE
    }

    /// Where another piece of the defender, who is in check, could change what there is to answer.
    fn zone_of_answers(&self) -> Zone {
        Zone::EVERYWHERE
    }

    /// The answer may change something within the zone. Otherwise what proves an attack without it proves it with it.
    fn is_within(&self, _answer: Self::Move, _zone: Zone) -> bool {
        true
    }

    /// Of the same board, where more or less is asked: what is known of that may hold here.
    fn twin(&self) -> Option<Twin> {
        None
    }

    /// Where such a drop could go, the square next to the king first.
    fn squares_between(&self) -> Vec<u8> {
        Vec::new()
    }

    /// This position with the piece that checks standing on that square between it and the king: as if it had taken
    /// there, and the piece it took had gone back to the defender's hand. Promoted and not, where both can be; none
    /// where it may not take.
    fn nearer(&self, _square: u8) -> Vec<Self> {
        Vec::new()
    }
}
