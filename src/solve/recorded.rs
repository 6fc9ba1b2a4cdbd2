//! Reads answers from the JSON objects that [`Solution::to_json`] writes.

use super::problem::MateProblem;
use super::solution::{OfBrinkmate, ProblemKind, Solution};
use hasami_api::{MateAnswer, MoveText};
use hasami_mate::{DefenceReport, ProofBranch};
use hasami_words::text::json_fault;
use serde::Deserialize;
use std::time::Duration;

/// The fields of an answer that are needed to resume a list.
#[derive(Deserialize)]
struct KnownAnswer {
    name: String,
    sfen: String,
    answer: String,
    #[serde(default)]
    moves: Vec<String>,
    nodes: u64,
    ms: f64,
    #[serde(default)]
    within: Option<u16>,
    #[serde(default)]
    mates_within: Option<u16>,
    #[serde(default)]
    may_be_shorter: bool,
    #[serde(default)]
    at_least: Option<usize>,
    /// A move after which there is no mate, if the side to be mated moves first.
    #[serde(default)]
    escape: Option<String>,
    #[serde(default)]
    defences: Vec<KnownDefence>,
}

#[derive(Deserialize)]
struct KnownDefence {
    #[serde(rename = "move")]
    mv: String,
    plies: usize,
}

impl KnownAnswer {
    /// Returns the recorded results of the defender's moves, if the side to be mated moves first.
    fn defended(&self) -> Result<Option<DefenceReport>, String> {
        if self.escape.is_none() && self.defences.is_empty() {
            return Ok(None);
        }
        let branch = |known: &KnownDefence| Ok(ProofBranch { mv: a_move(&known.mv)?, plies: known.plies, next: None });
        let escape = self.escape.as_deref().map(a_move).transpose()?;
        let defences = self.defences.iter().map(branch).collect::<Result<_, String>>()?;
        Ok(Some(DefenceReport { escape, defences }))
    }
}

fn a_move(text: &str) -> Result<MoveText, String> {
    text.parse().map_err(|_| format!("expected moves, found '{text}'"))
}

/// Reads a line of JSON and checks that it is an answer to this problem.
pub fn read(text: &str, problem: &MateProblem) -> Result<Solution, String> {
    let known: KnownAnswer =
        serde_json::from_str(text).map_err(|error| format!("expected an answer, found {}", json_fault(&error)))?;
    if (known.name.as_str(), known.sfen.as_str()) != (problem.name.as_str(), problem.position()) {
        return Err(answer_to(&problem.name, &known.name));
    }
    let mate = || known.moves.iter().map(|text| a_move(text)).collect::<Result<_, _>>().map(MateAnswer::Mate);
    let (kind, answer) = match known.answer.as_str() {
        "mate" => (ProblemKind::Mate, mate()?),
        "brinkmate" => (ProblemKind::Brinkmate, mate()?),
        "nomate" => (ProblemKind::Mate, MateAnswer::NoMate),
        "none" => (ProblemKind::Brinkmate, MateAnswer::NoMate),
        "unknown" => (ProblemKind::Mate, MateAnswer::Unknown),
        other => return Err(format!("expected an answer, found '{other}'")),
    };
    let (within, mates) = (known.within, known.mates_within);
    let is_bounded = within.is_some() || mates.is_some();
    let brinkmate = is_bounded.then(|| OfBrinkmate { within, mates, ..OfBrinkmate::default() });
    let took = Duration::try_from_secs_f64(known.ms / 1e3).unwrap_or_default();
    let (nodes, may_be_shorter, defended) = (known.nodes, known.may_be_shorter, known.defended()?);
    Ok(Solution {
        answer,
        kind,
        may_be_shorter,
        at_least: known.at_least,
        brinkmate,
        nodes,
        took,
        defended,
        ..Solution::default()
    })
}

fn answer_to(expected: &str, found: &str) -> String {
    format!("expected the answer to '{expected}', found that to '{found}'")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_was_written_counts_as_before() {
        let problem =
            |name| MateProblem::new(name, "4k4/9/4P4/9/9/9/9/9/9 b G 1", hasami_games::find("shogi").unwrap());
        let problem = |name| problem(name).unwrap();
        let moves = vec!["G*5b".parse().unwrap()];
        for answer in [MateAnswer::Mate(moves), MateAnswer::NoMate, MateAnswer::Unknown] {
            let may_be_shorter = matches!(answer, MateAnswer::Mate(_));
            let took = Duration::from_micros(1_250);
            let branch = ProofBranch { mv: "5a4a".parse().unwrap(), plies: 3, next: None };
            let defended = may_be_shorter.then(|| DefenceReport { escape: None, defences: vec![branch] });
            let at_least = may_be_shorter.then_some(3);
            let told = Solution { answer, may_be_shorter, at_least, nodes: 17, took, defended, ..Solution::default() };
            let text = told.to_json(&problem("gold"), None);
            assert_eq!(read(&text, &problem("gold")), Ok(told.clone()), "{text}");
            let other = read(&text, &problem("silver")).unwrap_err();
            assert_eq!(other.to_string(), "expected the answer to 'silver', found that to 'gold'");
        }
        assert!(
            read("{\"name\":\"gold\"", &problem("gold"))
                .unwrap_err()
                .to_string()
                .starts_with("expected an answer, found ")
        );
    }
}
