//! The inner search for mates, and what it has answered.

use super::interrupt::Interrupted;
use crate::interface::InnerSearches;
use hasami_api::{BrinkmateGame, Stop};
use hasami_mate::{InnerMate, InnerMates};
use std::collections::HashMap;

/// Bytes of an answer that is kept, more or less.
const BYTES: usize = 32;

pub(super) struct Mates<'a, G: BrinkmateGame> {
    inner: InnerMates<'a, G>,
    /// By key. What a limit has ended is not tried again: the paper counts on answers that are cheap, and the same
    /// question comes with every iteration.
    known: HashMap<u64, InnerMate>,
    most: usize,
    calls: u64,
    unknown: u64,
}

impl<'a, G: BrinkmateGame> Mates<'a, G> {
    /// Keeps answers in so many bytes.
    pub(super) fn new(inner: InnerMates<'a, G>, bytes: usize) -> Self {
        Self { inner, known: HashMap::new(), most: bytes / BYTES, calls: 0, unknown: 0 }
    }

    pub(super) fn counts(&self) -> InnerSearches {
        InnerSearches { calls: self.calls, cut: self.unknown, nodes: self.inner.nodes() }
    }

    /// Whether the attacker, who is to move, mates by checks, asked with so many nodes left of the whole search.
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

    /// This position, in which the attacker is to move, is known to be a mate.
    pub(super) fn is_known(&self, game: &G) -> bool {
        self.known.get(&game.key()) == Some(&InnerMate::Yes)
    }
}
