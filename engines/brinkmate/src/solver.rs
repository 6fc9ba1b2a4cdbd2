//! A brinkmate solver that proves its answers: it replays the whole strategy by the rules before it reports a
//! brinkmate.

use crate::brink::{Brink, BrinkProver, ENDLESS};
use crate::interface::{BrinkmateAnswer, BrinkmateFindings, BrinkmateRequest, BrinkmateSolver};
use crate::proof::AttackerStrategy;
use crate::refutation::Refutation;
use hasami_api::{BrinkmateGame, MoveText, Moves, Report, Score, Stop, Task, TaskError};
use hasami_certificate::{VerifyLimits, verify};
use hasami_mate::{KnownProof, ProcessorUsage, Searched, SolverOptions};

/// Smallest node limit for the mate search that follows when a brinkmate has been found; it can be small, because the
/// search for the brinkmate has already tried all checks.
const LOOK: u64 = 30_000;

/// Node limit for writing the certificate that no shorter brinkmate exists, in addition to four times the nodes of the
/// search. The certificate must contain all refutations that the search found by comparing positions, and writing the
/// certificate seldom succeeds beyond this limit.
const MORE: u64 = 500_000;

/// Node limit of each search in the first round of [`TaskState::in_rounds`].
const PORTION: u64 = 1 << 18;

/// Solves brinkmates by proof-number search and proves its answers.
pub struct ProofSolver<G> {
    prover: BrinkProver<G>,
}

/// The state of one task.
struct TaskState<'a, G> {
    prover: &'a mut BrinkProver<G>,
    game: &'a G,
    /// The position in text form.
    text: String,
    stop: &'a Stop,
    tell: &'a mut dyn FnMut(Report),
    limit: u64,
    nodes: u64,
    usage: Option<ProcessorUsage>,
}

impl<G: BrinkmateGame> ProofSolver<G> {
    /// Creates a solver with the tables and processors that `options` specifies.
    pub fn new(options: &SolverOptions) -> Self {
        Self { prover: BrinkProver::new(options) }
    }
}

impl<G: BrinkmateGame> BrinkmateSolver for ProofSolver<G> {
    fn solve(
        &mut self,
        task: &Task,
        request: BrinkmateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFindings, TaskError> {
        let game: G = hasami_mate::play_line(&task.line)?;
        let text = match &task.line.start.text {
            Some(text) if task.line.moves.is_empty() => text.to_string(),
            _ => game.to_text(),
        };
        let limit = task.limits.nodes.unwrap_or(u64::MAX);
        self.prover.begin(limit);
        let mut state =
            TaskState { prover: &mut self.prover, game: &game, text, stop, tell, limit, nodes: 0, usage: None };
        let findings = state.answer(request);
        let (nodes, mut usage) = (state.nodes, state.usage);
        if let Some(usage) = &mut usage {
            // Nodes that one processor searched before the others joined, or spent on extracting the strategy.
            usage.alone(nodes - usage.nodes());
        }
        let is_proved = findings.answer != BrinkmateAnswer::Unknown;
        Ok(BrinkmateFindings { is_proved, nodes, usage, ..findings })
    }

    fn prepare(&mut self) {
        self.prover.prepare();
    }
}

/// The result of a search, and the search's limit in plies (0 for a mate).
type LimitedProof = (KnownProof, u16);

impl<G: BrinkmateGame> TaskState<'_, G> {
    fn answer(&mut self, request: BrinkmateRequest) -> BrinkmateFindings {
        let most = request.within.unwrap_or(ENDLESS);
        let ((known, asked), is_shortest) =
            if request.shortest { self.shortest(most) } else { (self.any(most), false) };
        match known {
            KnownProof::Proved(_) => {
                let explained = self.explained(asked, request);
                let below = if is_shortest { self.none_below(&explained.answer, request) } else { None };
                BrinkmateFindings { below, is_shortest, ..explained }
            }
            KnownProof::Disproved => BrinkmateFindings {
                certificate: if request.certificate { self.refutation(request.within, u64::MAX) } else { None },
                ..BrinkmateFindings::new(BrinkmateAnswer::None { within: request.within })
            },
            KnownProof::Open => BrinkmateFindings::new(BrinkmateAnswer::Unknown),
        }
    }

    /// Searches for a brinkmate of at most `most` plies, and prefers a mate if it can be found with a fraction of the
    /// nodes.
    fn any(&mut self, most: u16) -> LimitedProof {
        let found = self.in_rounds(most);
        if !matches!(found.0, KnownProof::Proved(_)) || found.1 == 0 {
            return found;
        }
        match self.search(0, LOOK.max(self.nodes / 4)) {
            KnownProof::Proved(plies) => (KnownProof::Proved(plies), 0),
            KnownProof::Disproved | KnownProof::Open => found,
        }
    }

    /// Searches for a mate or, if there is no mate, for a shortest brinkmate of at most `most` plies. The second value
    /// is true if it was proved that no shorter brinkmate exists.
    fn shortest(&mut self, most: u16) -> (LimitedProof, bool) {
        let mate = self.search(0, u64::MAX);
        if mate != KnownProof::Disproved {
            return ((mate, 0), false);
        }
        let found = self.in_rounds(most);
        let KnownProof::Proved(plies) = found.0 else { return (found, false) };
        for shorter in (1..plies).step_by(2) {
            match self.search(shorter, u64::MAX) {
                KnownProof::Disproved => {}
                known @ KnownProof::Proved(_) => return ((known, shorter), true),
                KnownProof::Open => return (found, false),
            }
        }
        (found, true)
    }

    /// Searches alternately for brinkmates of at most `most` plies and for short brinkmates, with growing node limits,
    /// because each kind of search usually solves the problems that the other misses.
    fn in_rounds(&mut self, most: u16) -> LimitedProof {
        let (mut round, mut refuted) = (0, 0);
        loop {
            let portion = PORTION.checked_shl(round).unwrap_or(u64::MAX);
            let known = self.search(most, portion);
            if known != KnownProof::Open || self.is_over() {
                return (known, most);
            }
            let longest = most.min(2 * round as u16 + 2);
            for plies in (refuted + 1..longest).step_by(2) {
                match self.search(plies, portion) {
                    KnownProof::Disproved if plies == refuted + 1 => refuted = plies + 1,
                    KnownProof::Proved(length) => return (KnownProof::Proved(length), plies),
                    _ => {}
                }
            }
            round += 1;
        }
    }

    fn is_over(&self) -> bool {
        self.nodes >= self.limit || self.stop.is_stopped()
    }

    /// Searches for a brinkmate of at most `plies` plies, or for a mate if `plies` is 0, with at most `nodes` nodes.
    fn search(&mut self, plies: u16, nodes: u64) -> KnownProof {
        let game = self.root(plies);
        let limit = self.nodes.saturating_add(nodes).min(self.limit);
        let before = self.nodes;
        let tell = &mut *self.tell;
        let mut tell_all = |report: Report| tell(Report { nodes: before + report.nodes, ..report });
        let Searched { known, nodes, usage } =
            self.prover.search(&game, limit.saturating_sub(before), self.stop, &mut tell_all);
        self.nodes += nodes;
        // Short searches send no progress reports, so the node count is reported after each search.
        (self.tell)(Report { nodes: self.nodes, ..Report::new(Score::DRAW) });
        match (&mut self.usage, usage) {
            (Some(all), Some(usage)) => all.then(&usage),
            (all @ None, usage) => *all = usage,
            _ => {}
        }
        known
    }

    fn root(&self, plies: u16) -> Brink<G> {
        let game = self.game.clone();
        if plies == 0 { Brink::by_checks(game) } else { Brink::of(game, plies) }
    }

    /// Returns the certificate that no brinkmate exists, if it can be written within `most` nodes and verified.
    fn refutation(&mut self, within: Option<u16>, most: u64) -> Option<Vec<u8>> {
        let root = self.root(within.unwrap_or(ENDLESS));
        let left = self.limit.saturating_sub(self.nodes).min(most);
        let (certificate, nodes) = Refutation::new(self.prover, self.stop, left).find(root, &self.text, within);
        self.nodes += nodes;
        let certificate = certificate?;
        verify::<G>(&certificate, VerifyLimits::default()).is_ok().then(|| certificate.write())
    }

    /// Returns the certificate that neither a shorter brinkmate nor a mate exists, if requested.
    fn none_below(&mut self, answer: &BrinkmateAnswer, request: BrinkmateRequest) -> Option<Vec<u8>> {
        match answer {
            BrinkmateAnswer::Brinkmate(line) if request.shortest && request.below => {
                let plies = u16::try_from(line.len()).ok()?;
                self.refutation(Some(plies.saturating_sub(2)), MORE.saturating_add(self.nodes.saturating_mul(4)))
            }
            _ => None,
        }
    }

    /// Returns the main line of a brinkmate, continued by a defence and the mate against it.
    fn line_to_the_mate(&mut self, mut line: Vec<MoveText>) -> Option<Vec<MoveText>> {
        let mut game = self.game.clone();
        for text in &line {
            let m = game.parse_move(text).ok()?;
            game.make(m);
        }
        let mut defences = Moves::new();
        game.legal_moves(&mut defences);
        let &defence = defences.iter().next()?;
        line.push(game.format_move(defence));
        game.make(defence);
        let root = Brink::by_checks(game);
        let left = self.limit.saturating_sub(self.nodes).max(LOOK);
        let found = self.prover.search(&root, left, self.stop, &mut |_| {});
        self.nodes += found.nodes;
        let mut strategy = AttackerStrategy::new(root, self.prover, self.stop, left);
        strategy.find()?;
        line.extend(strategy.main_line());
        Some(line)
    }

    /// Returns the answer with its main line, if the strategy can be extracted and verified, and an unknown answer
    /// otherwise. If the table has forgotten too much of the proof, the search is repeated with an empty table.
    fn explained(&mut self, asked: u16, request: BrinkmateRequest) -> BrinkmateFindings {
        let unknown = BrinkmateFindings::new(BrinkmateAnswer::Unknown);
        if let Some(explained) = self.written_down(asked, request) {
            return explained;
        }
        self.prover.begin(self.limit);
        match self.search(asked, u64::MAX) {
            KnownProof::Proved(_) => self.written_down(asked, request).unwrap_or(unknown),
            KnownProof::Disproved | KnownProof::Open => unknown,
        }
    }

    fn written_down(&mut self, asked: u16, request: BrinkmateRequest) -> Option<BrinkmateFindings> {
        let root = self.root(asked);
        let left = self.limit.saturating_sub(self.nodes);
        let mut strategy = AttackerStrategy::new(root, self.prover, self.stop, left);
        let found = strategy.find();
        let Some(length) = found else {
            self.nodes += strategy.nodes;
            return None;
        };
        let line = strategy.main_line();
        let proof = if request.proof > 0 { strategy.proof(request.proof) } else { None };
        let certificate = strategy.certificate(&self.text, length);
        self.nodes += strategy.nodes;
        let certificate = certificate.ok()?;
        verify::<G>(&certificate, VerifyLimits::default()).ok()?;
        let line = if request.to_the_mate && length > 0 { self.line_to_the_mate(line) } else { Some(line) }?;
        let answer = if length == 0 { BrinkmateAnswer::Mate(line) } else { BrinkmateAnswer::Brinkmate(line) };
        let certificate = request.certificate.then(|| certificate.write());
        Some(BrinkmateFindings { certificate, proof, ..BrinkmateFindings::new(answer) })
    }
}
