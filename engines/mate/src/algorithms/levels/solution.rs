//! The solution that remains when the root is read as "mate": every shortest attack against every longest defence.

use super::propositions::{NONE, Propositions, ROOT};
use std::collections::HashMap;

impl<M: Copy> Propositions<M> {
    pub(super) fn count_lines(&self) -> u64 {
        self.lines_from(ROOT, &mut HashMap::new())
    }

    /// Counts the optimal lines from an object. The recursion depth is the number of moves to mate.
    fn lines_from(&self, object: u32, known: &mut HashMap<u32, u64>) -> u64 {
        if let Some(&lines) = known.get(&object) {
            return lines;
        }
        let mut lines = 0u64;
        for group in self.groups_of(object) {
            let pairs = self.pairs_of(group).map(|pair| self.lines_from(self.pairs[pair].predicate, known));
            // A group without pairs mates immediately.
            let of_group = if self.groups[group].first_pair == NONE { 1 } else { pairs.fold(0, u64::saturating_add) };
            lines = lines.saturating_add(of_group);
        }
        known.insert(object, lines);
        lines
    }

    /// Returns the first `most` optimal lines in move-generation order.
    pub(super) fn optimal_lines(&self, most: usize) -> Vec<Vec<M>> {
        let mut lines = Vec::new();
        self.add_lines(ROOT, &mut Vec::new(), most, &mut lines);
        lines
    }

    fn add_lines(&self, object: u32, line: &mut Vec<M>, most: usize, lines: &mut Vec<Vec<M>>) {
        for group in self.groups_of(object) {
            if lines.len() == most {
                return;
            }
            line.push(self.groups[group].attack);
            if self.groups[group].first_pair == NONE {
                lines.push(line.clone());
            }
            for pair in self.pairs_of(group) {
                line.push(self.pairs[pair].defence);
                self.add_lines(self.pairs[pair].predicate, line, most, lines);
                line.pop();
            }
            line.pop();
        }
    }

    /// Returns the checks that mate as quickly as the check of the first optimal line at the same ply, each with its
    /// ply, counted from 0.
    pub(super) fn duals(&self) -> Vec<(usize, M)> {
        let (mut duals, mut object, mut ply) = (Vec::new(), ROOT, 0);
        loop {
            let mut groups = self.groups_of(object);
            let Some(played) = groups.next() else { return duals };
            duals.extend(groups.map(|group| (ply, self.groups[group].attack)));
            let Some(pair) = self.pairs_of(played).next() else { return duals };
            object = self.pairs[pair].predicate;
            ply += 2;
        }
    }
}
