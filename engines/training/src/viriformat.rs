//! Reads and writes chess games in the format of the engine viridithas ("viriformat"): a start position of 32 bytes,
//! four bytes for each move, and four zero bytes at the end.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | bitboard of the occupied squares, bit 0 for a1 |
//! | 16 | the pieces on these squares, 4 bits each, low bits first: 0 pawn to 5 king, 6 a rook that may castle; 8 is added for Black |
//! | 1 | the en passant square or 64; 128 is added if Black is to move |
//! | 1, 2 | half-move clock, full-move number |
//! | 2, 1, 1 | a score (unused), the result for White (0, 1, 2), unused |
//! | 2, 2 | a move, and its score for White; bits of the move: from; to (in castling the rook's square); promotion as role minus knight; and in the highest bits 1 en passant, 2 castling, 3 promotion |

use crate::game::{FormatError, LabelledGame, LabelledMove, SelfPlayGame, begin, replay};
use crate::label::Label;
use hasami_api::{Ending, Game, Outcome, Side};
use hasami_chess::Chess;
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Color, EnPassantMode, FromSetup, Move, Piece, Position, Role, Setup, Square,
};
use std::num::NonZeroU32;

const HEAD: usize = 32;
const ROOK_THAT_CASTLES: u8 = 6;
const NO_SQUARE: u8 = 64;
const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;
/// Maximum number of moves in a game, so that a corrupt file is not read to its end.
const MOST_MOVES: usize = 10_000;

impl LabelledGame for Chess {
    const POSITION_BYTES: usize = crate::chess::BYTES;
    const ENDINGS_OF_FILES: [&'static str; 2] = ["viri", "bullet"];
    const TELLS_ENDINGS: bool = false;

    fn write_position(&self, label: &Label, out: &mut Vec<u8>) -> bool {
        out.extend(crate::chess::pack(self, label));
        true
    }

    fn write_game(played: &SelfPlayGame, out: &mut Vec<u8>) -> Result<(), FormatError> {
        let half_points = played.outcome.half_points(Side::First);
        let half_points = half_points.ok_or_else(|| FormatError("the game has no result".into()))?;
        let begun = out.len();
        out.extend(head(begin::<Chess>(played)?.position(), half_points));
        let written = replay::<Chess>(played, |game, m, step| {
            out.extend(code(m).to_le_bytes());
            let score = if game.side() == Side::First { step.score } else { step.score.saturating_neg() };
            out.extend(score.to_le_bytes());
            Ok(())
        });
        if written.is_err() {
            out.truncate(begun);
        } else {
            out.extend([0; 4]);
        }
        written
    }

    fn read_game(bytes: &[u8]) -> Result<Option<(SelfPlayGame, usize)>, FormatError> {
        let Some((head, moves)) = bytes.split_first_chunk::<HEAD>() else { return Ok(None) };
        let (start, outcome) = read_head(head)?;
        let mut played = SelfPlayGame { start, moves: Vec::new(), outcome, ending: Ending::default() };
        let mut game = begin::<Chess>(&played)?;
        for (number, step) in moves.as_chunks::<4>().0.iter().enumerate().take(MOST_MOVES) {
            let (code, score) = (u16::from_le_bytes([step[0], step[1]]), i16::from_le_bytes([step[2], step[3]]));
            if *step == [0; 4] {
                return Ok(Some((played, HEAD + 4 * (number + 1))));
            }
            let refused = |error| FormatError(format!("move {}: {error}", number + 1));
            let m = game.parse_move(&text(code)).map_err(|error| refused(error.to_string()))?;
            let score = if game.side() == Side::First { score } else { score.saturating_neg() };
            played.moves.push(LabelledMove { text: game.format_move(m), score });
            game.make(m);
        }
        if moves.len() / 4 > MOST_MOVES {
            return Err(FormatError(format!("expected at most {MOST_MOVES} moves, found more")));
        }
        Ok(None)
    }
}

fn head(position: &shakmaty::Chess, half_points: u8) -> [u8; HEAD] {
    let mut bytes = [0; HEAD];
    let board = position.board();
    for (index, (square, piece)) in board.into_iter().enumerate() {
        let can_castle = piece.role == Role::Rook && position.castles().castling_rights().contains(square);
        let role = if can_castle { ROOK_THAT_CASTLES } else { piece.role as u8 - 1 };
        bytes[8 + index / 2] |= (role + 8 * u8::from(piece.color == Color::Black)) << (4 * (index % 2));
    }
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    let en_passant = position.ep_square(EnPassantMode::Legal).map_or(NO_SQUARE, u8::from);
    bytes[24] = en_passant + 128 * u8::from(position.turn() == Color::Black);
    bytes[25] = position.halfmoves().min(255) as u8;
    bytes[26..28].copy_from_slice(&(position.fullmoves().get().min(65_535) as u16).to_le_bytes());
    bytes[30] = half_points;
    bytes
}

/// Reads the pieces from the bytes of a position, and the squares of the rooks that may castle. An error text names the
/// flaw.
pub fn board(bytes: &[u8; 32]) -> Result<(Board, Bitboard), &'static str> {
    let occupied = Bitboard(u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")));
    if occupied.count() > 32 {
        return Err("more than 32 pieces");
    }
    let (mut board, mut castling) = (Board::empty(), Bitboard::EMPTY);
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = Color::from_white(code < 8);
        let role = match code % 8 {
            ROOK_THAT_CASTLES => {
                castling |= square;
                Role::Rook
            }
            7 => return Err("a piece of no kind"),
            role => Role::ALL[usize::from(role)],
        };
        board.set_piece_at(square, Piece { color, role });
    }
    Ok((board, castling))
}

/// Returns the start position of a game as FEN, and its result.
fn read_head(bytes: &[u8; HEAD]) -> Result<(String, Outcome), FormatError> {
    let refused = |found: &str| FormatError(format!("expected a chess game in viriformat, found {found}"));
    let (board, castling) = board(bytes).map_err(refused)?;
    let setup = Setup {
        board,
        turn: Color::from_white(bytes[24] < 128),
        castling_rights: castling,
        ep_square: Square::try_from(bytes[24] % 128).ok(),
        halfmoves: bytes[25].into(),
        fullmoves: NonZeroU32::new(u16::from_le_bytes([bytes[26], bytes[27]]).into()).unwrap_or(NonZeroU32::MIN),
        ..Setup::empty()
    };
    let mode = CastlingMode::detect(&setup);
    let position = shakmaty::Chess::from_setup(setup, mode)
        .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .map_err(|error| refused(&error.to_string()))?;
    let outcome = match bytes[30] {
        0 => Outcome::Win(Side::Second),
        1 => Outcome::Draw,
        2 => Outcome::Win(Side::First),
        other => return Err(refused(&format!("the result {other}"))),
    };
    Ok((Fen::from_position(&position, EnPassantMode::Legal).to_string(), outcome))
}

fn code(m: Move) -> u16 {
    let squares = |from: Square, to: Square| u16::from(u8::from(from)) | u16::from(u8::from(to)) << 6;
    match m {
        Move::Normal { from, to, promotion: Some(role), .. } => {
            squares(from, to) | (role as u16 - Role::Knight as u16) << 12 | PROMOTION
        }
        Move::Normal { from, to, .. } => squares(from, to),
        Move::EnPassant { from, to } => squares(from, to) | EN_PASSANT,
        Move::Castle { king, rook } => squares(king, rook) | CASTLING,
        Move::Put { to, .. } => squares(to, to),
    }
}

/// Formats a packed move in UCI notation, with castling as the king capturing the rook.
fn text(code: u16) -> String {
    let square = |bits: u16| Square::new(u32::from(bits & 63));
    let promotion = match code & PROMOTION {
        PROMOTION => &"nbrq"[usize::from(code >> 12 & 3)..][..1],
        _ => "",
    };
    format!("{}{}{promotion}", square(code), square(code >> 6))
}
