//! One side of a pair that has agreed on keys: encrypts messages for the other side, decrypts what comes from it, and
//! rejects replays.

use crate::cluster::refusals::Refusal;
use chacha20_poly1305::{ChaCha20Poly1305, Key, Nonce};

const TAG: usize = 16;
/// Size of a message's number in bytes.
const NUMBER: usize = 8;
/// A message may be overtaken by fewer than this many others.
const WINDOW: u64 = 1_024;

/// One key for each direction.
pub struct PairKeys {
    pub to_node: [u8; 32],
    pub to_master: [u8; 32],
}

/// The keys of one side, and the numbers that were used and received.
pub struct PairSeal {
    send: [u8; 32],
    receive: [u8; 32],
    sent: u64,
    heard: ReplayWindow,
}

impl PairSeal {
    /// `turn` must differ each time that the same keys are used in this process, so that no number is used twice.
    pub fn new(send: [u8; 32], receive: [u8; 32], turn: u32) -> Self {
        Self { send, receive, sent: u64::from(turn) << 32, heard: ReplayWindow::default() }
    }

    /// Returns `head`, a number, and the encrypted message.
    pub fn seal(&mut self, head: &[u8], message: &[u8]) -> Vec<u8> {
        self.sent += 1;
        seal(&self.send, self.sent, head, message)
    }

    /// Decrypts what [`Self::seal`] of the other side has returned, given the length of `head` in bytes.
    pub fn open(&mut self, sealed: &[u8], head: usize) -> Result<Vec<u8>, Refusal> {
        let number = number(sealed, head).ok_or(Refusal::Malformed)?;
        if !self.heard.is_new(number) {
            return Err(Refusal::Repeated);
        }
        let (_, message) = open(&self.receive, sealed, head)?;
        self.heard.note(number);
        Ok(message)
    }
}

/// Returns `head`, the number, and the encrypted message. A key must be used only once with each number.
pub fn seal(key: &[u8; 32], number: u64, head: &[u8], message: &[u8]) -> Vec<u8> {
    let mut sealed = Vec::with_capacity(head.len() + NUMBER + message.len() + TAG);
    sealed.extend_from_slice(head);
    sealed.extend_from_slice(&number.to_le_bytes());
    let body = sealed.len();
    sealed.extend_from_slice(message);
    let (head, text) = sealed.split_at_mut(body);
    let tag = cipher(key, number).encrypt(text, Some(head));
    sealed.extend_from_slice(&tag);
    sealed
}

/// Returns the number and the message that [`seal`] has encrypted, given the length of `head` in bytes.
pub fn open(key: &[u8; 32], sealed: &[u8], head: usize) -> Result<(u64, Vec<u8>), Refusal> {
    let number = number(sealed, head).ok_or(Refusal::Malformed)?;
    let (rest, tag) = sealed.split_last_chunk::<TAG>().ok_or(Refusal::Malformed)?;
    let (head, text) = rest.split_at_checked(head + NUMBER).ok_or(Refusal::Malformed)?;
    let mut message = text.to_vec();
    cipher(key, number).decrypt(&mut message, *tag, Some(head)).map_err(|_| Refusal::Forged)?;
    Ok((number, message))
}

fn number(sealed: &[u8], head: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*sealed.get(head..)?.first_chunk::<NUMBER>()?))
}

fn cipher(key: &[u8; 32], number: u64) -> ChaCha20Poly1305 {
    let mut nonce = [0; 12];
    nonce[..NUMBER].copy_from_slice(&number.to_le_bytes());
    ChaCha20Poly1305::new(Key::new(*key), Nonce::new(nonce))
}

/// Tracks the numbers that were received. Numbers that are too old count as received.
#[derive(Default)]
struct ReplayWindow {
    newest: u64,
    /// The number `n` is at `n % WINDOW`.
    bits: [u64; (WINDOW / 64) as usize],
}

impl ReplayWindow {
    fn is_new(&self, number: u64) -> bool {
        match number.checked_sub(self.newest) {
            Some(ahead) => ahead > 0,
            None => self.newest - number < WINDOW && number > 0 && !self.has(number),
        }
    }

    fn note(&mut self, number: u64) {
        if number > self.newest {
            // Nothing is known of numbers before the first one, so they count as received.
            let is_first = self.newest == 0;
            let passed = (number - self.newest).min(WINDOW);
            (1..=passed).for_each(|step| self.set(number.wrapping_sub(passed).wrapping_add(step), is_first));
            self.newest = number;
        }
        self.set(number, true);
    }

    fn has(&self, number: u64) -> bool {
        self.bits[(number % WINDOW / 64) as usize] >> (number % 64) & 1 == 1
    }

    fn set(&mut self, number: u64, is_heard: bool) {
        let (word, bit) = ((number % WINDOW / 64) as usize, 1 << (number % 64));
        if is_heard { self.bits[word] |= bit } else { self.bits[word] &= !bit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_number_is_accepted_once_in_any_order() {
        let mut window = ReplayWindow::default();
        let mut heard = BTreeSet::new();
        window.note(10);
        let mut number = 7_u64;
        for _ in 0..50_000 {
            number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let newest = window.newest;
            let next = (newest + 40).saturating_sub((number >> 33) % 90).max(11);
            let is_new = window.is_new(next);
            assert_eq!(is_new, !heard.contains(&next) && newest.saturating_sub(next) < WINDOW, "{next} after {newest}");
            if is_new {
                window.note(next);
                heard.insert(next);
            }
        }
        assert!(!window.is_new(window.newest - WINDOW) && !window.is_new(0));
    }

    #[test]
    fn numbers_before_the_first_are_rejected() {
        let mut window = ReplayWindow::default();
        window.note(5_000);
        assert!((0..=5_000).all(|number| !window.is_new(number)) && window.is_new(5_001));
        window.note(u64::MAX);
        assert!(!window.is_new(u64::MAX) && !window.is_new(5_001) && window.is_new(u64::MAX - 1));
    }
}
