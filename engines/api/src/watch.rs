//! Looking on at a search, for those who measure it.

/// A position that a search looks into, because what it knows already does not answer what it asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The position's key ([`crate::Game::key`]).
    pub key: u64,
    /// Plies to be searched.
    pub depth: i32,
    /// In the search's own units, for the side to move.
    pub alpha: i32,
    /// The upper end of the window, in the same units.
    pub beta: i32,
}

/// Sees which positions a search visits. It changes nothing of what the search does.
pub trait Watch: Send + Sync {
    /// A visit begins, perhaps inside another one. The search has made `nodes` moves.
    fn enter(&self, nodes: u64, visit: Visit);

    /// The visit that began last is over. Its value: exact inside its window, a bound outside; none when the search stops.
    fn leave(&self, nodes: u64, value: Option<i32>);
}
