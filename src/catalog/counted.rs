//! Counts the plies of a given mate as composers do: without futile interpositions.

use hasami_api::{MateGame, MoveText, is_mated_for_composers};

/// At most this many interpositions per line are tested for futility, because each test takes time.
const TRIES: usize = 500;

/// Returns the number of plies until a line mates, without interpositions that the line itself shows to be futile: the
/// interposed piece is captured at once, and the remaining moves also mate if it is back in the defender's hand.
/// Returns `None` if the line does not end in mate.
pub(crate) fn plies_of_line<G: MateGame>(game: &G, moves: &[MoveText], attacks: bool) -> Option<usize> {
    plies_of_rest(game.clone(), moves, attacks, &mut { TRIES })
}

fn plies_of_rest<G: MateGame>(mut game: G, moves: &[MoveText], mut attacks: bool, tries: &mut usize) -> Option<usize> {
    for (index, text) in moves.iter().enumerate() {
        let m = game.parse_move(text).ok()?;
        let nearer = match game.dropped(m) {
            Some((_, square)) if !attacks => game.nearer(square),
            _ => Vec::new(),
        };
        game.make(m);
        if attacks && !game.in_check() {
            return None;
        }
        let plies = index + 1;
        if attacks && is_mated_for_composers(&game) {
            return Some(plies);
        }
        attacks = !attacks;
        for without in nearer {
            let Some(rest) =
                moves.get(plies + 1..).filter(|_| *tries > 0 && is_captured(&game, moves[plies], &without))
            else {
                continue;
            };
            *tries -= 1;
            if let Some(rest) = plies_of_rest(without, rest, false, tries) {
                return Some(index + rest);
            }
        }
    }
    None
}

/// Returns whether move `m` captures the interposed piece, which leads to the same board as `without`.
fn is_captured<G: MateGame>(game: &G, m: MoveText, without: &G) -> bool {
    let mut after = game.clone();
    let Ok(m) = after.parse_move(&m) else { return false };
    after.make(m);
    after.board_key() == without.board_key()
}
