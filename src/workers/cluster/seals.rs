//! Protects messages from being read, forged or replayed by others.
//!
//! Each participant draws a key pair at its start. Its number is derived from the hash of its public key, so nobody
//! else can use it. A master signs its beats (Ed25519). All messages between a master and a worker node are encrypted
//! (ChaCha20-Poly1305) with keys that only these two can compute (X25519, HKDF), one for each direction. Every message
//! is numbered and accepted once.
//!
//! [`MasterSeals`] and [`NodeSeals`] stand between a connection and the pure sides, which know nothing of encryption.

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

/// Size of a public key and of a signature in bytes.
pub const KEY: usize = PublicKey::BYTES;
const SIGNATURE: usize = Signature::BYTES;

/// Prefixes that bind each hash, key and signature to its purpose.
const FOR_NUMBERS: &[u8] = b"hasami cluster number";
const FOR_BEATS: &[u8] = b"hasami cluster beat";
const FOR_PAIRS: &[u8] = b"hasami cluster pair";

/// The keys of a participant.
pub struct Keys {
    signing: KeyPair,
    agreement: x25519::SecretKey,
}

impl Keys {
    /// Draws new random keys.
    pub fn draw() -> Self {
        loop {
            // A seed that yields no key practically never occurs.
            if let Some(keys) = Self::from_seed(rand::rng().random()) {
                return keys;
            }
        }
    }

    /// Returns `None` if the seed yields no key.
    pub fn from_seed(seed: [u8; 32]) -> Option<Self> {
        let signing = KeyPair::try_from_seed(Seed::new(seed)).ok()?;
        let agreement = x25519::SecretKey::from_ed25519(&signing.sk).ok()?;
        Some(Self { signing, agreement })
    }

    pub fn public(&self) -> [u8; KEY] {
        *self.signing.pk
    }

    /// The number by which the participant is known.
    pub fn number(&self) -> u64 {
        number_of(&self.public())
    }

    fn sign(&self, message: &[u8]) -> [u8; SIGNATURE] {
        *self.signing.sk.sign([FOR_BEATS, message].concat(), None)
    }

    /// The keys for messages between a master and a worker node. `self` is one of them, `other` the other.
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

/// The number of the participant with this public key.
pub fn number_of(public: &[u8; KEY]) -> u64 {
    let hash = Hash::hash(&[FOR_NUMBERS, public].concat());
    hash.iter().take(8).rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn is_signed(public: &[u8; KEY], message: &[u8], signature: &[u8; SIGNATURE]) -> bool {
    PublicKey::new(*public).verify([FOR_BEATS, message].concat(), &Signature::new(*signature)).is_ok()
}
