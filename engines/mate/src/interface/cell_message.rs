//! What a host and its cells tell each other. Positions and moves are text; how a message is written is the business of
//! whoever carries it.

use super::cell_options::CellSearch;
use hasami_api::{Hand, Line, MoveText};

/// A problem, as a cell must know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellProblem {
    /// Unlike that of other problems of the host.
    pub number: u32,
    /// Its name: `shogi`.
    pub game: String,
    /// How its tasks are searched.
    pub search: CellSearch,
    /// The attacker need not check.
    pub any_moves: bool,
    /// Plies of the longest line.
    pub longest: u64,
    /// The position, with the moves that led to it.
    pub line: Line,
}

/// From a host to a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellOrder {
    /// The next orders are about this problem.
    Begin(CellProblem),
    /// Search the leaf after these moves. `size`: moves made (by proof numbers) or nodes of the tree (best-first).
    Search {
        /// Number of the task.
        task: u64,
        /// Size of the task, as above.
        size: u64,
        /// From the problem's position to the leaf.
        moves: Vec<MoveText>,
    },
    /// Nobody wants this task any more.
    Stop {
        /// Number of the task.
        task: u64,
    },
    /// What other cells have found out about a problem.
    Facts {
        /// Number of the problem.
        problem: u32,
        /// The decided positions.
        facts: Vec<Fact>,
    },
    /// Show what you would play below leaves that you have decided.
    Prove {
        /// Number of the problem.
        problem: u32,
        /// Leaves with a mate; else leaves without one.
        is_mate: bool,
        /// From the problem's position to each leaf.
        leaves: Vec<Vec<MoveText>>,
        /// Steps at most.
        most: u32,
    },
    /// Nobody wants anything of the problem any more.
    End,
}

/// From a cell to a host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellReply {
    /// It has read the problem and waits for tasks.
    Ready {
        /// Number of the problem.
        problem: u32,
    },
    /// What it has found out about a problem.
    Facts {
        /// Number of the problem.
        problem: u32,
        /// The decided positions.
        facts: Vec<Fact>,
    },
    /// A task has ended after so many moves made.
    Done {
        /// Number of the task.
        task: u64,
        /// Moves made.
        nodes: u64,
        /// The finding about its leaf.
        found: CellResult,
    },
    /// What it would play below the leaves that it was asked about, after so many moves made.
    Proof {
        /// Number of the problem.
        problem: u32,
        /// Moves made.
        nodes: u64,
        /// For each decided position that it knows.
        steps: Vec<ProofStep>,
    },
    /// An order cannot be carried out: why.
    Fault(String),
}

/// A cell's finding about a leaf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellResult {
    /// The value of the leaf and the tree below it: a move, its children in brackets, `:` and the value of a leaf, `!` for
    /// what is proved, as in `(2c2b:41,G*2b(1b1a!(G*1c!),1b1c:33))`. `cut`: some lines were too long to be looked at.
    Tree {
        /// The value of the leaf.
        value: u32,
        /// The tree below it, as above.
        branch: String,
        /// Some lines were too long to be looked at.
        cut: bool,
    },
    /// Proof and disproof number.
    Open {
        /// The proof number.
        pn: u32,
        /// The disproof number.
        dn: u32,
    },
    /// A main line from the leaf.
    Mate(Vec<MoveText>),
    /// No mate; `cut`: none so short.
    None {
        /// There is none so short; else none of any length.
        cut: bool,
    },
    /// The task was stopped before it had a result.
    Stopped,
}

/// A decided position, on whatever way it is reached: who is told of it is spared the same work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Of the board and the side to move.
    pub key: u64,
    /// The attacker's.
    pub hand: Hand,
    /// A mate within so many; `None`: there is none.
    pub plies: Option<u16>,
    /// Expansions that it cost.
    pub work: u32,
}

/// What is played in a decided position: by the attacker towards the mate, by the defender against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofStep {
    /// Of the board and the side to move.
    pub key: u64,
    /// The attacker's. Towards a mate the step serves for all hands that cover it, against one for all that it covers.
    pub hand: Hand,
    /// The move.
    pub mv: MoveText,
}

/// Bytes of a number, seven bits in each.
fn number(value: u64) -> usize {
    (64 - value.leading_zeros() as usize).div_ceil(7).max(1)
}

/// Bytes of a text with its length before it.
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
    /// Bytes of the message in its usual form: a byte for the version, one for the kind, numbers of variable length, texts
    /// and lists with their length, moves as words.
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
    /// As [`CellOrder::size`].
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
