//! Move generation for searches, and the replay of a line before it is reported.

use crate::interface::request::MateRules;
use hasami_api::{MateGame, Moves, Stop, Verdict};

/// Appends the checks or, if `checks` is false, all legal moves.
pub(crate) fn add_moves<G: MateGame>(game: &G, checks: bool, out: &mut Moves<G::Move>) {
    if checks {
        game.checking_moves(out);
    } else {
        game.legal_moves(out);
    }
}

/// Returns the line without its cycles, so that no position occurs twice.
pub(crate) fn without_cycles<G: MateGame>(root: &G, line: &[G::Move]) -> Vec<G::Move> {
    let mut game = root.clone();
    let (mut shown, mut keys) = (Vec::with_capacity(line.len()), vec![game.key()]);
    for &m in line {
        game.make(m);
        shown.push(m);
        let key = game.key();
        if let Some(before) = keys.iter().position(|&other| other == key) {
            shown.truncate(before);
            keys.truncate(before + 1);
        } else {
            keys.push(key);
        }
    }
    shown
}

/// Returns true if the line is a mate: every move must be legal, every move of the attacker must be a check (if
/// `checks` is true), no draw or declaration may occur before the end, and the line must end with a mate. Returns false
/// if the search is stopped before the end of the line.
pub(crate) fn is_mate_line<G: MateGame>(
    root: &G,
    line: &[G::Move],
    rules: MateRules,
    checks: bool,
    stop: &Stop,
) -> bool {
    let mut game = root.clone();
    for (i, &m) in line.iter().enumerate() {
        let mut moves = Moves::new();
        let attacking = i % 2 == 0;
        add_moves(&game, attacking && checks, &mut moves);
        let undecided = match game.verdict() {
            Verdict::Open => true,
            Verdict::Win => attacking,
            Verdict::Draw | Verdict::Loss => false,
        };
        if !moves.contains(&m) || !(i == 0 || undecided) || stop.is_stopped() {
            return false;
        }
        game.make(m);
    }
    line.len() % 2 == 1 && rules.is_mated(&game)
}
