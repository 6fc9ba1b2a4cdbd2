//! Finds where two JSON documents differ. Used for messages about settings that must not change between runs.

use serde_json::Value;

/// Returns the path of the first difference, such as `engines[1].control`, and the values of both documents at this
/// path.
pub fn difference<'a>(before: &'a Value, now: &'a Value) -> Option<(String, &'a Value, &'a Value)> {
    let within = |step: String, before, now| {
        let (place, before, now) = difference(before, now)?;
        let dot = if place.is_empty() || place.starts_with('[') { "" } else { "." };
        Some((format!("{step}{dot}{place}"), before, now))
    };
    match (before, now) {
        _ if before == now => None,
        (Value::Object(was), Value::Object(is)) => {
            let mut keys = was.keys().chain(is.keys());
            keys.find_map(|key| within(key.clone(), &before[key.as_str()], &now[key.as_str()]))
        }
        (Value::Array(was), Value::Array(is)) if was.len() == is.len() => {
            let mut pairs = was.iter().zip(is).enumerate();
            pairs.find_map(|(index, (before, now))| within(format!("[{}]", index + 1), before, now))
        }
        _ => Some((String::new(), before, now)),
    }
}

/// Formats a JSON value for a message.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn a_difference_is_named_by_its_place() {
        let plan = json!({"engines": [{"name": "a", "control": "300 nodes"}, {"name": "b"}], "seed": 1});
        let mut other = plan.clone();
        assert_eq!(difference(&plan, &other), None);
        other["engines"][0]["control"] = json!("400 nodes");
        let (place, before, now) = difference(&plan, &other).expect("a difference");
        assert_eq!(
            (place.as_str(), plain(before), plain(now)),
            ("engines[1].control", "300 nodes".into(), "400 nodes".into())
        );
        let longer = json!({"engines": [1], "seed": 1});
        assert_eq!(difference(&plan, &longer).map(|found| found.0), Some("engines".into()));
        let fewer = json!({"engines": plan["engines"]});
        let (place, before, now) = difference(&plan, &fewer).expect("a difference");
        assert_eq!((place.as_str(), plain(before), plain(now)), ("seed", "1".into(), "none".into()));
    }
}
