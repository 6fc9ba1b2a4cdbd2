//! Corrections for endgames that the linear terms misjudge: endgames that cannot be won, and mating a bare king.

use super::info::{AttackMaps, index};
use shakmaty::{Bitboard, Board, Color, Role, Square};

/// The scale of an endgame whose score is not reduced.
pub const FULL: i32 = 64;

/// The share of the advantage of `strong` in the endgame that counts, out of [`FULL`].
pub fn scale(strong: Color, info: &AttackMaps) -> i32 {
    let board = info.board;
    let pawns = info.pawns[index(strong)].count() as i32;
    if pawns == 0 {
        return pawnless(board, strong);
    }
    if let Some(scale) = opposite_bishops(board, pawns) {
        return scale;
    }
    if rook_pawn_with_wrong_bishop(strong, info) {
        return 0;
    }
    (40 + 6 * pawns).min(FULL)
}

/// The scale for a side without pawns. A side without pawns can hardly ever win unless it is ahead by at least a rook.
fn pawnless(board: &Board, strong: Color) -> i32 {
    let ours = pieces_worth(board, strong);
    let theirs = pieces_worth(board, strong.other());
    let knights_only = ours == 6 && (board.by_color(strong) & board.knights()).count() == 2;
    match ours - theirs {
        _ if ours <= 3 => 0,
        _ if knights_only => 0,
        ..=3 => 10,
        _ => FULL,
    }
}

/// The value of a side's pieces, counted in pawns: minor pieces 3, rooks 5, queens 9.
fn pieces_worth(board: &Board, side: Color) -> i32 {
    let ours = board.by_color(side);
    let minors = (ours & (board.knights() | board.bishops())).count();
    let rooks = (ours & board.rooks()).count();
    let queens = (ours & board.queens()).count();
    (3 * minors + 5 * rooks + 9 * queens) as i32
}

/// The scale with one bishop each, of opposite colours. The scale is lowest if there are no other pieces.
fn opposite_bishops(board: &Board, pawns: i32) -> Option<i32> {
    let white = (board.bishops() & board.white()).single_square()?;
    let black = (board.bishops() & board.black()).single_square()?;
    if Bitboard::DARK_SQUARES.contains(white) == Bitboard::DARK_SQUARES.contains(black) {
        return None;
    }
    let others = board.knights() | board.rooks_and_queens();
    Some(if others.is_empty() { (16 + 5 * pawns).min(FULL) } else { (36 + 4 * pawns).min(FULL) })
}

/// Does `strong` have only a bishop and pawns on one rook file, where the promotion square does not have the bishop's
/// colour and the enemy king is on or next to it?
fn rook_pawn_with_wrong_bishop(strong: Color, info: &AttackMaps) -> bool {
    let board = info.board;
    let pawns = info.pawns[index(strong)];
    let file = pawns & (Bitboard::from_file(shakmaty::File::A) | Bitboard::from_file(shakmaty::File::H));
    let pieces = board.by_color(strong) & !(board.pawns() | board.kings());
    let Some(bishop) = (pieces & board.bishops()).single_square().filter(|_| pieces.count() == 1) else {
        return false;
    };
    let Some(pawn) = file.first().filter(|pawn| pawns == pawns & Bitboard::from_file(pawn.file())) else {
        return false;
    };
    let corner = Square::from_coords(pawn.file(), strong.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First));
    let wrong = Bitboard::DARK_SQUARES.contains(bishop) != Bitboard::DARK_SQUARES.contains(corner);
    wrong && info.kings[index(strong.other())].distance(corner) <= 1
}

/// A bonus for driving a bare king to the edge (with bishop and knight: to a corner of the bishop's colour), in
/// centipawns from White's point of view.
pub fn mop_up(info: &AttackMaps) -> i32 {
    let board = info.board;
    for strong in Color::ALL {
        let weak = strong.other();
        if board.by_color(weak).count() == 1 && board.pawns().is_empty() && pawnless(board, strong) == FULL {
            let bonus = cornered(strong, info);
            return strong.fold_wb(bonus, -bonus);
        }
    }
    0
}

fn cornered(strong: Color, info: &AttackMaps) -> i32 {
    let board = info.board;
    let victim = info.kings[index(strong.other())];
    let near = 14 - distance_of_ranks_and_files(victim, info.kings[index(strong)]);
    let ours = board.by_color(strong);
    let bishop = (ours & board.bishops()).single_square();
    let minors_only = (board.rooks_and_queens() & ours).is_empty();
    let has_knight = info.men(strong, Role::Knight).any();
    let edge = match bishop.filter(|_| minors_only && has_knight) {
        Some(bishop) => {
            let dark = Bitboard::DARK_SQUARES.contains(bishop);
            let corners = if dark { [Square::A1, Square::H8] } else { [Square::A8, Square::H1] };
            let away = corners.map(|corner| distance_of_ranks_and_files(victim, corner));
            2 * (14 - away[0].min(away[1]))
        }
        None => 4 * centre_distance(victim),
    };
    300 + 10 * edge + 4 * near
}

fn distance_of_ranks_and_files(a: Square, b: Square) -> i32 {
    let files = u32::from(a.file()).abs_diff(u32::from(b.file()));
    let ranks = u32::from(a.rank()).abs_diff(u32::from(b.rank()));
    (files + ranks) as i32
}

/// Distance from the centre: 0 for the four central squares, 6 for the corners.
fn centre_distance(square: Square) -> i32 {
    let off = |line: u32| if line < 4 { 3 - line } else { line - 4 };
    (off(u32::from(square.file())) + off(u32::from(square.rank()))) as i32
}
