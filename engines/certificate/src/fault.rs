//! Errors for files that are not valid certificates.

use hasami_api::MoveText;
use std::fmt;

/// The reason why a file is not a valid certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileFault {
    /// The file is shorter than any certificate.
    Short {
        /// Smallest size, in bytes.
        least: usize,
        /// Size of the file, in bytes.
        found: usize,
    },
    /// The file does not begin with the magic number.
    Magic {
        /// The first four bytes of the file, escaped as in source code.
        found: String,
    },
    /// The version is unknown.
    Version {
        /// The version that is known.
        known: u8,
        /// The version of the file.
        found: u8,
    },
    /// The file was changed or truncated.
    Crc {
        /// The CRC-32 stored in the file.
        expected: u32,
        /// The CRC-32 computed from the bytes of the file.
        found: u32,
    },
    /// The content would be too large for its deflated form.
    Dense {
        /// Largest number of bytes of content per deflated byte.
        most: usize,
        /// Size of the content according to the file.
        found: usize,
    },
    /// The data do not inflate to a content of the given size.
    Deflated {
        /// The declared size of the content, in bytes.
        size: usize,
    },
    /// A part of the content is invalid.
    Content {
        /// Number of bytes read before the fault.
        at: usize,
        /// The kind of data that was expected at this place.
        expected: Expected,
        /// The data that were found at this place.
        found: Found,
    },
    /// The claim is impossible.
    Claim(ClaimFault),
}

/// The reason why a claim is impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimFault {
    /// The claim is a brinkmate of an even number of plies.
    Even(u16),
    /// The limit of a claim is too large.
    Beyond {
        /// The largest limit.
        most: u16,
        /// The limit of the claim.
        found: u16,
    },
}

/// The expectation that the content violates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Expected {
    End,
    PositionLength,
    Position,
    ShortPosition(usize),
    PlainPosition,
    Claim,
    KnownClaim,
    Plies,
    FewPlies(usize),
    MoveCount,
    FewMoves(usize),
    MoveLength,
    Move,
    ShortMove,
    NewMove,
    AscendingMoves,
    MoveOf(usize),
    NodeCount,
    SomeNode,
    FewerNodes,
    Node,
    NodeOf(usize),
    EarlierNode,
    NodeBefore(usize),
    Reply,
    GroupCount,
    OneWay,
}

/// The value found in the content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Found {
    End,
    More(usize),
    None,
    Number(u32),
    LargeNumber,
    Uncovered(usize),
    OtherBytes,
    Again(MoveText),
    SameMove,
    Node(i64),
    Before(u32),
    TwoWays(u16),
    TooMany,
}

impl Expected {
    /// Returns the keyword by which translations are found, and the number that they contain.
    pub const fn word(self) -> (&'static str, Option<usize>) {
        match self {
            Self::End => ("end", None),
            Self::PositionLength => ("position-length", None),
            Self::Position => ("position", None),
            Self::ShortPosition(most) => ("short-position", Some(most)),
            Self::PlainPosition => ("plain-position", None),
            Self::Claim => ("claim", None),
            Self::KnownClaim => ("known-claim", None),
            Self::Plies => ("plies", None),
            Self::FewPlies(most) => ("few-plies", Some(most)),
            Self::MoveCount => ("move-count", None),
            Self::FewMoves(most) => ("few-moves", Some(most)),
            Self::MoveLength => ("move-length", None),
            Self::Move => ("move", None),
            Self::ShortMove => ("short-move", None),
            Self::NewMove => ("new-move", None),
            Self::AscendingMoves => ("ascending-moves", None),
            Self::MoveOf(count) => ("move-of", Some(count)),
            Self::NodeCount => ("node-count", None),
            Self::SomeNode => ("some-node", None),
            Self::FewerNodes => ("fewer-nodes", None),
            Self::Node => ("node", None),
            Self::NodeOf(count) => ("node-of", Some(count)),
            Self::EarlierNode => ("earlier-node", None),
            Self::NodeBefore(count) => ("node-before", Some(count)),
            Self::Reply => ("reply", None),
            Self::GroupCount => ("group-count", None),
            Self::OneWay => ("one-way", None),
        }
    }
}

impl Found {
    /// Returns the keyword by which translations are found, and the number or move that they contain.
    pub fn word(self) -> (&'static str, String) {
        match self {
            Self::End => ("end", String::new()),
            Self::More(bytes) => ("more", bytes.to_string()),
            Self::None => ("none", String::new()),
            Self::Number(number) => ("number", number.to_string()),
            Self::LargeNumber => ("large-number", String::new()),
            Self::Uncovered(count) => ("uncovered", count.to_string()),
            Self::OtherBytes => ("other-bytes", String::new()),
            Self::Again(mv) => ("again", mv.to_string()),
            Self::SameMove => ("same-move", String::new()),
            Self::Node(index) => ("node", index.to_string()),
            Self::Before(count) => ("before", count.to_string()),
            Self::TwoWays(mv) => ("two-ways", mv.to_string()),
            Self::TooMany => ("too-many", String::new()),
        }
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short { least, found } => {
                write!(f, "expected a certificate of at least {least} bytes, found {found}")
            }
            Self::Magic { found } => write!(f, "expected a certificate (HBMC), found '{found}'"),
            Self::Version { known, found } => {
                write!(f, "expected a certificate of version {known}, found {found}")
            }
            Self::Crc { expected, found } => write!(f, "expected the CRC-32 {expected:08x}, found {found:08x}"),
            Self::Dense { most, found } => {
                write!(f, "expected at most {most} bytes for each deflated one, found {found} bytes")
            }
            Self::Deflated { size } => write!(f, "expected deflated data of {size} bytes, found others"),
            Self::Content { at, expected, found } => {
                write!(f, "byte {at} of the content: expected {expected}, found {found}")
            }
            Self::Claim(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for FileFault {}

impl From<ClaimFault> for FileFault {
    fn from(fault: ClaimFault) -> Self {
        Self::Claim(fault)
    }
}

impl fmt::Display for ClaimFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Even(plies) => write!(f, "expected a brinkmate of an odd number of plies, found {plies}"),
            Self::Beyond { most, found } => write!(f, "expected a limit of at most {most} plies, found {found}"),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("the end"),
            Self::PositionLength => f.write_str("the length of a position"),
            Self::Position => f.write_str("a position"),
            Self::ShortPosition(most) => write!(f, "a position of at most {most} bytes"),
            Self::PlainPosition => f.write_str("a position in printable ASCII"),
            Self::Claim => f.write_str("a claim"),
            Self::KnownClaim => f.write_str("a claim from 0 to 3"),
            Self::Plies => f.write_str("a number of plies"),
            Self::FewPlies(most) => write!(f, "at most {most} plies"),
            Self::MoveCount => f.write_str("a number of moves"),
            Self::FewMoves(most) => write!(f, "at most {most} moves"),
            Self::MoveLength => f.write_str("the length of a move"),
            Self::Move => f.write_str("a move"),
            Self::ShortMove => f.write_str("a move of 1 to 7 characters"),
            Self::NewMove => f.write_str("each move once"),
            Self::AscendingMoves => f.write_str("moves in ascending order"),
            Self::MoveOf(count) => write!(f, "one of {count} moves"),
            Self::NodeCount => f.write_str("a number of nodes"),
            Self::SomeNode => f.write_str("at least one node"),
            Self::FewerNodes => f.write_str("fewer nodes and answers"),
            Self::Node => f.write_str("a node"),
            Self::NodeOf(count) => write!(f, "one of {count} nodes"),
            Self::EarlierNode => f.write_str("an earlier node"),
            Self::NodeBefore(count) => write!(f, "one of {count} nodes before"),
            Self::Reply => f.write_str("a reply"),
            Self::GroupCount => f.write_str("a number of groups"),
            Self::OneWay => f.write_str("one way on after each move"),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("the end"),
            Self::More(bytes) => write!(f, "{bytes} bytes more"),
            Self::None => f.write_str("none"),
            Self::Number(number) => write!(f, "{number}"),
            Self::LargeNumber => f.write_str("a number of more than 32 bits"),
            Self::Uncovered(count) => write!(f, "{count}, more than there are bytes for"),
            Self::OtherBytes => f.write_str("other bytes"),
            Self::Again(mv) => write!(f, "'{mv}' twice"),
            Self::SameMove => f.write_str("one twice"),
            Self::Node(index) => write!(f, "node {index}"),
            Self::Before(count) => write!(f, "that {count} before"),
            Self::TwoWays(mv) => write!(f, "two after move {mv}"),
            Self::TooMany => f.write_str("more than fit"),
        }
    }
}
