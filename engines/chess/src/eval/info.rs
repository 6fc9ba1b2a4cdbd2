//! State shared by the terms of one evaluation: attack maps and the pieces' work near the enemy king.

use super::masks::{king_zone, pawn_attacks};
use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

/// Attack maps of a position; every pair is White's, then Black's.
pub struct AttackMaps<'a> {
    pub board: &'a Board,
    pub kings: [Square; 2],
    pub pawns: [Bitboard; 2],
    /// Neighbourhood of each side's own king.
    pub zones: [Bitboard; 2],
    /// Where a piece of the side counts as mobile.
    pub area: [Bitboard; 2],
    /// Attacked by the men of one kind ([`Role`] as index).
    pub by_role: [[Bitboard; 7]; 2],
    pub all: [Bitboard; 2],
    /// Attacked by two men or more.
    pub twice: [Bitboard; 2],
    /// Danger units against the enemy's king.
    pub danger: [i32; 2],
}

#[inline]
pub fn index(color: Color) -> usize {
    color.fold_wb(0, 1)
}

impl<'a> AttackMaps<'a> {
    /// Maps of pawns and kings; the pieces are added as they are evaluated.
    pub fn new(board: &'a Board, kings: [Square; 2]) -> Self {
        let pawns = [board.pawns() & board.white(), board.pawns() & board.black()];
        let pawn_maps = [pawn_attacks(Color::White, pawns[0]), pawn_attacks(Color::Black, pawns[1])];
        let own = [pawns[0].with(kings[0]), pawns[1].with(kings[1])];
        let mut info = Self {
            board,
            kings,
            pawns,
            zones: [king_zone(Color::White, kings[0]), king_zone(Color::Black, kings[1])],
            area: [!(own[0] | pawn_maps[1]), !(own[1] | pawn_maps[0])],
            by_role: [[Bitboard::EMPTY; 7]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            danger: [0; 2],
        };
        for us in Color::ALL {
            info.mark(us, Role::Pawn, pawn_maps[index(us)]);
            info.mark(us, Role::King, attacks::king_attacks(kings[index(us)]));
        }
        info
    }

    #[inline]
    pub fn mark(&mut self, us: Color, role: Role, attacked: Bitboard) {
        let side = index(us);
        self.twice[side] |= self.all[side] & attacked;
        self.all[side] |= attacked;
        self.by_role[side][role as usize] |= attacked;
    }

    #[inline]
    pub fn attacked(&self, us: Color, role: Role) -> Bitboard {
        self.by_role[index(us)][role as usize]
    }

    #[inline]
    pub fn men(&self, us: Color, role: Role) -> Bitboard {
        self.board.by_color(us) & self.board.by_role(role)
    }
}
