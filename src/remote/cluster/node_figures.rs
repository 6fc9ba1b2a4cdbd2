/// Metrics of a running worker node. Counters start at zero when the program starts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NodeFigures {
    /// Number of all slots, number of slots that a master holds, and number of slots that are working on a task.
    pub slots: u64,
    pub held: u64,
    pub busy: u64,
    pub masters: u64,
    /// Number of nodes searched in all tasks.
    pub nodes: u64,
    /// Number of tasks that have ended, and number of reports that were sent.
    pub tasks: u64,
    pub reports: u64,
    /// Number of engines that have died.
    pub lost: u64,
    /// Number of messages that were refused, by reason.
    pub refused: Vec<(&'static str, u64)>,
    /// Number of messages that have not been sent yet.
    pub waiting: u64,
    pub is_connected: bool,
}
