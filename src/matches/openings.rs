//! Openings from a file: positions and position lines of the protocol, and games in the formats of the game.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod epd;
mod sfen;

use crate::catalog::{BuiltInOpenings, Catalog};
use crate::files;
use crate::protocol::Protocol;
use crate::text::decoded;
use crate::words::{Message, Part, shortened};
use hasami_api::{Format, Line, Rules};
use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The order in which openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// The format of an openings file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningFormat {
    Epd,
    Sfen,
    Games(Format),
}

impl OpeningFormat {
    /// By the word of the command line, or by the ending of a file's name. Positions in EPD are for the games of UCI, lines of
    /// SFEN for those of USI; the other formats are the game's.
    pub fn from_word(game: &dyn Catalog, word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        match (game.dialect().protocol(), word.as_str()) {
            (Protocol::Uci, "epd" | "fen") => Some(Self::Epd),
            (Protocol::Usi, "sfen" | "usi" | "db") => Some(Self::Sfen),
            _ => game.formats().iter().find(|format| format.is_named(&word)).copied().map(Self::Games),
        }
    }

    /// The openings of a text in this format.
    pub fn read(self, text: &str, game: &dyn Catalog) -> Result<Vec<Line>, Message> {
        match self {
            Self::Epd => epd::parse(text, game),
            Self::Sfen => sfen::parse(text, game),
            Self::Games(format) => game.read_records(text, format).map_err(Message::from),
        }
    }

    /// The words of a game.
    pub fn words(game: &dyn Catalog) -> Vec<&'static str> {
        let positions = match game.dialect().protocol() {
            Protocol::Uci => "epd",
            Protocol::Usi => "sfen",
        };
        std::iter::once(positions).chain(game.formats().iter().map(|format| format.word)).collect()
    }
}

/// Which openings to use.
#[derive(Clone, PartialEq, Debug)]
pub struct Openings {
    /// Where they are; of those inside the program the name by which they are told.
    pub file: PathBuf,
    /// The file, if it is inside the program.
    pub text: Option<&'static str>,
    /// `None`: by the ending of the file's name.
    pub format: Option<OpeningFormat>,
    pub order: OpeningOrder,
    /// For [`OpeningOrder::Random`].
    pub seed: u64,
    /// At most so many plies of each game.
    pub plies: Option<usize>,
}

/// A file that has no usable openings: where, what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpeningsError(pub Message);

impl Openings {
    /// Those of a file, in its order.
    pub fn of_file(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), text: None, format: None, order: OpeningOrder::Sequential, seed: 0, plies: None }
    }

    /// Those of the game inside the program, if there are any.
    pub fn built_in(game: &dyn Catalog) -> Option<Self> {
        let BuiltInOpenings { name, text } = game.built_in_openings()?;
        Some(Self { text: Some(text), ..Self::of_file(format!("built-in {name}")) })
    }

    /// Reads the file, in the order of play. Lines are checked against the rules when they are played or by
    /// [`Self::check`].
    pub fn read(&self, game: &dyn Catalog, rules: Rules) -> Result<Vec<Line>, OpeningsError> {
        let wrong = |why: Message| OpeningsError(why.at(self.file.display().to_string()));
        let format = self.format.or_else(|| by_ending(game, &self.file));
        let expected = || Message::new("expected-format").with("known", OpeningFormat::words(game).join(", "));
        let format = format.ok_or_else(|| wrong(expected()))?;
        let mut lines = match self.text {
            Some(text) => format.read(text, game),
            None => format.read(&decoded(files::read_input(&self.file, "file").map_err(wrong)?), game),
        }
        .map_err(wrong)?;
        if lines.is_empty() {
            return Err(wrong(Message::new("expected-games-or-positions")));
        }
        for line in &mut lines {
            let chess960 = rules.chess960 || line.start.rules.chess960;
            line.start.rules = Rules { chess960, ..rules };
            line.moves.truncate(self.plies.unwrap_or(usize::MAX));
        }
        if self.order == OpeningOrder::Random {
            lines.shuffle(&mut StdRng::seed_from_u64(self.seed));
        }
        Ok(lines)
    }

    /// Checks those openings against the rules that will be played.
    pub fn check<'a>(&self, game: &dyn Catalog, used: impl Iterator<Item = &'a Line>) -> Result<(), OpeningsError> {
        for line in used {
            let start = || match &line.start.text {
                Some(text) => Part::from(&**text),
                None => Message::new("start-position").into(),
            };
            let place = || Message::new("opening-from").with("start", start());
            let wrong = |why: Message| OpeningsError(why.at(place()).at(self.file.display().to_string()));
            game.check_play(line).map_err(wrong)?;
        }
        Ok(())
    }
}

fn by_ending(game: &dyn Catalog, file: &Path) -> Option<OpeningFormat> {
    OpeningFormat::from_word(game, file.extension()?.to_str()?)
}

/// A line as messages show it: a long one is cut.
fn shown(line: &str) -> String {
    const SHOWN: usize = 60;
    shortened(line, SHOWN)
}

/// Each line that holds something, with its number from 1.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).enumerate();
    lines.map(|(index, line)| (index + 1, line)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::games;
    use std::collections::BTreeSet;

    #[test]
    fn each_game_has_openings_of_its_own_that_can_be_played_and_none_comes_twice() {
        for game in games::GAMES.iter() {
            let openings = Openings::built_in(game).unwrap();
            let lines = openings.read(game, Rules::default()).unwrap();
            openings.check(game, lines.iter()).unwrap();
            let texts: BTreeSet<_> = lines.iter().map(|line| line.start.text.clone().unwrap()).collect();
            assert!(lines.len() >= 300 && texts.len() == lines.len(), "{}: {}", game.name(), lines.len());
        }
    }

    #[test]
    fn those_inside_the_program_may_be_shuffled() {
        let game = games::GAMES.iter().next().unwrap();
        let plain = Openings::built_in(game).unwrap();
        let random = Openings { order: OpeningOrder::Random, seed: 7, ..plain.clone() };
        let read = |openings: &Openings| openings.read(game, Rules::default()).unwrap();
        assert_ne!(read(&plain), read(&random));
        assert_eq!(read(&random), read(&random));
    }
}
