//! Positions in the form in which they travel: a start position and the moves played from it.
//!
//! A position alone does not know its repetitions; a [`Line`] does (decision 3 of the map in `src/lib.rs`).

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

/// One move in the notation of its game (`e2e4`, `e7e8q`, `7g7f`, `P*5e`): at most seven ASCII characters, `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveText {
    len: u8,
    bytes: [u8; 7],
}

/// A text that cannot be a move of any game here.
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

/// The rules that are settings rather than part of a position. They travel with every line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Moves are written as UCI writes those of Chess960: castling is king-takes-rook.
    pub chess960: bool,
    /// The rule of its own that a game leaves to choose, as it numbers it: [`Self::NONE`], [`Self::USUAL`], or another one.
    /// The numbers travel to machines of other versions.
    pub own: u8,
    /// The game is drawn after this many plies; 0 for no limit.
    pub max_moves: u32,
}

impl Rules {
    /// The game does without its rule, as in problems.
    pub const NONE: u8 = 0;
    /// What the game takes where nothing is said.
    pub const USUAL: u8 = 2;

    /// Those of problems: nobody declares a win in one, and no game is too long.
    pub const OF_PROBLEMS: Self = Self { chess960: false, own: Self::NONE, max_moves: 0 };

    /// The same where the side that is to be mated moves first: the other one needs no king. Its own rule is none that a game
    /// knows, so that no such position gets into one.
    pub const OF_DEFENCES: Self = Self { chess960: false, own: 250, max_moves: 0 };
}

impl Default for Rules {
    fn default() -> Self {
        Self { chess960: false, own: Self::USUAL, max_moves: 0 }
    }
}

/// A start position: FEN or SFEN text, or the game's own initial position.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Start {
    /// The position in the notation of the game's protocol (FEN, SFEN); `None`: the initial position.
    pub text: Option<Arc<str>>,
    /// The rules in force, which no notation has.
    pub rules: Rules,
}

/// A start position and the moves played from it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Line {
    /// The position before the first move.
    pub start: Start,
    /// The moves made since, in the notation of the game's protocol.
    pub moves: Vec<MoveText>,
}

impl Line {
    /// This line with one more move.
    pub fn with(&self, m: MoveText) -> Self {
        let mut moves = Vec::with_capacity(self.moves.len() + 1);
        moves.extend_from_slice(&self.moves);
        moves.push(m);
        Self { start: self.start.clone(), moves }
    }

    /// The moves that `self` has after `earlier`, or `None` if `earlier` is not a beginning of it.
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
    fn move_text_is_its_text() {
        for text in ["e2e4", "P*5e", "7g7f+", "a", "1234567"] {
            assert_eq!(&*text.parse::<MoveText>().expect("fits"), text);
        }
        for text in ["", "12345678", "e2 e4", "é"] {
            assert_eq!(text.parse::<MoveText>(), Err(MoveTextError), "{text:?}");
        }
    }

    #[test]
    fn since_is_the_tail() {
        let long = line(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!(long.since(&line(&["e2e4"])).map(<[_]>::len), Some(2));
        assert_eq!(long.since(&long), Some(&[][..]));
        assert_eq!(long.since(&line(&["d2d4"])), None);
    }
}
