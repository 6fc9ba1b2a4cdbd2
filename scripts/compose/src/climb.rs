//! Families of problems that grow longer side by side: of each family and length some are kept (Mouret and Clune,
//! Illuminating search spaces by mapping elites, 2015), and as much is spent on every family, so that none is lost
//! because another one has grown first.

use crate::diagram::{ATTACKER, Diagram};
use crate::house::{housed, rebuilt};
use crate::judge::{Judge, Unique};
use crate::retro::{Before, check_before};
use crate::row::Row;
use crate::vary::varied;
use hasami_api::Game;
use hasami_shogi::Shogi;
use rand::prelude::*;
use rand::rngs::SmallRng;
use std::collections::{BTreeMap, HashSet};

/// Members of one family and length.
const CELL: usize = 4;
/// How often the longest members of a family have children.
const LONGEST: f64 = 0.6;
/// How often one takes the place of another of the same length.
const DRIFT: f64 = 0.15;
/// Plies of the longest that are wanted.
const WANTED: u16 = 17;
/// What a child may cost at most, compared with its parent, and besides.
const DEARER: u64 = 2;
const MORE: u64 = 5_000;
/// The same where the defender can check: most of it goes into the proof that nothing is shorter.
const HOUSED: u64 = 10;
/// What a small change may cost: it is seldom good.
const VARIED: u64 = 20_000;
/// Defences of a new first move at most, and what it may cost to answer each.
const DEFENCES: usize = 12;
const ANSWER: u64 = 2_000;
/// What it takes to guess a candidate, in nodes.
const GUESS: u64 = 2_000;

pub struct Climb {
    judge: Judge,
    random: SmallRng,
    seed: u64,
    /// Nodes for the length of a short problem.
    nodes: u64,
    families: BTreeMap<String, Family>,
    seen: HashSet<String>,
    found: usize,
}

#[derive(Default)]
struct Family {
    cells: BTreeMap<u16, Vec<Member>>,
    /// Nodes spent on it.
    spent: u64,
}

#[derive(Clone)]
struct Member {
    diagram: Diagram,
    name: String,
    plies: u16,
    unique: Unique,
    /// `game-like`, `game` or `composed`.
    kind: String,
    /// Nodes that its length took.
    cost: u64,
}

/// How a candidate came about.
enum Child {
    Retro(Before),
    Varied(Diagram),
    Housed(Diagram),
    Rebuilt(Diagram),
}

impl Child {
    const fn diagram(&self) -> &Diagram {
        match self {
            Self::Retro(before) => &before.diagram,
            Self::Varied(diagram) | Self::Housed(diagram) | Self::Rebuilt(diagram) => diagram,
        }
    }

    const fn way(&self) -> &'static str {
        match self {
            Self::Retro(_) => "retro",
            Self::Varied(_) => "varied",
            Self::Housed(_) => "housed",
            Self::Rebuilt(_) => "rebuilt",
        }
    }
}

impl Climb {
    pub fn new(seed: u64, nodes: u64, hash_mb: usize) -> Self {
        let (judge, random) = (Judge::new(hash_mb), SmallRng::seed_from_u64(seed));
        Self { judge, random, seed, nodes, families: BTreeMap::new(), seen: HashSet::new(), found: 0 }
    }

    /// Takes a known problem in; its family is that of its root.
    pub fn adopt(&mut self, row: &Row) -> Result<(), String> {
        let diagram = Diagram::parse(&row.position)?;
        if self.seen.insert(diagram.key()) {
            let unique = Unique::of_word(row.note("unique")).unwrap_or(Unique::Undecided);
            let (name, kind) = (row.name.clone(), row.note("kind").to_owned());
            let cost = row.note("nodes").parse().unwrap_or(self.nodes);
            self.join(row.note("family"), Member { diagram, name, plies: row.plies, unique, kind, cost });
        }
        Ok(())
    }

    /// One candidate of the family on which least has been spent.
    pub fn try_one(&mut self) -> Option<Row> {
        let family = self.families.iter().min_by_key(|(_, family)| family.spent)?.0.clone();
        let before = self.judge.nodes;
        let found = self.child_of(&family);
        if let Some(family) = self.families.get_mut(&family) {
            family.spent += self.judge.nodes - before + GUESS;
        }
        found
    }

    /// A problem, if it is no shorter than its parent; longer, where moves were taken back or a house was built.
    fn child_of(&mut self, family: &str) -> Option<Row> {
        let parent = self.parent(family)?;
        let child = self.child(&parent)?;
        let game = child.diagram().game().filter(|game| !game.in_check())?;
        let (least, limit) = (self.least(&child, family, &parent), self.limit(&child, &parent));
        if !self.seen.insert(child.diagram().key()) || !self.is_likely(&child, &game, &parent, least) {
            return None;
        }
        let before = self.judge.nodes;
        let plies = self.judge.length(&game, least, limit).filter(|plies| (least..=WANTED).contains(plies))?;
        let cost = self.judge.nodes - before;
        let unique = self.judge.keys(&game, plies, 10 * limit).unique();
        self.found += 1;
        let name = format!("c{}-{}", self.seed, self.found);
        let row = Row::new(child.diagram().text(), name.clone(), plies).with("kind", &parent.kind);
        let row = row.with("way", child.way()).with("unique", unique.word());
        let row = row.with("family", family).with("parent", &parent.name);
        self.join(family, Member { diagram: *child.diagram(), name, plies, unique, kind: parent.kind, cost });
        Some(row)
    }

    /// The longest problems more often.
    fn parent(&mut self, family: &str) -> Option<Member> {
        let lengths = &self.families.get(family)?.cells;
        let is_longest = self.random.random_bool(LONGEST);
        let cell = if is_longest { lengths.values().next_back() } else { lengths.values().choose(&mut self.random) };
        cell?.choose(&mut self.random).cloned()
    }

    fn child(&mut self, parent: &Member) -> Option<Child> {
        let (diagram, random) = (&parent.diagram, &mut self.random);
        let has_house = diagram.king(ATTACKER).is_some();
        match random.random_range(0..100) {
            0..3 => Some(Child::Varied(varied(diagram, random))),
            3..25 if !has_house => housed(diagram, random).map(Child::Housed),
            3..45 if has_house => rebuilt(diagram, random).map(Child::Rebuilt),
            _ => check_before(diagram, random).map(Child::Retro),
        }
    }

    /// Plies that it must have: where there are enough that are as long as the parent, another one is seldom wanted.
    fn least(&mut self, child: &Child, family: &str, parent: &Member) -> u16 {
        let is_full = self.families[family].cells[&parent.plies].len() >= CELL;
        match child {
            Child::Varied(_) | Child::Rebuilt(_) if !is_full || self.random.random_bool(DRIFT) => parent.plies,
            _ => parent.plies + 2,
        }
    }

    /// What costs little comes first: are there answers to the other defences, does a house make any brinkmate longer?
    fn is_likely(&mut self, child: &Child, game: &Shogi, parent: &Member, least: u16) -> bool {
        match child {
            Child::Varied(_) => true,
            Child::Retro(before) => self.judge.answers(game, before, parent.plies, DEFENCES, ANSWER),
            Child::Housed(_) | Child::Rebuilt(_) => {
                let any = self.judge.any_length(game, 5 * ANSWER, 10 * ANSWER + parent.cost);
                any.is_some_and(|(plies, _)| plies >= least)
            }
        }
    }

    fn limit(&self, child: &Child, parent: &Member) -> u64 {
        let limit = (self.nodes * (1 + u64::from(parent.plies) / 2)).min(MORE + DEARER * parent.cost);
        match child {
            Child::Retro(_) => limit,
            Child::Varied(_) => limit.min(VARIED),
            Child::Housed(_) | Child::Rebuilt(_) => HOUSED * limit,
        }
    }

    /// A full cell loses one that is no better.
    fn join(&mut self, family: &str, member: Member) {
        let cell = self.families.entry(family.to_owned()).or_default().cells.entry(member.plies).or_default();
        if cell.len() < CELL {
            cell.push(member);
            return;
        }
        let place = self.random.random_range(0..CELL);
        if member.unique <= cell[place].unique {
            cell[place] = member;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Easy ones, of one ply.
    const ROOTS: [(&str, &str); 2] = [
        ("9/6G1k/9/6Pn1/8P/9/9/9/9 b G2r2b2g4s3n4l16p 1", "composed"),
        ("k1+L6/9/9/S8/9/9/9/9/9 b G2r2b3g3s4n3l18p 1", "game"),
    ];

    fn climbed(tries: usize) -> Vec<Row> {
        let mut climb = Climb::new(5, 15_000, 8);
        for (text, kind) in ROOTS.into_iter().chain(ROOTS) {
            let row = Row::new(text.into(), kind.into(), 1).with("kind", kind).with("family", kind);
            climb.adopt(&row.with("nodes", 2_000)).unwrap();
        }
        assert_eq!(climb.families["composed"].cells[&1].len(), 1, "the same position is taken in once");
        (0..tries).filter_map(|_| climb.try_one()).collect()
    }

    #[test]
    fn families_climb_by_moves_taken_back_and_by_houses() {
        let rows = climbed(150);
        assert_eq!(rows, climbed(150));
        let plies = |name: &str| rows.iter().find(|row| row.name == name).map_or(1, |row| row.plies);
        for row in &rows {
            let longer = row.plies.checked_sub(plies(row.note("parent"))).unwrap();
            assert!(longer >= if ["retro", "housed"].contains(&row.note("way")) { 2 } else { 0 }, "{row}");
            assert_eq!(row.note("kind"), row.note("family"), "{row}");
        }
        for way in ["retro", "housed", "rebuilt"] {
            assert!(rows.iter().any(|row| row.note("way") == way), "{way}: {rows:?}");
        }
        let mut judge = Judge::new(8);
        for row in rows.iter().filter(|row| row.plies > 1).take(2) {
            let game = Diagram::parse(&row.position).unwrap().game().unwrap();
            assert_eq!(judge.length(&game, 1, 10_000_000), Some(row.plies), "{row}");
        }
    }

    #[test]
    fn as_much_is_spent_on_every_family() {
        let mut climb = Climb::new(1, 1_000, 1);
        for (text, kind) in ROOTS {
            climb.adopt(&Row::new(text.into(), kind.into(), 1).with("kind", kind).with("family", kind)).unwrap();
        }
        let spent = |climb: &Climb| climb.families.values().map(|family| family.spent).collect::<Vec<_>>();
        for _ in 0..40 {
            let before = spent(&climb);
            climb.try_one();
            let least = usize::from(before[1] < before[0]);
            assert!(spent(&climb)[least] > before[least] && spent(&climb)[1 - least] == before[1 - least]);
        }
    }

    #[test]
    fn a_full_cell_keeps_what_is_better() {
        let mut climb = Climb::new(1, 1, 1);
        let member = |unique| {
            let (diagram, name, kind) = (Diagram::empty(), String::new(), String::new());
            Member { diagram, name, plies: 3, unique, kind, cost: 0 }
        };
        for unique in [Unique::Yes; CELL].into_iter().chain([Unique::No; 9]) {
            climb.join("f", member(unique));
        }
        assert!(climb.families["f"].cells[&3].iter().all(|kept| kept.unique == Unique::Yes));
        assert_eq!(climb.families["f"].cells[&3].len(), CELL);
    }
}
