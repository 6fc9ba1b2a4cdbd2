//! The phase of a game, measured by how many pieces have left the board.

/// Number of pieces in a FEN or SFEN, except kings and pawns. Pieces in hand are not counted.
pub fn men(text: &str) -> usize {
    let board = text.split(' ').next().unwrap_or_default();
    board.chars().filter(|c| c.is_ascii_alphabetic() && !matches!(c, 'k' | 'K' | 'p' | 'P')).count()
}

/// The phase of a game, from 0 (as many pieces as in the initial position) to 1 (no pieces). In shogi, pieces in hand
/// count as off the board.
pub fn phase(men: usize, usual: usize) -> f64 {
    (1.0 - men as f64 / usual.max(1) as f64).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_and_pawns_are_not_counted() {
        let start = men("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!((start, men("4k3/pppp4/8/8/8/8/PPP5/4K2R w K - 0 1")), (14, 1));
        assert_eq!((phase(start, start), phase(0, start), phase(20, start)), (0.0, 1.0, 0.0));
        assert!((phase(7, start) - 0.5).abs() < 1e-12);
    }
}
