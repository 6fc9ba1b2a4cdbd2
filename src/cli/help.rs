//! `--help` in the user's language: headings and the line about each subcommand. Options keep their English.

use crate::words::{Language, Words};
use clap::{Arg, Command};

/// The name of the command tree.
const PROGRAM: &str = "hasami";

/// The command tree with its help in these words.
pub fn said(mut command: Command, words: &Words) -> Command {
    // clap's own help is English.
    if words.language == Language::English {
        return command;
    }
    // Its own arguments and its subcommand `help` are there from now on.
    command.build();
    of_command(command, words)
}

fn of_command(command: Command, words: &Words) -> Command {
    let name = command.get_name().to_owned();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let line = words.with("about-command", &[("command", name.as_str().into()), ("text", (&about).into())]);
    // What a longer help says after its first line stays.
    let more = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let more = more.split_once("\n\n").map(|(_, more)| more.to_owned());
    let more = if name == PROGRAM { Some(words.get("help-engine")) } else { more };
    let long = more.map_or_else(|| line.clone(), |more| format!("{line}\n\n{more}"));
    let usage = words.get("help-usage");
    let template = format!("{{about-with-newline}}\n{usage}{{usage}}\n\n{{all-args}}{{after-help}}");
    let command = command.about(line).long_about(long).help_template(template);
    let command = command.subcommand_help_heading(kept(words.get("help-commands")));
    let command = command.mut_args(|argument| said_argument(argument, words));
    let is_help = name == "help";
    if is_help { command } else { command.mut_subcommands(|subcommand| of_command(subcommand, words)) }
}

fn said_argument(argument: Arg, words: &Words) -> Arg {
    let argument = heading(argument, words);
    match argument.get_id().as_str() {
        "help" => argument.help(words.get("help-help")).long_help(words.get("help-help")),
        "version" => argument.help(words.get("help-version")),
        _ => argument,
    }
}

fn heading(argument: Arg, words: &Words) -> Arg {
    if argument.get_help_heading().is_some() {
        return argument;
    }
    let name = if argument.is_positional() { "help-arguments" } else { "help-options" };
    argument.help_heading(kept(words.get(name)))
}

/// clap takes headings that live as long as the program; it is asked once.
fn kept(heading: String) -> &'static str {
    heading.leak()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GAMES;

    #[test]
    fn every_subcommand_has_its_line_and_its_headings_in_japanese() {
        let words = Words::of(Language::Japanese);
        let mut command = said(super::super::command(GAMES), words);
        let is_japanese = |text: &str| text.contains(|c: char| ('\u{3041}'..='\u{30ff}').contains(&c));
        let all = command.render_long_help().to_string();
        assert!(all.contains("使い方：") && !all.contains("Usage:") && !all.contains("Options:"), "{all}");
        for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(is_japanese(&about), "{}: {about}", subcommand.get_name());
        }
        command.debug_assert();
    }
}
