//! Compares the chess formats with those of their authors' crates (bulletformat and viriformat).

use crate::played::random_game;
use bulletformat::BulletFormat;
use hasami_api::{Game, Outcome, Side, Start};
use hasami_chess::Chess;
use hasami_training::{Filter, Label, LabelledGame, Sample, SelfPlayGame, positions};
use std::io::BufReader;
use viriformat::dataformat::{Filter as TheirFilter, Game as TheirGame};

const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
];

fn chess(fen: &str) -> Chess {
    Chess::new(&Start { text: Some(fen.into()), ..Start::default() }).unwrap()
}

fn games() -> impl Iterator<Item = (SelfPlayGame, Vec<Chess>)> {
    (0..80).map(|seed| random_game(&chess(POSITIONS[seed % 4]), 120, seed as u64))
}

#[test]
fn positions_match_bulletformat() {
    for (game, positions) in games() {
        for (position, step) in positions.iter().zip(&game.moves) {
            let mut bytes = Vec::new();
            let label = Label { score: step.score, outcome: game.outcome, ..Label::default() };
            assert!(position.write_position(&label, &mut bytes));
            let sign = if position.side() == Side::First { 1 } else { -1 };
            let result = match game.outcome {
                Outcome::Win(Side::First) => "1.0",
                Outcome::Win(Side::Second) => "0.0",
                _ => "0.5",
            };
            let text = format!("{} | {} | {result}", position.to_text(), i32::from(step.score) * sign);
            let theirs: bulletformat::ChessBoard = text.parse().unwrap();
            let mut expected = theirs.occ.to_le_bytes().to_vec();
            expected.extend(theirs.pcs);
            expected.extend(theirs.score.to_le_bytes());
            expected.extend([theirs.result, theirs.ksq, theirs.opp_ksq, 0, 0, 0]);
            assert_eq!(bytes, expected, "{text}");
            let mut sample = Sample::default();
            assert!(hasami_training::chess::read(bytes[..].try_into().unwrap(), &mut sample));
            assert_eq!((sample.score, sample.result), (step.score, Some(theirs.result())));
        }
    }
}

#[test]
fn games_match_viriformat_in_both_directions() {
    for (game, _) in games() {
        let mut bytes = Vec::new();
        Chess::write_game(&game, &mut bytes).unwrap();
        let theirs = TheirGame::deserialise_from(&mut BufReader::new(&bytes[..]), Vec::new()).unwrap();
        assert_eq!(theirs.len(), game.moves.len());
        // viriformat's reader has checked that every move is legal, so only the positions are compared.
        let (mut theirs_of_all, mut ours_of_all) = (Vec::new(), Vec::new());
        theirs
            .splat_to_bulletformat(
                |board| {
                    theirs_of_all.push(board);
                    Ok(())
                },
                &TheirFilter::UNRESTRICTED,
            )
            .unwrap();
        let all = Filter { checks: true, noisy: true, most_score: u16::MAX, skip: 0 };
        let count = positions::<Chess>(&game, &all, &mut ours_of_all).unwrap();
        assert_eq!(count, theirs_of_all.len());
        for (ours, theirs) in ours_of_all.chunks(32).zip(&theirs_of_all) {
            assert_eq!((&ours[..8], &ours[8..24]), (&theirs.occ.to_le_bytes()[..], &theirs.pcs[..]));
            assert_eq!((&ours[24..26], ours[26]), (&theirs.score.to_le_bytes()[..], theirs.result));
        }
        let mut again = Vec::new();
        theirs.serialise_into(&mut again).unwrap();
        assert_eq!(again, bytes);
        let (read, used) = Chess::read_game(&bytes).unwrap().unwrap();
        assert_eq!(
            (&read.start, &read.moves, read.outcome, used),
            (&game.start, &game.moves, game.outcome, bytes.len())
        );
    }
}

#[test]
fn the_filter_excludes_checks_and_captures() {
    let game = chess("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    let (mut played, _) = random_game(&game, 0, 1);
    played.outcome = Outcome::Win(Side::First);
    for (text, score) in [("d1h5", 10), ("b8c6", 0), ("h5f7", -900), ("e8f7", 900), ("g1f3", -5_000)] {
        played.moves.push(hasami_training::LabelledMove { text: text.parse().unwrap(), score });
    }
    let count = |filter: Filter| positions::<Chess>(&played, &filter, &mut Vec::new()).unwrap();
    // The default filter excludes a position in check, one before a capture, and one with a score beyond 3,000.
    assert_eq!(count(Filter::default()), 2);
    assert_eq!(count(Filter { noisy: true, ..Filter::default() }), 3);
    assert_eq!(count(Filter { noisy: true, checks: true, ..Filter::default() }), 4);
    assert_eq!(count(Filter { most_score: 6_000, ..Filter::default() }), 3);
    assert_eq!(count(Filter { skip: 1, ..Filter::default() }), 1);
}

#[test]
fn corrupt_games_are_rejected_or_truncated_but_never_fatal() {
    let (game, _) = random_game(&chess(POSITIONS[1]), 40, 5);
    let mut bytes = Vec::new();
    Chess::write_game(&game, &mut bytes).unwrap();
    for end in 0..bytes.len() {
        assert_eq!(Chess::read_game(&bytes[..end]).unwrap(), None, "{end}");
    }
    let mut rejected = 0;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut broken = bytes.clone();
            broken[at] ^= 1 << bit;
            rejected += usize::from(Chess::read_game(&broken).is_err());
        }
    }
    assert!(rejected > bytes.len(), "{rejected}");
}
