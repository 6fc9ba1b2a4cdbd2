//! Allocation: a worker is worth most where the game is likely to come, where its finding can change the root's move, and
//! where little has been searched so far.

/// Centipawns behind the root's best move at which the chance to overtake it has halved.
const HALF_CHANCE: f64 = 60.0;
/// Nodes after which more of them at the same place are worth half as much.
const HALVING_NODES: f64 = 20_000_000.0;

/// The chance that a root move `gap` centipawns behind the best one overtakes it; 1 for the best itself.
pub fn chance(gap: i32) -> f64 {
    1.0 / (1.0 + f64::from(gap.max(0)) / HALF_CHANCE)
}

/// Reach probability x chance to change the root / (1 + nodes).
pub fn worth(probability: f64, chance: f64, nodes: u64) -> f64 {
    probability * chance / (1.0 + nodes as f64 / HALVING_NODES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_close_and_new_places_come_first() {
        assert!(worth(0.5, chance(0), 0) > worth(0.4, chance(0), 0));
        assert!(worth(0.5, chance(10), 0) > worth(0.5, chance(50), 0));
        assert!(worth(0.5, chance(0), 0) > worth(0.5, chance(0), 1_000_000));
        assert_eq!(chance(-30), 1.0);
    }
}
