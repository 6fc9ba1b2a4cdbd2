//! Data shared by the terms of one evaluation: attack maps, and the attacks near the kings.

use super::masks::{king_zone, pawn_attacks};
use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

/// Attack maps of a position. The first entry of every pair is for White, the second for Black.
pub struct AttackMaps<'a> {
    pub board: &'a Board,
    pub kings: [Square; 2],
    pub pawns: [Bitboard; 2],
    /// Neighbourhood of each side's king.
    pub zones: [Bitboard; 2],
    /// Squares that count for the mobility of each side's pieces.
    pub area: [Bitboard; 2],
    /// Squares attacked by one kind of piece, indexed by side and [`Role`].
    pub by_role: [[Bitboard; 7]; 2],
    /// Squares attacked by any piece or pawn.
    pub all: [Bitboard; 2],
    /// Squares attacked by at least two pieces or pawns.
    pub twice: [Bitboard; 2],
    /// Units of danger that each side poses to the enemy king.
    pub danger: [i32; 2],
}

#[inline]
pub fn index(color: Color) -> usize {
    color.fold_wb(0, 1)
}

impl<'a> AttackMaps<'a> {
    /// Creates the maps with the attacks of pawns and kings. The attacks of the pieces are added when the pieces are
    /// evaluated.
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
