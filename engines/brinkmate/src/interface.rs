//! Requests to a brinkmate solver, and its results.

use hasami_api::{MoveText, Report, Stop, Task, TaskError};
use hasami_mate::{InnerLimit, OpenReason, ProcessorUsage, ProofTree};

/// The algorithm that searches for brinkmates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BrinkmateSearch {
    /// Proof-number search, which proves its answers.
    #[default]
    ProofTree,
    /// TACO-H (Hashimoto et al. 2001), with inner searches for mates.
    TacoH(InnerLimit),
}

/// The options of a request to find a brinkmate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BrinkmateRequest {
    /// Whether to find a shortest brinkmate and prove that no shorter brinkmate exists.
    pub shortest: bool,
    /// The maximum length of a brinkmate, in plies; `None` for no limit.
    pub within: Option<u16>,
    /// Whether to return the proof as a verifiable certificate.
    pub certificate: bool,
    /// Whether to also return the proof that no shorter brinkmate exists, which may take far longer than the search.
    pub below: bool,
    /// Whether to continue the main line of a brinkmate up to a mate.
    pub to_the_mate: bool,
    /// Maximum number of attacking moves in the returned proof tree; 0 for no tree.
    pub proof: usize,
}

/// The answer to a request for a brinkmate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrinkmateAnswer {
    /// A brinkmate, with the main line up to the attacker's last move before the final mate.
    Brinkmate(Vec<MoveText>),
    /// A mate by checks, with its main line.
    Mate(Vec<MoveText>),
    /// The side to move has neither a mate nor a brinkmate within the ply limit.
    None {
        /// The limit in plies, if the request had one.
        within: Option<u16>,
    },
    /// A limit ended the search without an answer.
    Unknown,
}

/// Counts of the inner mate searches within a search for a brinkmate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InnerSearches {
    /// Number of inner searches.
    pub calls: u64,
    /// Number of inner searches that reached their limit without a result.
    pub cut: u64,
    /// Number of moves made in all inner searches.
    pub nodes: u64,
}

/// The results of a brinkmate solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrinkmateFindings {
    /// The answer.
    pub answer: BrinkmateAnswer,
    /// Whether the answer is proved.
    pub is_proved: bool,
    /// Whether a proof that no shorter brinkmate exists was requested and found.
    pub is_shortest: bool,
    /// The reason why there is no answer; `None` if the search reached its node limit or was stopped.
    pub open: Option<OpenReason>,
    /// Number of moves made by the search.
    pub nodes: u64,
    /// The certificate of the answer, if requested; its format is described in docs/design/certificate.md.
    pub certificate: Option<Vec<u8>>,
    /// The certificate that no shorter brinkmate exists, if requested.
    pub below: Option<Vec<u8>>,
    /// The proof as a tree of moves, if requested.
    pub proof: Option<ProofTree>,
    /// The usage of each processor, if more than one processor searched.
    pub usage: Option<ProcessorUsage>,
    /// Counts of the inner searches, if the algorithm has inner searches.
    pub inner: Option<InnerSearches>,
}

impl BrinkmateFindings {
    /// Creates findings with an answer, but without a proof or node counts.
    pub const fn new(answer: BrinkmateAnswer) -> Self {
        Self {
            answer,
            is_proved: false,
            is_shortest: false,
            open: None,
            nodes: 0,
            certificate: None,
            below: None,
            proof: None,
            usage: None,
            inner: None,
        }
    }
}

/// A brinkmate solver, owned by one thread.
pub trait BrinkmateSolver: Send {
    /// Searches the position of a task until the search has an answer, reaches the node limit, or is stopped.
    fn solve(
        &mut self,
        task: &Task,
        request: BrinkmateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFindings, TaskError>;

    /// Allocates the solver's memory in advance, so that searches do not wait for it.
    fn prepare(&mut self);
}
