//! The search of processor PE1, in ascending order of the proof numbers (Takano et al. 2004, section 6.4).

use super::Aohpas;
use crate::core::dfpn::Dfpn;
use crate::core::interrupt::Interrupted;
use crate::core::machine::Processor;
use crate::core::style::Style;
use crate::core::value::{INFINITE, ProofNumbers};
use hasami_api::MateGame;

impl<G: MateGame> Aohpas<'_, G> {
    /// Searches the root by iterative deepening of the thresholds. Inner nodes are not deepened, because PE1 would
    /// search deepened nodes too often for other processors to work at them.
    pub(super) fn go_from_small_end(&self, processor: &Processor) -> Option<ProofNumbers> {
        let mut search = self.search(Style { deepens: false, step: self.step.get(), ..self.style }, processor);
        let value = self.decide(&mut search, processor).ok();
        processor.ended(search.nodes);
        processor.end();
        value
    }

    fn decide(&self, search: &mut Dfpn<G>, processor: &Processor) -> Result<ProofNumbers, Interrupted> {
        search.open(INFINITE, INFINITE)?;
        search.frames[0].inner = (2, 2);
        loop {
            let news = self.path().follow(search);
            if news.has_place {
                processor.wake();
            }
            if let Some(depth) = news.proved_at {
                search.unwind(depth)?;
                continue;
            }
            search.adopt(&news.found);
            if let Some(value) = search.step(0)? {
                return Ok(value);
            }
        }
    }
}

impl<G: MateGame> Dfpn<'_, G> {
    /// Adopts results that other processors have found on the same path for children of the last node.
    fn adopt(&mut self, found: &[(G::Move, ProofNumbers)]) {
        let Some(frame) = self.frames.last() else { return };
        for child in &mut self.arena[frame.first..] {
            for &(_, value) in found.iter().filter(|&&(mv, _)| mv == child.mv) {
                if !child.value.is_decided() {
                    child.value = value;
                }
            }
        }
    }
}
