//! Divides the slots of a worker node among masters by weight, with as few changes as possible.

/// One master's claim to slots.
#[derive(Clone, PartialEq, Debug)]
pub struct MasterClaim {
    pub weight: u16,
    pub wants: usize,
    /// A random number from 0 to 1 that differs between masters and between worker nodes. The masters with the most
    /// luck get the slots that are left over after an even division, so that over many worker nodes, each master gets
    /// about its share.
    pub luck: f64,
    /// For each slot, whether it can play the master's game.
    pub slots: Vec<bool>,
}

/// The master that holds a slot, or `Some(None)` for a free slot. `None` marks a slot that is out of order.
pub type SlotHolder = Option<Option<usize>>;

/// Returns the slots that must change hands, each with the index of the master that gets it.
pub fn deal(slots: &[SlotHolder], claims: &[MasterClaim]) -> Vec<(usize, usize)> {
    let mut table = SlotTable { holders: slots.to_vec(), held: vec![0; claims.len()], claims };
    for holder in slots.iter().copied().flatten().flatten() {
        table.held[holder] += 1;
    }
    table.fill();
    // Each transfer makes the shares more equal, so there are at most as many transfers as slots.
    for _ in 0..slots.len() {
        let Some((slot, to)) = table.unjust() else { break };
        table.give(slot, to);
    }
    let changed = |slot: usize| table.holders[slot].flatten().filter(|_| slots[slot] != table.holders[slot]);
    (0..slots.len()).filter_map(|slot| Some((slot, changed(slot)?))).collect()
}

struct SlotTable<'a> {
    holders: Vec<SlotHolder>,
    held: Vec<usize>,
    claims: &'a [MasterClaim],
}

impl SlotTable<'_> {
    fn give(&mut self, slot: usize, to: usize) {
        if let Some(Some(from)) = self.holders[slot].replace(Some(to)) {
            self.held[from] -= 1;
        }
        self.held[to] += 1;
    }

    /// Slots per unit of weight that a master would have with `more` additional slots. A master's luck counts as a
    /// fraction of a slot.
    fn share(&self, master: usize, more: usize) -> f64 {
        let claim = &self.claims[master];
        ((self.held[master] + more) as f64 - claim.luck) / f64::from(claim.weight)
    }

    fn can_have(&self, master: usize, slot: usize) -> bool {
        self.held[master] < self.claims[master].wants && self.claims[master].slots[slot]
    }

    /// Gives each free slot to the master that has the smallest share.
    fn fill(&mut self) {
        for slot in 0..self.holders.len() {
            if self.holders[slot] != Some(None) {
                continue;
            }
            let takers = (0..self.claims.len()).filter(|&master| self.can_have(master, slot));
            let least = takers.min_by(|&a, &b| self.share(a, 1).total_cmp(&self.share(b, 1)));
            if let Some(master) = least {
                self.give(slot, master);
            }
        }
    }

    /// Returns a slot that a different master should have, and that master. Of a master's slots, the last is considered first.
    fn unjust(&self) -> Option<(usize, usize)> {
        let held = (0..self.holders.len()).rev().filter_map(|slot| Some((slot, self.holders[slot]??)));
        let mut pairs = held.flat_map(|(slot, from)| (0..self.claims.len()).map(move |to| (slot, from, to)));
        let found = pairs
            .find(|&(slot, from, to)| from != to && self.can_have(to, slot) && self.share(to, 1) < self.share(from, 0));
        found.map(|(slot, _, to)| (slot, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    fn claim(weight: u16, wants: usize, luck: f64, slots: usize) -> MasterClaim {
        MasterClaim { weight, wants, luck, slots: vec![true; slots] }
    }

    /// Returns how many slots each master has after the first division.
    fn held(slots: usize, claims: &[MasterClaim]) -> Vec<usize> {
        count(&after(&vec![Some(None); slots], claims), claims.len())
    }

    fn after(slots: &[Option<Option<usize>>], claims: &[MasterClaim]) -> Vec<Option<Option<usize>>> {
        let mut slots = slots.to_vec();
        for (slot, to) in deal(&slots, claims) {
            slots[slot] = Some(Some(to));
        }
        slots
    }

    fn count(slots: &[Option<Option<usize>>], masters: usize) -> Vec<usize> {
        (0..masters).map(|master| slots.iter().filter(|&&slot| slot == Some(Some(master))).count()).collect()
    }

    #[test]
    fn slots_are_divided_by_weight_up_to_the_wanted_number() {
        assert_eq!(held(8, &[claim(1, 99, 0.0, 8)]), [8]);
        assert_eq!(held(8, &[claim(1, 99, 0.0, 8), claim(3, 99, 0.0, 8)]), [2, 6]);
        assert_eq!(held(8, &[claim(1, 99, 0.0, 8), claim(1, 2, 0.0, 8)]), [6, 2]);
        assert_eq!(held(8, &[]), Vec::<usize>::new());
        let none = MasterClaim { slots: vec![false; 8], ..claim(1, 99, 0.0, 8) };
        assert_eq!(held(8, &[claim(1, 99, 0.0, 8), none]), [8, 0]);
    }

    #[test]
    fn a_newcomer_gets_its_share_and_the_others_keep_theirs() {
        let claims = [claim(1, 99, 0.0, 6), claim(1, 99, 0.0, 6), claim(1, 99, 0.0, 6)];
        let first = after(&[Some(None); 6], &claims[..1]);
        let second = after(&first, &claims[..2]);
        assert_eq!(count(&second, 2), [3, 3]);
        let third = after(&second, &claims);
        assert_eq!(count(&third, 3), [2, 2, 2]);
        let moved = second.iter().zip(&third).filter(|(a, b)| a != b).count();
        assert_eq!(moved, 2, "only the newcomer's slots have moved");
        assert_eq!(after(&third, &claims), third, "a fair share stays");
    }

    #[test]
    fn slots_out_of_order_are_left_alone() {
        let slots = [None, Some(None), None];
        assert_eq!(deal(&slots, &[claim(1, 99, 0.0, 3)]), [(1, 0)]);
    }

    #[test]
    fn leftover_slots_of_many_nodes_are_divided_by_weight() {
        let mut rng = StdRng::seed_from_u64(1);
        for (slots, weights) in [(1, [1, 1]), (3, [1, 1]), (5, [2, 1])] {
            let mut all = [0; 2];
            for _ in 0..1_000 {
                let claims = weights.map(|weight| claim(weight, 99, rng.random(), slots));
                let first = after(&vec![Some(None); slots], &claims[..1]);
                let both = after(&first, &claims);
                assert_eq!(after(&both, &claims), both, "the division stays");
                count(&both, 2).into_iter().enumerate().for_each(|(master, held)| all[master] += held);
            }
            let (found, right) = (all[0] as f64 / all[1] as f64, f64::from(weights[0]) / f64::from(weights[1]));
            assert!((found / right - 1.0).abs() < 0.1, "{slots} slots, {weights:?}: {all:?}");
        }
    }
}
