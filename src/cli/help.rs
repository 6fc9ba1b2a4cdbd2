//! `--help` in the user's language: headings, what each subcommand does, and every option.

use clap::{Arg, Command};
use hasami_words::text::wrapped::wrapped;
use hasami_words::{Language, Message, Words};

/// The name of the command tree.
const PROGRAM: &str = "hasami";
/// Columns of a text, and of one behind the margin of options: both fit into 80.
const COLUMNS: usize = 78;
const OPTION_COLUMNS: usize = 68;
/// Between the paragraphs of a longer help in the files of words.
const PARAGRAPH: char = '¶';

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
    let named =
        |message: &str, text: &str| words.with(message, &[("command", name.as_str().into()), ("text", text.into())]);
    let line = wrapped(&named("about-command", &about), COLUMNS);
    let long = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let more = long.split_once("\n\n").map(|(_, more)| more.to_owned());
    let more = more.or_else(|| (name == PROGRAM).then(String::new)).map(|more| named("more-about-command", &more));
    let paragraphs = more.iter().flat_map(|more| more.split(PARAGRAPH)).map(|text| wrapped(text, COLUMNS));
    let long = std::iter::once(line.clone()).chain(paragraphs).collect::<Vec<_>>().join("\n\n");
    let usage = words.get("help-usage");
    let template = format!("{{about-with-newline}}\n{usage}{{usage}}\n\n{{all-args}}{{after-help}}");
    let command = command.about(line).long_about(long).help_template(template);
    // Beside options of any length a text would be too narrow.
    let command = command.subcommand_help_heading(kept(words.get("help-commands"))).next_line_help(false);
    let command = command.mut_args(|argument| said_argument(argument, &name, words).next_line_help(true));
    let is_help = name == "help";
    if is_help { command } else { command.mut_subcommands(|subcommand| of_command(subcommand, words)) }
}

fn said_argument(argument: Arg, command: &str, words: &Words) -> Arg {
    let argument = heading(argument, words);
    match argument.get_id().as_str() {
        "help" => argument.help(words.get("help-help")).long_help(words.get("help-help")),
        "version" => argument.help(words.get("help-version")),
        _ => {
            let help = wrapped(&help_of(&argument, command, words), OPTION_COLUMNS);
            let argument = without_aliases(argument).help(help.clone()).long_help(help);
            argument.hide_default_value(true).hide_possible_values(true)
        }
    }
}

/// What an argument is for; its default and its values, which clap would add in English.
fn help_of(argument: &Arg, command: &str, words: &Words) -> String {
    let english = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let positional = || argument.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let name = argument.get_long().map(str::to_owned).or_else(positional).unwrap_or_default();
    let of = |option: &str, text: &str| words.with("about-option", &[("option", option.into()), ("text", text.into())]);
    // The same name may mean something else in this command.
    let mut help = of(&format!("{command}-{name}"), &of(&name, &english));
    if !argument.get_action().takes_values() {
        return help;
    }
    if let Some(names) = argument.get_visible_aliases().filter(|names| !names.is_empty()) {
        let names: Vec<String> = names.iter().map(|name| format!("--{name}")).collect();
        help.push_str(&words.with("help-aliases", &[("names", names.join(", ").as_str().into())]));
    }
    let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = defaults.join(" ");
    if !argument.is_hide_default_value_set() && !default.is_empty() {
        help.push_str(&words.with("help-default", &[("value", default.as_str().into())]));
    }
    let values: Vec<_> = argument.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).collect();
    // Values with a help of their own stand in the text.
    if !argument.is_hide_possible_values_set() && !values.is_empty() && values.iter().all(|v| v.get_help().is_none()) {
        let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        let values = Message::new("help-values").with("values", names.join(", ")).said(words);
        help = format!("{help}\n{values}");
    }
    help
}

/// With its other names still known, which clap would list in English.
fn without_aliases(argument: Arg) -> Arg {
    let names: Vec<String> = argument.get_all_aliases().unwrap_or_default().into_iter().map(str::to_owned).collect();
    if names.is_empty() { argument } else { argument.visible_alias(None::<&str>).aliases(names.into_iter().map(kept)) }
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
    use hasami_games::GAMES;
    use unicode_width::UnicodeWidthStr;

    fn is_japanese(text: &str) -> bool {
        text.contains(|c: char| ('\u{3041}'..='\u{30ff}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c))
    }

    /// The help of this command and of those below it, of each argument and each paragraph.
    fn texts(command: &Command, found: &mut Vec<(String, String)>) {
        let place = |what: &str| format!("{} {what}", command.get_name());
        let long = command.get_long_about().map(ToString::to_string).unwrap_or_default();
        let paragraphs = long.split("\n\n").filter(|paragraph| !paragraph.is_empty());
        found.extend(paragraphs.map(|paragraph| (place("itself"), paragraph.to_owned())));
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
            found.push((place(argument.get_id().as_str()), help));
        }
        command.get_subcommands().filter(|below| !below.is_hide_set()).for_each(|below| texts(below, found));
    }

    #[test]
    fn every_argument_has_its_help_in_japanese() {
        let command = said(super::super::command(GAMES), Words::of(Language::Japanese));
        let mut found = Vec::new();
        texts(&command, &mut found);
        assert!(found.len() > 200, "{}", found.len());
        let english: Vec<_> = found.iter().filter(|(_, text)| !is_japanese(text)).collect();
        assert!(english.is_empty(), "{english:#?}");
        for (place, text) in &found {
            assert!(text.lines().all(|line| line.width() <= COLUMNS), "{place}: {text}");
            assert!(!text.contains("[default") && !text.contains("[possible"), "{place}: {text}");
        }
    }

    /// Whatever is said of an option is of one that is there.
    #[test]
    fn no_help_is_of_an_option_that_is_gone() {
        let mut known = std::collections::BTreeSet::new();
        let mut commands = vec![super::super::command(GAMES)];
        while let Some(mut command) = commands.pop() {
            command.build();
            for argument in command.get_arguments() {
                let value = argument.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
                let name = argument.get_long().map(str::to_owned).or(value).unwrap_or_default();
                known.insert(format!("{}-{name}", command.get_name()));
                known.insert(name);
            }
            commands.extend(command.get_subcommands().cloned());
        }
        let japanese = include_str!("../words/ja.ftl");
        let options = japanese.split("about-option = ").nth(1).and_then(|rest| rest.split("\n}").next());
        let keys = options.unwrap_or_default().lines().filter_map(|line| line.trim().strip_prefix('['));
        let keys: Vec<&str> = keys.filter_map(|line| line.split(']').next()).collect();
        let gone: Vec<_> = keys.iter().filter(|key| !known.contains(**key)).collect();
        // A build without the cluster has fewer options.
        if cfg!(feature = "cluster") {
            assert!(keys.len() > 200 && gone.is_empty(), "{gone:?}");
        }
    }

    #[test]
    fn every_subcommand_has_its_line_and_its_headings_in_japanese() {
        let words = Words::of(Language::Japanese);
        let mut command = said(super::super::command(GAMES), words);
        let all = command.render_long_help().to_string();
        let contest = command.find_subcommand_mut("match").map(|found| found.render_long_help().to_string());
        let contest = contest.unwrap_or_default();
        assert!(contest.contains("（別名：--use-affinity）") && !contest.contains("[alias"), "{contest}");
        assert!(all.contains("使い方：") && !all.contains("Usage:") && !all.contains("Options:"), "{all}");
        for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(is_japanese(&about), "{}: {about}", subcommand.get_name());
        }
        command.debug_assert();
    }
}
