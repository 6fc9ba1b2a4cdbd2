//! Options that are rarely set, most of them for experiments with the algorithms of papers: `--set NAME=VALUE`. Such
//! options have no flag of their own, so that the help of a command stays short.

use clap::{Arg, ArgAction, Command};
use hasami_terminal::Failure;
use hasami_words::text::visible;
use std::ffi::OsString;

/// Names that `--set` accepts for `hasami solve`.
const OF_SOLVE: [&str; 12] = [
    "any-set",
    "cell-nodes",
    "cell-search",
    "checks",
    "core",
    "delay",
    "ns",
    "proof-moves",
    "seed",
    "step",
    "trace",
    "turn",
];

/// Names that `--set` accepts for `hasami brinkmate`.
const OF_BRINKMATE: [&str; 9] = ["any-set", "fen", "game", "inner", "inner-nodes", "seed", "taco-h", "turn", "virtual"];

fn settable(job: &str) -> &'static [&'static str] {
    match job {
        "solve" => &OF_SOLVE,
        "brinkmate" => &OF_BRINKMATE,
        _ => &[],
    }
}

/// The command tree in which `--set` replaces these options.
pub fn hidden(command: Command) -> Command {
    ["solve", "brinkmate"].into_iter().fold(command, |command, name| {
        let is_settable = |argument: &Arg| argument.get_long().is_some_and(|long| settable(name).contains(&long));
        let hide = |argument: Arg| if is_settable(&argument) { argument.hide(true) } else { argument };
        let help = format!("Set a rarely used option (may be repeated): {}", settable(name).join(", "));
        let set = Arg::new("set").long("set").value_name("NAME=VALUE").action(ArgAction::Append).help(help);
        command.mut_subcommand(name, |job| job.mut_args(hide).arg(set))
    })
}

/// Replaces `--set` by the clap options: `--set turn=5` becomes `--turn=5`, which is refused if it is typed directly.
pub fn expand(typed: &[OsString], job: &str) -> Result<Vec<OsString>, Failure> {
    let known = settable(job);
    let (mut words, mut expanded) = (typed.iter(), Vec::new());
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let name = text.strip_prefix("--").map(|rest| rest.split('=').next().unwrap_or(rest));
        match name {
            Some("") => expanded.push(word.clone()),
            Some("set") => {
                let next = if text.contains('=') { None } else { words.next() };
                let setting = match (text.split_once('='), next) {
                    (Some((_, setting)), _) => setting.to_owned(),
                    (None, Some(setting)) => setting.to_string_lossy().into_owned(),
                    (None, None) => String::new(),
                };
                expanded.push(option(&setting, known)?.into());
            }
            Some(name) if known.contains(&name) => {
                return Err(Failure::bad_input(format!(
                    "--{name} is set by `--set {name}=...` (see `hasami help {job}`)"
                )));
            }
            _ => expanded.push(word.clone()),
        }
        if name == Some("") {
            expanded.extend(words.by_ref().cloned());
        }
    }
    Ok(expanded)
}

/// The option for one setting. A switch has no value.
fn option(setting: &str, known: &[&str]) -> Result<String, Failure> {
    let name = setting.split('=').next().unwrap_or(setting);
    if known.contains(&name) {
        return Ok(format!("--{setting}"));
    }
    let why = format!("expected NAME=VALUE with one of {}, found '{}'", known.join(", "), visible(setting));
    Err(Failure::at("--set", why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_games::GAMES;

    fn expanded(line: &str) -> Result<String, String> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let expanded = expand(&words, "solve").map_err(|failure| failure.to_string())?;
        Ok(expanded.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn settings_are_options() {
        let line = "x.tsv --set turn=5 --virtual 4 --set=any-set -- --set";
        assert_eq!(expanded(line).as_deref(), Ok("x.tsv --turn=5 --virtual 4 --any-set -- --set"));
        let refused = |line: &str| expanded(line).err().unwrap_or_default();
        assert_eq!(refused("--turn 5"), "--turn is set by `--set turn=...` (see `hasami help solve`)");
        assert!(refused("--set").ends_with("turn, found ''") && refused("--set time=5").ends_with("found 'time=5'"));
    }

    #[test]
    fn only_options_that_are_often_set_are_flags() {
        let command = crate::cli::command(GAMES);
        for (name, most) in [("solve", 26), ("brinkmate", 20)] {
            let arguments = || command.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
            let flags = arguments().filter(|argument| !argument.is_hide_set() && argument.get_long().is_some()).count();
            assert!(flags <= most, "{name}: {flags}");
            let is_there = |option: &&&str| arguments().any(|argument| argument.get_long() == Some(**option));
            assert!(settable(name).iter().all(|option| is_there(&option)), "{name}");
        }
    }
}
