//! Compares perft totals and move lists with those of other programs.

use super::oracle;
use crate::walk::{game, random_games};
use hasami_api::{Game, perft};
use rsshogi::types::{Color, HandPiece};

/// Largest perft total that these tests check; `scripts/oracle_shogi.py perft` checks the larger totals.
const BOUND: u64 = 400_000;

#[test]
fn perft_totals_equal_those_of_the_data_file() {
    let text = include_str!("../../../../tests/data/perft/shogi.txt");
    let mut positions = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (sfen, totals) = line.split_once(" ;").unwrap();
        let mut game = game(sfen);
        for (depth, total) in (1..).zip(totals.split(" ;")) {
            let expected: u64 = total.split_once(' ').unwrap().1.parse().unwrap();
            if expected <= BOUND {
                assert_eq!(perft::count(&mut game, depth), expected, "{sfen} at depth {depth}");
            }
        }
        positions += 1;
    }
    assert!(positions >= 25, "{positions} positions");
}

#[test]
fn shunsai_finds_the_same_moves() {
    let mut positions = 0;
    random_games(20, 48, 120, |game, moves| {
        // The crate shunsai supports at most 18 pawns in a hand.
        if [Color::BLACK, Color::WHITE].iter().any(|&color| game.position().hand(color).count(HandPiece::PAWN) > 18) {
            return;
        }
        let mut ours: Vec<String> = moves.iter().map(|&m| game.format_move(m).to_string()).collect();
        ours.sort();
        assert_eq!(ours, oracle::legal_moves(&oracle::position(game)), "{}", game.to_text());
        positions += 1;
    });
    assert!(positions > 3_000, "{positions} positions");
}
