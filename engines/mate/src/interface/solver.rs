//! A solver of mates as the program sees it.

use super::cell_link::CellLinks;
use super::findings::MateFindings;
use super::request::MateRequest;
use hasami_api::{Report, Searcher, Stop, Task, TaskError};

/// A solver that composers can ask.
pub trait MateSolver: Searcher {
    /// Works on a task of [`hasami_api::Goal::Mate`] as [`Searcher::search`] does.
    fn examine(&mut self, task: &Task, request: MateRequest, stop: &Stop) -> Result<MateFindings, TaskError> {
        self.examine_and_tell(task, request, stop, &mut |_| {})
    }

    /// The same; `tell` hears from time to time how far it is.
    fn examine_and_tell(
        &mut self,
        task: &Task,
        request: MateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateFindings, TaskError>;

    /// Cells outside of this program work for it from now on, if it is one that has cells.
    fn attach_cells(&mut self, _links: Box<dyn CellLinks>) {}
}
