//! Adds the results of an analysis to the text of a PGN file, and keeps what the text already contains.
//!
//! Each move is followed by its value in the notation of lichess (`[%eval 0.35,18]`, from White's point of view). A bad
//! move also gets a NAG, a verbal judgement, and a better line as a variation.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::Chess;
use crate::record::reader;
use hasami_api::{
    Game, GameReview, MoveMark, MoveReview, MoveText, RecordError, Render, Score, ScoreKind, walk_reviews,
};
use shakmaty::Position;

/// Maximum length of an added variation, in plies.
const PLIES: usize = 10;

/// Returns the names of White and Black in each game of a file.
pub(super) fn players(text: &str) -> Vec<[String; 2]> {
    let games = reader::read(text).unwrap_or_default();
    games.into_iter().map(|game| game.players).collect()
}

pub(super) fn annotate(text: &str, reviews: &[GameReview]) -> Result<String, RecordError> {
    let games = reader::read(text)?;
    let mut written = String::with_capacity(2 * text.len());
    let mut copied = 0;
    walk_reviews(
        reviews,
        games.iter().map(|game| game.moves.as_slice()),
        |found, place, [before, after]: [&Chess; 2]| {
            written.push_str(&text[copied..place.end]);
            if let Some(mark) = found.mark.filter(|_| !place.has_opinion) {
                written.push_str(nag(mark));
            }
            let remark = remark(found, before);
            let own = &text[place.end..place.after];
            // An old `[%eval]` is removed, because a program that finds two values might read either.
            written.push_str(&if remark.is_empty() { own.to_owned() } else { without_values(own) });
            copied = place.after;
            if !remark.is_empty() {
                // A comment that begins with `;` extends to the end of its line and includes the line break.
                let is_new_line = written.ends_with('\n');
                written.push_str(if is_new_line { "" } else { " " });
                written.push_str(&remark);
                written.push_str(if is_new_line { "\n" } else { "" });
            }
            let has_variation = text[place.after..].trim_start().starts_with('(');
            if place.next_is_bare && !has_variation && !after.ply().is_multiple_of(2) {
                written.push_str(&format!(" {}...", after.position().fullmoves()));
            }
        },
    )?;
    written.push_str(&text[copied..]);
    Ok(written)
}

const fn nag(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Inaccuracy => " $6",
        MoveMark::Mistake => " $2",
        MoveMark::Blunder => " $4",
    }
}

/// Returns the comment to be added after a move: its value and, if it is bad, a judgement and a better line. The
/// comment is empty if the move mates. `position` is the position before the move.
fn remark(found: &MoveReview, position: &Chess) -> String {
    let Some(value) = found.value_after_for_first() else { return String::new() };
    let depth = if found.depth > 0 { format!(",{}", found.depth) } else { String::new() };
    let eval = format!("[%eval {}{depth}]", eval(value));
    let Some(mark) = found.mark else { return format!("{{{eval}}}") };
    let name = match mark {
        MoveMark::Inaccuracy => "Inaccuracy",
        MoveMark::Mistake => "Mistake",
        MoveMark::Blunder => "Blunder",
    };
    let line = variation(position, &found.best);
    let Some(first) = line.first() else { return format!("{{{eval} {name}.}}") };
    let (value, numbered) = (shown(found.best_value_for_first()), numbered(position, &line));
    format!("{{{eval} {name}. {first} was best ({value}).}} ({numbered})")
}

/// Removes every `[%eval ...]` from the text after a move, and every comment that contains nothing else.
fn without_values(text: &str) -> String {
    const MARK: &str = "[%eval";
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        let Some(end) = rest[at..].find(']').map(|end| at + end + 1) else { break };
        kept.push_str(&rest[..at]);
        rest = &rest[end..];
        // Only one of the two spaces around a removed comment is kept.
        if kept.ends_with([' ', '{']) {
            rest = rest.strip_prefix(' ').unwrap_or(rest);
        }
        if kept.ends_with('{') && rest.starts_with('}') {
            kept.pop();
            kept.truncate(kept.trim_end_matches(' ').len());
            rest = &rest[1..];
        } else if rest.starts_with('}') {
            kept.truncate(kept.trim_end_matches(' ').len());
        }
    }
    kept + rest
}

/// Formats the first [`PLIES`] moves of a line in SAN.
fn variation(position: &Chess, moves: &[MoveText]) -> Vec<String> {
    let mut game = position.clone();
    let mut written = Vec::new();
    for text in moves.iter().take(PLIES) {
        let Ok(m) = game.parse_move(text) else { break };
        written.push(game.notation(m));
        game.make(m);
    }
    written
}

/// Formats the SAN moves `line` with move numbers.
fn numbered(position: &Chess, line: &[String]) -> String {
    let black_first = !position.ply().is_multiple_of(2);
    let mut words = Vec::new();
    for (index, san) in line.iter().enumerate() {
        let ply = index + usize::from(black_first);
        let number = position.position().fullmoves().get() as usize + ply / 2;
        if ply.is_multiple_of(2) {
            words.push(format!("{number}."));
        } else if index == 0 {
            words.push(format!("{number}..."));
        }
        words.push(san.clone());
    }
    words.join(" ")
}

/// Formats a value for `[%eval]`: in pawns or moves to mate, without a plus sign.
fn eval(score: Score) -> String {
    match score.kind() {
        ScoreKind::Cp(cp) => format!("{:.2}", f64::from(cp) / 100.0),
        ScoreKind::Mate(plies) => {
            let moves = (plies.abs() + 1) / 2;
            format!("#{}{moves}", if score.is_win() { "" } else { "-" })
        }
    }
}

/// Formats a value for human readers: in pawns with its sign, or in moves to mate.
fn shown(score: Score) -> String {
    match score.kind() {
        ScoreKind::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        ScoreKind::Mate(_) => eval(score),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::PGN;
    use hasami_api::{JudgedPosition, Judging, Line, Records, Side};

    const FILE: &str = "[White \"A \\\"x\\\"\"]\n[Black \"?\"]\n\n1. e4 {[%clk 0:01:00] best by test} e5 2.Qh5?! $14 \
                        (2. Nf3 Nc6 {main}) 2... Ke7 ; to the end\n3. Qxe5# 1-0\n\n\n[White \"B\"]\n\n1. d4 *\n";

    fn judged(value: i32, line: &str) -> JudgedPosition {
        let line = line.split_whitespace().map(|m| m.parse().unwrap()).collect();
        JudgedPosition { value: Score::cp(value), line, depth: 9, nodes: 1 }
    }

    fn reviewed() -> GameReview {
        let moves = ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"].map(|m: &str| m.parse().unwrap());
        let mut positions = vec![
            judged(30, "e2e4"),
            judged(-30, "c7c5 g1f3"),
            judged(60, "g1f3 b8c6"),
            judged(40, "b8c6 f1c4"),
            judged(900, "h5e5"),
        ];
        positions.push(JudgedPosition { value: Score::loss_in(0), line: Vec::new(), depth: 0, nodes: 0 });
        let review = |(index, played): (usize, &MoveText)| {
            let side = if index % 2 == 0 { Side::First } else { Side::Second };
            MoveReview::new(*played, side, [&positions[index], &positions[index + 1]], Judging::CHESS)
        };
        GameReview { moves: moves.iter().enumerate().map(review).collect(), line: Line::default() }
    }

    #[test]
    fn annotations_follow_each_move_and_the_text_of_the_file_stays() {
        let text = Chess::annotate(FILE, PGN, &[reviewed()]).unwrap();
        let moves = text.split("\n\n").nth(1).unwrap();
        assert_eq!(
            moves,
            "1. e4 {[%clk 0:01:00] best by test} {[%eval 0.30,9]} 1... e5 {[%eval 0.60,9]} 2.Qh5?! $14 \
             {[%eval -0.40,9] Inaccuracy. Nf3 was best (+0.60).} (2. Nf3 Nc6) (2. Nf3 Nc6 {main}) 2... Ke7 $4 ; to the end\n\
             {[%eval 9.00,9] Blunder. Nc6 was best (-0.40).} (2... Nc6 3. Bc4)\n3. Qxe5# 1-0"
        );
        // The annotation changes neither the moves of the first game nor anything in the second.
        assert_eq!(Chess::read_records(&text, PGN).unwrap(), Chess::read_records(FILE, PGN).unwrap());
        assert!(text.ends_with("[White \"B\"]\n\n1. d4 *\n"));
        assert_eq!(Chess::players(FILE, PGN), [["A \"x\"", ""], ["B", ""]]);
    }

    #[test]
    fn a_value_of_an_earlier_analysis_is_replaced() {
        let text = "1. e4 {[%eval 0.3]} e5 {[%eval 0.2] [%clk 0:01:00]} 2. Qh5 {too early [%eval -0.4,20]} Ke7 3. Qxe5# {[%eval #1]} *\n";
        let written = Chess::annotate(text, PGN, &[reviewed()]).unwrap();
        assert!(written.starts_with(
            "1. e4 {[%eval 0.30,9]} 1... e5 {[%clk 0:01:00]} {[%eval 0.60,9]} 2. Qh5 $6 {too early} {[%eval"
        ));
        assert_eq!(Chess::annotate(&written, PGN, &[reviewed()]).unwrap().matches("[%eval").count(), 5, "{written}");
    }

    #[test]
    fn no_move_number_is_written_before_a_variation() {
        let written = Chess::annotate("1. e4 (1. d4 d5) e5 2. Qh5 Ke7 3. Qxe5# *\n", PGN, &[reviewed()]).unwrap();
        assert!(written.starts_with("1. e4 {[%eval 0.30,9]} (1. d4 d5) e5 {[%eval 0.60,9]} 2. Qh5"), "{written}");
    }

    #[test]
    fn a_review_of_another_game_is_refused() {
        let error = Chess::annotate("1. e4 *\n", PGN, &[reviewed()]).unwrap_err();
        assert_eq!(error.to_string(), "game 1: 1 of 5 moves can be annotated");
    }
}
