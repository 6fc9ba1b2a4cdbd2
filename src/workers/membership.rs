//! An engine's membership in a cluster, from the option `Cluster` or the section `[cluster]` of a children file.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

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
    /// The pools whose machines are used; empty for the machines without a pool.
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

/// The name of a group of machines that are used together, and separately from other machines.
pub type PoolName = Word<16>;

/// A word that can be a part of a subject: letters, digits, `-` and `_`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word<const LONGEST: usize>([u8; LONGEST]);

impl<const LONGEST: usize> Word<LONGEST> {
    pub const fn allows(byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
    }

    /// Creates a word from a text that contains only allowed characters, truncated to `LONGEST` bytes.
    pub const fn cut(text: &str) -> Self {
        let (mut word, mut index) = ([0; LONGEST], 0);
        while index < LONGEST && index < text.len() {
            word[index] = text.as_bytes()[index];
            index += 1;
        }
        Self(word)
    }
}

impl<const LONGEST: usize> FromStr for Word<LONGEST> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fits = text.bytes().all(Self::allows) && (1..=LONGEST).contains(&text.len());
        fits.then(|| Self::cut(text)).ok_or_else(|| format!("expected 1 to {LONGEST} letters, digits, - and _"))
    }
}

impl<const LONGEST: usize> fmt::Display for Word<LONGEST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.0).unwrap_or_default().trim_end_matches('\0'))
    }
}
