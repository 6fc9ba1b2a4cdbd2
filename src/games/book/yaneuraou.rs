//! YaneuraOu's text format `.db` (`#YANEURAOU-DB2016 1.00`). Each position has a line `sfen <board> <side> <hands>
//! <ply>`, followed by a line `<move> <answer|none> <value|none> <depth|none> [<count>]` for each of its moves.
//! Positions may be in any order, and their plies are ignored.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::{BookError, Pages, flip};
use hasami_api::{Game, Score};
use hasami_protocol::settings::BookChoice;
use hasami_tree::manage::BookNote;
use hasami_words::text::{counted, visible};
use std::ops::Range;

/// Looks up positions in a text book, in memory or on disk.
pub(super) trait Lookup: Send {
    /// Returns the move lines of a position, which is given by the board, side to move and hands of its SFEN.
    fn lines(&self, key: &str) -> Option<String>;
}

/// A book in YaneuraOu's format, in memory or on disk.
pub(super) struct TextBook<L>(pub L);

/// A book in memory: its text, and the byte ranges of its positions.
pub(super) struct Yaneuraou {
    text: String,
    /// The positions of the book, sorted by the text at `key`.
    positions: Vec<BookPosition>,
}

struct BookPosition {
    /// Byte range of the board, side to move and hands.
    key: Range<usize>,
    /// Byte range of the move lines.
    moves: Range<usize>,
}

/// A move line of a book.
struct BookMove<'a> {
    text: &'a str,
    /// The book's value of the move, if there is one.
    value: Option<i64>,
    count: u32,
}

impl Yaneuraou {
    /// Reads a book. If lines were skipped, also returns a warning.
    pub fn read(bytes: Vec<u8>) -> Result<(Self, Option<BookError>), BookError> {
        // Comments may be in an encoding other than UTF-8, but all other text is ASCII.
        let text =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let (mut positions, skipped) = find_positions(&text);
        let warning = match (positions.is_empty(), skipped) {
            (false, SkippedLines { first: None, .. }) => None,
            (false, SkippedLines { count, first: Some(first) }) => {
                Some(BookError::Skipped { count: counted(count, "line"), first: Box::new(first) })
            }
            (true, SkippedLines { first, .. }) => {
                return Err(first.unwrap_or(BookError::Yaneuraou));
            }
        };
        positions.sort_by(|a, b| text.get(a.key.clone()).cmp(&text.get(b.key.clone())));
        Ok((Self { text, positions }, warning))
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
    /// Returns the move lines of the position, and whether they were found for the rotated position.
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

/// Number of skipped lines, and the error in the first one.
#[derive(Default)]
struct SkippedLines {
    count: u64,
    first: Option<BookError>,
}

/// Finds the positions in the text of a book. Unreadable lines are skipped; the moves below an unreadable `sfen` line
/// are skipped, too.
fn find_positions(text: &str) -> (Vec<BookPosition>, SkippedLines) {
    let (mut positions, mut skipped) = (Vec::<BookPosition>::new(), SkippedLines::default());
    let (mut begin, mut is_open) = (0, false);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = begin + line.len();
        // A byte order mark may precede the first line.
        let content = line.trim_start_matches('\u{feff}').trim();
        let mut bad = |expected| {
            let found: String = content.chars().take(40).collect();
            skipped.count += 1;
            let found = visible(&found);
            skipped.first.get_or_insert(BookError::Line { number: number + 1, expected, found });
        };
        if let Some(sfen) = content.strip_prefix("sfen ") {
            let key = key_of(sfen);
            is_open = key.is_some();
            match key {
                None => bad("'sfen <board> <b|w> <hands> <ply>'"),
                Some(key) => {
                    let offset = begin + line.find("sfen ").unwrap_or_default() + "sfen ".len();
                    positions.push(BookPosition { key: key.start + offset..key.end + offset, moves: end..end });
                }
            }
        } else if !(content.is_empty() || content.starts_with('#') || content.starts_with("//")) {
            match positions.last_mut().filter(|_| is_open) {
                _ if candidate(content).is_none() => bad("'sfen ...' or '<move> <answer> <value> <depth> [<count>]'"),
                None => bad("'sfen ...'"),
                Some(position) => position.moves.end = end,
            }
        }
        begin = end;
    }
    (positions, skipped)
}

/// Reads the answer, the value and its depth from a move line.
fn note(line: &str, turn: impl Fn(&str) -> String) -> BookNote {
    let mut words = line.split_ascii_whitespace().skip(1);
    let reply = words.next().filter(|&word| word != "none").and_then(|word| turn(word).parse().ok());
    let value = words.next().and_then(|word| word.parse::<i32>().ok());
    let depth = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    BookNote { reply, value: value.map(|value| (Score::cp(value), depth)) }
}

/// Returns the byte range of an SFEN's board, side to move and hands.
pub(super) fn key_of(sfen: &str) -> Option<Range<usize>> {
    let end = sfen.match_indices(' ').nth(2).map_or(sfen.len(), |(index, _)| index);
    let fields = sfen.get(..end)?.split(' ');
    (fields.clone().count() == 3 && fields.clone().all(|field| !field.is_empty())).then_some(0..end)
}

fn candidate(line: &str) -> Option<BookMove<'_>> {
    // Earlier versions of ShogiHome left columns empty instead of writing `none`.
    let columns: Vec<&str> = line.trim_end().split(' ').collect();
    let is_in_columns = matches!(columns[..], [_, answer, _, _, _] if !answer.is_empty());
    let words = if is_in_columns { columns } else { line.split_ascii_whitespace().collect() };
    let mut words = words.into_iter();
    let text = words.next().filter(|word| !(word.is_empty() || word.starts_with('#') || word.starts_with("//")))?;
    let _answer = words.next()?;
    let value = match words.next() {
        None | Some("none" | "") => None,
        Some(word) => Some(word.parse().ok()?),
    };
    let _depth = words.next();
    let count = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    Some(BookMove { text, value, count })
}

/// Returns the moves with their weights, the best first. The weight is how often the move was played or, if the book
/// has no counts, increases with the move's value. Moves that are worse than the best by more than `gap` centipawns are
/// left out. A move without a value counts as `gap` centipawns worse than the best.
fn weighed(mut candidates: Vec<BookMove<'_>>, gap: i64) -> Vec<(&str, u32)> {
    let best = candidates.iter().filter_map(|candidate| candidate.value).max();
    let behind = |value: Option<i64>| match (best, value) {
        (Some(best), Some(value)) => best.saturating_sub(value),
        (Some(_), None) => gap,
        (None, _) => 0,
    };
    candidates.retain(|candidate| behind(candidate.value) <= gap);
    if candidates.iter().all(|candidate| candidate.count <= 1) {
        for candidate in &mut candidates {
            let spare = gap.saturating_sub(behind(candidate.value));
            candidate.count = u32::try_from(spare.saturating_add(1)).unwrap_or_default();
        }
    }
    candidates.sort_by_key(|candidate| (std::cmp::Reverse(candidate.count), behind(candidate.value)));
    candidates.iter().filter(|c| c.count > 0).map(|c| (c.text, c.count)).collect()
}
