//! Transfers a network from a master to a worker node, piece by piece. A transfer is a pure state machine that turns
//! pieces and times into requests.
//!
//! The worker node requests the pieces, and repeats unanswered requests, so lost messages do no harm.

use super::names::{Lease, Member, NetworkId};
use hasami_tree::event::Time;
use std::collections::BTreeMap;
use std::time::Duration;

/// Size of a piece in bytes. A piece with its envelope fits into one message.
pub const PIECE: usize = 48 << 10;
/// Maximum size of a network to transfer, in bytes.
pub const MOST_BYTES: u32 = 512 << 20;
/// The most pieces that may be requested at once and still be missing.
const WINDOW: usize = 16;
/// Time after which a missing piece is requested again.
const AGAIN: Duration = Duration::from_secs(1);
/// Time without a new piece after which a transfer is given up.
const TIMEOUT: Duration = Duration::from_secs(20);

pub struct NetworkFetch {
    pub id: NetworkId,
    /// The master that provides the network, and the lease that requests for its pieces name.
    pub owner: Member,
    pub lease: Lease,
    bytes: Vec<u8>,
    pieces: u32,
    missing: u32,
    /// The first piece that has not been requested yet.
    next: u32,
    asked: BTreeMap<u32, Time>,
    /// The time when the last piece arrived.
    heard: Time,
}

impl NetworkFetch {
    pub fn new(id: NetworkId, owner: Member, lease: Lease, now: Time) -> Result<Self, String> {
        if id.bytes == 0 || id.bytes > MOST_BYTES {
            return Err(format!("expected a network of 1 to {MOST_BYTES} bytes, found one of {}", id.bytes));
        }
        let pieces = id.bytes.div_ceil(PIECE as u32);
        let (bytes, asked) = (Vec::new(), BTreeMap::new());
        Ok(Self { id, owner, lease, bytes, pieces, missing: pieces, next: 0, asked, heard: now })
    }

    /// Returns the pieces that must be requested now.
    pub fn requests(&mut self, now: Time) -> Vec<u32> {
        let late = |(&piece, &at): (&u32, &Time)| (at + AGAIN <= now).then_some(piece);
        let mut wanted: Vec<u32> = self.asked.iter().filter_map(late).collect();
        while self.asked.len() < WINDOW && self.next < self.pieces {
            wanted.push(self.next);
            self.asked.insert(self.next, now);
            self.next += 1;
        }
        wanted.iter().for_each(|&piece| _ = self.asked.insert(piece, now));
        wanted
    }

    /// Handles a piece. A piece that was not requested is dropped; a piece of the wrong size is an error.
    pub fn take(&mut self, now: Time, piece: u32, bytes: &[u8]) -> Result<(), String> {
        if self.asked.remove(&piece).is_none() {
            return Ok(());
        }
        let start = piece as usize * PIECE;
        let length = (self.id.bytes as usize - start).min(PIECE);
        if bytes.len() != length {
            self.asked.insert(piece, now);
            return Err(format!("expected {length} bytes of piece {piece} of a network, found {}", bytes.len()));
        }
        // The buffer grows with the pieces that have arrived, so that no memory is used for missing pieces.
        if self.bytes.len() < start + length {
            self.bytes.resize(start + length, 0);
        }
        self.bytes[start..start + length].copy_from_slice(bytes);
        self.missing -= 1;
        self.heard = now;
        Ok(())
    }

    pub fn is_complete(&self) -> bool {
        self.missing == 0
    }

    pub fn is_stuck(&self, now: Time) -> bool {
        now.saturating_sub(self.heard) >= TIMEOUT
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::cluster::names::User;

    fn fetch(bytes: u32) -> Result<NetworkFetch, String> {
        let id = NetworkId { sha256: [7; 32], bytes, fv_scale: 0 };
        NetworkFetch::new(id, Member::draw(User::ANYBODY), Lease(2), Time::ZERO)
    }

    #[test]
    fn pieces_come_in_any_order_and_lost_ones_are_asked_for_again() {
        let whole: Vec<u8> = (0..PIECE * 40 + 5).map(|i| (i / 7) as u8).collect();
        let mut fetch = fetch(whole.len() as u32).unwrap();
        let (mut now, mut rounds) = (Time::ZERO, 0);
        while !fetch.is_complete() {
            let mut wanted = fetch.requests(now);
            assert!(wanted.len() <= WINDOW);
            wanted.reverse();
            // In this test, one in three requests or answers is lost, and some pieces arrive twice.
            for (i, piece) in wanted.into_iter().enumerate().filter(|(i, _)| i % 3 != 1) {
                let bytes = &whole[piece as usize * PIECE..whole.len().min((piece as usize + 1) * PIECE)];
                fetch.take(now, piece, bytes).unwrap();
                if i % 2 == 0 {
                    fetch.take(now, piece, bytes).unwrap();
                }
            }
            now += AGAIN;
            rounds += 1;
        }
        assert!(rounds < 12, "{rounds}");
        assert!(!fetch.is_stuck(now));
        assert_eq!(fetch.into_bytes(), whole);
    }

    #[test]
    fn a_piece_of_the_wrong_size_is_reported_and_requested_again() {
        assert_eq!(fetch(0).err().unwrap(), format!("expected a network of 1 to {MOST_BYTES} bytes, found one of 0"));
        assert!(fetch(u32::MAX).is_err());
        let mut fetch = fetch(PIECE as u32 + 1).unwrap();
        assert_eq!(fetch.requests(Time::ZERO), [0, 1]);
        let why = fetch.take(Time::ZERO, 1, &[0; 2]).unwrap_err();
        assert_eq!(why, "expected 1 bytes of piece 1 of a network, found 2");
        assert_eq!(fetch.take(Time::ZERO, 900, &[]), Ok(()), "it was not requested");
        assert_eq!(fetch.requests(AGAIN), [0, 1]);
        assert!(fetch.is_stuck(TIMEOUT));
    }
}
