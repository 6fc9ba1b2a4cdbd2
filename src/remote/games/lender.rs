//! Decides which match gets the next slot of a machine.

use std::collections::BTreeMap;

/// Shares a machine among matches by weight, with stride scheduling (Waldspurger and Weihl 1995): every task of a match
/// advances the match's virtual time ("pass") by the inverse of the match's weight, and the match with the smallest
/// pass is next.
#[derive(Default)]
pub struct StrideScheduler(BTreeMap<String, f64>);

impl StrideScheduler {
    /// Returns which match in `open` is next. A new match starts with the smallest pass of the other matches.
    pub fn next(&mut self, open: &[String]) -> Option<String> {
        let here = open.iter().filter_map(|id| self.0.get(id).copied());
        let first = here.reduce(f64::min).unwrap_or(0.0);
        let passes = open.iter().map(|id| (id, *self.0.entry(id.clone()).or_insert(first)));
        passes.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(id, _)| id.clone())
    }

    /// Records that the match `id`, of weight `weight`, was given a task.
    pub fn took(&mut self, id: &str, weight: u32) {
        if let Some(pass) = self.0.get_mut(id) {
            *pass += 1.0 / f64::from(weight.max(1));
        }
    }

    /// Forgets all matches except those in `ids`.
    pub fn keep<'a>(&mut self, ids: impl Iterator<Item = &'a String>) {
        let ids: Vec<_> = ids.collect();
        self.0.retain(|id, _| ids.contains(&id));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn matches_share_a_machine_by_their_weights() {
        let (mut scheduler, mut counts) = (StrideScheduler::default(), BTreeMap::<String, u32>::new());
        let mut open = vec![("a".to_owned(), 1), ("b".to_owned(), 3)];
        let mut play = |scheduler: &mut StrideScheduler, open: &[(String, u32)], tasks: u32| {
            counts.clear();
            let ids: Vec<String> = open.iter().map(|(id, _)| id.clone()).collect();
            for _ in 0..tasks {
                let id = scheduler.next(&ids).unwrap();
                let weight = open.iter().find(|(other, _)| *other == id).unwrap().1;
                scheduler.took(&id, weight);
                *counts.entry(id).or_default() += 1;
            }
            counts.clone().into_values().collect::<Vec<_>>()
        };
        assert_eq!(play(&mut scheduler, &open, 400), [100, 300]);
        // A match that starts later gets its share once it has started, but no compensation for the time before.
        open.push(("c".to_owned(), 4));
        assert_eq!(play(&mut scheduler, &open, 80), [10, 30, 40]);
        assert_eq!(scheduler.next(&[]), None);
    }
}
