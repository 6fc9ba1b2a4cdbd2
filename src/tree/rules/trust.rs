//! Trust: a move that looks better than the best one takes its place only when enough effort stands behind it, since a
//! fresh worker's shallow value is noise beside one that has searched for seconds. Bounds are one-sided.

use hasami_api::Bound;

/// Share of the incumbent's nodes that a challenger needs.
pub const SHARE: f64 = 0.6;

/// What stands behind a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Backing {
    /// Nodes of the busiest worker on the line that gives the value.
    pub effort: u64,
    pub bound: Bound,
    /// By the rules or by a proof.
    pub settled: bool,
}

/// May `challenger`, whose score is higher, take the place of `incumbent`? A share of 0 is plain min-max.
pub fn replaces(challenger: Backing, incumbent: Backing, share: f64) -> bool {
    if share == 0.0 || challenger.settled || incumbent.settled {
        return true;
    }
    // An upper bound cannot show that a move is better than another.
    challenger.bound != Bound::Upper && challenger.effort as f64 >= share * incumbent.effort as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backing(effort: u64, bound: Bound, settled: bool) -> Backing {
        Backing { effort, bound, settled }
    }

    #[test]
    fn a_challenger_needs_its_share_of_the_effort() {
        let incumbent = backing(1000, Bound::Exact, false);
        assert!(!replaces(backing(599, Bound::Exact, false), incumbent, SHARE));
        assert!(replaces(backing(600, Bound::Lower, false), incumbent, SHARE));
        assert!(!replaces(backing(900, Bound::Upper, false), incumbent, SHARE), "at most x is not more than y");
        assert!(replaces(backing(1, Bound::Upper, false), incumbent, 0.0), "plain min-max");
    }

    #[test]
    fn what_is_settled_needs_no_effort_and_defends_nothing() {
        let open = backing(1000, Bound::Exact, false);
        assert!(replaces(backing(0, Bound::Exact, true), open, SHARE));
        assert!(replaces(backing(1, Bound::Exact, false), backing(1000, Bound::Exact, true), SHARE));
    }
}
