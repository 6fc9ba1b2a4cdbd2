//! The feature sets of our own networks.

use super::{FeatureSet, of_chess, of_shogi};
use crate::game::NetworkGame;

impl FeatureSet {
    /// The set of our own networks; `None` where there are not as many buckets as squares.
    pub fn own(game: NetworkGame, buckets: &[u8]) -> Option<Self> {
        Some(match game {
            NetworkGame::Chess => of_chess::own(buckets.try_into().ok()?),
            NetworkGame::Shogi => of_shogi::own(buckets.try_into().ok()?),
        })
    }
}
