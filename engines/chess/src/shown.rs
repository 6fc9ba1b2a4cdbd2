//! Displays positions as diagrams with figurines, and moves in SAN.

use crate::{Chess, typed};
use hasami_api::{Diagram, MovePlaces, Render, RenderedPiece, Side};
use shakmaty::san::SanPlus;
use shakmaty::{Color, Position, Role};

const FILES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const RANKS: [&str; 8] = ["8", "7", "6", "5", "4", "3", "2", "1"];

impl Render for Chess {
    fn diagram(&self) -> Diagram {
        let board = self.position().board().clone();
        let man = |(square, piece): (shakmaty::Square, shakmaty::Piece)| RenderedPiece {
            column: u32::from(square.file()) as u8,
            row: 7 - u32::from(square.rank()) as u8,
            side: if piece.color == Color::White { Side::First } else { Side::Second },
            glyph: glyph(piece.color, piece.role),
            promoted: false,
        };
        Diagram {
            columns: FILES.to_vec(),
            rows: RANKS.to_vec(),
            is_chequered: true,
            is_turned: false,
            men: board.into_iter().map(man).collect(),
            hands: [Vec::new(), Vec::new()],
        }
    }

    fn places(&self, m: shakmaty::Move) -> MovePlaces {
        let place = |square: shakmaty::Square| (u32::from(square.file()) as u8, 7 - u32::from(square.rank()) as u8);
        let to = m.castling_side().map_or(m.to(), |side| side.king_to(self.position().turn()));
        MovePlaces { from: m.from().map(place), to: place(to) }
    }

    fn notation(&self, m: shakmaty::Move) -> String {
        SanPlus::from_move(self.position().clone(), m).to_string()
    }

    fn typed(&self, text: &str) -> Option<Vec<shakmaty::Move>> {
        typed::moves(self, text)
    }
}

const fn glyph(color: Color, role: Role) -> &'static str {
    match (color, role) {
        (Color::White, Role::King) => "♔",
        (Color::White, Role::Queen) => "♕",
        (Color::White, Role::Rook) => "♖",
        (Color::White, Role::Bishop) => "♗",
        (Color::White, Role::Knight) => "♘",
        (Color::White, Role::Pawn) => "♙",
        (Color::Black, Role::King) => "♚",
        (Color::Black, Role::Queen) => "♛",
        (Color::Black, Role::Rook) => "♜",
        (Color::Black, Role::Bishop) => "♝",
        (Color::Black, Role::Knight) => "♞",
        (Color::Black, Role::Pawn) => "♟",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::{Game, Start};

    #[test]
    fn a_diagram_has_every_piece_on_its_square() {
        let text = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
        let game = Chess::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap();
        let diagram = game.diagram();
        let glyph = |column, row| {
            let man = diagram.men.iter().find(|man| (man.column, man.row) == (column, row));
            man.map(|man| (man.glyph, man.side))
        };
        assert_eq!(glyph(6, 0), Some(("♚", Side::Second)));
        assert_eq!(glyph(3, 7), Some(("♖", Side::First)));
        assert_eq!((glyph(7, 7), diagram.men.len()), (None, 6));
        assert_eq!(game.notation(game.parse_move("d1d8").unwrap()), "Rd8#");
    }
}
