//! Tests the conversion of positions to text and back.

use crate::played::random_game;
use hasami_api::{Game, Outcome, Side, Start};
use hasami_chess::Chess;
use hasami_nnue::NetworkGame;
use hasami_shogi::Shogi;
use hasami_training::{Label, LabelledGame, Positions, TrainingFormats, parse_line};

const CHESS: TrainingFormats = TrainingFormats::of::<Chess>(NetworkGame::Chess);
const SHOGI: TrainingFormats = TrainingFormats::of::<Shogi>(NetworkGame::Shogi);

/// Writes positions with either side to move and with every result, formats them as text, and reads the text again.
fn check_round_trip<G: LabelledGame>(formats: &TrainingFormats, start: Option<&str>) {
    let start = Start { text: start.map(Into::into), ..Start::default() };
    let folder = tempfile::tempdir().unwrap();
    let (mut bytes, mut count) = (Vec::new(), 0);
    let outcomes =
        [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw, Outcome::Unfinished].into_iter().cycle();
    for (seed, outcome) in (0..40).zip(outcomes) {
        let (game, positions) = random_game(&G::new(&start).unwrap(), 100, seed);
        for (position, step) in positions.iter().zip(&game.moves) {
            let label = Label { score: step.score, outcome, best: 0, ply: position.ply() as u16 };
            count += usize::from(position.write_position(&label, &mut bytes));
        }
    }
    let path = folder.path().join(format!("x.{}", formats.positions));
    std::fs::write(&path, &bytes).unwrap();
    let shown = Positions::open(formats.game, &[&path]).unwrap();
    let mut again = Vec::new();
    for index in 0..shown.len() {
        let line = shown.to_text(index).unwrap();
        assert!((formats.write_text)(&parse_line(&line).unwrap(), &mut again).unwrap(), "{line}");
        let size = formats.position_bytes;
        assert_eq!(again[index * size..], bytes[index * size..][..size], "{line}");
    }
    assert!(shown.len() == count && count > 1_000, "{count}");
}

#[test]
fn positions_survive_the_conversion_to_text_and_back() {
    check_round_trip::<Chess>(&CHESS, None);
    check_round_trip::<Chess>(&CHESS, Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 41"));
    check_round_trip::<Shogi>(&SHOGI, None);
    check_round_trip::<Shogi>(&SHOGI, Some("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 8192"));
}

#[test]
fn scores_of_white_in_shogi_are_shown_for_black() {
    let position =
        Shogi::new(&Start { text: Some("4k4/9/9/9/9/9/9/9/4K4 w RB4G4S4N4L9Prb9p 42".into()), ..Start::default() });
    let label = Label { score: 300, outcome: Outcome::Win(Side::Second), best: 0, ply: 41 };
    let (folder, mut bytes) = (tempfile::tempdir().unwrap(), Vec::new());
    assert!(position.unwrap().write_position(&label, &mut bytes));
    let path = folder.path().join("x.psv");
    std::fs::write(&path, bytes).unwrap();
    let line = Positions::open(NetworkGame::Shogi, &[&path]).unwrap().to_text(0).unwrap();
    assert!(line.contains(" w ") && line.ends_with(" 42 | -300 | 0.0"), "{line}");
}
