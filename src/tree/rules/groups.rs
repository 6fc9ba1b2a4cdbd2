//! Search groups: workers that understand each other search one node together and tell one another what they find
//! ([`hasami_api::News`]), so that they share the work below it without a master that splits it. Only where a group is full
//! does the tree grow. Eight workers that way were worth 3.5 of the sequential engine, and 1.6 with a growing tree
//! (scripts/experiments, "Teams").

/// Workers of one group beside the first. More of them are in each other's way.
pub const MOST: usize = 32;

/// Worth of one more worker at a place of worth `worth` where `others` have joined already: several places share the workers
/// by their worth.
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
