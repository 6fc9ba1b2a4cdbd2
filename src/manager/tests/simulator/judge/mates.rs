//! Checks that reported mates are correct.

use super::answers::OwedAnswer;
use super::{Broken, broken};
use hasami_api::{Bound, Game, ScoreKind, Verdict};
use hasami_protocol::Info;
use hasami_toy::Toy;
use hasami_tree::legal_moves;

/// Only mates of at most this many plies are checked.
const LONGEST: i32 = 5;

/// If a short mate by the side to move was reported as exact, checks that it is forced.
pub fn check_reported(owed: &OwedAnswer, info: &Info) -> Result<(), Broken> {
    let ScoreKind::Mate(plies) = info.score.kind() else { return Ok(()) };
    if info.bound != Bound::Exact || !(1..=LONGEST).contains(&plies) || wins(&mut owed.root.clone(), plies) {
        return Ok(());
    }
    broken("false-mate", format!("{plies} plies: {:?} in {}", info.pv, owed.root.to_text()))
}

/// Returns whether the side to move wins by force within this number of plies. Draws by repetition are ignored, because
/// searches may notice them at different times.
fn wins(game: &mut Toy, plies: i32) -> bool {
    if game.verdict_in_search(game.ply() as usize) == Verdict::Win || game.may_declare_win() {
        return true;
    }
    if plies <= 0 {
        return false;
    }
    legal_moves(game).iter().any(|&m| {
        game.make(m);
        let is_won = loses(game, plies - 1);
        game.unmake();
        is_won
    })
}

/// Returns whether the side to move loses by force within this number of plies.
fn loses(game: &mut Toy, plies: i32) -> bool {
    let moves = legal_moves(game);
    if moves.is_empty() {
        return game.verdict_without_moves() == Verdict::Loss;
    }
    if game.verdict_in_search(game.ply() as usize) == Verdict::Loss {
        return true;
    }
    if plies == 0 || game.verdict() == Verdict::Win {
        return false;
    }
    moves.iter().all(|&m| {
        game.make(m);
        let is_won = wins(game, plies - 1);
        game.unmake();
        is_won
    })
}
