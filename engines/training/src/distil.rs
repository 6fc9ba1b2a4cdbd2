//! Creates positions that differ by a few moves from those of games, and labels them with a network's output, without a
//! search. Labels without a search are cheap and free of noise, and the positions are similar to those that a search
//! evaluates.

use crate::game::{Filter, FormatError, LabelledGame, SelfPlayGame, replay};
use crate::label::Label;
use hasami_api::{Evaluator, Moves, Outcome};
use hasami_nnue::NetworkEval;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Starts `ways` random walks of one to three moves from every position of a game, and labels the positions on the
/// walks by the evaluator. Appends the walk positions that pass the filter's limits on checks and scores (its other
/// conditions are ignored), and returns their number.
///
/// # Errors
/// Returns an error if a move of the game is illegal.
pub fn distil<G: LabelledGame>(
    evaluator: &mut NetworkEval,
    played: &SelfPlayGame,
    ways: u32,
    seed: u64,
    filter: &Filter,
    out: &mut Vec<u8>,
) -> Result<usize, FormatError> {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut count = 0;
    replay::<G>(played, |position, _, _| {
        let mut game = position.clone();
        evaluator.refresh(&game);
        for _ in 0..ways {
            let mut made = 0;
            for _ in 0..random.random_range(1..=3) {
                let mut moves = Moves::new();
                game.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let m = moves[random.random_range(0..moves.len())];
                evaluator.make(&game, m);
                game.make(m);
                made += 1;
                count += usize::from(label(evaluator, &game, filter, out));
            }
            for _ in 0..made {
                game.unmake();
                Evaluator::<G>::unmake(evaluator, false);
            }
        }
        Ok(())
    })?;
    Ok(count)
}

fn label<G: LabelledGame>(evaluator: &mut NetworkEval, game: &G, filter: &Filter, out: &mut Vec<u8>) -> bool {
    if game.in_check() && !filter.checks {
        return false;
    }
    let score = evaluator.evaluate(game);
    let ply = game.ply().min(u32::from(u16::MAX)) as u16;
    let label = Label { score: score.clamp(-32_000, 32_000) as i16, best: 0, ply, outcome: Outcome::Unfinished };
    label.score.unsigned_abs() <= filter.most_score && game.write_position(&label, out)
}
