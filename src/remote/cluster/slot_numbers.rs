//! Assigns numbers to the slots of a host that exchanges messages with them, and tracks the slots that are waiting for
//! a number.
//!
//! Slots join and leave while a problem is being solved. Slot numbers stay valid until [`SlotNumbers::renew`] assigns
//! new ones.

use hasami_tree::event::WorkerId;
use std::collections::BTreeMap;

/// Numbers and names of slots.
#[derive(Default)]
pub struct SlotNumbers {
    /// The slots by number; `None` if the slot was lost.
    numbered: Vec<Option<WorkerId>>,
    /// Names of the slots that are present.
    names: BTreeMap<WorkerId, String>,
    /// Slots that have no number yet, in their order of arrival.
    waiting: Vec<WorkerId>,
}

impl SlotNumbers {
    /// Returns how many numbers have been assigned, including those of lost slots.
    pub fn len(&self) -> usize {
        self.numbered.len()
    }

    /// Returns true if no slot is present.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns how many of the present slots have no number.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The slot with this number; `None` if the slot is lost.
    pub fn at(&self, number: usize) -> Option<WorkerId> {
        *self.numbered.get(number)?
    }

    /// The number of a slot that is present.
    pub fn number(&self, worker: WorkerId) -> Option<usize> {
        self.numbered.iter().position(|&slot| slot == Some(worker))
    }

    pub fn came(&mut self, worker: WorkerId, name: String) {
        self.names.insert(worker, name);
        self.waiting.push(worker);
    }

    /// Removes a slot, and returns its name and, if assigned, its number.
    pub fn left(&mut self, worker: WorkerId) -> Option<(String, Option<usize>)> {
        let name = self.names.remove(&worker)?;
        self.waiting.retain(|&other| other != worker);
        let number = self.number(worker);
        if let Some(number) = number {
            self.numbered[number] = None;
        }
        Some((name, number))
    }

    /// Renumbers all slots that are present, and forgets lost slots.
    pub fn renew(&mut self) {
        self.numbered.retain(Option::is_some);
        self.numbered.extend(self.waiting.drain(..).map(Some));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: WorkerId = WorkerId(7);
    const B: WorkerId = WorkerId(8);
    const C: WorkerId = WorkerId(9);

    fn slots() -> SlotNumbers {
        let mut slots = SlotNumbers::default();
        [A, B].into_iter().for_each(|worker| slots.came(worker, format!("pc{}", worker.0)));
        slots.renew();
        slots
    }

    #[test]
    fn a_lost_slot_has_no_number_in_the_next_problem() {
        let mut slots = slots();
        assert_eq!(slots.left(A), Some(("pc7".to_owned(), Some(0))));
        assert_eq!(slots.left(A), None, "it is lost once");
        assert!(!slots.is_empty());
        assert_eq!((slots.len(), slots.at(0), slots.number(B)), (2, None, Some(1)), "the problem goes on");
        slots.renew();
        assert_eq!((slots.len(), slots.number(B)), (1, Some(0)));
        slots.left(B);
        slots.renew();
        assert_eq!(slots.len(), 0, "nobody is left");
    }

    #[test]
    fn a_slot_that_comes_later_gets_a_number_in_the_next_problem() {
        let mut slots = slots();
        slots.left(A);
        slots.left(B);
        slots.came(C, "pc9".into());
        assert_eq!((slots.len(), slots.number(C)), (2, None));
        slots.renew();
        assert_eq!((slots.len(), slots.at(0)), (1, Some(C)));
        slots.came(A, "pc7".into());
        assert_eq!(slots.left(A), Some(("pc7".to_owned(), None)), "it came and went");
        slots.renew();
        assert_eq!(slots.len(), 1);
    }
}
