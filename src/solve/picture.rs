//! Draws a position with its hands, and the main line below it, as SVG.

use hasami_api::{Diagram, Side};
use hasami_pictures::board::{BoardFrame, HAND, MARGIN};
use hasami_pictures::{FONTS, anchored, page};

const TITLE: f64 = 34.0;
/// Height of a row of the main line, in SVG units.
const ROW: f64 = 18.0;
const FONT: f64 = 13.0;
/// Width of a Latin letter or digit, relative to a Chinese character.
const LETTER: f64 = 0.62;

/// Texts above and below the board.
pub struct Legend<'a> {
    pub title: &'a str,
    /// The result, for example `mate in 3 plies, 17 nodes`.
    pub result: &'a str,
    /// The main line, each move with its number.
    pub moves: &'a [String],
    /// The side to move, whose hand is highlighted.
    pub side: Side,
}

pub fn draw(diagram: &Diagram, legend: &Legend) -> String {
    let (columns, rows) = (diagram.columns.len() as f64, diagram.rows.len() as f64);
    let frame = BoardFrame { left: MARGIN + HAND, top: TITLE + MARGIN, columns, rows };
    let width = frame.right() + MARGIN + HAND;
    let lines = wrapped(legend.moves, (width - 2.0 * MARGIN) / FONT);
    let below = frame.bottom() + MARGIN + ROW;
    let height = below + ROW * (lines.len() + 1) as f64;
    let mut picture = page(width, height).set("width", width).set("height", height).set("font-family", FONTS);
    picture = picture.add(anchored(legend.title, MARGIN, TITLE, 16.0, "start").set("font-weight", "bold"));
    picture = picture.add(frame.board(diagram)).add(frame.names(diagram));
    for man in &diagram.men {
        picture = picture.add(frame.man(man, diagram.is_turned));
    }
    for side in [Side::Second, Side::First] {
        picture = picture.add(frame.hand(diagram, side, side == legend.side));
    }
    picture = picture.add(anchored(legend.result, MARGIN, below, FONT, "start").set("font-weight", "bold"));
    for (line, row) in lines.iter().zip(1u32..) {
        picture = picture.add(anchored(line, MARGIN, below + ROW * f64::from(row), FONT, "start"));
    }
    picture.to_string()
}

/// Breaks moves into lines that are at most `letters` Chinese characters wide.
fn wrapped(moves: &[String], letters: f64) -> Vec<String> {
    let width = |text: &str| text.chars().map(|c| if c.is_ascii() { LETTER } else { 1.0 }).sum::<f64>();
    let mut lines: Vec<String> = Vec::new();
    for word in moves {
        match lines.last_mut().filter(|line| width(line) + width(word) + LETTER <= letters) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::problem::MateProblem;

    fn picture(game: &str, position: &str) -> String {
        let game = hasami_games::find(game).unwrap();
        let problem = MateProblem::new("x", position, game).unwrap();
        let moves = ["1. ▲５二金".to_owned()];
        let legend = Legend { title: "a <b> & c", result: "mate in 1 ply", moves: &moves, side: Side::First };
        draw(&game.diagram(&problem.line).unwrap(), &legend)
    }

    #[test]
    fn men_hands_and_moves_are_in_the_picture() {
        let shogi = picture("shogi", "4k4/9/4P4/9/9/9/9/9/9 b G3P2r 1");
        for part in
            ["玉", "歩", "金", "飛", "3", "2", "☗", "１", "九", "1. ▲５二金", "a &lt;b&gt; &amp; c", "mate in 1 ply"]
        {
            assert!(has(&shogi, part), "{part}: {shogi}");
        }
        assert_eq!(shogi.matches("rotate(180").count(), 2, "the king and the hand of the second player");
        let chess = picture("chess", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
        assert!(has(&chess, "♚") && has(&chess, "♖") && !chess.contains("rotate"));
        assert_eq!(chess.matches("<rect").count(), 64 + 2);
    }

    /// Returns whether the picture contains a text, which the SVG writer puts on a line of its own.
    fn has(picture: &str, text: &str) -> bool {
        picture.lines().any(|line| line.trim() == text)
    }

    #[test]
    fn long_lines_are_wrapped() {
        let moves: Vec<String> = (1..=40).map(|ply| format!("{ply}. ▲５二金打")).collect();
        let lines = wrapped(&moves, 30.0);
        assert!(lines.len() > 10 && lines.iter().all(|line| line.chars().count() < 45), "{lines:?}");
        assert_eq!(lines.join(" "), moves.join(" "));
    }
}
