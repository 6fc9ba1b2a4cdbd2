//! Solves positions in which the side to be mated moves first, as one problem for each move of the side to be mated.
//!
//! The problems are searched in turn with growing node budgets, so that a defence that holds is found before the other
//! defences have taken many nodes.

use crate::algorithm::{MateAlgorithm, MateJob, answered};
use crate::interface::findings::{DefenceReport, MateFindings, OpenReason, ProofBranch, Variation, VariationKind};
use crate::interface::options::ProcessorUsage;
use crate::interface::request::MateRequest;
use hasami_api::{MateAnswer, MateGame, MoveText, Moves, Report, Task, is_mated_without_moves};

/// Nodes per defence in the first turn. `GROWTH` is the factor by which this node budget grows from turn to turn.
const FIRST: u64 = 4_000;
const GROWTH: u64 = 8;

/// A move of the side to be mated, and the result after it.
struct Defence<M> {
    mv: M,
    text: MoveText,
    found: Option<MateFindings>,
}

impl<M> Defence<M> {
    fn line(&self) -> Option<&[MoveText]> {
        match self.found.as_ref().map(|found| &found.answer) {
            Some(MateAnswer::Mate(line)) => Some(line),
            _ => None,
        }
    }

    /// Converts the defence and the mate after it into a variation.
    fn as_variation(&self) -> Variation {
        let moves = [&[self.text][..], self.line().unwrap_or_default()].concat();
        Variation { ply: 1, moves, kind: VariationKind::Defence }
    }

    /// Returns true if more nodes would not change the result.
    fn is_settled(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.open != Some(OpenReason::Nodes))
    }
}

struct DefenceState<'a, G: MateGame> {
    algorithm: &'a mut dyn MateAlgorithm<G>,
    job: &'a MateJob<'a, G>,
    nodes: u64,
    usage: Option<ProcessorUsage>,
}

/// Decides whether there is a mate after every legal move. The last progress report states the total number of nodes.
pub(crate) fn solve<G: MateGame>(
    algorithm: &mut dyn MateAlgorithm<G>,
    job: &MateJob<G>,
    tell: &mut dyn FnMut(Report),
) -> MateFindings {
    let mut state = DefenceState { algorithm, job, nodes: 0, usage: None };
    let mut moves = Moves::new();
    job.game.legal_moves(&mut moves);
    let defence = |&mv: &G::Move| Defence { mv, text: job.game.format_move(mv), found: None };
    let mut defences: Vec<Defence<G::Move>> = moves.iter().map(defence).collect();
    let escape = state.search(&mut defences, tell);
    let found = match escape {
        _ if defences.is_empty() => {
            let is_mated = is_mated_without_moves(job.game);
            let answer = if is_mated { MateAnswer::Mate(Vec::new()) } else { MateAnswer::NoMate };
            MateFindings { defended: Some(DefenceReport::default()), ..answered(Ok(answer), 0) }
        }
        Some(escape) => MateFindings {
            defended: Some(DefenceReport { escape: Some(escape), defences: Vec::new() }),
            ..answered(Ok(MateAnswer::NoMate), 0)
        },
        None => state.conclude(defences, tell),
    };
    MateFindings { nodes: state.nodes, usage: state.usage, ..found }
}

impl<G: MateGame> DefenceState<'_, G> {
    /// Searches until every defence is decided or a limit is reached. Returns the first move after which there is no
    /// mate.
    fn search(&mut self, defences: &mut [Defence<G::Move>], tell: &mut dyn FnMut(Report)) -> Option<MoveText> {
        let mut portion = FIRST;
        let plain = MateRequest {
            defender_first: false,
            others: false,
            variations: false,
            lines: 0,
            proof: 0,
            ..self.job.request
        };
        while defences.iter().any(|defence| !defence.is_settled()) && !self.is_over() {
            for defence in defences.iter_mut().filter(|defence| !defence.is_settled()) {
                if self.is_over() {
                    break;
                }
                let found = self.one(defence, plain, portion, tell);
                if found.answer == MateAnswer::NoMate {
                    return Some(defence.text);
                }
                defence.found = Some(found);
            }
            portion = portion.saturating_mul(GROWTH);
        }
        None
    }

    fn is_over(&self) -> bool {
        self.job.stop.is_stopped() || self.nodes >= self.job.node_limit()
    }

    /// Solves the position after `defence`, with at most `nodes` nodes.
    fn one(
        &mut self,
        defence: &Defence<G::Move>,
        request: MateRequest,
        nodes: u64,
        tell: &mut dyn FnMut(Report),
    ) -> MateFindings {
        let mut game = self.job.game.clone();
        game.make(defence.mv);
        let mut task: Task = self.job.task.clone();
        task.line.moves.push(defence.text);
        task.limits.nodes = Some(nodes.min(self.job.node_limit() - self.nodes));
        let job = MateJob { game: &game, task: &task, request, stop: self.job.stop };
        let before = self.nodes;
        let mut tell_all = |report: Report| tell(Report { nodes: before + report.nodes, ..report });
        let mut found = self.algorithm.solve(&job, &mut tell_all);
        if found.answer == MateAnswer::Unknown {
            found.open = found.open.or_else(|| Some(job.open_reason(found.nodes)));
        }
        self.nodes += found.nodes;
        match (&mut self.usage, found.usage.take()) {
            (Some(all), Some(usage)) => all.then(&usage),
            (all @ None, usage) => *all = usage,
            (Some(_), None) => {}
        }
        found
    }

    /// Returns the longest of the mates, if there is a mate after every defence.
    fn conclude(&mut self, mut defences: Vec<Defence<G::Move>>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        let reason = |found: Option<&MateFindings>| match found.and_then(|found| found.open) {
            None | Some(OpenReason::Nodes) => self.job.open_reason(self.nodes),
            Some(reason) => reason,
        };
        if let Some(open) = defences.iter().find(|defence| defence.line().is_none()) {
            let open = Some(reason(open.found.as_ref()));
            return MateFindings { open, ..answered(Ok(MateAnswer::Unknown), 0) };
        }
        let length = |defence: &Defence<G::Move>| defence.line().map_or(0, <[MoveText]>::len);
        defences.sort_by_key(|defence| std::cmp::Reverse(length(defence)));
        let is_open = |defence: &&Defence<G::Move>| defence.found.as_ref().is_some_and(|found| found.open.is_some());
        let open = defences.iter().find(is_open).map(|defence| reason(defence.found.as_ref()));
        let branch = |defence: &Defence<G::Move>| ProofBranch { mv: defence.text, plies: length(defence), next: None };
        let mut branches: Vec<ProofBranch> = defences.iter().map(branch).collect();
        let main = &defences[0];
        let (mut line, mut others, mut variations) = (vec![main.text], Vec::new(), Vec::new());
        if self.job.request.variations {
            variations.extend(defences[1..].iter().map(Defence::as_variation));
        }
        let MateRequest { others: wants_others, variations: wants_variations, proof, .. } = self.job.request;
        let wants_more = wants_others || wants_variations || proof > 0;
        let request = MateRequest { defender_first: false, ..self.job.request };
        let again = wants_more.then(|| self.one(main, request, u64::MAX, tell));
        match again {
            Some(MateFindings { answer: MateAnswer::Mate(rest), others: found, variations: lines, proof, .. }) => {
                line.extend(rest);
                others = found;
                others.iter_mut().for_each(|other| other.ply += 1);
                variations.extend(lines.into_iter().map(|found| Variation { ply: found.ply + 1, ..found }));
                branches[0].plies = line.len() - 1;
                branches[0].next = proof;
            }
            _ => line.extend(main.line().unwrap_or_default()),
        }
        let defended = Some(DefenceReport { escape: None, defences: branches });
        MateFindings { open, others, variations, defended, ..answered(Ok(MateAnswer::Mate(line)), 0) }
    }
}
