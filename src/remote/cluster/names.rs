//! Identities on the wire, and the subjects by which they are reached.

use hasami_tree::event::MachineId;
use hasami_workers::membership::{PoolName, Word};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A user of the server, by the name in its login.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct User(Word<32>);

impl User {
    /// The user of a login without a name: a token, or none at all.
    pub const ANYBODY: Self = Self(Word::cut("anybody"));

    /// Characters that a subject cannot have are replaced by `-`. A long name is cut.
    pub fn named(login: &str) -> Self {
        let plain: String =
            login.chars().map(|c| if c.is_ascii() && Word::<32>::allows(c as u8) { c } else { '-' }).collect();
        if plain.is_empty() { Self::ANYBODY } else { Self(Word::cut(&plain)) }
    }
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A program that takes part: its user, and a number that it draws at its start.
///
/// The server lets a user publish only under its own name, so nobody can speak for a member of another user.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Member {
    pub user: User,
    pub number: u64,
}

impl Member {
    /// Draws a number.
    pub fn draw(user: User) -> Self {
        Self { user, number: rand::random() }
    }

    /// Parses the printed form.
    fn read(user: &str, number: &str) -> Option<Self> {
        let is_hexadecimal = number.len() == 16 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u64::from_str_radix(number, 16).ok().filter(|_| is_hexadecimal)?;
        Some(Self { user: User(Word::read(user)?), number })
    }

    /// The member as a machine whose values are checked. Includes the user, whose members draw their own numbers.
    pub fn machine(&self) -> MachineId {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        MachineId(hasher.finish())
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:016x}", self.user, self.number)
    }
}

/// A master, and how many times it has built its worker pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Owner {
    pub master: Member,
    pub epoch: u32,
}

impl Owner {
    /// The first epoch of a new master.
    pub fn draw(user: User) -> Self {
        Self { master: Member::draw(user), epoch: 1 }
    }
}

/// One worker's service for one master. Drawn at random.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Lease(#[serde(with = "postcard::fixint::le")] pub u64);

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

/// The version of the layout of subjects, and of the permissions that a server grants for them. It is a part of every
/// subject. It is separate from the version of the messages, so that programs of different versions receive each
/// other's messages and can report that they do not understand them.
const LAYOUT: u8 = 2;

/// What a message is for. Its sender precedes this in the name of the subject, so that the server can check it.
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
    /// Messages to one member.
    Member(Member),
    /// News of a team of a master.
    News(Member, u64),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Masters => f.write_str("beat"),
            Self::Pool(name) => write!(f, "beat.{name}"),
            Self::Discovery => f.write_str("roll"),
            Self::Drain => f.write_str("drain"),
            Self::Member(member) => write!(f, "to.{member}"),
            Self::News(master, team) => write!(f, "news.{master}.{team}"),
        }
    }
}

impl Subject {
    /// The name under which a member publishes.
    pub fn of(&self, sender: Member) -> String {
        format!("hasami.{LAYOUT}.{sender}.{self}")
    }

    /// The name that receives the messages of all senders.
    pub fn of_all(&self) -> String {
        format!("hasami.{LAYOUT}.*.*.{self}")
    }

    /// Parses the name under which a member has published.
    pub fn read(text: &str) -> Option<(Member, Self)> {
        let rest = text.strip_prefix("hasami.")?.strip_prefix(&LAYOUT.to_string())?.strip_prefix('.')?;
        let words: Vec<&str> = rest.split('.').collect();
        let (&[user, number], what) = words.split_first_chunk()?;
        let subject = match what {
            ["beat"] => Self::Masters,
            ["beat", name] => Self::Pool(name.parse().ok()?),
            ["roll"] => Self::Discovery,
            ["drain"] => Self::Drain,
            ["to", user, number] => Self::Member(Member::read(user, number)?),
            ["news", user, number, team] => Self::News(Member::read(user, number)?, team.parse().ok()?),
            _ => return None,
        };
        Some((Member::read(user, number)?, subject))
    }
}
