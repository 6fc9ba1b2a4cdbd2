//! The slots of a host that writes messages: who has which number, and who waits for one.
//!
//! Slots come and go while a problem is searched. Numbers stand for as long as a host wants them to: [`SlotNumbers::renew`]
//! deals them anew, [`SlotNumbers::extend`] leaves those that are known as they are.

use hasami_tree::event::WorkerId;
use std::collections::BTreeMap;

/// See the module.
#[derive(Default)]
pub struct SlotNumbers {
    /// By their numbers; `None`: lost.
    numbered: Vec<Option<WorkerId>>,
    /// Names of those who are there.
    names: BTreeMap<WorkerId, String>,
    /// Who has come and has no number yet, in this order.
    waiting: Vec<WorkerId>,
}

impl SlotNumbers {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.numbered.len()
    }

    /// Nobody is there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How many are there without a number.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Who has this number, unless it is lost.
    pub fn at(&self, number: usize) -> Option<WorkerId> {
        *self.numbered.get(number)?
    }

    /// The number of somebody who is there.
    pub fn number(&self, worker: WorkerId) -> Option<usize> {
        self.numbered.iter().position(|&slot| slot == Some(worker))
    }

    /// The name of somebody who is there.
    pub fn name(&self, worker: WorkerId) -> Option<&str> {
        self.names.get(&worker).map(String::as_str)
    }

    pub fn came(&mut self, worker: WorkerId, name: String) {
        self.names.insert(worker, name);
        self.waiting.push(worker);
    }

    /// The name of who is gone, and the number that it had.
    pub fn left(&mut self, worker: WorkerId) -> Option<(String, Option<usize>)> {
        let name = self.names.remove(&worker)?;
        self.waiting.retain(|&other| other != worker);
        let number = self.number(worker);
        if let Some(number) = number {
            self.numbered[number] = None;
        }
        Some((name, number))
    }

    /// Numbers for all who are there, and for nobody else.
    pub fn renew(&mut self) {
        self.numbered.retain(Option::is_some);
        self.extend();
    }

    /// Numbers for those who have none; the first of these.
    pub fn extend(&mut self) -> usize {
        let first = self.numbered.len();
        self.numbered.extend(self.waiting.drain(..).map(Some));
        first
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
    fn who_is_lost_has_no_number_in_the_next_problem() {
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
    fn who_comes_later_has_a_number_in_the_next_problem() {
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

    #[test]
    fn numbers_that_are_known_may_stay() {
        let mut slots = slots();
        slots.left(A);
        slots.came(C, "pc9".into());
        assert_eq!(slots.extend(), 2);
        assert_eq!((slots.at(0), slots.number(B), slots.number(C)), (None, Some(1), Some(2)));
        assert_eq!(slots.extend(), 3, "nobody else has come");
    }
}
