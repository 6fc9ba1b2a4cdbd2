//! Depth-first proof-number search (Nagai 2002) without recursion, sound in graphs with cycles.
//!
//! A position that gains nothing over an earlier one on the path counts as a failure of the attacker
//! ([`crate::core::path`]). A proof never uses a failure by repetition, so it holds on every path. A disproof that uses
//! a failure by repetition is stored for its path only, unless the repeated position lies at or below the disproved
//! one, where an attacker who must return gains nothing (Kishimoto and Müller, "A general solution to the graph history
//! interaction problem", AAAI 2004).

mod combine;
mod first_lines;
mod limits;
mod line;
mod look;
mod other_moves;
mod proof_tree;
mod sample;
mod shared;
mod shortest;
mod variations;
mod within;
mod within_numbers;

pub(crate) use shortest::{FirstFound, LONGEST, LengthNews};

use crate::core::attack_rules::{AttackRules, ByChecks};
use crate::core::frame::{ChildNode, PathFrame};
use crate::core::interrupt::Interrupted;
use crate::core::mix::{MoveHasher, mix};
use crate::core::path::{KeyFilter, Path};
use crate::core::presence::{SharedSearch, place};
use crate::core::replay::add_moves;
use crate::core::reports::without_mate;
use crate::core::step_book::StepBook;
use crate::core::style::Style;
use crate::core::table::{KnownMate, MateTable};
use crate::core::value::{HISTORY, INFINITE, ProofNumbers, UNCONDITIONAL};
use crate::interface::cell_message::Fact;
use crate::interface::request::MateRules;
use hasami_api::{MateGame, Moves, PositionKey, Report, Side, Stop};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::marker::PhantomData;
use std::mem;
use std::sync::Arc;

/// Maximum length of a line in plies.
const MAX_DEPTH: usize = 10_000;

/// Number of nodes between two progress reports.
const PORTION: u64 = 1 << 16;

/// Number of nodes between two calls of [`Dfpn::ask`].
const LOOK: u64 = 256;

/// A df-pn search.
pub(crate) struct Dfpn<'a, G: MateGame, R = ByChecks> {
    pub(crate) style: Style,
    pub(crate) game: G,
    pub(crate) table: &'a MateTable,
    pub(crate) stop: Stop,
    pub(crate) nodes: u64,
    pub(crate) node_limit: u64,
    /// Node count at which the clock is checked next.
    pause: u64,
    /// Receives progress reports. `tell_at` is the number of nodes at which the next report is due.
    pub(crate) tell: Option<&'a mut dyn FnMut(Report)>,
    tell_at: u64,
    pub(crate) depth_limit: usize,
    /// The rules by which lengths are counted.
    pub(crate) lengths: MateRules,
    pub(crate) attacker: Side,
    expansions: u64,
    pub(crate) frames: Vec<PathFrame<G::Move>>,
    pub(crate) path: Path,
    /// Positions before the root, which also count as repeated. `above_path` is the hash of the moves before the root.
    pub(crate) above: Vec<PositionKey>,
    pub(crate) above_path: u64,
    /// A function called every [`LOOK`] nodes, which ends the search by returning false.
    pub(crate) ask: Option<&'a mut dyn FnMut() -> bool>,
    ask_at: u64,
    /// Decided positions whose results hold on every path and were expensive to find; `None` if they are not collected.
    pub(crate) facts: Option<Vec<Fact>>,
    /// The boards for which some results hold on one path only.
    pub(crate) path_bound: Arc<KeyFilter>,
    /// The boards refuted by some search that also allowed attacks without check. The filter is checked before the
    /// disproof of a twin is looked up in the table.
    pub(crate) refuted_twins: Option<Arc<KeyFilter>>,
    /// A book of the attacker's moves. In a position with a book move, no other move of the attacker is considered, so
    /// the search can prove mates but cannot disprove them.
    pub(crate) steps: Option<&'a StepBook>,
    /// The connection to the other searches on the same table.
    pub(crate) shared: Option<SharedSearch>,
    pub(crate) arena: Vec<ChildNode<G::Move>>,
    /// The last answer that refuted each attack.
    pub(crate) escapes: HashMap<G::Move, G::Move, BuildHasherDefault<MoveHasher>>,
    pub(crate) moves: Box<Moves<G::Move>>,
    rules: PhantomData<R>,
}

impl<'a, G: MateGame, R: AttackRules<G>> Dfpn<'a, G, R> {
    pub(crate) fn new(
        style: Style,
        game: G,
        table: &'a MateTable,
        stop: &Stop,
        node_limit: u64,
        depth_limit: usize,
    ) -> Self {
        Self {
            style,
            attacker: game.side(),
            game,
            table,
            stop: stop.clone(),
            nodes: 0,
            node_limit,
            pause: stop.more(0),
            tell: None,
            tell_at: PORTION,
            depth_limit: depth_limit.min(MAX_DEPTH),
            lengths: MateRules::Strict,
            expansions: 0,
            frames: Vec::new(),
            path: Path::default(),
            above: Vec::new(),
            above_path: 0,
            ask: None,
            ask_at: LOOK,
            facts: None,
            path_bound: Arc::default(),
            refuted_twins: None,
            steps: None,
            shared: None,
            arena: Vec::new(),
            escapes: HashMap::default(),
            moves: Box::default(),
            rules: PhantomData,
        }
    }

    /// Decides the current position, in which the attacker is to move, as if it were the root. Returns the numbers of
    /// the position and, if the position is proved, the best move.
    pub(crate) fn solve(&mut self) -> Result<(ProofNumbers, Option<G::Move>), Interrupted> {
        let result = self.run();
        // The position becomes the root again, even after an interruption.
        self.leave_path();
        result
    }

    pub(crate) fn run(&mut self) -> Result<(ProofNumbers, Option<G::Move>), Interrupted> {
        self.open_root()?;
        let value = self.go_on(u64::MAX)?.ok_or(Interrupted)?;
        let is_best = |c: &&ChildNode<G::Move>| {
            c.value.is_proved() && R::length_before(&self.game, c.mv, c.value.note) == value.note
        };
        Ok((value, self.arena.iter().find(is_best).map(|c| c.mv)))
    }

    fn open_root(&mut self) -> Result<(), Interrupted> {
        self.above.iter().for_each(|&(key, hand)| self.path.push(key, hand));
        self.open(INFINITE, INFINITE)
    }

    /// Searches until the position is decided. Returns `None` after `nodes` nodes; the search can then be continued.
    fn go_on(&mut self, nodes: u64) -> Result<Option<ProofNumbers>, Interrupted> {
        while self.nodes < nodes {
            self.leave_what_is_decided();
            if let Some(value) = self.step(0)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Like [`Self::solve`], but returns `None` after `nodes` nodes. The next call of this function or of
    /// [`Self::go_on_shared`] continues the search.
    pub(crate) fn solve_for(&mut self, nodes: u64) -> Result<Option<ProofNumbers>, Interrupted> {
        let until = self.nodes.saturating_add(nodes);
        let begun = if self.frames.is_empty() { self.open_root() } else { Ok(()) };
        let found = begun.and_then(|()| self.go_on(until));
        if !matches!(found, Ok(None)) {
            self.leave_path();
        }
        found
    }

    /// Calls `look` at the root of a search that [`Self::solve_for`] has paused. If `look` has a result, the paused
    /// search is abandoned.
    pub(crate) fn pause_for<T>(
        &mut self,
        look: impl FnOnce(&mut Self) -> Result<Option<T>, Interrupted>,
    ) -> Result<Option<T>, Interrupted> {
        let root = self.root();
        let (here, limit) = (mem::replace(&mut self.game, root), self.depth_limit);
        let found = look(self);
        (self.game, self.depth_limit) = (here, limit);
        if !matches!(found, Ok(None)) {
            self.leave_path();
        }
        found
    }

    /// Returns the root of a search that [`Self::solve_for`] has paused.
    pub(crate) fn root(&self) -> G {
        let mut root = self.game.clone();
        (1..self.frames.len()).for_each(|_| root.unmake());
        root
    }

    /// Continues the search to its end, together with other searches that start now.
    pub(crate) fn go_on_shared(&mut self, shared: SharedSearch) -> Result<(), Interrupted> {
        let stop = mem::replace(&mut self.stop, shared.processor.stop().clone());
        let limit = mem::replace(&mut self.node_limit, u64::MAX);
        (self.pause, self.shared) = (self.nodes, Some(shared));
        for frame in &mut self.frames {
            frame.place = place(frame.key, frame.hand.bits());
        }
        (1..self.frames.len()).for_each(|depth| self.enter(depth - 1));
        let found = self.go_on(u64::MAX);
        self.leave_path();
        (self.stop, self.node_limit, self.shared, self.pause) = (stop, limit, None, 0);
        found.map(drop)
    }

    /// Makes one step, down to a child or, if a limit is reached, up to the parent. When the node at depth `top` is
    /// finished, returns its value and leaves the node on the path.
    pub(crate) fn step(&mut self, top: usize) -> Result<Option<ProofNumbers>, Interrupted> {
        let depth = self.frames.len() - 1;
        let value = self.combine(depth)?;
        self.announce_numbers(depth, value);
        let frame = &self.frames[depth];
        if !value.is_decided() && value.pn < frame.pn_limit && value.dn < frame.dn_limit {
            self.deepen(depth, value);
            let (pn_limit, dn_limit) = self.limits(depth);
            self.descend(pn_limit, dn_limit)?;
            return Ok(None);
        }
        self.remember(depth, value);
        if depth == top {
            return Ok(Some(value));
        }
        self.close(value);
        Ok(None)
    }

    /// Descends to the chosen child of the last node.
    pub(crate) fn descend(&mut self, pn_limit: u32, dn_limit: u32) -> Result<(), Interrupted> {
        let depth = self.frames.len() - 1;
        let frame = &self.frames[depth];
        let child = self.arena[frame.first + frame.chosen];
        self.enter(depth);
        self.game.make(child.mv);
        self.nodes += 1;
        self.open(pn_limit, dn_limit)
    }

    /// Goes up to the node at `depth` regardless of limits, and stores the results found on the way.
    pub(crate) fn unwind(&mut self, depth: usize) -> Result<(), Interrupted> {
        for last in (depth + 1..self.frames.len()).rev() {
            let value = self.combine(last)?;
            self.remember(last, value);
            self.close(value);
        }
        Ok(())
    }

    /// Returns to the root position and clears the path.
    pub(crate) fn leave_path(&mut self) {
        for depth in 1..self.frames.len() {
            self.leave(depth - 1);
            self.game.unmake();
        }
        self.frames.clear();
        self.arena.clear();
        self.path.clear();
    }

    /// Converts an index into the path, which includes the positions above the root, to a depth.
    pub(crate) fn depth_of(&self, step: usize) -> i16 {
        step.checked_sub(self.above.len()).map_or(HISTORY, |depth| depth as i16)
    }

    /// Returns true if the attacker is to move at this depth. The attacker moves at even depths.
    pub(crate) const fn attacks(depth: usize) -> bool {
        depth.is_multiple_of(2)
    }

    pub(crate) fn report(&mut self, report: Report) {
        if let Some(tell) = &mut self.tell {
            tell(report);
        }
    }

    pub(crate) fn check_limits(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.pause {
            self.pause = self.stop.more(self.nodes);
        }
        if self.nodes >= self.tell_at {
            self.tell_at = self.nodes + PORTION;
            let depth = u16::try_from(self.frames.len()).unwrap_or(u16::MAX);
            let nodes = self.shared.as_ref().map_or(self.nodes, SharedSearch::nodes);
            self.report(without_mate(depth, nodes));
        }
        if self.nodes >= self.ask_at {
            self.ask_at = self.nodes + LOOK;
            if self.ask.as_mut().is_some_and(|ask| !ask()) {
                return Err(Interrupted);
            }
        }
        if self.nodes >= self.node_limit || self.stop.is_stopped() { Err(Interrupted) } else { Ok(()) }
    }

    /// Puts the current position on the path and evaluates its children.
    pub(crate) fn open(&mut self, pn_limit: u32, dn_limit: u32) -> Result<(), Interrupted> {
        let depth = self.frames.len();
        self.put_on_path(pn_limit, dn_limit);
        let attacks = Self::attacks(depth);
        self.moves.clear();
        if attacks && self.style.any_moves {
            self.game.legal_moves(&mut self.moves);
        } else {
            R::first_moves(&self.game, attacks, &mut self.moves);
        }
        if attacks {
            self.keep_step();
        }
        self.add_children(depth)
    }

    /// Removes all generated moves except the book move, if the book has a legal move for the current position.
    fn keep_step(&mut self) {
        let Some(book) = self.steps else { return };
        let (key, hand) = (self.game.board_key(), self.game.hand(self.attacker));
        let step = book.step(key, hand).and_then(|mv| self.game.parse_move(mv).ok());
        if let Some(step) = step.filter(|step| self.moves.contains(step)) {
            self.moves.clear();
            self.moves.push(step);
        }
    }

    /// Adds the generated moves as children of the last node, which is at `depth`, and evaluates them.
    pub(crate) fn add_children(&mut self, depth: usize) -> Result<(), Interrupted> {
        let PathFrame { first, hand, .. } = self.frames[depth];
        let begin = self.arena.len();
        for i in 0..self.moves.len() {
            let value = ProofNumbers::open(1, 1, hand);
            self.arena.push(ChildNode { mv: self.moves[i], value, waits: false, square: None, seen: 0 });
        }
        if !Self::attacks(depth) && R::remembers_escapes(&self.game) {
            self.escape_first(depth, begin);
        }
        if self.style.by_hands {
            self.note_drops(depth, first, begin);
        }
        self.note_versions(depth, begin);
        if self.style.by_hands {
            for child in self.arena[begin..].iter().filter(|child| !child.waits) {
                if let Some(key) = self.game.board_key_after(child.mv) {
                    self.table.prefetch(key);
                }
            }
        }
        for i in begin..self.arena.len() {
            if !self.arena[i].waits {
                self.look_or_try(i)?;
            }
        }
        Ok(())
    }

    /// Puts the current position on the path without children.
    pub(crate) fn put_on_path(&mut self, pn_limit: u32, dn_limit: u32) {
        let depth = self.frames.len();
        let path = self.frames.last().map_or(self.above_path, |above| above.child_path);
        let (key, first) = (self.game.board_key(), self.arena.len());
        let (hand, other_hand) = (self.game.hand(self.attacker), self.game.hand(self.attacker.other()));
        let child_path = mix(path ^ self.game.key());
        let expansions = self.expansions;
        let is_new = || self.table.get(self.table_key(key, hand), hand) == KnownMate::Nothing;
        let inner = if self.style.deepens && is_new() { (2, 2) } else { (pn_limit, dn_limit) };
        let (chosen, has_waiting) = (0, self.style.by_hands);
        let stage = R::stage(&self.game, Self::attacks(depth), 1);
        self.frames.push(PathFrame {
            key,
            hand,
            other_hand,
            path,
            child_path,
            first,
            pn_limit,
            dn_limit,
            inner,
            chosen,
            announced: (0, 0),
            place: if self.shared.is_some() { place(key, hand.bits()) } else { 0 },
            has_waiting,
            stage,
            next_stage: 1,
            sample: None,
            expansions,
        });
        self.path.push(key, hand);
        self.expansions += 1;
    }

    pub(crate) fn remember(&mut self, depth: usize, value: ProofNumbers) {
        let frame = &self.frames[depth];
        let work = (self.expansions - frame.expansions).min(u64::from(u32::MAX)) as u32;
        let everywhere = !value.is_disproved() || value.note == UNCONDITIONAL;
        let key = if everywhere { frame.key } else { path_key(frame.key, frame.path) };
        if !everywhere {
            self.path_bound.insert(frame.key);
        } else if let Some(twins) = &self.refuted_twins
            && value.is_disproved()
            && R::twin(&self.game).is_some_and(|twin| twin.by_proof)
        {
            twins.insert(frame.key);
        }
        if let Some(facts) = &mut self.facts {
            facts.extend(Fact::of(frame.key, value, work));
        }
        let key = self.table_key(key, frame.hand);
        self.table.put(key, value, work);
    }

    /// Removes the depth limit, so that mates of any length are found.
    pub(crate) fn search_without_limit(&mut self) {
        self.depth_limit = MAX_DEPTH;
    }

    /// Makes a move, calls `look`, unmakes the move, and returns the result of `look`.
    pub(crate) fn after<T>(
        &mut self,
        m: G::Move,
        look: impl FnOnce(&mut Self) -> Result<T, Interrupted>,
    ) -> Result<T, Interrupted> {
        self.nodes += 1;
        self.game.make(m);
        let found = look(self);
        self.game.unmake();
        found
    }

    /// Generates the attacker's moves in the current position.
    #[inline(never)]
    pub(crate) fn checks(&self) -> Vec<G::Move> {
        let mut moves = Moves::new();
        add_moves(&self.game, !self.style.any_moves, &mut moves);
        moves.to_vec()
    }

    /// Generates the defender's moves in the current position.
    #[inline(never)]
    pub(crate) fn answers(&self) -> Vec<G::Move> {
        let mut moves = Moves::new();
        self.game.legal_moves(&mut moves);
        moves.to_vec()
    }

    /// Removes the last node from the path and passes its value to its parent.
    pub(crate) fn close(&mut self, value: ProofNumbers) {
        let Some(frame) = self.frames.pop() else { return };
        self.path.pop();
        self.arena.truncate(frame.first);
        self.game.unmake();
        if let Some(above) = self.frames.last() {
            self.arena[above.first + above.chosen].value = value;
            self.leave(self.frames.len() - 1);
        }
    }
}

/// Returns the key of a board for results that hold on one path only.
pub(crate) const fn path_key(key: u64, path: u64) -> u64 {
    mix(key ^ mix(path ^ 0x9e37_79b9_7f4a_7c15))
}
