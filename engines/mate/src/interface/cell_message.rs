//! Messages between a host and its cells. Positions and moves are text; the transport determines the encoding of
//! messages.

use super::cell_options::CellSearch;
use hasami_api::{Hand, Line, MoveText};

/// The description of a problem that a cell receives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellProblem {
    /// Number of the problem, unique among the problems of the host.
    pub number: u32,
    /// Name of the game, for example `shogi`.
    pub game: String,
    /// The kind of search for the problem's tasks.
    pub search: CellSearch,
    /// Whether the attacker may play moves other than checks.
    pub any_moves: bool,
    /// Maximum length of a line, in plies.
    pub longest: u64,
    /// The position, with the moves that led to it.
    pub line: Line,
}

/// An order from a host to a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellOrder {
    /// Begin a new problem, to which all following orders belong.
    Begin(CellProblem),
    /// Search the leaf that `moves` lead to.
    Search {
        /// The task's number.
        task: u64,
        /// Size limit of the task: number of moves made (proof numbers) or of tree nodes (best-first).
        size: u64,
        /// Moves from the problem's position to the leaf.
        moves: Vec<MoveText>,
    },
    /// Stop a task whose result is no longer needed.
    Stop {
        /// The task's number.
        task: u64,
    },
    /// Facts about the problem that other cells have found.
    Facts {
        /// The problem's number.
        problem: u32,
        /// The decided positions.
        facts: Vec<Fact>,
    },
    /// End the problem.
    End,
}

/// A reply from a cell to a host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellReply {
    /// The cell has read the problem and waits for tasks.
    Ready {
        /// The problem's number.
        problem: u32,
    },
    /// Facts about the problem that the cell has found.
    Facts {
        /// The problem's number.
        problem: u32,
        /// The decided positions.
        facts: Vec<Fact>,
    },
    /// A task has ended.
    Done {
        /// The task's number.
        task: u64,
        /// Moves made.
        nodes: u64,
        /// Result for the leaf.
        found: CellResult,
    },
    /// The reason why an order could not be carried out.
    Fault(String),
}

/// A cell's result for a leaf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellResult {
    /// The tree below the leaf as text, for example `(2c2b:41,G*2b(1b1a!(G*1c!),1b1c:33))`. Each move is followed by
    /// its children in parentheses, by `:` and a value if it leads to a leaf, and by `!` if its position is proved.
    Tree {
        /// The value of the leaf.
        value: u32,
        /// The tree below the leaf.
        branch: String,
        /// True if some lines were cut at the ply limit.
        cut: bool,
    },
    /// The leaf is still open.
    Open {
        /// The proof number.
        pn: u32,
        /// The disproof number.
        dn: u32,
    },
    /// The main line of a mate from the leaf.
    Mate(Vec<MoveText>),
    /// There is no mate.
    None {
        /// Whether there may be a mate beyond the ply limit.
        cut: bool,
    },
    /// The task was stopped before it had a result.
    Stopped,
}

/// A position that is decided on every path to it. A fact saves other cells from searching its position again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Key of the board and the side to move.
    pub key: u64,
    /// The attacker's hand.
    pub hand: Hand,
    /// Number of plies within which the attacker mates from the position; `None` if there is no mate.
    pub plies: Option<u16>,
    /// Number of node expansions that it took to decide the position.
    pub work: u32,
}
