//! The operations that a mate solver needs from a game, and functions that recognize a mate.

use crate::{Game, Hand, Moves, Side, Verdict};

/// The operations that an AND/OR search for mates needs: the attacker gives check, and the defender may make any move.
///
/// The attacker is the side to move at the root, and the defender's moves are [`Game::legal_moves`].
///
/// Games with pieces in hand (shogi) separate the board from the hands, so that a solver can apply a proof found with
/// one hand to positions with other hands. Games without hands use the default methods.
pub trait MateGame: Game {
    /// Appends every legal move that gives check, including non-promotions of pieces that could promote.
    fn checking_moves(&self, out: &mut Moves<Self::Move>);

    /// Counts the legal moves; all drops on the same square count as one move.
    fn count_answers(&self) -> usize {
        let mut moves = Moves::new();
        self.legal_moves(&mut moves);
        let (mut squares, mut count) = (0u128, 0);
        for &m in moves.iter() {
            match self.dropped(m) {
                Some((_, square)) => squares |= 1 << (square & 127),
                None => count += 1,
            }
        }
        count + squares.count_ones() as usize
    }

    /// Hash of the board and the side to move, without the hands. Within one game, positions with the same board also
    /// agree in the total pieces of both hands.
    fn board_key(&self) -> u64 {
        self.key()
    }

    /// Returns [`Self::board_key`] after the legal move `m`, or `None` if computing it is not cheaper than making the
    /// move.
    fn board_key_after(&self, _m: Self::Move) -> Option<u64> {
        None
    }

    /// The pieces that `side` holds in hand.
    fn hand(&self, _side: Side) -> Hand {
        Hand::EMPTY
    }

    /// The kind of piece that the move drops and the target square; `None` if the move is not a drop.
    fn dropped(&self, _m: Self::Move) -> Option<(usize, u8)> {
        None
    }

    /// The kind, as counted in hand, of the piece that a legal move captures; `None` if the move captures nothing.
    fn won(&self, _m: Self::Move) -> Option<usize> {
        None
    }

    /// Do two moves of this position differ only in promotion? Problem composers count moves that differ only in
    /// promotion as one solution.
    fn differ_in_promotion(&self, _one: Self::Move, _other: Self::Move) -> bool {
        false
    }

    /// Do two checks of this position by the same piece differ only in the distance from the king?
    fn differ_in_distance(&self, _one: Self::Move, _other: Self::Move) -> bool {
        false
    }

    /// Is the side to move in check from a distance, so that a drop of a suitable piece could block the check?
    fn could_block(&self) -> bool {
        false
    }

    /// Squares on which a drop could block the check, ordered from the king outwards.
    fn squares_between(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Positions with the checking piece moved to `square`, nearer to the king, as if it had captured a piece dropped
    /// on `square` and the defender had regained that piece in hand. Returns one position with the checking piece
    /// unpromoted and one with it promoted, if these captures are legal.
    fn nearer(&self, _square: u8) -> Vec<Self> {
        Vec::new()
    }
}

/// Is the side to move checkmated, and do the rules count the checkmate as a loss?
pub fn is_mated<G: Game>(game: &G) -> bool {
    game.count_moves() == 0 && is_mated_without_moves(game)
}

/// Returns the same as [`is_mated`] for a position that is known to have no legal moves. A position without legal moves
/// is a mate only if the king is in check and the rules count the position as a loss.
pub fn is_mated_without_moves<G: Game>(game: &G) -> bool {
    game.in_check() && game.verdict_without_moves() == Verdict::Loss
}

/// Is the side to move mated by the convention of problem composers, in which futile interpositions do not prevent
/// mate? An interposition is futile if the checking piece can simply capture the interposed piece and still mate.
pub fn is_mated_for_composers<G: MateGame>(game: &G) -> bool {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    if moves.is_empty() {
        return is_mated_without_moves(game);
    }
    let mut squares: Vec<u8> = Vec::new();
    for &m in moves.iter() {
        match game.dropped(m) {
            Some((_, square)) => squares.push(square),
            None => return false,
        }
    }
    squares.sort_unstable();
    squares.dedup();
    squares.into_iter().all(|square| game.nearer(square).iter().any(is_mated_for_composers))
}
