//! How components pass positions to each other: as a start position and the moves played from it.
//!
//! Unlike a position alone, a [`Line`] allows its receiver to detect repetitions (see decision 3 in `src/lib.rs`).

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

/// A move in the notation of its game (`e2e4`, `e7e8q`, `7g7f`, `P*5e`). A move text has at most seven ASCII
/// characters, so that the type can be `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveText {
    len: u8,
    bytes: [u8; 7],
}

/// The error for a text that cannot be a move in any supported game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTextError;

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a move of 1 to 7 ASCII characters without blanks")
    }
}

impl std::error::Error for MoveTextError {}

impl FromStr for MoveText {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Self, MoveTextError> {
        let source = text.as_bytes();
        if source.is_empty() || source.len() > 7 || !source.iter().all(u8::is_ascii_graphic) {
            return Err(MoveTextError);
        }
        let mut bytes = [0; 7];
        bytes[..source.len()].copy_from_slice(source);
        Ok(Self { len: source.len() as u8, bytes })
    }
}

impl Serialize for MoveText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for MoveText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Deref for MoveText {
    type Target = str;

    fn deref(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).expect("only ASCII was stored")
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

/// The rules of a game that its positions do not determine; part of every [`Line`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// Whether moves are in UCI notation for Chess960, where castling is written as the king capturing the rook.
    pub chess960: bool,
    /// The variant of the game's optional rule that is in force: [`Self::NONE`], [`Self::USUAL`] or another number that
    /// the game defines. The numbers of variants must never change, because they are sent to machines that run other
    /// versions of the program.
    pub own: u8,
    /// Number of plies after which the game is drawn; 0 for no limit.
    pub max_moves: u32,
}

impl Rules {
    /// The value of [`Self::own`] that disables the optional rule, as in mate problems.
    pub const NONE: u8 = 0;
    /// The value of [`Self::own`] for the default variant of the optional rule.
    pub const USUAL: u8 = 2;

    /// The rules of mate problems, in which neither side may declare a win and the number of moves is not limited.
    pub const OF_PROBLEMS: Self = Self { chess960: false, own: Self::NONE, max_moves: 0 };

    /// The rules of mate problems in which the side to be mated moves first, so that the other side needs no king. No
    /// game supports the value 250 of `own`, so no position with these rules can be played as a game.
    pub const OF_DEFENCES: Self = Self { chess960: false, own: 250, max_moves: 0 };
}

impl Default for Rules {
    fn default() -> Self {
        Self { chess960: false, own: Self::USUAL, max_moves: 0 }
    }
}

/// A start position with the rules in force.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Start {
    /// The position in the notation of the game's protocol (FEN, SFEN); `None` for the initial position.
    pub text: Option<Arc<str>>,
    /// The rules in force, which FEN and SFEN do not contain.
    pub rules: Rules,
}

/// A start position and the moves played from it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    /// The position before the first move of the line.
    pub start: Start,
    /// The moves from the start position, in the notation of the game's protocol.
    pub moves: Vec<MoveText>,
}

impl Line {
    /// Returns this line with one more move.
    pub fn with(&self, m: MoveText) -> Self {
        let mut moves = Vec::with_capacity(self.moves.len() + 1);
        moves.extend_from_slice(&self.moves);
        moves.push(m);
        Self { start: self.start.clone(), moves }
    }

    /// Returns the moves of `self` after `earlier`, or `None` if `earlier` is not a prefix of `self`.
    pub fn since(&self, earlier: &Self) -> Option<&[MoveText]> {
        if self.start == earlier.start { self.moves.strip_prefix(earlier.moves.as_slice()) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &[&str]) -> Line {
        let moves = moves.iter().map(|m| m.parse().expect("a move")).collect();
        Line { start: Start::default(), moves }
    }

    #[test]
    fn move_text_keeps_the_text() {
        for text in ["e2e4", "P*5e", "7g7f+", "a", "1234567"] {
            assert_eq!(&*text.parse::<MoveText>().expect("fits"), text);
        }
        for text in ["", "12345678", "e2 e4", "é"] {
            assert_eq!(text.parse::<MoveText>(), Err(MoveTextError), "{text:?}");
        }
    }

    #[test]
    fn since_returns_the_moves_after_a_prefix() {
        let long = line(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!(long.since(&line(&["e2e4"])).map(<[_]>::len), Some(2));
        assert_eq!(long.since(&long), Some(&[][..]));
        assert_eq!(long.since(&line(&["d2d4"])), None);
    }
}
