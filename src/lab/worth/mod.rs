//! Measures workers and engines by the moves they play: `hasami-lab worth` and `hasami-lab losses`.
//!
//! An engine that searched many nodes has ranked the moves of many positions (the journal of [`crate::learn`]). The
//! loss of a move is the difference between the expected points of the best move and of the move. The worth of a
//! cluster is the time with which a single worker loses as little as the cluster. Thousands of positions cost as much
//! as a few games, and all contestants play the same positions, so small differences become visible. The lost points of
//! single moves are not results of games.

pub mod curve;
pub mod judged;
pub mod played;
