//! Tests that readers either reject arbitrary bytes or turn them into positions that can be counted, displayed and
//! learned from.

use crate::played::random_game;
use hasami_api::{Game, Outcome, Start};
use hasami_chess::Chess;
use hasami_nnue::NetworkGame;
use hasami_shogi::Shogi;
use hasami_training::{Filter, Label, LabelledGame, Positions, Sample, State, parse_line, position_bytes, positions};
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::Write;

/// Calls every function that reads positions, with every position in `bytes`.
fn check_positions(game: NetworkGame, bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes[..bytes.len() / position_bytes(game) * position_bytes(game)]).unwrap();
    let found = Positions::open(game, &[file.path()]).unwrap();
    let mut sample = Sample::default();
    let mut unread = 0;
    for index in 0..found.len() {
        let is_read = found.read(index, &mut sample);
        unread += usize::from(!is_read);
        assert!(is_read || found.to_text(index).is_none());
        if is_read {
            assert!(sample.result.is_none_or(|points| [0.0, 0.5, 1.0].contains(&points)), "{sample:?}");
            assert!(sample.elements(0).len() <= 40 && sample.pieces <= 40);
        }
    }
    assert_eq!(found.unread(3), unread);
}

/// Checks that any game in `bytes` can be written again after reading, and that its positions can be extracted.
fn check_games<G: LabelledGame>(bytes: &[u8]) {
    if let Ok(Some((game, size))) = G::read_game(bytes) {
        assert!(0 < size && size <= bytes.len());
        positions::<G>(&game, &Filter { checks: true, noisy: true, ..Filter::default() }, &mut Vec::new()).unwrap();
        let _ = G::write_game(&game, &mut Vec::new());
    }
}

/// Returns a random game as the bytes of a game file, and its positions as the bytes of a position file.
fn written<G: LabelledGame + Game>(seed: u64) -> (Vec<u8>, Vec<u8>) {
    let (game, met) = random_game(&G::new(&Start::default()).unwrap(), 80, seed);
    let (mut games, mut positions) = (Vec::new(), Vec::new());
    G::write_game(&game, &mut games).unwrap();
    for position in met {
        position.write_position(&Label { outcome: Outcome::Draw, ..Label::default() }, &mut positions);
    }
    (games, positions)
}

fn corrupt(mut bytes: Vec<u8>, changes: &[(usize, u8)]) -> Vec<u8> {
    for &(at, byte) in changes {
        let at = at % bytes.len();
        bytes[at] = byte;
    }
    bytes
}

proptest! {
    #[test]
    fn random_bytes_are_read_or_rejected(bytes in vec(any::<u8>(), 0..2_000)) {
        check_positions(NetworkGame::Chess, &bytes);
        check_positions(NetworkGame::Shogi, &bytes);
        check_games::<Chess>(&bytes);
        check_games::<Shogi>(&bytes);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [&b"HASAMIT2"[..], &bytes].concat()).unwrap();
        let _ = State::read(file.path());
    }

    /// Most of these bytes are zeros, so that positions with few pieces occur, which random bytes rarely contain.
    #[test]
    fn sparse_bytes_are_read_or_rejected(bytes in vec(prop_oneof![5 => Just(0), 1 => Just(255), 2 => any::<u8>()], 40..400)) {
        check_positions(NetworkGame::Chess, &bytes);
        check_positions(NetworkGame::Shogi, &bytes);
        check_games::<Chess>(&bytes);
        check_games::<Shogi>(&bytes);
    }

    #[test]
    fn corrupt_games_and_positions_are_read_or_rejected(seed in 0..20u64, changes in vec(any::<(usize, u8)>(), 0..6)) {
        let (games, positions) = written::<Chess>(seed);
        check_games::<Chess>(&corrupt(games, &changes));
        check_positions(NetworkGame::Chess, &corrupt(positions, &changes));
        let (games, positions) = written::<Shogi>(seed);
        check_games::<Shogi>(&corrupt(games, &changes));
        check_positions(NetworkGame::Shogi, &corrupt(positions, &changes));
    }

    #[test]
    fn any_line_is_read_or_rejected(line in "\\PC{0,40}( \\| -?[0-9]{1,12} \\| [-01./*]{1,3})?") {
        let _ = parse_line(&line);
    }
}

/// Checks that the readers do not reject everything, which the tests with random bytes would not notice.
#[test]
fn written_positions_are_all_read() {
    for (game, bytes) in [(NetworkGame::Chess, written::<Chess>(1).1), (NetworkGame::Shogi, written::<Shogi>(1).1)] {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let found = Positions::open(game, &[file.path()]).unwrap();
        assert_eq!((found.unread(2), found.len()), (0, 80));
    }
}
