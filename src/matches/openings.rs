//! Reads openings from a file: positions, position lines of the protocol, or game records in the formats that the game
//! defines.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod epd;
mod sfen;

use hasami_api::{Format, Line, ReadGame, Rules};
use hasami_catalog::{BuiltInOpenings, GameRules};
use hasami_protocol::Protocol;
use hasami_words::files;
use hasami_words::shortened;
use hasami_words::text::{At, SHIFT_JIS, WINDOWS_1252, counted, decoded};
use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The order of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    #[default]
    Sequential,
    /// A random order that depends only on the seed.
    Random,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningFormat {
    Epd,
    Sfen,
    Games(Format),
}

impl OpeningFormat {
    /// Finds a format by its name on the command line or by the extension of a file. EPD is accepted for games that are
    /// played by UCI, and SFEN for games that are played by USI; all other formats are defined by the game.
    pub fn from_word(game: &dyn GameRules, word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        match (game.protocol(), word.as_str()) {
            (Protocol::Uci, "epd" | "fen") => Some(Self::Epd),
            (Protocol::Usi, "sfen" | "usi" | "db") => Some(Self::Sfen),
            _ => game.formats().iter().find(|format| format.is_named(&word)).copied().map(Self::Games),
        }
    }

    /// Parses openings in this format.
    pub fn read(self, text: &str, game: &dyn GameRules) -> Result<ReadOpenings, String> {
        match self {
            Self::Epd => epd::parse(text, game).map(ReadOpenings::from),
            Self::Sfen => sfen::parse(text, game).map(ReadOpenings::from),
            Self::Games(format) => {
                let games = game.read_records(text, format).map_err(|error| error.to_string())?;
                let read = games.into_iter().map(ReadGame::into_line).collect::<Result<Vec<_>, _>>();
                let read = read.map_err(|error| error.to_string())?;
                let count = read.iter().filter(|(_, fault)| fault.is_some()).count();
                let first = read.iter().find_map(|(_, fault)| fault.clone());
                let warning = first.map(|why| {
                    let games = counted(count as u64, "game");
                    format!("{games} read only up to a move that is not legal; the first: {why}")
                });
                Ok(ReadOpenings { lines: read.into_iter().map(|(line, _)| line).collect(), warning })
            }
        }
    }

    /// The names of the opening formats for a game.
    pub fn words(game: &dyn GameRules) -> Vec<&'static str> {
        let positions = match game.protocol() {
            Protocol::Uci => "epd",
            Protocol::Usi => "sfen",
        };
        std::iter::once(positions).chain(game.formats().iter().map(|format| format.word)).collect()
    }
}

/// The openings in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadOpenings {
    pub lines: Vec<Line>,
    /// A warning that part of the file was skipped.
    pub warning: Option<String>,
}

impl From<Vec<Line>> for ReadOpenings {
    fn from(lines: Vec<Line>) -> Self {
        Self { lines, warning: None }
    }
}

/// The source of the openings, and the rules for choosing among them.
#[derive(Clone, PartialEq, Debug)]
pub struct Openings {
    /// Path of the file; for built-in openings, a name for display.
    pub file: PathBuf,
    /// The text of built-in openings.
    pub text: Option<&'static str>,
    /// The format; `None` if the extension of the file determines it.
    pub format: Option<OpeningFormat>,
    pub order: OpeningOrder,
    /// Seed for [`OpeningOrder::Random`].
    pub seed: u64,
    /// Maximum number of plies to use from each game in the file.
    pub plies: Option<usize>,
}

/// An error message for a file without usable openings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpeningsError(pub String);

impl Openings {
    /// Uses all openings in a file, in file order.
    pub fn of_file(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), text: None, format: None, order: OpeningOrder::Sequential, seed: 0, plies: None }
    }

    /// Returns the built-in openings of the game, if there are any.
    pub fn built_in(game: &dyn GameRules) -> Option<Self> {
        let BuiltInOpenings { name, text } = game.built_in_openings()?;
        Some(Self { text: Some(text), ..Self::of_file(format!("built-in {name}")) })
    }

    /// Reads the openings, in playing order, without checking their moves; [`Self::settle`] checks them.
    pub fn read(&self, game: &dyn GameRules, rules: Rules) -> Result<ReadOpenings, OpeningsError> {
        let wrong = |why: &dyn Display| OpeningsError(why.at(self.file.display()));
        let format = self.format.or_else(|| by_ending(game, &self.file));
        let expected =
            || format!("the format is unclear; known extensions are {}", OpeningFormat::words(game).join(", "));
        let format = format.ok_or_else(|| wrong(&expected()))?;
        let read = match self.text {
            Some(text) => format.read(text, game),
            None => {
                let bytes = files::read_input(&self.file, "file").map_err(|why| wrong(&why))?;
                // In chess files, Shift JIS would decode an accented letter and the bracket after it as one character.
                let other = match game.protocol() {
                    Protocol::Uci => WINDOWS_1252,
                    Protocol::Usi => SHIFT_JIS,
                };
                format.read(&decoded(bytes, other), game)
            }
        };
        let ReadOpenings { mut lines, warning } = read.map_err(|why| wrong(&why))?;
        if lines.is_empty() {
            return Err(wrong(&"the file has no games or positions"));
        }
        for line in &mut lines {
            let chess960 = rules.chess960 || line.start.rules.chess960;
            line.start.rules = Rules { chess960, ..rules };
            line.start.rules = game.rules_of(&line.start);
            line.moves.truncate(self.plies.unwrap_or(usize::MAX));
        }
        if self.order == OpeningOrder::Random {
            lines.shuffle(&mut StdRng::seed_from_u64(self.seed));
        }
        Ok(ReadOpenings { lines, warning: warning.map(|why| why.at(self.file.display())) })
    }

    /// Checks the openings of the match against its rules, and normalizes their positions. Positions are normalized,
    /// because castling rights that contradict the board could make an engine lose by an illegal move.
    pub fn settle(
        &self,
        game: &dyn GameRules,
        lines: &mut [Line],
        used: impl Iterator<Item = usize>,
    ) -> Result<(), OpeningsError> {
        for index in used {
            let line = &mut lines[index];
            let start = line.start.text.as_deref().unwrap_or("start position");
            let place = || format!("opening from {start}");
            let wrong = |why: &dyn Display| OpeningsError(why.at(place()).at(self.file.display()));
            game.check_play(line).map_err(|why| wrong(&why))?;
            if let Some((_, ending)) = game.referee(line).map_err(|why| wrong(&why))?.end() {
                let ending = ending.word();
                let why = format!("the opening ends the game ({ending})");
                return Err(wrong(&why));
            }
            let start = Line { start: line.start.clone(), moves: Vec::new() };
            let whole = game.position(&start).map_err(|why| wrong(&why))?;
            if line.start.text.is_some() {
                line.start.text = Some(whole.into());
            }
        }
        Ok(())
    }
}

fn by_ending(game: &dyn GameRules, file: &Path) -> Option<OpeningFormat> {
    OpeningFormat::from_word(game, file.extension()?.to_str()?)
}

/// Shortens a line for messages.
fn shown(line: &str) -> String {
    const SHOWN: usize = 60;
    shortened(line, SHOWN)
}

/// Iterates over the lines that are neither empty nor comments, with their numbers from 1.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).enumerate();
    lines.map(|(index, line)| (index + 1, line)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn built_in_openings_are_legal_and_unique() {
        for game in hasami_games::GAMES.iter() {
            let openings = Openings::built_in(game).unwrap();
            let mut lines = openings.read(game, Rules::default()).unwrap().lines;
            let all = 0..lines.len();
            openings.settle(game, &mut lines, all).unwrap();
            let texts: BTreeSet<_> = lines.iter().map(|line| line.start.text.clone().unwrap()).collect();
            assert!(lines.len() >= 300 && texts.len() == lines.len(), "{}: {}", game.name(), lines.len());
        }
    }

    #[test]
    fn built_in_openings_can_be_shuffled() {
        let game = hasami_games::GAMES.iter().next().unwrap();
        let plain = Openings::built_in(game).unwrap();
        let random = Openings { order: OpeningOrder::Random, seed: 7, ..plain.clone() };
        let read = |openings: &Openings| openings.read(game, Rules::default()).unwrap().lines;
        assert_ne!(read(&plain), read(&random));
        assert_eq!(read(&random), read(&random));
    }

    fn read(game: &str, name: &str, bytes: &[u8]) -> Result<ReadOpenings, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        Openings::of_file(file)
            .read(hasami_games::find(game).unwrap(), Rules::default())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn games_are_read_up_to_a_final_illegal_move_with_a_warning() {
        let foul = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(77)\n   4 反則負け\n";
        let whole = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n";
        let found = read("shogi", "a b.kifu", format!("{foul}{whole}").as_bytes()).unwrap();
        assert_eq!(found.lines.iter().map(|line| line.moves.len()).collect::<Vec<_>>(), [2, 1]);
        let warning = found.warning.unwrap().to_string();
        let expected = "a b.kifu: 1 game read only up to a move that is not legal; the first: \
                    game 1: line 4: ply 3: expected a legal move, found '２六歩(77)'";
        assert!(warning.ends_with(expected), "{warning}");
        assert_eq!(read("shogi", "x.kifu", whole.as_bytes()).unwrap().warning, None);
        let middle = foul.replace("反則負け", "８四歩(83)");
        assert!(read("shogi", "x.kifu", middle.as_bytes()).unwrap_err().contains("game 1: line 4: ply 3: "));
    }

    #[test]
    fn pgn_in_windows_1252_keeps_its_moves() {
        let found = read("chess", "x.pgn", b"[White \"Jos\xe9\"]\n\n1. e4 {caf\xe9} e5 {d\xe9} 2. Nf3 *\n").unwrap();
        assert_eq!(found.lines[0].moves.len(), 3);
    }

    #[test]
    fn position_lines_may_end_with_resign_or_win() {
        let text = "position startpos moves 7g7f 3c3d resign\nstartpos moves 7g7f win\n";
        let found = read("shogi", "x.sfen", text.as_bytes()).unwrap();
        assert_eq!(found.lines.iter().map(|line| line.moves.len()).collect::<Vec<_>>(), [2, 1]);
    }
}
