//! A game as a `position` line between comments with its details, so that the file can also be read as openings.

use hasami_api::{GameRecord, PlayedMove, ScoreKind};
use hasami_words::text::one_line;
use std::time::Duration;

pub fn write(record: &GameRecord) -> String {
    let [black, white] = &record.players;
    let head = format!(
        "# {} {black} - {white} {} {} ({})",
        record.began,
        record.outcome.text(),
        record.ending,
        one_line(&record.remark)
    );
    let start = record.start.text.as_deref().map_or_else(|| "startpos".to_owned(), |text| format!("sfen {text}"));
    let moves: String = record.moves.iter().map(|played| format!(" {}", played.text)).collect();
    let moves = if moves.is_empty() { moves } else { format!(" moves{moves}") };
    let row = |name: &str, value: &dyn Fn(&PlayedMove) -> String| {
        let values: Vec<String> = record.moves.iter().map(value).collect();
        format!("# {name} {}\n", values.join(" "))
    };
    let millis = |time: Option<Duration>| time.map_or_else(|| "-".to_owned(), |time| time.as_millis().to_string());
    let rows = [
        row("ms", &|played| millis(played.time)),
        row("left-ms", &|played| millis(played.left)),
        row("scores", &score),
        row("depths", &|played| played.depth.map_or_else(|| "-".to_owned(), |depth| depth.to_string())),
    ];
    format!("{head}\n{start}{moves}\n{}\n", rows.concat())
}

/// The score in centipawns for the mover, or `#` and the number of plies to mate.
fn score(played: &PlayedMove) -> String {
    match played.score.map(|score| score.kind()) {
        None => "-".to_owned(),
        Some(ScoreKind::Cp(cp)) => cp.to_string(),
        Some(ScoreKind::Mate(plies)) => format!("#{plies}"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::{Ending, Outcome, Score, Side};

    #[test]
    fn a_game_is_one_position_line_with_its_particulars() {
        let first = PlayedMove {
            time: Some(Duration::from_millis(20)),
            score: Some(Score::cp(-7)),
            depth: Some(3),
            ..PlayedMove::new("7g7f".parse().unwrap())
        };
        let second = PlayedMove { score: Some(Score::loss_in(4)), ..PlayedMove::new("3c3d".parse().unwrap()) };
        let record = GameRecord {
            players: ["a".into(), "b".into()],
            began: "2026-11-21 10:00:00".into(),
            moves: vec![first, second],
            outcome: Outcome::Win(Side::First),
            ending: Ending::Resignation,
            remark: "White resigns".into(),
            ..GameRecord::default()
        };
        let wanted = "# 2026-11-21 10:00:00 a - b 1-0 resignation (White resigns)\nstartpos moves 7g7f 3c3d\n\
                      # ms 20 -\n# left-ms - -\n# scores -7 #-4\n# depths 3 -\n\n";
        assert_eq!(write(&record), wanted);
    }
}
