//! Turns a task into a position and its root moves.

use hasami_api::{MoveText, Moves, SearchGame, Task, TaskError};

/// Plays the moves of a line except the first `played` moves, which `game` already contains. If a move is illegal, the
/// error contains its number.
pub(crate) fn play_moves<G: SearchGame>(game: &mut G, moves: &[MoveText], played: usize) -> Result<(), TaskError> {
    for (i, text) in moves.iter().enumerate().skip(played) {
        let m = game.parse_move(text).map_err(|error| TaskError(format!("move {} of the line: {error}", i + 1)))?;
        game.make(m);
    }
    Ok(())
}

/// Returns the root moves that the task allows; the list is empty only if the position has no legal move.
pub(crate) fn root_moves<G: SearchGame>(game: &G, task: &Task) -> Result<Vec<G::Move>, TaskError> {
    let mut moves = Moves::new();
    if task.only.is_empty() {
        game.search_moves(&mut moves);
    } else {
        game.legal_moves(&mut moves);
    }
    if moves.is_empty() {
        return Ok(Vec::new());
    }
    let named = |texts: &[MoveText]| texts.iter().filter_map(|text| game.parse_move(text).ok()).collect::<Vec<_>>();
    let (only, except) = (named(&task.only), named(&task.except));
    moves.retain(|m| (task.only.is_empty() || only.contains(&m)) && !except.contains(&m));
    if moves.is_empty() {
        let (only, except) = (&task.only, &task.except);
        return Err(TaskError(format!("no root move is left to search: only {only:?}, except {except:?}")));
    }
    Ok(moves.to_vec())
}
