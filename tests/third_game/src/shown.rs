//! Draws diagrams, and writes moves in the notation that players use.

use crate::board::{Kind, Piece, WIDTH};
use crate::{Minishogi, Move};
use hasami_api::{Diagram, Game, MovePlaces, Render, RenderedPiece, Side};

const GLYPHS: [&str; 6] = ["歩", "銀", "角", "飛", "金", "玉"];
const PROMOTED: [&str; 4] = ["と", "全", "馬", "龍"];

fn glyph(piece: Piece) -> &'static str {
    PROMOTED.get(piece.kind as usize).filter(|_| piece.promoted).unwrap_or(&GLYPHS[piece.kind as usize])
}

impl Render for Minishogi {
    fn diagram(&self) -> Diagram {
        let drawn = |(square, piece): (usize, Piece)| RenderedPiece {
            column: square as u8 % WIDTH,
            row: square as u8 / WIDTH,
            side: piece.side,
            glyph: glyph(piece),
            promoted: piece.promoted,
        };
        let held = |side: Side| {
            let hand = &self.position().hands[side.index()];
            let counts = Kind::ALL.iter().zip(hand).rev().filter(|(_, count)| **count > 0);
            counts.map(|(&kind, &count)| (GLYPHS[kind as usize], count.into())).collect()
        };
        Diagram {
            columns: vec!["5", "4", "3", "2", "1"],
            rows: vec!["a", "b", "c", "d", "e"],
            is_chequered: false,
            is_turned: true,
            men: self.position().pieces().map(drawn).collect(),
            hands: [held(Side::First), held(Side::Second)],
        }
    }

    fn places(&self, m: Move) -> MovePlaces {
        let place = |square: u8| (square % WIDTH, square / WIDTH);
        MovePlaces { from: (m.from < WIDTH * WIDTH).then(|| place(m.from)), to: place(m.to) }
    }

    fn notation(&self, m: Move) -> String {
        self.format_move(m).to_string()
    }
}
