//! Counts refused messages by reason.

/// The reason why a message was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A limit on the number of messages or requests was exceeded.
    Quota,
    /// The message has the format of another version.
    Version,
    /// The content of the message is invalid.
    Senseless,
}

impl Refusal {
    pub const ALL: [Self; 3] = [Self::Quota, Self::Version, Self::Senseless];

    /// The name of the reason in metrics.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Quota => "quota",
            Self::Version => "version",
            Self::Senseless => "senseless",
        }
    }
}

/// A refused message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedMessage {
    pub reason: Refusal,
    /// The reason in words: what was expected and what was found.
    pub why: String,
}

impl RefusedMessage {
    pub const fn beyond_quota(why: String) -> Self {
        Self { reason: Refusal::Quota, why }
    }

    /// Replaces the reason if the message turned out to have the format of another version.
    pub fn with_version(self, other: Option<u8>) -> Self {
        if other.is_some() { Self { reason: Refusal::Version, ..self } } else { self }
    }
}

/// An error without a more specific reason means that the content is invalid.
impl From<String> for RefusedMessage {
    fn from(why: String) -> Self {
        Self { reason: Refusal::Senseless, why }
    }
}

/// Number of refused messages for each reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Refusals([u64; Refusal::ALL.len()]);

impl Refusals {
    pub fn add(&mut self, why: Refusal) {
        self.0[why as usize] += 1;
    }

    pub fn count(&self, why: Refusal) -> u64 {
        self.0[why as usize]
    }

    /// The counts, with the names of their reasons in metrics.
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        Refusal::ALL.map(|why| (why.word(), self.count(why))).to_vec()
    }

    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
