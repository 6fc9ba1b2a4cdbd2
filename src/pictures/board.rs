//! Draws a board with its pieces, the hands, and arrows for moves.

use super::{FONTS, anchored, bar, rule};
use hasami_api::{Diagram, MovePlaces, RenderedPiece, Side};
use svg::Document;
use svg::node::element::{Circle, Group, Path, Text, Title};

const SQUARE: f64 = 40.0;
/// Width of the space to the left of the board for the second player's hand, in SVG units.
pub const HAND: f64 = 52.0;
pub const MARGIN: f64 = 28.0;
const INK: &str = "#222";
const RED: &str = "#b01020";
const WOOD: &str = "#f8e8c0";
const DARK: &str = "#c8a878";
const LIGHT: &str = "#f4ead8";

const ARROW: &str = "#15781b";
const LAST: &str = "#9bc700";

/// A move to be shown as an arrow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arrow {
    pub places: MovePlaces,
    /// Strength of the arrow from 0 to 1; a better move has a stronger arrow.
    pub weight: f64,
}

/// Draws a board with its hands and arrows as a separate picture. `title` is for screen readers; `last` is the move
/// that led to the position.
pub fn draw(diagram: &Diagram, title: &str, to_move: Side, last: Option<MovePlaces>, arrows: &[Arrow]) -> String {
    let hand = if diagram.is_turned { HAND } else { 0.0 };
    let (columns, rows) = (diagram.columns.len() as f64, diagram.rows.len() as f64);
    let frame = BoardFrame { left: MARGIN + hand, top: MARGIN, columns, rows };
    let (width, height) = (frame.right() + MARGIN + hand, frame.bottom() + MARGIN);
    let mut picture = Document::new()
        .set("viewBox", (0.0, 0.0, width, height))
        .set("role", "img")
        .set("font-family", FONTS)
        .add(Title::new(title))
        .add(bar(0.0, 0.0, width, height, "#fffdf6").set("rx", 6))
        .add(frame.board(diagram));
    for (column, row) in last.into_iter().flat_map(|places| places.from.into_iter().chain([places.to])) {
        let (x, y) = frame.corner(column, row);
        picture = picture.add(bar(x, y, SQUARE, SQUARE, LAST).set("opacity", 0.45));
    }
    picture = picture.add(frame.names(diagram));
    for man in &diagram.men {
        picture = picture.add(frame.man(man, diagram.is_turned));
    }
    for side in [Side::Second, Side::First] {
        picture = picture.add(frame.hand(diagram, side, side == to_move));
    }
    // The best arrow is drawn last, on top of the others.
    for arrow in arrows.iter().rev() {
        picture = picture.add(frame.arrow(arrow));
    }
    picture.to_string()
}

/// Where the board is in a picture, and how large.
pub struct BoardFrame {
    pub left: f64,
    pub top: f64,
    pub columns: f64,
    pub rows: f64,
}

impl BoardFrame {
    pub fn right(&self) -> f64 {
        self.left + self.columns * SQUARE
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.rows * SQUARE
    }

    pub fn board(&self, diagram: &Diagram) -> Group {
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

    /// Draws the coordinates next to the board: below and on the left in chess, above and on the right in shogi.
    pub fn names(&self, diagram: &Diagram) -> Group {
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

    pub fn man(&self, man: &RenderedPiece, is_turned: bool) -> Text {
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

    /// Draws a side's hand: downwards on the right of the board, or upside down on the left.
    pub fn hand(&self, diagram: &Diagram, side: Side, is_to_move: bool) -> Group {
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

    fn corner(&self, column: u8, row: u8) -> (f64, f64) {
        (self.left + f64::from(column) * SQUARE, self.top + f64::from(row) * SQUARE)
    }

    /// Draws an arrow from the centre of one square to the centre of another, or a ring for a drop.
    fn arrow(&self, arrow: &Arrow) -> Group {
        let middle = |(column, row): (u8, u8)| {
            let (x, y) = self.corner(column, row);
            (x + SQUARE / 2.0, y + SQUARE / 2.0)
        };
        let group = Group::new().set("class", "arrow").set("opacity", 0.25 + 0.5 * arrow.weight.clamp(0.0, 1.0));
        let (x2, y2) = middle(arrow.places.to);
        let Some((x1, y1)) = arrow.places.from.map(middle) else {
            let ring = Circle::new().set("cx", x2).set("cy", y2).set("r", SQUARE * 0.42).set("fill", "none");
            return group.add(ring.set("stroke", ARROW).set("stroke-width", 5));
        };
        let length = (x2 - x1).hypot(y2 - y1).max(1.0);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let width = 2.0 + 5.0 * arrow.weight.clamp(0.0, 1.0);
        let (head, half) = (SQUARE * 0.4, SQUARE * 0.22);
        let (bx, by) = (x2 - dx * head, y2 - dy * head);
        let shaft = Path::new().set("d", format!("M{x1:.1} {y1:.1}L{bx:.1} {by:.1}")).set("stroke", ARROW);
        let tip = format!(
            "M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
            bx - dy * half,
            by + dx * half,
            bx + dy * half,
            by - dx * half
        );
        group.add(shaft.set("stroke-width", width)).add(Path::new().set("d", tip).set("fill", ARROW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_arrows_and_drops_are_rings() {
        let diagram = Diagram {
            columns: vec!["a", "b", "c"],
            rows: vec!["3", "2", "1"],
            is_chequered: true,
            is_turned: false,
            men: Vec::new(),
            hands: [Vec::new(), Vec::new()],
        };
        let moved = Arrow { places: MovePlaces { from: Some((0, 2)), to: (0, 0) }, weight: 1.0 };
        let dropped = Arrow { places: MovePlaces { from: None, to: (1, 1) }, weight: 0.5 };
        let picture = draw(&diagram, "a < b", Side::First, Some(moved.places), &[moved, dropped]);
        assert!(picture.contains("<circle") && picture.contains("Z\"") && picture.contains("a &lt; b"), "{picture}");
        assert_eq!(picture.matches(LAST).count(), 2);
    }
}
