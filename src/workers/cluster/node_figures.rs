//! Figures of a worker node at work, for whoever watches over it.

/// See the module. Counts begin with the program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NodeFigures {
    /// Slots, those that a master holds, and those that are at a task.
    pub slots: u64,
    pub held: u64,
    pub busy: u64,
    pub masters: u64,
    /// Nodes of all tasks.
    pub nodes: u64,
    /// Tasks that have ended, and reports that were told.
    pub tasks: u64,
    pub reports: u64,
    /// Engines that have died.
    pub lost: u64,
    /// Messages that were refused, by reason.
    pub refused: Vec<(&'static str, u64)>,
    /// Messages that have not gone out yet.
    pub waiting: u64,
    pub is_connected: bool,
}
