//! Iterative deepening in which each iteration allows one more move of the attacker.

use super::interrupt::Interrupted;
use super::notation::texts;
use super::reports::{with_mate, without_mate};
use super::within::Within;
use hasami_api::{MateAnswer, MateGame, Report};

/// Finds the shortest mate within `most` moves. `Unknown` means that no mate takes `most` moves or fewer.
pub(crate) fn deepen<G: MateGame>(
    search: &mut Within<G>,
    game: &G,
    most: usize,
    tell: &mut dyn FnMut(Report),
) -> Result<MateAnswer, Interrupted> {
    for moves in 1..=most {
        let line = search.mate_in(moves);
        let done = if line.is_ok() { moves } else { moves - 1 };
        let depth = u16::try_from((2 * done).saturating_sub(1)).unwrap_or(u16::MAX);
        if let Some(line) = line.inspect_err(|_| tell(without_mate(depth, search.nodes)))? {
            let pv = texts(game, &line);
            tell(with_mate(&pv, search.nodes));
            return Ok(MateAnswer::Mate(pv));
        }
        tell(without_mate(depth, search.nodes));
        if search.is_final {
            return Ok(MateAnswer::NoMate);
        }
    }
    Ok(MateAnswer::Unknown)
}
