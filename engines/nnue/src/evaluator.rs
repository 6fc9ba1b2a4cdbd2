//! Implements the search's [`Evaluator`] with a network.

use crate::accumulator::{Accumulators, Half};
use crate::aligned::Aligned;
use crate::element::Inputs;
use crate::network::{Layers, Network, StackRule};
use crate::spread;
use hasami_api::{Evaluator, Score, Side};
use std::sync::Arc;

/// A network and the accumulators of one search. Clones of an evaluator share the network.
#[derive(Clone)]
pub struct NetworkEval {
    network: Arc<Network>,
    accumulators: Accumulators,
    /// Buffer for the inputs of the dense layers.
    inputs: Aligned<u8>,
}

impl NetworkEval {
    /// Creates an evaluator. [`Evaluator::refresh`] must be called before any other method.
    pub fn new(network: Arc<Network>) -> Self {
        let inputs = Aligned::zeroed(2 * network.first.width);
        Self { network, accumulators: Accumulators::new(), inputs }
    }

    /// Returns the network that the evaluator uses.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The output of the last layer for the side to move, in the network's own units.
    pub fn output<G: Inputs>(&mut self, game: &G) -> i64 {
        let [pieces, layers] = self.parts(game);
        pieces + layers
    }

    /// The output in two parts: the piece-square sums, which only Stockfish networks have, and the dense layers'
    /// output.
    pub fn parts<G: Inputs>(&mut self, game: &G) -> [i64; 2] {
        let stack = stack(&self.network, game);
        let us = game.side().index();
        let halves = self.accumulators.now(&self.network, game);
        run(&self.network, [&halves[us], &halves[us ^ 1]], stack, &mut self.inputs)
    }
}

/// Returns the index of the stack of dense layers that a position selects.
fn stack<G: Inputs>(network: &Network, game: &G) -> usize {
    let last = network.stacks() - 1;
    match network.stack_rule {
        StackRule::Only => 0,
        StackRule::Pieces => ((game.pieces() as usize - 1) * network.stacks() / G::MOST_PIECES).min(last),
        StackRule::KingRanks => {
            // For each king, the third of the board in which it stands, counted from the king's own side.
            let ranks = game.kings().map(|king| usize::from(king) % 9 / 3);
            let (us, them) = if game.side() == Side::First { (ranks[0], ranks[1]) } else { (ranks[1], ranks[0]) };
            (3 * us + them).min(last)
        }
    }
}

/// Runs the layers after the first layer on both halves; the half of the side to move comes first.
fn run(network: &Network, halves: [&Half; 2], stack: usize, inputs: &mut [u8]) -> [i64; 2] {
    let (kernels, width) = (&network.kernels, network.first.width);
    match &network.layers {
        Layers::Classic(dense) => {
            let (ours, theirs) = inputs[..2 * width].split_at_mut(width);
            kernels.clip(&halves[0].values, ours);
            kernels.clip(&halves[1].values, theirs);
            [0, i64::from(dense.run(kernels, &inputs[..2 * width]))]
        }
        Layers::Product(stacks) => {
            let (ours, theirs) = inputs[..width].split_at_mut(width / 2);
            kernels.multiply(&halves[0].values, ours);
            kernels.multiply(&halves[1].values, theirs);
            let positional = stacks[stack].run(kernels, &inputs[..width]);
            let of = |half: &Half| half.piece_squares.get(stack).copied().unwrap_or(0);
            let pieces = of(halves[0]).wrapping_sub(of(halves[1])) / 2;
            [i64::from(pieces), i64::from(positional)]
        }
        Layers::Squared(stacks) => {
            let (weights, bias) = &stacks[stack];
            let (ours, theirs) = weights.split_at(width);
            // Squares contain the values' quantization factor twice, but the bias contains it only once.
            let squares =
                [(0, ours), (1, theirs)].map(|(side, weights)| kernels.squares(&halves[side].values, weights));
            [0, (i64::from(squares[0]) + i64::from(squares[1])) / 255 + i64::from(*bias)]
        }
    }
}

impl<G: Inputs> Evaluator<G> for NetworkEval {
    fn refresh(&mut self, game: &G) {
        self.accumulators.refresh(&self.network, game);
    }

    #[inline]
    fn make(&mut self, before: &G, m: G::Move) {
        self.accumulators.push(&self.network, before.changes(m));
    }

    #[inline]
    fn unmake(&mut self, null: bool) {
        // A null move changes no elements, so it added no entry.
        if !null {
            self.accumulators.pop();
        }
    }

    fn scale(&mut self) -> i32 {
        let network = Arc::clone(&self.network);
        let spread = *network.spread.get_or_init(|| {
            spread::mean(|game: &G| {
                self.refresh(game);
                self.output(game)
            })
        });
        // Limits keep the search margins meaningful even if a network's outputs hardly differ.
        (network.centipawns(spread * 100) / G::USUAL_SPREAD).clamp(10, 1_000)
    }

    #[inline]
    fn evaluate(&mut self, game: &G) -> i32 {
        let output = self.output(game);
        self.network.centipawns(output).clamp(-Score::MAX_CP, Score::MAX_CP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NetworkGame, built_in};
    use hasami_chess::Chess;
    use hasami_shogi::Shogi;

    fn scale<G: Inputs>(game: NetworkGame) -> i32 {
        Evaluator::<G>::scale(&mut NetworkEval::new(built_in(game)))
    }

    #[test]
    fn built_in_networks_have_about_the_usual_spread() {
        for scale in [scale::<Chess>(NetworkGame::Chess), scale::<Shogi>(NetworkGame::Shogi)] {
            assert!((20..500).contains(&scale), "{scale} percent");
        }
    }
}
