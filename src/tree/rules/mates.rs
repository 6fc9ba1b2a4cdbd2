//! A mate solver floats over the leaves of the tree: it looks at each for a few nodes, at the likely ones first, and comes
//! back with twice as many. What it proves settles the leaf and frees the workers there and below.

use std::time::Duration;

/// Part of one thread that the solver takes: the rest of the time it rests, so that where all processors are busy the
/// thread workers lose next to nothing.
pub const SHARE: f64 = 0.05;
/// Nodes of the first look at a leaf.
const FIRST_NODES: u64 = 1_000;
/// Looks at one leaf, the last of them at half a million nodes.
const MOST_LOOKS: u8 = 10;

/// Nodes of the next look at a leaf that has been looked at so often; `None`: it has been enough.
pub fn nodes(looks: u8) -> Option<u64> {
    (looks < MOST_LOOKS).then(|| FIRST_NODES << looks)
}

/// What a look is worth: each costs twice the one before it.
pub fn worth(probability: f64, looks: u8) -> f64 {
    probability * 0.5f64.powi(i32::from(looks))
}

/// The rest after a look that took so long.
pub fn rest(took: Duration, share: f64) -> Duration {
    took.mul_f64((1.0 / share.max(0.001) - 1.0).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_double_and_end() {
        assert_eq!((nodes(0), nodes(1), nodes(9), nodes(10)), (Some(1_000), Some(2_000), Some(512_000), None));
        assert!(worth(0.5, 0) > worth(0.4, 0) && worth(0.5, 1) < worth(0.4, 0));
    }

    #[test]
    fn the_solver_works_its_share_of_the_time() {
        let took = Duration::from_millis(10);
        let part = took.as_secs_f64() / (took + rest(took, SHARE)).as_secs_f64();
        assert!((part - SHARE).abs() < 1e-6, "{part}");
        assert_eq!(rest(took, 1.0), Duration::ZERO);
    }
}
