//! Letters in order and without gaps between a host and a cell, over messages that may be lost.
//!
//! Each side numbers the pieces of what it writes and keeps them until the other says that it has them; what is not
//! confirmed in time is sent again from there on. A letter is a line of text, and several may go together: a message costs
//! more than the bytes in it. Pure: pieces and moments in, pieces out.

use crate::event::Time;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Bytes of a piece, and of the longest letters that go together.
const PIECE: usize = 32 << 10;
const LONGEST: usize = 8 << 20;
/// Pieces that may be on their way.
const WINDOW: usize = 64;
/// What is not confirmed by then is sent again, and again after twice as long each time, so often twice: whoever is slow
/// is not buried under what it already has.
const PATIENCE: Duration = Duration::from_millis(300);
const MOST_DOUBLINGS: u32 = 4;
/// So many pieces are confirmed before the next moment, where there is nothing else to say.
const TOGETHER: u64 = 8;

/// Letters with so many bytes are not kept for others to go with them.
pub const FULL: usize = PIECE / 2;

/// One more of the letters that go together.
pub fn add_line(letters: &mut String, letter: &str) {
    if !letters.is_empty() {
        letters.push('\n');
    }
    letters.push_str(letter);
}

/// One message of a stream.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// From 1; 0: nothing but a confirmation.
    number: u64,
    /// The other's pieces up to this one have come.
    has: u64,
    /// What goes together ends with it.
    is_last: bool,
    text: String,
}

/// One side of a stream.
#[derive(Default)]
pub struct Stream {
    /// Not yet confirmed, the oldest first; of these, so many are on their way.
    outgoing: VecDeque<Piece>,
    under_way: usize,
    written: u64,
    /// When the oldest of them is sent again, and how often they were since something was confirmed.
    again: Time,
    repeats: u32,
    received: u64,
    confirmed: u64,
    /// What came before what it follows.
    early: BTreeMap<u64, (bool, String)>,
    /// The beginning of letters that go together.
    part: String,
}

impl Stream {
    /// Letters for the other side, a line each.
    pub fn write(&mut self, now: Time, letters: &str, out: &mut Vec<Piece>) {
        let mut rest = letters;
        loop {
            let (text, after) = rest.split_at(floor(rest, PIECE));
            self.written += 1;
            let is_last = after.is_empty();
            self.outgoing.push_back(Piece { number: self.written, has: 0, is_last, text: text.to_owned() });
            if is_last {
                break;
            }
            rest = after;
        }
        self.send(now, out);
    }

    /// A piece has come; the letters that it completes.
    pub fn read(&mut self, now: Time, piece: Piece, out: &mut Vec<Piece>) -> Result<Vec<String>, String> {
        let Piece { number, has, is_last, text } = piece;
        if has > self.written {
            return Err(format!("expected no confirmation beyond piece {}, found {has}", self.written));
        }
        let known = self.outgoing.front().map_or(self.written, |oldest| oldest.number - 1);
        for _ in known..has {
            self.outgoing.pop_front();
            self.under_way = self.under_way.saturating_sub(1);
            (self.repeats, self.again) = (0, now + PATIENCE);
        }
        self.send(now, out);
        if number == 0 {
            return Ok(Vec::new());
        }
        if number > self.received && number <= self.received + WINDOW as u64 {
            self.early.insert(number, (is_last, text));
        }
        let mut letters = Vec::new();
        let before = self.received;
        while let Some((is_last, text)) = self.early.remove(&(self.received + 1)) {
            self.received += 1;
            if self.part.len() + text.len() > LONGEST {
                return Err(format!("expected a letter of at most {LONGEST} bytes, found a longer one"));
            }
            self.part.push_str(&text);
            if is_last {
                letters.extend(std::mem::take(&mut self.part).split('\n').map(str::to_owned));
            }
        }
        // Doubled, or beyond a gap: the other learns what is here.
        let is_odd = self.received == before;
        if is_odd || self.received - self.confirmed >= TOGETHER {
            self.confirm(out);
        }
        Ok(letters)
    }

    /// What was not confirmed in time is sent again; what has come and was not answered is confirmed.
    pub fn tick(&mut self, now: Time, out: &mut Vec<Piece>) {
        if self.under_way > 0 && now >= self.again {
            self.under_way = 0;
            self.repeats = (self.repeats + 1).min(MOST_DOUBLINGS);
            self.send(now, out);
        }
        if self.received > self.confirmed {
            self.confirm(out);
        }
    }

    fn confirm(&mut self, out: &mut Vec<Piece>) {
        // What goes out with this confirms as well.
        self.confirmed = self.received;
        match out.last_mut() {
            Some(last) => last.has = self.received,
            None => out.push(Piece { number: 0, has: self.received, is_last: false, text: String::new() }),
        }
    }

    fn send(&mut self, now: Time, out: &mut Vec<Piece>) {
        if self.under_way == 0 {
            self.again = now + PATIENCE * (1 << self.repeats);
        }
        let ready = self.outgoing.len().min(WINDOW);
        for piece in self.outgoing.range(self.under_way..ready.max(self.under_way)) {
            out.push(Piece { has: self.received, ..piece.clone() });
        }
        if ready > self.under_way {
            self.confirmed = self.received;
        }
        self.under_way = self.under_way.max(ready);
    }
}

/// The last place up to `most` at which the text can be cut.
fn floor(text: &str, most: usize) -> usize {
    let end = text.len().min(most);
    (0..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    /// Two streams over a network that loses, doubles and reorders; what each side has read.
    fn talk(seed: u64, loss: u32, letters: &[Vec<String>; 2]) -> ([Vec<String>; 2], usize) {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut sides = [Stream::default(), Stream::default()];
        let mut read = [Vec::new(), Vec::new()];
        let mut wire: Vec<(Time, usize, Piece)> = Vec::new();
        let (mut now, mut sent) = (Time::ZERO, 0);
        let mut out = Vec::new();
        for step in 0..4_000 {
            now += Duration::from_millis(5);
            for side in 0..2 {
                if let Some(letter) = letters[side].get(step / 2).filter(|_| step % 2 == 0) {
                    sides[side].write(now, letter, &mut out);
                }
                sides[side].tick(now, &mut out);
                for piece in out.drain(..) {
                    sent += 1;
                    let copies = [1, 1, 1, 1, 2][rng.random_range(0..5)];
                    for _ in 0..copies {
                        if rng.random_range(0..100) >= loss {
                            wire.push((now + Duration::from_millis(rng.random_range(0..40)), 1 - side, piece.clone()));
                        }
                    }
                }
            }
            let (due, later): (Vec<_>, Vec<_>) = wire.drain(..).partition(|(at, ..)| *at <= now);
            wire = later;
            for (_, side, piece) in due {
                read[side].extend(sides[side].read(now, piece, &mut out).unwrap());
                wire.extend(out.drain(..).map(|piece| (now + Duration::from_millis(10), 1 - side, piece)));
            }
        }
        assert!(sides.iter().all(|side| side.outgoing.is_empty()), "all was confirmed");
        (read, sent)
    }

    #[test]
    fn letters_arrive_whole_and_in_order_over_a_bad_network() {
        for (seed, loss) in [(1, 0), (2, 10), (3, 30)] {
            let letters = |side: usize| -> Vec<String> {
                (0..60).map(|n| format!("{side}:{n}:{}", "x".repeat(n * 977 % 5 * PIECE / 2))).collect()
            };
            let letters = [letters(0), letters(1)];
            let (read, sent) = talk(seed, loss, &letters);
            assert_eq!((&read[1], &read[0]), (&letters[0], &letters[1]), "seed {seed}");
            println!("loss {loss} %: {sent} pieces");
        }
    }

    #[test]
    fn letters_that_go_together_are_one_message_each_way() {
        let (mut here, mut there) = (Stream::default(), Stream::default());
        let (mut letters, mut out) = (String::new(), Vec::new());
        ["one", "two", "three"].iter().for_each(|letter| add_line(&mut letters, letter));
        here.write(Time::ZERO, &letters, &mut out);
        let [piece] = out.as_slice() else { panic!("expected a piece, found {out:?}") };
        let mut back = Vec::new();
        assert_eq!(there.read(Time::ZERO, piece.clone(), &mut back).unwrap(), ["one", "two", "three"]);
        assert_eq!(back, [], "an answer may confirm it");
        there.tick(Time::ZERO, &mut back);
        let [confirmation] = back.as_slice() else { panic!("expected a confirmation, found {back:?}") };
        assert_eq!(here.read(Time::ZERO, confirmation.clone(), &mut Vec::new()), Ok(Vec::new()));
        here.tick(PATIENCE * 2, &mut out);
        there.tick(PATIENCE * 2, &mut back);
        assert_eq!((out.len(), back.len()), (1, 1), "nothing is said twice");
    }

    #[test]
    fn who_does_not_answer_is_asked_less_and_less_often() {
        let (mut here, mut out) = (Stream::default(), Vec::new());
        here.write(Time::ZERO, "one", &mut out);
        let mut sent = Vec::new();
        for step in 1..=200 {
            let now = PATIENCE * step;
            out.clear();
            here.tick(now, &mut out);
            sent.extend(out.iter().map(|_| step));
        }
        assert_eq!(sent[..6], [1, 3, 7, 15, 31, 47], "of {sent:?}");
        let confirmation = Piece { number: 0, has: 1, is_last: false, text: String::new() };
        here.read(PATIENCE * 200, confirmation, &mut out).unwrap();
        out.clear();
        here.write(PATIENCE * 200, "two", &mut out);
        here.tick(PATIENCE * 201, &mut out);
        assert_eq!(out.len(), 2, "a new letter is repeated as soon as the first one was");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut stream = Stream::default();
        let piece = Piece { number: 0, has: 3, is_last: false, text: String::new() };
        assert!(stream.read(Time::ZERO, piece, &mut Vec::new()).is_err());
        let text = "x".repeat(PIECE);
        for number in 1..=(LONGEST / PIECE) as u64 {
            let piece = Piece { number, has: 0, is_last: false, text: text.clone() };
            assert_eq!(stream.read(Time::ZERO, piece, &mut Vec::new()), Ok(Vec::new()));
        }
        let number = (LONGEST / PIECE) as u64 + 1;
        let piece = Piece { number, has: 0, is_last: true, text };
        assert!(stream.read(Time::ZERO, piece, &mut Vec::new()).is_err());
    }

    #[test]
    fn a_piece_is_cut_between_characters() {
        let letter = "あ".repeat(PIECE);
        let mut out = Vec::new();
        Stream::default().write(Time::ZERO, &letter, &mut out);
        assert_eq!(out.iter().map(|piece| piece.text.as_str()).collect::<String>(), letter);
    }
}
