//! Divides the slots of a worker node among masters by weight, with as few changes as possible.

/// The claim of one master to slots.
#[derive(Clone, PartialEq, Debug)]
pub struct MasterClaim {
    pub weight: u16,
    pub wants: usize,
    /// Slot time that the master has used, in slot-seconds divided by its weight.
    pub used: f64,
    /// For each slot, whether it can play the master's game.
    pub slots: Vec<bool>,
}

/// A slot that cannot be shared evenly is given to another master when that master's use is behind the holder's by more
/// than this, in slot-seconds divided by weight.
const TURN: f64 = 30.0;

/// A master's use may be behind that of the master with the most use by at most this amount; older claims are
/// forgotten.
pub const BEHIND: f64 = 2.0 * TURN;

/// The master that holds a slot, or `Some(None)` for a free slot. `None` marks a slot that is out of order.
pub type Held = Option<Option<usize>>;

/// Returns the slots that change hands, and their new holders.
pub fn deal(slots: &[Held], claims: &[MasterClaim]) -> Vec<(usize, usize)> {
    let mut table = SlotTable { holders: slots.to_vec(), held: vec![0; claims.len()], claims };
    for holder in slots.iter().copied().flatten().flatten() {
        table.held[holder] += 1;
    }
    table.fill();
    // Each move makes the shares more equal, so there are at most as many moves as slots.
    for _ in 0..slots.len() {
        let Some((slot, to)) = table.unjust() else { break };
        table.give(slot, to);
    }
    let changed = |slot: usize| table.holders[slot].flatten().filter(|_| slots[slot] != table.holders[slot]);
    (0..slots.len()).filter_map(|slot| Some((slot, changed(slot)?))).collect()
}

/// Step of the simulated turns, in seconds.
const STEP: f64 = TURN / 10.0;

/// With more masters than this, turns are not simulated for a new master: the worker nodes are already out of phase,
/// and the simulation would take long.
const MOST_TURNS: usize = 8;

/// Divides the slots after a new master has come, as they would be divided if all masters had been present for some
/// time, at the point `moment` (0 to 1) of a round of turns. Returns the holder of each slot at that point, and the use
/// of each master.
///
/// If every worker node began its turns when the new master came, all nodes would hand over their leftover slots at the
/// same time, and a master would hold either all leftover slots or none. Since each node begins at a different point, a
/// master holds its average share of the leftover slots at any time.
pub fn join_in(slots: &[Held], mut claims: Vec<MasterClaim>, moment: f64) -> (Vec<Held>, Vec<f64>) {
    let mut slots = slots.to_vec();
    // In a round, each master has its turn and then waits for the turns of the others.
    let round = if claims.len() > MOST_TURNS { 0.0 } else { 2.0 * TURN * claims.len() as f64 };
    for _ in 0..(moment * round / STEP) as usize {
        for (slot, master) in deal(&slots, &claims) {
            slots[slot] = Some(Some(master));
        }
        for holder in slots.iter().copied().flatten().flatten() {
            claims[holder].used += STEP / f64::from(claims[holder].weight);
        }
        let most = claims.iter().map(|claim| claim.used).fold(0.0, f64::max);
        claims.iter_mut().for_each(|claim| claim.used = claim.used.max(most - BEHIND));
    }
    (slots, claims.into_iter().map(|claim| claim.used).collect())
}

struct SlotTable<'a> {
    holders: Vec<Held>,
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

    /// Slots per unit of weight that a master would have with this many more slots.
    fn share(&self, master: usize, more: usize) -> f64 {
        (self.held[master] + more) as f64 / f64::from(self.claims[master].weight)
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
            let least = takers.min_by(|&a, &b| self.order(a, b));
            if let Some(master) = least {
                self.give(slot, master);
            }
        }
    }

    fn order(&self, a: usize, b: usize) -> std::cmp::Ordering {
        let by_share = self.share(a, 1).total_cmp(&self.share(b, 1));
        by_share.then(self.claims[a].used.total_cmp(&self.claims[b].used))
    }

    /// Finds a slot that another master should have. Returns the slot and that master. The last slot of a holder is
    /// tried first.
    fn unjust(&self) -> Option<(usize, usize)> {
        let held = (0..self.holders.len()).rev().filter_map(|slot| Some((slot, self.holders[slot]??)));
        let mut pairs = held.flat_map(|(slot, from)| (0..self.claims.len()).map(move |to| (slot, from, to)));
        let found = pairs.find(|&(slot, from, to)| from != to && self.can_have(to, slot) && self.is_unjust(from, to));
        found.map(|(slot, _, to)| (slot, to))
    }

    fn is_unjust(&self, from: usize, to: usize) -> bool {
        let ahead = self.claims[from].used - self.claims[to].used;
        let is_fairer = self.share(to, 1) < self.share(from, 0) && ahead >= 0.0;
        // The master `to` has waited for its turn, and will have no larger share than `from` has now.
        let is_turn = self.share(to, 0) < self.share(from, 0) && ahead > TURN;
        is_fairer || is_turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(weight: u16, wants: usize, used: f64, slots: usize) -> MasterClaim {
        MasterClaim { weight, wants, used, slots: vec![true; slots] }
    }

    /// The number of slots of each master after the first division.
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
    fn an_odd_slot_changes_hands_by_weight() {
        for (slots, weights) in [(1, [1, 1]), (1, [1, 2]), (3, [1, 1]), (5, [2, 1])] {
            let mut claims = weights.map(|weight| claim(weight, 99, 0.0, slots));
            let (mut now, mut time, mut moves) = (vec![Some(None); slots], [0.0; 2], 0);
            for _ in 0..36_000 {
                let next = after(&now, &claims);
                moves += now.iter().zip(&next).filter(|(a, b)| a != b).count();
                now = next;
                for (master, held) in count(&now, 2).into_iter().enumerate() {
                    time[master] += held as f64 / 10.0;
                    claims[master].used += held as f64 / 10.0 / f64::from(claims[master].weight);
                }
            }
            let (found, right) = (time[0] / time[1], f64::from(weights[0]) / f64::from(weights[1]));
            assert!((found / right - 1.0).abs() < 0.05, "{slots} slots, {weights:?}: {time:?}");
            assert!(moves < 200, "{moves} changes in an hour");
        }
    }

    /// Simulates many worker nodes with `slots` slots each; a second master joins after the first one. Returns the
    /// number of slots that each master holds in every second of ten minutes, and the total number of changes.
    fn course(
        nodes: usize,
        slots: usize,
        weights: [u16; 2],
        moment: impl Fn(usize) -> f64,
    ) -> (Vec<[usize; 2]>, usize) {
        let mut tables: Vec<_> = (0..nodes)
            .map(|node| {
                let claims = weights.map(|weight| claim(weight, 99, 0.0, slots)).to_vec();
                let (now, used) = join_in(&vec![Some(Some(0)); slots], claims.clone(), moment(node));
                let claims: Vec<MasterClaim> =
                    claims.into_iter().zip(used).map(|(claim, used)| MasterClaim { used, ..claim }).collect();
                (now, claims)
            })
            .collect();
        let (mut course, mut changes) = (Vec::new(), 0);
        for _ in 0..600 {
            let mut all = [0; 2];
            for (now, claims) in &mut tables {
                let next = after(now, claims);
                changes += now.iter().zip(&next).filter(|(a, b)| a != b).count();
                *now = next;
                for (master, held) in count(now, 2).into_iter().enumerate() {
                    all[master] += held;
                    claims[master].used += held as f64 / f64::from(claims[master].weight);
                }
            }
            course.push(all);
        }
        (course, changes)
    }

    #[test]
    fn nodes_take_turns_out_of_phase() {
        let nodes = 120;
        let moment = |node: usize| (node as f64 + 0.5) / nodes as f64;
        for (slots, weights) in [(1, [1, 1]), (1, [1, 2]), (3, [1, 1])] {
            let (course, changes) = course(nodes, slots, weights, moment);
            let share = f64::from(weights[0]) / f64::from(weights[0] + weights[1]);
            let right = share * (nodes * slots) as f64;
            for (second, held) in course.iter().enumerate() {
                let off = (held[0] as f64 - right).abs();
                assert!(off < 0.15 * nodes as f64, "{slots} slots, {weights:?}, second {second}: {held:?}");
            }
            // A leftover slot changes hands at most once in half a minute.
            assert!(changes <= nodes * 21, "{changes} changes");
        }
        // Shows that the test can fail: if nodes are in phase, one master holds all leftover slots at a time.
        let (course, _) = course(nodes, 1, [1, 1], |_| 0.0);
        assert!(course.iter().any(|held| held[0] == nodes) && course.iter().any(|held| held[1] == nodes));
    }

    #[test]
    fn even_shares_need_no_turns() {
        let claims = vec![claim(1, 99, 7.0, 4), claim(1, 99, 7.0, 4)];
        let (slots, _) = join_in(&[Some(Some(0)); 4], claims, 0.7);
        assert_eq!(count(&slots, 2), [2, 2]);
    }
}
