//! The interface of a mate solver.

use super::cell_link::CellLinks;
use super::findings::MateFindings;
use super::request::MateRequest;
use hasami_api::{Report, Searcher, Stop, Task, TaskError};

/// A mate solver that answers the requests of problem composers.
pub trait MateSolver: Searcher {
    /// Solves a task of [`hasami_api::Goal::Mate`] like [`Searcher::search`].
    fn examine(&mut self, task: &Task, request: MateRequest, stop: &Stop) -> Result<MateFindings, TaskError> {
        self.examine_and_tell(task, request, stop, &mut |_| {})
    }

    /// Like [`Self::examine`], with progress reports to `tell`.
    fn examine_and_tell(
        &mut self,
        task: &Task,
        request: MateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateFindings, TaskError>;

    /// Connects cells outside this program for all later searches, if the solver has cells.
    fn attach_cells(&mut self, _links: Box<dyn CellLinks>) {}
}
