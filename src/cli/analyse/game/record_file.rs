//! The record that contains the games to be analysed.

use hasami_api::{Format, GameReview, Line};
use hasami_catalog::{Catalog, Games};
use hasami_matches::openings::{OpeningFormat, ReadOpenings};
use hasami_protocol::Protocol;
use hasami_terminal::Failure;
use hasami_terminal::place::{self, PositionArgs};
use hasami_words::files;
use hasami_words::text::{SHIFT_JIS, WINDOWS_1252, counted, decoded};
use std::fmt::Display;
use std::path::Path;

pub struct RecordFile {
    pub catalog: &'static dyn Catalog,
    kind: OpeningFormat,
    text: String,
    /// The games in the file.
    pub lines: Vec<Line>,
    /// A warning about parts of the file that were ignored.
    pub warning: Option<String>,
    /// The players' names for each game, if the format contains them.
    pub players: Vec<[String; 2]>,
}

impl RecordFile {
    /// Reads the file, whose extension determines the format and the game.
    pub fn read(path: &Path, place: &PositionArgs, games: Games) -> Result<Self, Failure> {
        let shown = path.display().to_string();
        if !path.exists() && shown != "-" {
            place::not_a_position(games, &shown, "a record of games")?;
        }
        let (catalog, kind) = kind(path, place, games).map_err(|why| Failure::at(shown.as_str(), why))?;
        let refused = |why: &dyn Display| Failure::at(shown.as_str(), why);
        let older = if catalog.protocol() == Protocol::Uci { WINDOWS_1252 } else { SHIFT_JIS };
        let text = decoded(files::read_input(path, "file").map_err(|why| refused(&why))?, older);
        let ReadOpenings { mut lines, warning } = kind.read(&text, catalog).map_err(|why| refused(&why))?;
        if lines.iter().all(|line| line.moves.is_empty()) {
            return Err(refused(&"the file has no games with moves".to_owned()));
        }
        for line in &mut lines {
            line.start.rules.chess960 |= place.rules().chess960;
            catalog.check_play(line).map_err(|why| refused(&why))?;
        }
        let players = if let OpeningFormat::Games(format) = kind { catalog.players(&text, format) } else { Vec::new() };
        Ok(Self { catalog, kind, text, lines, warning: warning.map(|why| format!("{shown}: {why}")), players })
    }

    /// Returns the file's format if it is a format for whole games.
    pub const fn format(&self) -> Option<Format> {
        if let OpeningFormat::Games(format) = self.kind { Some(format) } else { None }
    }

    /// Returns the zero-based indices of the games to analyse. `number` is the one-based game number from the command
    /// line.
    pub fn chosen(&self, number: Option<u32>) -> Result<Vec<usize>, Failure> {
        let count = self.lines.len();
        match number.map(|number| number as usize) {
            None => Ok((0..count).collect()),
            Some(number) if number <= count => Ok(vec![number - 1]),
            Some(number) => {
                Err(Failure::at("--record", format!("the file has no game {number}, only {}", counted(count, "game"))))
            }
        }
    }

    /// Returns the record with annotations; `reviews` contains one review for each game.
    pub fn annotated(&self, reviews: &[GameReview]) -> Result<String, String> {
        match self.format() {
            Some(format) => self.catalog.annotate(&self.text, format, reviews).map_err(|error| error.to_string()),
            None => Err("positions cannot be annotated, only a record in PGN, KIF or CSA".to_owned()),
        }
    }
}

fn kind(path: &Path, place: &PositionArgs, games: Games) -> Result<(&'static dyn Catalog, OpeningFormat), String> {
    let named: Vec<&'static dyn Catalog> = match place.game() {
        Some(name) => games.find(name).into_iter().collect(),
        None => games.iter().collect(),
    };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let found = named.iter().find_map(|game| Some((*game, OpeningFormat::from_word(*game, ending)?)));
    let known = || named.iter().flat_map(|game| OpeningFormat::words(*game)).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("the format is unclear; known extensions are {}", known()))
}
