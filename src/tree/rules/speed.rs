//! Workers of unequal speed: nodes get their workers in order of priority, and each node gets the free worker that
//! would search it deepest in a given time. A worker whose table contains the position needs fewer nodes, so it may be
//! preferred to a faster worker.

/// How much a worker's hash table already knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Warmth {
    Cold,
    /// The worker has searched the parent of the position.
    Above,
    /// The worker has searched this position.
    Here,
}

impl Warmth {
    /// Number of nodes needed to reach a depth, relative to the number that an empty table needs. The values were
    /// measured at children of a searched position.
    fn nodes(self) -> f64 {
        match self {
            Self::Cold => 1.0,
            Self::Above => 0.34,
            Self::Here => 0.32,
        }
    }
}

/// A worker's effective speed: its speed divided by the share of nodes that it needs with its table.
pub fn pace(speed: f64, warmth: Warmth) -> f64 {
    speed / warmth.nodes()
}

/// The index of the most suitable candidate. Each candidate is `(measured, weight, warmth)`. Measured speeds (nodes per
/// second, 0 if unknown) are compared if all are known; otherwise, the profiles' weights are compared.
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
