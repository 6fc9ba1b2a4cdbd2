//! Writes the results of an analysis into the text of a KIF or CSA file, in place of the results of an earlier
//! analysis. The rest of the file is unchanged.
//!
//! KIF gets the lines that ShogiHome writes when it analyses a game (`#評価値=`, from Black's point of view), and CSA gets
//! the lines of Floodgate's files (`'** 35 -3334FU`). Both formats get a comment on each bad move, and KIF also gets
//! the better line as a variation.

use super::comment::{value, variation};
use super::notation::{Notation, failed};
use super::side_lines::{self, in_order};
use crate::Shogi;
use hasami_api::{Game, GameReview, MoveMark, MoveReview, MoveText, RecordError, SideLine, walk_reviews};
use std::ops::Range;

/// Maximum length of an added variation, in plies.
const PLIES: usize = 12;

/// The players of a game, and where its moves stand in the text.
#[derive(Default)]
struct Outline {
    players: [String; 2],
    /// For each move, the byte range of the lines below it, which contain its time and comments.
    moves: Vec<Range<usize>>,
    variations: Vec<Variation>,
    /// The byte offset at which the game ends.
    end: usize,
}

struct Variation {
    /// The byte offset of the line that begins the variation.
    begin: usize,
    ply: usize,
    /// Whether an earlier analysis wrote the variation.
    is_ours: bool,
}

pub(super) fn players(text: &str, notation: Notation) -> Vec<[String; 2]> {
    outlines(text, notation).into_iter().map(|game| game.players).collect()
}

pub(super) fn annotate(text: &str, notation: Notation, reviews: &[GameReview]) -> Result<String, RecordError> {
    let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let text = match notation {
        Notation::Csa => with_own_lines(text),
        Notation::Kif => with_better_lines(text, reviews, end_of_line)?,
    };
    let games = outlines(&text, notation);
    let mut written = String::with_capacity(2 * text.len());
    let mut copied = 0;
    walk_reviews(reviews, games.iter().map(|game| game.moves.as_slice()), |found, place, positions: [&Shogi; 2]| {
        written.push_str(&text[copied..place.start]);
        written.extend(text[place.clone()].split_inclusive('\n').filter(|line| !is_of_analysis(line, notation)));
        copied = place.end;
        if !written.ends_with('\n') {
            written.push_str(end_of_line);
        }
        for line in remarks(found, positions, notation) {
            written.push_str(&line);
            written.push_str(end_of_line);
        }
    })?;
    written.push_str(&text[copied..]);
    Ok(written)
}

/// Whether an earlier analysis wrote this line after a move.
fn is_of_analysis(line: &str, notation: Notation) -> bool {
    match notation {
        Notation::Kif => {
            line.starts_with("*#") && line.contains('=') || line.starts_with("*【") && line.contains("】最善は")
        }
        Notation::Csa => line.starts_with("'** ") || line.starts_with("'*") && line.contains("手 最善 "),
    }
}

/// Returns the text of a KIF file in which each bad move has its better line as a variation. These variations replace
/// those of an earlier analysis.
///
/// A variation in KIF replaces a move of the line that precedes it, so a new variation is inserted before the first one
/// that begins at the same ply or earlier.
fn with_better_lines(text: &str, reviews: &[GameReview], end_of_line: &str) -> Result<String, RecordError> {
    let mut places: Vec<(Range<usize>, bool, Vec<String>)> = Vec::new();
    for (game, review) in outlines_of_kif(text).iter().zip(reviews) {
        let is_old = |variation: &Variation| variation.is_ours && variation.ply <= review.moves.len();
        let ends = game.variations.iter().skip(1).map(|next| next.begin).chain([game.end]);
        let old = game.variations.iter().zip(ends).filter(|(variation, _)| is_old(variation));
        places.extend(old.map(|(variation, end)| (variation.begin..end, true, Vec::new())));
        let moves: Vec<MoveText> = review.moves.iter().map(|found| found.played).collect();
        for side in in_order(&better_lines(review)?) {
            let before = game.variations.iter().find(|other| other.ply <= side.ply && !is_old(other));
            let place = before.map_or(game.end, |other| other.begin);
            places.push((place..place, before.is_some(), side_lines::lines(&review.line.start, &moves, side)?));
        }
    }
    // Variations to be inserted at the same offset keep their order.
    places.sort_by_key(|(place, ..)| place.start);
    let mut written = String::with_capacity(2 * text.len());
    let mut copied = 0;
    for (place, is_inside, lines) in places {
        written.push_str(&text[copied..place.start]);
        copied = place.end;
        if lines.is_empty() {
            continue;
        }
        if !written.ends_with('\n') {
            written.push_str(end_of_line);
        }
        let blank = String::new();
        let has_blank = is_inside || written.ends_with(&end_of_line.repeat(2));
        let (first, last) = ((!has_blank).then_some(&blank), is_inside.then_some(&blank));
        for line in first.into_iter().chain(&lines).chain(last) {
            written.push_str(line);
            written.push_str(end_of_line);
        }
    }
    written.push_str(&text[copied..]);
    Ok(written)
}

/// Returns the better line for each bad move of a game, cut off at the line's first illegal move.
fn better_lines(review: &GameReview) -> Result<Vec<SideLine>, RecordError> {
    let mut position = Shogi::new(&review.line.start).map_err(failed)?;
    let (mut sides, mut ply) = (Vec::new(), 0);
    for found in &review.moves {
        ply += 1;
        let best = &found.best[..found.best.len().min(PLIES)];
        let legal = variation(&position, best, Notation::Kif).len();
        if found.mark.is_some() && legal > 0 {
            let remark = format!("最善（評価値{}）", value(found.best_value_for_first()));
            sides.push(SideLine { ply, moves: best[..legal].to_vec(), mates: false, remark });
        }
        let played = position.parse_move(&found.played).map_err(failed)?;
        position.make(played);
    }
    Ok(sides)
}

/// Returns the lines to be added after a move, given the positions before and after the move.
fn remarks(found: &MoveReview, [before, after]: [&Shogi; 2], notation: Notation) -> Vec<String> {
    let reply = variation(after, &found.reply[..found.reply.len().min(PLIES)], notation);
    // In KIF, the comment needs only the first move, because the better line becomes a variation.
    let plies = if notation == Notation::Kif { 1 } else { PLIES };
    let best = variation(before, &found.best[..found.best.len().min(plies)], notation);
    let (own, other) = (value(found.value_for_first()), value(found.best_value_for_first()));
    let name = found.mark.map(name);
    match notation {
        Notation::Kif => {
            let mut lines = Vec::new();
            lines.extend(name.map(|name| format!("*【{name}】最善は{}（評価値{other}）", best.concat())));
            lines.push(format!("*#評価値={own}"));
            lines.extend((!reply.is_empty()).then(|| format!("*#読み筋={}", reply.concat())));
            lines.extend((found.depth > 0).then(|| format!("*#深さ={}", found.depth)));
            lines.extend((found.nodes > 0).then(|| format!("*#ノード数={}", found.nodes)));
            lines
        }
        Notation::Csa => {
            let line = [format!("'** {own}")].into_iter().chain(reply).collect::<Vec<_>>().join(" ");
            let nodes = if found.nodes > 0 { format!(" #{}", found.nodes) } else { String::new() };
            let mut lines = vec![line + &nodes];
            lines.extend(name.map(|name| format!("'*{name} 最善 {other} {}", best.join(" "))));
            lines
        }
    }
}

/// Returns the Japanese name of the mark, as on lishogi.
const fn name(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Inaccuracy => "疑問手",
        MoveMark::Mistake => "悪手",
        MoveMark::Blunder => "大悪手",
    }
}

fn outlines(text: &str, notation: Notation) -> Vec<Outline> {
    match notation {
        Notation::Kif => outlines_of_kif(text),
        Notation::Csa => outlines_of_csa(text),
    }
}

/// Returns the outlines of the games' main lines. Moves after a line that begins with `変化` belong to variations.
fn outlines_of_kif(text: &str) -> Vec<Outline> {
    let mut games = vec![Outline::default()];
    let (mut at, mut in_variation, mut is_attached) = (0, false, false);
    for whole in text.split_inclusive('\n') {
        let begin = at;
        at += whole.len();
        let line = whole.trim().trim_start_matches('\u{feff}');
        let is_remark = line.starts_with(['*', '&', '#']);
        let begins_game =
            ["手数--", "手合割", "開始日時", "先手：", "下手："].iter().any(|head| line.starts_with(head));
        if begins_game && games.last().is_some_and(|game| !game.moves.is_empty()) {
            games.push(Outline::default());
            in_variation = false;
        }
        let Some(game) = games.last_mut() else { break };
        game.end = at;
        if let Some(variation) = game.variations.last_mut() {
            variation.is_ours |= line.starts_with("*最善（評価値");
        }
        for (place, names) in [["先手：", "下手："], ["後手：", "上手："]].iter().enumerate() {
            if let Some(name) = names.iter().find_map(|name| line.strip_prefix(name)) {
                name.trim().clone_into(&mut game.players[place]);
            }
        }
        if let Some(rest) = line.strip_prefix("変化") {
            in_variation = true;
            let number: String = rest.chars().skip(1).take_while(char::is_ascii_digit).collect();
            game.variations.push(Variation { begin, ply: number.parse().unwrap_or(0), is_ours: false });
        }
        if !in_variation && is_move_of_kif(line) {
            game.moves.push(at..at);
            is_attached = true;
        } else if is_remark && is_attached && !in_variation {
            if let Some(place) = game.moves.last_mut() {
                place.end = at;
            }
        } else if !is_remark {
            is_attached = false;
        }
    }
    games.retain(|game| !game.moves.is_empty());
    games
}

/// Returns whether the line is a move, such as `   1 ７六歩(77)   ( 0:01/00:00:01)`, and not the end of a game, such as
/// `   3 投了`.
fn is_move_of_kif(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_square = |c: char| c == '同' || ('１'..='９').contains(&c) || c.is_ascii_digit();
    rest.len() < line.len() && rest.starts_with([' ', '\u{3000}', '\t']) && rest.trim_start().starts_with(is_square)
}

fn outlines_of_csa(text: &str) -> Vec<Outline> {
    let mut games = vec![Outline::default()];
    let (mut at, mut is_attached) = (0, false);
    for whole in text.split_inclusive('\n') {
        at += whole.len();
        let line = whole.trim_end();
        let Some(game) = games.last_mut() else { break };
        if line == "/" {
            games.push(Outline::default());
            is_attached = false;
        } else if let Some(name) = line.strip_prefix("N+") {
            name.clone_into(&mut game.players[0]);
        } else if let Some(name) = line.strip_prefix("N-") {
            name.clone_into(&mut game.players[1]);
        } else if is_move_of_csa(line) {
            game.moves.push(at..at);
            is_attached = true;
        } else if is_attached && line.starts_with(['T', '\'']) {
            if let Some(place) = game.moves.last_mut() {
                place.end = at;
            }
        } else {
            is_attached = false;
        }
    }
    games
}

/// Returns whether the line is a move, such as `+7776FU`.
fn is_move_of_csa(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.len() == 7 && matches!(bytes[0], b'+' | b'-') && bytes[1..5].iter().all(u8::is_ascii_digit)
}

/// Splits lines that contain several statements, since comments can only be inserted between lines.
fn with_own_lines(text: &str) -> String {
    let split = |line: &str| if line.starts_with(['+', '-']) { line.replace(',', "\n") } else { line.to_owned() };
    text.split_inclusive('\n').map(split).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{CSA, KIF};
    use hasami_api::{JudgedPosition, Judging, Line, Records, Score, Side};

    fn judged(value: i32, line: &str) -> JudgedPosition {
        let line = line.split_whitespace().map(|m| m.parse().unwrap()).collect();
        JudgedPosition { value: Score::cp(value), line, depth: 9, nodes: 77 }
    }

    /// A review of the game 7g7f 3c3d 8h2b+, whose last move loses a bishop.
    fn reviewed() -> GameReview {
        let moves: Vec<hasami_api::MoveText> = ["7g7f", "3c3d", "8h2b+"].map(|m: &str| m.parse().unwrap()).to_vec();
        let positions =
            [judged(40, "7g7f"), judged(-40, "3c3d 2g2f"), judged(60, "2g2f 8c8d"), judged(700, "3a2b 9g9f")];
        let review = |(index, played): (usize, &hasami_api::MoveText)| {
            let side = if index % 2 == 0 { Side::First } else { Side::Second };
            MoveReview::new(*played, side, [&positions[index], &positions[index + 1]], Judging::SHOGI)
        };
        GameReview { moves: moves.iter().enumerate().map(review).collect(), line: Line::default() }
    }

    #[test]
    fn annotations_follow_each_move_and_the_text_of_a_kif_file_stays() {
        let file = "手合割：平手\r\n先手：羽生\r\n後手：谷川\r\n手数----指手---------消費時間--\r\n\
                    \x20  1 ７六歩(77)   ( 0:01/00:00:01)\r\n*the first move\r\n   2 ３四歩(33)\r\n   3 ２二角成(88)\r\n\
                    \x20  4 投了\r\nまで3手で先手の勝ち\r\n\r\n変化：2手\r\n   2 ８四歩(83)\r\n";
        let text = Shogi::annotate(file, KIF, &[reviewed()]).unwrap();
        let expected = "   1 ７六歩(77)   ( 0:01/00:00:01)\r\n*the first move\r\n*#評価値=40\r\n*#読み筋=△３四歩▲２六歩\r\n*#深さ=9\r\n\
                        *#ノード数=77\r\n   2 ３四歩(33)\r\n*#評価値=60\r\n";
        assert!(text.contains(expected), "{text}");
        let last = "   3 ２二角成(88)\r\n*【大悪手】最善は▲２六歩（評価値60）\r\n*#評価値=-700\r\n";
        assert!(text.contains(last), "{text}");
        let better = "変化：3手\r\n   3 ２六歩(27)   ( 0:00/00:00:00)\r\n*最善（評価値60）\r\n   4 ８四歩(83)   ( 0:00/00:00:00)\r\n\r\n";
        assert!(text.ends_with(&format!("{better}変化：2手\r\n   2 ８四歩(83)\r\n")), "{text}");
        assert_eq!(Shogi::annotate(&text, KIF, &[reviewed()]).unwrap(), text, "the values are replaced");
        let text = text.replace(better, "");
        assert_eq!(Shogi::players(file, KIF), [["羽生", "谷川"]]);
        // Apart from the added lines, the file is unchanged.
        let is_added = |line: &&str| line.starts_with("*#") || line.starts_with("*【");
        let before: String = text.split_inclusive('\n').filter(|line| !is_added(line)).collect();
        assert_eq!(before, file);
    }

    /// In KIF, a variation replaces a move of the line that precedes it in the file.
    #[test]
    fn better_lines_stand_where_they_replace_a_move_of_the_main_line() {
        let game =
            "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n";
        let variation = |ply| format!("変化：{ply}手\n   {ply} ５二玉(51)\n");
        for (others, expected) in [
            (String::new(), [3].to_vec()),
            (variation(2), [3, 2].to_vec()),
            (format!("{}{}", variation(4), variation(2)), [4, 3, 2].to_vec()),
            (format!("{}{}", variation(2), variation(4)), [3, 2, 4].to_vec()),
        ] {
            let text = Shogi::annotate(&format!("{game}{others}{game}"), KIF, &[reviewed(), reviewed()]).unwrap();
            let heads: Vec<usize> = text
                .lines()
                .filter_map(|line| line.strip_prefix("変化：")?.trim_end_matches('手').parse().ok())
                .collect();
            assert_eq!(heads, [&expected[..], &[3]].concat(), "{text}");
            assert_eq!(Shogi::annotate(&text, KIF, &[reviewed(), reviewed()]).unwrap(), text);
        }
    }

    #[test]
    fn csa_is_annotated_in_the_form_of_floodgate() {
        let file =
            "V2.2\nN+羽生\nN-谷川\nPI\n+\n+7776FU,T3\n-3334FU\nT1\n'*a remark\n+8822UM\n%TORYO\n/\nPI\n+\n+2726FU\n";
        let text = Shogi::annotate(file, CSA, &[reviewed()]).unwrap();
        assert_eq!(
            text,
            "V2.2\nN+羽生\nN-谷川\nPI\n+\n+7776FU\nT3\n'** 40 -3334FU +2726FU #77\n-3334FU\nT1\n'*a remark\n\
             '** 60 +2726FU -8384FU #77\n+8822UM\n'** -700 -3122GI +9796FU #77\n\
             '*大悪手 最善 60 +2726FU -8384FU\n%TORYO\n/\nPI\n+\n+2726FU\n"
        );
        assert_eq!(Shogi::annotate(&text, CSA, &[reviewed()]).unwrap(), text, "the values are replaced");
        assert_eq!(Shogi::players(file, CSA)[0], ["羽生", "谷川"]);
        assert_eq!(Shogi::read_records(&text, CSA).unwrap(), Shogi::read_records(file, CSA).unwrap());
    }

    #[test]
    fn a_review_of_another_game_is_refused() {
        let error = Shogi::annotate("手数----\n   1 ７六歩(77)\n", KIF, &[reviewed()]).unwrap_err();
        assert_eq!(error.to_string(), "game 1: 1 of 3 moves can be annotated");
    }
}
