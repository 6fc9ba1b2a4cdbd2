//! Checks, before the first game, whether an engine has the options that are to be tuned.

use hasami_matches::tuning::TunedOption;
use hasami_protocol::client::ChildOption;
use hasami_words::text::At;

/// Rejects an option that is named twice, because it would have two values at once.
pub fn check_once(options: &[TunedOption]) -> Result<(), String> {
    let is_again = |(index, option): &(usize, &TunedOption)| {
        options[..*index].iter().any(|other| other.name.eq_ignore_ascii_case(&option.name))
    };
    let again = options.iter().enumerate().find(is_again);
    again.map_or(Ok(()), |(_, option)| Err(format!("{}: named twice", option.name)))
}

/// Explains why `wanted` cannot be tuned in an engine with the options `declared`; `None` if it can be tuned.
pub fn fault(wanted: &TunedOption, declared: &[ChildOption]) -> Option<String> {
    let name = &wanted.name;
    let Some(option) = declared.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
        // USI engines know some options without declaring them.
        return (!name.starts_with("USI_")).then(|| absent(name, declared));
    };
    let refused = |declared: &str| {
        let TunedOption { low, high, .. } = wanted;
        format!("{name}: the engine declares {declared}, not {low} to {high}")
    };
    match (option.kind.as_str(), option.range) {
        ("spin", _) if !wanted.is_whole => Some(refused("whole numbers")),
        ("spin", [least, most]) => {
            let [least, most] = [least.unwrap_or(i64::MIN), most.unwrap_or(i64::MAX)];
            let fits = wanted.low >= least as f64 && wanted.high <= most as f64;
            (!fits).then(|| refused(&format!("a range of {least} to {most}")))
        }
        _ if is_text_of_number(option) => None,
        (kind, _) => Some(format!("an option of type {kind} has no number to tune").at(name)),
    }
}

/// Returns whether a text option has a numeric default, because some engines declare decimal options as text.
fn is_text_of_number(option: &ChildOption) -> bool {
    option.kind == "string"
        && option.default.as_deref().is_some_and(|text| text.parse::<f64>().is_ok_and(f64::is_finite))
}

/// Returns the error for an option that the engine does not have. The error lists the engine's numeric options.
fn absent(name: &str, declared: &[ChildOption]) -> String {
    let has_number = |option: &&ChildOption| option.kind == "spin" || is_text_of_number(option);
    let known: Vec<&str> = declared.iter().filter(has_number).map(|option| option.name.as_str()).collect();
    match known.is_empty() {
        true => format!("'{name}' cannot be tuned: the engine has no numeric options"),
        false => format!("the engine has no option '{name}'; its numeric options are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use hasami_protocol::Protocol;
    use hasami_protocol::client::{Reply, parse};

    fn declared() -> Vec<ChildOption> {
        let lines = [
            "name Hash type spin default 16 min 1 max 1024",
            "name Move Overhead type spin default 10 min 0 max 5000",
            "name Ponder type check default false",
            "name Factor type string default 1.5",
            "name EvalFile type string default <empty>",
        ];
        let option = |line: &str| match parse(Protocol::Uci, &format!("option {line}")) {
            Reply::Option(option) => option,
            other => panic!("{other:?}"),
        };
        lines.into_iter().map(option).collect()
    }

    #[test]
    fn an_option_is_tuned_once() {
        let options = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<TunedOption>>();
        assert!(check_once(&options(&["A=1,0,2", "B=1,0,2"])).is_ok());
        let why = check_once(&options(&["A B=1,0,2", "C=1,0,2", "a b=1,0,3"])).unwrap_err();
        assert_eq!(why.to_string(), "a b: named twice");
    }

    #[test]
    fn an_engine_must_have_what_is_tuned() {
        for (text, wanted) in [
            ("hash=16,1,64", None),
            ("Factor=1.5,1.0,2.0", None),
            ("USI_Own=1,0,2", None),
            (
                "MoveOverhead=10,0,100",
                Some("the engine has no option 'MoveOverhead'; its numeric options are Hash, Move Overhead, Factor"),
            ),
            ("EvalFile=1,0,2", Some("EvalFile: an option of type string has no number to tune")),
            ("Zq=1,0,2", Some("the engine has no option 'Zq'; its numeric options are ")),
            ("Hash=16,0,2048", Some("Hash: the engine declares a range of 1 to 1024, not 0 to 2048")),
            ("Hash=1.5,1.0,2.0", Some("Hash: the engine declares whole numbers, not 1 to 2")),
            ("Ponder=1,0,2", Some("Ponder: an option of type check has no number to tune")),
        ] {
            let found = fault(&text.parse().unwrap(), &declared());
            assert_eq!(found.is_some(), wanted.is_some(), "{text}: {found:?}");
            assert!(found.unwrap_or_default().contains(wanted.unwrap_or_default()), "{text}");
        }
        let none = fault(&"A=1,0,2".parse().unwrap(), &[]).unwrap();
        assert!(none.contains("the engine has no numeric options"), "{none}");
    }
}
