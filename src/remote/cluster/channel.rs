//! Delivers messages in order and without gaps between a host and a cell, over a transport that may lose messages.
//!
//! Each side numbers its packets and keeps them until the other side confirms them. If packets are not confirmed in
//! time, all unconfirmed packets are sent again, the oldest first. Several messages, which are byte strings, can be
//! sent together as a [`Batch`], since every packet has a fixed cost. The channel is a pure state machine that turns
//! incoming packets and times into outgoing packets.

use hasami_tree::event::Time;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Maximum payload of a packet, and maximum size of a batch, in bytes.
const PACKET: usize = 32 << 10;
const LONGEST: usize = 8 << 20;
/// Maximum number of unconfirmed packets in flight.
const WINDOW: usize = 64;
/// Timeout after which unconfirmed packets are sent again. The timeout doubles with every retransmission, at most
/// `MOST_DOUBLINGS` times, so that a slow receiver is not flooded with duplicates.
const TIMEOUT: Duration = Duration::from_millis(300);
const MOST_DOUBLINGS: u32 = 4;
/// Number of received but unconfirmed packets at which a confirmation is sent at once, without waiting for the next
/// tick or the next outgoing packet.
const TOGETHER: u64 = 8;

/// Size in bytes at which a batch is sent without waiting for more messages.
const FULL: usize = PACKET / 2;

/// Messages that are sent together, each preceded by its length (four bytes, little-endian).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch(Vec<u8>);

impl Batch {
    /// Adds a message. The receiver rejects messages that are longer than [`LONGEST`].
    pub fn add(&mut self, message: &[u8]) {
        let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
        self.0.extend_from_slice(&length.to_le_bytes());
        self.0.extend_from_slice(message);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the batch is large enough to be sent at once.
    pub fn is_full(&self) -> bool {
        self.0.len() >= FULL
    }

    fn read(bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let (mut messages, mut rest) = (Vec::new(), bytes);
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let length = u32::from_le_bytes(*length) as usize;
            let (message, after) = after
                .split_at_checked(length)
                .ok_or_else(|| format!("expected a message of {length} bytes, found {}", after.len()))?;
            messages.push(message.to_vec());
            rest = after;
        }
        if rest.is_empty() { Ok(messages) } else { Err(format!("expected a length, found {} bytes", rest.len())) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Packet {
    /// The number of the packet, counted from 1; a packet with number 0 only carries a confirmation.
    number: u64,
    /// The sender has received all packets from the other side up to this number.
    has: u64,
    /// Whether this packet completes a batch.
    is_last: bool,
    bytes: Vec<u8>,
}

/// One side of a channel.
#[derive(Default)]
pub struct ReliableChannel {
    /// Unconfirmed packets, the oldest first, and how many of them are in flight.
    outgoing: VecDeque<Packet>,
    under_way: usize,
    written: u64,
    /// The time at which the oldest unconfirmed packet is sent again, and the number of retransmissions since the last
    /// confirmation.
    again: Time,
    repeats: u32,
    received: u64,
    confirmed: u64,
    /// Packets that have arrived before their predecessors.
    early: BTreeMap<u64, (bool, Vec<u8>)>,
    /// The bytes of an incomplete batch that have been received so far.
    part: Vec<u8>,
}

impl ReliableChannel {
    /// Sends a batch.
    pub fn write(&mut self, now: Time, batch: &Batch, out: &mut Vec<Packet>) {
        let count = batch.0.len().div_ceil(PACKET);
        for (index, bytes) in batch.0.chunks(PACKET).enumerate() {
            self.written += 1;
            let (number, is_last) = (self.written, index + 1 == count);
            self.outgoing.push_back(Packet { number, has: 0, is_last, bytes: bytes.to_vec() });
        }
        self.send(now, out);
    }

    /// Handles an incoming packet, and returns the messages that the packet completes.
    pub fn read(&mut self, now: Time, packet: Packet, out: &mut Vec<Packet>) -> Result<Vec<Vec<u8>>, String> {
        let Packet { number, has, is_last, bytes } = packet;
        if has > self.written {
            return Err(format!("expected no confirmation beyond packet {}, found {has}", self.written));
        }
        let known = self.outgoing.front().map_or(self.written, |oldest| oldest.number - 1);
        for _ in known..has {
            self.outgoing.pop_front();
            self.under_way = self.under_way.saturating_sub(1);
            (self.repeats, self.again) = (0, now + TIMEOUT);
        }
        self.send(now, out);
        if number == 0 {
            return Ok(Vec::new());
        }
        if number > self.received && number <= self.received + WINDOW as u64 {
            self.early.insert(number, (is_last, bytes));
        }
        let mut messages = Vec::new();
        let before = self.received;
        while let Some((is_last, bytes)) = self.early.remove(&(self.received + 1)) {
            self.received += 1;
            if self.part.len() + bytes.len() > LONGEST {
                return Err(format!("expected a message of at most {LONGEST} bytes, found a longer one"));
            }
            self.part.extend(bytes);
            if is_last {
                messages.extend(Batch::read(&std::mem::take(&mut self.part))?);
            }
        }
        // A packet that is a duplicate or leaves a gap is answered at once with a confirmation of the packets received.
        let is_odd = self.received == before;
        if is_odd || self.received - self.confirmed >= TOGETHER {
            self.confirm(out);
        }
        Ok(messages)
    }

    /// Sends overdue unconfirmed packets again, and confirms the packets that have arrived.
    pub fn tick(&mut self, now: Time, out: &mut Vec<Packet>) {
        if self.under_way > 0 && now >= self.again {
            self.under_way = 0;
            self.repeats = (self.repeats + 1).min(MOST_DOUBLINGS);
            self.send(now, out);
        }
        if self.received > self.confirmed {
            self.confirm(out);
        }
    }

    fn confirm(&mut self, out: &mut Vec<Packet>) {
        // The last outgoing packet carries the confirmation; without one, an empty packet does.
        self.confirmed = self.received;
        match out.last_mut() {
            Some(last) => last.has = self.received,
            None => out.push(Packet { number: 0, has: self.received, is_last: false, bytes: Vec::new() }),
        }
    }

    fn send(&mut self, now: Time, out: &mut Vec<Packet>) {
        if self.under_way == 0 {
            self.again = now + TIMEOUT * (1 << self.repeats);
        }
        let ready = self.outgoing.len().min(WINDOW);
        for packet in self.outgoing.range(self.under_way..ready.max(self.under_way)) {
            out.push(Packet { has: self.received, ..packet.clone() });
        }
        if ready > self.under_way {
            self.confirmed = self.received;
        }
        self.under_way = self.under_way.max(ready);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    fn batch(messages: &[&[u8]]) -> Batch {
        let mut batch = Batch::default();
        messages.iter().for_each(|message| batch.add(message));
        batch
    }

    /// Runs two channels over a network that loses, duplicates and reorders packets. Returns the messages that each
    /// side has received, and the number of packets.
    fn talk(seed: u64, loss: u32, messages: &[Vec<Vec<u8>>; 2]) -> ([Vec<Vec<u8>>; 2], usize) {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut sides = [ReliableChannel::default(), ReliableChannel::default()];
        let mut read = [Vec::new(), Vec::new()];
        let mut wire: Vec<(Time, usize, Packet)> = Vec::new();
        let (mut now, mut sent) = (Time::ZERO, 0);
        let mut out = Vec::new();
        for step in 0..4_000 {
            now += Duration::from_millis(5);
            for side in 0..2 {
                if let Some(message) = messages[side].get(step / 2).filter(|_| step % 2 == 0) {
                    sides[side].write(now, &batch(&[message]), &mut out);
                }
                sides[side].tick(now, &mut out);
                for packet in out.drain(..) {
                    sent += 1;
                    let copies = [1, 1, 1, 1, 2][rng.random_range(0..5)];
                    for _ in 0..copies {
                        if rng.random_range(0..100) >= loss {
                            wire.push((now + Duration::from_millis(rng.random_range(0..40)), 1 - side, packet.clone()));
                        }
                    }
                }
            }
            let (due, later): (Vec<_>, Vec<_>) = wire.drain(..).partition(|(at, ..)| *at <= now);
            wire = later;
            for (_, side, packet) in due {
                read[side].extend(sides[side].read(now, packet, &mut out).unwrap());
                wire.extend(out.drain(..).map(|packet| (now + Duration::from_millis(10), 1 - side, packet)));
            }
        }
        assert!(sides.iter().all(|side| side.outgoing.is_empty()), "every packet was confirmed");
        (read, sent)
    }

    #[test]
    fn messages_arrive_whole_and_in_order_over_a_bad_network() {
        for (seed, loss) in [(1, 0), (2, 10), (3, 30)] {
            let messages = |side: u8| -> Vec<Vec<u8>> {
                (0..60).map(|n| [vec![side, n as u8], vec![b'\n'; n * 977 % 5 * PACKET / 2]].concat()).collect()
            };
            let messages = [messages(0), messages(1)];
            let (read, sent) = talk(seed, loss, &messages);
            assert_eq!((&read[1], &read[0]), (&messages[0], &messages[1]), "seed {seed}");
            println!("loss {loss} %: {sent} packets");
        }
    }

    #[test]
    fn messages_of_one_batch_take_one_packet_each_way() {
        let (mut here, mut there) = (ReliableChannel::default(), ReliableChannel::default());
        let (messages, mut out) = ([&b"one"[..], b"", b"three"], Vec::new());
        here.write(Time::ZERO, &batch(&messages), &mut out);
        let [packet] = out.as_slice() else { panic!("expected a packet, found {out:?}") };
        let mut back = Vec::new();
        assert_eq!(there.read(Time::ZERO, packet.clone(), &mut back).unwrap(), messages);
        assert_eq!(back, [], "waits for an answer to carry the confirmation");
        there.tick(Time::ZERO, &mut back);
        let [confirmation] = back.as_slice() else { panic!("expected a confirmation, found {back:?}") };
        assert_eq!(here.read(Time::ZERO, confirmation.clone(), &mut Vec::new()), Ok(Vec::new()));
        here.tick(TIMEOUT * 2, &mut out);
        there.tick(TIMEOUT * 2, &mut back);
        assert_eq!((out.len(), back.len()), (1, 1), "nothing is sent twice");
    }

    #[test]
    fn unconfirmed_packets_are_repeated_at_growing_intervals() {
        let (mut here, mut out) = (ReliableChannel::default(), Vec::new());
        here.write(Time::ZERO, &batch(&[b"one"]), &mut out);
        let mut sent = Vec::new();
        for step in 1..=200 {
            let now = TIMEOUT * step;
            out.clear();
            here.tick(now, &mut out);
            sent.extend(out.iter().map(|_| step));
        }
        assert_eq!(sent[..6], [1, 3, 7, 15, 31, 47], "of {sent:?}");
        let confirmation = Packet { number: 0, has: 1, is_last: false, bytes: Vec::new() };
        here.read(TIMEOUT * 200, confirmation, &mut out).unwrap();
        out.clear();
        here.write(TIMEOUT * 200, &batch(&[b"two"]), &mut out);
        here.tick(TIMEOUT * 201, &mut out);
        assert_eq!(out.len(), 2, "a new message is repeated as soon as the first one was");
    }

    #[test]
    fn impossible_confirmations_and_overlong_messages_are_refused() {
        let mut channel = ReliableChannel::default();
        let packet = Packet { number: 0, has: 3, is_last: false, bytes: Vec::new() };
        assert!(channel.read(Time::ZERO, packet, &mut Vec::new()).is_err());
        let bytes = vec![0; PACKET];
        for number in 1..=(LONGEST / PACKET) as u64 {
            let packet = Packet { number, has: 0, is_last: false, bytes: bytes.clone() };
            assert_eq!(channel.read(Time::ZERO, packet, &mut Vec::new()), Ok(Vec::new()));
        }
        let number = (LONGEST / PACKET) as u64 + 1;
        let packet = Packet { number, has: 0, is_last: true, bytes };
        assert!(channel.read(Time::ZERO, packet, &mut Vec::new()).is_err());
    }

    #[test]
    fn a_batch_with_another_length_is_refused() {
        for bytes in [&[1, 0, 0, 0][..], &[5, 0, 0, 0, 1], &[0, 0, 0], &[255; 4]] {
            let packet = Packet { number: 1, has: 0, is_last: true, bytes: bytes.to_vec() };
            assert!(ReliableChannel::default().read(Time::ZERO, packet, &mut Vec::new()).is_err(), "{bytes:?}");
        }
    }
}
