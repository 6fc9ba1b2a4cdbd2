//! The interface between the engine and its algorithms: their descriptions, jobs and results.

use crate::core::interrupt::Interrupted;
use crate::interface::cell_link::CellLinks;
use crate::interface::findings::{MateFindings, OpenReason};
use crate::interface::options::SolverOptions;
use crate::interface::request::MateRequest;
use hasami_api::{MateAnswer, MateGame, Report, Stop, Task};

/// Abilities of an algorithm beyond finding a mate or proving that there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// Whether several processors can search one problem, as threads or in virtual time.
    pub parallel: bool,
    /// Whether processors without shared memory can search one problem, as other processes or on other machines.
    pub distributed: bool,
    /// Whether the algorithm proves that no shorter mate exists, either on request or always.
    pub shortest: bool,
    /// Whether the algorithm can count lengths by composers' rules.
    pub composers_rules: bool,
    /// Whether the algorithm can report which other moves mate.
    pub other_moves: bool,
    /// Whether the algorithm keeps a proof that can be reported as a tree.
    pub proof_tree: bool,
    /// Whether the sequential core and the threshold step can be chosen.
    pub core_and_step: bool,
}

impl Capabilities {
    /// Capabilities of an algorithm that searches on one processor and finds mates, but can do nothing else.
    pub const NONE: Self = Self {
        parallel: false,
        distributed: false,
        shortest: false,
        composers_rules: false,
        other_moves: false,
        proof_tree: false,
        core_and_step: false,
    };

    /// Capabilities of every proof-number search with one table.
    pub(crate) const PROOF_NUMBERS: Self =
        Self { shortest: true, composers_rules: true, other_moves: true, proof_tree: true, ..Self::NONE };
}

/// Describes an algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Description {
    /// Name on the command line.
    pub name: &'static str,
    /// Summary in one line, with the paper on which the algorithm is based.
    pub summary: &'static str,
    /// Capabilities of the algorithm.
    pub capabilities: Capabilities,
}

/// An algorithm that the registry can describe and create.
pub(crate) trait Registered: Sized {
    const DESCRIPTION: Description;

    /// Creates the algorithm with at most `bytes` bytes for its tables.
    fn new(options: &SolverOptions, bytes: usize) -> Self;
}

/// A problem, in which the side to move must mate by checks or, if the request allows it, by any moves.
pub(crate) struct MateJob<'a, G> {
    pub(crate) game: &'a G,
    /// The moves that lead to the position, and the limits.
    pub(crate) task: &'a Task,
    pub(crate) request: MateRequest,
    pub(crate) stop: &'a Stop,
}

impl<G> MateJob<'_, G> {
    pub(crate) fn node_limit(&self) -> u64 {
        self.task.limits.nodes.unwrap_or(u64::MAX)
    }

    /// Returns a general reason why the problem is undecided after `nodes` nodes, for algorithms without a specific
    /// reason.
    pub(crate) fn open_reason(&self, nodes: u64) -> OpenReason {
        match self.longest() {
            _ if nodes >= self.node_limit() => OpenReason::Nodes,
            _ if self.stop.is_stopped() => OpenReason::Stopped,
            usize::MAX => OpenReason::Memory,
            plies => OpenReason::Plies(plies),
        }
    }

    /// Returns the maximum length of a mating line, in plies.
    pub(crate) fn longest(&self) -> usize {
        let limits = self.task.limits;
        [limits.mate, limits.depth].into_iter().flatten().min().map_or(usize::MAX, usize::from)
    }
}

/// An algorithm with the state that it keeps between problems. The last progress report of a search states the total
/// number of nodes.
pub(crate) trait MateAlgorithm<G: MateGame>: Send {
    /// Works on a problem until it is decided or the search is stopped.
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings;

    /// Allocates the tables before the first search.
    fn prepare(&mut self) {}

    /// Frees the tables.
    fn forget(&mut self) {}

    /// Connects workers outside this program for all later searches, if the algorithm is [`Capabilities::distributed`].
    fn attach_workers(&mut self, _links: Box<dyn CellLinks>) {}
}

/// Returns findings that contain only an answer.
pub(crate) fn answered(answer: Result<MateAnswer, Interrupted>, nodes: u64) -> MateFindings {
    let answer = answer.unwrap_or(MateAnswer::Unknown);
    MateFindings {
        answer,
        open: None,
        at_least: None,
        nodes,
        others: Vec::new(),
        lines: Vec::new(),
        variations: Vec::new(),
        proof: None,
        defended: None,
        usage: None,
        levels: None,
    }
}
