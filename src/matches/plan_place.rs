//! Reports differences between a continued match and the plan in its journal, in the words of the command line and of
//! match files.

use hasami_words::text::At;
use hasami_words::text::difference::plain;
use serde_json::Value;

/// The message that a value of the plan has changed. `plan` is the current plan.
pub fn changed(place: &str, before: &Value, now: &Value, plan: &Value) -> String {
    let (within, word) = in_words(place, plan);
    let why =
        format!("expected the same {word} as in the journal, {}, found {}", shown(place, before), shown(place, now));
    match within {
        Some(within) => why.at(within),
        None => why,
    }
}

/// The engine or the option to which a place belongs, if there is one, and the user's word for the place.
fn in_words(place: &str, plan: &Value) -> (Option<String>, String) {
    if let Some((number, inner)) = place.strip_prefix("engines[").and_then(|rest| rest.split_once("].")) {
        let engine = number.parse().unwrap_or(0_usize);
        let word = engine_word(inner, &plan["engines"][engine.saturating_sub(1)]);
        return (Some(format!("engine {engine}")), word);
    }
    match place {
        "engines" => return (None, "number of engines".into()),
        "schedule.openings" => return (None, "number of openings".into()),
        "schedule.first_opening" => return (Some("openings".into()), "start".into()),
        "openings.seed" => return (None, "seed".into()),
        _ => {}
    }
    let inner = place.strip_prefix("schedule.").or_else(|| place.strip_prefix("adjudication.")).unwrap_or(place);
    match inner.split_once('.') {
        Some((option, inner)) => (Some(word(option)), word(inner)),
        None => (None, word(inner)),
    }
}

/// The user's word for a property of an engine; for an option of the engine, the option's name.
fn engine_word(inner: &str, engine: &Value) -> String {
    let (key, at) = inner.split_once('[').unwrap_or((inner, ""));
    let index = at.strip_suffix("][2]").and_then(|number| number.parse::<usize>().ok()?.checked_sub(1));
    let name = index.and_then(|index| engine["options"][index][0].as_str());
    match (key, name) {
        ("options", Some(name)) => format!("option.{name}"),
        ("control", _) => "time or limit".into(),
        _ => word(key),
    }
}

/// The word that users write, without the index of a part.
fn word(key: &str) -> String {
    let key = key.split('[').next().unwrap_or(key);
    let word = match key {
        "command" => "cmd",
        "margin_ms" => "timemargin",
        "chess960" => "variant",
        "entering_king" => "entering-king",
        "repeats" => "repeat",
        "tables" => "tb",
        "max_plies" => "maxmoves",
        _ => return key.replace('_', ""),
    };
    word.to_owned()
}

/// A value as users write it.
fn shown(place: &str, value: &Value) -> String {
    match (place, value) {
        (_, Value::Null) => "none".into(),
        ("chess960", Value::Bool(true)) => "fischerandom".into(),
        ("chess960", Value::Bool(false)) => "standard".into(),
        ("engines", Value::Array(engines)) => engines.len().to_string(),
        ("schedule.first_opening", first) => (first.as_u64().unwrap_or(0) + 1).to_string(),
        (_, Value::Array(values)) if values.is_empty() => "none".into(),
        (_, Value::Array(values)) => values.iter().map(joined).collect::<Vec<_>>().join(" "),
        (_, Value::Object(words)) => {
            let words: Vec<String> =
                words.iter().map(|(key, value)| format!("{}={}", word(key), plain(value))).collect();
            words.join(" ")
        }
        (_, value) => plain(value),
    }
}

/// Joins the parts of a value as the command line writes them: single words, or `name=value` for options.
fn joined(value: &Value) -> String {
    let parts = value.as_array().map(|parts| parts.iter().map(plain).collect::<Vec<_>>());
    parts.map_or_else(|| plain(value), |parts| parts.join("="))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_words::text::difference::difference;
    use serde_json::json;

    #[test]
    fn changes_are_named_as_users_write_them() {
        let plan = json!({
            "chess960": false,
            "engines": [
                {"name": "a", "command": ["x", "y"], "control": "10+0.1", "margin_ms": 5, "options": [["Hash", "16"]]},
                {"name": "b", "command": ["x"], "control": "10+0.1", "margin_ms": 5, "options": []},
            ],
            "schedule": {"repeats": 2, "no_swap": false, "first_opening": 0, "openings": 9},
            "openings": {"file": "x.epd", "seed": 1},
            "sprt": null,
            "adjudication": {"draw": {"move_number": 40}, "max_plies": 0},
        });
        for (path, value, english) in [
            ("/engines/1/name", json!("c"), "engine 2: expected the same name as in the journal, b, found c"),
            (
                "/engines/0/options/0/1",
                json!("32"),
                "engine 1: expected the same option.Hash as in the journal, 16, found 32",
            ),
            (
                "/engines/1/options",
                json!([["Hash", "1"]]),
                "engine 2: expected the same options as in the journal, none, found Hash=1",
            ),
            (
                "/engines/1/control",
                json!("5 nodes"),
                "engine 2: expected the same time or limit as in the journal, 10+0.1, found 5 nodes",
            ),
            ("/engines/0/command/1", json!("z"), "engine 1: expected the same cmd as in the journal, y, found z"),
            ("/engines/0/margin_ms", json!(6), "engine 1: expected the same timemargin as in the journal, 5, found 6"),
            ("/engines", json!([]), "expected the same number of engines as in the journal, 2, found 0"),
            ("/chess960", json!(true), "expected the same variant as in the journal, standard, found fischerandom"),
            ("/schedule/repeats", json!(4), "expected the same repeat as in the journal, 2, found 4"),
            ("/schedule/no_swap", json!(true), "expected the same noswap as in the journal, false, found true"),
            ("/schedule/first_opening", json!(2), "openings: expected the same start as in the journal, 1, found 3"),
            ("/schedule/openings", json!(8), "expected the same number of openings as in the journal, 9, found 8"),
            ("/openings/file", json!("y"), "openings: expected the same file as in the journal, x.epd, found y"),
            ("/openings/seed", json!(2), "expected the same seed as in the journal, 1, found 2"),
            ("/openings", json!(null), "expected the same openings as in the journal, file=x.epd seed=1, found none"),
            ("/sprt", json!({"elo0": 0}), "expected the same sprt as in the journal, none, found elo0=0"),
            (
                "/adjudication/draw/move_number",
                json!(4),
                "draw: expected the same movenumber as in the journal, 40, found 4",
            ),
            ("/adjudication/max_plies", json!(4), "expected the same maxmoves as in the journal, 0, found 4"),
        ] {
            let mut other = plan.clone();
            *other.pointer_mut(path).unwrap() = value;
            let (place, before, now) = difference(&plan, &other).unwrap();
            let message = changed(&place, before, now, &other);
            assert_eq!(message, english, "{path}");
        }
    }
}
