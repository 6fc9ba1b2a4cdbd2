//! A search that shares its table with other searches, avoids the moves that they search, and uses their results.
//!
//! Each search below a move adds to the number by which the move is chosen (virtual proof numbers: Kaneko, "Parallel
//! depth first proof number search", AAAI 2010), so searches separate where numbers are nearly equal and stay together
//! where one move is far better. Only the true numbers are passed up the tree and stored in the table.
//!
//! One search ignores the others: it visits the nodes that it would visit alone, but finds more results in the table,
//! so several searches are seldom slower than one.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::frame::{ChildNode, PathFrame};
use crate::core::interrupt::Interrupted;
use crate::core::presence::SharedSearch;
use crate::core::table::KnownMate;
use crate::core::value::{INFINITE, ProofNumbers};
use hasami_api::MateGame;
use std::cmp::Reverse;
use std::sync::Arc;

/// Number of nodes between two checks for nodes on the path that other searches have decided.
const LOOK: u64 = 200;
/// The deepest nodes that inform other processors when their proof or disproof number has changed by at least the
/// fraction `1 / CHANGE_PART`.
const ANNOUNCING_DEPTH: usize = 20;
const CHANGE_PART: u32 = 8;

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Returns the shared state, or `None` for a search that does not avoid the others.
    pub(crate) fn gives_way(&self) -> Option<&SharedSearch> {
        self.shared.as_ref().filter(|shared| shared.seed != 0)
    }

    /// Registers this search below the chosen child of the node at `depth`.
    pub(crate) fn enter(&mut self, depth: usize) {
        if let Some(shared) = &self.shared {
            let frame = &self.frames[depth];
            shared.presence.enter(frame.place, frame.chosen);
        }
    }

    /// Removes this search from the chosen child of the node at `depth`.
    pub(crate) fn leave(&mut self, depth: usize) {
        if let Some(shared) = &self.shared {
            let PathFrame { place, chosen, first, .. } = self.frames[depth];
            let seen = shared.presence.leave(place, chosen);
            self.note_version(first + chosen, seen);
        }
    }

    /// Announces new numbers of the last node, at `depth`, to the searches below the same move. Near the root, a search
    /// may take long to leave a node, so other searches would see unannounced numbers late.
    pub(crate) fn announce_numbers(&mut self, depth: usize, value: ProofNumbers) {
        if self.shared.is_none() || depth == 0 || depth > ANNOUNCING_DEPTH || value.is_decided() {
            return;
        }
        let (pn, dn) = self.frames[depth].announced;
        let is_near = |old: u32, new: u32| new.abs_diff(old) <= old / CHANGE_PART;
        let PathFrame { place, chosen, first, .. } = self.frames[depth - 1];
        let has_others = |shared: &SharedSearch| shared.presence.look(place, chosen).0 > 1;
        if is_near(pn, value.pn) && is_near(dn, value.dn) || !self.shared.as_ref().is_some_and(has_others) {
            return;
        }
        self.remember(depth, value);
        self.frames[depth].announced = (value.pn, value.dn);
        if let Some(shared) = &self.shared {
            let seen = shared.presence.announce(place, chosen);
            self.note_version(first + chosen, seen);
        }
    }

    /// Records that this search has set the child's version to `seen`.
    fn note_version(&mut self, child: usize, seen: u8) {
        let child = &mut self.arena[child];
        // If the version has grown by more than one, another search has also returned, and the child has new results.
        if child.seen.wrapping_add(1) == seen {
            child.seen = seen;
        }
    }

    /// Evaluates those children of the last node, at `depth`, from which other searches have returned.
    pub(crate) fn refresh(&mut self, depth: usize) -> Result<(), Interrupted> {
        if self.shared.is_none() {
            return Ok(());
        }
        let PathFrame { first, place, .. } = self.frames[depth];
        for child in first..self.arena.len() {
            // Cloning the `Arc` would make all processors write to one reference count.
            let Some(shared) = &self.shared else { break };
            let (_, seen) = shared.presence.look(place, child - first);
            let known = &mut self.arena[child];
            if std::mem::replace(&mut known.seen, seen) != seen && !known.waits && !known.value.is_decided() {
                self.look_after(child)?;
            }
        }
        Ok(())
    }

    /// Records the versions of the new children of the node at `depth`, from `begin` on.
    pub(crate) fn note_versions(&mut self, depth: usize, begin: usize) {
        let Some(shared) = &self.shared else { return };
        let PathFrame { first, place, .. } = self.frames[depth];
        for (index, child) in self.arena[begin..].iter_mut().enumerate() {
            child.seen = shared.presence.look(place, begin - first + index).1;
        }
    }

    /// Chooses the child of the node at `depth` to be searched next, considering the other searches.
    pub(crate) fn choose_shared(&mut self, depth: usize) {
        let Some(shared) = self.gives_way() else { return };
        let attacks = Self::attacks(depth);
        let PathFrame { first, place, .. } = self.frames[depth];
        let (mut least, mut chosen) = ((INFINITE, Reverse(0), u64::MAX), None);
        for (index, child) in self.arena[first..].iter().enumerate().filter(|(_, child)| !child.waits) {
            let (own, other) = own_and_other(child.value, attacks);
            if other == 0 || own == 0 {
                continue;
            }
            let (others, _) = shared.presence.look(place, index);
            let rank = (shared.presence.with_others(own, others), Reverse(if attacks { other } else { 0 }));
            let rank = (rank.0, rank.1, shared.jitter(place, index));
            if rank < least {
                (least, chosen) = (rank, Some(index));
            }
        }
        if let Some(chosen) = chosen {
            self.frames[depth].chosen = chosen;
        }
    }

    /// Returns the smallest virtual number among the children of the node at `depth` that were not chosen.
    pub(crate) fn shared_rival(&self, depth: usize) -> Option<u32> {
        let shared = self.gives_way()?;
        let frame = &self.frames[depth];
        let attacks = Self::attacks(depth);
        let rivals =
            self.arena[frame.first..].iter().enumerate().filter(|&(i, child)| !child.waits && i != frame.chosen);
        let number = |(index, child): (usize, &ChildNode<G::Move>)| {
            let (own, other) = own_and_other(child.value, attacks);
            (other > 0).then(|| shared.presence.with_others(own, shared.presence.look(frame.place, index).0))
        };
        rivals.filter_map(number).min()
    }

    /// Closes the first node on the path that other searches have decided, and everything below it.
    pub(crate) fn leave_what_is_decided(&mut self) {
        let Some(shared) = &mut self.shared else { return };
        if self.nodes < shared.look_at {
            return;
        }
        shared.look_at = self.nodes + LOOK;
        let (presence, mut decided) = (Arc::clone(&shared.presence), None);
        for depth in 1..self.frames.len() {
            let above = &self.frames[depth - 1];
            let (_, seen) = presence.look(above.place, above.chosen);
            let child = &mut self.arena[above.first + above.chosen];
            if seen == child.seen {
                continue;
            }
            child.seen = seen;
            let frame = &self.frames[depth];
            if let KnownMate::Decided(value) = self.table.get(self.table_key(frame.key, frame.hand), frame.hand) {
                decided = Some((depth, value));
                break;
            }
        }
        let Some((depth, value)) = decided else { return };
        while self.frames.len() > depth {
            self.close(value);
        }
    }
}

/// Returns a child's two numbers: first the one by which the side to move chooses, then the other one.
const fn own_and_other(value: ProofNumbers, attacks: bool) -> (u32, u32) {
    if attacks { (value.pn, value.dn) } else { (value.dn, value.pn) }
}

#[cfg(test)]
mod tests;
