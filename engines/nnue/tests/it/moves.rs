//! Plays random games, and compares the outputs of all instruction sets on their positions.

use crate::generated::Random;
use hasami_api::Evaluator;
use hasami_api::{Game, Moves, Start};
use hasami_nnue::{Inputs, InstructionSet, Network, NetworkEval};
use std::sync::Arc;

/// Plays a random game from `start`. `visit` is called with each position and the move that follows.
pub fn play<G: Game>(start: &Start, random: &mut Random, plies: usize, mut visit: impl FnMut(&G, Option<G::Move>)) {
    let mut game = G::new(start).unwrap();
    for _ in 0..plies {
        let mut moves = Moves::new();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let m = moves[random.below(moves.len())];
        visit(&game, Some(m));
        game.make(m);
    }
    visit(&game, None);
}

/// Returns the network once for each instruction set that the processor supports, with plain arithmetic last.
pub fn on_each_set(file: &[u8]) -> Vec<Arc<Network>> {
    let on = |set| {
        let mut network = hasami_nnue::read(file).unwrap();
        network.use_instruction_set(set).then(|| Arc::new(network))
    };
    InstructionSet::ALL.into_iter().filter_map(on).collect()
}

/// Plays random games from `starts` in which moves and passes are also taken back, and checks that every instruction
/// set, updated move by move, gives the same result as plain arithmetic from scratch. Returns the number of positions.
pub fn check<G: Inputs>(file: &[u8], starts: &[Start], games: usize, seed: u64) -> usize {
    let networks = on_each_set(file);
    let mut random = Random::new(seed);
    let mut positions = 0;
    for number in 0..games {
        let mut evals: Vec<_> = networks.iter().map(|network| NetworkEval::new(Arc::clone(network))).collect();
        let mut fresh = NetworkEval::new(Arc::clone(networks.last().unwrap()));
        let mut is_first = true;
        let mut other = Random::new(seed + number as u64);
        play::<G>(&starts[number % starts.len()], &mut random, 200, |game, next| {
            if std::mem::take(&mut is_first) {
                evals.iter_mut().for_each(|eval| eval.refresh(game));
            }
            fresh.refresh(game);
            let expected = fresh.output(game);
            // As in a search, some positions are not evaluated.
            if other.below(3) > 0 {
                for eval in &mut evals {
                    assert_eq!(eval.output(game), expected, "seed {seed}, {}", game.to_text());
                }
                positions += 1;
            }
            let Some(next) = next else { return };
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            let tried = moves[other.below(moves.len())];
            for eval in &mut evals {
                eval.make(game, tried);
                let mut after = game.clone();
                after.make(tried);
                eval.output(&after);
                Evaluator::<G>::unmake(eval, false);
                Evaluator::<G>::make_null(eval);
                Evaluator::<G>::unmake(eval, true);
                eval.make(game, next);
            }
        });
    }
    positions
}
