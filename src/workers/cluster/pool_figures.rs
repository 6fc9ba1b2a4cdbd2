//! Metrics of a master's node pool.

/// Metrics of a node pool. Counters start with the pool.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PoolFigures {
    /// Number of worker nodes that lend something, and of their slots.
    pub machines: u64,
    pub slots: u64,
    /// Number of worker nodes whose slots other masters hold.
    pub busy: u64,
    /// Number of worker nodes that were lost.
    pub lost: u64,
    /// Number of reports that have arrived.
    pub reports: u64,
    /// Number of messages that were refused, by reason.
    pub refused: Vec<(&'static str, u64)>,
    /// Number of messages that have not been sent yet.
    pub waiting: u64,
    pub is_connected: bool,
}
