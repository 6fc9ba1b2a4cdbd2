//! Depth-first proof-number search (Nagai 2002), without recursion, sound in graphs with cycles.
//!
//! A position that is already on the path counts as a failure of the attacker. A proof never uses such a failure, so it
//! holds on every path. A disproof may: it is then stored for its path only, unless the repeated position lies at or
//! below the disproved one, where an attacker who must return gains nothing (Kishimoto and Müller, "A general solution
//! to the graph history interaction problem", AAAI 2004). Numbers of inner nodes are the largest child's plus the
//! number of the other open children, which does not count shared descendants twice (Ueda et al., "Weak proof-number
//! search", CG 2008).

use crate::table::{CUT, HISTORY, INFINITE, Table, UNCONDITIONAL, Value, mix};
use hasami_api::{MateGame, Moves, Stop, Verdict};
use std::collections::HashMap;

/// How far one line may go, in plies.
const MAX_DEPTH: usize = 10_000;

/// A move of a node on the path and what is known about the position after it.
#[derive(Clone, Copy)]
pub(crate) struct Child<M> {
    pub(crate) mv: M,
    pub(crate) key: u64,
    pub(crate) value: Value,
}

/// A node on the path. Its children lie in the arena from `first` on, up to the next node's.
struct Frame {
    key: u64,
    /// Names the way to this node.
    path: u64,
    first: usize,
    pn_limit: u32,
    dn_limit: u32,
    chosen: usize,
    expansions: u64,
}

/// One df-pn search.
pub(crate) struct Dfpn<'a, G: MateGame> {
    pub(crate) game: G,
    pub(crate) table: &'a mut Table,
    pub(crate) stop: &'a Stop,
    pub(crate) nodes: u64,
    pub(crate) node_limit: u64,
    /// Nodes at which the end of a portion is told.
    pause: u64,
    pub(crate) depth_limit: usize,
    expansions: u64,
    frames: Vec<Frame>,
    on_path: HashMap<u64, i32>,
    arena: Vec<Child<G::Move>>,
    moves: Box<Moves<G::Move>>,
}

/// The search was stopped or ran into its node limit.
pub(crate) struct Interrupted;

impl<'a, G: MateGame> Dfpn<'a, G> {
    pub(crate) fn new(game: G, table: &'a mut Table, stop: &'a Stop, node_limit: u64, depth_limit: usize) -> Self {
        Self {
            game,
            table,
            stop,
            nodes: 0,
            node_limit,
            pause: stop.more(0),
            depth_limit: depth_limit.min(MAX_DEPTH),
            expansions: 0,
            frames: Vec::new(),
            on_path: HashMap::new(),
            arena: Vec::new(),
            moves: Box::default(),
        }
    }

    /// Decides the current position, in which the attacker is to move, as if it were the root; the best move, if proved.
    pub(crate) fn solve(&mut self) -> Result<(Value, Option<G::Move>), Interrupted> {
        self.frames.clear();
        self.arena.clear();
        self.on_path.clear();
        let result = self.run();
        // The position is the root again, whatever interrupted the search.
        for _ in 1..self.frames.len() {
            self.game.unmake();
        }
        result
    }

    fn run(&mut self) -> Result<(Value, Option<G::Move>), Interrupted> {
        self.open(INFINITE, INFINITE)?;
        loop {
            let depth = self.frames.len() - 1;
            let value = self.combine(depth);
            let frame = &self.frames[depth];
            if !value.is_decided() && value.pn < frame.pn_limit && value.dn < frame.dn_limit {
                let (pn_limit, dn_limit) = self.limits(depth, value);
                let child = self.arena[frame.first + frame.chosen];
                self.game.make(child.mv);
                self.nodes += 1;
                self.open(pn_limit, dn_limit)?;
                continue;
            }
            self.remember(depth, value);
            if depth == 0 {
                let best = self.arena.iter().find(|c| c.value.is_proved() && c.value.note + 1 == value.note);
                return Ok((value, best.map(|c| c.mv)));
            }
            self.close(value);
        }
    }

    /// The attacker moves at even depths.
    const fn attacks(depth: usize) -> bool {
        depth.is_multiple_of(2)
    }

    /// Puts the current position on the path and looks at each of its children once.
    fn open(&mut self, pn_limit: u32, dn_limit: u32) -> Result<(), Interrupted> {
        let depth = self.frames.len();
        let path = self.frames.last().map_or(0, |above| mix(above.path ^ above.key));
        let (key, first) = (self.game.key(), self.arena.len());
        self.frames.push(Frame { key, path, first, pn_limit, dn_limit, chosen: 0, expansions: self.expansions });
        self.on_path.insert(key, depth as i32);
        self.expansions += 1;
        self.moves.clear();
        if Self::attacks(depth) {
            self.game.checking_moves(&mut self.moves);
        } else {
            self.game.legal_moves(&mut self.moves);
        }
        for i in 0..self.moves.len() {
            self.arena.push(Child { mv: self.moves[i], key: 0, value: Value::open(1, 1) });
        }
        let child_path = mix(path ^ key);
        for i in first..self.arena.len() {
            if self.nodes >= self.pause {
                self.pause = self.stop.more(self.nodes);
            }
            if self.nodes >= self.node_limit || self.stop.is_stopped() {
                return Err(Interrupted);
            }
            self.game.make(self.arena[i].mv);
            self.nodes += 1;
            self.arena[i].key = self.game.key();
            self.arena[i].value = self.look(depth + 1, child_path);
            self.game.unmake();
        }
        Ok(())
    }

    /// What is known about the current position at `depth`, or what it looks like at a glance.
    fn look(&mut self, depth: usize, path: u64) -> Value {
        let key = self.game.key();
        if let Some(&earlier) = self.on_path.get(&key) {
            return Value::disproved(earlier);
        }
        let known = self.table.get(key);
        if let Some(value) = known.filter(|value| value.is_decided()) {
            return value;
        }
        if let Some(value) = self.table.get(path_key(key, path)) {
            return value;
        }
        self.moves.clear();
        if Self::attacks(depth) { self.look_attacking(depth) } else { self.look_defending(depth) }
            .filter(|value| value.is_decided())
            .or(known)
            .unwrap_or_else(|| self.guess(depth))
    }

    fn look_attacking(&mut self, depth: usize) -> Option<Value> {
        if matches!(self.game.verdict(), Verdict::Draw | Verdict::Loss) {
            return Some(Value::disproved(HISTORY));
        }
        self.game.checking_moves(&mut self.moves);
        match self.moves.len() {
            0 => Some(Value::disproved(UNCONDITIONAL)),
            _ if depth >= self.depth_limit => Some(Value::disproved(CUT)),
            _ => None,
        }
    }

    fn look_defending(&mut self, _depth: usize) -> Option<Value> {
        self.game.legal_moves(&mut self.moves);
        if self.moves.is_empty() {
            // A stalemate cannot come from a check; whatever the rules call it, only a loss is a mate.
            let mated = self.game.in_check() && self.game.verdict_without_moves() == Verdict::Loss;
            return Some(if mated { Value::proved(0) } else { Value::disproved(UNCONDITIONAL) });
        }
        // Drawn by the rules, or the defender may declare a win.
        (self.game.verdict() != Verdict::Open).then_some(Value::disproved(HISTORY))
    }

    /// First numbers of a position whose moves lie in `moves`: the more answers, the harder.
    fn guess(&self, depth: usize) -> Value {
        let count = self.moves.len() as u32;
        if Self::attacks(depth) { Value::open(1, count) } else { Value::open(count, 1) }
    }

    /// The value of the node at `depth` from its children's, and the child to go on with.
    fn combine(&mut self, depth: usize) -> Value {
        let attacks = Self::attacks(depth);
        let first = self.frames[depth].first;
        let children = &self.arena[first..];
        let own = |value: Value| if attacks { value.pn } else { value.dn };
        let other = |value: Value| if attacks { value.dn } else { value.pn };
        let (mut least, mut chosen, mut most, mut open) = (INFINITE, 0, 0, 0);
        for (i, child) in children.iter().enumerate() {
            if own(child.value) < least {
                (least, chosen) = (own(child.value), i);
            }
            if other(child.value) > 0 {
                most = most.max(other(child.value));
                open += 1;
            }
        }
        let values = children.iter().map(|child| child.value);
        self.frames[depth].chosen = chosen;
        if attacks && least == 0 {
            let plies = values.filter(|v| v.is_proved()).map(|v| v.note).min();
            return Value::proved(plies.unwrap_or(0) + 1);
        }
        if attacks && open == 0 {
            return discharge(values.map(|v| v.note).min().unwrap_or(UNCONDITIONAL), depth);
        }
        if !attacks && least == 0 {
            let note = values.filter(|v| v.is_disproved()).map(|v| v.note).max();
            return discharge(note.unwrap_or(UNCONDITIONAL), depth);
        }
        if !attacks && open == 0 {
            return Value::proved(values.map(|v| v.note).max().unwrap_or(0) + 1);
        }
        let sum = (most + open - 1).min(INFINITE - 1);
        if attacks { Value::open(least, sum) } else { Value::open(sum, least) }
    }

    /// How far the chosen child of the node at `depth` may go before another should be tried.
    fn limits(&self, depth: usize, value: Value) -> (u32, u32) {
        let frame = &self.frames[depth];
        let children = &self.arena[frame.first..];
        let attacks = Self::attacks(depth);
        let own = |value: Value| if attacks { value.pn } else { value.dn };
        let open = |value: Value| if attacks { value.dn > 0 } else { value.pn > 0 };
        let rival = children.iter().enumerate().filter(|&(i, _)| i != frame.chosen).map(|(_, c)| own(c.value)).min();
        let rival = rival.unwrap_or(INFINITE);
        // A quarter more than the rival, so that the search does not jump to and fro (Pawlewicz and Lew 2006).
        let patience = rival.saturating_add(rival / 4 + 1).min(INFINITE);
        let siblings = children.iter().filter(|c| open(c.value)).count() as u32 - 1;
        debug_assert!(!value.is_decided());
        if attacks {
            (patience.min(frame.pn_limit), frame.dn_limit - siblings)
        } else {
            (frame.pn_limit - siblings, patience.min(frame.dn_limit))
        }
    }

    fn remember(&mut self, depth: usize, value: Value) {
        let frame = &self.frames[depth];
        let work = (self.expansions - frame.expansions).min(u64::from(u32::MAX)) as u32;
        let everywhere = !value.is_disproved() || value.note == UNCONDITIONAL;
        let key = if everywhere { frame.key } else { path_key(frame.key, frame.path) };
        self.table.put(key, value, work);
    }

    /// Leaves the last node of the path and tells its parent.
    fn close(&mut self, value: Value) {
        let Some(frame) = self.frames.pop() else { return };
        self.on_path.remove(&frame.key);
        self.arena.truncate(frame.first);
        self.game.unmake();
        if let Some(above) = self.frames.last() {
            self.arena[above.first + above.chosen].value = value;
        }
    }
}

/// A disproof of the node at `depth` that depends on nothing above it holds everywhere.
const fn discharge(depends_on: i32, depth: usize) -> Value {
    Value::disproved(if depends_on >= depth as i32 { UNCONDITIONAL } else { depends_on })
}

const fn path_key(key: u64, path: u64) -> u64 {
    mix(key ^ mix(path ^ 0x9e37_79b9_7f4a_7c15))
}
