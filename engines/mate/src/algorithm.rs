//! The seam between the engine and its algorithms: what an algorithm says of itself, what it is asked, how it answers.

use crate::core::interrupt::Interrupted;
use crate::interface::cell_link::CellLinks;
use crate::interface::findings::{MateFindings, OpenReason};
use crate::interface::options::SolverOptions;
use crate::interface::request::MateRequest;
use hasami_api::{MateAnswer, MateGame, Report, Stop, Task};

/// Abilities of an algorithm beside finding a mate by checks, or that there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// Several processors search one problem, on threads or in virtual time.
    pub parallel: bool,
    /// Processors that share no memory search one problem: other processes, other machines.
    pub distributed: bool,
    /// Proves that no mate is shorter: on request, or always.
    pub shortest: bool,
    /// Counts lengths as composers do.
    pub composers_rules: bool,
    /// Tells which other moves mate.
    pub other_moves: bool,
    /// Leaves a proof that can be told as a tree.
    pub proof_tree: bool,
    /// Searches by a sequential core that can be chosen, with thresholds that grow by a step.
    pub core_and_step: bool,
}

impl Capabilities {
    /// One processor, any mate, and nothing beside it.
    pub const NONE: Self = Self {
        parallel: false,
        distributed: false,
        shortest: false,
        composers_rules: false,
        other_moves: false,
        proof_tree: false,
        core_and_step: false,
    };

    /// Those of every search by proof numbers on one table.
    pub(crate) const PROOF_NUMBERS: Self =
        Self { shortest: true, composers_rules: true, other_moves: true, proof_tree: true, ..Self::NONE };
}

/// An algorithm's description of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Description {
    /// Its word on the command line.
    pub name: &'static str,
    /// One line for people, with its source.
    pub summary: &'static str,
    /// What it can do.
    pub capabilities: Capabilities,
}

/// An algorithm as the registry needs it.
pub(crate) trait Registered: Sized {
    const DESCRIPTION: Description;

    /// With at most so many bytes for its tables.
    fn new(options: &SolverOptions, bytes: usize) -> Self;
}

/// A position in which the side to move is to mate by checks (or by any moves, if the request says so).
pub(crate) struct MateJob<'a, G> {
    pub(crate) game: &'a G,
    /// The line that leads to the position, and the limits.
    pub(crate) task: &'a Task,
    pub(crate) request: MateRequest,
    pub(crate) stop: &'a Stop,
}

impl<G> MateJob<'_, G> {
    pub(crate) fn node_limit(&self) -> u64 {
        self.task.limits.nodes.unwrap_or(u64::MAX)
    }

    /// Why a question is open after so many nodes, if its algorithm knows nothing else.
    pub(crate) fn open_reason(&self, nodes: u64) -> OpenReason {
        match self.longest() {
            _ if nodes >= self.node_limit() => OpenReason::Nodes,
            _ if self.stop.is_stopped() => OpenReason::Stopped,
            usize::MAX => OpenReason::Memory,
            plies => OpenReason::Plies(plies),
        }
    }

    /// The longest line by checks that the task allows, in plies.
    pub(crate) fn longest(&self) -> usize {
        let limits = self.task.limits;
        [limits.mate, limits.depth].into_iter().flatten().min().map_or(usize::MAX, usize::from)
    }
}

/// An algorithm with what it keeps from one problem to the next. The last report that it tells counts the nodes.
pub(crate) trait MateAlgorithm<G: MateGame>: Send {
    /// Works on a problem until it is done or stopped.
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings;

    /// Gets the memory that every problem needs.
    fn prepare(&mut self) {}

    /// Gives memory back.
    fn forget(&mut self) {}

    /// Workers outside of this program search for it from now on, if it is [`Capabilities::distributed`].
    fn attach_workers(&mut self, _links: Box<dyn CellLinks>) {}
}

/// An answer alone.
pub(crate) fn answered(answer: Result<MateAnswer, Interrupted>, nodes: u64) -> MateFindings {
    let answer = answer.unwrap_or(MateAnswer::Unknown);
    let (others, lines) = (Vec::new(), Vec::new());
    MateFindings { answer, open: None, nodes, others, lines, proof: None, defended: None, usage: None, levels: None }
}
