//! Chooses a set: so many of each length and kind, the best ones, and not too many that have the same ancestor.

use crate::diagram::Diagram;
use crate::judge::Unique;
use crate::row::Row;
use std::collections::{BTreeMap, HashMap, HashSet};

pub struct Choice {
    /// Of each length, of a kind.
    pub composed: usize,
    pub game: usize,
    /// Of one length with one ancestor.
    pub of_family: usize,
    /// Of all lengths with one end of the main line.
    pub of_end: usize,
    /// The longest, in plies.
    pub longest: u16,
}

impl Choice {
    /// In the order of length and difficulty, with names. What is in `except`, or mirrors it, stays out.
    pub fn choose(&self, rows: Vec<Row>, except: &[Diagram]) -> Result<Vec<Row>, String> {
        let mut seen: HashSet<String> = except.iter().map(Diagram::key).collect();
        let mut kept: HashMap<(u16, String), usize> = HashMap::new();
        let mut families: HashMap<(u16, String), usize> = HashMap::new();
        let mut ends: HashMap<String, usize> = HashMap::new();
        let mut chosen = Vec::new();
        let mut rows: Vec<Row> = rows.into_iter().filter(|row| row.plies <= self.longest).collect();
        rows.sort_by_key(|row| Unique::of_word(row.note("unique")).unwrap_or(Unique::No));
        for row in rows {
            let most = if row.note("kind") == "composed" { self.composed } else { self.game };
            let kind = kept.entry((row.plies, row.note("kind").to_owned())).or_default();
            let family = families.entry((row.plies, row.note("family").to_owned())).or_default();
            let end = ends.entry(end_of(row.note("line"))).or_default();
            let has_room =
                *kind < most && *family < self.of_family && (*end < self.of_end || row.note("line").is_empty());
            if has_room && seen.insert(Diagram::parse(&row.position)?.key()) {
                (*kind, *family, *end) = (*kind + 1, *family + 1, *end + 1);
                chosen.push(row);
            }
        }
        Ok(named(chosen))
    }
}

/// The last three plies of a line, the same for its mirror image.
fn end_of(line: &str) -> String {
    let moves: Vec<&str> = line.split(' ').collect();
    let end = moves[moves.len().saturating_sub(3)..].join(" ");
    // A digit is a file.
    let mirror = |c: char| if c.is_ascii_digit() { char::from(b'1' + b'9' - c as u8) } else { c };
    let mirrored: String = end.chars().map(mirror).collect();
    end.min(mirrored)
}

/// Names count in the order of length and difficulty; the first name is kept as the origin.
pub fn named(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|row| (row.plies, row.note("nodes").parse::<u64>().unwrap_or(0)));
    let mut numbers: BTreeMap<u16, usize> = BTreeMap::new();
    for row in &mut rows {
        let number = numbers.entry(row.plies).or_default();
        *number += 1;
        let old = std::mem::replace(&mut row.name, format!("h{:02}-{number:03}", row.plies));
        let origin = if row.note("origin").is_empty() { old } else { row.note("origin").to_owned() };
        *row = row.clone().with("origin", origin);
    }
    rows
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const KINGS: [&str; 5] = ["k8", "1k7", "2k6", "3k5", "8k"];

    fn rows() -> Vec<Row> {
        let position = |king: &str| format!("{king}/9/9/9/9/9/9/9/9 b G 1");
        let row = |i: usize, plies, kind: &str, unique: &str, nodes: u32| {
            let row = Row::new(position(KINGS[i]), format!("g1-{i}"), plies).with("kind", kind);
            row.with("unique", unique).with("family", "f").with("nodes", nodes)
        };
        vec![
            row(0, 3, "composed", "no", 5),
            row(1, 3, "composed", "yes", 20),
            row(2, 3, "composed", "yes", 10),
            row(3, 1, "game", "undecided", 7),
            // The mirror image of the first.
            row(4, 3, "composed", "yes", 30),
        ]
    }

    fn names(choice: &Choice, except: &[Diagram]) -> Vec<(String, String)> {
        let chosen = choice.choose(rows(), except).unwrap();
        chosen.iter().map(|row| (row.name.clone(), row.note("origin").to_owned())).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(name, origin)| (name.to_owned(), origin.to_owned())).collect()
    }

    #[test]
    fn the_best_are_chosen_and_named_by_length_and_difficulty() {
        let choice = Choice { composed: 9, game: 9, of_family: 9, of_end: 9, longest: 17 };
        let all = [("h01-001", "g1-3"), ("h03-001", "g1-2"), ("h03-002", "g1-1"), ("h03-003", "g1-4")];
        assert_eq!(names(&choice, &[]), pairs(&all));
        let two = Choice { composed: 2, ..choice };
        assert_eq!(names(&two, &[]), pairs(&all[..3]));
        let one = Choice { composed: 2, of_family: 1, ..two };
        assert_eq!(names(&one, &[]), pairs(&[("h01-001", "g1-3"), ("h03-001", "g1-1")]));
        assert_eq!(names(&Choice { longest: 1, ..one }, &[]), pairs(&all[..1]));
    }

    #[test]
    fn ends_are_alike_mirrored_or_not() {
        assert_eq!(end_of("7g7f 9b8a S*8c 8a9a 9d9c+"), end_of("1d1c 2a1a+ S*2c 2a1a 1d1c+"));
        assert_ne!(end_of("S*8c 9b8a 9d9c"), end_of("S*8c 9b8a 9d9c+"));
        let with = |line: &str| rows().into_iter().map(|row| row.with("line", line)).collect::<Vec<_>>();
        let choice = Choice { composed: 9, game: 9, of_family: 9, of_end: 2, longest: 17 };
        assert_eq!(choice.choose(with("S*8c 9b8a 9d9c"), &[]).unwrap().len(), 2);
        assert_eq!(choice.choose(with(""), &[]).unwrap().len(), 4);
    }

    #[test]
    fn what_is_known_from_elsewhere_stays_out_mirrored_or_not() {
        let choice = Choice { composed: 9, game: 9, of_family: 9, of_end: 9, longest: 17 };
        let known = Diagram::parse("8k/9/9/9/9/9/9/9/9 b G 1").unwrap();
        assert_eq!(names(&choice, &[known]), names(&choice, &[known.mirrored()]));
        assert_eq!(names(&choice, &[known]).len(), 3);
        let chosen = choice.choose(rows(), &[]).unwrap();
        let again = choice.choose(chosen.clone(), &[]).unwrap();
        assert_eq!(again, chosen, "the origin stays");
    }
}
