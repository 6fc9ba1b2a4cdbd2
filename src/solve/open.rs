//! Why a problem is open, or whether its mate is the shortest.

use hasami_mate::OpenReason;
use hasami_words::Words;
use std::time::Duration;

/// The signal of people.
const CTRL_C: &str = "Ctrl-C";

/// What ended a search before its question was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenBecause {
    /// So much time was allowed.
    Time(Duration),
    /// So many nodes were.
    Nodes(u64),
    /// By this signal: Ctrl-C, SIGTERM.
    Interrupted(&'static str),
    /// The memory is too small.
    Memory,
    /// Lines of more plies were not looked at.
    Plies(usize),
    /// A mate search within the search was ended by a limit of its own.
    Inner,
    /// A proof was found, and could not be written down within the limits of certificates.
    Proof,
}

impl OpenBecause {
    /// `limits`: of time and of nodes; `took`: since the search began.
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

    /// One word, for programs.
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

    /// For people, with the option that would change it.
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
        assert_eq!(OpenBecause::Time(time).text(Words::english()), "2 s are over (--time)");
        assert_eq!(OpenBecause::Nodes(1).text(Words::english()), "1 node made (--nodes)");
    }
}
