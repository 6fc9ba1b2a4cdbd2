//! A population of problems that grows: new ones at random, longer ones by moves taken back and by small changes.

use crate::diagram::Diagram;
use crate::judge::{Judge, Unique};
use crate::random;
use crate::retro::two_plies_before;
use crate::row::Row;
use crate::vary::{varied, weakened};
use hasami_api::Game;
use rand::prelude::*;
use rand::rngs::SmallRng;
use std::collections::{BTreeMap, HashSet};

/// So many that are alike in length; later ones take the place of earlier ones.
const LEVEL: usize = 400;
/// Changes after which a problem is no longer much like the first of its family.
const STRANGERS: usize = 5;
/// Times that a mate is weakened.
const WEAKENED: usize = 10;
/// Candidates for a parent, of which the best one is taken.
const SAMPLE: usize = 3;

pub struct Population {
    judge: Judge,
    random: SmallRng,
    seed: u64,
    /// Nodes for the length of a short problem.
    nodes: u64,
    /// Members before the first is changed.
    first: usize,
    levels: BTreeMap<u16, Vec<Member>>,
    seen: HashSet<String>,
    found: usize,
}

#[derive(Clone)]
struct Member {
    diagram: Diagram,
    name: String,
    plies: u16,
    unique: Unique,
    /// `game` or `composed`.
    kind: String,
    /// What all have in common that are much alike.
    family: String,
    /// Changes since the first of the family.
    changes: usize,
}

/// How a candidate came about.
struct Origin {
    way: &'static str,
    parent: Option<Member>,
}

impl Population {
    pub fn new(seed: u64, nodes: u64, hash_mb: usize, first: usize) -> Self {
        let (judge, random) = (Judge::new(hash_mb), SmallRng::seed_from_u64(seed));
        let (levels, seen) = (BTreeMap::new(), HashSet::new());
        Self { judge, random, seed, nodes, first, levels, seen, found: 0 }
    }

    /// Takes a known problem in.
    pub fn adopt(&mut self, row: &Row) -> Result<(), String> {
        let diagram = Diagram::parse(&row.position)?;
        if self.seen.insert(diagram.key()) {
            let (name, plies) = (row.name.clone(), row.plies);
            let unique = Unique::of_word(row.note("unique")).unwrap_or(Unique::Undecided);
            let (kind, family) = (row.note("kind").to_owned(), row.note("family").to_owned());
            self.join(Member { diagram, name, plies, unique, kind, family, changes: 0 });
        }
        Ok(())
    }

    /// One candidate: a problem, if it is one and no shorter than its parent; longer, where moves were taken back.
    pub fn try_one(&mut self) -> Option<Row> {
        let (diagram, origin) = self.candidate()?;
        let diagram = if origin.way == "retro" { diagram } else { self.without_mate(diagram)? };
        let game = diagram.game().filter(|game| !game.in_check())?;
        if !self.seen.insert(diagram.key()) {
            return None;
        }
        let before = origin.parent.as_ref().map_or(0, |parent| parent.plies);
        let limit = self.nodes * (1 + u64::from(before) / 2);
        let is_retro = origin.way == "retro";
        let likely = if is_retro { before + 2 } else { before };
        let plies = self.judge.length(&game, likely, limit).filter(|&plies| plies > 0 && plies >= likely)?;
        let unique = self.judge.keys(&game, plies, limit).unique();
        Some(self.welcome(diagram, plies, unique, &origin))
    }

    /// Weakened as often as there is a mate.
    fn without_mate(&mut self, mut diagram: Diagram) -> Option<Diagram> {
        for _ in 0..WEAKENED {
            let game = diagram.game().filter(|game| !game.in_check())?;
            if !self.judge.is_mate(&game, self.nodes / 3)? {
                return Some(diagram);
            }
            diagram = weakened(&diagram, &mut self.random);
        }
        None
    }

    fn welcome(&mut self, diagram: Diagram, plies: u16, unique: Unique, origin: &Origin) -> Row {
        self.found += 1;
        let name = format!("g{}-{}", self.seed, self.found);
        let (kind, family, parent, changes) = match &origin.parent {
            Some(parent) => {
                let changes = parent.changes + usize::from(origin.way != "retro");
                (parent.kind.clone(), parent.family.clone(), parent.name.clone(), changes)
            }
            None => ("composed".to_owned(), name.clone(), "-".to_owned(), 0),
        };
        let (family, changes) = if changes < STRANGERS { (family, changes) } else { (name.clone(), 0) };
        let row = Row::new(diagram.text(), name.clone(), plies).with("kind", &kind).with("way", origin.way);
        let row = row.with("unique", unique.word()).with("family", &family).with("parent", parent);
        self.join(Member { diagram, name, plies, unique, kind, family, changes });
        row
    }

    fn join(&mut self, member: Member) {
        let level = self.levels.entry(member.plies).or_default();
        if level.len() < LEVEL {
            level.push(member);
        } else {
            let place = self.random.random_range(0..LEVEL);
            level[place] = member;
        }
    }

    fn candidate(&mut self) -> Option<(Diagram, Origin)> {
        let is_young = self.levels.values().map(Vec::len).sum::<usize>() < self.first;
        if is_young || self.random.random_bool(0.2) {
            return Some((random::position(&mut self.random), Origin { way: "random", parent: None }));
        }
        let parent = self.parent()?;
        let is_retro = self.random.random_bool(0.5);
        let (diagram, way) = if is_retro {
            (two_plies_before(&parent.diagram, &mut self.random)?.diagram, "retro")
        } else {
            (varied(&parent.diagram, &mut self.random), "varied")
        };
        Some((diagram, Origin { way, parent: Some(parent) }))
    }

    /// Of any length, the longest ones more often.
    fn parent(&mut self) -> Option<Member> {
        let lengths: Vec<u16> = self.levels.keys().copied().collect();
        let longest = &lengths[lengths.len().saturating_sub(4)..];
        let from = if self.random.random_bool(0.5) { longest } else { &lengths };
        let level = self.levels.get(from.choose(&mut self.random)?)?;
        let sample = level.choose_multiple(&mut self.random, SAMPLE);
        sample.min_by_key(|member| member.unique).cloned()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Easy ones, of one ply and of three.
    const ROOTS: [(&str, u16, &str); 2] = [
        ("3k5/9/3+B5/5g3/4B4/9/9/9/9 b 2r3g4s4n4l18p 1", 1, "composed"),
        ("2s6/k8/s8/G8/9/9/9/9/9 b S2r2b3gs4n4l18p 1", 3, "game"),
    ];

    fn grown(seed: u64, tries: usize) -> Vec<Row> {
        let mut population = Population::new(seed, 15_000, 8, 1);
        for (text, plies, kind) in ROOTS.into_iter().chain(ROOTS) {
            let row = Row::new(text.into(), kind.into(), plies).with("kind", kind).with("family", kind);
            population.adopt(&row).unwrap();
        }
        assert_eq!(population.levels[&3].len(), 1, "the same position is taken in once");
        (0..tries).filter_map(|_| population.try_one()).collect()
    }

    #[test]
    fn what_grows_is_no_shorter_than_its_parent_and_the_same_again() {
        let rows = grown(1, 100);
        let from = |parent: &str, way: &str| {
            let is_wanted = |row: &&Row| row.note("parent") == parent && row.note("way") == way;
            rows.iter().filter(is_wanted).map(|row| row.plies).collect::<Vec<_>>()
        };
        let varied = from("game", "varied");
        assert!(!varied.is_empty() && varied.iter().all(|&plies| plies >= 3), "{rows:?}");
        assert!(from("game", "retro").iter().all(|&plies| plies >= 5), "{rows:?}");
        let kinds = |parent: &str| rows.iter().all(|row| row.note("parent") != parent || row.note("kind") == parent);
        assert!(kinds("game") && kinds("composed"));
        assert_eq!(rows, grown(1, 100));
        let mut judge = Judge::new(8);
        for row in rows.iter().take(5) {
            let game = Diagram::parse(&row.position).unwrap().game().unwrap();
            assert_eq!(judge.length(&game, 1, 10_000_000), Some(row.plies), "{row}");
        }
    }
}
