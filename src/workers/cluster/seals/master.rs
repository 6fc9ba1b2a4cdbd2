//! A master's side: signs its beats, and shares a pair of keys with every worker node that has contacted it.

use super::pair::PairSeal;
use super::{KEY, Keys, PairEnds, number_of};
use crate::cluster::names::{Owner, Subject, WorkerNodeId};
use crate::cluster::quota::Quota;
use crate::cluster::refusals::{Refusal, Refusals};
use crate::cluster::wire::{self, LONGEST, VERSION};
use hasami_tree::event::Time;
use std::collections::BTreeMap;
use std::time::Duration;

/// Bytes before the number of an encrypted message: the version, and the number of its master.
const HEAD: usize = 9;
/// Largest number of worker nodes that are remembered. If it is reached, those that have been silent for this time are
/// forgotten.
const MOST_NODES: usize = 16_384;
const SILENT: Duration = Duration::from_secs(10);
/// A key agreement takes as long as some hundred messages, so their number is limited: at once, and per second.
const NEWCOMERS: (u32, u32) = (4_096, 500);

/// The keys of a master and what it knows of its worker nodes.
pub struct MasterSeals {
    keys: Keys,
    nodes: BTreeMap<WorkerNodeId, KnownNode>,
    newcomers: Quota,
    /// Number of key pairs that were agreed on.
    turn: u32,
    refusals: Refusals,
}

struct KnownNode {
    seal: PairSeal,
    heard: Time,
}

impl MasterSeals {
    /// Seals of a new master with random keys.
    pub fn draw() -> Self {
        Self::new(Keys::draw())
    }

    pub fn new(keys: Keys) -> Self {
        let newcomers = Quota::new(NEWCOMERS.0, NEWCOMERS.1);
        Self { keys, nodes: BTreeMap::new(), newcomers, turn: 0, refusals: Refusals::default() }
    }

    /// The owner of the master's first epoch.
    pub fn owner(&self) -> Owner {
        Owner { master: self.keys.number(), epoch: 1 }
    }

    /// Counts of the messages that were not opened.
    pub fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    /// Forgets all worker nodes, as if they had been silent for long.
    #[cfg(test)]
    pub(super) fn forget_all(&mut self) {
        self.nodes.clear();
    }

    /// Encrypts or signs an outgoing message. Returns `None` if it is for a worker node that has never contacted this
    /// master.
    pub fn seal(&mut self, to: Subject, bytes: Vec<u8>) -> Option<Vec<u8>> {
        match to {
            Subject::Masters | Subject::Pool(_) => Some(self.sign(&bytes)),
            Subject::WorkerNode(node) => {
                let mut head = [VERSION; HEAD];
                head[1..].copy_from_slice(&self.keys.number().to_le_bytes());
                Some(self.nodes.get_mut(&node)?.seal.seal(&head, bytes.get(1..)?))
            }
            _ => Some(bytes),
        }
    }

    /// Concatenates the version, the public key, the signature and the beat.
    fn sign(&self, beat: &[u8]) -> Vec<u8> {
        let signature = self.keys.sign(beat);
        [&beat[..beat.len().min(1)], &self.keys.public(), &signature, beat.get(1..).unwrap_or_default()].concat()
    }

    /// Decrypts an incoming message.
    pub fn open(&mut self, now: Time, subject: Subject, bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        // Messages of other versions are reported where they are parsed.
        if !matches!(subject, Subject::Master(_)) || bytes.first() != Some(&VERSION) {
            return Ok(bytes.to_vec());
        }
        let opened = if bytes.len() > LONGEST { Err(Refusal::Malformed) } else { self.open_word(now, bytes) };
        opened.inspect_err(|&why| self.refusals.add(why))
    }

    /// A worker node identifies itself by its number, or by its public key if the master may not know it.
    fn open_word(&mut self, now: Time, bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        let (kind, rest) = bytes[1..].split_first().ok_or(Refusal::Malformed)?;
        let (node, key) = match kind {
            0 => (u64::from_le_bytes(*rest.first_chunk().ok_or(Refusal::Malformed)?), None),
            1 => {
                let key: &[u8; KEY] = rest.first_chunk().ok_or(Refusal::Malformed)?;
                (number_of(key), Some(key))
            }
            _ => return Err(Refusal::Malformed),
        };
        let (id, head) = (WorkerNodeId(node), 2 + key.map_or(8, |_| KEY));
        let opened = match (self.nodes.get_mut(&id), key) {
            (Some(known), _) => known.seal.open(bytes, head).inspect(|_| known.heard = now)?,
            (None, Some(key)) => self.meet(now, id, key, bytes, head)?,
            (None, None) => return Err(Refusal::Stranger),
        };
        let message = [&[VERSION][..], &opened].concat();
        if wire::sender(&message) == Some(id) { Ok(message) } else { Err(Refusal::Malformed) }
    }

    /// Opens the first message of a worker node and remembers its keys.
    fn meet(
        &mut self,
        now: Time,
        id: WorkerNodeId,
        key: &[u8; KEY],
        bytes: &[u8],
        head: usize,
    ) -> Result<Vec<u8>, Refusal> {
        if self.nodes.len() >= MOST_NODES {
            self.nodes.retain(|_, known| now.saturating_sub(known.heard) < SILENT);
        }
        if self.nodes.len() >= MOST_NODES || !self.newcomers.take(now) {
            return Err(Refusal::Quota);
        }
        let ends = PairEnds { master: self.keys.public(), node: *key };
        let pair = self.keys.agree(key, &ends).ok_or(Refusal::Malformed)?;
        let mut seal = PairSeal::new(pair.to_node, pair.to_master, self.turn);
        let opened = seal.open(bytes, head)?;
        self.turn = self.turn.checked_add(1).ok_or(Refusal::Quota)?;
        self.nodes.insert(id, KnownNode { seal, heard: now });
        Ok(opened)
    }
}
