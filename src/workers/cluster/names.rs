//! Who is who on the wire, and the subjects under which they are reached.

use rand::Rng;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A master: a number drawn at its start, and how often it has built its crew since.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Owner {
    #[serde(with = "postcard::fixint::le")]
    pub master: u64,
    pub epoch: u32,
}

/// A `hasami worker`: a number drawn at its start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct StationId(#[serde(with = "postcard::fixint::le")] pub u64);

/// One worker's service for one master. Drawn at random, so that only the two of them know it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Lease(#[serde(with = "postcard::fixint::le")] pub u64);

impl Owner {
    /// One that nobody has had.
    pub fn draw() -> Self {
        Self { master: rand::rng().random(), epoch: 1 }
    }
}

impl StationId {
    pub fn draw() -> Self {
        Self(rand::rng().random())
    }
}

impl fmt::Display for StationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Where messages go. The version of the protocol is a part of every subject, so versions never hear each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// Beats of masters, for all stations.
    Masters,
    /// Asks who is there.
    Roll,
    Station(StationId),
    Master(u64),
    /// News of the teams that work for a master.
    News(u64),
    /// Who asked for the roll.
    Reply(u64),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hasami.{}.", super::wire::VERSION)?;
        match self {
            Self::Masters => f.write_str("masters"),
            Self::Roll => f.write_str("roll"),
            Self::Station(station) => write!(f, "station.{station}"),
            Self::Master(master) => write!(f, "master.{master:016x}"),
            Self::News(master) => write!(f, "news.{master:016x}"),
            Self::Reply(asker) => write!(f, "reply.{asker:016x}"),
        }
    }
}

impl Subject {
    /// The subject of this name.
    pub fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("hasami.")?.strip_prefix(&super::wire::VERSION.to_string())?.strip_prefix('.')?;
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        match rest.split_once('.') {
            None if rest == "masters" => Some(Self::Masters),
            None if rest == "roll" => Some(Self::Roll),
            Some(("station", id)) => number(id).map(StationId).map(Self::Station),
            Some(("master", id)) => number(id).map(Self::Master),
            Some(("news", id)) => number(id).map(Self::News),
            Some(("reply", id)) => number(id).map(Self::Reply),
            _ => None,
        }
    }
}
