//! Extracts the attacker's whole strategy from a search's table, as a certificate with a move for every position that
//! can arise.
//!
//! The strategy that wins after a pass is tried first against every defence, so that most defences share its nodes.

use crate::brink::{Act, Brink, BrinkProver, ThreatRules};
use hasami_api::{BrinkmateGame, Game, MateGame, PositionKey, Report, Stop, is_mated_without_moves};
use hasami_certificate::{AttackBuilder, AttackNode, Certificate, Claim, StrategyNodeId};
use hasami_mate::{AttackRules, KnownProof};
use std::collections::{HashMap, HashSet};

/// Largest number of attacking moves in one line, which bounds the recursion.
const DEEPEST: usize = 400;

/// Number of positions without a plan after which the extraction gives up, because trying all moves could take forever.
const MOST_LOST: u32 = 2_000;

/// A node of the strategy.
struct StrategyStep<M> {
    mv: M,
    /// The next node if the defender passes.
    pass: Option<u32>,
    /// The next node after each move of the defender.
    answers: Vec<(M, u32)>,
    /// Length of the longest line from this node to its end, in plies, without passes.
    plies: u16,
}

/// The planned move in a position where the attacker is to move.
#[derive(Clone, Copy)]
pub struct ProofPlan {
    /// Index of the strategy node with the planned move.
    turn: u32,
    /// Length of the brinkmate in plies; 0 for a mate.
    pub length: u16,
    /// Whether the attacker must give check in all moves after the planned move.
    by_checks: bool,
}

/// Extracts the attacker's strategy.
pub struct AttackerStrategy<'a, G: BrinkmateGame> {
    pub(crate) game: Brink<G>,
    prover: &'a mut BrinkProver<G>,
    stop: &'a Stop,
    /// Number of moves made to re-prove positions that the table has forgotten.
    pub nodes: u64,
    node_limit: u64,
    turns: Vec<StrategyStep<G::Move>>,
    plans: HashMap<PositionKey, ProofPlan>,
    /// Caches whether a strategy node wins in a position.
    tried: HashMap<(PositionKey, u32), bool>,
    /// Positions on the current line, to which the strategy must not return.
    open: HashSet<PositionKey>,
    /// Number of positions for which no plan was found.
    lost: u32,
}

impl<'a, G: BrinkmateGame> AttackerStrategy<'a, G> {
    /// Prepares the extraction of a strategy for a position where the search has proved a win.
    pub fn new(game: Brink<G>, prover: &'a mut BrinkProver<G>, stop: &'a Stop, node_limit: u64) -> Self {
        let (turns, plans, tried, open) = (Vec::new(), HashMap::new(), HashMap::new(), HashSet::new());
        Self { game, prover, stop, nodes: 0, node_limit, turns, plans, tried, open, lost: 0 }
    }

    /// Extracts the whole strategy and returns the length of the brinkmate in plies, or 0 for a mate. Returns `None` if
    /// a part of the strategy could not be found.
    pub fn find(&mut self) -> Option<u16> {
        self.plan().map(|plan| plan.length)
    }

    /// Finds the plan for the current position, where the attacker is to move.
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

    /// Chooses the attacking move with the shortest known proof after which a plan is found, and proves the position
    /// again if the table has forgotten it. Some winning moves in the table have no plan: the table may contain only a
    /// longer proof, for another hand, so following the table may lead in a circle.
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

    /// Returns the attacking moves that are known to win, the shortest win first. If checks are known to mate, only
    /// those checks are returned, because they lead to ever shorter mates.
    fn known_attacks(&mut self) -> Vec<Act<G::Move>> {
        let mates = self.by_length(self.game.mating_attempts());
        if !mates.is_empty() || self.game.is_by_checks() {
            return mates;
        }
        self.by_length(self.game.attacks_of_any_kind())
    }

    /// Returns those of `acts` that are known to win, the shortest win first.
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

    /// Finds the plan that begins with `act`, if there is a plan after each defence.
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

    /// Returns the next node after a pass, the next node after each defence, and the length in plies of the longest
    /// brinkmate after a defence.
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

    /// Returns whether the strategy that begins with node `turn` mates by checks in the current position.
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

    /// Returns the length of the longest line of a mating plan, in plies.
    pub fn plies_of(&self, plan: ProofPlan) -> u16 {
        self.turns[plan.turn as usize].plies
    }

    pub fn known(&self, game: &Brink<G>) -> KnownProof {
        self.prover.known(game, game.attacker())
    }

    /// Returns the strategy as a certificate, or an error if the claim cannot be written.
    pub fn certificate(&self, start: &str, length: u16) -> Result<Certificate, String> {
        let mut builder = AttackBuilder::default();
        let mut ids: Vec<StrategyNodeId> = Vec::with_capacity(self.turns.len());
        let text = |mv: G::Move| self.game.format_move(Act::Play(mv));
        for StrategyStep { mv, pass, answers, .. } in &self.turns {
            let answers = answers.iter().map(|&(mv, turn)| (text(mv), ids[turn as usize]));
            ids.push(builder.add(&AttackNode::new(text(*mv), pass.map(|turn| ids[turn as usize]), answers)));
        }
        let root = self.plans.get(&self.game.place()).ok_or("there is no strategy")?;
        let claim = if length == 0 { Claim::Mate } else { Claim::Brinkmate { plies: length } };
        builder.finish(start, claim, ids[root.turn as usize])
    }
}
