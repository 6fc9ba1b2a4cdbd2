//! The result of a problem, and its output as a line of text or as JSON.

use super::extras::{PiecesInHand, other_objects};
use super::levels;
use super::open::OpenBecause;
use super::problem::{MateProblem, Recorded};
use hasami_api::{MateAnswer, MoveText};
use hasami_brinkmate::InnerSearches;
use hasami_mate::{DefenceReport, LevelReport, OtherMove, ProcessorUsage, ProofTree, Variation};
use hasami_words::Words;
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;

/// The kind of solution that a search looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProblemKind {
    #[default]
    Mate,
    Brinkmate,
}

impl ProblemKind {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Brinkmate => "brinkmate",
        }
    }

    /// Returns the word for the answer that no mate or brinkmate exists.
    pub const fn none(self) -> &'static str {
        match self {
            Self::Mate => "nomate",
            Self::Brinkmate => "none",
        }
    }
}

/// How an answer differs from the recorded one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DifferenceKind {
    /// The answer and the record disagree on whether there is a mate, or the recorded solution does not solve the
    /// problem.
    False,
    /// The answer mates sooner than the recorded solution (hayazume).
    Early,
    /// The answer's defence holds longer than that of the recorded solution (hencho).
    Longer,
    /// The lengths differ, and the search has not decided which one is right.
    Length,
}

impl DifferenceKind {
    pub const fn word(self) -> &'static str {
        match self {
            Self::False => "false",
            Self::Early => "early",
            Self::Longer => "longer",
            Self::Length => "length",
        }
    }
}

/// Returns the key of an answer's text in [`Words`].
pub fn answer_name(word: &str) -> &'static str {
    match word {
        "mate" => "answer-mate",
        "nomate" => "answer-nomate",
        "brinkmate" => "answer-brinkmate",
        "none" => "answer-none",
        _ => "answer-unknown",
    }
}

/// Additional results: of a search for a brinkmate, or of a mate whose proof goes to a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OfBrinkmate {
    pub is_proved: bool,
    /// No brinkmate of up to this many plies exists; `None` if this was proved for every length.
    pub within: Option<u16>,
    /// The certificate of the answer, if it was requested.
    pub certificate: Option<Vec<u8>>,
    /// The certificate that there is no shorter brinkmate, if it was requested.
    pub below: Option<Vec<u8>>,
    /// Whether the certificate was requested but could not be written; `lacks_below` is the same for `below`.
    pub lacks_certificate: bool,
    pub lacks_below: bool,
    /// The limit that prevented a certificate.
    pub unwritten: Option<OpenBecause>,
    /// File name of the certificate; `below_file` is that of `below`.
    pub certificate_file: Option<String>,
    pub below_file: Option<String>,
    pub inner: Option<InnerSearches>,
}

/// The answer to a problem, and the cost of its search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Solution {
    pub answer: MateAnswer,
    /// The kind of solution that was found; a search for a brinkmate may find a mate.
    pub kind: ProblemKind,
    /// Whether a limit ended the search for the shortest mate, which was requested.
    pub may_be_shorter: bool,
    /// Lower bound of the plies to mate, if a limit ended the search for the shortest one.
    pub at_least: Option<usize>,
    /// The limit that ended the search before it was complete.
    pub open: Option<OpenBecause>,
    pub brinkmate: Option<OfBrinkmate>,
    /// Number of moves made by the search.
    pub nodes: u64,
    pub took: Duration,
    /// Other checks that mate, if they were requested.
    pub others: Option<Vec<OtherMove>>,
    /// Lines other than the main line, if they were requested.
    pub variations: Vec<Variation>,
    /// The results of the defender's moves, if the side to be mated moves first.
    pub defended: Option<DefenceReport>,
    /// The first moves of the proof, if they are to be drawn.
    pub proof: Option<ProofTree>,
    /// The utilization of the processors, if the search used several.
    pub usage: Option<ProcessorUsage>,
    /// Results of a level-synchronous search.
    pub levels: Option<LevelReport>,
    /// How the answer differs from the recorded one, if they were compared.
    pub difference: Option<DifferenceKind>,
}

impl Solution {
    /// Returns the answer as a word: `mate`, `nomate`, `brinkmate`, `none` or `unknown`.
    pub const fn word(&self) -> &'static str {
        match self.answer {
            MateAnswer::Mate(_) => self.kind.word(),
            MateAnswer::NoMate => self.kind.none(),
            MateAnswer::Unknown => "unknown",
        }
    }

    /// Returns a sentence about what is undecided and which limit ended the search.
    pub fn open_question(&self, words: &Words) -> Option<String> {
        let open = self.open?;
        let because = open.text(words);
        let with = |name: &str| words.with(name, &[("open", (&because).into())]);
        let from = |name, least: usize| words.with(name, &[("least", least.into()), ("open", (&because).into())]);
        Some(match (self.may_be_shorter, open, self.at_least) {
            (true, OpenBecause::Plies(plies), _) => words.count("futile-are-counted", plies as u64),
            (true, _, Some(least)) => from("may-be-shorter-from", least),
            (true, _, None) => with("may-be-shorter"),
            (false, _, Some(least)) => from("unknown-from", least),
            (false, _, None) => with("unknown-because"),
        })
    }

    /// If the absence of a brinkmate was proved only up to some length, returns a sentence that says so.
    pub fn bounded_none(&self, words: &Words) -> Option<String> {
        let plies = words.count("counted-plies", self.brinkmate.as_ref()?.within?.into());
        Some(words.with("none-within", &[("plies", (&plies).into())]))
    }

    /// Returns the sentences of [`Self::open_question`] and [`Self::bounded_none`].
    pub fn reservations(&self, words: &Words) -> Vec<String> {
        [self.open_question(words), self.bounded_none(words)].into_iter().flatten().collect()
    }

    /// Returns whether the absence of a brinkmate was proved only up to some length.
    pub fn is_bounded_none(&self) -> bool {
        self.brinkmate.as_ref().is_some_and(|more| more.within.is_some())
    }

    /// Returns whether the side to be mated moves first.
    pub const fn is_defender_first(&self) -> bool {
        self.defended.is_some()
    }

    /// Returns the main line, if the answer is a mate.
    pub fn mate(&self) -> Option<&[MoveText]> {
        match &self.answer {
            MateAnswer::Mate(moves) => Some(moves),
            MateAnswer::NoMate | MateAnswer::Unknown => None,
        }
    }

    /// Returns a JSON object with the idle periods of each processor.
    pub fn to_trace(&self, name: &str) -> String {
        let usage = self.usage.clone().unwrap_or_default();
        let fields = [field("name", name), field("clock", &usage.clock()), field("idle", &usage.idle)];
        format!("{{{}}}", fields.into_iter().flatten().collect::<Vec<_>>().join(","))
    }

    fn ms(&self) -> f64 {
        (self.took.as_secs_f64() * 1e6).round() / 1e3
    }

    /// Returns name, answer, plies, nodes, milliseconds and moves, separated by tabs.
    pub fn to_line(&self, name: &str) -> String {
        let (plies, moves) = match self.mate() {
            Some([]) => ("0".to_owned(), "-".to_owned()),
            Some(moves) => (moves.len().to_string(), texts(moves).join(" ")),
            None => ("-".to_owned(), "-".to_owned()),
        };
        let name = name.replace(char::is_control, " ");
        let files = self.brinkmate.iter().flat_map(|more| [&more.certificate_file, &more.below_file]).flatten();
        let file: String = files.map(|file| format!("\t{}", file.replace(char::is_control, " "))).collect();
        format!("{name}\t{}\t{plies}\t{}\t{:.3}\t{moves}{file}", self.word(), self.nodes, self.ms())
    }

    /// Returns a JSON object, without a trailing newline, that contains `plies` and all other fields whose values are
    /// known. `left` is the attacker's hand at the end, if the object is to contain it.
    pub fn to_json(&self, problem: &MateProblem, left: Option<&PiecesInHand>) -> String {
        let (brinkmate, usage, defended) = (self.brinkmate.as_ref(), self.usage.as_ref(), self.defended.as_ref());
        let pruned = usage.map(|usage| usage.pruned).filter(|&pruned| pruned != (0, 0));
        let others = self.others.as_ref().map(|others| other_objects(others, self.mate().map_or(0, <[_]>::len)));
        // The fields are listed in output order.
        let fields = [
            field("name", &problem.name),
            field("sfen", problem.position()),
            field("answer", self.word()),
            Some(format!("\"plies\":{}", as_json(&self.mate().map(<[_]>::len)))),
            field("moves", &self.mate().map(texts).unwrap_or_default()),
            field("nodes", &self.nodes),
            field("ms", &self.ms()),
            field("proved", &brinkmate.map(|more| more.is_proved)),
            field("within", &brinkmate.and_then(|more| more.within)),
            field("may_be_shorter", &self.may_be_shorter.then_some(true)),
            field("at_least", &self.at_least),
            field("reason", &self.open.map(OpenBecause::word)),
            field("certificate", &brinkmate.and_then(|more| more.certificate_file.as_ref())),
            field("below", &brinkmate.and_then(|more| more.below_file.as_ref())),
            field("inner", &brinkmate.and_then(|more| more.inner).map(inner)),
            field("others", &others),
            field("left", &left),
            field("escape", &defended.and_then(|defended| defended.escape).map(|escape| escape.to_string())),
            field("defences", &defended.map(defences).filter(|defences| !defences.is_empty())),
            field("processors", &usage.map(|usage| usage.clocks.len())),
            // On virtual processors, `clock` is the duration of the search.
            field("clock", &usage.map(ProcessorUsage::clock)),
            field("busy", &usage.map(|usage| f64::from(usage.busy) / 1_000.0)),
            field("pruned", &pruned.map(|pruned| pruned.0)),
            field("summarised", &pruned.map(|pruned| pruned.1)),
            field("levels", &self.levels.as_ref().map(levels::object)),
            field("recorded", &self.difference.and(problem.recorded).and_then(Recorded::plies)),
            field("differs", &self.difference.map(DifferenceKind::word)),
        ];
        format!("{{{}}}", fields.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

fn as_json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns a field of a JSON object; `None` for an unknown value.
fn field(name: &str, value: &(impl Serialize + ?Sized)) -> Option<String> {
    let value = as_json(value);
    (value != "null").then(|| format!("\"{name}\":{value}"))
}

/// Returns JSON objects for the moves of the side to be mated, each with the number of plies to mate after it.
fn defences(defended: &DefenceReport) -> Vec<Value> {
    defended.defences.iter().map(|branch| json!({"move": &*branch.mv, "plies": branch.plies})).collect()
}

/// Returns a JSON object about the mate searches nested inside a search.
fn inner(InnerSearches { calls, cut, nodes }: InnerSearches) -> Value {
    json!({"calls": calls, "cut": cut, "nodes": nodes})
}

pub(super) fn texts(moves: &[MoveText]) -> Vec<String> {
    moves.iter().map(MoveText::to_string).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::claim::{self, Claimed};

    #[test]
    fn what_is_printed_can_be_read_again() {
        let position = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1";
        let problem = MateProblem::new("a \"b\"\tc", position, hasami_games::find("shogi").unwrap()).unwrap();
        let moves: Vec<MoveText> = ["G*6b", "5a4a", "G*5b"].iter().map(|m| m.parse().unwrap()).collect();
        let mate = Claimed::Mate(vec!["G*6b".into(), "5a4a".into(), "G*5b".into()]);
        for (answer, expected) in [
            (MateAnswer::Mate(moves), mate),
            (MateAnswer::NoMate, Claimed::NoMate),
            (MateAnswer::Unknown, Claimed::Unknown),
        ] {
            let solution = Solution { answer, nodes: 17, took: Duration::from_micros(1_250), ..Solution::default() };
            let (line, json) = (solution.to_line(&problem.name), solution.to_json(&problem, None));
            let claims = claim::parse(&format!("{line}\n{json}\n"), "x").unwrap();
            let names: Vec<&str> = claims.iter().filter_map(|claim| claim.name.as_deref()).collect();
            assert_eq!(names, ["a \"b\" c", problem.name.as_str()], "{line} {json}");
            assert!(claims.iter().all(|claim| claim.claimed == expected), "{line} {json}");
            assert!(line.contains("\t17\t1.250\t") && json.ends_with(r#""nodes":17,"ms":1.25}"#), "{line} {json}");
        }
    }
}
