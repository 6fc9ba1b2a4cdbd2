//! A worker node's side: knows masters by their signed beats, and shares a pair of keys with each.

use super::pair::PairSeal;
use super::{KEY, Keys, PairEnds, SIGNATURE, is_signed, number_of};
use crate::cluster::names::{Owner, Subject, WorkerNodeId};
use crate::cluster::quota::Quota;
use crate::cluster::refusals::{Refusal, Refusals};
use crate::cluster::wire::{self, LONGEST, VERSION};
use hasami_tree::event::Time;
use std::collections::BTreeMap;
use std::time::Duration;

/// Bytes before the number of an encrypted message: the version, and the number of its master.
const HEAD: usize = 9;
/// Largest number of masters that are remembered. If it is reached, those that have been silent for this time are
/// forgotten.
const MOST_MASTERS: usize = 512;
const SILENT: Duration = Duration::from_secs(10);
/// A master that has been silent for this time may have forgotten this worker node.
const FORGOTTEN: Duration = Duration::from_secs(1);
/// Checking a signature takes as long as a hundred messages, so their number is limited: at once, and per second.
const BEATS: (u32, u32) = (2_000, 2_000);
const NEWCOMERS: (u32, u32) = (512, 50);

/// The keys of a worker node and what it knows of its masters.
pub struct NodeSeals {
    keys: Keys,
    masters: BTreeMap<u64, KnownMaster>,
    beats: Quota,
    newcomers: Quota,
    /// Number of key pairs that were agreed on.
    turn: u32,
    refusals: Refusals,
}

struct KnownMaster {
    key: [u8; KEY],
    seal: PairSeal,
    /// The owner and the serial number of its newest beat.
    beat: (Owner, u64),
    heard: Time,
    /// When it last sent a message to this worker node.
    spoke: Option<Time>,
}

impl NodeSeals {
    /// Seals of a new worker node with random keys.
    pub fn draw() -> Self {
        Self::new(Keys::draw())
    }

    pub fn new(keys: Keys) -> Self {
        let (beats, newcomers) = (Quota::new(BEATS.0, BEATS.1), Quota::new(NEWCOMERS.0, NEWCOMERS.1));
        Self { keys, masters: BTreeMap::new(), beats, newcomers, turn: 0, refusals: Refusals::default() }
    }

    pub fn id(&self) -> WorkerNodeId {
        WorkerNodeId(self.keys.number())
    }

    /// Counts of the messages that were not opened.
    pub fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    /// Encrypts an outgoing message. Returns `None` if it is for an unknown master.
    pub fn seal(&mut self, now: Time, to: Subject, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let Subject::Master(master) = to else { return Some(bytes) };
        let known = self.masters.get_mut(&master)?;
        let is_known = known.spoke.is_some_and(|at| now.saturating_sub(at) < FORGOTTEN);
        let head = match is_known {
            true => [&[VERSION, 0][..], &self.keys.number().to_le_bytes()].concat(),
            false => [&[VERSION, 1][..], &self.keys.public()].concat(),
        };
        Some(known.seal.seal(&head, bytes.get(1..)?))
    }

    /// Verifies or decrypts an incoming message.
    pub fn open(&mut self, now: Time, subject: Subject, bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        let is_sealed = matches!(subject, Subject::Masters | Subject::Pool(_) | Subject::WorkerNode(_));
        // Messages of other versions are reported where they are parsed.
        if !is_sealed || bytes.first() != Some(&VERSION) {
            return Ok(bytes.to_vec());
        }
        let opened = match subject {
            _ if bytes.len() > LONGEST => Err(Refusal::Malformed),
            Subject::Masters | Subject::Pool(_) => self.open_beat(now, &bytes[1..]),
            _ => self.open_order(now, bytes),
        };
        opened.inspect_err(|&why| self.refusals.add(why))
    }

    fn open_beat(&mut self, now: Time, bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        let (key, rest) = bytes.split_first_chunk::<KEY>().ok_or(Refusal::Malformed)?;
        let (signature, rest) = rest.split_first_chunk::<SIGNATURE>().ok_or(Refusal::Malformed)?;
        let message = [&[VERSION], rest].concat();
        let (owner, serial) = wire::beat_number(&message).ok_or(Refusal::Malformed)?;
        let known = self.masters.get(&owner.master);
        // The cheapest checks come first.
        if known.map_or_else(|| number_of(key) != owner.master, |known| known.key != *key) {
            return Err(Refusal::Forged);
        }
        if known.is_some_and(|known| known.beat >= (owner, serial)) {
            return Err(Refusal::Repeated);
        }
        let is_within = if known.is_some() { self.beats.take(now) } else { self.has_room(now) };
        if !is_within {
            return Err(Refusal::Quota);
        }
        if !is_signed(key, &message, signature) {
            return Err(Refusal::Forged);
        }
        match self.masters.get_mut(&owner.master) {
            Some(known) => (known.beat, known.heard) = ((owner, serial), now),
            None => self.meet(now, key, (owner, serial))?,
        }
        Ok(message)
    }

    fn has_room(&mut self, now: Time) -> bool {
        if self.masters.len() >= MOST_MASTERS {
            self.masters.retain(|_, known| now.saturating_sub(known.heard) < SILENT);
        }
        self.masters.len() < MOST_MASTERS && self.newcomers.take(now)
    }

    fn meet(&mut self, now: Time, key: &[u8; KEY], beat: (Owner, u64)) -> Result<(), Refusal> {
        let ends = PairEnds { master: *key, node: self.keys.public() };
        let pair = self.keys.agree(key, &ends).ok_or(Refusal::Malformed)?;
        let seal = PairSeal::new(pair.to_master, pair.to_node, self.turn);
        self.turn = self.turn.checked_add(1).ok_or(Refusal::Quota)?;
        self.masters.insert(beat.0.master, KnownMaster { key: *key, seal, beat, heard: now, spoke: None });
        Ok(())
    }

    fn open_order(&mut self, now: Time, bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        let master = u64::from_le_bytes(*bytes[1..].first_chunk().ok_or(Refusal::Malformed)?);
        let known = self.masters.get_mut(&master).ok_or(Refusal::Stranger)?;
        let opened = known.seal.open(bytes, HEAD)?;
        (known.heard, known.spoke) = (now, Some(now));
        let message = [&[VERSION][..], &opened].concat();
        if wire::order_owner(&message).is_some_and(|owner| owner.master == master) {
            Ok(message)
        } else {
            Err(Refusal::Malformed)
        }
    }
}
