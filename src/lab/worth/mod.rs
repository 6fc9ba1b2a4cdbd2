//! Measures workers and engines by the moves they play: `hasami-lab worth` and `hasami-lab losses`.
//!
//! An engine of many nodes has ranked the moves of many positions (the journal of [`crate::learn`]). A move loses the
//! points that its value is expected to score less than the best one's. One worker plays better the more time it has; the
//! time at which it loses as little as the cluster is what the cluster is worth. Thousands of positions cost what a few
//! games cost, and every position is the same for all, so small differences show; but a loss in points is not a game.

pub mod curve;
pub mod judged;
pub mod played;
