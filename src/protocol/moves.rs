//! The syntax of moves in UCI and USI. Programs write moves in this syntax; a move in any other syntax is assumed to
//! come from a person.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::Protocol;
use hasami_api::MoveText;

/// Parses a word that has the protocol's syntax of a move. The move may be illegal.
pub(super) fn read(protocol: Protocol, word: &str) -> Option<MoveText> {
    let looks_like_one = match protocol {
        Protocol::Uci => is_uci_move(word.as_bytes()),
        Protocol::Usi => is_usi_move(word.as_bytes()),
    };
    if looks_like_one { word.parse().ok() } else { None }
}

fn is_uci_move(word: &[u8]) -> bool {
    let (squares, promotion) = word.split_at(word.len().min(4));
    matches!(squares, [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8'])
        && matches!(promotion, [] | [b'q' | b'r' | b'b' | b'n' | b'Q' | b'R' | b'B' | b'N'])
}

fn is_usi_move(word: &[u8]) -> bool {
    let (squares, promotion) = word.split_at(word.len().min(4));
    match squares {
        [b'P' | b'L' | b'N' | b'S' | b'G' | b'B' | b'R', b'*', b'1'..=b'9', b'a'..=b'i'] => promotion.is_empty(),
        [b'1'..=b'9', b'a'..=b'i', b'1'..=b'9', b'a'..=b'i'] => matches!(promotion, [] | [b'+']),
        _ => false,
    }
}
