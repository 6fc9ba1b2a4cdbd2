//! The moves made and the positions they led through: repetition and perpetual check.
//!
//! rsshogi looks for repetitions itself, but stops at the nearest position that has the same board and comparable
//! hands, and so misses an equal one behind it.

use hasami_api::Verdict;
use rsshogi::types::Move32;

/// A power of two.
const BUCKETS: usize = 2048;

/// What happened since the start, and what the current position needs to know of it.
#[derive(Clone)]
pub struct History {
    /// The position before each move, then the current one.
    keys: Vec<u64>,
    moves: Vec<Move32>,
    /// How many of `keys` fall into each bucket: nearly always 1, which proves that there is no repetition.
    buckets: Box<[u16; BUCKETS]>,
}

/// What a scan needs beside the keys.
#[derive(Clone, Copy)]
pub struct Recent {
    /// Plies since the start or the last pass: positions before it do not count.
    pub plies: usize,
    /// Plies over which the side to move, and its opponent, gave check with every move.
    pub checks_by_us: usize,
    pub checks_by_them: usize,
}

impl History {
    pub fn new(key: u64) -> Self {
        let mut history =
            Self { keys: Vec::with_capacity(512), moves: Vec::with_capacity(512), buckets: Box::new([0; BUCKETS]) };
        history.enter(key);
        history
    }

    /// Moves made since the start.
    #[inline]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    pub fn push(&mut self, m: Move32, key: u64) {
        self.moves.push(m);
        self.enter(key);
    }

    /// Forgets the last move and returns it.
    #[inline]
    pub fn pop(&mut self) -> Option<Move32> {
        let m = self.moves.pop()?;
        let key = self.keys.pop().expect("there is one more key than there are moves");
        self.buckets[bucket(key)] -= 1;
        Some(m)
    }

    #[inline]
    fn enter(&mut self, key: u64) {
        self.keys.push(key);
        self.buckets[bucket(key)] += 1;
    }

    /// The verdict on a fourth occurrence, or on a second one at most `plies` back.
    #[inline]
    pub fn repetition(&self, plies: usize, recent: impl FnOnce() -> Recent) -> Verdict {
        let key = self.keys[self.keys.len() - 1];
        if self.buckets[bucket(key)] == 1 { Verdict::Open } else { self.scan(key, plies, recent()) }
    }

    fn scan(&self, key: u64, plies: usize, recent: Recent) -> Verdict {
        let last = self.keys.len() - 1;
        let mut before = 0;
        for distance in (4..=recent.plies.min(last)).step_by(2) {
            if self.keys[last - distance] != key {
                continue;
            }
            before += 1;
            if distance <= plies || before == 3 {
                return recent.verdict(distance);
            }
        }
        Verdict::Open
    }
}

impl Recent {
    /// Who gave check all the way has lost; if nobody did (or both), it is a draw.
    fn verdict(self, distance: usize) -> Verdict {
        match (self.checks_by_us >= distance, self.checks_by_them >= distance) {
            (true, false) => Verdict::Loss,
            (false, true) => Verdict::Win,
            _ => Verdict::Draw,
        }
    }
}

#[inline]
fn bucket(key: u64) -> usize {
    (key >> 8) as usize & (BUCKETS - 1)
}
