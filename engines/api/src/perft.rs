//! Perft, which counts the leaves of a game tree.

use crate::{Game, MoveText, Moves};

/// Counts the leaves `depth` plies below each legal move of `game`, in the order in which the moves are generated. The
/// list of counts is empty at depth 0.
pub fn divide<G: Game>(game: &mut G, depth: u32) -> Vec<(MoveText, u64)> {
    let mut moves = Moves::new();
    if depth > 0 {
        game.legal_moves(&mut moves);
    }
    moves.iter().map(|&m| (game.format_move(m), below(game, m, depth - 1))).collect()
}

fn below<G: Game>(game: &mut G, m: G::Move, depth: u32) -> u64 {
    game.make(m);
    let leaves = count(game, depth);
    game.unmake();
    leaves
}

/// Counts the leaves `depth` plies below `game`. As usual in perft, rules that end a game although legal moves remain
/// (repetition, move counters) are ignored.
pub fn count<G: Game>(game: &mut G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        // At the last ply, the moves are only counted, not made.
        1 => game.count_moves() as u64,
        _ => {
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            moves.iter().map(|&m| below(game, m, depth - 1)).sum()
        }
    }
}
