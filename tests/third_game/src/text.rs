//! Reads and writes positions in SFEN and moves in USI's notation, both adapted to minishogi's smaller board.

use crate::Move;
use crate::board::{Kind, Piece, Position, SQUARES, WIDTH};
use hasami_api::{MoveText, Side};

pub const START: &str = "rbsgk/4p/5/P4/KGSBR b - 1";

fn letter(kind: Kind) -> char {
    ['P', 'S', 'B', 'R', 'G', 'K'][kind as usize]
}

fn kind(letter: char) -> Option<Kind> {
    Kind::ALL.into_iter().find(|&kind| self::letter(kind) == letter.to_ascii_uppercase())
}

fn of_side(letter: char, side: Side) -> char {
    if side == Side::First { letter } else { letter.to_ascii_lowercase() }
}

/// Reads a position and the number of plies that precede it.
pub fn read(text: &str) -> Result<(Position, u32), String> {
    let wrong = || format!("expected a minishogi position in SFEN, found '{text}'");
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [board, side, hands, rest @ ..] = &fields[..] else { return Err(wrong()) };
    let side = match *side {
        "b" => Side::First,
        "w" => Side::Second,
        _ => return Err(wrong()),
    };
    let number = match rest {
        [] => 1,
        [number] => number.parse::<u32>().ok().filter(|&number| number > 0).ok_or_else(wrong)?,
        _ => return Err(wrong()),
    };
    let squares = read_board(board).ok_or_else(wrong)?;
    let position = Position { squares, hands: read_hands(hands).ok_or_else(wrong)?, side };
    let too_many = |side| position.pieces().filter(|(_, p)| p.kind == Kind::King && p.side == side).count() > 1;
    if too_many(Side::First) || too_many(Side::Second) || position.is_checked(side.other()) {
        return Err(wrong());
    }
    Ok((position, number - 1))
}

fn read_board(text: &str) -> Option<[Option<Piece>; SQUARES]> {
    let rows: Vec<&str> = text.split('/').collect();
    let mut squares = Vec::new();
    for row in &rows {
        let (before, mut promoted) = (squares.len(), false);
        for c in row.chars() {
            match c {
                '+' if !promoted => promoted = true,
                '1'..='5' if !promoted => squares.extend((0..c as u8 - b'0').map(|_| None)),
                _ => {
                    let side = if c.is_ascii_uppercase() { Side::First } else { Side::Second };
                    let kind = kind(c).filter(|kind| kind.promotes() || !promoted)?;
                    squares.push(Some(Piece { side, kind, promoted: std::mem::take(&mut promoted) }));
                }
            }
        }
        if promoted || squares.len() != before + usize::from(WIDTH) {
            return None;
        }
    }
    squares.try_into().ok()
}

fn read_hands(text: &str) -> Option<[[u8; Kind::HELD]; 2]> {
    let mut hands = [[0; Kind::HELD]; 2];
    let mut count = None;
    for c in text.chars().filter(|_| text != "-") {
        match c.to_digit(10) {
            Some(digit) if count.is_none() => count = Some(digit as u8),
            Some(_) => return None,
            None => {
                let held = hands[usize::from(c.is_ascii_lowercase())].get_mut(kind(c)? as usize)?;
                *held += count.take().unwrap_or(1);
            }
        }
    }
    count.is_none().then_some(hands)
}

pub fn write(position: &Position, plies: u32) -> String {
    let rows = position.squares.chunks(usize::from(WIDTH)).map(write_row).collect::<Vec<_>>();
    let side = if position.side == Side::First { 'b' } else { 'w' };
    let mut hands = String::new();
    for side in [Side::First, Side::Second] {
        let held = [Kind::Rook, Kind::Bishop, Kind::Gold, Kind::Silver, Kind::Pawn];
        for kind in held {
            match position.hands[side.index()][kind as usize] {
                0 => {}
                1 => hands.push(of_side(letter(kind), side)),
                many => hands += &format!("{many}{}", of_side(letter(kind), side)),
            }
        }
    }
    let hands = if hands.is_empty() { "-".to_owned() } else { hands };
    format!("{} {side} {hands} {}", rows.join("/"), plies + 1)
}

fn write_row(row: &[Option<Piece>]) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for piece in row {
        let Some(piece) = piece else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            text += &std::mem::take(&mut empty).to_string();
        }
        text += if piece.promoted { "+" } else { "" };
        text.push(of_side(letter(piece.kind), piece.side));
    }
    if empty > 0 { text + &empty.to_string() } else { text }
}

/// Reads a move such as `5e4d`, `4d3c+` or `G*3c`.
pub fn read_move(text: &str) -> Option<Move> {
    let (text, promotes) = text.strip_suffix('+').map_or((text, false), |text| (text, true));
    let (from, to) = text.split_at_checked(2)?;
    let to = read_square(to)?;
    match from.strip_suffix('*') {
        Some(dropped) => {
            let kind = kind(dropped.chars().next()?).filter(|&kind| kind != Kind::King && !promotes)?;
            Some(Move::drop(kind, to))
        }
        None => Some(Move { from: read_square(from)?, to, promotes }),
    }
}

fn read_square(text: &str) -> Option<u8> {
    match text.as_bytes() {
        &[file @ b'1'..=b'5', rank @ b'a'..=b'e'] => Some((rank - b'a') * WIDTH + (b'5' - file)),
        _ => None,
    }
}

pub fn write_square(square: u8) -> [u8; 2] {
    [b'5' - square % WIDTH, b'a' + square / WIDTH]
}

pub fn write_move(m: Move) -> MoveText {
    let [file, rank] = write_square(m.to).map(char::from);
    let text = match m.dropped() {
        Some(kind) => format!("{}*{file}{rank}", letter(kind)),
        None => {
            let [from_file, from_rank] = write_square(m.from).map(char::from);
            format!("{from_file}{from_rank}{file}{rank}{}", if m.promotes { "+" } else { "" })
        }
    };
    text.parse().expect("five ASCII characters at most")
}
