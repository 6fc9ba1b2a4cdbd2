//! The checks that come before the first game: greeting, options, `isready`, and lines that the engine must ignore.

use super::conversation::{millis, shown};
use super::subject::Subject;
use super::{Check, Verdict, verdict};
use hasami_protocol::Protocol;
use hasami_protocol::client::{self, ChildOption, Reply};
use hasami_words::text::At;
use std::time::Duration;

/// Time limit for the answer to the greeting; no known GUI has a shorter one.
const PROMPT: Duration = Duration::from_secs(2);

/// Keywords of an option's declaration; an option's name must not contain them.
const RESERVED: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

pub const CHECKS: &[Check] = &[
    Check::must("answers its greeting", |subject| verdict(subject.greet().map(drop))),
    Check::should("answers its greeting within 2 s", prompt),
    Check::must("says its name (id name)", |subject| named(subject, "name")),
    Check::should("says its author (id author)", |subject| named(subject, "author")),
    Check::must("declares options that can be read", |subject| each_option(subject, readable)),
    Check::must("names its options without reserved words", |subject| each_option(subject, unreserved)),
    Check::must("names its options without blanks", |subject| each_option(subject, unbroken)).only(Protocol::Usi),
    Check::must("declares each option once", once),
    Check::must("answers isready with readyok", |subject| verdict(subject.up())),
    Check::must("takes every option's default", takes_defaults),
    Check::must("takes USI_Hash and USI_Ponder, declared or not", takes_usual_options).only(Protocol::Usi),
    Check::must("lives on after an option that it has not", |subject| {
        survives(subject, &["setoption name No Such Option value 1", "setoption name NoSuchOption"])
    }),
    Check::must("lives on after words that it does not know", |subject| {
        survives(subject, &["xyzzy 1 2", "joho debug on"])
    }),
    Check::must("lives on after empty lines and blanks", |subject| survives(subject, &["", "   ", "\t"])),
    Check::should("lives on after a line that ends in CR LF", |subject| survives(subject, &["debug off\r"])),
    Check::must("is ready after a new game is announced", |subject| {
        verdict(subject.new_game().and_then(|()| match subject.protocol() {
            // In USI, `isready` begins a game and has already been sent.
            Protocol::Usi => Ok(()),
            Protocol::Uci => subject.ready().map(drop),
        }))
    }),
];

fn prompt(subject: &mut Subject<'_>) -> Verdict {
    subject.restart();
    let checked = subject.greet().and_then(|took| {
        let late = || format!("took {} ms, longer than {} ms", millis(took), millis(PROMPT));
        if took <= PROMPT { Ok(()) } else { Err(late()) }
    });
    verdict(checked)
}

fn named(subject: &mut Subject<'_>, what: &str) -> Verdict {
    let start = format!("id {what} ");
    let is_it = |line: &String| line.strip_prefix(&start).is_some_and(|rest| !rest.trim().is_empty());
    if subject.greeting.iter().any(is_it) {
        return Verdict::Passed;
    }
    Verdict::Failed(format!("no line 'id {what} ...' before '{}'", subject.protocol().greeting_ok()))
}

/// Applies a check to every line that begins with the word `option`.
fn each_option(subject: &mut Subject<'_>, check: fn(&ChildOption) -> Result<(), String>) -> Verdict {
    let protocol = subject.protocol();
    let lines = subject.greeting.iter().filter(|line| line.split_whitespace().next() == Some("option"));
    let checked = lines.map(|line| match client::parse(protocol, line) {
        Reply::Option(option) => check(&option),
        _ => Err(format!("expected 'option name NAME type TYPE ...', found '{}'", shown(line))),
    });
    verdict(checked.collect())
}

/// Checks that the option has a known type, and a default that its own declaration allows.
fn readable(option: &ChildOption) -> Result<(), String> {
    let known = ["check", "spin", "combo", "button", "string", "filename"];
    if !known.contains(&option.kind.as_str()) {
        return Err(of_option(
            option,
            format!("expected one of the types {}, found '{}'", known.join(", "), option.kind),
        ));
    }
    if option.kind == "spin" && option.range.contains(&None) {
        return Err(of_option(option, "min or max is missing or not a number".to_owned()));
    }
    let takes_text = ["button", "string", "filename"].contains(&option.kind.as_str());
    match &option.default {
        _ if takes_text => Ok(()),
        None => Err(of_option(option, "it has no default".to_owned())),
        Some(default) => option.refuses(default).map_or(Ok(()), |expected| {
            Err(of_option(option, format!("expected {expected} as its default, found '{default}'")))
        }),
    }
}

fn of_option(option: &ChildOption, why: String) -> String {
    why.at(format!("option {}", option.name))
}

fn unreserved(option: &ChildOption) -> Result<(), String> {
    let found = option.name.split_whitespace().find(|word| RESERVED.contains(word));
    let reserved = |word| of_option(option, format!("its name contains the reserved word '{word}'"));
    found.map_or(Ok(()), |word| Err(reserved(word)))
}

fn unbroken(option: &ChildOption) -> Result<(), String> {
    if option.name.contains(char::is_whitespace) {
        return Err(format!("the name '{}' is not one word", option.name));
    }
    Ok(())
}

fn once(subject: &mut Subject<'_>) -> Verdict {
    let names: Vec<_> = subject.declared.iter().map(|option| option.name.to_ascii_lowercase()).collect();
    let twice = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
    let failed = |name: &String| Verdict::Failed(format!("option {name} is declared twice"));
    twice.map_or(Verdict::Passed, |(_, name)| failed(name))
}

/// Sets every option to its default, but leaves out buttons, and text options (their values may name files).
fn takes_defaults(subject: &mut Subject<'_>) -> Verdict {
    let set = subject.up().and_then(|()| {
        let plain = subject.declared.iter().filter(|option| ["check", "spin", "combo"].contains(&option.kind.as_str()));
        // Options that the user has set keep their values.
        let own = &subject.examination.options;
        let free = plain.filter(|option| !own.iter().any(|(name, _)| name.eq_ignore_ascii_case(&option.name)));
        let all: Vec<_> = free.filter_map(|option| Some((option.name.clone(), option.default.clone()?))).collect();
        all.iter().for_each(|(name, value)| subject.set_option(name, Some(value)));
        subject.ready().map(drop)
    });
    verdict(set)
}

fn takes_usual_options(subject: &mut Subject<'_>) -> Verdict {
    verdict(subject.up().and_then(|()| {
        subject.set_option("USI_Hash", Some("16"));
        subject.set_option("USI_Ponder", Some("false"));
        subject.ready().map(drop)
    }))
}

fn survives(subject: &mut Subject<'_>, lines: &[&str]) -> Verdict {
    verdict(subject.up().and_then(|()| {
        lines.iter().for_each(|line| subject.engine().tell(line));
        subject.ready().map(drop)
    }))
}
