//! Decides which processor runs: the processor whose clock is furthest behind.
//!
//! A processor without work could look for work in every turn. Instead, its thread sleeps and wakes up in the turn in
//! which the processor would have found work. The order of all turns is the same as if the processor had looked for
//! work in every turn.

use crate::core::mix::mix;
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The turns of a virtual machine.
pub(super) struct Turns {
    state: Mutex<TurnState>,
    /// One condition variable per processor.
    called: Vec<Condvar>,
    /// Rank among processors with equal clocks.
    order: Vec<u64>,
    /// Number of nodes per turn.
    turn: u64,
}

/// Clock, order and rank of a processor.
type Place = (u64, u64, usize);

struct TurnState {
    /// Processors that take part and do not sleep.
    left: BTreeSet<Place>,
    clocks: Vec<u64>,
    /// For each processor that sleeps, or was roused but has not run since, the clock at which it fell asleep.
    since: Vec<Option<u64>>,
    runs: Option<usize>,
}

impl Turns {
    pub(super) fn new(processors: usize, seed: u64, turn: u64) -> Self {
        let order: Vec<u64> = (0..processors as u64).map(|rank| mix(mix(seed.wrapping_add(1)) ^ rank)).collect();
        let left: BTreeSet<_> = order.iter().enumerate().map(|(rank, &order)| (0, order, rank)).collect();
        let runs = left.first().map(|&(_, _, rank)| rank);
        let called = order.iter().map(|_| Condvar::new()).collect();
        let state = TurnState { left, clocks: vec![0; processors], since: vec![None; processors], runs };
        Self { state: Mutex::new(state), called, order, turn }
    }

    fn lock(&self) -> MutexGuard<'_, TurnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the first turn of `rank`. The processor no longer takes part when the returned slot is dropped.
    pub(super) fn sit_down(&self, rank: usize) -> ProcessorSlot<'_> {
        self.wait(self.lock(), rank);
        ProcessorSlot { turns: self, rank }
    }

    /// Sets the clock of `rank` and returns when no other clock is behind it.
    pub(super) fn pass(&self, rank: usize, clock: u64) {
        let mut state = self.lock();
        let order = self.order[rank];
        let before = std::mem::replace(&mut state.clocks[rank], clock);
        state.left.remove(&(before, order, rank));
        state.left.insert((clock, order, rank));
        self.call(&mut state);
        self.wait(state, rank);
    }

    /// Lets the processor `rank` sleep up to this clock value or, without a value, until it is roused. Returns the
    /// clock of the processor when it runs again.
    pub(super) fn sleep(&self, rank: usize, until: Option<u64>) -> u64 {
        let mut state = self.lock();
        let now = state.clocks[rank];
        state.left.remove(&(now, self.order[rank], rank));
        state.since[rank] = Some(now);
        if let Some(until) = until {
            self.rouse_one(&mut state, rank, (now, self.order[rank], rank), until);
        }
        if state.left.is_empty() {
            self.rouse_asleep(&mut state, rank);
        }
        self.call(&mut state);
        self.wait(state, rank);
        let mut state = self.lock();
        state.since[rank] = None;
        state.clocks[rank]
    }

    /// Notifies `rank` that work may be available from this clock value on; `caller` is the running processor.
    pub(super) fn rouse(&self, rank: usize, caller: usize, due: u64) {
        let mut state = self.lock();
        let now = (state.clocks[caller], self.order[caller], caller);
        self.rouse_one(&mut state, rank, now, due);
    }

    /// Rouses the sleeper that would look for work first.
    pub(super) fn rouse_next(&self, caller: usize) {
        let mut state = self.lock();
        let now = (state.clocks[caller], self.order[caller], caller);
        let sleeps = (0..self.order.len()).filter(|&rank| rank != caller && state.since[rank].is_some());
        let next = sleeps.min_by_key(|&rank| self.next_look(&state, rank, now, 0));
        if let Some(rank) = next {
            self.rouse_one(&mut state, rank, now, 0);
        }
    }

    /// Rouses all sleepers.
    pub(super) fn rouse_all(&self, caller: usize) {
        self.rouse_asleep(&mut self.lock(), caller);
    }

    fn rouse_asleep(&self, state: &mut TurnState, caller: usize) {
        let now = (state.clocks[caller], self.order[caller], caller);
        (0..self.order.len()).for_each(|rank| self.rouse_one(state, rank, now, 0));
    }

    /// Returns when a sleeper would first look for work after `now`, with a clock of at least `due`.
    fn next_look(&self, state: &TurnState, rank: usize, now: Place, due: u64) -> Place {
        let (since, order) = (state.since[rank].unwrap_or(state.clocks[rank]), self.order[rank]);
        let is_later = |clock: u64| (clock, order, rank) > now && clock >= due;
        let least = now.0.max(due).saturating_sub(since).div_ceil(self.turn).max(1);
        let clock = since.saturating_add(least.saturating_mul(self.turn));
        (if is_later(clock) { clock } else { clock.saturating_add(self.turn) }, order, rank)
    }

    /// Rouses a processor unless it is awake or will run earlier anyway.
    fn rouse_one(&self, state: &mut TurnState, rank: usize, now: Place, due: u64) {
        if state.since[rank].is_none() {
            return;
        }
        let place = self.next_look(state, rank, now, due);
        let before = (state.clocks[rank], self.order[rank], rank);
        if state.left.contains(&before) {
            if before <= place {
                return;
            }
            state.left.remove(&before);
        }
        state.clocks[rank] = place.0;
        state.left.insert(place);
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

/// A processor that takes part in the turns.
pub(super) struct ProcessorSlot<'a> {
    turns: &'a Turns,
    rank: usize,
}

impl Drop for ProcessorSlot<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.lock();
        let place = (state.clocks[self.rank], self.turns.order[self.rank], self.rank);
        state.left.remove(&place);
        if state.left.is_empty() {
            self.turns.rouse_asleep(&mut state, self.rank);
        }
        self.turns.call(&mut state);
    }
}
