//! Displays positions as diagrams and moves in the notation of Japanese books.

use crate::{Shogi, typed};
use hasami_api::{Diagram, Game, MovePlaces, Prohibition, Render, RenderedPiece, Side};
use rsshogi::types::{Color, HandPiece, Move32, PieceType, Square};

const FILES: [&str; 9] = ["９", "８", "７", "６", "５", "４", "３", "２", "１"];
const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];

impl Render for Shogi {
    fn diagram(&self) -> Diagram {
        let mut men = Vec::new();
        for square in Square::iter() {
            let piece = self.position().piece_on(square);
            if piece.is_empty() {
                continue;
            }
            men.push(RenderedPiece {
                column: place(square).0,
                row: place(square).1,
                side: if piece.color() == Color::BLACK { Side::First } else { Side::Second },
                glyph: glyph(piece.piece_type()),
                promoted: piece.piece_type().is_promoted(),
            });
        }
        let hands = [Color::BLACK, Color::WHITE].map(|color| self.held(color));
        Diagram { columns: FILES.to_vec(), rows: RANKS.to_vec(), is_chequered: false, is_turned: true, men, hands }
    }

    fn places(&self, m: Move32) -> MovePlaces {
        MovePlaces { from: (!m.is_drop()).then(|| place(m.from_sq())), to: place(m.to_sq()) }
    }

    fn notation(&self, m: Move32) -> String {
        m.to_ki2(self.position()).unwrap_or_else(|| self.format_move(m).to_string())
    }

    /// The notation consists of the piece; its square if another piece of the kind could move to the same square; `-`
    /// or `x`; the destination; and `+` or `=` if the piece may promote. Drops are written as in USI.
    fn western(&self, m: Move32) -> String {
        let usi = self.format_move(m).to_string();
        if m.is_drop() {
            return usi;
        }
        let (from, to) = (&usi[..2], &usi[2..4]);
        let kind = self.position().piece_on(m.from_sq()).piece_type();
        let mut moves = hasami_api::Moves::new();
        self.legal_moves(&mut moves);
        let rivals = |other: &&Move32| {
            !other.is_drop()
                && other.to_sq() == m.to_sq()
                && other.from_sq() != m.from_sq()
                && self.position().piece_on(other.from_sq()).piece_type() == kind
        };
        let origin = if moves.iter().any(|other| rivals(&other)) { from } else { "" };
        let way = if self.position().piece_on(m.to_sq()).is_empty() { "-" } else { "x" };
        let may_promote = moves.iter().any(|other| {
            !other.is_drop()
                && other.from_sq() == m.from_sq()
                && other.to_sq() == m.to_sq()
                && self.format_move(*other).ends_with('+')
        });
        let promotion = match usi.ends_with('+') {
            true => "+",
            false if may_promote => "=",
            false => "",
        };
        format!("{kind}{origin}{way}{to}{promotion}")
    }

    fn typed(&self, text: &str) -> Option<Vec<Move32>> {
        typed::moves(self, text)
    }

    fn forbidden(&self, text: &str) -> Option<Prohibition> {
        typed::forbidden(self, text)
    }
}

/// Returns the column and the row of a square on the diagram.
fn place(square: Square) -> (u8, u8) {
    (8 - square.file().raw().clamp(0, 8) as u8, square.rank().raw().clamp(0, 8) as u8)
}

impl Shogi {
    /// Returns the kinds of pieces in hand, the most valuable first, with the number of each.
    fn held(&self, color: Color) -> Vec<(&'static str, u32)> {
        let order = [
            HandPiece::ROOK,
            HandPiece::BISHOP,
            HandPiece::GOLD,
            HandPiece::SILVER,
            HandPiece::KNIGHT,
            HandPiece::LANCE,
            HandPiece::PAWN,
        ];
        let hand = self.position().hand(color);
        let held = order.map(|kind| (glyph(kind.to_piece_type()), hand.count(kind)));
        held.into_iter().filter(|&(_, count)| count > 0).collect()
    }
}

/// Returns the single character that stands for a piece in diagrams.
fn glyph(kind: PieceType) -> &'static str {
    let is_glyph = |(name, named): &&(&str, PieceType)| *named == kind && name.chars().count() == 1;
    typed::KINDS.iter().find(is_glyph).map_or("玉", |(name, _)| name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::Start;

    #[test]
    fn a_diagram_has_every_piece_on_its_square() {
        let text = "8k/6+P2/9/9/9/9/9/9/9 b G2Pr 1";
        let mut game = Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap();
        let diagram = game.diagram();
        let man = |column, row, side, glyph, promoted| RenderedPiece { column, row, side, glyph, promoted };
        let mut men = diagram.men.clone();
        men.sort_by_key(|man| man.row);
        assert_eq!(men, [man(8, 0, Side::Second, "玉", false), man(6, 1, Side::First, "と", true)]);
        assert_eq!(diagram.hands, [vec![("金", 1), ("歩", 2)], vec![("飛", 1)]]);
        assert_eq!((diagram.columns[8], diagram.rows[0]), ("１", "一"));
        for (text, written) in [("G*1b", "▲１二金"), ("1a1b", "△同玉")] {
            let m = game.parse_move(text).unwrap();
            assert_eq!(game.notation(m).replace('　', ""), written);
            game.make(m);
        }
    }
}
