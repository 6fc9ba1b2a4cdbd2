//! Turns of virtual processors: the processor whose clock is furthest behind runs.

use crate::core::mix::mix;
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(super) struct Turns {
    state: Mutex<TurnState>,
    /// One condition variable per processor.
    called: Vec<Condvar>,
    /// Each processor's rank among processors with equal clocks.
    order: Vec<u64>,
}

/// Clock, order and rank of a processor.
type TurnKey = (u64, u64, usize);

struct TurnState {
    /// Processors that still take turns.
    left: BTreeSet<TurnKey>,
    clocks: Vec<u64>,
    runs: Option<usize>,
}

impl Turns {
    pub(super) fn new(processors: usize, seed: u64) -> Self {
        let order: Vec<u64> = (0..processors as u64).map(|rank| mix(mix(seed.wrapping_add(1)) ^ rank)).collect();
        let left: BTreeSet<_> = order.iter().enumerate().map(|(rank, &order)| (0, order, rank)).collect();
        let runs = left.first().map(|&(_, _, rank)| rank);
        let called = order.iter().map(|_| Condvar::new()).collect();
        let state = TurnState { left, clocks: vec![0; processors], runs };
        Self { state: Mutex::new(state), called, order }
    }

    fn lock(&self) -> MutexGuard<'_, TurnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the first turn of the processor `rank`. The processor takes turns until the returned slot is dropped.
    pub(super) fn sit_down(&self, rank: usize) -> ProcessorSlot<'_> {
        self.wait(self.lock(), rank);
        ProcessorSlot { turns: self, rank }
    }

    /// Sets the clock of the processor `rank` and waits until no other clock is behind it.
    pub(super) fn pass(&self, rank: usize, clock: u64) {
        let mut state = self.lock();
        let order = self.order[rank];
        let before = std::mem::replace(&mut state.clocks[rank], clock);
        state.left.remove(&(before, order, rank));
        state.left.insert((clock, order, rank));
        self.call(&mut state);
        self.wait(state, rank);
    }

    fn call(&self, state: &mut TurnState) {
        let next = state.left.first().map(|&(_, _, rank)| rank);
        if state.runs != next {
            state.runs = next;
            if let Some(next) = next {
                self.called[next].notify_one();
            }
        }
    }

    fn wait(&self, mut state: MutexGuard<'_, TurnState>, rank: usize) {
        while state.runs != Some(rank) {
            state = self.called[rank].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A processor that takes turns with others.
pub(super) struct ProcessorSlot<'a> {
    turns: &'a Turns,
    rank: usize,
}

impl Drop for ProcessorSlot<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.lock();
        let key = (state.clocks[self.rank], self.turns.order[self.rank], self.rank);
        state.left.remove(&key);
        self.turns.call(&mut state);
    }
}
