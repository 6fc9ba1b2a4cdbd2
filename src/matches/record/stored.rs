//! Game records as JSON, for the lines of the journal.

use hasami_api::{Bound, Ending, GameRecord, MoveText, Outcome, PlayedMove, Score, Side, Start};
use hasami_words::{HasTexts, heard};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A [`GameRecord`] with short keys, and without data that is the same for all games of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stored {
    round: String,
    began: String,
    ended: String,
    players: [String; 2],
    clocks: [String; 2],
    #[serde(skip_serializing_if = "Option::is_none", default)]
    position: Option<String>,
    #[serde(skip_serializing_if = "is_false", default)]
    chess960: bool,
    moves: Vec<Move>,
    result: String,
    ending: String,
    remark: String,
    #[serde(rename = "overrun_us", skip_serializing_if = "Option::is_none", default)]
    overrun: Option<u64>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Move {
    #[serde(rename = "m")]
    text: String,
    #[serde(skip_serializing_if = "is_false", default)]
    book: bool,
    #[serde(rename = "us", skip_serializing_if = "Option::is_none", default)]
    micros: Option<u64>,
    #[serde(rename = "left_us", skip_serializing_if = "Option::is_none", default)]
    left: Option<u64>,
    /// The score as in [`Score::raw`].
    #[serde(rename = "s", skip_serializing_if = "Option::is_none", default)]
    score: Option<i32>,
    /// The kind of score: -1 for an upper bound, 1 for a lower bound, 0 for an exact score.
    #[serde(skip_serializing_if = "is_zero", default)]
    bound: i8,
    #[serde(rename = "d", skip_serializing_if = "Option::is_none", default)]
    depth: Option<u16>,
    #[serde(rename = "sd", skip_serializing_if = "Option::is_none", default)]
    seldepth: Option<u16>,
    #[serde(rename = "n", skip_serializing_if = "Option::is_none", default)]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pv: String,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &i8) -> bool {
    *value == 0
}

impl From<&GameRecord> for Stored {
    fn from(record: &GameRecord) -> Self {
        Self {
            round: record.round.clone(),
            began: record.began.clone(),
            ended: record.ended.clone(),
            players: record.players.clone(),
            clocks: record.clocks.clone(),
            position: record.start.text.as_deref().map(str::to_owned),
            chess960: record.start.rules.chess960,
            moves: record.moves.iter().map(Move::from).collect(),
            result: record.outcome.text().to_owned(),
            ending: record.ending.word().to_owned(),
            remark: record.remark.clone(),
            overrun: record.overrun.map(|time| time.as_micros() as u64),
        }
    }
}

impl From<&PlayedMove> for Move {
    fn from(played: &PlayedMove) -> Self {
        let micros = |time: Duration| time.as_micros() as u64;
        Self {
            text: played.text.to_string(),
            book: played.book,
            micros: played.time.map(micros),
            left: played.left.map(micros),
            score: played.score.map(Score::raw),
            bound: match played.bound {
                Bound::Exact => 0,
                Bound::Lower => 1,
                Bound::Upper => -1,
            },
            depth: played.depth,
            seldepth: played.seldepth,
            nodes: played.nodes,
            pv: played.pv.iter().map(|m| &**m).collect::<Vec<_>>().join(" "),
        }
    }
}

impl Stored {
    /// Restores the record; `None` if the record contains an unknown word. `own` lists the endings that are specific to
    /// the record's game.
    pub fn restore(&self, own: &[Ending]) -> Option<GameRecord> {
        let outcomes = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw, Outcome::Unfinished];
        let mut start = Start { text: self.position.as_deref().map(Into::into), ..Start::default() };
        start.rules.chess960 = self.chess960;
        Some(GameRecord {
            round: heard(&self.round),
            began: heard(&self.began),
            ended: heard(&self.ended),
            players: self.players.clone().heard(),
            clocks: self.clocks.clone().heard(),
            start,
            moves: self.moves.iter().map(Move::restore).collect::<Option<_>>()?,
            outcome: outcomes.into_iter().find(|outcome| outcome.text() == self.result)?,
            ending: Ending::from_word(&self.ending, own)?,
            remark: heard(&self.remark),
            overrun: self.overrun.map(Duration::from_micros),
            ..GameRecord::default()
        })
    }
}

impl Move {
    fn restore(&self) -> Option<PlayedMove> {
        let pv = self.pv.split_whitespace().map(|word| word.parse::<MoveText>().ok());
        Some(PlayedMove {
            text: self.text.parse().ok()?,
            book: self.book,
            time: self.micros.map(Duration::from_micros),
            left: self.left.map(Duration::from_micros),
            score: self.score.map(Score::from_raw),
            bound: match self.bound {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            depth: self.depth,
            seldepth: self.seldepth,
            nodes: self.nodes,
            pv: pv.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn stored_records_are_restored() {
        let full = PlayedMove {
            time: Some(Duration::from_micros(1_234_567)),
            left: Some(Duration::from_millis(5)),
            score: Some(Score::loss_in(6)),
            bound: Bound::Upper,
            depth: Some(20),
            seldepth: Some(31),
            nodes: Some(123_456_789_012),
            pv: vec!["e7e5".parse().unwrap(), "g1f3".parse().unwrap()],
            ..PlayedMove::new("e7e5".parse().unwrap())
        };
        let book = PlayedMove { book: true, ..PlayedMove::new("e2e4".parse().unwrap()) };
        let record = GameRecord {
            round: "3".into(),
            players: ["a".into(), "b \"c\"".into()],
            start: Start { text: Some("x".into()), ..Start::default() },
            moves: vec![book, full],
            outcome: Outcome::Win(Side::Second),
            ending: hasami_shogi::PERPETUAL_CHECK,
            remark: "why".into(),
            overrun: Some(Duration::from_millis(3)),
            ..GameRecord::default()
        };
        let text = serde_json::to_string(&Stored::from(&record)).unwrap();
        let read: Stored = serde_json::from_str(&text).unwrap();
        assert_eq!(read.restore(&[hasami_shogi::PERPETUAL_CHECK]), Some(record));
        assert_eq!(read.restore(&[]), None, "an ending that this game does not have");
    }
}
