//! Rarely used options, most of them for experiments with algorithms from papers. To keep the help short, only the
//! names of rarely used options are listed, under `--set NAME=VALUE`.

use clap::{Arg, ArgAction, Command};
use std::ffi::OsString;

/// For each command, the options that help lists under `--set`.
const SETTABLE: [(&str, &[&str]); 2] = [
    (
        "solve",
        &["cell-nodes", "cell-search", "checks", "core", "delay", "ns", "proof-moves", "seed", "step", "trace", "turn"],
    ),
    ("brinkmate", &["fen", "game", "inner", "inner-nodes", "seed", "taco-h", "turn", "virtual"]),
];

/// Returns the command tree with `--set` in place of the rarely used options in help.
pub fn hidden(command: Command) -> Command {
    SETTABLE.into_iter().fold(command, |command, (name, known)| {
        let is_settable = |argument: &Arg| argument.get_long().is_some_and(|long| known.contains(&long));
        let hide = |argument: Arg| if is_settable(&argument) { argument.hide(true) } else { argument };
        let help = format!("Set a rarely used option (may be repeated): {}", known.join(", "));
        let set = Arg::new("set").long("set").value_name("NAME=VALUE").action(ArgAction::Append).help(help);
        command.mut_subcommand(name, |job| job.mut_args(hide).arg(set))
    })
}

/// Converts `--set` to options that clap knows: `--set turn=5` becomes `--turn=5`.
pub fn expand(typed: &[OsString]) -> Vec<OsString> {
    let (mut words, mut expanded) = (typed.iter(), Vec::new());
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let setting = match text.strip_prefix("--set=") {
            None if text == "--set" => words.next().map(|next| next.to_string_lossy()),
            inside => inside.map(Into::into),
        };
        expanded.push(setting.map_or_else(|| word.clone(), |setting| format!("--{setting}").into()));
        if text == "--" {
            expanded.extend(words.by_ref().cloned());
        }
    }
    expanded
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_games::GAMES;

    #[test]
    fn settings_are_options() {
        let line = "x.tsv --set turn=5 --virtual 4 --set=checks -- --set checks --set";
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let expanded = expand(&words).join(" ".as_ref());
        assert_eq!(expanded, "x.tsv --turn=5 --virtual 4 --checks -- --set checks --set");
        assert_eq!(expand(&["--set".into()]), ["--set"], "clap refuses it");
    }

    #[test]
    fn only_options_that_are_often_set_are_flags() {
        let command = crate::cli::command(GAMES);
        for ((name, known), most) in SETTABLE.into_iter().zip([26, 20]) {
            let arguments = || command.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
            let flags = arguments().filter(|argument| !argument.is_hide_set() && argument.get_long().is_some()).count();
            assert!(flags <= most, "{name}: {flags}");
            let is_there = |option: &&&str| arguments().any(|argument| argument.get_long() == Some(**option));
            assert!(known.iter().all(|option| is_there(&option)), "{name}");
        }
    }
}
