//! The networks that are included in the program, described in `data/README.md`.

use crate::game::NetworkGame;
use crate::network::Network;
use once_cell::sync::Lazy;
use std::sync::Arc;

static CHESS: Lazy<Arc<Network>> = Lazy::new(|| read(NetworkGame::Chess));
static SHOGI: Lazy<Arc<Network>> = Lazy::new(|| read(NetworkGame::Shogi));

fn read(game: NetworkGame) -> Arc<Network> {
    Arc::new(crate::read(built_in_file(game)).expect("a test reads every built-in network"))
}

/// The built-in network of a game, which is read once and shared.
pub fn built_in(game: NetworkGame) -> Arc<Network> {
    match game {
        NetworkGame::Chess => Arc::clone(&CHESS),
        NetworkGame::Shogi => Arc::clone(&SHOGI),
    }
}

// The network files are statics, because constants would be copied into every crate that uses them.
static CHESS_FILE: &[u8] = include_bytes!("../data/chess.nn");
static SHOGI_FILE: &[u8] = include_bytes!("../data/shogi.nn");

/// Returns the bytes of a built-in network file.
#[inline(never)]
pub fn built_in_file(game: NetworkGame) -> &'static [u8] {
    match game {
        NetworkGame::Chess => CHESS_FILE,
        NetworkGame::Shogi => SHOGI_FILE,
    }
}

/// Returns all built-in networks, one per game.
pub fn all_built_in() -> impl Iterator<Item = Arc<Network>> {
    NetworkGame::ALL.into_iter().map(built_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_built_in_network_of_at_most_eight_megabytes() {
        for game in NetworkGame::ALL {
            let network = built_in(game);
            assert_eq!((network.game, network.bytes), (game, built_in_file(game).len()));
            assert!(network.bytes <= 8_000_000, "{}", network.bytes);
        }
    }
}
