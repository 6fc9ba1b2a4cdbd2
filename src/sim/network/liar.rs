//! A machine in the network that has valid credentials and lies: its messages are well formed, concern the right task,
//! contain legal moves, and are wrong.

use crate::gui::position;
use hasami_api::{Answer, Game, MateAnswer, MoveText, Report, Score, Task, Verdict};
use hasami_toy::{Toy, ToyMove};
use hasami_tree::event::{TaskEnd, TaskId, WorkerEvent};
use hasami_tree::legal_moves;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;

/// Reported depth of an iteration that was never searched.
const DEEP: u16 = 99;
/// Error of a false value, in centipawns.
const JUMP: i32 = 900;
/// Number of positions in which a helpmate is searched for.
const HELPED: u32 = 300;

pub struct Liar {
    /// Permille of the messages that are lies.
    often: u32,
    rng: SmallRng,
    /// The root position of each task, and the task, which restricts the moves that may be searched.
    tasks: BTreeMap<TaskId, (Toy, Task)>,
}

impl Liar {
    pub fn new(often: u32, seed: u64) -> Self {
        Self { often, rng: SmallRng::seed_from_u64(seed), tasks: BTreeMap::new() }
    }

    /// Notes that a worker of the machine begins a task.
    pub fn start(&mut self, id: TaskId, task: &Task) {
        if let Some(root) = position(&task.line) {
            self.tasks.insert(id, (root, task.clone()));
        }
    }

    /// Returns the event to be sent instead of this one.
    pub fn distort(&mut self, event: WorkerEvent) -> WorkerEvent {
        if !self.rng.random_ratio(self.often, 1_000) {
            return event;
        }
        match event {
            WorkerEvent::Report { worker, task, mut report } => {
                self.lie_in(task, &mut report);
                WorkerEvent::Report { worker, task, report }
            }
            WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(answer) } => {
                WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(self.other(task, answer)) }
            }
            other => other,
        }
    }

    fn lie_in(&mut self, task: TaskId, report: &mut Report) {
        let Some((root, task)) = self.tasks.get(&task).cloned() else { return };
        match self.rng.random_range(0..6) {
            0 => (report.pv, report.score, report.depth) = (self.line(&root, &task, 3), Score::cp(JUMP), DEEP),
            1 => (report.score, report.depth) = (Score::cp(-JUMP), DEEP),
            2 => {
                let plies = [1, 3, 5][self.rng.random_range(0..3)];
                (report.pv, report.score) = (self.line(&root, &task, plies), Score::win_in(plies as i32));
            }
            3 => {
                if let Some(line) = help_mate(&root).filter(|line| is_wanted(&task, &line[0])) {
                    (report.score, report.pv) = (Score::win_in(line.len() as i32), line);
                }
            }
            4 => report.score = Score::loss_in(2 * self.rng.random_range(1..3)),
            _ => report.ranking.reverse(),
        }
    }

    fn other(&mut self, task: TaskId, answer: Answer) -> Answer {
        let Some((root, task)) = self.tasks.get(&task).cloned() else { return answer };
        match answer {
            Answer::Best { .. } => {
                let line = self.line(&root, &task, 2);
                Answer::Best { best: line.first().copied(), ponder: line.get(1).copied() }
            }
            Answer::Mate(_) if self.rng.random() => Answer::Mate(MateAnswer::NoMate),
            Answer::Mate(_) => {
                let line = help_mate(&root).unwrap_or_else(|| self.line(&root, &task, 3));
                Answer::Mate(MateAnswer::Mate(line))
            }
        }
    }

    /// Returns a random legal line that begins with a move that may be searched.
    fn line(&mut self, root: &Toy, task: &Task, plies: usize) -> Vec<MoveText> {
        let (mut game, mut line) = (root.clone(), Vec::new());
        for ply in 0..plies {
            let moves = legal_moves(&game);
            let allowed = |m: &ToyMove| ply > 0 || is_wanted(task, &game.format_move(*m));
            let moves: Vec<ToyMove> = moves.iter().copied().filter(allowed).collect();
            if moves.is_empty() || ply > 0 && game.verdict() != Verdict::Open {
                break;
            }
            let m = moves[self.rng.random_range(0..moves.len())];
            line.push(game.format_move(m));
            game.make(m);
        }
        line
    }
}

fn is_wanted(task: &Task, m: &MoveText) -> bool {
    (task.only.is_empty() || task.only.contains(m)) && !task.except.contains(m)
}

/// Finds a line of checks that ends in mate because the defender cooperates.
fn help_mate(root: &Toy) -> Option<Vec<MoveText>> {
    let mut left = HELPED;
    [1, 3, 5].into_iter().find_map(|plies| helped(&mut root.clone(), plies, true, &mut left))
}

fn helped(game: &mut Toy, plies: usize, attacks: bool, left: &mut u32) -> Option<Vec<MoveText>> {
    let all = legal_moves(game);
    if plies == 0 || *left == 0 {
        let is_mate = all.is_empty() && game.verdict_without_moves() == Verdict::Loss;
        return (plies == 0 && is_mate).then(Vec::new);
    }
    *left -= 1;
    all.iter().copied().find_map(|m| {
        let text = game.format_move(m);
        game.make(m);
        let goes_on = (!attacks || game.in_check()) && game.verdict() == Verdict::Open;
        let rest = if goes_on { helped(game, plies - 1, !attacks, left) } else { None };
        game.unmake();
        Some(std::iter::once(text).chain(rest?).collect())
    })
}
