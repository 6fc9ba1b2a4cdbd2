//! How a node's slots are dealt to its masters: by weight, with as few changes as that allows.

/// The share of one master.
#[derive(Clone, PartialEq, Debug)]
pub struct MasterClaim {
    pub weight: u16,
    pub wants: usize,
    /// Seconds of slots that it has had, divided by its weight.
    pub used: f64,
    /// Slots that can play its game.
    pub slots: Vec<bool>,
}

/// An odd slot goes round: to who has had so much less of it, in seconds by weight.
const TURN: f64 = 30.0;

/// Nobody is further behind the first than this: what was long ago is forgotten.
pub const BEHIND: f64 = 2.0 * TURN;

/// The holder of a slot, if it has one; the outer `None`: it is out of order.
pub type Held = Option<Option<usize>>;

/// Which slots change hands, and to whom.
pub fn deal(slots: &[Held], claims: &[MasterClaim]) -> Vec<(usize, usize)> {
    let mut table = SlotTable { holders: slots.to_vec(), held: vec![0; claims.len()], claims };
    for holder in slots.iter().copied().flatten().flatten() {
        table.held[holder] += 1;
    }
    table.fill();
    // Each move makes shares more equal, so there are at most as many as slots.
    for _ in 0..slots.len() {
        let Some((slot, to)) = table.unjust() else { break };
        table.give(slot, to);
    }
    let changed = |slot: usize| table.holders[slot].flatten().filter(|_| slots[slot] != table.holders[slot]);
    (0..slots.len()).filter_map(|slot| Some((slot, changed(slot)?))).collect()
}

/// Length of a run of turns, in seconds.
const STEP: f64 = TURN / 10.0;

/// Among more masters somebody new just begins: turns are apart already, and the work would grow.
const MOST_TURNS: usize = 8;

/// Where somebody new has come: the dealing as it would be had all been here for some time already, `moment` (0 to 1) of
/// the way through a round of turns. Gives who holds which slot then, and what each has used.
///
/// Were every worker node to begin the turns with the newcomer, they would all hand over their odd slots at once, and a
/// master would have all of them or none. At a moment of its own, each holds its share of them on average, at any time.
pub fn join_in(slots: &[Held], mut claims: Vec<MasterClaim>, moment: f64) -> (Vec<Held>, Vec<f64>) {
    let mut slots = slots.to_vec();
    // Each has its turn and waits for the others.
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

    /// Slots by weight that a master would have with so many more.
    fn share(&self, master: usize, more: usize) -> f64 {
        (self.held[master] + more) as f64 / f64::from(self.claims[master].weight)
    }

    fn can_have(&self, master: usize, slot: usize) -> bool {
        self.held[master] < self.claims[master].wants && self.claims[master].slots[slot]
    }

    /// Free slots go to who has least.
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

    /// A slot that somebody else should have, the last one of its holder first.
    fn unjust(&self) -> Option<(usize, usize)> {
        let held = (0..self.holders.len()).rev().filter_map(|slot| Some((slot, self.holders[slot]??)));
        let mut pairs = held.flat_map(|(slot, from)| (0..self.claims.len()).map(move |to| (slot, from, to)));
        let found = pairs.find(|&(slot, from, to)| from != to && self.can_have(to, slot) && self.is_unjust(from, to));
        found.map(|(slot, _, to)| (slot, to))
    }

    fn is_unjust(&self, from: usize, to: usize) -> bool {
        let ahead = self.claims[from].used - self.claims[to].used;
        let is_fairer = self.share(to, 1) < self.share(from, 0) && ahead >= 0.0;
        // It has waited for its turn, and has no more than the other has now.
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

    /// How many slots each has after dealing, from nothing.
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
    fn seats_go_by_weight_and_no_further_than_wanted() {
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
        assert_eq!(moved, 2, "only what the newcomer got has moved");
        assert_eq!(after(&third, &claims), third, "a fair share stays");
    }

    #[test]
    fn seats_out_of_order_are_left_alone() {
        let slots = [None, Some(None), None];
        assert_eq!(deal(&slots, &[claim(1, 99, 0.0, 3)]), [(1, 0)]);
    }

    #[test]
    fn an_odd_seat_goes_round_by_weight() {
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

    /// Many worker nodes with so many slots each, on which a second master comes to the first: what each holds of all, at
    /// every second of ten minutes, and the changes in all.
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
    fn nodes_take_turns_at_moments_of_their_own() {
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
            // An odd slot changes hands once in half a minute at most.
            assert!(changes <= nodes * 21, "{changes} changes");
        }
        // The test can fail: in step they are all here or there.
        let (course, _) = course(nodes, 1, [1, 1], |_| 0.0);
        assert!(course.iter().any(|held| held[0] == nodes) && course.iter().any(|held| held[1] == nodes));
    }

    #[test]
    fn where_shares_are_even_a_newcomer_finds_no_turns() {
        let claims = vec![claim(1, 99, 7.0, 4), claim(1, 99, 7.0, 4)];
        let (slots, _) = join_in(&[Some(Some(0)); 4], claims, 0.7);
        assert_eq!(count(&slots, 2), [2, 2]);
    }
}
