//! Figures of a master's worker pool, for whoever watches over it.

/// See the module. Counts begin with the pool.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PoolFigures {
    /// Worker nodes that lend something, and their slots.
    pub machines: u64,
    pub slots: u64,
    /// Worker nodes whose slots others hold.
    pub busy: u64,
    /// Worker nodes that were lost.
    pub lost: u64,
    /// Reports that have come.
    pub reports: u64,
    /// Messages that were refused, by reason.
    pub refused: Vec<(&'static str, u64)>,
    /// Messages that have not gone out yet.
    pub waiting: u64,
    pub is_connected: bool,
}
