//! A hand-crafted evaluation or a network, chosen when a search is built.

use crate::element::Inputs;
use crate::evaluator::NetworkEval;
use hasami_api::Evaluator;

/// One type for both evaluations, so that the search is compiled only once. The branch is well predicted.
#[derive(Clone)]
pub enum Evaluation<H> {
    /// A hand-crafted evaluation.
    HandMade(H),
    /// A network.
    Network(NetworkEval),
}

impl<G: Inputs, H: Evaluator<G>> Evaluator<G> for Evaluation<H> {
    fn refresh(&mut self, game: &G) {
        match self {
            Self::HandMade(inner) => inner.refresh(game),
            Self::Network(inner) => inner.refresh(game),
        }
    }

    #[inline]
    fn make(&mut self, before: &G, m: G::Move) {
        match self {
            Self::HandMade(inner) => inner.make(before, m),
            Self::Network(inner) => inner.make(before, m),
        }
    }

    #[inline]
    fn make_null(&mut self) {
        match self {
            Self::HandMade(inner) => inner.make_null(),
            Self::Network(inner) => Evaluator::<G>::make_null(inner),
        }
    }

    #[inline]
    fn unmake(&mut self, null: bool) {
        match self {
            Self::HandMade(inner) => inner.unmake(null),
            Self::Network(inner) => Evaluator::<G>::unmake(inner, null),
        }
    }

    fn scale(&mut self) -> i32 {
        match self {
            Self::HandMade(inner) => inner.scale(),
            Self::Network(inner) => Evaluator::<G>::scale(inner),
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &G) -> i32 {
        match self {
            Self::HandMade(inner) => inner.evaluate(game),
            Self::Network(inner) => inner.evaluate(game),
        }
    }
}
