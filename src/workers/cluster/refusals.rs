//! Counts refused messages by reason.

/// Why a message was not opened, or its content was rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Its length is invalid, or its content names another sender.
    Malformed,
    /// The sender is not known here.
    Stranger,
    /// It was not made by the sender that it names, not addressed to this recipient, or modified in transit.
    Forged,
    /// It was received before, or is too old to know that.
    Repeated,
    /// A limit on the number of messages or requests was exceeded.
    Quota,
    /// It has the format of another version.
    Version,
    /// Its content makes no sense.
    Senseless,
}

impl Refusal {
    pub const ALL: [Self; 7] =
        [Self::Malformed, Self::Stranger, Self::Forged, Self::Repeated, Self::Quota, Self::Version, Self::Senseless];

    /// The reason's name in metrics.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Stranger => "stranger",
            Self::Forged => "forged",
            Self::Repeated => "repeated",
            Self::Quota => "quota",
            Self::Version => "version",
            Self::Senseless => "senseless",
        }
    }
}

/// A message that could be opened but was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedMessage {
    pub reason: Refusal,
    /// What was expected and what was found.
    pub why: String,
}

impl RefusedMessage {
    pub const fn beyond_quota(why: String) -> Self {
        Self { reason: Refusal::Quota, why }
    }

    /// Replaces the reason if the message turned out to be of another version.
    pub fn with_version(self, other: Option<u8>) -> Self {
        if other.is_some() { Self { reason: Refusal::Version, ..self } } else { self }
    }
}

/// An error without another reason means that the content makes no sense.
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

    /// The sum of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|why| self.0[why].saturating_add(other.0[why])))
    }

    /// The counts with the names of their reasons in metrics.
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        Refusal::ALL.map(|why| (why.word(), self.count(why))).to_vec()
    }

    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
