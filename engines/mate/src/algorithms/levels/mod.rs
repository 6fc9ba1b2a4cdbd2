//! Finds the shortest attacks against the longest defences, and all lines that are optimal for both sides, by
//! processing all positions of a level at once (docs/design/level-synchronous.md).
//!
//! The position to be solved is the object of the first level. The *propositions* of an object are pairs of a check and
//! an answer to it; pairs with the same check form a *group*. The attacker chooses among groups, and the defender among
//! the pairs of a group. The position after a pair is an object of the next level. As soon as a pair is a "mate" or a
//! "failure", the rules, which work backwards, erase the pairs and groups that neither side would choose, together with
//! everything below them.
//!
//! `propositions` stores the propositions, `writer` writes them, `rules` erases them, `level` assigns objects to
//! processors, and `solution` reads the remaining lines. `whole` detects endless checks, `pool` manages memory, and
//! `counts` holds statistics.
//!
//! In the original design every proposition has its own processor. In this implementation an object occupies a
//! processor only while its propositions are written, so any number of processors gives the same result.

mod counts;
mod level;
mod pool;
mod propositions;
mod rules;
mod solution;
mod whole;
mod writer;

use crate::algorithm::{Capabilities, Description, MateAlgorithm, MateJob, Registered, answered};
use crate::core::machine::{Processor, run};
use crate::core::notation::texts;
use crate::core::replay::is_mate_line;
use crate::core::reports::at_the_end;
use crate::interface::findings::{MateFindings, MoveLikeness, OpenReason, OtherAnswer, OtherMove};
use crate::interface::levels::{LevelCounts, LevelReport};
use crate::interface::options::{ProcessorUsage, SearchMachine, SolverOptions};
use crate::interface::request::MateRules;
use hasami_api::{MateAnswer, MateGame, MoveText, Report, Stop};
use level::{Level, LevelWork};
use std::sync::{Mutex, MutexGuard, PoisonError};
use writer::{PredicateCount, Writer};

pub(crate) use level::SearchEnd;

/// Maximum number of optimal lines that are reported.
const MOST_LINES: usize = 100;

pub(crate) struct LevelSynchronous {
    machine: SearchMachine,
    bytes: usize,
}

impl Registered for LevelSynchronous {
    const DESCRIPTION: Description = Description {
        name: "levels",
        summary: "all positions of a level at once: every shortest attack against every longest defence",
        capabilities: Capabilities { parallel: true, shortest: true, other_moves: true, ..Capabilities::NONE },
    };

    fn new(options: &SolverOptions, bytes: usize) -> Self {
        Self { machine: options.machine, bytes }
    }
}

impl<G: MateGame> MateAlgorithm<G> for LevelSynchronous {
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        let (game, checks) = (job.game, !job.request.any_moves);
        let limits = LevelLimits { nodes: job.node_limit(), plies: job.longest(), bytes: self.bytes };
        let solved = solve(game, checks, &limits, &self.machine, job.stop);
        let nodes = solved.usage.worked.iter().sum();
        let answer = match solved.main_line() {
            Some(line) if is_mate_line(game, line, MateRules::Strict, checks, job.stop) => {
                MateAnswer::Mate(texts(game, line))
            }
            Some(_) => MateAnswer::Unknown,
            None if solved.end == SearchEnd::NoMate => MateAnswer::NoMate,
            None => MateAnswer::Unknown,
        };
        tell(at_the_end(Some(&answer), nodes));
        let others = if job.request.others { solved.others(game) } else { Vec::new() };
        let levels = Some(solved.levels(|line| texts(game, line)));
        let usage = Some(solved.usage).filter(|usage| usage.clocks.len() > 1);
        let open = (solved.end == SearchEnd::Full).then_some(OpenReason::Memory);
        MateFindings { open, others, levels, usage, ..answered(Ok(answer), nodes) }
    }
}

pub(crate) struct LevelLimits {
    pub(crate) nodes: u64,
    /// Maximum length of a line, in plies.
    pub(crate) plies: usize,
    pub(crate) bytes: usize,
}

pub(crate) struct Solved<M> {
    pub(crate) end: SearchEnd,
    /// Number of optimal lines. `optimal_lines` holds the first optimal lines, beginning with the main line.
    pub(crate) lines: u64,
    pub(crate) optimal_lines: Vec<Vec<M>>,
    /// Checks that mate as quickly as the main line's check at the same ply, each with its ply, counted from 0.
    pub(crate) duals: Vec<(usize, M)>,
    /// Number of levels of which all "mates" are known.
    pub(crate) complete: usize,
    pub(crate) counts: Vec<LevelCounts>,
    pub(crate) bytes: usize,
    pub(crate) usage: ProcessorUsage,
}

/// Solves the position. If `checks` is true, the attacker may only play checks.
pub(crate) fn solve<G: MateGame>(
    root: &G,
    checks: bool,
    limits: &LevelLimits,
    machine: &SearchMachine,
    stop: &Stop,
) -> Solved<G::Move> {
    let most = u16::try_from(limits.plies.div_ceil(2)).unwrap_or(u16::MAX - 1);
    let place = (root.board_key(), root.hand(root.side()));
    let level = Mutex::new(Level::new(place, most, limits.bytes));
    // The game is in a mutex because a game need not be `Sync`.
    let root = Mutex::new(root.clone());
    let work = |processor: &Processor| {
        let game = lock(&root).clone();
        work(processor, Writer::new(game, checks, processor.stop()), &level, limits.bytes);
    };
    let (_, usage) = run(machine, stop, limits.nodes, work);
    let level = level.into_inner().unwrap_or_else(PoisonError::into_inner);
    let end = level.end.unwrap_or(SearchEnd::Stopped);
    let (lines, optimal_lines, duals) = match end {
        SearchEnd::Mate => {
            let left = &level.propositions;
            (left.count_lines(), left.optimal_lines(MOST_LINES), left.duals())
        }
        _ => (0, Vec::new(), Vec::new()),
    };
    let (complete, bytes) = (level.complete.into(), level.bytes);
    Solved { end, lines, optimal_lines, duals, complete, counts: level.counts().to_vec(), bytes, usage }
}

impl<M: Copy> Solved<M> {
    pub(crate) fn main_line(&self) -> Option<&[M]> {
        self.optimal_lines.first().map(Vec::as_slice)
    }

    /// Returns the checks outside the main line that mate as quickly as the main line's check at the same ply.
    pub(crate) fn others<G: MateGame<Move = M>>(&self, root: &G) -> Vec<OtherMove> {
        let Some(line) = self.main_line() else { return Vec::new() };
        let text = |&(ply, m): &(usize, M)| {
            let mut game = root.clone();
            line[..ply].iter().for_each(|&m| game.make(m));
            let mv = game.format_move(m);
            let likeness = MoveLikeness::of(&game, line[ply], m);
            OtherMove { ply: ply + 1, mv, answer: OtherAnswer::Mate(line.len() - ply), likeness }
        };
        self.duals.iter().map(text).collect()
    }

    pub(crate) fn levels(&self, texts: impl Fn(&[M]) -> Vec<MoveText>) -> LevelReport {
        LevelReport {
            counts: self.counts.clone(),
            complete: self.complete,
            is_full: self.end == SearchEnd::Full,
            bytes: self.bytes,
            lines: self.lines,
            optimal_lines: self.optimal_lines.iter().map(|line| texts(line)).collect(),
        }
    }
}

/// Runs one processor until the search ends.
fn work<G: MateGame>(processor: &Processor, mut writer: Writer<G>, level: &Mutex<Level<G::Move>>, most_bytes: usize) {
    while !processor.stop().is_stopped() {
        let (before, next, now) = {
            let mut level = lock(level);
            (level.phase(), level.next(), level.phase())
        };
        if now != before {
            processor.wake();
        }
        let begun = writer.nodes;
        match next {
            LevelWork::Mates(object, way) => {
                let Ok(mates) = writer.mates(&way) else { break };
                lock(level).enter_mates(object, mates, writer.nodes - begun);
            }
            LevelWork::Groups(object, question) => {
                let mut tally = PredicateCount::default();
                let Ok(groups) = writer.groups(&question, &mut tally) else { break };
                lock(level).enter_groups(object, &groups, tally, writer.nodes - begun);
            }
            LevelWork::LookAtAll(nodes) => {
                writer.limit(begun.saturating_add(nodes));
                let left = most_bytes.saturating_sub(lock(level).propositions.bytes());
                let has_mate = whole::has_mate(&mut writer, left);
                writer.limit(u64::MAX);
                lock(level).looked_at_all(has_mate, writer.nodes - begun);
            }
            LevelWork::Wait => processor.idle(),
            LevelWork::Over => break,
        }
    }
    processor.ended(writer.nodes);
    processor.end();
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
