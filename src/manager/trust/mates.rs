//! Mates that untrusted machines (slots of a cluster) claim. Claimed mates are accepted once they are proved by the
//! rules alone. Hasami's own threads and the engines that the user has named are trusted.

use crate::core::Manager;
use hasami_api::{Game, MoveText, Report, Score, ScoreKind, Verdict};
use hasami_tree::NodeId;
use hasami_tree::event::WorkerId;
use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

/// The proof of a claim may visit this many positions, which takes a few milliseconds.
const MOST_POSITIONS: u32 = 2_000;
/// The proof of an answer to `go mate` may search this many nodes. Proving an answer takes less than a second, but
/// blocks all other events. Of 75 lines that our own solver found in Shogi Muso, 72 are proved with this limit, and 62
/// with 200,000 nodes.
const MOST_NODES_OF_ANSWER: u64 = 500_000;
/// Nodes per millisecond on a slow machine, used to convert the remaining time into a node limit for a proof.
const NODES_A_MILLISECOND: u64 = 200;
/// Length in plies of the longest mate that is proved.
const LONGEST: u32 = 63;
/// The most claims that may be checked in one search.
const MOST_CLAIMS: usize = 64;

/// For each mate claimed in one search (position, score and first move), whether it was proved.
#[derive(Default)]
pub(super) struct MateClaims(HashMap<(u64, Score, Option<MoveText>), bool>);

impl MateClaims {
    pub fn begin_search(&mut self) {
        self.0.clear();
    }
}

impl<G: Game> Manager<G> {
    /// Replaces the score of an unproved mate with a score just below mate scores, which keeps the order of moves but
    /// settles nothing.
    pub(crate) fn without_unproved_mate<'a>(
        &mut self,
        worker: WorkerId,
        node: NodeId,
        report: &'a Report,
    ) -> Cow<'a, Report> {
        match self.mate_of_machine(worker, report) {
            Some(plies) if !self.is_proved(node, report) => Cow::Owned(below_mate(report, plies)),
            _ => Cow::Borrowed(report),
        }
    }

    /// Replaces the mate score of an untrusted machine's second search with a score just below mate scores, because
    /// such a mate is never proved.
    pub(crate) fn without_mate<'a>(&self, worker: WorkerId, report: &'a Report) -> Cow<'a, Report> {
        match self.mate_of_machine(worker, report) {
            Some(plies) => Cow::Owned(below_mate(report, plies)),
            None => Cow::Borrowed(report),
        }
    }

    /// Returns whether an untrusted machine claims a mate. The line of a claimed mate says nothing about the positions
    /// along it, even if the mate is proved, because the proof may use other moves.
    pub(crate) fn is_mate_of_machine(&self, worker: WorkerId, report: &Report) -> bool {
        self.mate_of_machine(worker, report).is_some()
    }

    /// The length in plies of the mate that an untrusted machine claims; `None` for any other report.
    fn mate_of_machine(&self, worker: WorkerId, report: &Report) -> Option<i32> {
        let ScoreKind::Mate(plies) = report.score.kind() else { return None };
        self.machine_of(worker).map(|_| plies)
    }

    /// Returns whether to believe the worker's claim that `line` leads from the node to mate.
    pub(crate) fn believes_mate_at(&mut self, worker: WorkerId, node: NodeId, line: &[MoveText]) -> bool {
        self.machine_of(worker).is_none()
            || self.is_proved(node, &Report { pv: line.to_vec(), ..Report::new(win_by(line)) })
    }

    /// Returns whether to believe that the line answers `go mate` for the current position. The proof of an answer may
    /// take longer than the proof of a mate in a report, because each machine answers a question only once.
    pub(crate) fn believes_mate(&mut self, worker: WorkerId, line: &[MoveText], left: Duration) -> bool {
        if self.machine_of(worker).is_none() {
            return true;
        }
        let most = u64::try_from(left.as_millis()).unwrap_or(u64::MAX).saturating_mul(NODES_A_MILLISECOND);
        is_mate_by_checks(&mut self.position.game, line)
            || self
                .mate_proof
                .as_mut()
                .is_some_and(|is_proved| is_proved(&self.position.line, line, most.min(MOST_NODES_OF_ANSWER)))
    }

    fn is_proved(&mut self, node: NodeId, report: &Report) -> bool {
        let key = (self.assignment.tree.node(node).key, report.score, report.pv.first().copied());
        if let Some(&known) = self.trust.mates.0.get(&key) {
            return known;
        }
        if self.trust.mates.0.len() >= MOST_CLAIMS {
            return false;
        }
        let is_proved = self.assignment.tree.at(node, |game| is_forced(game, report.score, &report.pv, MOST_POSITIONS));
        self.trust.mates.0.insert(key, is_proved);
        is_proved
    }
}

fn below_mate(report: &Report, plies: i32) -> Report {
    let below = Score::MAX_CP - plies.abs();
    let score = Score::cp(if report.score.is_win() { below } else { -below });
    Report { score, ..report.clone() }
}

/// The score of a win for the side to move in as many plies as `line` has.
fn win_by(line: &[MoveText]) -> Score {
    Score::win_in(i32::try_from(line.len()).unwrap_or(i32::MAX))
}

/// Returns whether the win or loss that the score announces is forced within its number of plies. At most `most`
/// positions are visited, and the moves of the line are tried first.
fn is_forced<G: Game>(game: &mut G, score: Score, line: &[MoveText], most: u32) -> bool {
    let ScoreKind::Mate(plies) = score.kind() else { return false };
    let plies = plies.unsigned_abs();
    let mut proof = Proof { line, left: most, is_answer: false };
    let root = ProofPosition { made: 0, plies, is_on_reported_line: false };
    plies <= LONGEST && if score.is_win() { proof.wins(game, root) } else { proof.loses(game, root) }
}

/// Returns whether the line is a valid answer to `go mate`: it must mate by checks against every defence, and no
/// defence may resist longer.
fn is_mate_by_checks<G: Game>(game: &mut G, line: &[MoveText]) -> bool {
    let plies = u32::try_from(line.len()).unwrap_or(u32::MAX);
    let mut proof = Proof { line, left: MOST_POSITIONS, is_answer: true };
    plies <= LONGEST && proof.wins(game, ProofPosition { made: 0, plies, is_on_reported_line: true })
}

struct Proof<'a> {
    line: &'a [MoveText],
    /// Number of positions that may still be visited.
    left: u32,
    /// True if the line is an answer to `go mate`, so that all moves of the winning side must be checks, and the line
    /// must end in mate.
    is_answer: bool,
}

/// A position that the proof visits.
#[derive(Clone, Copy)]
struct ProofPosition {
    /// Number of moves played from the claim's position.
    made: usize,
    /// Number of plies within which the game must end.
    plies: u32,
    /// True while the winning side must follow the given line: the line itself is to be proved, and no move has left
    /// it.
    is_on_reported_line: bool,
}

impl ProofPosition {
    fn next(self) -> Self {
        Self { made: self.made + 1, plies: self.plies - 1, ..self }
    }
}

impl Proof<'_> {
    fn is_spent(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    /// The next move of the line after `made` moves, if it is legal in this position.
    fn named<G: Game>(&self, game: &G, made: usize) -> Option<G::Move> {
        game.parse_move(self.line.get(made)?).ok()
    }

    /// Returns whether the side to move wins within the remaining plies, by following the line or by checks.
    fn wins<G: Game>(&mut self, game: &mut G, at: ProofPosition) -> bool {
        if self.is_spent() || at.plies == 0 || game.count_moves() == 0 {
            return false;
        }
        match game.verdict() {
            Verdict::Win if !self.is_answer => return true,
            Verdict::Win | Verdict::Open => {}
            Verdict::Draw | Verdict::Loss => return false,
        }
        if game.may_declare_win() && !self.is_answer {
            return true;
        }
        let named = self.named(game, at.made);
        if named.is_some_and(|m| self.wins_by(game, m, at, self.is_answer)) {
            return true;
        }
        if at.is_on_reported_line {
            return false;
        }
        let moves = hasami_tree::legal_moves(game);
        moves.iter().filter(|&&m| Some(m) != named).any(|&m| self.wins_by(game, m, at, true))
    }

    fn wins_by<G: Game>(&mut self, game: &mut G, m: G::Move, at: ProofPosition, must_check: bool) -> bool {
        game.make(m);
        let wins = (!must_check || game.in_check()) && self.loses(game, at.next());
        game.unmake();
        wins
    }

    /// Returns whether the side to move loses within the remaining plies, whatever it plays.
    fn loses<G: Game>(&mut self, game: &mut G, at: ProofPosition) -> bool {
        if self.is_spent() {
            return false;
        }
        let moves = hasami_tree::legal_moves(game);
        if moves.is_empty() {
            return game.verdict_without_moves() == Verdict::Loss;
        }
        match game.verdict() {
            Verdict::Loss => return !self.is_answer,
            Verdict::Open => {}
            Verdict::Draw | Verdict::Win => return false,
        }
        if at.plies == 0 || game.may_declare_win() {
            return false;
        }
        let reported_move = if at.is_on_reported_line { self.named(game, at.made) } else { None };
        moves.iter().all(|&m| {
            game.make(m);
            let wins = self.wins(game, ProofPosition { is_on_reported_line: reported_move == Some(m), ..at.next() });
            game.unmake();
            wins
        })
    }
}
