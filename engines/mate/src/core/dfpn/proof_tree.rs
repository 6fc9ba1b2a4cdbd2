//! Builds the beginning of a proof as a tree of the attacker's moves and the defender's answers.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use crate::interface::findings::{ProofBranch, ProofTree};
use crate::interface::request::{MateRequest, MateRules};
use hasami_api::MateGame;
use std::collections::VecDeque;

/// Maximum number of answers per node that are reported individually.
const ANSWERS: usize = 6;

/// A node whose sub-trees are not known yet.
struct Draft<M> {
    mv: M,
    plies: usize,
    answers: Vec<(M, usize, Option<usize>)>,
    rest: usize,
}

/// Index of the parent node and index of its answer that leads to the node; `None` for the root.
type ParentLink = Option<(usize, usize)>;

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Returns a tree of at most `request.proof` moves of the attacker, those near the root first, and the main line
    /// before its siblings. Positions that the table has lost are proved again; if a limit prevents a new proof, the
    /// tree ends at the lost position. If `is_shortest` is true, the line is a shortest mate, and no defence against
    /// its moves lasts longer.
    pub(crate) fn proof(&mut self, line: &[G::Move], request: MateRequest, is_shortest: bool) -> Option<ProofTree> {
        self.search_without_limit();
        let mut drafts: Vec<Draft<G::Move>> = Vec::new();
        let mut waiting: VecDeque<(Vec<G::Move>, ParentLink)> = VecDeque::from([(Vec::new(), None)]);
        while let Some((path, parent)) = waiting.pop_front() {
            if drafts.len() >= request.proof || self.stop.is_stopped() {
                break;
            }
            path.iter().for_each(|&m| self.game.make(m));
            let draft = self.draft(&path, line, request.rules, is_shortest);
            path.iter().for_each(|_| self.game.unmake());
            let Ok(Some(draft)) = draft else { continue };
            let index = drafts.len();
            if let Some((above, answer)) = parent {
                drafts[above].answers[answer].2 = Some(index);
            }
            for (answer, &(m, ..)) in draft.answers.iter().enumerate() {
                let path = path.iter().copied().chain([draft.mv, m]).collect();
                waiting.push_back((path, Some((index, answer))));
            }
            drafts.push(draft);
        }
        (!drafts.is_empty()).then(|| self.tree_of(&drafts, 0))
    }

    /// Returns the attacker's move after `path` and the answers to it: the main line's answer, then those that delay
    /// the mate longest.
    fn draft(
        &mut self,
        path: &[G::Move],
        line: &[G::Move],
        rules: MateRules,
        is_shortest: bool,
    ) -> Result<Option<Draft<G::Move>>, Interrupted> {
        let is_main = line.starts_with(path);
        let mv = match line.get(path.len()).filter(|_| is_main) {
            Some(&m) => Some(m),
            None => self.attack(&[])?,
        };
        let Some(mv) = mv else { return Ok(None) };
        self.game.make(mv);
        let mut answers = if rules.is_mated(&self.game) { Vec::new() } else { self.known_defences() };
        self.game.unmake();
        if is_main && is_shortest {
            // The table may contain only proofs that are longer than the line.
            let left = line.len().saturating_sub(path.len() + 2) as i32;
            answers.iter_mut().for_each(|(_, plies)| *plies = left.min(*plies));
        }
        let next = line.get(path.len() + 1).filter(|_| is_main);
        answers.sort_by_key(|&(m, plies)| (Some(&m) != next, -plies));
        let plies = answers.iter().map(|&(_, plies)| plies + 2).max().unwrap_or(1);
        let rest = answers.len().saturating_sub(ANSWERS);
        answers.truncate(ANSWERS);
        let answers = answers.into_iter().map(|(m, plies)| (m, plies.max(0) as usize, None)).collect();
        Ok(Some(Draft { mv, plies: plies.max(1) as usize, answers, rest }))
    }

    fn tree_of(&mut self, drafts: &[Draft<G::Move>], index: usize) -> ProofTree {
        let draft = &drafts[index];
        let mv = self.game.format_move(draft.mv);
        self.game.make(draft.mv);
        let mut answers = Vec::new();
        for &(m, plies, next) in &draft.answers {
            let mv = self.game.format_move(m);
            self.game.make(m);
            answers.push(ProofBranch { mv, plies, next: next.map(|next| self.tree_of(drafts, next)) });
            self.game.unmake();
        }
        self.game.unmake();
        ProofTree { mv, plies: draft.plies, answers, rest: draft.rest }
    }
}
