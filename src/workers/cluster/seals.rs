//! Messages that nobody else can read, forge or repeat.
//!
//! Whoever takes part draws a key pair at its start, and its number is the beginning of the hash of its public key: nobody
//! else can speak under it. A master signs its beats (Ed25519). All that a master and a worker node say to each other is
//! sealed (ChaCha20-Poly1305) under keys that only these two can compute (X25519, HKDF), one for each direction; every message
//! has a number, and is heard once.
//!
//! [`MasterSeals`] and [`NodeSeals`] stand between a connection and the pure sides, which know nothing of them.

mod master;
mod node;
mod pair;

#[cfg(test)]
mod tests;

pub use master::MasterSeals;
pub use node::NodeSeals;
pub use pair::{open, seal};

use self::pair::PairKeys;
use ed25519_compact::{KeyPair, PublicKey, Seed, Signature, x25519};
use hmac_sha256::{HKDF, Hash};
use rand::Rng;

/// Bytes of a public key and of a signature.
pub const KEY: usize = PublicKey::BYTES;
const SIGNATURE: usize = Signature::BYTES;

/// What a hash, a key or a signature is for is part of it.
const FOR_NUMBERS: &[u8] = b"hasami cluster number";
const FOR_BEATS: &[u8] = b"hasami cluster beat";
const FOR_PAIRS: &[u8] = b"hasami cluster pair";

/// The keys of one that takes part.
pub struct Keys {
    signing: KeyPair,
    agreement: x25519::SecretKey,
}

impl Keys {
    /// Keys that nobody has had.
    pub fn draw() -> Self {
        loop {
            // A seed that makes no key is as good as impossible.
            if let Some(keys) = Self::from_seed(rand::rng().random()) {
                return keys;
            }
        }
    }

    /// `None`: the seed makes no key.
    pub fn from_seed(seed: [u8; 32]) -> Option<Self> {
        let signing = KeyPair::try_from_seed(Seed::new(seed)).ok()?;
        let agreement = x25519::SecretKey::from_ed25519(&signing.sk).ok()?;
        Some(Self { signing, agreement })
    }

    pub fn public(&self) -> [u8; KEY] {
        *self.signing.pk
    }

    /// Under which it is known.
    pub fn number(&self) -> u64 {
        number_of(&self.public())
    }

    fn sign(&self, message: &[u8]) -> [u8; SIGNATURE] {
        *self.signing.sk.sign([FOR_BEATS, message].concat(), None)
    }

    /// Keys for messages between a master and a worker node, of which this is one and `other` the other.
    fn agree(&self, other: &[u8; KEY], ends: &PairEnds) -> Option<PairKeys> {
        let other = x25519::PublicKey::from_ed25519(&PublicKey::new(*other)).ok()?;
        let shared = other.dh(&self.agreement).ok()?;
        let mut keys = [0; 64];
        HKDF::expand(&mut keys, HKDF::extract(FOR_PAIRS, *shared), [ends.master, ends.node].concat());
        let (mut to_node, mut to_master) = ([0; 32], [0; 32]);
        to_node.copy_from_slice(&keys[..32]);
        to_master.copy_from_slice(&keys[32..]);
        Some(PairKeys { to_node, to_master })
    }
}

/// The public keys of a master and a worker node.
struct PairEnds {
    master: [u8; KEY],
    node: [u8; KEY],
}

/// The number of who has this public key.
pub fn number_of(public: &[u8; KEY]) -> u64 {
    let hash = Hash::hash(&[FOR_NUMBERS, public].concat());
    hash.iter().take(8).rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn is_signed(public: &[u8; KEY], message: &[u8], signature: &[u8; SIGNATURE]) -> bool {
    PublicKey::new(*public).verify([FOR_BEATS, message].concat(), &Signature::new(*signature)).is_ok()
}
