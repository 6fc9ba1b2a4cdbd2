//! Reasons why a problem is undecided, or why its mate may not be the shortest.

use hasami_mate::OpenReason;
use hasami_words::Words;
use std::time::Duration;

/// The name of an interrupt from the keyboard, for messages.
const CTRL_C: &str = "Ctrl-C";

/// The cause that ended a search without a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenBecause {
    /// The time limit was reached; the value is the limit.
    Time(Duration),
    /// The node limit was reached; the value is the limit.
    Nodes(u64),
    /// The program received this signal: Ctrl-C or SIGTERM.
    Interrupted(&'static str),
    /// The search ran out of memory.
    Memory,
    /// The ply limit was reached; the value is the limit.
    Plies(usize),
    /// A nested mate search reached its own limit.
    Inner,
    /// A proof was found, but it exceeded the size limits of certificates.
    Proof,
}

impl OpenBecause {
    /// Converts the solver's reason for stopping, and adds the limit that was reached. `limits` are the time and node
    /// limits of the search, and `took` is its duration.
    pub fn of(reason: OpenReason, limits: (Option<Duration>, Option<u64>), took: Duration) -> Self {
        match (reason, limits) {
            (OpenReason::Nodes, (_, Some(nodes))) => Self::Nodes(nodes),
            (OpenReason::Stopped, (Some(time), _)) if took >= time => Self::Time(time),
            (OpenReason::Stopped | OpenReason::Nodes, _) => Self::Interrupted(CTRL_C),
            (OpenReason::Memory, _) => Self::Memory,
            (OpenReason::Plies(plies), _) => Self::Plies(plies),
            (OpenReason::Inner, _) => Self::Inner,
        }
    }

    /// Returns the reason as one word for JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Time(_) => "time",
            Self::Nodes(_) => "nodes",
            Self::Interrupted(_) => "interrupted",
            Self::Memory => "memory",
            Self::Plies(_) => "plies",
            Self::Inner => "inner",
            Self::Proof => "proof",
        }
    }

    /// Returns a sentence with the reason and the option that changes the limit.
    pub fn text(self, words: &Words) -> String {
        match self {
            Self::Time(time) => words.with("open-time", &[("seconds", (&time.as_secs_f64().to_string()).into())]),
            Self::Nodes(nodes) => words.count("open-nodes", nodes),
            Self::Interrupted(signal) => words.with("open-interrupted", &[("signal", signal.into())]),
            Self::Memory => words.get("open-memory"),
            Self::Plies(plies) => words.count("open-plies", plies as u64),
            Self::Inner => words.get("open-inner"),
            Self::Proof => words.get("open-proof"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_the_limit_of_time_or_the_user() {
        let (time, nodes) = (Duration::from_secs(2), 500);
        let limits = (Some(time), Some(nodes));
        let found = |reason, took| OpenBecause::of(reason, limits, Duration::from_millis(took));
        assert_eq!(found(OpenReason::Stopped, 2_000), OpenBecause::Time(time));
        assert_eq!(found(OpenReason::Stopped, 1_999), OpenBecause::Interrupted(CTRL_C));
        assert_eq!(found(OpenReason::Nodes, 2_500), OpenBecause::Nodes(nodes));
        assert_eq!(OpenBecause::Time(time).text(Words::english()), "time limit of 2 s reached (--time)");
        assert_eq!(OpenBecause::Nodes(1).text(Words::english()), "node limit of 1 reached (--nodes)");
    }
}
