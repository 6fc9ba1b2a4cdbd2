//! The inner search for mates, with a cache of its results.

use super::interrupt::Interrupted;
use crate::interface::InnerSearches;
use hasami_api::{BrinkmateGame, Stop};
use hasami_mate::{InnerMate, InnerMates};
use std::collections::HashMap;

/// Approximate size of a cached result in bytes.
const BYTES: usize = 32;

pub(super) struct Mates<'a, G: BrinkmateGame> {
    inner: InnerMates<'a, G>,
    /// Cached results by position key. A search that reached its limit is not repeated, because Hashimoto et al. (2001)
    /// rely on cheap inner searches and every iteration searches the same positions.
    known: HashMap<u64, InnerMate>,
    most: usize,
    calls: u64,
    unknown: u64,
}

impl<'a, G: BrinkmateGame> Mates<'a, G> {
    /// Creates an inner search with a cache of at most about `bytes` bytes.
    pub(super) fn new(inner: InnerMates<'a, G>, bytes: usize) -> Self {
        Self { inner, known: HashMap::new(), most: bytes / BYTES, calls: 0, unknown: 0 }
    }

    pub(super) fn counts(&self) -> InnerSearches {
        InnerSearches { calls: self.calls, cut: self.unknown, nodes: self.inner.nodes() }
    }

    /// Returns whether the attacker, who is to move, mates by checks. `left` is the number of nodes that the whole
    /// search may still use.
    pub(super) fn ask(&mut self, game: &mut G, left: u64, stop: &Stop) -> Result<InnerMate, Interrupted> {
        let key = game.key();
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let before = self.inner.nodes();
        let found = self.inner.ask(game, left);
        if found == InnerMate::Unknown && (self.inner.nodes() - before >= left || stop.is_stopped()) {
            return Err(Interrupted);
        }
        self.calls += 1;
        self.unknown += u64::from(found == InnerMate::Unknown);
        if self.known.len() >= self.most {
            self.known.clear();
        }
        self.known.insert(key, found);
        Ok(found)
    }

    /// Returns whether the cache contains a mate for this position, where the attacker is to move.
    pub(super) fn is_known(&self, game: &G) -> bool {
        self.known.get(&game.key()) == Some(&InnerMate::Yes)
    }
}
