//! Tests the rules against known perft totals and against another implementation (cozy-chess).

use crate::Chess;
use crate::walk::random_games;
use hasami_api::{Game, perft};
use std::path::Path;

/// Largest number of leaves in a perft test; `hasami perft` and scripts check larger totals.
const LEAVES: u64 = 1_200_000;

#[test]
fn perft_totals_equal_the_published_ones() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/perft/chess.epd");
    let text = std::fs::read_to_string(path).unwrap();
    let mut positions = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (fen, totals) = line.split_once(" ;").unwrap();
        let mut game = Chess::from_fen(fen).unwrap();
        for total in totals.split(" ;") {
            let (depth, leaves) = total.split_once(' ').unwrap();
            let (depth, leaves): (u32, u64) = (depth[1..].parse().unwrap(), leaves.parse().unwrap());
            if leaves <= LEAVES {
                assert_eq!(perft::count(&mut game, depth), leaves, "{fen} at depth {depth}");
            }
        }
        positions += 1;
    }
    assert!(positions >= 40, "{positions} positions");
}

/// Returns the legal moves according to cozy-chess, which always writes castling as king takes rook.
fn by_cozy(fen: &str) -> Vec<String> {
    let shredder = fen.split(' ').nth(2).unwrap().contains(|c: char| "ABCDEFGHabcdefgh".contains(c));
    let board = cozy_chess::Board::from_fen(fen, shredder).unwrap();
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set.into_iter().map(|m| m.to_string()));
        false
    });
    moves.sort();
    moves
}

#[test]
fn cozy_chess_finds_the_same_moves() {
    random_games(21, 100, 100, |game, moves| {
        // cozy-chess does not detect how castling rights are written, so it always receives Shredder-FEN.
        let fen = shredder(game);
        let mut ours: Vec<String> =
            moves.iter().map(|m| m.to_uci(shakmaty::CastlingMode::Chess960).to_string()).collect();
        ours.sort();
        assert_eq!(ours, by_cozy(&fen), "{fen}");
    });
}

/// The position as Shredder-FEN, which states castling rights by the files of the rooks.
fn shredder(game: &Chess) -> String {
    use shakmaty::Position;
    let rights = game.position().castles().castling_rights();
    let files: String = rights
        .into_iter()
        .map(|square| match square.rank() {
            shakmaty::Rank::First => square.file().upper_char(),
            _ => square.file().char(),
        })
        .collect();
    let text = game.to_text();
    let mut fields: Vec<&str> = text.split(' ').collect();
    if !files.is_empty() {
        fields[2] = &files;
    }
    fields.join(" ")
}
