//! Defines the endings of games, and a file format with one line per game: `startpos moves 3e3d ... : 1-0
//! checkmate`.

use crate::game::Repetition;
use crate::{Minishogi, REPETITION_DRAWS};
use hasami_api::{
    Ending, Format, Game, GameRecord, Line, OwnEnding, ReadGame, RecordError, Records, Rules, Start, Verdict,
};

/// A file format with one line per game.
pub const LINES: Format = Format::new("mini");

/// The position was repeated, and all moves of one side gave check.
pub const PERPETUAL_CHECK: Ending = Ending::Own(&OwnEnding { word: "perpetual check", is_known_to_engines: true });
pub const REPETITION_LOST: Ending = Ending::Own(&OwnEnding { word: "repetition lost", is_known_to_engines: true });

impl Records for Minishogi {
    const FORMATS: &'static [Format] = &[LINES];
    const ENDINGS: &'static [Ending] = &[PERPETUAL_CHECK, REPETITION_LOST];
    const SIDES: [&'static str; 2] = ["Black", "White"];
    const PLIES_PER_MOVE: u32 = 1;

    fn own_rule(rules: Rules) -> Option<(&'static str, String)> {
        Some(("repetition_draws", (rules.own == REPETITION_DRAWS).to_string()))
    }

    fn write_record(record: &GameRecord, format: Format) -> Result<String, RecordError> {
        if format != LINES {
            return Err(not_ours(format));
        }
        let start = record.start.text.as_deref().map_or_else(|| "startpos".to_owned(), |text| format!("sfen {text}"));
        let moves: String = record.moves.iter().map(|played| format!(" {}", played.text)).collect();
        Ok(format!("{start} moves{moves} : {} {}\n", record.outcome.text(), record.ending))
    }

    fn read_records(text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError> {
        match format {
            LINES => text.lines().map(|line| read(line).map(ReadGame::from).ok_or_else(|| unreadable(line))).collect(),
            _ => Err(not_ours(format)),
        }
    }

    fn ending(&self) -> Ending {
        match self.repetition() {
            _ if self.count_moves() == 0 && self.in_check() => Ending::Checkmate,
            _ if self.count_moves() == 0 => Ending::Stalemate,
            Some(Repetition::PerpetualCheck { .. }) => PERPETUAL_CHECK,
            Some(Repetition::Plain) if self.verdict() != Verdict::Draw => REPETITION_LOST,
            _ => Ending::Repetition,
        }
    }
}

fn not_ours(format: Format) -> RecordError {
    RecordError::Other(format!("{} is not a format of minishogi records (mini)", format.word))
}

fn unreadable(line: &str) -> RecordError {
    RecordError::Other(format!(
        "expected 'startpos moves ... : result' or 'sfen ... moves ... : result', found '{line}'"
    ))
}

fn read(line: &str) -> Option<Line> {
    let (start, moves) = line.split_once(" : ")?.0.split_once(" moves")?;
    let text = if start == "startpos" { None } else { Some(start.strip_prefix("sfen ")?.into()) };
    let moves = moves.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    Some(Line { start: Start { text, ..Start::default() }, moves })
}
