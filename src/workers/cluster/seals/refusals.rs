//! Why messages were refused, counted.

/// Why a message was not opened.
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
    /// More has come than is looked at.
    Quota,
}

impl Refusal {
    pub const ALL: [Self; 5] = [Self::Malformed, Self::Stranger, Self::Forged, Self::Repeated, Self::Quota];

    /// Its name for machines.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Stranger => "stranger",
            Self::Forged => "forged",
            Self::Repeated => "repeated",
            Self::Quota => "quota",
        }
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

    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
