//! Explains a strategy by its main line and by a tree of the proof's first moves.

use crate::brink::Act;
use crate::proof::{AttackerStrategy, ProofPlan};
use hasami_api::{BrinkmateGame, Game, MoveText};
use hasami_mate::{ProofBranch, ProofTree};
use std::collections::HashSet;

/// Maximum number of defences answered by mate that the tree lists after each attacking move.
const MATED: usize = 5;

/// A defence, with the lengths in plies of the brinkmate and the mate after it, one of which is 0.
struct TimedDefence<M> {
    act: Act<M>,
    brinkmate: u16,
    mate: u16,
}

impl<G: BrinkmateGame> AttackerStrategy<'_, G> {
    /// Returns the line of the best attacking moves against the longest defences, up to the attacker's last move before
    /// the final mate. If the strategy is a mate, the line ends with the mate.
    pub fn main_line(&mut self) -> Vec<MoveText> {
        let mut line = Vec::new();
        let mut seen = HashSet::new();
        while let Some(plan) = self.plan_here() {
            let act = self.act_of(plan);
            line.push(self.game.format_move(act));
            self.game.make(act);
            if plan.length == 1 || !seen.insert(self.game.place()) {
                break;
            }
            let Some(defence) = self.defences().into_iter().next() else { break };
            line.push(self.game.format_move(defence.act));
            self.game.make(defence.act);
        }
        for _ in 0..line.len() {
            self.game.unmake();
        }
        line
    }

    /// Returns the defences against which the attacker has a plan, those that resist longest first.
    fn defences(&mut self) -> Vec<TimedDefence<G::Move>> {
        let mut defences = Vec::new();
        for act in self.game.acts().into_iter().filter(|act| act.played().is_some()) {
            self.game.make(act);
            if let Some(plan) = self.plan_here() {
                let mate = if plan.length == 0 { self.plies_of(plan) } else { 0 };
                defences.push(TimedDefence { act, brinkmate: plan.length, mate });
            }
            self.game.unmake();
        }
        defences.sort_by_key(|defence| (u16::MAX - defence.brinkmate, u16::MAX - defence.mate));
        defences
    }

    /// Returns the beginning of the proof as a tree with at most `moves` attacking moves.
    pub fn proof(&mut self, mut moves: usize) -> Option<ProofTree> {
        self.proof_here(&mut moves)
    }

    fn proof_here(&mut self, left: &mut usize) -> Option<ProofTree> {
        let plan = self.plan_here()?;
        *left = left.checked_sub(1)?;
        let act = self.act_of(plan);
        let mv = self.game.format_move(act);
        self.game.make(act);
        let proof = self.proof_after(mv, plan, left);
        self.game.unmake();
        Some(proof)
    }

    fn proof_after(&mut self, mv: MoveText, plan: ProofPlan, left: &mut usize) -> ProofTree {
        let all = self.game.count_moves();
        let defences = self.defences();
        let mut answers = Vec::new();
        for (index, TimedDefence { act, brinkmate, mate }) in defences.into_iter().enumerate() {
            if brinkmate == 0 && plan.length > 0 && (index >= MATED || mate == 0) {
                break;
            }
            let text = self.game.format_move(act);
            self.game.make(act);
            let wants_more = brinkmate > 0 || plan.length == 0;
            let next = if wants_more { self.proof_here(left) } else { None };
            self.game.unmake();
            if wants_more && next.is_none() {
                break;
            }
            answers.push(ProofBranch { mv: text, plies: usize::from(mate), next });
        }
        let rest = all - answers.len();
        ProofTree { mv, plies: usize::from(plan.length), answers, rest }
    }
}
