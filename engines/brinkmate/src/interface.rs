//! Requests to a solver of brinkmates, and its results.

use hasami_api::{MoveText, Report, Stop, Task, TaskError};
use hasami_mate::{InnerLimit, OpenReason, ProcessorUsage, ProofTree};

/// The algorithm that searches for brinkmates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BrinkmateSearch {
    /// Proof-number search, which proves its answers.
    #[default]
    ProofTree,
    /// TACO-H of Hashimoto et al. 2001, with inner searches for mates.
    TacoH(InnerLimit),
}

/// The options of a request to find a brinkmate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BrinkmateRequest {
    /// Whether to find a shortest brinkmate and prove that there is no shorter one.
    pub shortest: bool,
    /// The longest brinkmate to search for, in plies.
    pub within: Option<u16>,
    /// Whether to return the proof as a certificate that can be verified.
    pub certificate: bool,
    /// Whether to return also the proof that there is no shorter brinkmate. This proof may take far longer than the
    /// search.
    pub below: bool,
    /// Whether to continue the main line of a brinkmate up to a mate.
    pub to_the_mate: bool,
    /// Number of the attacker's moves in the returned proof tree; 0 for no tree.
    pub proof: usize,
}

/// The answer to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrinkmateAnswer {
    /// A brinkmate, with the main line up to the attacker's last move before the mates.
    Brinkmate(Vec<MoveText>),
    /// A mate by checks, with its main line.
    Mate(Vec<MoveText>),
    /// There is neither a mate nor a brinkmate within the limit of plies.
    None {
        /// The limit in plies, if the request had one.
        within: Option<u16>,
    },
    /// A limit ended the search.
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

/// The results of a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrinkmateFindings {
    /// The answer.
    pub answer: BrinkmateAnswer,
    /// Whether the answer is proved.
    pub is_proved: bool,
    /// Whether a proof that there is no shorter brinkmate was requested and found. If it was requested but a limit
    /// ended the search, this is false.
    pub is_shortest: bool,
    /// The reason why there is no answer, unless the search reached its node limit or was stopped.
    pub open: Option<OpenReason>,
    /// Number of moves made.
    pub nodes: u64,
    /// The certificate of the answer (docs/design/certificate.md), if requested.
    pub certificate: Option<Vec<u8>>,
    /// The certificate that there is no shorter brinkmate, if requested.
    pub below: Option<Vec<u8>>,
    /// The proof as a tree of moves, if requested.
    pub proof: Option<ProofTree>,
    /// How the processors were used, if more than one of them searched.
    pub usage: Option<ProcessorUsage>,
    /// Counts of the inner searches, if the algorithm has any.
    pub inner: Option<InnerSearches>,
}

impl BrinkmateFindings {
    /// Creates findings that contain an answer, but no proof and no counts of nodes.
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

/// A solver of brinkmates. A solver is owned by one thread.
pub trait BrinkmateSolver: Send {
    /// Searches the position of a task until the request is answered, the node limit is reached, or `stop` is set.
    fn solve(
        &mut self,
        task: &Task,
        request: BrinkmateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFindings, TaskError>;

    /// Allocates the memory, so that searches need not wait for it.
    fn prepare(&mut self);
}
