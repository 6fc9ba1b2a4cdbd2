//! The operations that a search for mates needs from a game, and the tests for mate at the end of a line.

use crate::{Game, Hand, Moves, Side, Verdict};

/// The moves of an AND/OR search for mates (checks by the attacker, all replies by the defender), and the facts about
/// hands that a solver needs.
///
/// The attacker is the side to move at the root. The defender's moves are [`Game::legal_moves`].
///
/// Games with pieces in hand (shogi) separate the board from the hands, so that a solver can apply what it proved with
/// one hand to positions with another. Games without hands keep the default methods.
pub trait MateGame: Game {
    /// Appends every legal move that gives check, including those that forgo a promotion.
    fn checking_moves(&self, out: &mut Moves<Self::Move>);

    /// Counts the legal moves; all drops on one square count as one move.
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

    /// Hash of the board and the side to move, without the hands. Two positions of one game with the same board have
    /// the same pieces in both hands together.
    fn board_key(&self) -> u64 {
        self.key()
    }

    /// Returns [`Self::board_key`] after the legal move `m`, if that is cheaper than making the move.
    fn board_key_after(&self, _m: Self::Move) -> Option<u64> {
        None
    }

    /// The pieces that `side` holds in hand.
    fn hand(&self, _side: Side) -> Hand {
        Hand::EMPTY
    }

    /// The kind of piece that the move drops, and the square on which it is dropped; `None` if the move is not a drop.
    fn dropped(&self, _m: Self::Move) -> Option<(usize, u8)> {
        None
    }

    /// The kind of piece that a legal move of this position captures, as the kind is counted in hand; `None` if the
    /// move captures nothing.
    fn won(&self, _m: Self::Move) -> Option<usize> {
        None
    }

    /// Do two moves of this position differ only in that one of them promotes? Composers of problems do not count
    /// that as another solution.
    fn differ_in_promotion(&self, _one: Self::Move, _other: Self::Move) -> bool {
        false
    }

    /// Do two checks of this position differ only in the distance from which the same piece checks?
    fn differ_in_distance(&self, _one: Self::Move, _other: Self::Move) -> bool {
        false
    }

    /// Is the side to move in check from a distance, so that it could interpose a drop if only it held the right piece?
    fn could_block(&self) -> bool {
        false
    }

    /// Squares on which a drop could be interposed, the square next to the king first.
    fn squares_between(&self) -> Vec<u8> {
        Vec::new()
    }

    /// The positions in which the checking piece stands on `square`, between its present square and the king, as if it
    /// had captured a piece that was interposed there and the defender had got that piece back in hand. The result has
    /// one position with the checking piece unpromoted and one with it promoted, if the piece may capture on the square
    /// in that way.
    fn nearer(&self, _square: u8) -> Vec<Self> {
        Vec::new()
    }
}

/// Is the side to move in check, without a legal move, and lost because of that?
pub fn is_mated<G: Game>(game: &G) -> bool {
    game.count_moves() == 0 && is_mated_without_moves(game)
}

/// Returns the same as [`is_mated`] for a position that is known to have no legal moves. A stalemate cannot come from a
/// check; whatever result the rules give to having no moves, only a loss is a mate.
pub fn is_mated_without_moves<G: Game>(game: &G) -> bool {
    game.in_check() && game.verdict_without_moves() == Verdict::Loss
}

/// Is the side to move mated by the convention of problem composers? Futile interpositions, which the checking piece
/// simply captures one after another, do not prevent mate.
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
