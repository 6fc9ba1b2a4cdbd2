//! Incremental hash keys for a position and its parts, by the method of Zobrist (1970).

use shakmaty::{Bitboard, CastlingSide, Chess as Standard, Color, File, Move, Piece, Position, Role, Square};

/// Fixed random numbers for the elements of a position, so that node counts are the same on every machine.
struct ZobristNumbers {
    /// Random numbers for pieces, indexed by colour, by [`Role`] (which counts from 1), and by square.
    pieces: [[[u64; 64]; 7]; 2],
    /// Random numbers for castling rights, indexed by the square of the rook that may castle.
    castling: [u64; 64],
    en_passant: [u64; 8],
    black: u64,
}

static NUMBERS: ZobristNumbers = ZobristNumbers::new(0x4861_7361_6d69);

impl ZobristNumbers {
    const fn new(mut seed: u64) -> Self {
        let mut numbers = Self { pieces: [[[0; 64]; 7]; 2], castling: [0; 64], en_passant: [0; 8], black: 0 };
        let mut i = 0;
        while i < 2 * 7 * 64 {
            numbers.pieces[i / (7 * 64)][i / 64 % 7][i % 64] = next(&mut seed);
            i += 1;
        }
        i = 0;
        while i < 64 {
            numbers.castling[i] = next(&mut seed);
            i += 1;
        }
        i = 0;
        while i < 8 {
            numbers.en_passant[i] = next(&mut seed);
            i += 1;
        }
        numbers.black = next(&mut seed);
        numbers
    }
}

/// Returns the next number of the SplitMix64 generator (Steele, Lea, Flood 2014).
const fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of a whole position, and the keys of four parts of it.
///
/// A right to capture en passant is part of the key only if such a capture is legal. Except for hash collisions, two
/// positions have equal keys exactly if they are equal under FIDE's repetition rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keys {
    pub position: u64,
    /// Keys of four parts: the pawns of both sides, the knights and bishops of both sides, White's pieces other than
    /// pawns, and Black's pieces other than pawns.
    pub parts: [u64; 4],
    /// The Zobrist number of a capture en passant that is currently legal; 0 if no such capture exists.
    en_passant: u64,
}

impl Keys {
    /// Computes the keys from scratch.
    pub fn of(position: &Standard) -> Self {
        let mut keys = Self { position: 0, parts: [0; 4], en_passant: 0 };
        for (square, piece) in position.board() {
            keys.toggle(square, piece);
        }
        if position.turn() == Color::Black {
            keys.position ^= NUMBERS.black;
        }
        keys.toggle_rights(position.castles().castling_rights());
        keys.allow_en_passant(position);
        keys
    }

    /// Makes the move `m` in `position`, and updates the keys accordingly.
    #[inline]
    pub fn play(&mut self, position: &mut Standard, m: Move) {
        let rights = position.castles().castling_rights();
        self.pass();
        self.toggle_move(position.turn(), m);
        position.play_unchecked(m);
        if rights.any() {
            self.toggle_rights(rights ^ position.castles().castling_rights());
        }
        if position.maybe_ep_square().is_some() {
            self.allow_en_passant(position);
        }
    }

    /// Updates the keys for a null move, which changes the side to move and removes the right to capture en passant.
    #[inline]
    pub fn pass(&mut self) {
        self.position ^= NUMBERS.black ^ self.en_passant;
        self.en_passant = 0;
    }

    /// Returns the key of the position after `m`, ignoring changes to castling rights and en passant captures.
    #[inline]
    pub fn nearly_after(mut self, us: Color, m: Move) -> u64 {
        self.pass();
        let Move::Normal { role, from, capture, to, promotion } = m else {
            self.toggle_move(us, m);
            return self.position;
        };
        let captured = capture.map_or(0, |victim| number(to, victim.of(us.other())));
        self.position ^ number(from, role.of(us)) ^ number(to, promotion.unwrap_or(role).of(us)) ^ captured
    }

    #[inline]
    fn toggle_move(&mut self, us: Color, m: Move) {
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                if let Some(victim) = capture {
                    self.toggle(to, victim.of(us.other()));
                }
                if let Some(promoted) = promotion {
                    self.toggle(from, role.of(us));
                    self.toggle(to, promoted.of(us));
                } else {
                    self.toggle_part(role.of(us), number(from, role.of(us)) ^ number(to, role.of(us)));
                }
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
        self.toggle_part(piece, number(square, piece));
    }

    /// XORs `number` into the key of the position and into the keys of the parts to which `piece` belongs.
    #[inline]
    fn toggle_part(&mut self, piece: Piece, number: u64) {
        self.position ^= number;
        self.parts[if piece.role == Role::Pawn { 0 } else { 2 + piece.color.fold_wb(0, 1) }] ^= number;
        if matches!(piece.role, Role::Knight | Role::Bishop) {
            self.parts[1] ^= number;
        }
    }

    #[inline]
    fn toggle_rights(&mut self, rooks: Bitboard) {
        for rook in rooks {
            self.position ^= NUMBERS.castling[usize::from(rook)];
        }
    }

    fn allow_en_passant(&mut self, position: &Standard) {
        if let Some(square) = position.legal_ep_square() {
            self.en_passant = NUMBERS.en_passant[file_index(square.file())];
            self.position ^= self.en_passant;
        }
    }
}

#[inline]
fn number(square: Square, piece: Piece) -> u64 {
    NUMBERS.pieces[piece.color.fold_wb(0, 1)][piece.role as usize][usize::from(square)]
}

fn file_index(file: File) -> usize {
    usize::from(u8::from(file))
}
