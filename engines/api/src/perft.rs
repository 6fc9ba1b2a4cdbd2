//! Counting the leaves of a game tree.

use crate::{Game, MoveText, Moves};

/// Leaves `depth` plies below each legal move of `game`, in the order of generation; nothing at depth 0.
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

/// Leaves `depth` plies below `game`. The rules that end a game with legal moves left (repetition, counters) do not
/// count here, as everywhere in perft.
pub fn count<G: Game>(game: &mut G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        // The last ply is counted, not played.
        1 => game.count_moves() as u64,
        _ => {
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            moves.iter().map(|&m| below(game, m, depth - 1)).sum()
        }
    }
}
