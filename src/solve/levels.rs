//! Additional results of a level-synchronous search: the lines that are optimal for both sides, and counts per level.

use super::solution::texts;
use hasami_mate::{LevelCounts, LevelReport};
use hasami_words::Words;
use serde_json::{Value, json};

/// Returns sentences about a level-synchronous search. `is_open` states that the search ended without a decision; `all`
/// requests every optimal line.
pub fn sentences(levels: &LevelReport, is_open: bool, all: bool, words: &Words) -> Vec<String> {
    if levels.is_full || is_open {
        let none = match levels.complete {
            0 => None,
            level => Some(words.with("last-level", &[("level", level.into()), ("plies", (2 * level - 1).into())])),
        };
        if levels.is_full {
            let none = none.unwrap_or_else(|| words.get("no-level"));
            return vec![words.with("memory-is-full", &[("none", (&none).into())])];
        }
        // For undecided problems, another function reports the limit.
        return none.into_iter().collect();
    }
    if !all || levels.optimal_lines.is_empty() {
        return Vec::new();
    }
    let mut sentences = vec![words.count("optimal-lines", levels.lines)];
    // The first optimal line is left out, because it is the answer.
    sentences.extend(levels.optimal_lines.iter().skip(1).map(|line| texts(line).join(" ")));
    let left = levels.lines.saturating_sub(levels.optimal_lines.len() as u64);
    sentences.extend((left > 0).then(|| words.count("lines-more", left)));
    sentences
}

/// Returns a JSON object about a level-synchronous search, with counts of the propositions at each level
/// (docs/design/level-synchronous.md).
pub fn object(levels: &LevelReport) -> Value {
    let optimal_lines: Vec<_> = levels.optimal_lines.iter().map(|line| texts(line)).collect();
    let counts: Vec<Value> = levels.counts.iter().map(counts).collect();
    json!({
        "complete": levels.complete, "full": levels.is_full, "bytes": levels.bytes, "counts": counts,
        "optimal": {"lines": levels.lines, "listed": optimal_lines},
    })
}

fn counts(counts: &LevelCounts) -> Value {
    json!({
        "entries": counts.entries, "written": counts.written, "as_lines": counts.as_lines, "objects": counts.objects,
        "mates": counts.mates, "failures": counts.failures, "rule1": counts.by_rule_1, "rule2": counts.by_rule_2,
        "with_others": counts.with_others, "rule3": counts.read, "left": counts.left(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn levels(lines: u64, optimal_lines: &[&[&str]]) -> LevelReport {
        let line = |words: &&[&str]| words.iter().map(|m| m.parse().unwrap()).collect();
        LevelReport {
            lines,
            optimal_lines: optimal_lines.iter().map(line).collect(),
            complete: 2,
            ..LevelReport::default()
        }
    }

    #[test]
    fn optimal_lines_are_shown_to_composers() {
        let two = levels(2, &[&["G*5b"], &["G*5c"]]);
        assert_eq!(sentences(&two, false, true, Words::english()), ["2 lines are optimal for both sides", "G*5c"]);
        assert!(sentences(&two, false, false, Words::english()).is_empty());
        assert_eq!(
            sentences(&levels(1, &[&["G*5b"]]), false, true, Words::english()),
            ["one line is optimal for both sides"]
        );
        assert_eq!(
            sentences(&levels(7, &[&["G*5b"], &["G*5c"]]), false, true, Words::english()).last().unwrap(),
            "and 5 more"
        );
        assert!(sentences(&levels(0, &[]), false, true, Words::english()).is_empty(), "no mate");
    }

    #[test]
    fn full_memory_is_reported_with_the_last_level() {
        let full = LevelReport { is_full: true, ..levels(0, &[]) };
        let expected = "the memory is full; level 2 was the last: no mate in 3 plies or less";
        assert_eq!(sentences(&full, true, false, Words::english()), [expected]);
        let at_once = LevelReport { complete: 0, ..full };
        assert_eq!(sentences(&at_once, true, true, Words::english()), ["the memory is full; no level is complete"]);
    }

    #[test]
    fn any_other_end_is_reported_with_the_last_level() {
        let open = |complete| sentences(&LevelReport { complete, ..levels(0, &[]) }, true, true, Words::english());
        assert_eq!(open(3), ["level 3 was the last: no mate in 5 plies or less"]);
        assert_eq!(open(1), ["level 1 was the last: no mate in 1 ply"]);
        assert!(open(0).is_empty());
    }
}
