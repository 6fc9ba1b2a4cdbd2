//! A solver of mates as the program sees it.

use super::cell_link::CellLinks;
use super::findings::MateFindings;
use super::request::MateRequest;
use hasami_api::{Searcher, Stop, Task, TaskError};

/// A solver that composers can ask.
pub trait MateSolver: Searcher {
    /// Works on a task of [`hasami_api::Goal::Mate`] as [`Searcher::search`] does.
    fn examine(&mut self, task: &Task, request: MateRequest, stop: &Stop) -> Result<MateFindings, TaskError>;

    /// Cells outside of this program work for it from now on, if it is one that has cells.
    fn attach_cells(&mut self, _links: Box<dyn CellLinks>) {}
}
