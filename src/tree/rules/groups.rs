//! Search groups: workers with compatible tables search one node together and exchange table entries
//! ([`hasami_api::News`]), so that no master has to divide the work below the node. The tree grows only when a group is
//! full. As a group, eight workers were worth 3.5 sequential engines, but only 1.6 in a growing tree
//! (scripts/experiments, "Teams").

/// The most workers that may join a group's first worker. In a larger group, workers would hinder each other.
pub const MOST: usize = 32;

/// Priority of an additional worker at a node of priority `worth` that `others` workers have already joined. The
/// formula distributes workers over nodes in proportion to the nodes' priorities.
pub fn worth(worth: f64, others: usize) -> f64 {
    if others >= MOST { 0.0 } else { worth / (others + 1) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_share_the_workers_by_their_worth() {
        let mut joined = [0; 2];
        for _ in 0..9 {
            let place = usize::from(worth(0.3, joined[1]) > worth(0.6, joined[0]));
            joined[place] += 1;
        }
        assert_eq!(joined, [6, 3]);
        assert_eq!(worth(1.0, MOST), 0.0);
    }
}
