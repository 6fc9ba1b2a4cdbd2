//! Writes the variations (変化) of KIF files.
//!
//! A variation states the ply of its first move, and replaces a move of the line that precedes it in the file.
//! Variations that branch off later in the game come first, so that each variation replaces a move of the main line.

use super::notation::{Notation, failed};
use super::{convert, mover_after};
use hasami_api::{Ending, GameRecord, MoveText, Outcome, PlayedMove, RecordError, SideLine, Start};
use rsshogi::records::kif::export_kif;
use std::cmp::Reverse;

/// Marks a move that variations further down in the file replace.
const BRANCHES: char = '+';

/// Adds the variations of a game to its text.
pub(super) fn with_side_lines(text: &str, game: &GameRecord) -> Result<String, RecordError> {
    if game.side_lines.is_empty() {
        return Ok(text.to_owned());
    }
    let moves: Vec<MoveText> = game.moves.iter().map(|played| played.text).collect();
    let branches = |line: &&str| ply_of(line).is_some_and(|ply| game.side_lines.iter().any(|side| side.ply == ply));
    let mut written: String = text
        .lines()
        .map(|line| if branches(&line) { format!("{line}{BRANCHES}\n") } else { format!("{line}\n") })
        .collect();
    for side in in_order(&game.side_lines) {
        for line in lines(&game.start, &moves, side)? {
            written.push_str(&line);
            written.push('\n');
        }
        written.push('\n');
    }
    Ok(written)
}

/// Returns the variations in the order in which a file must contain them.
pub(super) fn in_order(sides: &[SideLine]) -> Vec<&SideLine> {
    let mut sides: Vec<&SideLine> = sides.iter().collect();
    sides.sort_by_key(|side| Reverse(side.ply));
    sides
}

/// Returns the lines of text for one variation, beginning with its heading. `moves` are the moves of the game.
pub(super) fn lines(start: &Start, moves: &[MoveText], side: &SideLine) -> Result<Vec<String>, RecordError> {
    let before = moves.get(..side.ply.saturating_sub(1)).ok_or_else(|| {
        RecordError::Other(format!("a variation begins at ply {}, but the game has {} plies", side.ply, moves.len()))
    })?;
    let played: Vec<PlayedMove> = before.iter().chain(&side.moves).map(|&text| PlayedMove::new(text)).collect();
    let game = GameRecord { start: start.clone(), moves: played, ..GameRecord::default() };
    let game = match side.mates {
        true => GameRecord { outcome: Outcome::Win(mover_after(&game).other()), ending: Ending::Checkmate, ..game },
        false => game,
    };
    let text = export_kif(&convert(&game, Notation::Kif)?).map_err(failed)?;
    let own = text.lines().filter(|line| ply_of(line).is_some_and(|ply| ply >= side.ply));
    // rsshogi ends a variation without mate with a word for an interruption, which is left out.
    let mut own = own.take(side.moves.len() + usize::from(side.mates)).map(str::to_owned);
    let mut lines = vec![format!("変化：{}手", side.ply)];
    lines.extend(own.next());
    lines.extend((!side.remark.is_empty()).then(|| format!("*{}", super::one_line(&side.remark))));
    lines.extend(own);
    Ok(lines)
}

/// Returns the number at the beginning of a line that contains a move or the end of the game.
fn ply_of(line: &str) -> Option<usize> {
    let (number, rest) = line.trim_start().split_once(' ')?;
    number.parse().ok().filter(|_| !rest.trim().is_empty())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{KIF, Shogi};
    use hasami_api::Records;

    fn moves(text: &str) -> Vec<MoveText> {
        text.split_whitespace().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn later_variations_come_first_and_moves_with_alternatives_are_marked() {
        let side =
            |ply, line: &str, mates, remark: &str| SideLine { ply, moves: moves(line), mates, remark: remark.into() };
        let game = GameRecord {
            start: Start { text: Some("9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1".into()), ..Start::default() },
            moves: moves("G*1c 1b1a G*1b").into_iter().map(PlayedMove::new).collect(),
            side_lines: vec![
                side(1, "G*2c 1b1a G*1b", true, "余詰"),
                side(2, "1b2a G*2b", true, ""),
                side(1, "G*1a 1b1a", false, "紛れ"),
            ],
            outcome: Outcome::Win(hasami_api::Side::First),
            ending: Ending::Checkmate,
            ..GameRecord::default()
        };
        let text = Shogi::write_record(&game, KIF).unwrap();
        let (main, variations) = text.split_once("変化").unwrap();
        let marked: Vec<bool> =
            main.lines().filter(|line| ply_of(line).is_some()).map(|line| line.ends_with('+')).collect();
        assert_eq!(marked, [true, true, false, false], "{text}");
        let words: Vec<String> = format!("変化{variations}")
            .lines()
            .map(|line| line.split('(').next().unwrap().trim_end().to_owned())
            .collect();
        let expected = [
            "変化：2手",
            "   2 ２一玉",
            "   3 ２二金打",
            "   4 詰み",
            "",
            "変化：1手",
            "   1 ２三金打",
            "*余詰",
            "   2 １一玉",
            "   3 １二金打",
            "   4 詰み",
            "",
            "変化：1手",
            "   1 １一金打",
            "*紛れ",
            "   2 同　玉",
            "",
        ];
        assert_eq!(words, expected, "{text}");
        let read = Shogi::read_records(&text, KIF).unwrap();
        assert!(read.len() == 1 && read[0].line.moves == game.line().moves, "{read:?}");
        let beyond = GameRecord { side_lines: vec![side(5, "G*1b", true, "")], ..game.clone() };
        assert!(Shogi::write_record(&beyond, KIF).is_err());
        let illegal = GameRecord { side_lines: vec![side(2, "1b9i", true, "")], ..game };
        assert!(Shogi::write_record(&illegal, KIF).is_err());
    }
}
