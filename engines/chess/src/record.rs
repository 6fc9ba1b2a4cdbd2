//! Reads and writes games as PGN (Edwards, 1994), with the comments that match tools write: `{+0.35/12 0.104s, tl=9.9s,
//! n=1234}`.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub(crate) mod reader;

use crate::game::CLOCK_LIMIT;
use crate::{Chess, annotate};
use hasami_api::{
    Ending, Format, Game, GameRecord, GameReview, Outcome, OwnEnding, PlayedMove, ReadGame, RecordError, Records,
    Score, ScoreKind,
};
use shakmaty::Position;
use shakmaty::san::SanPlus;
use std::fmt::Write;

/// Maximum length of a line of movetext; the PGN standard requires fewer than 80 columns.
const WIDTH: usize = 79;

/// Portable Game Notation (Edwards 1994).
pub const PGN: Format = Format::new("pgn");

/// A draw by fifty moves without a capture or a pawn move.
pub const NO_PROGRESS: Ending = Ending::Own(&OwnEnding { word: "no progress", is_known_to_engines: true });
/// A draw by insufficient mating material, a rule that engines may not know.
pub const MATERIAL: Ending = Ending::Own(&OwnEnding { word: "insufficient material", is_known_to_engines: false });

impl Records for Chess {
    const FORMATS: &'static [Format] = &[PGN];
    const ENDINGS: &'static [Ending] = &[NO_PROGRESS, MATERIAL];
    const SIDES: [&'static str; 2] = ["White", "Black"];
    const PLIES_PER_MOVE: u32 = 2;

    fn write_record(record: &GameRecord, format: Format) -> Result<String, RecordError> {
        match format {
            PGN => write(record),
            _ => Err(not_ours(format)),
        }
    }

    fn read_records(text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError> {
        match format {
            PGN => Ok(reader::read(text)?.into_iter().map(|game| game.line.into()).collect()),
            _ => Err(not_ours(format)),
        }
    }

    fn players(text: &str, format: Format) -> Vec<[String; 2]> {
        if format == PGN { annotate::players(text) } else { Vec::new() }
    }

    fn annotate(text: &str, format: Format, reviews: &[GameReview]) -> Result<String, RecordError> {
        if format == PGN { annotate::annotate(text, reviews) } else { Err(not_ours(format)) }
    }

    fn ending(&self) -> Ending {
        let position = self.position();
        if self.count_moves() == 0 {
            return if position.is_check() { Ending::Checkmate } else { Ending::Stalemate };
        }
        if position.is_insufficient_material() {
            MATERIAL
        } else if position.halfmoves() >= CLOCK_LIMIT {
            NO_PROGRESS
        } else {
            Ending::Repetition
        }
    }

    fn plies_without_progress(&self) -> Option<u32> {
        Some(self.position().halfmoves())
    }
}

fn not_ours(format: Format) -> RecordError {
    RecordError::Other(format!("{} is not a format of chess records (pgn)", format.word))
}

fn write(record: &GameRecord) -> Result<String, RecordError> {
    let mut game = Chess::new(&record.start).map_err(|error| RecordError::Other(error.to_string()))?;
    let mut text = tags(record, &game);
    text.push('\n');
    let mut wrap = Wrap::default();
    for (index, played) in record.moves.iter().enumerate() {
        let m = game.parse_move(&played.text).map_err(|e| RecordError::Other(format!("move {}: {e}", index + 1)))?;
        let number = game.position().fullmoves();
        if game.ply().is_multiple_of(2) {
            wrap.word(&format!("{number}."));
        } else if index == 0 || !played.book {
            // After a comment, a move of Black needs its move number again.
            wrap.word(&format!("{number}..."));
        }
        wrap.word(&SanPlus::from_move(game.position().clone(), m).to_string());
        let last = index + 1 == record.moves.len();
        comment(played, if last { &record.remark } else { "" }).split(' ').for_each(|word| wrap.word(word));
        game.make(m);
    }
    if record.moves.is_empty() && !record.remark.is_empty() {
        format!("{{{}}}", plain(&record.remark)).split(' ').for_each(|word| wrap.word(word));
    }
    wrap.word(record.outcome.text());
    text.push_str(&wrap.text);
    text.push_str("\n\n");
    Ok(text)
}

/// Formats the seven standard tags in the order that PGN requires, followed by the other tags.
fn tags(record: &GameRecord, game: &Chess) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = plain(value).replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let or_unknown = |text: &str| if text.is_empty() { "?".to_owned() } else { text.to_owned() };
    let date = record.began.split(' ').next().unwrap_or_default().replace('-', ".");
    tag("Event", &or_unknown(&record.event));
    tag("Site", &or_unknown(&record.site));
    tag("Date", if date.is_empty() { "????.??.??" } else { &date });
    tag("Round", &or_unknown(&record.round));
    tag("White", &record.players[0]);
    tag("Black", &record.players[1]);
    tag("Result", record.outcome.text());
    let chess960 = record.start.rules.chess960;
    if record.start.text.is_some() || chess960 {
        tag("SetUp", "1");
        tag("FEN", &game.to_text());
    }
    if chess960 {
        tag("Variant", "Chess960");
    }
    tag("GameStartTime", &record.began);
    tag("GameEndTime", &record.ended);
    tag("PlyCount", &record.moves.len().to_string());
    tag("Termination", termination(record));
    if record.clocks[0] == record.clocks[1] {
        tag("TimeControl", &record.clocks[0]);
    } else {
        tag("WhiteTimeControl", &record.clocks[0]);
        tag("BlackTimeControl", &record.clocks[1]);
    }
    text
}

/// Returns the value of the tag `Termination`: a word from the PGN standard, or one that other match tools use.
fn termination(record: &GameRecord) -> &'static str {
    match (record.outcome, record.ending) {
        (Outcome::Unfinished, _) => "unterminated",
        (_, Ending::TimeLoss) => "time forfeit",
        (_, Ending::IllegalMove) => "illegal move",
        (_, Ending::Crash | Ending::Silence) => "abandoned",
        (_, Ending::Adjudication | Ending::Table | Ending::MaxMoves) => "adjudication",
        _ => "normal",
    }
}

/// Returns the comment after a move, such as `{+0.35/12 0.104s, n=1234, why it ended}`.
fn comment(played: &PlayedMove, remark: &str) -> String {
    let mut parts = Vec::new();
    if played.book {
        parts.push("book".to_owned());
    } else if played.score.is_some() || played.time.is_some() {
        let score = played.score.map_or_else(|| "0.00".to_owned(), score);
        let seconds = played.time.unwrap_or_default().as_secs_f64();
        parts.push(format!("{score}/{} {seconds:.3}s", played.depth.unwrap_or(0)));
    }
    parts.extend(played.left.map(|left| format!("tl={:.3}s", left.as_secs_f64())));
    parts.extend(played.nodes.map(|nodes| format!("n={nodes}")));
    if !remark.is_empty() {
        parts.push(plain(remark));
    }
    format!("{{{}}}", parts.join(", "))
}

/// Formats a score in pawns or in moves to mate, such as `+0.35` or `-M4`.
fn score(score: Score) -> String {
    match score.kind() {
        ScoreKind::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        ScoreKind::Mate(plies) => format!("{}M{}", if plies < 0 { '-' } else { '+' }, (plies.abs() + 1) / 2),
    }
}

/// Replaces line breaks and braces by spaces, so that the text can be part of a comment.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c == '}' || c == '{' { ' ' } else { c }).collect()
}

/// Builds movetext whose lines are wrapped at [`WIDTH`] columns.
#[derive(Default)]
struct Wrap {
    text: String,
    column: usize,
}

impl Wrap {
    fn word(&mut self, word: &str) {
        if self.column > 0 {
            let fits = self.column + 1 + word.len() <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column += word.len();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::Start;
    use std::time::Duration;

    fn played(text: &str) -> PlayedMove {
        PlayedMove {
            time: Some(Duration::from_millis(104)),
            score: Some(Score::cp(-35)),
            depth: Some(12),
            ..PlayedMove::new(text.parse().unwrap())
        }
    }

    fn fools_mate() -> GameRecord {
        GameRecord {
            players: ["A \"x\"".into(), "B".into()],
            began: "2026-11-21 14:05:09".into(),
            moves: ["f2f3", "e7e5", "g2g4", "d8h4"].map(played).into(),
            outcome: Outcome::Win(hasami_api::Side::Second),
            ending: Ending::Checkmate,
            remark: "Black mates".into(),
            ..GameRecord::default()
        }
    }

    #[test]
    fn a_game_is_written_with_tags_comments_and_short_lines() {
        let text = Chess::write_record(&fools_mate(), PGN).unwrap();
        assert!(text.contains("[White \"A \\\"x\\\"\"]\n[Black \"B\"]\n[Result \"0-1\"]\n"), "{text}");
        assert!(text.contains("[Date \"2026.11.21\"]") && text.contains("[Termination \"normal\"]"), "{text}");
        let moves = text.split("\n\n").nth(1).unwrap();
        assert!(moves.starts_with("1. f3 {-0.35/12 0.104s} 1... e5 {-0.35/12 0.104s} 2. g4"), "{moves}");
        assert!(moves.replace('\n', " ").ends_with("2... Qh4# {-0.35/12 0.104s, Black mates} 0-1"), "{moves}");
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
    }

    #[test]
    fn written_games_can_be_read() {
        let record = fools_mate();
        let start = Start { text: Some("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17".into()), ..Start::default() };
        let second = GameRecord { start, moves: vec![played("e8c8")], ..GameRecord::default() };
        let text = Chess::write_record(&record, PGN).unwrap() + &Chess::write_record(&second, PGN).unwrap();
        let games = Chess::read_records(&text, PGN).unwrap();
        assert_eq!(games, [record.line().into(), second.line().into()]);
    }

    #[test]
    fn errors_name_the_game_line_and_ply() {
        let error = Chess::read_records("[White \"x\"]\n\n1. e4 e5 2. Ke3 *\n", PGN).unwrap_err();
        assert_eq!(error.to_string(), "game 1: line 3: ply 3: expected a legal move, found 'Ke3'");
        assert!(Chess::read_records("[FEN \"x\"]\n\n1. e4 *\n", PGN).is_err());
        assert!(Chess::write_record(&fools_mate(), Format::new("kif")).is_err());
    }

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(score(Score::win_in(7)), "+M4");
        assert_eq!(score(Score::loss_in(4)), "-M2");
        assert_eq!(score(Score::cp(5)), "+0.05");
    }
}
