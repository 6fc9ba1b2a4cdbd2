//! A position with its hands and, below it, the main line, as SVG.

use crate::matches::chart::{anchored, bar, page, rule};
use hasami_api::{Diagram, RenderedPiece, Side};
use svg::node::element::{Group, Text};

const SQUARE: f64 = 40.0;
/// Left of the board: what the second player holds, as in books.
const HAND: f64 = 52.0;
const MARGIN: f64 = 28.0;
const TITLE: f64 = 34.0;
/// Height of a row of the main line.
const ROW: f64 = 18.0;
const FONT: f64 = 13.0;
/// A letter of Latin or figures is half as wide as one of Chinese.
const LETTER: f64 = 0.62;
pub(super) const FONTS: &str = "'Noto Sans CJK JP', 'Noto Sans JP', 'Hiragino Sans', 'Yu Gothic', 'IPAexGothic', 'IPAGothic', 'Noto Sans Symbols2', \
                     'DejaVu Sans', sans-serif";

const INK: &str = "#222";
const RED: &str = "#b01020";
const WOOD: &str = "#f8e8c0";
const DARK: &str = "#c8a878";
const LIGHT: &str = "#f4ead8";

/// Texts above and below the board.
pub struct Legend<'a> {
    pub title: &'a str,
    /// `mate in 3 plies, 17 nodes`.
    pub result: &'a str,
    /// The main line, each move with its number.
    pub moves: &'a [String],
    /// Who is to move: their hand is marked.
    pub side: Side,
}

/// The page.
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

/// Where the board lies.
struct BoardFrame {
    left: f64,
    top: f64,
    columns: f64,
    rows: f64,
}

impl BoardFrame {
    fn right(&self) -> f64 {
        self.left + self.columns * SQUARE
    }

    fn bottom(&self) -> f64 {
        self.top + self.rows * SQUARE
    }

    fn board(&self, diagram: &Diagram) -> Group {
        let mut group = Group::new();
        if diagram.is_chequered {
            for row in 0..diagram.rows.len() {
                for column in 0..diagram.columns.len() {
                    let colour = if (row + column) % 2 == 0 { LIGHT } else { DARK };
                    let (x, y) = (self.left + column as f64 * SQUARE, self.top + row as f64 * SQUARE);
                    group = group.add(bar(x, y, SQUARE, SQUARE, colour));
                }
            }
        } else {
            let (width, height) = (self.columns * SQUARE, self.rows * SQUARE);
            group = group.add(bar(self.left, self.top, width, height, WOOD));
            for column in 1..diagram.columns.len() {
                let x = self.left + column as f64 * SQUARE;
                group = group.add(rule(x, self.top, x, self.bottom(), INK));
            }
            for row in 1..diagram.rows.len() {
                let y = self.top + row as f64 * SQUARE;
                group = group.add(rule(self.left, y, self.right(), y, INK));
            }
        }
        let edge = bar(self.left, self.top, self.columns * SQUARE, self.rows * SQUARE, "none");
        group.add(edge.set("stroke", INK).set("stroke-width", 2))
    }

    /// Beside the board: below and on the left in chess, above and on the right in shogi.
    fn names(&self, diagram: &Diagram) -> Group {
        let (y, x) = match diagram.is_turned {
            true => (self.top - 8.0, self.right() + 12.0),
            false => (self.bottom() + 16.0, self.left - 12.0),
        };
        let mut group = Group::new();
        for (column, name) in diagram.columns.iter().enumerate() {
            group = group.add(anchored(name, self.left + (column as f64 + 0.5) * SQUARE, y, 12.0, "middle"));
        }
        for (row, name) in diagram.rows.iter().enumerate() {
            group = group.add(anchored(name, x, self.top + (row as f64 + 0.5) * SQUARE + 4.0, 12.0, "middle"));
        }
        group
    }

    fn man(&self, man: &RenderedPiece, is_turned: bool) -> Text {
        let x = self.left + (f64::from(man.column) + 0.5) * SQUARE;
        let y = self.top + (f64::from(man.row) + 0.5) * SQUARE;
        let size = SQUARE * if is_turned { 0.74 } else { 0.9 };
        let glyph = anchored(man.glyph, x, y + 0.36 * size, size, "middle");
        let glyph = glyph.set("fill", if man.promoted { RED } else { INK });
        if is_turned && man.side == Side::Second {
            glyph.set("transform", format!("rotate(180 {x} {y})"))
        } else {
            glyph
        }
    }

    /// Downwards on the right, and turned by half on the left.
    fn hand(&self, diagram: &Diagram, side: Side, is_to_move: bool) -> Group {
        let held = &diagram.hands[side.index()];
        if !diagram.is_turned {
            return Group::new();
        }
        let x = self.right() + MARGIN + HAND / 4.0;
        let mark = if side == Side::First { "☗" } else { "☖" };
        let glyph = |word: &str, place: usize| anchored(word, x, self.top + 22.0 + 36.0 * place as f64, 24.0, "middle");
        let mut group = Group::new().add(glyph(mark, 0).set("fill", if is_to_move { RED } else { INK }));
        for (place, (kind, count)) in held.iter().enumerate() {
            group = group.add(glyph(kind, place + 1));
            if *count > 1 {
                let y = self.top + 36.0 + 36.0 * (place + 1) as f64 - 4.0;
                group = group.add(anchored(&count.to_string(), x + 14.0, y, 12.0, "start"));
            }
        }
        let (middle, centre) = (f64::midpoint(self.left, self.right()), f64::midpoint(self.top, self.bottom()));
        if side == Side::Second { group.set("transform", format!("rotate(180 {middle} {centre})")) } else { group }
    }
}

/// Moves in lines of at most so many letters of full width.
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
    use crate::games;
    use crate::solve::problem::MateProblem;

    fn picture(game: &str, position: &str) -> String {
        let game = games::find(game).unwrap();
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

    /// The writer puts text on lines of its own.
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
