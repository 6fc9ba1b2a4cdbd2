//! Decides whether there is a mate of any length. All reachable positions are visited once, and mates are propagated
//! backwards. Without a test for a mate of any length, the search by levels would never end if the attacker could check
//! forever in new ways.

use super::writer::{ObjectQuestion, PredicateCount, Writer};
use hasami_api::{MateGame, PositionKey};
use std::collections::HashMap;

/// A group, and the number of its pairs that are not known to mate.
struct OpenGroup {
    position: usize,
    open: usize,
}

#[derive(Default)]
struct PlacedPosition {
    /// Index of the position from which `Whole::moves` lead to this one.
    before: usize,
    mates: bool,
    /// Groups with a pair that leads to this position.
    groups: Vec<usize>,
}

struct Whole<M> {
    positions: Vec<PlacedPosition>,
    moves: Vec<[M; 2]>,
    groups: Vec<OpenGroup>,
    index: HashMap<PositionKey, usize>,
    pairs: usize,
}

/// Decides whether there is a mate of any length. Returns `None` if the decision takes more bytes or moves than
/// allowed.
pub(super) fn has_mate<G: MateGame>(writer: &mut Writer<G>, most_bytes: usize) -> Option<bool> {
    let mut whole: Whole<G::Move> = Whole {
        positions: vec![PlacedPosition::default()],
        moves: Vec::new(),
        groups: Vec::new(),
        index: HashMap::from([(writer.place(), 0)]),
        pairs: 0,
    };
    let mut next = 0;
    while next < whole.positions.len() {
        if whole.positions[0].mates {
            return Some(true);
        }
        let way = whole.way(next);
        if writer.mates(&way).ok()?.is_empty() {
            let question = ObjectQuestion { way, gates: Vec::new() };
            let groups = writer.groups(&question, &mut PredicateCount::default()).ok()?;
            groups.into_iter().for_each(|(attack, pairs)| whole.add(next, attack, pairs));
        } else {
            whole.mate(next);
        }
        if whole.bytes() > most_bytes {
            return None;
        }
        next += 1;
    }
    Some(whole.positions[0].mates)
}

impl<M: Copy> Whole<M> {
    /// Returns a line from the root to a position, on which no position repeats.
    fn way(&self, mut position: usize) -> Vec<M> {
        let mut way = Vec::new();
        while position > 0 {
            let [attack, defence] = self.moves[position - 1];
            way.extend([defence, attack]);
            position = self.positions[position].before;
        }
        way.reverse();
        way
    }

    fn add(&mut self, position: usize, attack: M, pairs: Vec<(M, PositionKey)>) {
        let group = self.groups.len();
        self.groups.push(OpenGroup { position, open: pairs.len() });
        self.pairs += pairs.len();
        for (defence, place) in pairs {
            let after = *self.index.entry(place).or_insert_with(|| {
                self.positions.push(PlacedPosition { before: position, ..PlacedPosition::default() });
                self.moves.push([attack, defence]);
                self.positions.len() - 1
            });
            if self.positions[after].mates {
                self.groups[group].open -= 1;
            } else {
                self.positions[after].groups.push(group);
            }
        }
        if self.groups[group].open == 0 {
            self.mate(position);
        }
    }

    /// Marks a position as mate, and all positions from which that position can be forced.
    fn mate(&mut self, position: usize) {
        let mut known = vec![position];
        while let Some(position) = known.pop() {
            if std::mem::replace(&mut self.positions[position].mates, true) {
                continue;
            }
            for group in std::mem::take(&mut self.positions[position].groups) {
                let group = &mut self.groups[group];
                group.open -= 1;
                if group.open == 0 {
                    known.push(group.position);
                }
            }
        }
    }

    /// Memory used in bytes, including what a collection needs while it grows to twice its size.
    fn bytes(&self) -> usize {
        let links = (2 * self.pairs + 6 * self.positions.len()) * size_of::<usize>();
        let index = self.index.capacity() * (size_of::<(PositionKey, usize)>() + 1) * 3;
        let lists =
            self.positions.capacity() * size_of::<PlacedPosition>() + self.groups.capacity() * size_of::<OpenGroup>();
        links + index + 3 * (lists + self.moves.capacity() * size_of::<[M; 2]>())
    }
}
