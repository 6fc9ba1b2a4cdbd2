//! Creates games with random moves and random scores.

use hasami_api::{Ending, Game, Moves, Outcome, Side};
use hasami_training::{LabelledMove, SelfPlayGame};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Creates a game of at most `plies` random moves, and returns it with the position before each move.
pub fn random_game<G: Game>(game: &G, plies: usize, seed: u64) -> (SelfPlayGame, Vec<G>) {
    let mut random = StdRng::seed_from_u64(seed);
    let (mut game, start) = (game.clone(), game.to_text());
    let (mut moves, mut positions) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        let mut legal = Moves::new();
        game.legal_moves(&mut legal);
        if legal.is_empty() {
            break;
        }
        let m = legal[random.random_range(0..legal.len())];
        moves.push(LabelledMove { text: game.format_move(m), score: random.random_range(-32_000..=32_000) });
        positions.push(game.clone());
        game.make(m);
    }
    let outcome = [Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)][random.random_range(0..3)];
    (SelfPlayGame { start, moves, outcome, ending: Ending::Adjudication }, positions)
}
