//! Compares the shogi formats (PSV and PACK) with rsshogi's, and the trainer's own decoder with rsshogi's positions.

use crate::played::random_game;
use hasami_api::{Ending, Game, Outcome, Side, Start};
use hasami_nnue::{FeatureSet, NetworkGame};
use hasami_shogi::Shogi;
use hasami_training::{Filter, Label, LabelledGame, LabelledMove, Sample, SelfPlayGame, positions};
use rsshogi::board::Position;
use rsshogi::records::pack::{decode_games, record_from_game};

const POSITIONS: [&str; 3] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RB4G4S4N4L9Prb9p 1",
];

fn shogi(sfen: &str) -> Shogi {
    Shogi::new(&Start { text: Some(sfen.into()), ..Start::default() }).unwrap()
}

fn games() -> impl Iterator<Item = (SelfPlayGame, Vec<Shogi>)> {
    (0..60).map(|seed| random_game(&shogi(POSITIONS[seed % 3]), 160, seed as u64))
}

/// Returns the first-layer rows that a position has in Hasami's own networks, from the point of view of one side.
fn rows(game: &Shogi, side: usize, features: &FeatureSet) -> Vec<u32> {
    let mut rows = features.rows_of(game, side);
    rows.sort_unstable();
    rows
}

#[test]
fn positions_match_rsshogi_and_the_features_of_networks() {
    let features = FeatureSet::own(NetworkGame::Shogi, &[0; 81]).unwrap();
    let mut checked = 0;
    for (game, positions) in games() {
        for (position, step) in positions.iter().zip(&game.moves) {
            let mut bytes = Vec::new();
            let label = Label { score: step.score, outcome: game.outcome, best: 77, ply: 300 };
            // PSV cannot represent a position with fewer pieces than a full set.
            if !position.write_position(&label, &mut bytes) {
                continue;
            }
            let packed = bytes[..32].try_into().unwrap();
            let theirs = Position::sfen_unpack(&rsshogi::board::PackedSfen::from_bytes(packed)).unwrap();
            let same = |text: &str| text.split(' ').take(3).collect::<Vec<_>>().join(" ");
            assert_eq!(same(&theirs), same(&position.to_text()));
            assert_eq!(bytes[32..34], step.score.to_le_bytes());
            assert_eq!(bytes[34..38], [77, 0, 44, 1]);
            let mut sample = Sample::default();
            assert!(hasami_training::shogi::read(bytes[..].try_into().unwrap(), &mut sample));
            let us = position.side();
            let points = game.outcome.half_points(us).map(|points| f32::from(points) / 2.0);
            assert_eq!((sample.score, sample.result), (step.score, points));
            for side in 0..2 {
                let seen = |&element: &u16| features.row(0, sample.kings[side], element);
                let mut found: Vec<u32> = sample.elements(side).iter().filter_map(seen).collect();
                found.sort_unstable();
                assert_eq!(found, rows(position, us.index() ^ side, &features), "{}", position.to_text());
            }
            checked += 1;
        }
    }
    assert!(checked > 5_000, "{checked}");
}

#[test]
fn games_match_rsshogi_in_both_directions() {
    for (game, _) in games() {
        let mut bytes = Vec::new();
        if Shogi::write_game(&game, &mut bytes).is_err() {
            continue;
        }
        let theirs = decode_games(&mut &bytes[..]).unwrap();
        let record = record_from_game(&theirs[0]).unwrap();
        assert_eq!(record.main_line_ids().len(), game.moves.len());
        let (read, used) = Shogi::read_game(&bytes).unwrap().unwrap();
        assert_eq!((&read.moves, read.outcome, used), (&game.moves, game.outcome, bytes.len()));
        let all = Filter { checks: true, noisy: true, most_score: u16::MAX, skip: 0 };
        assert_eq!(positions::<Shogi>(&read, &all, &mut Vec::new()).unwrap(), game.moves.len());
    }
}

#[test]
fn the_number_of_the_first_move_is_kept() {
    let (board, _) = POSITIONS[1].rsplit_once(' ').unwrap();
    for (number, kept) in
        [("1", "1"), ("40", "40"), ("8193", "8193"), ("65535", "65535"), ("70000", "65535"), ("0", "1")]
    {
        let (game, _) = random_game(&shogi(&format!("{board} {number}")), 10, 1);
        let mut bytes = Vec::new();
        Shogi::write_game(&game, &mut bytes).unwrap();
        let (read, _) = Shogi::read_game(&bytes).unwrap().unwrap();
        assert_eq!(read.start, format!("{board} {kept}"));
    }
}

#[test]
fn resignation_in_the_format_means_checkmate_or_adjudication() {
    let start = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1".to_owned();
    let outcome = Outcome::Win(Side::First);
    for (text, ending) in [("G*5b", Ending::Checkmate), ("G*4b", Ending::Adjudication)] {
        let moves = vec![LabelledMove { text: text.parse().unwrap(), score: 0 }];
        let mut bytes = Vec::new();
        Shogi::write_game(&SelfPlayGame { start: start.clone(), moves, outcome, ending }, &mut bytes).unwrap();
        assert_eq!(Shogi::read_game(&bytes).unwrap().unwrap().0.ending, ending);
    }
}

#[test]
fn results_are_for_the_side_to_move() {
    let mut bytes = Vec::new();
    let game = shogi(POSITIONS[0]);
    for (outcome, expected) in [
        (Outcome::Win(Side::First), [1, 0]),
        (Outcome::Win(Side::Second), [255, 0]),
        (Outcome::Draw, [0, 0]),
        (Outcome::Unfinished, [0, 1]),
    ] {
        bytes.clear();
        assert!(game.write_position(&Label { outcome, ..Label::default() }, &mut bytes));
        assert_eq!(bytes[38..], expected);
    }
}

#[test]
fn corrupt_files_are_rejected_or_truncated_but_never_fatal() {
    let (game, _) = random_game(&shogi(POSITIONS[1]), 30, 5);
    let mut bytes = Vec::new();
    Shogi::write_game(&game, &mut bytes).unwrap();
    for end in 0..bytes.len() {
        assert_eq!(Shogi::read_game(&bytes[..end]).unwrap_or(None), None, "{end}");
    }
    let mut position = Vec::new();
    assert!(shogi(POSITIONS[1]).write_position(&Label::default(), &mut position));
    for at in 0..8 * bytes.len().max(40) {
        let flip = |bytes: &[u8]| {
            let mut broken = bytes.to_vec();
            broken[at / 8 % bytes.len()] ^= 1 << (at % 8);
            broken
        };
        let _ = Shogi::read_game(&flip(&bytes));
        let _ = hasami_training::shogi::read(flip(&position)[..].try_into().unwrap(), &mut Sample::default());
    }
}
