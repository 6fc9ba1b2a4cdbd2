//! An engine's membership in a cluster, from the option `Cluster` or the section `[cluster]` of a children file.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Longest name of a pool in characters.
const LONGEST_POOL: usize = 16;

/// The settings of an engine's membership in a cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// The URLs of the servers, separated by commas.
    pub servers: String,
    pub creds: Option<PathBuf>,
    pub tls_ca: Option<PathBuf>,
    /// The name that users see; `None` for the machine's name and the process ID.
    pub name: Option<String>,
    /// This engine's share of the workers if there are several masters.
    pub weight: u16,
    /// Largest number of workers on each machine; `None` for all workers of the machine.
    pub workers: Option<u32>,
    /// The pools whose machines are used. If empty, machines without a pool are used.
    pub pools: Vec<PoolName>,
}

impl Membership {
    pub fn of(servers: &str) -> Self {
        Self {
            servers: servers.to_owned(),
            creds: None,
            tls_ca: None,
            name: None,
            weight: 1,
            workers: None,
            pools: Vec::new(),
        }
    }
}

/// A word that can be a part of a subject: letters, digits, `-` and `_`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word<const LONGEST: usize>([u8; LONGEST]);

impl<const LONGEST: usize> Word<LONGEST> {
    /// Parses a word. Returns `None` if a character is not allowed or the text is too long.
    pub fn read(text: &str) -> Option<Self> {
        let is_plain = text.bytes().all(Self::allows);
        (is_plain && !text.is_empty() && text.len() <= LONGEST).then(|| Self::cut(text))
    }

    pub const fn allows(byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
    }

    /// Makes a word of a text that contains only allowed characters. A text that is too long is cut.
    pub const fn cut(text: &str) -> Self {
        let (mut word, mut index) = ([0; LONGEST], 0);
        while index < LONGEST && index < text.len() {
            word[index] = text.as_bytes()[index];
            index += 1;
        }
        Self(word)
    }
}

impl<const LONGEST: usize> fmt::Display for Word<LONGEST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.0).unwrap_or_default().trim_end_matches('\0'))
    }
}

/// The name of a group of machines that are used together, and separately from other machines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PoolName(Word<{ LONGEST_POOL }>);

impl FromStr for PoolName {
    /// The error says what was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected the name of a pool of 1 to {} letters, digits, - and _", LONGEST_POOL);
        Word::read(text).map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for PoolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
