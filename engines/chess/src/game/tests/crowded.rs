//! Tests positions with more pieces than a chess set has.

use super::*;
use hasami_api::MateGame;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::HashSet;

/// Returns a random FEN with both kings, `men` other pieces, about half of them queens, and no pawn on the first or
/// last rank.
fn random_fen(rng: &mut SmallRng, men: usize) -> String {
    let mut board = [None; 64];
    for number in 0..men + 2 {
        let man = "Kk".chars().nth(number).unwrap_or_else(|| char::from(b"QqQqQqPpNnBbRr"[rng.random_range(0..14)]));
        let is_pawn = man.eq_ignore_ascii_case(&'p');
        let free: Vec<usize> =
            (0..64).filter(|&at| board[at].is_none() && (!is_pawn || (8..56).contains(&at))).collect();
        if !free.is_empty() {
            board[free[rng.random_range(0..free.len())]] = Some(man);
        }
    }
    let ranks = board.chunks(8).map(|rank| rank.iter().map(|man| man.unwrap_or('1')).collect::<String>());
    format!("{} {} - - 0 1", ranks.collect::<Vec<_>>().join("/"), if rng.random() { 'w' } else { 'b' })
}

fn list(fill: impl FnOnce(&mut Moves<Move>)) -> HashSet<Move> {
    let mut moves = Moves::new();
    fill(&mut moves);
    let found: HashSet<_> = moves.iter().copied().collect();
    assert_eq!(found.len(), moves.len());
    found
}

/// Computes the moves, the keys and the checks in two ways each, and asserts that the results agree.
fn assert_consistent(game: &mut Chess) {
    let text = game.to_text();
    let legal = list(|out| game.legal_moves(out));
    assert_eq!(legal.len(), game.count_moves(), "{text}");
    assert_eq!(game.now().keys, Keys::of(game.position()), "{text}");
    assert_eq!(Chess::from_fen(&text).unwrap().key(), game.key(), "{text}");
    assert!(legal.iter().all(|&m| game.unpack(Chess::pack(m)) == Some(m)), "{text}");
    let mut checking = legal.clone();
    checking.retain(|&m| {
        game.make(m);
        let checks = game.in_check();
        game.unmake();
        checks
    });
    assert_eq!(list(|out| game.checking_moves(out)), checking, "{text}");
    if !game.in_check() && legal.len() <= 256 {
        assert_eq!(legal, game.position().legal_moves().into_iter().collect(), "{text}");
    }
}

#[test]
fn positions_with_any_number_of_pieces_are_consistent() {
    let mut rng = SmallRng::seed_from_u64(8);
    let (mut games, mut beyond) = (0, 0);
    for round in 0..600 {
        let fen = random_fen(&mut rng, [6, 16, 24, 40, 62][round % 5]);
        let Ok(mut game) = Chess::from_fen(&fen) else { continue };
        games += 1;
        for _ in 0..6 {
            assert_consistent(&mut game);
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            beyond += u32::from(moves.len() > 218);
            let m = moves[rng.random_range(0..moves.len())];
            game.make(m);
        }
    }
    assert!(games > 100, "{games} positions, {beyond} with more moves than any reachable position has");
}

#[test]
fn more_than_256_moves_are_all_found() {
    let mut game = Chess::from_fen("QQQQQQbk/Q4Qpp/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1").unwrap();
    assert_consistent(&mut game);
    assert_eq!(game.count_moves(), 263);
}
