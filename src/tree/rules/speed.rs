//! Workers of unequal speed: places are filled from the root and the best line outwards, each by the worker that gets
//! deepest there in the same time. A table that knows the place saves nodes, so a warm worker may be slower.

/// How well a worker's table knows a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Warmth {
    Cold,
    /// It has searched the position one move before.
    Above,
    /// It has searched this position.
    Here,
}

impl Warmth {
    /// Nodes to the same depth as part of those with an empty table, measured for children of a searched position.
    fn nodes(self) -> f64 {
        match self {
            Self::Cold => 1.0,
            Self::Above => 0.34,
            Self::Here => 0.32,
        }
    }
}

/// How fast a worker of this speed gets to a depth.
pub fn pace(speed: f64, warmth: Warmth) -> f64 {
    speed / warmth.nodes()
}

/// The best suited of the candidates: by measured speed (nodes a second) if that of all is known, else by the weight that
/// their profiles claim. Each is `(measured, weight, warmth)`; a measure of 0 is none.
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
    fn a_warm_table_outweighs_a_little_speed_but_not_much() {
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
