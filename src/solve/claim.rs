//! Reads claimed solutions: JSON or lines printed by `hasami solve`, lines with a name and moves, or the output of a
//! USI engine.

use super::problem::{MateProblem, rows};
use hasami_api::ReadGame;
use hasami_catalog::typed_words;
use hasami_words::Message;
use hasami_words::text::{At, json_fault};
use serde_json::Value;

/// An answer that a solver claims for a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claimed {
    Mate(Vec<String>),
    /// The claimed line contains an illegal or unreadable move, which the message names.
    Broken(Message),
    NoMate,
    Unknown,
}

/// A claimed answer, and where it is in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateClaim {
    /// Number of the line in the file, counted from 1.
    pub row: usize,
    /// Name of the problem that the claim answers. A claim without a name belongs to the next problem in the list.
    pub name: Option<String>,
    pub claimed: Claimed,
}

/// Parses a file of claims. Error messages begin with `file` and the line number. A line that begins with white space
/// continues the line above it and is skipped.
pub fn parse(text: &str, file: &str) -> Result<Vec<MateClaim>, String> {
    let is_log = rows(text).any(|(_, row)| checkmate(row).is_some());
    let mut claims = Vec::new();
    for (number, row) in rows(text).filter(|(_, row)| !row.starts_with([' ', '\t'])) {
        let read = match checkmate(row) {
            Some(words) => Ok((None, claimed(words))),
            // Most lines of an engine's log are not claims.
            None if is_log => continue,
            None if row.starts_with('{') => of_json(row),
            None => of_line(row),
        };
        let (name, claimed) = read.map_err(|why| why.at(format!("{file}:{number}")))?;
        claims.push(MateClaim { row: number, name, claimed });
    }
    Ok(claims)
}

/// Converts each game record to a claim that its main line mates. A record belongs to the problem with the same
/// position or, if there is none, to the next problem.
pub fn of_records(games: &[ReadGame], problems: &[MateProblem]) -> Vec<MateClaim> {
    let claim = |(row, game): (usize, &ReadGame)| {
        let start = game.line.start.text.as_deref().map(without_number);
        let same = problems.iter().find(|problem| start == Some(without_number(problem.position())));
        let moves = game.line.moves.iter().map(ToString::to_string).collect();
        let claimed = match &game.fault {
            Some(fault) => Claimed::Broken(fault.why.to_string().into()),
            None if game.line.moves.is_empty() => Claimed::Unknown,
            None => Claimed::Mate(moves),
        };
        MateClaim { row, name: same.map(|problem| problem.name.clone()), claimed }
    };
    (1..).zip(games).map(claim).collect()
}

/// Returns a position without its move number.
fn without_number(position: &str) -> &str {
    position.rsplit_once(' ').filter(|(_, last)| last.parse::<u32>().is_ok()).map_or(position, |(before, _)| before)
}

/// Returns the text after the USI keyword `checkmate`.
fn checkmate(row: &str) -> Option<&str> {
    row.strip_prefix("checkmate").filter(|rest| rest.starts_with([' ', '\t']))
}

/// Parses the moves of a claim, or the keyword for "no mate" or "unknown".
fn claimed(words: &str) -> Claimed {
    let words = typed_words(words);
    match words.first().map(String::as_str) {
        Some("nomate") => Claimed::NoMate,
        None | Some("unknown" | "timeout" | "notimplemented" | "-") => Claimed::Unknown,
        Some(_) => Claimed::Mate(words),
    }
}

fn of_line(row: &str) -> Result<(Option<String>, Claimed), String> {
    let fields: Vec<&str> = row.split('\t').map(str::trim).collect();
    if let [name, answer @ ("mate" | "nomate" | "unknown"), _, _, _, moves, ..] = fields[..] {
        let moves = if moves == "-" { "" } else { moves };
        let claimed = if answer == "mate" { Claimed::Mate(typed_words(moves)) } else { claimed(answer) };
        return Ok((Some(name.to_owned()), claimed));
    }
    if let [_, "brinkmate" | "none", _, _, _, _, ..] = fields[..] {
        return Err(of_a_brinkmate(fields[1]));
    }
    // If a line begins with a move, its claim has no name.
    if row.starts_with(['▲', '☗', '△', '☖']) {
        return Ok((None, claimed(row)));
    }
    let (name, moves) = row.split_once('\t').or_else(|| row.split_once(' ')).unwrap_or((row, ""));
    if moves.trim().is_empty() {
        return Err(format!("expected a name and moves, found '{row}'"));
    }
    Ok((Some(name.trim().to_owned()), claimed(moves)))
}

/// Returns the error message for a claimed brinkmate: replaying its line proves nothing, because the line does not end
/// with a mate.
fn of_a_brinkmate(answer: &str) -> String {
    format!(
        "expected an answer about a mate, found '{answer}', which `hasami verify --certificate` checks by its certificate"
    )
}

fn of_json(row: &str) -> Result<(Option<String>, Claimed), String> {
    let found: Value =
        serde_json::from_str(row).map_err(|error| format!("expected a JSON object, found: {}", json_fault(&error)))?;
    let name = found["name"].as_str().ok_or("expected a JSON object with a name, found none")?;
    let moves = match &found["moves"] {
        Value::Array(moves) => {
            let texts: Option<Vec<String>> = moves.iter().map(|m| m.as_str().map(str::to_owned)).collect();
            texts.ok_or("expected moves that are strings, found others")?
        }
        Value::String(moves) => typed_words(moves),
        Value::Null => Vec::new(),
        other => return Err(format!("expected an array of moves, found {other}")),
    };
    let claimed = match &found["answer"] {
        Value::String(answer) if answer == "mate" => Claimed::Mate(moves),
        Value::String(answer) if answer == "nomate" => Claimed::NoMate,
        Value::String(answer) if answer == "unknown" => Claimed::Unknown,
        Value::String(answer) if matches!(answer.as_str(), "brinkmate" | "none") => return Err(of_a_brinkmate(answer)),
        Value::Null if !moves.is_empty() => Claimed::Mate(moves),
        other => return Err(format!("expected an answer (mate, nomate, unknown), found {other}")),
    };
    Ok((Some(name.to_owned()), claimed))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn mate(moves: &str) -> Claimed {
        Claimed::Mate(typed_words(moves))
    }

    fn read(text: &str) -> Vec<(Option<String>, Claimed)> {
        parse(text, "x").unwrap().into_iter().map(|claim| (claim.name, claim.claimed)).collect()
    }

    #[test]
    fn our_own_lines_and_those_of_others_are_read() {
        let named = |name: &str, claimed| (Some(name.to_owned()), claimed);
        let text = "# comment\n\
            a b\tmate\t3\t17\t0.500\tG*5b 5a4a G*4b\n   1  ▲５二金  G*5b\n\
            c\tnomate\t-\t17\t0.500\t-\nd\tunknown\t-\t17\t0.500\t-\n\
            e G*5b 5a4a\nf\tG*5b\ng nomate\nh\ttimeout\n\
            {\"name\": \"i\", \"answer\": \"mate\", \"moves\": [\"G*5b\"]}\n{\"name\": \"j\", \"moves\": \"G*5b 5a4a\"}\n\
            {\"name\": \"k\", \"answer\": \"nomate\", \"plies\": null, \"moves\": []}\n";
        let expected = [
            named("a b", mate("G*5b 5a4a G*4b")),
            named("c", Claimed::NoMate),
            named("d", Claimed::Unknown),
            named("e", mate("G*5b 5a4a")),
            named("f", mate("G*5b")),
            named("g", Claimed::NoMate),
            named("h", Claimed::Unknown),
            named("i", mate("G*5b")),
            named("j", mate("G*5b 5a4a")),
            named("k", Claimed::NoMate),
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn of_an_engine_only_its_answers_count() {
        let text = "usiok\ninfo depth 3 pv G*5b\ncheckmate G*5b\ncheckmate nomate\ncheckmate timeout\nreadyok\n";
        let expected = [(None, mate("G*5b")), (None, Claimed::NoMate), (None, Claimed::Unknown)];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn what_is_no_claim_is_one_clear_line() {
        for (row, expected) in [
            ("alone", "x:2: expected a name and moves, found 'alone'"),
            ("{\"name\": 3}", "x:2: expected a JSON object with a name, found none"),
            ("{", "x:2: expected a JSON object, found: EOF"),
            ("{\"name\": \"a\"}", "x:2: expected an answer (mate, nomate, unknown), found null"),
            (
                "a\tbrinkmate\t1\t5\t0.1\tG*5b",
                "x:2: expected an answer about a mate, found 'brinkmate', which `hasami ver",
            ),
            (
                "a\tnone\t-\t5\t0.1\t-",
                "x:2: expected an answer about a mate, found 'none', which `hasami verify --cert",
            ),
            (
                "{\"name\": \"a\", \"answer\": \"brinkmate\", \"moves\": [\"G*5b\"]}",
                "x:2: expected an answer about a mate, found 'brinkmate', which `hasami verify --certificate` checks",
            ),
            ("{\"name\": \"a\", \"moves\": [3]}", "x:2: expected moves that are strings, found others"),
            ("{\"name\": \"a\", \"moves\": 3}", "x:2: expected an array of moves, found 3"),
        ] {
            let error = parse(&format!("# y\n{row}\n"), "x").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{row}: {error}");
        }
    }
}
