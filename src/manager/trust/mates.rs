//! Mates that machines of others (slots of the cluster) claim. They count once they are proved by the rules alone; threads of
//! ours and the engines that the user has named are trusted.

use crate::event::{MachineId, WorkerId};
use crate::manager::core::Manager;
use crate::tree::NodeId;
use hasami_api::{Game, MoveText, Report, Score, ScoreKind, Verdict};
use std::borrow::Cow;
use std::collections::HashMap;

/// Positions that the proof of a claim may take: a few milliseconds.
const MOST_POSITIONS: u32 = 2_000;
/// Those of an answer to `go mate`: some tens of milliseconds.
const MOST_POSITIONS_OF_ANSWER: u32 = 20_000;
/// The longest mate that is looked for, in plies.
const LONGEST: u32 = 63;
/// Claims of one search that are looked at.
const MOST_CLAIMS: usize = 64;

/// The claims of one search by position, score and first move: whether there was a proof.
#[derive(Default)]
pub(super) struct MateClaims(HashMap<(u64, Score, Option<MoveText>), bool>);

impl MateClaims {
    pub fn begin_search(&mut self) {
        self.0.clear();
    }
}

impl<G: Game> Manager<G> {
    /// The report as it counts: a mate without a proof is a value just below one, which keeps its place among other values
    /// and decides nothing.
    pub(in crate::manager) fn without_unproved_mate<'a>(
        &mut self,
        worker: WorkerId,
        node: NodeId,
        report: &'a Report,
    ) -> Cow<'a, Report> {
        match self.mate_of_machine(worker, report) {
            Some((machine, plies)) if !self.is_proved(machine, node, report) => Cow::Owned(below_mate(report, plies)),
            _ => Cow::Borrowed(report),
        }
    }

    /// What a second search says of a mate is a value of it, too: its position is looked at by nobody else.
    pub(in crate::manager) fn without_mate<'a>(&self, worker: WorkerId, report: &'a Report) -> Cow<'a, Report> {
        match self.mate_of_machine(worker, report) {
            Some((_, plies)) => Cow::Owned(below_mate(report, plies)),
            None => Cow::Borrowed(report),
        }
    }

    /// The report is a mate of a machine. Its proof may go by other moves than the line, which then says nothing of the
    /// positions on it.
    pub(in crate::manager) fn is_mate_of_machine(&self, worker: WorkerId, report: &Report) -> bool {
        self.mate_of_machine(worker, report).is_some()
    }

    /// The machine that tells a mate, and the plies of it.
    fn mate_of_machine(&self, worker: WorkerId, report: &Report) -> Option<(MachineId, i32)> {
        let ScoreKind::Mate(plies) = report.score.kind() else { return None };
        Some((self.machine_of(worker)?, plies))
    }

    /// A line to a mate that this worker has found at a node is a mate.
    pub(in crate::manager) fn believes_mate_at(&mut self, worker: WorkerId, node: NodeId, line: &[MoveText]) -> bool {
        let Some(machine) = self.machine_of(worker) else { return true };
        self.is_proved(machine, node, &Report { pv: line.to_vec(), ..Report::new(win_by(line)) })
    }

    /// The same for the position on the board. There is one such claim in a question, so its proof may be longer.
    pub(in crate::manager) fn believes_mate(&mut self, worker: WorkerId, line: &[MoveText]) -> bool {
        let Some(machine) = self.machine_of(worker) else { return true };
        let is_proved = is_forced(&mut self.position.game, win_by(line), line, MOST_POSITIONS_OF_ANSWER);
        if !is_proved {
            self.rate(machine, |record| record.unproved += 1);
        }
        is_proved
    }

    fn is_proved(&mut self, machine: MachineId, node: NodeId, report: &Report) -> bool {
        let key = (self.assignment.tree.node(node).key, report.score, report.pv.first().copied());
        if let Some(&known) = self.trust.mates.0.get(&key) {
            return known;
        }
        if self.trust.mates.0.len() >= MOST_CLAIMS {
            return false;
        }
        let is_proved = self.assignment.tree.at(node, |game| is_forced(game, report.score, &report.pv, MOST_POSITIONS));
        self.trust.mates.0.insert(key, is_proved);
        if !is_proved {
            self.rate(machine, |record| record.unproved += 1);
        }
        is_proved
    }
}

fn below_mate(report: &Report, plies: i32) -> Report {
    let below = Score::MAX_CP - plies.abs();
    let score = Score::cp(if report.score.is_win() { below } else { -below });
    Report { score, ..report.clone() }
}

/// The score of a line to a mate.
fn win_by(line: &[MoveText]) -> Score {
    Score::win_in(i32::try_from(line.len()).unwrap_or(i32::MAX))
}

/// The side to move wins, or loses, by force as soon as the score says; at most so many positions are looked at. The moves of
/// the line are tried first.
fn is_forced<G: Game>(game: &mut G, score: Score, line: &[MoveText], most: u32) -> bool {
    let ScoreKind::Mate(plies) = score.kind() else { return false };
    let plies = plies.unsigned_abs();
    let mut proof = Proof { line, left: most };
    plies <= LONGEST && if score.is_win() { proof.wins(game, 0, plies) } else { proof.loses(game, 0, plies) }
}

struct Proof<'a> {
    line: &'a [MoveText],
    /// Positions that may still be looked at.
    left: u32,
}

impl Proof<'_> {
    fn is_spent(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    /// The side to move ends the game within so many plies: by the move of the line, or by checks.
    fn wins<G: Game>(&mut self, game: &mut G, made: usize, plies: u32) -> bool {
        if self.is_spent() || plies == 0 || game.count_moves() == 0 {
            return false;
        }
        match game.verdict() {
            Verdict::Win => return true,
            Verdict::Open => {}
            Verdict::Draw | Verdict::Loss => return false,
        }
        if game.may_declare_win() {
            return true;
        }
        let named = self.line.get(made).and_then(|text| game.parse_move(text).ok());
        if named.is_some_and(|m| self.wins_by(game, m, made, plies)) {
            return true;
        }
        let moves = crate::tree::legal_moves(game);
        moves.iter().filter(|&&m| Some(m) != named).any(|&m| {
            game.make(m);
            let is_check = game.in_check();
            game.unmake();
            is_check && self.wins_by(game, m, made, plies)
        })
    }

    fn wins_by<G: Game>(&mut self, game: &mut G, m: G::Move, made: usize, plies: u32) -> bool {
        game.make(m);
        let wins = self.loses(game, made + 1, plies - 1);
        game.unmake();
        wins
    }

    /// Whatever the side to move does, it has lost within so many plies.
    fn loses<G: Game>(&mut self, game: &mut G, made: usize, plies: u32) -> bool {
        if self.is_spent() {
            return false;
        }
        let moves = crate::tree::legal_moves(game);
        if moves.is_empty() {
            return game.verdict_without_moves() == Verdict::Loss;
        }
        match game.verdict() {
            Verdict::Loss => return true,
            Verdict::Open => {}
            Verdict::Draw | Verdict::Win => return false,
        }
        if plies == 0 || game.may_declare_win() {
            return false;
        }
        moves.iter().all(|&m| {
            game.make(m);
            let wins = self.wins(game, made + 1, plies - 1);
            game.unmake();
            wins
        })
    }
}
