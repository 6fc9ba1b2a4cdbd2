//! Defines how messages identify members, and the subjects under which messages are published.

use hasami_tree::event::MachineId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A user of the message broker, identified by the name in the login.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct User([u8; 32]);

impl User {
    /// The user for logins without a name, such as tokens, and for connections without a login.
    pub const ANYBODY: Self = Self::cut("anybody");

    /// Derives the user from the name in a login. Characters that a subject cannot contain are replaced by `-`, and a
    /// name that is too long is cut.
    pub fn named(login: &str) -> Self {
        let plain: String = login.chars().map(|c| if Self::allows(c) { c } else { '-' }).collect();
        if plain.is_empty() { Self::ANYBODY } else { Self::cut(&plain) }
    }

    /// Parses the printed form of a user.
    fn read(text: &str) -> Option<Self> {
        let fits = text.chars().all(Self::allows) && (1..=32).contains(&text.len());
        fits.then(|| Self::cut(text))
    }

    /// Returns true if a user's name, which is part of subjects, can contain the character `c`.
    const fn allows(c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '-' || c == '_'
    }

    /// Creates a user from a text of allowed characters, and cuts a text that is too long.
    const fn cut(text: &str) -> Self {
        let (mut name, mut index) = ([0; 32], 0);
        while index < name.len() && index < text.len() {
            name[index] = text.as_bytes()[index];
            index += 1;
        }
        Self(name)
    }
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.0).unwrap_or_default().trim_end_matches('\0'))
    }
}

/// A program that takes part in a cluster, identified by its user and a random number that it draws when it starts.
///
/// The server lets a user publish only under its own name, so no user can send messages as a member of another user.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Member {
    pub user: User,
    pub number: u64,
}

impl Member {
    /// Creates a member with a random number.
    pub fn draw(user: User) -> Self {
        Self { user, number: rand::random() }
    }

    /// Parses the printed form of a member.
    fn read(user: &str, number: &str) -> Option<Self> {
        let is_hexadecimal = number.len() == 16 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u64::from_str_radix(number, 16).ok().filter(|_| is_hexadecimal)?;
        Some(Self { user: User::read(user)?, number })
    }

    /// The machine ID under which this member's evaluations are checked. The ID includes the user, since members of
    /// different users may draw the same number.
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

/// The use of one slot by one master, identified by a random number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Lease(#[serde(with = "postcard::fixint::le")] pub u64);

/// Identifies a network by its file and the scale of its output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct NetworkId {
    pub sha256: [u8; 32],
    /// Size of the network's file, in bytes.
    pub bytes: u32,
    /// The divisor of the network's output; 0 for networks without a divisor.
    pub fv_scale: u32,
}

impl fmt::Display for NetworkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sha256[..6].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The version of the subject layout and of the server permissions that match this layout. Every subject contains the
/// layout version. The messages have a separate version, so that programs with different message versions receive each
/// other's messages and can report the difference.
const LAYOUT: u8 = 2;

/// The purpose of a message. In a subject, the sender comes before the purpose, so that the server can check the
/// sender.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// Heartbeats from masters to all worker nodes.
    Masters,
    /// Requests for a list of the members.
    Discovery,
    /// Messages to one member.
    Member(Member),
    /// News of a team, identified by its master and its number.
    News(Member, u64),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Masters => f.write_str("beat"),
            Self::Discovery => f.write_str("roll"),
            Self::Member(member) => write!(f, "to.{member}"),
            Self::News(master, team) => write!(f, "news.{master}.{team}"),
        }
    }
}

impl Subject {
    /// The subject under which `sender` publishes messages with this purpose.
    pub fn of(&self, sender: Member) -> String {
        format!("hasami.{LAYOUT}.{sender}.{self}")
    }

    /// The wildcard subject that matches messages with this purpose from all senders.
    pub fn of_all(&self) -> String {
        format!("hasami.{LAYOUT}.*.*.{self}")
    }

    /// Parses a subject into its sender and its purpose.
    pub fn read(text: &str) -> Option<(Member, Self)> {
        let rest = text.strip_prefix("hasami.")?.strip_prefix(&LAYOUT.to_string())?.strip_prefix('.')?;
        let words: Vec<&str> = rest.split('.').collect();
        let (&[user, number], what) = words.split_first_chunk()?;
        let subject = match what {
            ["beat"] => Self::Masters,
            ["roll"] => Self::Discovery,
            ["to", user, number] => Self::Member(Member::read(user, number)?),
            ["news", user, number, team] => Self::News(Member::read(user, number)?, team.parse().ok()?),
            _ => return None,
        };
        Some((Member::read(user, number)?, subject))
    }
}
