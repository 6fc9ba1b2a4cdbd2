//! Writes an engine's comment on its own move, as Floodgate does in CSA and ShogiHome in KIF.
//!
//! Values are from Black's point of view. Variations begin after the engine's move and use the notation of the file.

use super::notation::Notation;
use crate::Shogi;
use hasami_api::{Bound, Game, MoveText, PlayedMove, Render, Score, ScoreKind, Side};

/// The value that shogi programs print for a mate.
const MATE_VALUE: i32 = 100_000;

/// The lines of the comment on a move by `side` that led to the position `game`. Book moves get no comment.
pub(super) fn comment(played: &PlayedMove, game: &Shogi, side: Side, notation: Notation) -> Option<String> {
    if played.book {
        return None;
    }
    let value = played.score.map(|score| value(score) * if side == Side::First { 1 } else { -1 });
    let rest = variation(game, played.pv.get(1..).unwrap_or_default(), notation);
    let lines = if notation == Notation::Csa { csa(played, value, &rest) } else { kif(played, value, &rest) };
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Returns a line such as `* 35 -3334FU +2726FU #1234`, and a line with the depth and the clock.
fn csa(played: &PlayedMove, value: Option<i32>, rest: &[String]) -> Vec<String> {
    let value = value.map(|value| [format!("* {value}")].iter().chain(rest).cloned().collect::<Vec<_>>().join(" "));
    let nodes = played.nodes.map(|nodes| format!("#{nodes}"));
    let first: Vec<String> = value.into_iter().chain(nodes).collect();
    let mut more = Vec::new();
    more.extend(played.depth.map(|depth| format!("depth {depth}")));
    more.extend((played.bound != Bound::Exact).then(|| "bound".to_owned()));
    more.extend(played.left.map(|left| format!("left {:.3} s", left.as_secs_f64())));
    [first.join(" "), more.join(", ")].into_iter().filter(|line| !line.is_empty()).collect()
}

/// Returns each item of the comment on its own line, since programs that read KIF expect the value on its own line.
fn kif(played: &PlayedMove, value: Option<i32>, rest: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(value.map(|value| format!("*評価値={value}")));
    lines.extend(match played.bound {
        Bound::Exact => None,
        Bound::Lower => Some("*評価値は下限".to_owned()),
        Bound::Upper => Some("*評価値は上限".to_owned()),
    });
    lines.extend((!rest.is_empty()).then(|| format!("*読み筋={}", rest.concat())));
    lines.extend(played.depth.map(|depth| format!("*深さ={depth}")));
    lines.extend(played.nodes.map(|nodes| format!("*ノード数={nodes}")));
    lines.extend(played.left.map(|left| format!("*残り時間={:.3}秒", left.as_secs_f64())));
    lines
}

/// Translates a time control of the match tool to Japanese: `100 nodes` becomes `100局面`.
pub(super) fn clock(text: &str) -> String {
    text.replace(" nodes", "局面").replace(" plies", "手読み").replace("/move", "秒（1手）")
}

/// Formats the moves in the notation of the file, up to the first illegal move.
pub(super) fn variation(game: &Shogi, moves: &[MoveText], notation: Notation) -> Vec<String> {
    let mut game = game.clone();
    let mut written = Vec::with_capacity(moves.len());
    for text in moves {
        let Ok(m) = game.parse_move(text) else { break };
        let Some(text) = (if notation == Notation::Csa { m.to_csa() } else { Some(game.notation(m)) }) else { break };
        written.push(text);
        game.make(m);
    }
    written
}

pub(super) fn value(score: Score) -> i32 {
    match score.kind() {
        ScoreKind::Cp(cp) => cp,
        ScoreKind::Mate(plies) if plies > 0 => MATE_VALUE - plies,
        ScoreKind::Mate(plies) => -MATE_VALUE - plies,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::Start;

    fn after(moves: &str) -> Shogi {
        let mut game = Shogi::new(&Start::default()).unwrap();
        for text in moves.split(' ') {
            let m = game.parse_move(text).unwrap();
            game.make(m);
        }
        game
    }

    #[test]
    fn variations_are_in_the_notation_of_the_file_and_end_at_an_illegal_move() {
        let pv = ["7g7f", "3c3d", "8h2b+", "3a2b", "1a1b", "7g7f"].map(|text| text.parse().unwrap()).to_vec();
        let played = PlayedMove {
            score: Some(Score::cp(40)),
            bound: Bound::Lower,
            depth: Some(9),
            nodes: Some(777),
            pv,
            ..PlayedMove::new("7g7f".parse().unwrap())
        };
        let game = after("7g7f");
        let csa = comment(&played, &game, Side::First, Notation::Csa).unwrap();
        assert_eq!(csa, "* 40 -3334FU +8822UM -3122GI #777\ndepth 9, bound");
        let kif = comment(&played, &game, Side::Second, Notation::Kif).unwrap();
        let lines = ["*評価値=-40", "*評価値は下限", "*読み筋=△３四歩▲２二角成△同　銀", "*深さ=9", "*ノード数=777"];
        assert_eq!(kif, lines.join("\n"));
        assert_eq!(comment(&PlayedMove { book: true, ..played }, &game, Side::First, Notation::Kif), None);
    }

    #[test]
    fn time_controls_are_translated_for_kif() {
        assert_eq!(clock("10+0.1, 100 nodes - 0.5/move"), "10+0.1, 100局面 - 0.5秒（1手）");
    }

    #[test]
    fn mates_are_written_as_values() {
        assert_eq!([Score::win_in(3), Score::loss_in(4)].map(value), [99_997, -99_996]);
    }
}
