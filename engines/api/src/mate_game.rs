//! What a search for mates asks of a game, and the end of a line.

use crate::{Game, Hand, Moves, Side, Verdict};

/// Questions of an AND/OR search for mates: checks of the attacker, all answers of the defender.
///
/// The defender's moves are [`Game::legal_moves`]; the attacker is whoever moves at the root.
///
/// Games with pieces in hand (shogi) say what of the position stands on the board and what is held, so that a solver can
/// use what it knows of one hand for another. Games without leave these questions as they are.
pub trait MateGame: Game {
    /// Appends every legal move that gives check, non-promotions included.
    fn checking_moves(&self, out: &mut Moves<Self::Move>);

    /// How many legal moves there are, drops on one square counted as one.
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

    /// Hash of the board and the side to move, hands left out. Positions of one game with the same board have the same
    /// pieces in both hands together.
    fn board_key(&self) -> u64 {
        self.key()
    }

    /// [`Self::board_key`] after a legal move, if that costs less than making it.
    fn board_key_after(&self, _m: Self::Move) -> Option<u64> {
        None
    }

    /// The side's hand.
    fn hand(&self, _side: Side) -> Hand {
        Hand::EMPTY
    }

    /// The kind in hand that the move puts on the board, and the square, if it is a drop.
    fn dropped(&self, _m: Self::Move) -> Option<(usize, u8)> {
        None
    }

    /// The kind in hand that a legal move of this position wins by its capture, if it captures.
    fn won(&self, _m: Self::Move) -> Option<usize> {
        None
    }

    /// Men beyond those of a whole set, and men of a set that are nowhere, kings left out. Zeros where problems may have any
    /// men.
    fn against_set(&self) -> [u32; 2] {
        [0, 0]
    }

    /// The side to move is in check and could end it by a drop between, if only it held the right piece.
    fn could_block(&self) -> bool {
        false
    }

    /// Where such a drop could go, the square next to the king first.
    fn squares_between(&self) -> Vec<u8> {
        Vec::new()
    }

    /// This position with the piece that checks standing on that square between it and the king: as if it had taken
    /// there, and the piece it took had gone back to the defender's hand. Promoted and not, where both can be; none
    /// where it may not take.
    fn nearer(&self, _square: u8) -> Vec<Self> {
        Vec::new()
    }
}

/// The side to move is in check, has no move, and has lost by it.
pub fn is_mated<G: Game>(game: &G) -> bool {
    game.count_moves() == 0 && is_mated_without_moves(game)
}

/// As [`is_mated`], where it is known that there is no move. A stalemate cannot come from a check; whatever the rules call
/// it, only a loss is a mate.
pub fn is_mated_without_moves<G: Game>(game: &G) -> bool {
    game.in_check() && game.verdict_without_moves() == Verdict::Loss
}

/// The side to move is mated, or would be but for drops between that the piece that checks takes one after the other.
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
