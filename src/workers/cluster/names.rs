//! Identities on the wire, and the subjects by which they are reached.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A master: a number derived from its public key, and how many times it has built its worker pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Owner {
    #[serde(with = "postcard::fixint::le")]
    pub master: u64,
    pub epoch: u32,
}

/// A `hasami worker`: a number derived from its public key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct WorkerNodeId(#[serde(with = "postcard::fixint::le")] pub u64);

/// One worker's service for one master. Drawn at random, so that only these two know it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Lease(#[serde(with = "postcard::fixint::le")] pub u64);

impl Owner {
    /// An owner that has no keys yet.
    pub const UNNAMED: Self = Self { master: 0, epoch: 1 };
}

impl fmt::Display for WorkerNodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A network, and how its output is scaled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct NetworkId {
    pub sha256: [u8; 32],
    /// Size of its file.
    pub bytes: u32,
    /// The divisor of the output; 0 for networks that have none.
    pub fv_scale: u32,
}

impl fmt::Display for NetworkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sha256[..6].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The name of a group of machines that are used together, and apart from other machines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PoolName([u8; Self::LONGEST]);

impl PoolName {
    /// Longest name in characters, which may be letters, digits, `-` and `_`.
    const LONGEST: usize = 16;
}

impl FromStr for PoolName {
    /// Says what was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        if !is_plain || text.is_empty() || text.len() > Self::LONGEST {
            return Err(format!("expected the name of a pool of 1 to {} letters, digits, - and _", Self::LONGEST));
        }
        let mut name = [0; Self::LONGEST];
        name[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self(name))
    }
}

impl fmt::Display for PoolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.0).unwrap_or_default().trim_end_matches('\0'))
    }
}

/// The version of the layout of subjects, and of the permissions that a server grants for them. It is a part of every
/// subject. It is separate from the version of the messages, so that programs of different versions receive each
/// other's messages and can report that they do not understand them.
const LAYOUT: u8 = 1;

/// A destination of messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// Beats of masters, for all worker nodes.
    Masters,
    /// Beats of masters, for the worker nodes of a pool.
    Pool(PoolName),
    /// Requests for a list of the members.
    Discovery,
    /// Tells a machine to accept no more work and to end.
    Drain,
    WorkerNode(WorkerNodeId),
    Master(u64),
    /// News of a team.
    News(u64),
    /// Answers to a request for the members.
    Reply(u64),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hasami.{LAYOUT}.")?;
        match self {
            Self::Masters => f.write_str("masters"),
            Self::Pool(name) => write!(f, "masters.{name}"),
            Self::Discovery => f.write_str("roll"),
            Self::Drain => f.write_str("drain"),
            Self::WorkerNode(node) => write!(f, "station.{node}"),
            Self::Master(master) => write!(f, "master.{master:016x}"),
            Self::News(team) => write!(f, "news.{team:016x}"),
            Self::Reply(asker) => write!(f, "reply.{asker:016x}"),
        }
    }
}

impl Subject {
    /// Parses the name of a subject.
    pub fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("hasami.")?.strip_prefix(&LAYOUT.to_string())?.strip_prefix('.')?;
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        match rest.split_once('.') {
            None if rest == "masters" => Some(Self::Masters),
            None if rest == "roll" => Some(Self::Discovery),
            None if rest == "drain" => Some(Self::Drain),
            Some(("masters", name)) => name.parse().ok().map(Self::Pool),
            Some(("station", id)) => number(id).map(WorkerNodeId).map(Self::WorkerNode),
            Some(("master", id)) => number(id).map(Self::Master),
            Some(("news", id)) => number(id).map(Self::News),
            Some(("reply", id)) => number(id).map(Self::Reply),
            _ => None,
        }
    }
}
