//! YaneuraOu's `.db` text (`#YANEURAOU-DB2016 1.00`): a line `sfen <board> <side> <hands> <ply>` for a position, then a
//! line `<move> <answer|none> <value> <depth> [<count>]` for each of its moves. Positions may come in any order, and
//! their ply does not matter.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::{Pages, flip};
use crate::manager::BookNote;
use crate::protocol::settings::BookChoice;
use crate::words::Message;
use hasami_api::{Game, Score};
use std::ops::Range;

/// Where the text of a book is.
pub(super) trait Lookup: Send {
    /// The lines of moves of a position: board, side and hands of its SFEN.
    fn lines(&self, key: &str) -> Option<String>;
}

/// A book, wherever its text is.
pub(super) struct TextBook<L>(pub L);

/// A book in memory: the text, and where its positions are.
pub(super) struct Yaneuraou {
    text: String,
    /// Sorted by the text of `key`.
    positions: Vec<BookPosition>,
}

struct BookPosition {
    /// Board, side and hands.
    key: Range<usize>,
    /// The lines of its moves.
    moves: Range<usize>,
}

/// One move of a position.
struct BookMove<'a> {
    text: &'a str,
    value: i64,
    count: u32,
}

impl Yaneuraou {
    pub fn read(bytes: Vec<u8>) -> Result<Self, String> {
        // Comments may be in another encoding; what counts is ASCII.
        let text =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let mut positions = find_positions(&text)?;
        positions.sort_by(|a, b| text.get(a.key.clone()).cmp(&text.get(b.key.clone())));
        Ok(Self { text, positions })
    }
}

impl Lookup for Yaneuraou {
    fn lines(&self, key: &str) -> Option<String> {
        let slice = |range: &Range<usize>| self.text.get(range.clone()).unwrap_or_default();
        let index = self.positions.binary_search_by(|position| slice(&position.key).cmp(key)).ok()?;
        self.positions.get(index).map(|position| slice(&position.moves).to_owned())
    }
}

impl<L: Lookup> TextBook<L> {
    /// The lines of moves of a position, and whether they are those of the same position seen from the other side.
    fn lines_at<G: Game>(&self, game: &G, choice: &BookChoice) -> Option<(String, bool)> {
        let sfen = game.to_text();
        let key = sfen.get(key_of(&sfen)?)?;
        let as_it_is = self.0.lines(key).map(|lines| (lines, false));
        as_it_is.or_else(|| Some((self.0.lines(&flip::position(key).filter(|_| choice.flipped)?)?, true)))
    }
}

impl<G: Game, L: Lookup> Pages<G> for TextBook<L> {
    fn note(&self, game: &G, m: G::Move, choice: &BookChoice) -> BookNote {
        let Some((lines, is_turned)) = self.lines_at(game, choice) else { return BookNote::default() };
        let turn = |text: &str| if is_turned { flip::move_text(text) } else { text.to_owned() };
        let is_it = |line: &&str| {
            let text = line.split_ascii_whitespace().next().unwrap_or_default();
            game.parse_move(&turn(text)).ok() == Some(m)
        };
        lines.lines().find(is_it).map_or_else(BookNote::default, |line| note(line, turn))
    }

    fn moves(&self, game: &G, choice: &BookChoice) -> Vec<(G::Move, u32)> {
        let Some((lines, is_turned)) = self.lines_at(game, choice) else { return Vec::new() };
        let read = |text: &str| if is_turned { game.parse_move(&flip::move_text(text)) } else { game.parse_move(text) };
        let legal = |(text, weight): (&str, u32)| Some((read(text).ok()?, weight));
        let candidates = lines.lines().filter_map(candidate).collect();
        weighed(candidates, choice.value_gap.into()).into_iter().filter_map(legal).collect()
    }
}

fn find_positions(text: &str) -> Result<Vec<BookPosition>, Message> {
    let mut positions: Vec<BookPosition> = Vec::new();
    let mut begin = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = begin + line.len();
        let content = line.trim();
        let bad = |expected: &str| {
            let found: String = content.chars().take(40).collect();
            let why = Message::new("expected-in-book").with("expected", expected).with("found", found);
            Err(why.at(Message::new("line-number").with("number", number + 1)))
        };
        if let Some(sfen) = content.strip_prefix("sfen ") {
            let Some(key) = key_of(sfen) else { return bad("'sfen <board> <b|w> <hands> <ply>'") };
            let offset = begin + line.find("sfen ").unwrap_or_default() + "sfen ".len();
            positions.push(BookPosition { key: key.start + offset..key.end + offset, moves: end..end });
        } else if !(content.is_empty() || content.starts_with('#') || content.starts_with("//")) {
            if candidate(content).is_none() {
                return bad("'sfen ...' or '<move> <answer> <value> <depth> [<count>]'");
            }
            let Some(position) = positions.last_mut() else { return bad("'sfen ...'") };
            position.moves.end = end;
        }
        begin = end;
    }
    if positions.is_empty() { Err(Message::new("expected-yaneuraou-book")) } else { Ok(positions) }
}

/// The answer and the value of a line of moves.
fn note(line: &str, turn: impl Fn(&str) -> String) -> BookNote {
    let mut words = line.split_ascii_whitespace().skip(1);
    let reply = words.next().filter(|&word| word != "none").and_then(|word| turn(word).parse().ok());
    let value = words.next().and_then(|word| word.parse::<i32>().ok());
    let depth = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    BookNote { reply, value: value.map(|value| (Score::cp(value), depth)) }
}

/// Where board, side and hands stand in an SFEN.
pub(super) fn key_of(sfen: &str) -> Option<Range<usize>> {
    let end = sfen.match_indices(' ').nth(2).map_or(sfen.len(), |(index, _)| index);
    let fields = sfen.get(..end)?.split(' ');
    (fields.clone().count() == 3 && fields.clone().all(|field| !field.is_empty())).then_some(0..end)
}

fn candidate(line: &str) -> Option<BookMove<'_>> {
    let mut words = line.split_ascii_whitespace();
    let text = words.next().filter(|word| !word.starts_with('#') && !word.starts_with("//"))?;
    let _answer = words.next()?;
    let value = words.next().map_or(Some(0), |word| word.parse().ok())?;
    let _depth = words.next();
    let count = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    Some(BookMove { text, value, count })
}

/// Moves with weights, best first: by how often they were played where the book counts that, else by their values. None is
/// worse than the best one by more than `gap` centipawns.
fn weighed(mut candidates: Vec<BookMove<'_>>, gap: i64) -> Vec<(&str, u32)> {
    let best = candidates.iter().map(|candidate| candidate.value).max().unwrap_or_default();
    candidates.retain(|candidate| best.saturating_sub(candidate.value) <= gap);
    if candidates.iter().all(|candidate| candidate.count <= 1) {
        for candidate in &mut candidates {
            let spare = gap.saturating_sub(best.saturating_sub(candidate.value));
            candidate.count = u32::try_from(spare.saturating_add(1)).unwrap_or_default();
        }
    }
    candidates.sort_by_key(|candidate| std::cmp::Reverse((candidate.count, candidate.value)));
    candidates.iter().filter(|c| c.count > 0).map(|c| (c.text, c.count)).collect()
}
