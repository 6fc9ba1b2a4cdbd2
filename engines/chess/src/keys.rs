//! Incremental hash keys of a position and of its parts.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Chess as Standard, Color, EnPassantMode, File, Move, Piece, Position, Role, Square};

/// The key of the whole position, and those of three parts of it.
///
/// The position's key is shakmaty's `Zobrist64` with legal en passant: equal exactly for positions that FIDE's repetition
/// rule calls equal (up to collisions).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keys {
    pub position: u64,
    /// Pawns of both sides; White's pieces; Black's pieces (kings among the pieces).
    pub parts: [u64; 3],
    /// File of the pawn that may be taken in passing now.
    en_passant: Option<File>,
}

impl Keys {
    /// The keys computed from nothing.
    pub fn of(position: &Standard) -> Self {
        let mut parts = [0; 3];
        for (square, piece) in position.board() {
            parts[part(piece)] ^= piece_key(square, piece);
        }
        Self {
            position: position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0,
            parts,
            en_passant: position.legal_ep_square().map(Square::file),
        }
    }

    /// Plays `m` in `position` and brings the keys up to date.
    #[inline]
    pub fn play(&mut self, position: &mut Standard, m: Move) {
        let us = position.turn();
        let rights = position.castles().castling_rights();
        self.pass();
        self.toggle_move(us, m);
        if rights.is_empty() {
            position.play_unchecked(m);
        } else {
            let before = position.castles().clone();
            position.play_unchecked(m);
            if position.castles().castling_rights() != rights {
                self.toggle_lost_rights(&before, position);
            }
        }
        if position.maybe_ep_square().is_some() {
            self.allow_en_passant(position);
        }
    }

    /// The other side is to move, and nothing can be taken in passing.
    #[inline]
    pub fn pass(&mut self) {
        self.position ^= Zobrist64::zobrist_for_white_turn().0;
        if let Some(file) = self.en_passant.take() {
            self.position ^= Zobrist64::zobrist_for_en_passant_file(file).0;
        }
    }

    /// The position's key after `m`, except for castling rights and en passant.
    #[inline]
    pub fn nearly_after(mut self, us: Color, m: Move) -> u64 {
        self.pass();
        self.toggle_move(us, m);
        self.position
    }

    #[inline]
    fn toggle_move(&mut self, us: Color, m: Move) {
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                self.toggle(from, role.of(us));
                if let Some(victim) = capture {
                    self.toggle(to, victim.of(us.other()));
                }
                self.toggle(to, promotion.unwrap_or(role).of(us));
            }
            Move::EnPassant { from, to } => {
                self.toggle(from, us.pawn());
                self.toggle(Square::from_coords(to.file(), from.rank()), us.other().pawn());
                self.toggle(to, us.pawn());
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                self.toggle(king, us.king());
                self.toggle(rook, us.rook());
                self.toggle(side.king_to(us), us.king());
                self.toggle(side.rook_to(us), us.rook());
            }
            Move::Put { role, to } => self.toggle(to, role.of(us)),
        }
    }

    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let key = piece_key(square, piece);
        self.position ^= key;
        self.parts[part(piece)] ^= key;
    }

    fn toggle_lost_rights(&mut self, before: &shakmaty::Castles, position: &Standard) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if before.has(color, side) != position.castles().has(color, side) {
                    self.position ^= Zobrist64::zobrist_for_castling_right(color, side).0;
                }
            }
        }
    }

    fn allow_en_passant(&mut self, position: &Standard) {
        if let Some(square) = position.legal_ep_square() {
            self.en_passant = Some(square.file());
            self.position ^= Zobrist64::zobrist_for_en_passant_file(square.file()).0;
        }
    }
}

#[inline]
fn piece_key(square: Square, piece: Piece) -> u64 {
    Zobrist64::zobrist_for_piece(square, piece).0
}

#[inline]
fn part(piece: Piece) -> usize {
    if piece.role == Role::Pawn { 0 } else { piece.color.fold_wb(1, 2) }
}
