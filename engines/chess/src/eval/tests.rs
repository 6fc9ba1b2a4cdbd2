#![allow(clippy::unwrap_used)]

use super::*;
use crate::walk::random_games;
use hasami_api::{Game, parse_weights, print_weights};
use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Setup};

fn fresh(game: &Chess) -> i32 {
    let mut eval = ChessEval::new();
    eval.refresh(game);
    eval.evaluate(game)
}

fn value(fen: &str) -> i32 {
    fresh(&Chess::from_fen(fen).unwrap())
}

#[test]
fn the_value_is_the_same_with_colours_swapped() {
    random_games(11, 40, 100, |game, _| {
        let setup: Setup = game.position().to_setup(EnPassantMode::Legal).into_mirrored();
        let mirrored = Fen::try_from_setup(setup).unwrap().to_string();
        assert_eq!(fresh(game), value(&mirrored), "{}", game.to_text());
    });
}

#[test]
fn incremental_values_equal_those_from_scratch() {
    let mut eval = ChessEval::new();
    random_games(12, 8, 60, |game, moves| {
        eval.refresh(game);
        for &m in moves {
            eval.make(game, m);
            game.make(m);
            assert_eq!(eval.evaluate(game), fresh(game), "{}", game.to_text());
            if !game.in_check() {
                eval.make_null();
                game.pass();
                assert_eq!(eval.evaluate(game), fresh(game), "{}", game.to_text());
                game.unmake();
                eval.unmake(true);
            }
            game.unmake();
            eval.unmake(false);
        }
        assert_eq!(eval.evaluate(game), fresh(game), "{}", game.to_text());
    });
}

#[test]
fn the_terms_of_the_trace_add_up_to_the_value() {
    let weights = parse_weights(WEIGHT_GROUPS, WEIGHTS_TEXT).unwrap();
    random_games(13, 80, 100, |game, _| {
        let trace = trace(game);
        let sum = |side: usize| -> f32 {
            trace.counts.iter().map(|&(f, count)| (i32::from(count) * weights[2 * usize::from(f) + side]) as f32).sum()
        };
        let value = sum(0) * trace.phase + sum(1) * trace.scale * (1.0 - trace.phase) + trace.fixed;
        let found = fresh(game) as f32 * game.position().turn().fold_wb(1.0, -1.0);
        assert!((value - found).abs() <= 2.0, "{}: {value} traced, {found} evaluated", game.to_text());
    });
}

#[test]
fn the_weights_file_is_in_the_tuners_format() {
    let header: String = WEIGHTS_TEXT.lines().map_while(|line| line.strip_prefix("# ")).collect::<Vec<_>>().join("\n");
    assert!(!header.is_empty(), "the file must name the origin of its weights");
    let weights = parse_weights(WEIGHT_GROUPS, WEIGHTS_TEXT).unwrap();
    assert_eq!(print_weights(WEIGHT_GROUPS, &weights, &header), WEIGHTS_TEXT);
}

#[test]
fn more_material_is_better() {
    let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let rook_up = value("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1");
    let pawn_up = value("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(queen_up > rook_up && rook_up > pawn_up && pawn_up > 30, "{queen_up} {rook_up} {pawn_up}");
}

#[test]
fn endings_that_cannot_be_won_are_near_zero() {
    for fen in [
        // The endgames are two knights, a rook pawn with a bishop of the wrong colour, and a rook against a rook.
        "8/8/4k3/8/8/3NK3/3N4/8 w - - 0 1",
        "k7/8/8/P7/8/4K3/3B4/8 w - - 0 1",
        "8/4k3/8/8/8/3RK3/8/4r3 w - - 0 1",
    ] {
        assert!(value(fen).abs() <= 120, "{fen}: {}", value(fen));
    }
    assert!(value("k7/8/8/P7/8/3BK3/8/8 w - - 0 1") > 200, "with a bishop of the other colour the pawn wins");
}

#[test]
fn a_bare_king_is_driven_to_the_edge() {
    let centre = value("8/8/8/4k3/8/3QK3/8/8 w - - 0 1");
    let edge = value("4k3/8/8/8/8/3QK3/8/8 w - - 0 1");
    assert!(edge > centre, "{edge} {centre}");
    // A light-squared bishop mates on a8, not on a1.
    let right = value("k7/8/2K5/8/8/3BN3/8/8 w - - 0 1");
    let wrong = value("8/8/8/3BN3/8/2K5/8/k7 w - - 0 1");
    assert!(right > wrong, "{right} {wrong}");
}
