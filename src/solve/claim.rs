//! Solutions of any solver, as they are claimed: our JSON, our lines, `name moves`, or what a USI engine says.

use super::problem::{MateProblem, plies_in_words, rows};
use hasami_api::ReadGame;
use hasami_catalog::typed_words;
use hasami_words::Message;
use hasami_words::text::{At, json_fault};
use serde_json::Value;

/// A solver's answer to a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claimed {
    Mate(Vec<String>),
    /// A line with a move that the rules forbid, or that is none.
    Broken(Message),
    NoMate,
    Unknown,
}

/// A claim and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateClaim {
    /// The number of its line, from 1.
    pub row: usize,
    /// `None`: the next problem of the list.
    pub name: Option<String>,
    pub claimed: Claimed,
    /// The number of plies that the claim names beside its moves: `まで7手詰`.
    pub plies: Option<u32>,
}

/// The claims of a file; errors begin with `file` and the line. A line that begins with a blank belongs to the one above
/// it and says nothing new.
pub fn parse(text: &str, file: &str) -> Result<Vec<MateClaim>, String> {
    let is_log = rows(text).any(|(_, row)| checkmate(row).is_some());
    let mut claims = Vec::new();
    for (number, row) in rows(text).filter(|(_, row)| !row.starts_with([' ', '\t'])) {
        let stated = stated_length(row);
        let read = match checkmate(row) {
            Some(words) => Ok((None, claimed(words))),
            // An engine says much else.
            None if is_log => continue,
            None if row.starts_with('{') => match of_json(row) {
                Ok(claim) => Ok(claim),
                Err(_) if is_question(row) => continue,
                Err(why) => Err(why),
            },
            None => of_line(stated.map_or(row, |(before, _)| before.trim_end()), stated.is_some()),
        };
        let (name, claimed) = read.map_err(|why| why.at(format!("{file}:{number}")))?;
        claims.push(MateClaim { row: number, name, claimed, plies: stated.map(|(_, plies)| plies) });
    }
    Ok(claims)
}

/// The main lines of records. A record is that of the problem with the same position, else of the next one.
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
        MateClaim { row, name: same.map(|problem| problem.name.clone()), claimed, plies: None }
    };
    (1..).zip(games).map(claim).collect()
}

/// A position without the number of its move.
fn without_number(position: &str) -> &str {
    position.rsplit_once(' ').filter(|(_, last)| last.parse::<u32>().is_ok()).map_or(position, |(before, _)| before)
}

/// A line that ends with its length, `まで7手詰`: what stands before it, and the plies.
fn stated_length(row: &str) -> Option<(&str, u32)> {
    let (before, behind) = row.rsplit_once("まで")?;
    Some((before, plies_in_words(behind)?))
}

/// The text behind the word of USI.
fn checkmate(row: &str) -> Option<&str> {
    row.strip_prefix("checkmate").filter(|rest| rest.starts_with([' ', '\t']))
}

/// Moves, or one word that says that there are none.
fn claimed(words: &str) -> Claimed {
    let words = typed_words(words);
    match words.first().map(String::as_str) {
        Some("nomate") => Claimed::NoMate,
        None | Some("unknown" | "timeout" | "notimplemented" | "-") => Claimed::Unknown,
        Some(_) => Claimed::Mate(words),
    }
}

/// `has_length`: the length stood behind it, which may be all that is known.
fn of_line(row: &str, has_length: bool) -> Result<(Option<String>, Claimed), String> {
    let fields: Vec<&str> = row.split('\t').map(str::trim).collect();
    if let [name, answer @ ("mate" | "nomate" | "unknown"), _, _, _, moves, ..] = fields[..] {
        let moves = if moves == "-" { "" } else { moves };
        let claimed = if answer == "mate" { Claimed::Mate(typed_words(moves)) } else { claimed(answer) };
        return Ok((Some(name.to_owned()), claimed));
    }
    if let [_, "brinkmate" | "none", _, _, _, _, ..] = fields[..] {
        return Err(of_a_brinkmate(fields[1]));
    }
    // A line without a name begins with a move, or has its length only.
    if row.is_empty() || row.starts_with(['▲', '☗', '△', '☖']) {
        return Ok((None, claimed(row)));
    }
    let (name, moves) = row.split_once('\t').or_else(|| row.split_once(' ')).unwrap_or((row, ""));
    if moves.trim().is_empty() && !has_length {
        return Err(format!("expected a name and moves, found '{row}'"));
    }
    Ok((Some(name.trim().to_owned()), claimed(moves)))
}

/// The first line of a file of `--results`, which says what was asked.
fn is_question(row: &str) -> bool {
    serde_json::from_str::<Value>(row).is_ok_and(|found| found["command"].is_string() && found["name"].is_null())
}

/// Its line replayed would tell nothing: mates come after it.
fn of_a_brinkmate(answer: &str) -> String {
    format!(
        "expected an answer about a mate, found '{answer}', which `hasami verify --certificate` checks by its certificate"
    )
}

/// What an object should have.
fn lacking(what: &str, found: &Value) -> String {
    match what {
        "name" => "expected a JSON object with a name, found none".to_owned(),
        "strings" => "expected moves that are strings, found others".to_owned(),
        "moves" => format!("expected an array of moves, found {found}"),
        _ => format!("expected an answer (mate, nomate, unknown), found {found}"),
    }
}

fn of_json(row: &str) -> Result<(Option<String>, Claimed), String> {
    let found: Value =
        serde_json::from_str(row).map_err(|error| format!("expected a JSON object, found: {}", json_fault(&error)))?;
    let name = found["name"].as_str().ok_or_else(|| lacking("name", &Value::Null))?;
    let moves = match &found["moves"] {
        Value::Array(moves) => {
            let texts: Option<Vec<String>> = moves.iter().map(|m| m.as_str().map(str::to_owned)).collect();
            texts.ok_or_else(|| lacking("strings", &Value::Null))?
        }
        Value::String(moves) => typed_words(moves),
        Value::Null => Vec::new(),
        other => return Err(lacking("moves", other)),
    };
    let claimed = match &found["answer"] {
        Value::String(answer) if answer == "mate" => Claimed::Mate(moves),
        Value::String(answer) if answer == "nomate" => Claimed::NoMate,
        Value::String(answer) if answer == "unknown" => Claimed::Unknown,
        Value::String(answer) if matches!(answer.as_str(), "brinkmate" | "none") => return Err(of_a_brinkmate(answer)),
        Value::Null if !moves.is_empty() => Claimed::Mate(moves),
        other => return Err(lacking("answer", other)),
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
            {\"command\": \"hasami solve --algorithm dfpn\"}\n\
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
    fn lengths_behind_the_moves_are_read_in_any_digits() {
        let text = "a ▲５二金△４一玉▲４二金まで3手詰\nb\t▲５二金まで１手詰め\n▲５二金 まで三手で詰み\nc まで十七手詰\n\
            d まで26手詰\nまで９手詰\n";
        let found: Vec<_> =
            parse(text, "x").unwrap().into_iter().map(|claim| (claim.name, claim.claimed, claim.plies)).collect();
        let name = |name: &str| Some(name.to_owned());
        let expected = [
            (name("a"), mate("▲５二金△４一玉▲４二金"), Some(3)),
            (name("b"), mate("▲５二金"), Some(1)),
            (None, mate("▲５二金"), Some(3)),
            (name("c"), Claimed::Unknown, Some(17)),
            (name("d"), Claimed::Unknown, Some(26)),
            (None, Claimed::Unknown, Some(9)),
        ];
        assert_eq!(found, expected);
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
