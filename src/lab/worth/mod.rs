//! Measures workers and engines by the moves they play: `hasami-lab worth` and `hasami-lab losses`.
//!
//! An engine that searched many nodes has ranked the moves of many positions (the journal of [`crate::learn`]). A move
//! loses the difference between the expected points of the best move and its own. One worker loses less the more time
//! it has; the worth of a cluster is the time with which one worker loses as little as the cluster. Thousands of
//! positions cost as much as a few games, and all contestants play the same positions, so small differences show. But
//! points lost by single moves are not results of games.

pub mod curve;
pub mod judged;
pub mod played;
