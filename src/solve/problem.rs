//! Lists of problems: position, name and recorded length, with tabs between them.

use crate::catalog::Catalog;
use hasami_api::{EnteringKingRule, Line, Rules, Start};
use std::fmt;

/// What is known about a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// A mate in so many plies.
    Mate(u32),
    NoMate,
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate(1) => f.write_str("a mate in 1 ply"),
            Self::Mate(plies) => write!(f, "a mate in {plies} plies"),
            Self::NoMate => f.write_str("no mate"),
        }
    }
}

/// A position whose side to move is to mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub name: String,
    pub line: Line,
    pub recorded: Option<Recorded>,
}

impl Problem {
    /// A position that the game accepts.
    pub fn new(name: &str, position: &str, game: &dyn Catalog) -> Result<Self, String> {
        let line = Line { start: Start { text: Some(position.into()), rules: RULES }, moves: Vec::new() };
        game.check(&line)?;
        Ok(Self { name: name.to_owned(), line, recorded: None })
    }

    pub fn position(&self) -> &str {
        self.line.start.text.as_deref().unwrap_or_default()
    }
}

/// Nobody declares a win in a problem.
const RULES: Rules = Rules { chess960: false, entering_king: EnteringKingRule::None, max_moves: 0 };

/// The first position of a list, whatever else may be wrong with it.
pub fn first_position(text: &str) -> Option<&str> {
    rows(text).next().map(|(_, row)| position_of(row))
}

/// The problems of a list. `file` is its name in errors; `stem` with the number of the line is the name of a problem
/// that has none.
pub fn parse(text: &str, file: &str, stem: &str, game: &dyn Catalog) -> Result<Vec<Problem>, String> {
    let rows = rows(text).map(|(number, row)| {
        let wrong = |why: String| format!("{file}:{number}: {why}");
        let mut fields = row.split('\t').skip(1).map(str::trim);
        let name = fields.next().filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("{stem}:{number}"), str::to_owned);
        let recorded = fields.next().map_or(Ok(None), recorded).map_err(wrong)?;
        let problem = Problem::new(&name, position_of(row), game).map_err(wrong)?;
        Ok(Problem { recorded, ..problem })
    });
    rows.collect()
}

/// Each line that holds something, with its number from 1.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let lines = lines.map(|(index, line)| (index + 1, line.trim_end()));
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

fn position_of(row: &str) -> &str {
    row.split('\t').next().unwrap_or_default().trim()
}

fn recorded(field: &str) -> Result<Option<Recorded>, String> {
    match field {
        "" => Ok(None),
        "-" => Ok(Some(Recorded::NoMate)),
        plies => match plies.parse() {
            Ok(plies) if plies > 0 => Ok(Some(Recorded::Mate(plies))),
            _ => Err(format!("expected a length in plies, or - for no mate, found '{plies}'")),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::games;

    const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

    fn read(text: &str) -> Result<Vec<Problem>, String> {
        parse(text, "some/list.tsv", "list", games::find("shogi").unwrap())
    }

    #[test]
    fn a_list_has_names_lengths_and_comments() {
        let text = format!(
            "\u{feff}# comment\r\n{GOLD}\tgold\t1\tby somebody\r\n\r\n{GOLD}\n{GOLD}\tnone\t-\n{GOLD}\t\t3\n{GOLD}\tx\n"
        );
        let found = read(&text).unwrap();
        let known: Vec<_> = found.iter().map(|problem| (problem.name.as_str(), problem.recorded)).collect();
        let (one, three) = (Some(Recorded::Mate(1)), Some(Recorded::Mate(3)));
        let expected =
            [("gold", one), ("list:4", None), ("none", Some(Recorded::NoMate)), ("list:6", three), ("x", None)];
        assert_eq!(known, expected);
        assert!(found.iter().all(|problem| problem.position() == GOLD));
        assert_eq!(first_position(&text), Some(GOLD));
        assert_eq!(first_position("# nothing\n\n"), None);
    }

    #[test]
    fn what_is_wrong_has_its_file_and_line() {
        let wrong = |row: &str| read(&format!("# x\n{GOLD}\tfine\t1\n{row}\n")).unwrap_err();
        let length =
            |found: &str| format!("some/list.tsv:3: expected a length in plies, or - for no mate, found '{found}'");
        for found in ["0", "x", "-3", "1.5"] {
            assert_eq!(wrong(&format!("{GOLD}\tname\t{found}")), length(found));
        }
        let position = wrong("4k4/9 b - 1\tname\t1");
        assert!(position.starts_with("some/list.tsv:3: expected a shogi position in SFEN, found '4k4/9"), "{position}");
    }
}
