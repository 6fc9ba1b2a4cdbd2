//! Workers of unequal speed: nodes are filled from the root and the best line outwards. Each node gets the worker that
//! reaches the greatest depth at the node in the same time. A worker whose table contains the position needs fewer
//! nodes, so it may be preferred to a faster worker.

/// The degree to which a worker's table contains a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Warmth {
    Cold,
    /// The worker has searched the position one move earlier.
    Above,
    /// The worker has searched this position.
    Here,
}

impl Warmth {
    /// Number of nodes needed to reach a depth, relative to the number with an empty table. The values were measured
    /// for children of a searched position.
    fn nodes(self) -> f64 {
        match self {
            Self::Cold => 1.0,
            Self::Above => 0.34,
            Self::Here => 0.32,
        }
    }
}

/// The rate at which a worker of this speed gains depth.
pub fn pace(speed: f64, warmth: Warmth) -> f64 {
    speed / warmth.nodes()
}

/// The most suitable candidate: by measured speed (nodes per second) if that of all candidates is known, otherwise by
/// the weights of their profiles. Each candidate is `(measured, weight, warmth)`, where a measured speed of 0 means
/// unknown.
pub fn best(candidates: &[(f64, f64, Warmth)]) -> Option<usize> {
    let is_measured = candidates.iter().all(|&(measured, ..)| measured > 0.0);
    let rate =
        |&(measured, weight, warmth): &(f64, f64, Warmth)| pace(if is_measured { measured } else { weight }, warmth);
    (0..candidates.len()).max_by(|&a, &b| rate(&candidates[a]).total_cmp(&rate(&candidates[b])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warm_table_outweighs_a_small_difference_in_speed() {
        let warm = (1e6, 1.0, Warmth::Above);
        assert_eq!(best(&[(2e6, 1.0, Warmth::Cold), warm]), Some(1));
        assert_eq!(best(&[(4e6, 1.0, Warmth::Cold), warm]), Some(0));
        assert_eq!(best(&[warm, (1e6, 1.0, Warmth::Here)]), Some(1));
        assert_eq!(best(&[]), None);
    }

    #[test]
    fn an_unknown_speed_is_not_compared_with_a_measured_one() {
        let warm = (1e5, 1.0, Warmth::Above);
        assert_eq!(best(&[(0.0, 1.0, Warmth::Cold), warm]), Some(1));
        assert_eq!(best(&[(0.0, 4.0, Warmth::Cold), warm]), Some(0));
    }
}
