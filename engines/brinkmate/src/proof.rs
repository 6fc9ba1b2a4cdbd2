//! From the table of a search to the attacker's whole strategy: a move for every position that can come, written down as a
//! certificate.
//!
//! A win after a pass is tried against every defence first, so that most of them share its nodes.

use crate::brink::{Act, Brink, BrinkProver, Place, ThreatRules};
use hasami_api::{BrinkmateGame, Game, MateGame, Report, Stop, is_mated_without_moves};
use hasami_certificate::{AttackBuilder, AttackNode, Certificate, Claim, StrategyNodeId};
use hasami_mate::{AttackRules, KnownProof};
use std::collections::{HashMap, HashSet};

/// Attacks in one line, at most: the strategy is found by calls within calls.
const DEEPEST: usize = 400;

/// Positions that the thread may be lost in before the whole is given up: to try all ways could take for ever.
const MOST_LOST: u32 = 2_000;

/// A node of the strategy, as it is followed.
struct StrategyStep<M> {
    mv: M,
    pass: Option<u32>,
    answers: Vec<(M, u32)>,
    /// Plies of the longest line from here to its end, passes left out.
    plies: u16,
}

/// The node that serves a position, and the length of the brinkmate there; 0: it is a mate.
#[derive(Clone, Copy)]
pub struct ProofPlan {
    turn: u32,
    pub length: u16,
    /// It was found where only checks count.
    by_checks: bool,
}

/// The attacker's choice.
pub struct AttackerStrategy<'a, G: BrinkmateGame> {
    pub(crate) game: Brink<G>,
    prover: &'a mut BrinkProver<G>,
    stop: &'a Stop,
    /// Moves made to prove again what the table has forgotten, and how many there may be.
    pub nodes: u64,
    node_limit: u64,
    turns: Vec<StrategyStep<G::Move>>,
    plans: HashMap<Place, ProofPlan>,
    /// Positions where a node is known to win, or not to.
    tried: HashMap<(Place, u32), bool>,
    /// Positions on the way here: to come back to one is no way on.
    open: HashSet<Place>,
    lost: u32,
}

impl<'a, G: BrinkmateGame> AttackerStrategy<'a, G> {
    /// The position is one that the search has proved.
    pub fn new(game: Brink<G>, prover: &'a mut BrinkProver<G>, stop: &'a Stop, node_limit: u64) -> Self {
        let (turns, plans, tried, open) = (Vec::new(), HashMap::new(), HashMap::new(), HashSet::new());
        Self { game, prover, stop, nodes: 0, node_limit, turns, plans, tried, open, lost: 0 }
    }

    /// The length of the brinkmate, 0 for a mate. `None`: not all of it could be found.
    pub fn find(&mut self) -> Option<u16> {
        self.plan().map(|plan| plan.length)
    }

    /// For the current position, with the attacker to move.
    fn plan(&mut self) -> Option<ProofPlan> {
        let place = self.game.place();
        if let Some(&plan) = self.plans.get(&place) {
            return Some(plan);
        }
        let is_over = self.open.len() >= DEEPEST || self.lost >= MOST_LOST || self.stop.is_stopped();
        if is_over || !self.open.insert(place) {
            return None;
        }
        let found = self.choose();
        self.open.remove(&place);
        match found {
            Some(plan) => drop(self.plans.insert(place, plan)),
            None => self.lost += 1,
        }
        found
    }

    /// By the attack with the shortest proof known that leads on: what the table knows by one hand it may know by a longer
    /// proof of another, so that known attacks may lead in a circle. What the table has forgotten is proved anew.
    fn choose(&mut self) -> Option<ProofPlan> {
        let known = self.known_attacks();
        if !known.is_empty() {
            return known.into_iter().find_map(|act| self.plan_after(act));
        }
        self.prove(&self.game.clone())?;
        self.known_attacks().into_iter().find_map(|act| self.plan_after(act))
    }

    fn prove(&mut self, game: &Brink<G>) -> Option<u16> {
        let left = self.node_limit.saturating_sub(self.nodes);
        let found = self.prover.search(game, left, self.stop, &mut |_: Report| {});
        self.nodes += found.nodes;
        match found.known {
            KnownProof::Proved(plies) => Some(plies),
            KnownProof::Disproved | KnownProof::Open => None,
        }
    }

    /// A mate is followed where only checks count, if it is known there: its moves lead to shorter and shorter ones.
    fn known_attacks(&mut self) -> Vec<Act<G::Move>> {
        let mates = self.by_length(self.game.mating_attempts());
        if !mates.is_empty() || self.game.is_by_checks() {
            return mates;
        }
        self.by_length(self.game.attacks_of_any_kind())
    }

    /// Those that are known to win, the shortest first.
    fn by_length(&mut self, acts: Vec<Act<G::Move>>) -> Vec<Act<G::Move>> {
        let by_checks = self.game.is_by_checks();
        let mut known: Vec<(i32, i32, Act<G::Move>)> = Vec::new();
        for act in acts {
            self.game.make(act);
            let after = match self.known(&self.game) {
                KnownProof::Proved(plies) => Some(i32::from(plies)),
                _ if self.game.count_answers() == 0 && is_mated_without_moves(&self.game) => Some(0),
                _ => None,
            };
            self.game.unmake();
            let Some(after) = after else { continue };
            let length = match act {
                Act::Only(_) if !by_checks => 0,
                _ => ThreatRules::length_before(&self.game, act, i16::try_from(after).unwrap_or(i16::MAX)).into(),
            };
            known.push((length, after, act));
        }
        known.sort_by_key(|&(length, after, _)| (length, after));
        known.into_iter().map(|(_, _, act)| act).collect()
    }

    /// How it goes on after each answer.
    fn plan_after(&mut self, act: Act<G::Move>) -> Option<ProofPlan> {
        let mv = act.played()?;
        self.game.make(act);
        let found = self.answers();
        let is_check = self.game.in_check();
        self.game.unmake();
        let (pass, answers, longest) = found?;
        let turn = u32::try_from(self.turns.len()).ok()?;
        let after = answers.iter().map(|&(_, next)| self.turns[next as usize].plies + 1).max().unwrap_or(0);
        self.turns.push(StrategyStep { mv, pass, answers, plies: after.saturating_add(1) });
        let length = match longest {
            0 if is_check => 0,
            0 => 1,
            longest => longest + 2,
        };
        Some(ProofPlan { turn, length, by_checks: matches!(act, Act::Only(_)) })
    }

    /// After a pass, after each defence, and the length of the longest.
    #[allow(clippy::type_complexity)]
    fn answers(&mut self) -> Option<(Option<u32>, Vec<(G::Move, u32)>, u16)> {
        let acts = self.game.acts();
        let (mut pass, mut answers, mut longest) = (None, Vec::with_capacity(acts.len()), 0);
        for act in acts {
            self.game.make(act);
            let sample = pass.filter(|&turn| act != Act::Pass && self.wins(turn));
            let plan = sample.map_or_else(|| self.plan(), |turn| Some(ProofPlan { turn, length: 0, by_checks: true }));
            self.game.unmake();
            let plan = plan?;
            longest = longest.max(plan.length);
            match act.played() {
                Some(mv) => answers.push((mv, plan.turn)),
                None => pass = Some(plan.turn),
            }
        }
        Some((pass, answers, longest))
    }

    /// The node mates by checks here, too.
    fn wins(&mut self, turn: u32) -> bool {
        let key = (self.game.place(), turn);
        if let Some(&known) = self.tried.get(&key) {
            return known;
        }
        let mv = self.turns[turn as usize].mv;
        let wins = self.game.mating_attempts().contains(&Act::Only(mv)) && self.wins_after(turn, mv);
        self.tried.insert(key, wins);
        wins
    }

    fn wins_after(&mut self, turn: u32, mv: G::Move) -> bool {
        self.game.make(Act::Only(mv));
        let acts = self.game.acts();
        let wins = if acts.is_empty() {
            is_mated_without_moves(&self.game)
        } else {
            acts.iter().all(|&act| {
                let next = self.turns[turn as usize].answers.iter().find(|(mv, _)| Some(*mv) == act.played());
                let Some(&(_, next)) = next else { return false };
                self.game.make(act);
                let wins = self.wins(next);
                self.game.unmake();
                wins
            })
        };
        self.game.unmake();
        wins
    }

    pub fn plan_here(&self) -> Option<ProofPlan> {
        self.plans.get(&self.game.place()).copied()
    }

    pub fn act_of(&self, plan: ProofPlan) -> Act<G::Move> {
        let mv = self.turns[plan.turn as usize].mv;
        if plan.by_checks { Act::Only(mv) } else { Act::Play(mv) }
    }

    /// The longest length of a mate.
    pub fn plies_of(&self, plan: ProofPlan) -> u16 {
        self.turns[plan.turn as usize].plies
    }

    pub fn known(&self, game: &Brink<G>) -> KnownProof {
        self.prover.known(game, game.attacker())
    }

    /// The strategy, for whoever wants to replay it. Errors are of claims that cannot be written down.
    pub fn certificate(&self, start: &str, length: u16) -> Result<Certificate, String> {
        let mut builder = AttackBuilder::default();
        let mut ids: Vec<StrategyNodeId> = Vec::with_capacity(self.turns.len());
        let text = |mv: G::Move| self.game.format_move(Act::Play(mv));
        for StrategyStep { mv, pass, answers, .. } in &self.turns {
            let answers = answers.iter().map(|&(mv, turn)| (text(mv), ids[turn as usize]));
            ids.push(builder.add(&AttackNode::new(text(*mv), pass.map(|turn| ids[turn as usize]), answers)));
        }
        let root = self.plans.get(&self.game.place()).ok_or("expected a strategy, found none")?;
        let claim = if length == 0 { Claim::Mate } else { Claim::Brinkmate { plies: length } };
        builder.finish(start, claim, ids[root.turn as usize])
    }
}
