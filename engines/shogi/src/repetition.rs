//! Detects repetition and perpetual check from the states that rsshogi keeps.
//!
//! rsshogi searches for repetitions itself, but stops at the nearest position that has the same board and comparable
//! hands, and therefore misses an equal position further back. If rsshogi finds no position with the same board, there
//! is no repetition at all.

use hasami_api::Verdict;
use rsshogi::board::Position;
use rsshogi::types::RepetitionState;

/// The verdict for a position that occurs for the fourth time, or has occurred before within the last `plies` plies.
#[inline]
pub fn verdict(position: &Position, plies: usize) -> Verdict {
    if position.repetition_type() == RepetitionState::None { Verdict::Open } else { scan(position, plies) }
}

#[inline(never)]
fn scan(position: &Position, plies: usize) -> Verdict {
    let (board, hand) = (position.board_key(), position.hand(position.turn()));
    let last = position.state_stack_depth();
    let earliest = last - usize::from(position.plies_from_null()).min(last);
    // Distances in plies to the three nearest equal positions, nearest first; 0 for none. If the boards and one hand
    // are equal, the other hand is also equal.
    let mut near = [0; 3];
    for (index, state) in position.state_history().iter().enumerate().skip(earliest) {
        let distance = last - index;
        if distance >= 4 && distance.is_multiple_of(2) && state.board_key() == board && state.hand() == hand {
            near = [distance, near[0], near[1]];
        }
    }
    match near {
        [nearest, ..] if nearest != 0 && nearest <= plies => ended(position, nearest),
        [.., third] if third != 0 => ended(position, third),
        _ => Verdict::Open,
    }
}

/// The verdict after a repetition. If only one side gave check with all its moves in the last `distance` plies, this
/// side loses; otherwise, the game is drawn.
fn ended(position: &Position, distance: usize) -> Verdict {
    let checks = position.continuous_checks();
    let all_the_way = |color: rsshogi::types::Color| usize::from(checks[color.to_index()]) >= distance;
    let us = position.turn();
    match (all_the_way(us), all_the_way(us.flip())) {
        (true, false) => Verdict::Loss,
        (false, true) => Verdict::Win,
        _ => Verdict::Draw,
    }
}
