//! An interface for observing a search in order to measure it.

/// A position that a search visits because its table does not answer its question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The position's key ([`crate::Game::key`]).
    pub key: u64,
    /// Depth of the visit, in plies.
    pub depth: i32,
    /// Lower end of the window for the side to move, in the search's own units.
    pub alpha: i32,
    /// Upper end of the window for the side to move, in the search's own units.
    pub beta: i32,
}

/// Observes the positions that a search visits. The observer has no influence on the search.
pub trait Watch: Send + Sync {
    /// The search calls this when a visit begins, possibly within another one. The search has made `nodes` moves.
    fn enter(&self, nodes: u64, visit: Visit);

    /// The search calls this when the visit that began last ends. The value of a visit is exact inside the window and a
    /// bound outside; `None` means that the search was stopped.
    fn leave(&self, nodes: u64, value: Option<i32>);
}
