//! Limits on proof and disproof numbers, at which the search leaves a move of a node and tries another move.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::frame::DropSquares;
use crate::core::numbers::added;
use crate::core::value::{INFINITE, ProofNumbers};
use hasami_api::MateGame;

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Raises the limit of the smaller number if the numbers have reached the current limits (multiple iterative
    /// deepening).
    pub(super) fn deepen(&mut self, depth: usize, value: ProofNumbers) {
        let frame = &mut self.frames[depth];
        while value.pn >= frame.inner.0 || value.dn >= frame.inner.1 {
            if value.dn < frame.inner.1 || value.pn >= frame.inner.0 && value.pn <= value.dn {
                frame.inner.0 = grown(frame.inner.0, value.pn, self.style.step).min(frame.pn_limit);
            } else {
                frame.inner.1 = grown(frame.inner.1, value.dn, self.style.step).min(frame.dn_limit);
            }
        }
    }

    /// Returns the limits at which the search leaves the chosen child of the node at `depth`.
    pub(super) fn limits(&self, depth: usize) -> (u32, u32) {
        let frame = &self.frames[depth];
        let attacks = Self::attacks(depth);
        let (mut rival, mut siblings) = (INFINITE, 0u32);
        let mut dropped = DropSquares::default();
        dropped.insert(self.arena[frame.first + frame.chosen].square);
        for (i, child) in self.arena[frame.first..].iter().enumerate() {
            let ProofNumbers { pn, dn, .. } = child.value;
            let (own, other) = if attacks { (pn, dn) } else { (dn, pn) };
            if !child.waits && i != frame.chosen && other > 0 {
                if !attacks || dropped.insert(child.square) {
                    siblings = siblings.saturating_add(added(other, self.part(depth)));
                }
                rival = rival.min(own);
            }
        }
        let rival = self.shared_rival(depth).unwrap_or(rival);
        // The moves of the next stage are also rivals of the chosen child.
        let rival = rival.min(frame.stage.map_or(INFINITE, |stage| stage.from));
        let siblings = siblings.saturating_add(frame.stage.map_or(0, |stage| stage.adds));
        let rival_limit = if self.style.by_rival { epsilon_limit(rival) } else { INFINITE };
        let (pn_limit, dn_limit) = frame.inner;
        let child = self.arena[frame.first + frame.chosen].value;
        // If other searches work on the better children, the number of the chosen child may exceed the limit from the
        // start.
        let own = if self.gives_way().is_some() { child } else { ProofNumbers::open(0, 0, frame.hand) };
        // The child's number may grow by one even if the numbers of its siblings use up the limit.
        let rest = |limit: u32, number: u32| limit.saturating_sub(siblings).max(number + 1);
        if attacks {
            (rival_limit.min(pn_limit).max(own.pn + 1), rest(dn_limit, child.dn))
        } else {
            (rest(pn_limit, child.pn), rival_limit.min(dn_limit).max(own.dn + 1))
        }
    }
}

/// Returns the limit of a child whose best rival has the number `rival`: a quarter more than `rival`, so that the
/// search does not alternate between the two children (Pawlewicz and Lew 2006).
pub(super) fn epsilon_limit(rival: u32) -> u32 {
    rival.saturating_add(rival / 4 + 1).min(INFINITE)
}

/// Returns the first limit above `number` when `limit` grows in steps of `step`.
const fn grown(limit: u32, number: u32, step: u32) -> u32 {
    limit.saturating_add(((number - limit) / step).saturating_add(1).saturating_mul(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_grows_in_steps_until_it_is_above_the_number() {
        assert_eq!([2, 3, 9].map(|number| grown(2, number, 1)), [3, 4, 10]);
        assert_eq!([2, 6, 7, 11, 12].map(|number| grown(2, number, 5)), [7, 7, 12, 12, 17]);
        assert!(grown(2, INFINITE - 1, u32::MAX) > INFINITE);
    }
}
