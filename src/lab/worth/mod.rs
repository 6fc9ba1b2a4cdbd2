//! Rates workers and engines by the quality of their moves: `hasami-lab worth` and `hasami-lab losses`.
//!
//! The judge, an engine that searched many nodes, has ranked the moves of many positions (the journal of
//! [`crate::learn`]). A move's loss is the expected points that it gives away, compared with the best move. The worth
//! of a cluster is the multiple of its time that a single worker needs to lose as few points. Thousands of positions
//! take as long as a few games, and all engines play the same positions, so small differences become visible. Points
//! lost by single moves are no substitute for the results of games.

pub mod curve;
pub mod judged;
pub mod played;
