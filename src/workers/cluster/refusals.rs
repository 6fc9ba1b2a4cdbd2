//! Why messages were refused, counted.

/// Why a message was not opened, or what it says not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is too short or too long to be one, or says that somebody else has sent it.
    Malformed,
    /// Its sender is not known here.
    Stranger,
    /// It was not made, or not for here, by whom it names, or was changed on its way.
    Forged,
    /// It has been heard before, or is older than what has been heard for long.
    Repeated,
    /// More has come than is looked at, or there is no room for what it asks.
    Quota,
    /// It is in the form of another version.
    Version,
    /// It says what makes no sense.
    Senseless,
}

impl Refusal {
    pub const ALL: [Self; 7] =
        [Self::Malformed, Self::Stranger, Self::Forged, Self::Repeated, Self::Quota, Self::Version, Self::Senseless];

    /// Its name for machines.
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

/// A message that could be opened, and was refused.
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

    /// The reason, once it is known which version it was in, if not in ours.
    pub fn with_version(self, other: Option<u8>) -> Self {
        if other.is_some() { Self { reason: Refusal::Version, ..self } } else { self }
    }
}

/// What is said of a message makes no sense, unless something else is known.
impl From<String> for RefusedMessage {
    fn from(why: String) -> Self {
        Self { reason: Refusal::Senseless, why }
    }
}

/// How many messages were refused for which reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Refusals([u64; Refusal::ALL.len()]);

impl Refusals {
    pub fn add(&mut self, why: Refusal) {
        self.0[why as usize] += 1;
    }

    pub fn count(&self, why: Refusal) -> u64 {
        self.0[why as usize]
    }

    /// Both together.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|why| self.0[why].saturating_add(other.0[why])))
    }

    /// With their names for machines.
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        Refusal::ALL.map(|why| (why.word(), self.count(why))).to_vec()
    }

    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
