//! The feature sets of this program's own format.

use super::{FeatureSet, of_chess, of_shogi};
use crate::game::NetworkGame;

impl FeatureSet {
    /// The feature set for the given king buckets; `None` if there is not exactly one bucket number per square.
    pub fn own(game: NetworkGame, buckets: &[u8]) -> Option<Self> {
        Some(match game {
            NetworkGame::Chess => of_chess::own(buckets.try_into().ok()?),
            NetworkGame::Shogi => of_shogi::own(buckets.try_into().ok()?),
        })
    }
}
