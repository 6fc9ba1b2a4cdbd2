//! The messages between a host and its cells. Positions and moves are text; the encoding of messages is up to their
//! carrier.

use super::cell_options::CellSearch;
use hasami_api::{Hand, Line, MoveText};

/// The description of a problem that a cell receives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellProblem {
    /// Number of the problem, unique among the problems of the host.
    pub number: u32,
    /// Name of the game, for example `shogi`.
    pub game: String,
    /// The kind of search for the tasks of the problem.
    pub search: CellSearch,
    /// Whether the attacker may play moves other than checks.
    pub any_moves: bool,
    /// Length of the longest line in plies.
    pub longest: u64,
    /// The position, with the moves that led to it.
    pub line: Line,
}

/// An order from a host to a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellOrder {
    /// A new problem begins, to which the next orders belong.
    Begin(CellProblem),
    /// Search the leaf after these moves.
    Search {
        /// Number of the task.
        task: u64,
        /// Size of the task: moves made (by proof numbers) or nodes of the tree (best-first).
        size: u64,
        /// Moves from the problem's position to the leaf.
        moves: Vec<MoveText>,
    },
    /// The task is no longer wanted.
    Stop {
        /// Number of the task.
        task: u64,
    },
    /// Facts about the problem found by other cells.
    Facts {
        /// Number of the problem.
        problem: u32,
        /// The decided positions.
        facts: Vec<Fact>,
    },
    /// The cell is asked to show the moves that prove its decisions about these leaves.
    Prove {
        /// Number of the problem.
        problem: u32,
        /// Whether the leaves are mates, or positions without a mate.
        is_mate: bool,
        /// Moves from the problem's position to each leaf.
        leaves: Vec<Vec<MoveText>>,
        /// Maximum number of steps.
        most: u32,
    },
    /// The problem is over.
    End,
}

/// A reply from a cell to a host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellReply {
    /// The cell has read the problem and waits for tasks.
    Ready {
        /// Number of the problem.
        problem: u32,
    },
    /// Facts about the problem found by the cell.
    Facts {
        /// Number of the problem.
        problem: u32,
        /// The decided positions.
        facts: Vec<Fact>,
    },
    /// A task has ended.
    Done {
        /// Number of the task.
        task: u64,
        /// Moves made.
        nodes: u64,
        /// Result for the leaf.
        found: CellResult,
    },
    /// The steps of the cell's proofs, below the leaves of a [`CellOrder::Prove`].
    Proof {
        /// Number of the problem.
        problem: u32,
        /// Moves made.
        nodes: u64,
        /// A step for each decided position that the cell knows.
        steps: Vec<ProofStep>,
    },
    /// An order could not be carried out, for this reason.
    Fault(String),
}

/// A cell's result for a leaf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellResult {
    /// The tree below the leaf as text, as in `(2c2b:41,G*2b(1b1a!(G*1c!),1b1c:33))`: each move is followed by its
    /// children in parentheses, by `:` and a value if it leads to a leaf, and by `!` if its position is proved.
    Tree {
        /// The value of the leaf.
        value: u32,
        /// The tree below the leaf.
        branch: String,
        /// Whether some lines were too long to be searched.
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
        /// Whether there may be a mate beyond the limit of plies.
        cut: bool,
    },
    /// The task was stopped before it had a result.
    Stopped,
}

/// A position that is decided on every path to it. Facts save other cells the same work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Key of the board and the side to move.
    pub key: u64,
    /// The attacker's hand.
    pub hand: Hand,
    /// Plies within which the position mates; `None` if there is no mate.
    pub plies: Option<u16>,
    /// Number of expansions that the decision cost.
    pub work: u32,
}

/// A move in a decided position: of the attacker towards the mate, or of the defender against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofStep {
    /// Key of the board and the side to move.
    pub key: u64,
    /// The attacker's hand. A step towards a mate holds for all hands that cover this hand, and a step against a mate
    /// for all hands that this hand covers.
    pub hand: Hand,
    /// The move.
    pub mv: MoveText,
}

/// Size of a number in bytes, with seven bits per byte.
fn number(value: u64) -> usize {
    (64 - value.leading_zeros() as usize).div_ceil(7).max(1)
}

/// Size of a text in bytes, including its length prefix.
fn text(length: usize) -> usize {
    number(length as u64) + length
}

fn moves(moves: &[MoveText]) -> usize {
    text(moves.iter().map(|mv| mv.len() + 1).sum::<usize>().saturating_sub(1))
}

fn facts(facts: &[Fact]) -> usize {
    let plies = |fact: &Fact| 1 + fact.plies.map_or(0, |plies| number(plies.into()));
    number(facts.len() as u64) + facts.iter().map(|fact| 12 + plies(fact) + number(fact.work.into())).sum::<usize>()
}

impl CellProblem {
    fn size(&self) -> usize {
        let Self { number: problem, game, longest, line, .. } = self;
        let start = 1 + line.start.text.as_deref().map_or(0, |position| text(position.len()));
        let rules = 2 + number(line.start.rules.max_moves.into());
        number(u64::from(*problem)) + text(game.len()) + 2 + number(*longest) + start + rules + moves(&line.moves)
    }
}

impl CellOrder {
    /// Size of the message in bytes in its usual encoding: a byte for the version, one for the kind, numbers of
    /// variable length, texts and lists with length prefixes, moves as words.
    pub fn size(&self) -> usize {
        2 + match self {
            Self::Begin(problem) => problem.size(),
            Self::Search { task, size, moves: way } => number(*task) + number(*size) + moves(way),
            Self::Stop { task } => number(*task),
            Self::Facts { problem, facts: told } => number((*problem).into()) + facts(told),
            Self::Prove { problem, leaves, most, .. } => {
                let ways = leaves.iter().map(|way| moves(way)).sum::<usize>();
                number((*problem).into()) + 1 + number(leaves.len() as u64) + ways + number((*most).into())
            }
            Self::End => 0,
        }
    }
}

impl CellReply {
    /// See [`CellOrder::size`].
    pub fn size(&self) -> usize {
        2 + match self {
            Self::Ready { problem } => number((*problem).into()),
            Self::Facts { problem, facts: told } => number((*problem).into()) + facts(told),
            Self::Done { task, nodes, found } => number(*task) + number(*nodes) + found.size(),
            Self::Proof { problem, nodes, steps } => {
                let shown = steps.iter().map(|step| 12 + text(step.mv.len())).sum::<usize>();
                number((*problem).into()) + number(*nodes) + number(steps.len() as u64) + shown
            }
            Self::Fault(why) => text(why.len()),
        }
    }
}

impl CellResult {
    fn size(&self) -> usize {
        1 + match self {
            Self::Tree { value, branch, .. } => number((*value).into()) + text(branch.len()) + 1,
            Self::Open { pn, dn } => number((*pn).into()) + number((*dn).into()),
            Self::Mate(line) => moves(line),
            Self::None { .. } => 1,
            Self::Stopped => 0,
        }
    }
}
