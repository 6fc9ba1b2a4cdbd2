//! Tables of a knockout and of a Swiss system, round by round.

use super::names;
use super::schedule::{Draw, Encounter, Schedule, Tournament};
use super::scores::Scores;
use crate::text::{padded, to_right};
use crate::words::{Message, Words};
use serde_json::{Value, json};
use std::cmp::Reverse;
use unicode_width::UnicodeWidthStr;

/// An engine's place in a Swiss system; all figures in half points.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Standing {
    engine: usize,
    points: u32,
    /// The points of its opponents (Buchholz).
    buchholz: u32,
    /// Its points against each opponent times the opponent's (Sonneborn-Berger), in quarter points.
    berger: u32,
    /// By round.
    rounds: Vec<Option<RoundResult>>,
}

/// Of one engine in one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RoundResult {
    opponent: usize,
    /// Half points against it.
    points: u32,
    /// No game of it is left.
    is_over: bool,
}

/// The rounds as lines for people; none of tournaments without rounds of their own.
pub fn lines(names: &[String], schedule: &Schedule, scores: &Scores, words: &Words) -> Vec<String> {
    let (draw, names) = (Draw::new(schedule, scores.games()), names::shown(names));
    match schedule.tournament {
        Tournament::Knockout => knockout_lines(&names, &draw, words),
        Tournament::Swiss => swiss_lines(&names, schedule, &draw, words),
        _ => Vec::new(),
    }
}

/// Who has won, who leads or how far it is, in a few words; `None`: points alone say that.
pub fn short(names: &[String], schedule: &Schedule, scores: &Scores) -> Option<Message> {
    let draw = || Draw::new(schedule, scores.games());
    let name = |engine: usize| names::fitting(&names[engine]).into_owned();
    match schedule.tournament {
        Tournament::Knockout => {
            let encounters = draw().encounters;
            let last = encounters.last()?;
            let round =
                encounters.iter().find(|encounter| encounter.winner.is_none()).map_or(last.round, |open| open.round);
            let open = Message::new("round-of").with("round", u64::from(round)).with("rounds", u64::from(last.round));
            Some(last.winner.map_or(open, |winner| Message::new("winner").with("name", name(winner))))
        }
        Tournament::Swiss => {
            let table = standings(schedule, &draw());
            let first = table.first()?;
            Some(Message::new("leads").with("name", name(first.engine)).with("points", points(first.points)))
        }
        _ => None,
    }
}

/// The same for files; null for tournaments without rounds of their own.
pub fn to_json(names: &[String], schedule: &Schedule, scores: &Scores) -> Value {
    if !schedule.is_drawn() {
        return Value::Null;
    }
    let draw = Draw::new(schedule, scores.games());
    let known = draw.encounters.iter().filter_map(|encounter| Some((encounter, encounter.engines?)));
    let encounters = known.map(|(encounter, engines)| {
        json!({
            "round": encounter.round,
            "engines": engines.map(|engine| &names[engine]),
            "points": encounter.points.map(|points| f64::from(points) / 2.0),
            "winner": encounter.winner.map(|engine| &names[engine]),
        })
    });
    let encounters: Vec<Value> = encounters.collect();
    let table = standings(schedule, &draw).into_iter().map(|standing| {
        json!({
            "name": names[standing.engine],
            "seed": standing.engine + 1,
            "points": f64::from(standing.points) / 2.0,
            "buchholz": f64::from(standing.buchholz) / 2.0,
            "sonneborn_berger": f64::from(standing.berger) / 4.0,
        })
    });
    let table: Vec<Value> = if schedule.tournament == Tournament::Swiss { table.collect() } else { Vec::new() };
    let byes = draw.byes.iter().map(|bye| bye.map(|engine| &names[engine])).collect::<Vec<_>>();
    let first_byes = draw.first_byes.iter().map(|&engine| &names[engine]).collect::<Vec<_>>();
    json!({ "encounters": encounters, "standings": table, "byes": byes, "first_round_byes": first_byes })
}

/// `seeds: 1 A, 2 B`: the order of the engines on the command line.
pub fn seeds(names: &[String]) -> Message {
    let all: Vec<_> = names.iter().enumerate().map(|(index, name)| format!("{} {name}", index + 1)).collect();
    Message::new("seeds").with("engines", all.join(", "))
}

fn knockout_lines(names: &[String], draw: &Draw, words: &Words) -> Vec<String> {
    let last = draw.encounters.last().map_or(1, |encounter| encounter.round);
    let width = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for round in 1..=last {
        let title = Message::new("round-of-knockout").with("round", u64::from(round));
        lines.push(title.with("left", u64::from(last - round)).said(words));
        if round == 1 {
            let seat = |engine: usize| padded(&format!("{} ({})", names[engine], engine + 1), width + 5);
            let bye = |&engine: &usize| format!("  {}  {}", seat(engine), words.get("bye"));
            lines.extend(draw.first_byes.iter().map(bye));
        }
        let of_round = draw.encounters.iter().filter(|encounter| encounter.round == round);
        lines.extend(of_round.map(|encounter| knockout_line(names, encounter, width, words)));
    }
    if let Some(winner) = draw.encounters.last().and_then(|encounter| encounter.winner) {
        lines.push(Message::new("winner").with("name", names[winner].as_str()).said(words));
    }
    lines
}

fn knockout_line(names: &[String], encounter: &Encounter, width: usize, words: &Words) -> String {
    let Some([a, b]) = encounter.engines else { return format!("  {}", words.get("to-be-decided")) };
    let [x, y] = encounter.points;
    let seat = |engine: usize| format!("{} ({})", names[engine], engine + 1);
    let score = format!("{} - {}", points(x), points(y));
    let width = width + 5;
    let goes_on = |winner: usize| {
        let name = if x == y { "goes-on-by-seed" } else { "goes-on" };
        format!("  {}", Message::new(name).with("name", names[winner].as_str()).said(words))
    };
    let goes_on = encounter.winner.map(goes_on).unwrap_or_default();
    let line = format!("  {} {score:>9}  {}{goes_on}", padded(&seat(a), width), padded(&seat(b), width));
    line.trim_end().to_owned()
}

fn swiss_lines(names: &[String], schedule: &Schedule, draw: &Draw, words: &Words) -> Vec<String> {
    let width = names.iter().map(|name| name.width()).max().unwrap_or(0).max(8);
    let column = |name: &str, width: usize| to_right(&words.get(name), width);
    let round = |round: u32| words.with("column-round", &[("round", u64::from(round).into())]);
    let rounds: String = (1..=schedule.rounds).map(|number| format!(" {}", to_right(&round(number), 8))).collect();
    let mut lines = vec![format!(
        "{} {} {} {} {} {:>7}{rounds}",
        padded(&words.get("column-rank"), 4),
        padded(&words.get("column-name"), width),
        column("column-seed", 4),
        column("column-points", 6),
        column("column-buchholz", 8),
        "S-B"
    )];
    let table = standings(schedule, draw);
    for (rank, standing) in table.iter().enumerate() {
        let cell = |round: &Option<RoundResult>| match round {
            Some(result) => {
                let half = if result.is_over { points(result.points) } else { format!("{}…", points(result.points)) };
                let values = [("points", (&half).into()), ("seed", (result.opponent + 1).into())];
                format!(" {}", to_right(&words.with("points-against", &values), 8))
            }
            None => format!(" {:>8}", "-"),
        };
        let cells: String = (0..schedule.rounds as usize)
            .map(|round| match draw.byes.get(round) {
                Some(Some(bye)) if *bye == standing.engine => format!(" {}", column("bye", 8)),
                _ => cell(standing.rounds.get(round).unwrap_or(&None)),
            })
            .collect();
        lines.push(format!(
            "{:>4} {} {:>4} {:>6} {:>8} {:>7}{cells}",
            rank + 1,
            padded(&names[standing.engine], width),
            standing.engine + 1,
            points(standing.points),
            points(standing.buchholz),
            format!("{:.2}", f64::from(standing.berger) / 4.0)
        ));
    }
    lines
}

/// By points, Buchholz, Sonneborn-Berger, seed.
fn standings(schedule: &Schedule, draw: &Draw) -> Vec<Standing> {
    let mut table: Vec<Standing> = (0..schedule.engines).map(|engine| standing(engine, schedule, draw)).collect();
    let points: Vec<u32> = table.iter().map(|standing| standing.points).collect();
    for standing in &mut table {
        let met = standing.rounds.iter().flatten();
        standing.buchholz = met.clone().map(|met| points[met.opponent]).sum();
        standing.berger = met.map(|met| points[met.opponent] * met.points).sum();
    }
    table.sort_by_key(|standing| {
        Reverse((standing.points, standing.buchholz, standing.berger, Reverse(standing.engine)))
    });
    table
}

fn standing(engine: usize, schedule: &Schedule, draw: &Draw) -> Standing {
    let round = |round: u32| {
        let mut of_round = draw.encounters.iter().filter(|encounter| encounter.round == round);
        of_round.find_map(|encounter| {
            let (opponent, points) = match (encounter.engines?, encounter.points) {
                ([a, b], [x, _]) if a == engine => (b, x),
                ([a, b], [_, y]) if b == engine => (a, y),
                _ => return None,
            };
            Some(RoundResult { opponent, points, is_over: encounter.is_complete })
        })
    };
    let rounds: Vec<_> = (1..=schedule.rounds).map(round).collect();
    let played: u32 = rounds.iter().flatten().map(|met| met.points).sum();
    let byes = draw.byes.iter().filter(|bye| **bye == Some(engine)).count() as u32;
    Standing { engine, points: played + byes * schedule.bye_points(), buchholz: 0, berger: 0, rounds }
}

/// Half points as people write them.
fn points(half: u32) -> String {
    format!("{:.1}", f64::from(half) / 2.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::matches::schedule::Planned;
    use crate::matches::scores::FinishedGame;
    use hasami_api::{Ending, Outcome, Side};

    /// Everything is played, and the better seed always wins.
    fn played(schedule: &Schedule) -> Scores {
        let mut scores = Scores::new(true);
        for game in 0..schedule.total() {
            let Planned::Game(pairing) = schedule.planned(&Draw::new(schedule, scores.games()), game) else { panic!() };
            let winner = if pairing.engines[0] < pairing.engines[1] { Side::First } else { Side::Second };
            scores.add(FinishedGame { pairing, outcome: Outcome::Win(winner), ending: Ending::Checkmate });
        }
        scores
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|index| format!("e{}", index + 1)).collect()
    }

    #[test]
    fn a_knockout_shows_its_rounds() {
        let schedule = Schedule { tournament: Tournament::Knockout, engines: 3, ..Schedule::default() };
        let before = lines(&names(3), &schedule, &Scores::new(true), Words::english());
        let first = [
            "Round 1 (semi-finals):",
            "  e1 (1)   bye",
            "  e2 (2)  0.0 - 0.0  e3 (3)",
            "Round 2 (final):",
            "  to be decided",
        ];
        assert_eq!(before, first);
        let after = lines(&names(3), &schedule, &played(&schedule), Words::english());
        assert_eq!(after[2], "  e2 (2)  2.0 - 0.0  e3 (3)   e2 goes on");
        assert_eq!(after[4..], ["  e1 (1)  2.0 - 0.0  e2 (2)   e1 goes on", "Winner: e1"]);
        let told = |scores: &Scores| short(&names(3), &schedule, scores).unwrap().to_string();
        assert_eq!(told(&Scores::new(true)), "round 1 of 2");
        assert_eq!(told(&played(&schedule)), "Winner: e1");
        let json = to_json(&names(3), &schedule, &played(&schedule));
        assert_eq!(json["first_round_byes"], json!(["e1"]));
        let whole = Schedule { engines: 4, ..schedule };
        assert!(!lines(&names(4), &whole, &Scores::new(true), Words::english()).concat().contains("bye"));
    }

    #[test]
    fn a_swiss_table_has_byes_and_tie_breaks() {
        let schedule = Schedule { tournament: Tournament::Swiss, engines: 3, rounds: 2, ..Schedule::default() };
        let scores = played(&schedule);
        let lines = lines(&names(3), &schedule, &scores, Words::english());
        assert_eq!(lines.len(), 4);
        assert!(lines[1].starts_with("   1 e1"), "{lines:#?}");
        assert!(lines[3].ends_with("bye  0.0 v 1") || lines[3].contains("bye"), "{lines:#?}");
        let json = to_json(&names(3), &schedule, &scores);
        assert_eq!(json["standings"][0]["points"], 4.0);
        assert_eq!((json["byes"][0].as_str(), json["encounters"].as_array().map(Vec::len)), (Some("e3"), Some(2)));
    }
}
