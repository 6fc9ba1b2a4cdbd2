//! Compares claimed solutions with their problems, and describes what is wrong with them.

use super::claim::{Claimed, MateClaim};
use super::problem::{MateProblem, Recorded};
use super::replay::{Standard, replay};
use super::solution::ProblemKind;
use hasami_catalog::Catalog;
use hasami_mate::MateRules;
use hasami_words::Words;
use hasami_words::text::At;
use std::collections::HashMap;

/// The result of checking a claim, with a short explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckFinding {
    Right(String),
    Wrong(String),
    /// The claim contains no line to check.
    Open(String),
}

/// Checks the claims of all problems. Returns each problem's index and result, in problem order. `file` is the name of
/// the claims file, for error messages.
pub fn verify(
    game: &dyn Catalog,
    problems: &[MateProblem],
    claims: &[MateClaim],
    file: &str,
    standard: Standard,
    words: &Words,
) -> Result<Vec<(usize, CheckFinding)>, String> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, problem) in problems.iter().enumerate() {
        places.entry(problem.name.as_str()).or_default().push(index);
    }
    let (mut next, mut findings) = (0, Vec::new());
    for claim in claims {
        let wrong = |why: String| why.at(format!("{file}:{}", claim.row));
        let index = match &claim.name {
            Some(name) => match places.get(name.as_str()).map(Vec::as_slice) {
                Some(&[index]) => index,
                Some(_) => {
                    return Err(wrong(format!("expected the name of one problem, found '{name}', of several")));
                }
                None => return Err(wrong(format!("expected the name of a problem, found '{name}'"))),
            },
            None if next < problems.len() => next,
            None => {
                return Err(wrong(format!("expected {} answers, found another one", problems.len())));
            }
        };
        next = index + 1;
        findings.push((index, judge(game, &problems[index], &claim.claimed, standard, words)));
    }
    let has_claim = |index: &usize| findings.iter().any(|(other, _)| other == index);
    let without: Vec<usize> = (0..problems.len()).filter(|index| !has_claim(index)).collect();
    findings.extend(without.into_iter().map(|index| (index, CheckFinding::Open(words.get("no-solution")))));
    findings.sort_by_key(|&(index, _)| index);
    Ok(findings)
}

fn judge(
    game: &dyn Catalog,
    problem: &MateProblem,
    claimed: &Claimed,
    standard: Standard,
    words: &Words,
) -> CheckFinding {
    match (claimed, problem.recorded) {
        (Claimed::Broken(why), _) => CheckFinding::Wrong(why.said(words)),
        (Claimed::Unknown, _) => CheckFinding::Open(words.get("no-answer")),
        (Claimed::NoMate, Some(Recorded::NoMate)) => CheckFinding::Right(words.get("no-mate-as-recorded")),
        (Claimed::NoMate, Some(recorded)) => {
            CheckFinding::Wrong(two("expected-found", recorded, Recorded::NoMate, words))
        }
        (Claimed::NoMate, None) => CheckFinding::Open(words.get("no-line-can-tell")),
        (Claimed::Mate(moves), recorded) => match replay(game, problem, moves, standard, words) {
            Err(fault) => {
                let more = by_composers(game, problem, moves, standard).then(|| words.get("right-for-composers"));
                CheckFinding::Wrong(fault + &more.unwrap_or_default())
            }
            Ok(()) => mated(moves.len(), recorded, words),
        },
    }
}

/// Formats a message with the expected and the claimed result.
fn two(name: &str, expected: Recorded, found: Recorded, words: &Words) -> String {
    let [expected, found] = [expected, found].map(|recorded| recorded.of(ProblemKind::Mate, words));
    words.with(name, &[("expected", (&expected).into()), ("found", (&found).into())])
}

/// Returns whether the line would be a correct solution by the rules of composers.
fn by_composers(game: &dyn Catalog, problem: &MateProblem, moves: &[String], standard: Standard) -> bool {
    let composers = Standard { rules: MateRules::Tsume, ..standard };
    standard.rules != MateRules::Tsume && replay(game, problem, moves, composers, Words::english()).is_ok()
}

fn mated(plies: usize, recorded: Option<Recorded>, words: &Words) -> CheckFinding {
    let found = Recorded::Mate(u32::try_from(plies).unwrap_or(u32::MAX));
    match recorded {
        Some(Recorded::NoMate) => CheckFinding::Wrong(two("expected-found", Recorded::NoMate, found, words)),
        Some(other) if other != found => CheckFinding::Right(two("other-length", other, found, words)),
        _ => CheckFinding::Right(found.of(ProblemKind::Mate, words)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{claim, problem};

    const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1";

    fn findings(lengths: [&str; 3], claims: &str) -> Result<Vec<String>, String> {
        let game = hasami_games::find("shogi").unwrap();
        let [a, b, c] = lengths;
        let list = format!("{GOLD}\ta\t{a}\n{GOLD}\tb\t{b}\n{GOLD}\tc\t{c}\n");
        let problems = problem::parse(&list, "list", "list", game).unwrap();
        let claims = claim::parse(claims, "claims").unwrap();
        let found =
            verify(game, &problems, &claims, "claims", Standard::of(game, MateRules::Strict, false), Words::english())?;
        Ok(found.into_iter().map(|(index, finding)| format!("{} {finding:?}", problems[index].name)).collect())
    }

    #[test]
    fn claims_find_their_problems_by_name_or_in_order() {
        let right = |name: &str| format!("{name} Right(\"a mate in 1 ply\")");
        let open = |name: &str, why: &str| format!("{name} Open(\"{why}\")");
        let by_name = findings(["1", "", ""], "c G*5b\na G*5b\n").unwrap();
        assert_eq!(by_name, [right("a"), open("b", "no solution"), right("c")]);
        let in_order = findings(["", "1", ""], "checkmate timeout\ncheckmate G*5b\ncheckmate nomate\n").unwrap();
        assert_eq!(
            in_order,
            [open("a", "no answer"), right("b"), open("c", "no mate, which a line of moves cannot prove")]
        );
    }

    #[test]
    fn solutions_may_be_as_players_write_them() {
        let claims = "a ▲５二金打\n{\"name\": \"b\", \"moves\": [\"５二金打\"]}\nc\t５二飛\n";
        let found = findings(["1", "", ""], claims).unwrap();
        let expected = [
            "a Right(\"a mate in 1 ply\")",
            "b Right(\"a mate in 1 ply\")",
            "c Wrong(\"ply 1: expected a legal move, found '５二飛'\")",
        ];
        assert_eq!(found, expected);
        assert_eq!(findings(["", "", ""], "checkmate G*52\n").unwrap()[0], expected[0]);
    }

    #[test]
    fn what_is_recorded_counts() {
        let found = findings(["3", "-", "1"], "a G*5b\nb G*5b\nc nomate\n").unwrap();
        let expected = [
            "a Right(\"a mate in 1 ply, recorded a mate in 3 plies\")",
            "b Wrong(\"expected no mate, found a mate in 1 ply\")",
            "c Wrong(\"expected a mate in 1 ply, found no mate\")",
        ];
        assert_eq!(found, expected);
        let found = findings(["-", "", ""], "a nomate\nb G*9i\n").unwrap();
        assert_eq!(
            found[..2],
            ["a Right(\"no mate, as recorded\")", "b Wrong(\"ply 1: expected a check, found 'G*9i'\")"]
        );
    }

    #[test]
    fn a_claim_about_nothing_is_refused() {
        let nobody = findings(["", "", ""], "# x\nd G*5b\n").unwrap_err();
        assert_eq!(nobody, "claims:2: expected the name of a problem, found 'd'");
        let many = findings(["", "", ""], &"checkmate G*5b\n".repeat(4)).unwrap_err();
        assert_eq!(many, "claims:4: expected 3 answers, found another one");
    }
}
