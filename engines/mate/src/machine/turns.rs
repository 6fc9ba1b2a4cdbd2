//! Who runs: of those who are left, the one whose clock is behind.

use crate::table::mix;
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The turns of a virtual machine.
pub(super) struct Turns {
    state: Mutex<State>,
    /// One for each processor.
    called: Vec<Condvar>,
    /// Whose turn comes first of equals.
    order: Vec<u64>,
}

struct State {
    /// Clock, order and rank of those who are left.
    left: BTreeSet<(u64, u64, usize)>,
    clocks: Vec<u64>,
    runs: Option<usize>,
}

impl Turns {
    pub(super) fn new(processors: usize, seed: u64) -> Self {
        let order: Vec<u64> = (0..processors as u64).map(|rank| mix(mix(seed.wrapping_add(1)) ^ rank)).collect();
        let left: BTreeSet<_> = order.iter().enumerate().map(|(rank, &order)| (0, order, rank)).collect();
        let runs = left.first().map(|&(_, _, rank)| rank);
        let called = order.iter().map(|_| Condvar::new()).collect();
        Self { state: Mutex::new(State { left, clocks: vec![0; processors], runs }), called, order }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the first turn of `rank`, who leaves when what is returned is dropped.
    pub(super) fn sit_down(&self, rank: usize) -> Seat<'_> {
        self.wait(self.lock(), rank);
        Seat { turns: self, rank }
    }

    /// `rank`'s clock stands at `clock`: returns when nobody's is behind.
    pub(super) fn pass(&self, rank: usize, clock: u64) {
        let mut state = self.lock();
        let order = self.order[rank];
        let before = std::mem::replace(&mut state.clocks[rank], clock);
        state.left.remove(&(before, order, rank));
        state.left.insert((clock, order, rank));
        self.call(&mut state);
        self.wait(state, rank);
    }

    fn call(&self, state: &mut State) {
        let next = state.left.first().map(|&(_, _, rank)| rank);
        if state.runs != next {
            state.runs = next;
            if let Some(next) = next {
                self.called[next].notify_one();
            }
        }
    }

    fn wait(&self, mut state: MutexGuard<'_, State>, rank: usize) {
        while state.runs != Some(rank) {
            state = self.called[rank].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A processor that takes part.
pub(super) struct Seat<'a> {
    turns: &'a Turns,
    rank: usize,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.lock();
        let place = (state.clocks[self.rank], self.turns.order[self.rank], self.rank);
        state.left.remove(&place);
        self.turns.call(&mut state);
    }
}
