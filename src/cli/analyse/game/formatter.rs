//! Formats the analysis of a game as text: its moves, and a summary of both players.

use super::super::super::colours::{Colours, Tone};
use hasami_api::{GameReview, Line, MateUnit, MoveMark, MoveReview, PlayerReview, Score, Side};
use hasami_catalog::{Catalog, Speaker};
use hasami_tree::score_text;
use hasami_words::text::{fitted, padded, to_right, visible};
use hasami_words::{Value, Words};
use std::io::{self, Write};

/// Width of a player's name, in columns.
const NAME: usize = 60;

/// Formats an analysed game as text.
pub struct GameFormatter<'a> {
    pub catalog: &'static dyn Catalog,
    pub players: &'a [String; 2],
    pub unit: MateUnit,
    pub words: &'static Words,
}

impl GameFormatter<'_> {
    /// Returns a side's name, such as "White".
    fn side(&self, side: Side) -> String {
        let (name, place) = (self.catalog.sides()[side.index()], side.index());
        let key = format!("{}-{place}", self.catalog.name());
        self.words.with("review-side", &[("side", (&key).into()), ("name", name.into())])
    }

    /// Returns a side and its player's name, such as `White (Carlsen)`.
    pub fn player(&self, side: Side) -> String {
        let (name, side) = (&visible(&self.players[side.index()]), self.side(side));
        let name = fitted(name, NAME);
        if name.is_empty() {
            side
        } else {
            self.words.with("review-player", &texts([("side", &side), ("name", &name)]))
        }
    }

    /// Returns the title of the game, which names both players.
    pub fn title(&self) -> String {
        let [first, second] = [Side::First, Side::Second].map(|side| self.player(side));
        format!("{first} - {second}")
    }

    /// Returns the header lines above a game's moves. `index` is the index of the game, from 0, among the `count`
    /// games.
    pub fn head(&self, index: usize, count: usize, line: &Line) -> String {
        let words = self.words;
        let title = self.title();
        let title = if count == 1 { title } else { format!("{}/{count}: {title}", index + 1) };
        let first = self.side(Side::First);
        let values = [("count", line.moves.len().into()), ("title", (&title).into()), ("side", (&first).into())];
        let names = ["row-move", "row-score", "row-best", "row-loss", "row-depth"].map(|name| words.get(name));
        let [mv, value, best, loss, depth] = &names;
        format!("{}\n{}", words.with("review-head", &values), columns([mv, value, best, "", loss, depth]))
    }

    /// Formats the table row of a move with its review. `speaker` writes moves from the position before the move.
    pub fn row(&self, ply: usize, one: &MoveReview, speaker: &Speaker, colours: Colours) -> String {
        let mark = one.mark.map_or("", MoveMark::symbol);
        let mv = format!("{}{}{mark}", self.number(ply, one.side), speaker.last(&[one.played]));
        let score = |score: Score| score_text(score, self.unit);
        let best = one.best.first().filter(|_| !one.is_best()).map(|best| speaker.last(&[*best]));
        let best_value = best.as_ref().map_or_else(String::new, |_| score(one.best_value_for_first()));
        let loss = if one.loss > 0 { score(Score::cp(one.loss)).replace('+', "") } else { String::new() };
        let depth = if one.depth > 0 { one.depth.to_string() } else { String::new() };
        let value = one.value_after_for_first().map_or_else(|| self.words.get("answer-mate"), score);
        let row = columns([&mv, &value, best.as_deref().unwrap_or_default(), &best_value, &loss, &depth]);
        let tone = if one.mark >= Some(MoveMark::Mistake) { Tone::Bad } else { Tone::Plain };
        colours.paint(tone, &row)
    }

    /// Formats a move number: with dots if a move is two plies (chess), without dots if a move is one ply (shogi).
    fn number(&self, ply: usize, side: Side) -> String {
        if self.catalog.plies_per_move() == 1 {
            return format!("{ply:>3} ");
        }
        // If the second player moves first, move 1 has only one ply.
        let earlier = usize::from(ply.is_multiple_of(2) == (side == Side::First));
        let number = (ply + earlier).div_ceil(2);
        if side == Side::First { format!("{number:>3}. ") } else { format!("{number:>3}... ") }
    }

    /// Prints the summary of both players below the moves.
    pub fn conclude(&self, review: &GameReview, out: &mut impl Write) -> io::Result<()> {
        if review.moves.is_empty() {
            return Ok(());
        }
        let names = ["row-player", "row-moves", "row-best", "row-average-loss"].map(|name| self.words.get(name));
        let [player, moves, best, loss] = &names;
        let symbols = MoveMark::ALL.map(MoveMark::symbol);
        writeln!(out, "\n{}", player_columns([player, moves, best, loss, symbols[0], symbols[1], symbols[2]]))?;
        for side in [Side::First, Side::Second] {
            let PlayerReview { moves, best, loss, marks } = review.of(side);
            let share = 100 * best / moves.max(1);
            let [inaccuracies, mistakes, blunders] = marks.map(|count| count.to_string());
            writeln!(
                out,
                "{}",
                player_columns([
                    &self.player(side),
                    &moves.to_string(),
                    &format!("{best} ({share} %)"),
                    &self.average(loss),
                    &inaccuracies,
                    &mistakes,
                    &blunders
                ])
            )?;
        }
        out.flush()
    }

    fn average(&self, loss: f64) -> String {
        score_text(Score::cp(loss.round() as i32), self.unit).replace('+', "")
    }
}

fn texts<'a, const N: usize>(values: [(&'a str, &'a str); N]) -> [(&'a str, Value<'a>); N] {
    values.map(|(key, text)| (key, text.into()))
}

/// Formats a row of the table of moves, 78 columns wide.
fn columns([mv, value, best, best_value, loss, depth]: [&str; 6]) -> String {
    let row = format!(
        "{}{}   {}{}{}{}",
        padded(&fitted(mv, 23), 23),
        to_right(value, 9),
        padded(&fitted(best, 18), 18),
        to_right(best_value, 9),
        to_right(loss, 9),
        to_right(depth, 7)
    );
    row.trim_end().to_owned()
}

/// Formats a row of the table of players, 79 columns wide.
fn player_columns([player, moves, best, loss, inaccuracies, mistakes, blunders]: [&str; 7]) -> String {
    let counts = [inaccuracies, mistakes, blunders].map(|count| to_right(count, 5)).concat();
    let numbers = [to_right(moves, 7), to_right(best, 12), to_right(loss, 14)].concat();
    format!("{}{numbers}{counts}", padded(&fitted(player, 31), 31))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::{JudgedPosition, Judging};
    use hasami_catalog::Notation;
    use hasami_words::Language;
    use unicode_width::UnicodeWidthStr;

    fn review(judging: Judging, values: &[i32], best: &str, moves: &[&str]) -> GameReview {
        let moves: Vec<_> = moves.iter().map(|m| m.parse().unwrap()).collect();
        let position = |&value: &i32| {
            let line = vec![best.parse().unwrap()];
            JudgedPosition { value: Score::cp(value), line, depth: 18, nodes: 1 }
        };
        let positions: Vec<_> = values.iter().map(position).collect();
        let side = |index: usize| if index.is_multiple_of(2) { Side::First } else { Side::Second };
        let one = |(index, played): (usize, &_)| {
            MoveReview::new(*played, side(index), [&positions[index], &positions[index + 1]], judging)
        };
        GameReview { moves: moves.iter().enumerate().map(one).collect(), line: Line { moves, ..Line::default() } }
    }

    fn formatter<'a>(game: &str, players: &'a [String; 2], language: Language) -> GameFormatter<'a> {
        let catalog = hasami_games::find(game).unwrap();
        GameFormatter { catalog, players, unit: MateUnit::Moves, words: Words::of(language) }
    }

    #[test]
    fn a_game_is_shown_in_80_columns() {
        let chess = review(Judging::CHESS, &[30, -30, 40, 900], "d2d4", &["e2e4", "f7f6", "g2g4"]);
        let players = ["A very long name of a player".to_owned(), String::new()];
        let formatter = formatter("chess", &players, Language::English);
        let speaker = Speaker::at(formatter.catalog, &chess.line, Notation::Players);
        let row = formatter.row(3, &chess.moves[2], &speaker, Colours::of(false));
        assert!(
            row.starts_with("  2. g2g4??") && row.contains("-9.00   d2d4") && row.ends_with("9.40     18"),
            "{row}"
        );
        assert!(
            formatter.head(0, 2, &chess.line).starts_with("1/2: White (A very long name of a player) - Black, 3 plies")
        );
        let mut out = Vec::new();
        formatter.conclude(&chess, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("White (A very l") && text.contains("4.70    0    0    1"), "{text}");
        assert!(text.lines().chain([row.as_str()]).all(|line| line.width() <= 80), "{text}");
    }

    #[test]
    fn a_mate_is_counted_from_after_the_move_and_the_last_move_mates() {
        let mut game = review(Judging::CHESS, &[0, 0, 0], "e2e4", &["e2e4", "e7e5"]);
        (game.moves[0].value, game.moves[1].value) = (Score::win_in(3), Score::win_in(1));
        let players = [String::new(), String::new()];
        let formatter = formatter("chess", &players, Language::English);
        let speaker = Speaker::at(formatter.catalog, &game.line, Notation::Players);
        let value = |index: usize| {
            let row = formatter.row(index + 1, &game.moves[index], &speaker, Colours::of(false));
            row.split_whitespace().nth(2).unwrap().to_owned()
        };
        assert_eq!([value(0), value(1)], ["+#1", "mate"]);
    }

    #[test]
    fn a_name_from_a_file_is_shown_without_control_characters_and_cut() {
        let players = [format!("\u{1b}[31m{}", "x".repeat(500_000)), "B\n".to_owned()];
        let title = formatter("chess", &players, Language::English).title();
        assert!(title.starts_with("White (\\u{1b}[31mxxx") && title.ends_with("x) - Black (B\\n)"), "{title}");
        assert!(title.width() < 100, "{title}");
    }

    #[test]
    fn a_game_of_shogi_is_shown_in_japanese() {
        let shogi = review(Judging::SHOGI, &[30, -30, 40], "2g2f", &["7g7f", "3c3d"]);
        let players = ["羽生".to_owned(), "谷川".to_owned()];
        let formatter = formatter("shogi", &players, Language::Japanese);
        let head = formatter.head(0, 1, &shogi.line);
        assert!(head.starts_with("先手（羽生） - 後手（谷川）"), "{head}");
        let speaker = Speaker::at(formatter.catalog, &Line::default(), Notation::Players);
        assert!(formatter.row(1, &shogi.moves[0], &speaker, Colours::of(false)).starts_with("  1 ▲７六歩"));
    }
}
