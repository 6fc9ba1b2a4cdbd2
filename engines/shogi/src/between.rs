//! For a check by a slider from a distance, finds the squares between the slider and the king, and the positions with
//! the slider on one of these squares.

use rsshogi::board::{Position, generate_position_state, position_from_position_state};
use rsshogi::types::{Bitboard, Piece, Square, is_promotable_square};

/// Returns the checking piece, if it is the only one and checks from a distance.
pub(crate) fn far_checker(position: &Position) -> Option<Square> {
    let checkers = position.checkers();
    if checkers.count() != 1 {
        return None;
    }
    let king = position.king_square(position.turn());
    checkers.iter().find(|&checker| !Bitboard::between(king, checker).is_empty())
}

/// The squares between [`far_checker`] and the king, the nearest to the king first.
pub(crate) fn squares(position: &Position) -> Vec<Square> {
    let Some(checker) = far_checker(position) else { return Vec::new() };
    let king = position.king_square(position.turn());
    let mut squares: Vec<Square> = Bitboard::between(king, checker).iter().collect();
    squares.sort_by_key(|&square| king.distance(square));
    squares
}

/// The positions in which [`far_checker`] has moved to `square`, promoted and unpromoted, if these moves are legal.
pub(crate) fn nearer(position: &Position, square: Square) -> Vec<Position> {
    let Some(checker) = far_checker(position) else { return Vec::new() };
    let piece = position.piece_on(checker);
    let kind = piece.piece_type();
    let may_promote =
        kind.is_promotable() && [checker, square].iter().any(|&at| is_promotable_square(piece.color(), at));
    let promoted = may_promote.then(|| Piece::from_parts(piece.color(), kind.promote()));
    let pieces = promoted.into_iter().chain([piece]);
    pieces.filter_map(|piece| moved(position, checker, square, piece)).collect()
}

/// Returns the position with `piece` moved, or `None` if the move is illegal or the piece no longer gives check.
fn moved(position: &Position, from: Square, to: Square, piece: Piece) -> Option<Position> {
    let mut state = generate_position_state(position);
    state.board.set(from, Piece::NONE);
    state.board.set(to, piece);
    let mut position = position_from_position_state(&state);
    position.init_stack();
    let (us, them) = (position.turn(), position.turn().flip());
    let exposed = position.king_square(them);
    let is_exposed = !exposed.is_none() && position.is_attacked_by(exposed, us);
    (position.is_in_check() && !is_exposed).then_some(position)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Shogi;
    use hasami_api::{Game, MateGame, Start, is_mated_for_composers};

    fn game(sfen: &str) -> Shogi {
        Shogi::new(&Start { text: Some(sfen.into()), ..Start::default() }).unwrap()
    }

    fn texts(games: &[Shogi]) -> Vec<String> {
        games.iter().map(Game::to_text).collect()
    }

    #[test]
    fn the_checking_piece_is_moved_nearer_with_and_without_promotion() {
        let check = game("4k4/9/9/9/9/9/9/4R4/4K4 w 2p 2");
        let squares = check.squares_between();
        assert_eq!(squares.len(), 6);
        assert_eq!(
            texts(&check.nearer(squares[0])),
            ["4k4/4+R4/9/9/9/9/9/9/4K4 w 2p 2", "4k4/4R4/9/9/9/9/9/9/4K4 w 2p 2"]
        );
        assert_eq!(texts(&check.nearer(squares[5])), ["4k4/9/9/9/9/9/4R4/9/4K4 w 2p 2"], "too far to promote");
        assert_eq!(check.nearer(squares[0])[0].board_key(), game("4k4/4+R4/9/9/9/9/9/9/4K4 w 2p 9").board_key());
    }

    #[test]
    fn pinned_and_adjacent_checkers_cannot_come_nearer() {
        let pinned = game("6k2/9/9/9/9/3r2R1K/9/9/9 w 2p 2");
        let squares = pinned.squares_between();
        assert!(squares.len() == 4 && squares.iter().all(|&square| pinned.nearer(square).is_empty()));
        let adjacent = game("4k4/4R4/4G4/9/9/9/9/9/4K4 w 2p 2");
        assert!(adjacent.squares_between().is_empty() && adjacent.nearer(3).is_empty());
        // A double check cannot be blocked.
        assert!(game("4k4/9/3N5/9/9/9/9/4R4/4K4 w 2p 2").squares_between().is_empty());
    }

    #[test]
    fn composers_ignore_futile_drops() {
        let is_mated = |first_ranks: &str| is_mated_for_composers(&game(&format!("{first_ranks}/9/9/9/9/9/K8 w 2p 2")));
        assert!(is_mated("+R7k/9/6NG1"));
        assert!(!is_mated("+R7k/9/6N2"), "the king can escape");
        assert!(!is_mated("+R7k/9/7G1"), "the king can capture the dragon next to it");
        assert!(!is_mated("+R7k/4g4/6NG1"), "a piece on the board can block the check");
    }
}
