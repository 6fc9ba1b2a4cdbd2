//! The search of the processors other than PE1, which work at OR nodes of PE1's path in descending order of the proof
//! numbers (Takano et al. 2004, sections 6.1 to 6.4).

use super::Aohpas;
use super::path::WorkPlace;
use crate::core::dfpn::Dfpn;
use crate::core::interrupt::Interrupted;
use crate::core::machine::Processor;
use crate::core::value::ProofNumbers;
use hasami_api::MateGame;

impl<G: MateGame> Aohpas<'_, G> {
    /// Searches one node of PE1's path after another, until the search is stopped.
    pub(super) fn go_from_large_end(&self, processor: &Processor) {
        let mut search = self.search(self.style, processor);
        while !processor.stop().is_stopped() {
            let place = self.path().take_place();
            match place {
                Some(place) => {
                    let Ok(is_done) = self.work(&mut search, &place) else { break };
                    self.path().leave_place(&place, is_done);
                    search.leave_path();
                }
                None => processor.idle(),
            }
        }
        processor.ended(search.nodes);
    }

    /// Searches the children of a node one after another. Returns true if all children are done, and false if PE1 has
    /// reached or left the node.
    fn work(&self, search: &mut Dfpn<G>, place: &WorkPlace<G::Move>) -> Result<bool, Interrupted> {
        search.trace(&place.way)?;
        loop {
            let depth = place.way.len();
            let value = search.combine(depth)?;
            if !value.is_within(place.limits) {
                search.remember(depth, value);
                return Ok(true);
            }
            let avoid = self.path().child(place);
            let Some(child) = search.largest(place.limits, avoid) else { return Ok(true) };
            let mv = search.arena[child].mv;
            // PE1 or another processor may already have searched the child.
            search.look_after(child)?;
            if search.arena[child].value.is_within(place.limits) {
                search.begin(child, place.limits)?;
                if !self.search_child(search, place, mv)? {
                    return Ok(false);
                }
            }
            let value = search.arena[child].value;
            self.path().tell(place, mv, value);
        }
    }

    /// Searches a child up to the limits of its parent. Returns false if the result is no longer needed.
    fn search_child(&self, search: &mut Dfpn<G>, place: &WorkPlace<G::Move>, mv: G::Move) -> Result<bool, Interrupted> {
        let depth = place.way.len();
        while self.path().needs(place, mv) {
            if let Some(value) = search.step(depth + 1)? {
                search.close(value);
                return Ok(true);
            }
        }
        search.unwind(depth)?;
        Ok(false)
    }
}

impl ProofNumbers {
    /// Returns true if the position is open and its numbers are below both limits.
    const fn is_within(self, (pn_limit, dn_limit): (u32, u32)) -> bool {
        !self.is_decided() && self.pn < pn_limit && self.dn < dn_limit
    }
}

impl<G: MateGame> Dfpn<'_, G> {
    /// Makes the moves `way` from the root and evaluates the children of the node reached.
    fn trace(&mut self, way: &[G::Move]) -> Result<(), Interrupted> {
        for &mv in way {
            self.put_on_path(0, 0);
            self.game.make(mv);
            self.nodes += 1;
        }
        self.open(0, 0)
    }

    /// Returns the last node's child, within `limits` and other than `avoid`, with the largest proof number, or the
    /// last of several such children.
    fn largest(&self, limits: (u32, u32), avoid: Option<G::Move>) -> Option<usize> {
        let first = self.frames.last()?.first;
        let is_left = |&i: &usize| Some(self.arena[i].mv) != avoid && self.arena[i].value.is_within(limits);
        (first..self.arena.len()).filter(is_left).max_by_key(|&i| self.arena[i].value.pn)
    }

    /// Descends to a child and treats it as a root: with iterative deepening, its limits begin at 2.
    fn begin(&mut self, child: usize, limits: (u32, u32)) -> Result<(), Interrupted> {
        let depth = self.frames.len() - 1;
        self.frames[depth].chosen = child - self.frames[depth].first;
        self.descend(limits.0, limits.1)?;
        if self.style.deepens {
            self.frames[depth + 1].inner = (limits.0.min(2), limits.1.min(2));
        }
        Ok(())
    }
}
