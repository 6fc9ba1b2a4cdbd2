//! The feature sets of Hasami's own network format.

use super::{FeatureSet, of_chess, of_shogi};
use crate::game::NetworkGame;

impl FeatureSet {
    /// Returns the feature set with the given king buckets, or `None` if `buckets` does not have one number per square.
    pub fn own(game: NetworkGame, buckets: &[u8]) -> Option<Self> {
        Some(match game {
            NetworkGame::Chess => of_chess::own(buckets.try_into().ok()?),
            NetworkGame::Shogi => of_shogi::own(buckets.try_into().ok()?),
        })
    }
}
