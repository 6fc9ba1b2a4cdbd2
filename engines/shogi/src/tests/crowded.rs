//! Tests positions with more pieces than a shogi set has.

use crate::walk::game;
use hasami_api::{Game, MateGame, Moves, SearchGame};
use rsshogi::board::attack_tables::{bishop_attacks, lance_attacks, rook_attacks};
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, Hand, HandPiece, PieceType, Square};
use std::collections::HashSet;

/// The squares that a single piece on an empty board attacks.
fn reach(kind: PieceType, from: Square) -> Bitboard {
    let (none, black) = (Bitboard::EMPTY, Color::BLACK.to_index());
    match kind {
        PieceType::PAWN => PAWN_ATTACKS[from][black],
        PieceType::LANCE => lance_attacks(from, none, Color::BLACK),
        PieceType::KNIGHT => KNIGHT_ATTACKS[from][black],
        PieceType::SILVER => SILVER_ATTACKS[from][black],
        PieceType::BISHOP => bishop_attacks(from, none),
        PieceType::ROOK => rook_attacks(from, none),
        PieceType::HORSE => bishop_attacks(from, none) | KING_ATTACKS[from],
        PieceType::DRAGON => rook_attacks(from, none) | KING_ATTACKS[from],
        PieceType::KING => KING_ATTACKS[from],
        _ => GOLD_ATTACKS[from][black],
    }
}

/// Returns whether a piece of `kind` on `at` could move on an empty board, as the rules require of every piece.
fn is_alive(kind: PieceType, at: Square) -> bool {
    let ranks = match kind {
        PieceType::PAWN | PieceType::LANCE => 1,
        PieceType::KNIGHT => 2,
        _ => 0,
    };
    at.rank().to_index() >= ranks
}

/// The number of moves that a single piece has on an empty board, including promotions.
fn count_moves(kind: PieceType, from: Square) -> usize {
    let zone = Bitboard::promotion_zone(Color::BLACK);
    let moves = |to| {
        let promotes = kind.is_promotable() && (zone.test(from) || zone.test(to));
        usize::from(promotes) + usize::from(is_alive(kind, to))
    };
    reach(kind, from).iter().map(moves).sum()
}

/// The largest number of moves that a piece on the board can add, less the drops on its square that it prevents.
fn most_added(kind: PieceType, held: &[PieceType]) -> usize {
    let added = |kind: PieceType, at: Square| {
        count_moves(kind, at).saturating_sub(held.iter().filter(|&&other| is_alive(other, at)).count())
    };
    let forms = [kind, kind.promote()].into_iter().take(1 + usize::from(kind.is_promotable()));
    forms
        .flat_map(|form| Square::iter().filter(move |&at| is_alive(form, at)).map(move |at| added(form, at)))
        .max()
        .unwrap()
}

/// For each set of kinds in hand, the bound is the number of drops on an empty board plus the moves that each piece on
/// the board adds if it stands alone on its best square.
#[test]
fn a_list_has_room_for_the_moves_of_any_position() {
    let kinds: Vec<PieceType> = HandPiece::iter().map(HandPiece::to_piece_type).collect();
    let bound = |choice: usize| {
        let chosen = |at: &usize| choice >> at & 1 == 1;
        let held: Vec<PieceType> = (0..kinds.len()).filter(chosen).map(|at| kinds[at]).collect();
        let drops: usize = held.iter().map(|&kind| Square::iter().filter(|&at| is_alive(kind, at)).count()).sum();
        let on_board = kinds.iter().enumerate().map(|(at, &kind)| {
            let most = Hand::count_mask(HandPiece::from_piece_type(kind).unwrap()) as usize;
            (most - usize::from(chosen(&at))) * most_added(kind, &held)
        });
        drops + on_board.sum::<usize>() + most_added(PieceType::KING, &held)
    };
    assert_eq!((0..1 << kinds.len()).map(bound).max(), Some(672));
    let mut list = Moves::new();
    list.extend(0..672);
    assert_eq!(list.len(), 672);
}

#[test]
fn more_than_600_moves_are_all_found() {
    let game = game("R7R/3S1S3/3B1B1S1/9/9/7K1/9/9/1LLkL1L2 b RBGSNLP 1");
    let list = |fill: fn(&crate::Shogi, &mut Moves<crate::Move>)| {
        let mut moves = Moves::new();
        fill(&game, &mut moves);
        let found: HashSet<_> = moves.iter().copied().collect();
        assert_eq!(found.len(), moves.len());
        found
    };
    let legal = list(|game, out| game.legal_moves(out));
    assert_eq!((legal.len(), game.count_moves()), (634, 634));
    let mut useful = list(|game, out| game.search_moves(out));
    assert!(useful.is_subset(&legal));
    useful.extend(list(|game, out| game.noisy_moves(out)));
    assert!(useful.is_subset(&legal));
    let checks: HashSet<_> = legal.iter().copied().filter(|&m| game.gives_check(m)).collect();
    assert_eq!(list(|game, out| game.checking_moves(out)), checks);
}
