//! Conversion of text to positions, and of moves to text.

use hasami_api::{Line, MateGame, MoveText, TaskError};

/// Returns the position at the end of a task's line.
pub fn play_line<G: MateGame>(line: &Line) -> Result<G, TaskError> {
    let mut game = G::new(&line.start).map_err(|error| TaskError(error.to_string()))?;
    for (i, text) in line.moves.iter().enumerate() {
        let m = game.parse_move(text).map_err(|error| TaskError(format!("move {} of the line: {error}", i + 1)))?;
        game.make(m);
    }
    Ok(game)
}

pub(crate) fn texts<G: MateGame>(root: &G, line: &[G::Move]) -> Vec<MoveText> {
    let mut game = root.clone();
    line.iter()
        .map(|&m| {
            let text = game.format_move(m);
            game.make(m);
            text
        })
        .collect()
}
