//! Why a problem is open, or whether its mate is the shortest.

use crate::text::counted;
use hasami_mate::OpenReason;
use std::fmt;
use std::time::Duration;

/// What ended a search before its question was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenBecause {
    /// So much time was allowed.
    Time(Duration),
    /// So many nodes were.
    Nodes(u64),
    /// Ctrl-C.
    Interrupted,
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
            (OpenReason::Stopped | OpenReason::Nodes, _) => Self::Interrupted,
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
            Self::Interrupted => "interrupted",
            Self::Memory => "memory",
            Self::Plies(_) => "plies",
            Self::Inner => "inner",
            Self::Proof => "proof",
        }
    }
}

/// For people, with the option that would change it.
impl fmt::Display for OpenBecause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Time(time) => write!(f, "{} s are over (--time)", time.as_secs_f64()),
            Self::Nodes(nodes) => write!(f, "{} made (--nodes)", counted(nodes, "node")),
            Self::Interrupted => f.write_str("Ctrl-C"),
            Self::Memory => f.write_str("the memory is too small (--hash)"),
            Self::Plies(plies) => write!(f, "lines of more than {plies} plies are not looked at"),
            Self::Inner => f.write_str("a mate search inside ended at its own limit (--inner, --inner-nodes)"),
            Self::Proof => f.write_str("the proof that was found is too large to be checked"),
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
        assert_eq!(found(OpenReason::Stopped, 1_999), OpenBecause::Interrupted);
        assert_eq!(found(OpenReason::Nodes, 2_500), OpenBecause::Nodes(nodes));
        assert_eq!(OpenBecause::Time(time).to_string(), "2 s are over (--time)");
        assert_eq!(OpenBecause::Nodes(1).to_string(), "1 node made (--nodes)");
    }
}
