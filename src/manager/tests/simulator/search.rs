//! The search of a virtual worker: two plies of the toy game, with some noise that depends on the nominal depth.

use crate::Manager;
use hasami_api::{Game, MateAnswer, Moves, RankedMove, Report, Score, Task, Verdict};
use hasami_protocol::Settings;
use hasami_toy::{Toy, ToyMove, mix};
use hasami_tree::Transitions;
use hasami_tree::manage::{EmergencySearch, Manage};
use std::cmp::Reverse;

/// However deep an iteration claims to be, only this many plies are searched.
const PLIES: u32 = 2;
/// Depth of the deepest iteration.
pub const DEEPEST: u16 = 30;

/// Number of nodes of all iterations up to `depth`.
pub fn nodes_at(depth: u16) -> u64 {
    (50.0 * 1.7f64.powi(i32::from(depth))) as u64
}

/// Creates the real manager for the toy game.
pub fn manager(settings: &Settings) -> Box<dyn Manage> {
    let mut manager = Manager::<Toy>::new(settings.clone(), Transitions::default(), None);
    manager.emergency = Some(emergency_search());
    Box::new(manager)
}

/// An emergency search that returns the first iteration of the virtual workers' search.
fn emergency_search() -> EmergencySearch {
    Box::new(|line, only| {
        let mut root = Root::new(&Task { line: line.clone(), only: only.to_vec(), ..Task::default() })?;
        root.iteration(1, 1).pop()
    })
}

/// The root of a task: its position, and the moves that the task includes.
#[derive(Clone, Debug)]
pub struct Root {
    game: Toy,
    moves: Vec<ToyMove>,
    /// Number of plies that were searched, and the value and line of each move. Deeper iterations differ only in their
    /// noise.
    searched: (u32, Vec<(Score, Vec<ToyMove>)>),
}

impl Root {
    /// Returns `None` if the line of the task is illegal.
    pub fn new(task: &Task) -> Option<Self> {
        let mut game = Toy::new(&task.line.start).ok()?;
        for text in &task.line.moves {
            let m = game.parse_move(text).ok()?;
            game.make(m);
        }
        let mut legal = Moves::new();
        game.legal_moves(&mut legal);
        let searched = |m: &ToyMove| {
            let text = game.format_move(*m);
            (task.only.is_empty() || task.only.contains(&text)) && !task.except.contains(&text)
        };
        let moves = legal.iter().copied().filter(searched).collect();
        Some(Self { game, moves, searched: (0, Vec::new()) })
    }

    pub fn is_legal(&self, text: &str) -> bool {
        self.game.parse_move(text).is_ok()
    }

    pub fn has_moves(&self) -> bool {
        !self.moves.is_empty()
    }

    /// Returns the reports of one iteration: at most `multipv` lines, the best first.
    pub fn iteration(&mut self, depth: u16, multipv: u16) -> Vec<Report> {
        let plies = PLIES.min(depth.into());
        if self.searched.0 != plies {
            self.searched = (plies, self.search(plies));
        }
        let lines = self.searched.1.iter();
        let mut lines: Vec<_> = lines.map(|(score, line)| (noisy(*score, depth, line[0]), &line[..])).collect();
        lines.sort_by_key(|(score, _)| Reverse(*score));
        let ranking = self.ranking(&lines, depth);
        let shown = lines.iter().take(multipv.max(1).into()).enumerate();
        shown.map(|(rank, (score, line))| self.report(depth, rank, *score, line, &ranking)).collect()
    }

    /// Returns the value of each move, and the best line that begins with the move.
    fn search(&mut self, plies: u32) -> Vec<(Score, Vec<ToyMove>)> {
        let mut lines = Vec::with_capacity(self.moves.len());
        for &m in &self.moves {
            self.game.make(m);
            let (below, mut line) = negamax(&mut self.game, plies - 1, 1);
            self.game.unmake();
            line.push(m);
            line.reverse();
            lines.push((below.for_parent(), line));
        }
        lines
    }

    fn ranking(&self, lines: &[(Score, &[ToyMove])], depth: u16) -> Vec<RankedMove> {
        let ranked = lines.iter().zip(1..);
        ranked
            .map(|((_, line), rank)| RankedMove {
                text: self.game.format_move(line[0]),
                nodes: nodes_at(depth) >> rank,
            })
            .collect()
    }

    fn report(&self, depth: u16, rank: usize, score: Score, line: &[ToyMove], ranking: &[RankedMove]) -> Report {
        let mut game = self.game.clone();
        let mut pv = Vec::with_capacity(line.len());
        for &m in line {
            pv.push(game.format_move(m));
            game.make(m);
        }
        let ranking = if rank == 0 { ranking.to_vec() } else { Vec::new() };
        let multipv = rank as u16 + 1;
        Report { depth, seldepth: depth + 2, multipv, nodes: nodes_at(depth), pv, ranking, ..Report::new(score) }
    }

    /// Searches for a mate by checks in one or three plies. Answers `NoMate` only if `longest` is 1.
    pub fn mate(&mut self, longest: Option<u16>) -> MateAnswer {
        let mut moves = Vec::new();
        if attack(&mut self.game, longest.map_or(3, u32::from).min(3), &mut moves) {
            let mut game = self.game.clone();
            let text = moves.iter().map(|&m| {
                let text = game.format_move(m);
                game.make(m);
                text
            });
            return MateAnswer::Mate(text.collect());
        }
        if longest == Some(1) { MateAnswer::NoMate } else { MateAnswer::Unknown }
    }
}

fn noisy(score: Score, depth: u16, m: ToyMove) -> Score {
    let noise = (mix(u64::from(depth) << 32 | u64::from(m.to)) % 61) as i32 - 30;
    if score.is_decisive() || depth == 1 { score } else { Score::cp(score.raw() + noise) }
}

/// Returns the value of a position, and its best line in reverse order.
fn negamax(game: &mut Toy, depth: u32, plies: usize) -> (Score, Vec<ToyMove>) {
    let mut legal = Moves::new();
    game.legal_moves(&mut legal);
    let verdict = if legal.is_empty() { game.verdict_without_moves() } else { game.verdict_in_search(plies) };
    match verdict {
        Verdict::Win => return (Score::win_in(1), Vec::new()),
        Verdict::Draw => return (Score::DRAW, Vec::new()),
        Verdict::Loss => return (Score::loss_in(0), Vec::new()),
        Verdict::Open if depth == 0 => return (Score::cp(game.value()), Vec::new()),
        Verdict::Open => {}
    }
    let mut best = (Score::WORST, Vec::new());
    for &m in &*legal {
        game.make(m);
        let (below, line) = negamax(game, depth - 1, plies + 1);
        game.unmake();
        if below.for_parent() > best.0 {
            best = (below.for_parent(), line);
            best.1.push(m);
        }
    }
    best
}

/// Returns whether the side to move can mate by checks within `plies` plies. Appends the mating line to `line`.
fn attack(game: &mut Toy, plies: u32, line: &mut Vec<ToyMove>) -> bool {
    let mut legal = Moves::new();
    game.legal_moves(&mut legal);
    for &m in &*legal {
        let before = line.len();
        line.push(m);
        game.make(m);
        let mates = game.in_check() && defend(game, plies - 1, line);
        game.unmake();
        if mates {
            return true;
        }
        line.truncate(before);
    }
    false
}

fn defend(game: &mut Toy, plies: u32, line: &mut Vec<ToyMove>) -> bool {
    let mut legal = Moves::new();
    game.legal_moves(&mut legal);
    if legal.is_empty() {
        return game.verdict_without_moves() == Verdict::Loss;
    }
    if plies == 0 || game.verdict() != Verdict::Open {
        return false;
    }
    let mut longest = Vec::new();
    for &m in &*legal {
        let mut below = vec![m];
        game.make(m);
        let mated = attack(game, plies - 1, &mut below);
        game.unmake();
        if !mated {
            return false;
        }
        longest = if below.len() > longest.len() { below } else { longest };
    }
    line.extend(longest);
    true
}
