//! Counts the results of many problems, and compares answers with the recorded ones.

use super::extras::Soundness;
use super::problem::{MateProblem, Recorded};
use super::replay::{Standard, replay};
use super::solution::{DifferenceKind, ProblemKind, Solution};
use hasami_api::{MateAnswer, MoveText};
use hasami_catalog::Catalog;
use hasami_mate::MateRules;
use hasami_words::{Message, Words};
use std::time::Duration;

/// Counts of the results so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SolveTally {
    /// The kind of solution that the search looks for.
    pub kind: ProblemKind,
    pub problems: usize,
    pub brinkmates: usize,
    pub mates: usize,
    pub no_mates: usize,
    pub unknown: usize,
    /// Number of answers whose shortest length was requested but not decided.
    pub open_lengths: usize,
    /// Number of sound, cooked and undecided problems, if their other mating moves were examined.
    pub soundness: [usize; 3],
    pub nodes: u64,
    pub took: Duration,
}

impl SolveTally {
    pub fn add(&mut self, solution: &Solution) {
        self.problems += 1;
        match solution.answer {
            MateAnswer::Mate(_) if solution.kind == ProblemKind::Brinkmate => self.brinkmates += 1,
            MateAnswer::Mate(_) => self.mates += 1,
            MateAnswer::NoMate => self.no_mates += 1,
            MateAnswer::Unknown => self.unknown += 1,
        }
        self.open_lengths += usize::from(solution.may_be_shorter);
        if let (Some(line), Some(others)) = (solution.mate(), &solution.others) {
            self.soundness[Soundness::of(others, line.len()) as usize] += 1;
        }
        self.nodes += solution.nodes;
        self.took += solution.took;
    }

    /// Returns the summary as one line of text.
    pub fn text(&self, words: &Words) -> String {
        let problems = words.count("counted-problems", self.problems as u64);
        let (mates, none, unknown) = (self.mates.into(), self.no_mates.into(), self.unknown.into());
        let values = [("problems", (&problems).into()), ("mates", mates), ("none", none), ("unknown", unknown)];
        let mut text = match self.kind {
            ProblemKind::Mate => words.with("sum-mates", &values),
            ProblemKind::Brinkmate => {
                words.with("sum-brinkmates", &[&values[..], &[("brinkmates", self.brinkmates.into())]].concat())
            }
        };
        if self.open_lengths > 0 {
            text += &words.count("sum-open-lengths", self.open_lengths as u64);
        }
        let [sound, cooked, open] = self.soundness;
        if sound + cooked + open > 0 {
            let values = [("sound", sound.into()), ("cooked", cooked.into()), ("open", open.into())];
            text += &words.with("sum-cooks", &values);
        }
        let seconds = self.took.as_secs_f64();
        let speed = format!("{:.0}", self.nodes as f64 / seconds.max(1e-9));
        let seconds = format!("{seconds:.3}");
        let effort = [("nodes", self.nodes.into()), ("seconds", (&seconds).into()), ("speed", (&speed).into())];
        text + &words.with("sum-effort", &effort)
    }
}

/// How an answer differs from the recorded one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub text: String,
    pub kind: DifferenceKind,
}

/// How the plies of an answer are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LengthStandard {
    /// The length of the line found by the search, which may not be the shortest.
    #[default]
    Any,
    /// The shortest length, counting every move. Records that leave out futile interpositions state smaller lengths.
    Strict,
    /// The shortest length as composers count it.
    Composers,
}

/// Compares an answer with the recorded one, if both are known. `wanted` is the kind of solution that the search looked
/// for, and `write` formats a line.
pub fn difference(
    wanted: ProblemKind,
    recorded: Option<Recorded>,
    solution: &Solution,
    lengths: LengthStandard,
    write: impl Fn(&[MoveText]) -> String,
    words: &Words,
) -> Option<Difference> {
    let recorded = recorded?;
    let found = match &solution.answer {
        MateAnswer::Mate(moves) => Recorded::Mate(u32::try_from(moves.len()).unwrap_or(u32::MAX)),
        // A longer mate than the ply limit may exist.
        MateAnswer::NoMate if solution.is_bounded_none() => return None,
        MateAnswer::NoMate => Recorded::NoMate,
        MateAnswer::Unknown => return None,
    };
    let is_other_kind = solution.mate().is_some() && solution.kind != wanted;
    let is_false = is_other_kind || (recorded == Recorded::NoMate) != (found == Recorded::NoMate);
    let (expected, answered) = (recorded.of(wanted, words), found.of(solution.kind, words));
    let kind = match (recorded, found) {
        _ if is_false => DifferenceKind::False,
        (Recorded::Mate(recorded), Recorded::Mate(found)) if wanted == ProblemKind::Mate => match lengths {
            LengthStandard::Strict | LengthStandard::Composers if found < recorded => DifferenceKind::Early,
            LengthStandard::Composers if found > recorded && !solution.may_be_shorter => DifferenceKind::Longer,
            _ => DifferenceKind::Length,
        },
        _ => DifferenceKind::Length,
    };
    let line = write(solution.mate().unwrap_or_default());
    let values = [("expected", (&expected).into()), ("found", (&answered).into()), ("line", (&line).into())];
    let text = match kind {
        DifferenceKind::Early => words.with("recorded-is-early", &values),
        DifferenceKind::Longer => words.with("recorded-is-longer", &values),
        DifferenceKind::False | DifferenceKind::Length => words.with("expected-found", &values[..2]),
    };
    (recorded != found || is_other_kind).then_some(Difference { text, kind })
}

/// Finds a recorded solution that is wrong by the rules of the game.
pub fn false_record(
    game: &dyn Catalog,
    problem: &MateProblem,
    wanted: ProblemKind,
    standard: Standard,
    words: &Words,
) -> Option<Difference> {
    // Whatever the counting rule, records may leave out futile moves at the end.
    let standard = Standard { rules: MateRules::Tsume, ..standard };
    let fault = |moves: &Vec<String>| match wanted {
        ProblemKind::Mate => replay(game, problem, moves, standard, words).err(),
        // Only the moves of a brinkmate are checked, because a line alone proves nothing.
        ProblemKind::Brinkmate => {
            game.typed_line(&problem.line, &moves.join(" ")).err().map(|fault| Message::from(fault).said(words))
        }
    };
    let why = problem.solutions.iter().find_map(fault)?;
    let text = words.with("recorded-is-false", &[("why", (&why).into())]);
    Some(Difference { text, kind: DifferenceKind::False })
}

/// Compares an answer of the recorded length with the only correct first move.
pub fn other_first(problem: &MateProblem, solution: &Solution, words: &Words) -> Option<Difference> {
    let (first, moves) = (problem.first?, solution.mate()?);
    let found = moves.first().filter(|&&found| found != first)?;
    let is_recorded = matches!(problem.recorded, Some(Recorded::Mate(plies)) if plies as usize == moves.len());
    let values = [("expected", first.to_string()), ("found", found.to_string())];
    let text = words.with("expected-first", &values.each_ref().map(|(key, text)| (*key, text.into())));
    is_recorded.then_some(Difference { text, kind: DifferenceKind::False })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_words::Language;

    fn written(moves: &[MoveText]) -> String {
        moves.iter().map(MoveText::to_string).collect::<Vec<_>>().join(" ")
    }

    fn mate(plies: usize) -> MateAnswer {
        MateAnswer::Mate(vec!["7g7f".parse().unwrap(); plies])
    }

    #[test]
    fn a_tally_counts_answers_nodes_and_time() {
        let mut tally = SolveTally::default();
        assert!(tally.text(Words::english()).ends_with("0 nodes in 0.000 s, 0 a second"), "{tally:?}");
        for answer in [mate(3), mate(1), MateAnswer::NoMate, MateAnswer::Unknown] {
            tally.add(&Solution { answer, nodes: 500, took: Duration::from_millis(250), ..Solution::default() });
        }
        let expected = "4 problems: 2 with a mate, 1 without a mate, 1 unknown; 2000 nodes in 1.000 s, 2000 a second";
        assert_eq!(tally.text(Words::english()), expected);
    }

    #[test]
    fn the_only_first_move_is_expected_of_an_answer_of_the_recorded_length() {
        let game = hasami_games::find("shogi").unwrap();
        let problem = MateProblem::new("x", "4k4/9/4P4/9/9/9/9/9/9 b G 1", game).unwrap();
        let compare = |first: &str, plies| {
            let (first, recorded) = (Some(first.parse().unwrap()), Some(Recorded::Mate(1)));
            let solution = Solution { answer: mate(plies), ..Solution::default() };
            other_first(&MateProblem { first, recorded, ..problem.clone() }, &solution, Words::english())
        };
        let text = "the first move is 7g7f; only 2g2f is correct".to_owned();
        assert_eq!(compare("2g2f", 1), Some(Difference { text, kind: DifferenceKind::False }));
        assert_eq!(compare("7g7f", 1), None);
        assert_eq!(compare("2g2f", 3), None, "a longer way may begin otherwise");
    }

    #[test]
    fn only_a_false_answer_is_false() {
        let solved = |answer| Solution { answer, ..Solution::default() };
        let compare = |recorded, answer| {
            let any = LengthStandard::Any;
            let found = difference(ProblemKind::Mate, Some(recorded), &solved(answer), any, written, Words::english());
            found.map(|found| (found.text, found.kind == DifferenceKind::False))
        };
        assert_eq!(compare(Recorded::Mate(3), mate(3)), None);
        assert_eq!(compare(Recorded::NoMate, MateAnswer::NoMate), None);
        assert_eq!(compare(Recorded::Mate(3), MateAnswer::Unknown), None);
        let any = LengthStandard::Any;
        assert_eq!(difference(ProblemKind::Mate, None, &solved(mate(3)), any, written, Words::english()), None);
        let longer = "expected a mate in 3 plies, found a mate in 5 plies".to_owned();
        assert_eq!(compare(Recorded::Mate(3), mate(5)), Some((longer, false)));
        let missed = "expected a mate in 3 plies, found no mate".to_owned();
        assert_eq!(compare(Recorded::Mate(3), MateAnswer::NoMate), Some((missed, true)));
        let wrong = "expected no mate, found a mate in 1 ply".to_owned();
        assert_eq!(compare(Recorded::NoMate, mate(1)), Some((wrong, true)));
    }

    /// If a line is not proved to be the longest defence, it cannot contradict the recorded length.
    #[test]
    fn proved_lengths_show_early_mates_and_longer_variations() {
        use DifferenceKind::{Early, Length, Longer};
        use LengthStandard::{Any, Composers, Strict};
        for (lengths, plies, may_be_shorter, expected) in [
            (Any, 3, false, Length),
            (Strict, 3, false, Early),
            (Strict, 3, true, Early),
            (Composers, 3, false, Early),
            (Strict, 7, false, Length),
            (Composers, 7, false, Longer),
            (Composers, 7, true, Length),
        ] {
            let solution = Solution { answer: mate(plies), may_be_shorter, ..Solution::default() };
            let recorded = Some(Recorded::Mate(5));
            let difference_in =
                |words| difference(ProblemKind::Mate, recorded, &solution, lengths, written, words).unwrap();
            let found = difference_in(Words::english());
            assert_eq!(found.kind, expected, "{lengths:?} {plies} {may_be_shorter}");
            let japanese = difference_in(Words::of(Language::Japanese)).text;
            match expected {
                Early => assert_eq!(
                    (found.text.as_str(), japanese.as_str()),
                    (
                        "early mate (hayazume): a mate in 3 plies, recorded a mate in 5 plies: 7g7f 7g7f 7g7f",
                        "早詰：記録は5手詰、3手詰がある：7g7f 7g7f 7g7f"
                    )
                ),
                Longer => {
                    let text =
                        "variation longer than the record (hencho): a mate in 7 plies, recorded a mate in 5 plies: ";
                    assert!(found.text.starts_with(text), "{}", found.text);
                    assert!(japanese.starts_with("変長：記録は5手詰、玉方最長の応手では7手詰："), "{japanese}");
                }
                _ => assert_eq!(found.text, format!("expected a mate in 5 plies, found a mate in {plies} plies")),
            }
        }
    }
}
