//! Measures workers and engines by the moves they play: `hasami-lab worth` and `hasami-lab losses`.
//!
//! The judge, an engine that searched many nodes, has ranked the moves of many positions (the journal of
//! [`crate::learn`]). The loss of a move is how many points less than the best move it is expected to score. The worth
//! of a cluster is the time with which a single worker loses as few points as the cluster. Thousands of positions take
//! as long as a few games, and all engines play the same positions, so small differences become visible. Points lost by
//! single moves are no substitute for the results of games.

pub mod curve;
pub mod judged;
pub mod played;
