//! Compares the solvers' answers with the truth, and with each other.

use crate::brute::Truth;
use hasami_api::{
    Answer, Game, Goal, Limits, Line, MateAnswer, MoveText, Moves, Pace, Searcher, Start, Stop, Task, Verdict,
};
use hasami_mate::MateEngine;
use hasami_shogi::Shogi;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Maximum number of questions that solvers are asked while one mate is played out.
const MOST_QUESTIONS: usize = 300;

#[derive(Default, Clone, Copy)]
pub struct Tally {
    pub mates: u64,
    pub no_mates: u64,
    /// Number of questions that a limit left unanswered, whatever the table size.
    pub unknown: u64,
    /// Number of mates that brute force also found.
    pub confirmed: u64,
    /// Number of mates that were too long for brute force and were played out against every defence.
    pub played_out: u64,
    /// Number of positions without a mate, confirmed by brute force.
    pub refuted: u64,
    /// Number of positions without a mate in which brute force found no mate within its depth.
    pub not_contradicted: u64,
    pub longest: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mates, no_mates, unknown, confirmed, played_out, refuted, not_contradicted, longest } = self;
        write!(
            f,
            "{mates} mates ({confirmed} by brute force too, {played_out} played out, longest {longest} plies), "
        )?;
        write!(f, "{no_mates} without ({refuted} by brute force too, {not_contradicted} not contradicted), ")?;
        write!(f, "{unknown} answers unknown")
    }
}

pub struct Judge {
    /// Number of moves that a solver may make per question. The solver is stopped after this many moves, because a node
    /// limit would make its table smaller.
    nodes: u64,
    solvers: Vec<(String, MateEngine<Shogi>)>,
    pub tally: Tally,
}

/// A pace that stops a search after a number of nodes.
struct End(u64, OnceLock<Stop>);

impl Pace for End {
    fn more(&self, nodes: u64) -> u64 {
        if let Some(stop) = self.1.get().filter(|_| nodes >= self.0) {
            stop.stop();
        }
        self.0.max(nodes + 1)
    }
}

fn ask(solver: &mut MateEngine<Shogi>, text: &str, nodes: u64) -> MateAnswer {
    let end = Arc::new(End(nodes, OnceLock::new()));
    let stop = Stop::paced(Arc::clone(&end) as Arc<dyn Pace>);
    end.1.get_or_init(|| stop.clone());
    let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
    let task = Task { line, goal: Goal::Mate, limits: Limits::default(), ..Task::default() };
    match solver.search(&task, &stop, &mut |_| {}) {
        Ok(Answer::Mate(MateAnswer::Unknown)) if !stop.is_stopped() => panic!("unknown without a limit: {text}"),
        Ok(Answer::Mate(answer)) => answer,
        other => panic!("expected an answer about {text}, found {other:?}"),
    }
}

impl Judge {
    /// Creates a judge of solvers that have tables of `sizes` bytes and may make `nodes` moves per question.
    pub fn new(sizes: &[usize], nodes: u64) -> Self {
        let solver = |&bytes: &usize| (format!("{bytes} bytes"), MateEngine::with_bytes(bytes));
        Self::of(sizes.iter().map(solver).collect(), nodes)
    }

    pub fn of(solvers: Vec<(String, MateEngine<Shogi>)>, nodes: u64) -> Self {
        Self { nodes, solvers, tally: Tally::default() }
    }

    pub fn examine(&mut self, text: &str, truth: Truth) -> Result<(), String> {
        let mut decided: Option<MateAnswer> = None;
        for i in 0..self.solvers.len() {
            let answer = ask(&mut self.solvers[i].1, text, self.nodes);
            let with = &self.solvers[i].0;
            self.compare(text, truth, &answer).map_err(|fault| format!("with {with} {fault}"))?;
            match (&decided, &answer) {
                (_, MateAnswer::Unknown) => self.tally.unknown += 1,
                (None, _) => decided = Some(answer),
                (Some(one), other) if matches!(one, MateAnswer::NoMate) != matches!(other, MateAnswer::NoMate) => {
                    return Err(format!("{one:?}, but with {with} {other:?}"));
                }
                _ => {}
            }
        }
        match decided {
            Some(MateAnswer::Mate(line)) => {
                self.tally.mates += 1;
                self.tally.longest = self.tally.longest.max(line.len());
                match truth {
                    Truth::Mate(_) => self.tally.confirmed += 1,
                    _ => self.tally.played_out += u64::from(self.play_out(text)?),
                }
            }
            Some(MateAnswer::NoMate) => {
                self.tally.no_mates += 1;
                match truth {
                    Truth::NoMate => self.tally.refuted += 1,
                    _ => self.tally.not_contradicted += 1,
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn compare(&self, text: &str, truth: Truth, answer: &MateAnswer) -> Result<(), String> {
        match (answer, truth) {
            (MateAnswer::NoMate, Truth::Mate(plies)) => {
                Err(format!("no mate is claimed, brute force mates in {plies}"))
            }
            (MateAnswer::Mate(line), Truth::NoMate) => Err(format!("a mate is claimed where there is none: {line:?}")),
            (MateAnswer::Mate(line), Truth::Mate(plies)) if line.len() < plies => {
                Err(format!("the shortest mate takes {plies} plies, its line {line:?}"))
            }
            (MateAnswer::Mate(line), Truth::Longer(plies)) if line.len() <= plies => {
                Err(format!("no mate takes {plies} plies or less, its line {line:?}"))
            }
            (MateAnswer::Mate(line), _) => replay(text, line).map(drop),
            _ => Ok(()),
        }
    }

    /// Plays the solver's moves of the mate against every defence, if a few questions suffice. Returns true if all
    /// lines were played to the end.
    fn play_out(&mut self, text: &str) -> Result<bool, String> {
        let (mut open, mut questions) = (vec![text.to_owned()], 0);
        while let Some(text) = open.pop() {
            questions += 1;
            if questions > MOST_QUESTIONS {
                return Ok(false);
            }
            let solver = questions % self.solvers.len();
            let line = match ask(&mut self.solvers[solver].1, &text, self.nodes) {
                MateAnswer::Mate(line) => line,
                MateAnswer::NoMate => return Err(format!("a mate is claimed, but none after {text}")),
                MateAnswer::Unknown => return Ok(false),
            };
            let mut game = replay(&text, &line[..1])?;
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            for &m in moves.iter() {
                game.make(m);
                open.push(game.to_text());
                game.unmake();
            }
        }
        Ok(true)
    }
}

/// Plays a line of checks, using only the rules. A line of more than one move must end with a mate.
fn replay(text: &str, line: &[MoveText]) -> Result<Shogi, String> {
    let mut game = Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).map_err(|e| e.to_string())?;
    for (i, said) in line.iter().enumerate() {
        let m = game.parse_move(said).map_err(|error| format!("{error} in {line:?}"))?;
        game.make(m);
        if i % 2 == 0 && !game.in_check() {
            return Err(format!("{said} is no check in {line:?}"));
        }
    }
    let mated = game.in_check() && game.count_moves() == 0 && game.verdict_without_moves() == Verdict::Loss;
    if line.len() > 1 && !mated { Err(format!("no mate after {line:?}")) } else { Ok(game) }
}
