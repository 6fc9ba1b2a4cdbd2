//! The others: at the OR nodes of PE1's path, from the large proof numbers to the small ones (sections 6.1 to 6.4).

use super::Aohpas;
use super::path::WorkPlace;
use crate::core::dfpn::Dfpn;
use crate::core::interrupt::Interrupted;
use crate::core::machine::Processor;
use crate::core::value::ProofNumbers;
use hasami_api::MateGame;

impl<G: MateGame> Aohpas<'_, G> {
    /// From place to place until everybody stops.
    pub(super) fn go_from_large_end(&self, processor: &Processor) {
        let mut search = self.search(self.style, processor);
        while !processor.stop().is_stopped() {
            match self.next_place(processor) {
                Some(place) => {
                    let Ok(is_done) = self.work(&mut search, &place) else { break };
                    self.path().leave_place(&place, is_done);
                    search.leave_path();
                }
                None => {
                    processor.sleep(None);
                    self.path().waiting -= 1;
                }
            }
        }
        processor.ended(search.nodes);
    }

    /// Without one, the processor waits. Of those who do, the next one comes for what is left.
    fn next_place(&self, processor: &Processor) -> Option<WorkPlace<G::Move>> {
        let mut path = self.path();
        let place = path.take_place();
        path.waiting += usize::from(place.is_none());
        let calls = path.waiting > 0 && path.has_free_place();
        drop(path);
        if calls {
            processor.call_next();
        }
        place
    }

    /// Child after child. `true`: nothing is left to do at this place; `false`: PE1 has come here, or has left.
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
            // PE1, or whoever was here before, may have been there.
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

    /// Up to the limits of the place; `false`: that is not needed any more.
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
    /// Open, and below both limits.
    const fn is_within(self, (pn_limit, dn_limit): (u32, u32)) -> bool {
        !self.is_decided() && self.pn < pn_limit && self.dn < dn_limit
    }
}

impl<G: MateGame> Dfpn<'_, G> {
    /// Follows a way from the root and looks at the children of its last node.
    fn trace(&mut self, way: &[G::Move]) -> Result<(), Interrupted> {
        for &mv in way {
            self.put_on_path(0, 0);
            self.game.make(mv);
            self.nodes += 1;
        }
        self.open(0, 0)
    }

    /// The child of the last node with the largest proof number, of equals the last one.
    fn largest(&self, limits: (u32, u32), avoid: Option<G::Move>) -> Option<usize> {
        let first = self.frames.last()?.first;
        let is_left = |&i: &usize| Some(self.arena[i].mv) != avoid && self.arena[i].value.is_within(limits);
        (first..self.arena.len()).filter(is_left).max_by_key(|&i| self.arena[i].value.pn)
    }

    /// Goes to a child as to a root: where limits grow, they begin at one.
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
