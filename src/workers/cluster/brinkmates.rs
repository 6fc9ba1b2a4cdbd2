//! Brinkmate problems for seats elsewhere: one problem a seat, each answer with its certificate, which is replayed here.

use super::letters::Letters;
use super::wire::{moves, words};
use crate::catalog::Catalog;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hasami_api::{
    BrinkmateAnswer, BrinkmateFound, BrinkmateSearch, BrinkmateSolver, BrinkmateWish, Cell, Limits, Line, Mail,
    Mailbox, MoveText, Post, Report, Rules, SolverOptions, Start, Stop, Task, TaskError,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// How often who waits looks around.
const LOOK: Duration = Duration::from_millis(10);
/// After so many, whether anybody is left to wait for.
const LOOKS: u32 = 100;
/// Positions of a certificate that are visited.
const POSITIONS: u64 = 1_000_000_000;
const STACK: usize = 64 << 20;

#[derive(Serialize, Deserialize)]
enum Letter {
    Solve {
        number: u64,
        position: String,
        nodes: Option<u64>,
        shortest: bool,
        #[serde(default)]
        below: bool,
        within: Option<u16>,
    },
    Stop {
        number: u64,
    },
    Solved {
        number: u64,
        answer: WireAnswer,
        #[serde(default)]
        is_shortest: bool,
        nodes: u64,
        certificate: Option<String>,
        #[serde(default)]
        below: Option<String>,
    },
    Failed {
        number: u64,
        why: String,
    },
}

#[derive(Serialize, Deserialize)]
enum WireAnswer {
    Brinkmate(String),
    Mate(String),
    None { within: Option<u16> },
    Unknown,
}

fn encode(letter: &Letter) -> String {
    serde_json::to_string(letter).unwrap_or_default()
}

/// The station's side: a solver that answers letters.
pub struct BrinkmateCell {
    game: &'static dyn Catalog,
    hash_mb: usize,
    /// Between two problems; it keeps its memory.
    solver: Option<Box<dyn BrinkmateSolver>>,
}

impl BrinkmateCell {
    pub fn new(game: &'static dyn Catalog, hash_mb: usize) -> Self {
        Self { game, hash_mb, solver: None }
    }
}

impl Cell for BrinkmateCell {
    fn serve(&mut self, mail: &mut dyn Mailbox) {
        loop {
            while let Some(letter) = mail.take() {
                // What ends another problem comes too late.
                if let Ok(Letter::Solve { number, position, nodes, shortest, below, within }) =
                    serde_json::from_str(&letter)
                {
                    let wish = BrinkmateWish { shortest, below, within, certificate: true, ..BrinkmateWish::default() };
                    let answer = self.solve(number, &position, nodes, wish, mail);
                    mail.send(&encode(&answer));
                }
            }
            if !mail.wait() {
                return;
            }
        }
    }
}

impl BrinkmateCell {
    /// On a thread of its own, so that a word to stop is heard.
    fn solve(
        &mut self,
        number: u64,
        position: &str,
        nodes: Option<u64>,
        wish: BrinkmateWish,
        mail: &mut dyn Mailbox,
    ) -> Letter {
        let failed = |why: String| Letter::Failed { number, why: super::wire::plain(&why) };
        let line = Line { start: Start { text: Some(position.into()), rules: Rules::OF_PROBLEMS }, moves: Vec::new() };
        if let Err(why) = self.game.check(&line) {
            return failed(why);
        }
        let options = SolverOptions { hash_mb: self.hash_mb, ..SolverOptions::default() };
        let new = || self.game.brinkmate_solver(BrinkmateSearch::Proof, &options);
        let Some(mut solver) = self.solver.take().or_else(new) else {
            return failed("expected a game with brinkmates, found another".into());
        };
        let task = Task { line, limits: Limits { nodes, ..Limits::default() }, ..Task::default() };
        let stop = Stop::new();
        let heard = stop.clone();
        let waiter = thread::current();
        let search = thread::Builder::new().stack_size(STACK).spawn(move || {
            let found = solver.solve(&task, wish, &heard, &mut |_| {});
            waiter.unpark();
            (found, solver)
        });
        let search = match search {
            Ok(search) => search,
            Err(error) => return failed(format!("expected a new thread, found: {error}")),
        };
        let mut looks = 0;
        while !search.is_finished() {
            let is_stop =
                |letter: String| matches!(serde_json::from_str(&letter), Ok(Letter::Stop { number: n }) if n == number);
            // Only a wait tells that nobody is left to answer to.
            looks = (looks + 1) % LOOKS;
            if mail.take().is_some_and(is_stop) || looks == 0 && !mail.wait() {
                stop.stop();
            }
            thread::park_timeout(LOOK);
        }
        let Ok((found, solver)) = search.join() else {
            return failed("expected an answer, found a panic".into());
        };
        self.solver = Some(solver);
        found.map_or_else(|error| failed(error.to_string()), |found| solved(number, found))
    }
}

fn solved(number: u64, found: BrinkmateFound) -> Letter {
    let answer = match found.answer {
        BrinkmateAnswer::Brinkmate(line) => WireAnswer::Brinkmate(words(&line)),
        BrinkmateAnswer::Mate(line) => WireAnswer::Mate(words(&line)),
        BrinkmateAnswer::None { within } => WireAnswer::None { within },
        BrinkmateAnswer::Unknown => WireAnswer::Unknown,
    };
    let [certificate, below] = [found.certificate, found.below].map(|file| file.map(|it| BASE64_STANDARD.encode(it)));
    Letter::Solved { number, answer, is_shortest: found.is_shortest, nodes: found.nodes, certificate, below }
}

/// The host's side: seats that are free, and what the others have answered.
pub struct Pool {
    game: &'static dyn Catalog,
    /// Where nobody is left, one problem after another is solved here.
    home: Mutex<Home>,
    letters: Mutex<Letters>,
    state: Mutex<State>,
    changed: Condvar,
}

struct Home {
    options: SolverOptions,
    /// Once it was needed.
    solver: Option<Box<dyn BrinkmateSolver>>,
}

#[derive(Default)]
struct State {
    free: Vec<usize>,
    answers: BTreeMap<usize, Mail>,
    /// Seats that are not lost.
    left: usize,
    numbers: u64,
}

impl Pool {
    /// `options`: of the solver that goes on alone when all seats are lost.
    pub fn new(game: &'static dyn Catalog, letters: Letters, options: SolverOptions) -> Arc<Self> {
        let left = letters.count();
        let state = State { free: (0..left).rev().collect(), left, ..State::default() };
        let home = Mutex::new(Home { options, solver: None });
        Arc::new(Self { game, home, letters: Mutex::new(letters), state: Mutex::new(state), changed: Condvar::new() })
    }

    /// As many solvers as seats: each takes the seat that is free.
    pub fn solvers(self: &Arc<Self>) -> Vec<Box<dyn BrinkmateSolver>> {
        let seats = self.state().left;
        (0..seats).map(|_| Box::new(RemoteSolver(Arc::clone(self))) as Box<dyn BrinkmateSolver>).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, seat: usize, letter: &Letter) {
        self.letters.lock().unwrap_or_else(PoisonError::into_inner).send(seat, &encode(letter));
    }

    /// Takes what has come to where it is waited for.
    fn sort(&self) {
        let mut letters = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((seat, mail)) = letters.take() {
            let mut state = self.state();
            if let Mail::Lost(_) = &mail {
                state.left -= 1;
                state.free.retain(|&free| free != seat);
            }
            state.answers.insert(seat, mail);
            self.changed.notify_all();
        }
        // Seats that have come since take the next problems.
        let first = letters.extend();
        if first < letters.count() {
            let mut state = self.state();
            state.left += letters.count() - first;
            state.free.extend(first..letters.count());
            self.changed.notify_all();
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, LOOK).map_or_else(|error| error.into_inner().0, |(state, _)| state)
    }

    /// A seat and the number of a new question, unless nobody is left.
    fn take_seat(&self) -> Option<(usize, u64)> {
        loop {
            self.sort();
            let mut state = self.state();
            if state.left == 0 {
                return None;
            }
            state.numbers += 1;
            let number = state.numbers;
            if let Some(seat) = state.free.pop() {
                state.answers.remove(&seat);
                return Some((seat, number));
            }
            drop(self.wait(state));
        }
    }

    /// `None`: another problem is being solved here, and by the time it is there may be a seat again.
    fn solve_alone(
        &self,
        task: &Task,
        wish: BrinkmateWish,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Option<Result<BrinkmateFound, TaskError>> {
        let mut home = match self.home.try_lock() {
            Ok(home) => home,
            Err(TryLockError::Poisoned(home)) => home.into_inner(),
            Err(TryLockError::WouldBlock) => {
                drop(self.wait(self.state()));
                return None;
            }
        };
        let Home { options, solver } = &mut *home;
        if solver.is_none() {
            *solver = self.game.brinkmate_solver(BrinkmateSearch::Proof, options);
        }
        let without = || TaskError("expected a game with brinkmates, found another".into());
        Some(solver.as_mut().ok_or_else(without).and_then(|solver| solver.solve(task, wish, stop, tell)))
    }

    /// `None`: the seat was lost.
    fn answer(&self, seat: usize, number: u64, stop: &Stop) -> Option<Result<BrinkmateFound, String>> {
        let mut is_stopped = false;
        loop {
            self.sort();
            if stop.is_stopped() && !std::mem::replace(&mut is_stopped, true) {
                self.send(seat, &Letter::Stop { number });
            }
            let mut state = self.state();
            match state.answers.remove(&seat) {
                Some(Mail::Lost(_)) => return None,
                Some(Mail::Letter(text)) => {
                    if let Some(answer) = read(&text, number) {
                        state.free.push(seat);
                        self.changed.notify_all();
                        return Some(answer);
                    }
                }
                None => drop(self.wait(state)),
            }
        }
    }

    /// Whoever answers has to prove it: what is not proved is not known.
    fn judge(&self, position: &str, found: BrinkmateFound, wish: BrinkmateWish) -> BrinkmateFound {
        let claim = match &found.answer {
            BrinkmateAnswer::Brinkmate(line) => format!("a brinkmate within {} pl", line.len()),
            BrinkmateAnswer::Mate(_) => "a mate".to_owned(),
            BrinkmateAnswer::None { within: None } => "no brinkmate,".to_owned(),
            BrinkmateAnswer::None { within: Some(plies) } => format!("no brinkmate within {plies} pl"),
            BrinkmateAnswer::Unknown => return found,
        };
        let is_proved = self.is_proof(found.certificate.as_deref(), &claim, position);
        if !is_proved {
            let (answer, certificate, below) = (BrinkmateAnswer::Unknown, None, None);
            return BrinkmateFound { answer, certificate, below, is_proved, ..found };
        }
        let shorter = match line(&found.answer).len().saturating_sub(2) {
            0 => "no mate,".to_owned(),
            plies => format!("no brinkmate within {plies} pl"),
        };
        let below = found.below.filter(|file| wish.below && self.is_proof(Some(file), &shorter, position));
        let certificate = found.certificate.filter(|_| wish.certificate);
        BrinkmateFound { certificate, below, is_proved, ..found }
    }

    fn is_proof(&self, file: Option<&[u8]>, claim: &str, position: &str) -> bool {
        let replayed = file.map(|file| self.game.verify_certificate(file, POSITIONS));
        let holds = match &replayed {
            Some(Ok(proved)) => proved.starts_with(claim) && proved.ends_with(&format!(", of {position}")),
            _ => false,
        };
        if !holds {
            log::warn!("cluster: expected a proof of {claim}, found: {replayed:?}");
        }
        holds
    }
}

fn line(answer: &BrinkmateAnswer) -> &[MoveText] {
    match answer {
        BrinkmateAnswer::Brinkmate(line) | BrinkmateAnswer::Mate(line) => line,
        _ => &[],
    }
}

/// The answer to a question, unless it is one to another.
fn read(text: &str, asked: u64) -> Option<Result<BrinkmateFound, String>> {
    let letter = match serde_json::from_str(text) {
        Ok(letter) => letter,
        Err(error) => return Some(Err(format!("expected an answer, found text that is none: {error}"))),
    };
    match letter {
        Letter::Failed { number, why } if number == asked => Some(Err(super::wire::plain(&why))),
        Letter::Solved { number, answer, is_shortest, nodes, certificate, below } if number == asked => {
            let answer = match answer {
                WireAnswer::Brinkmate(line) => moves(&line, "a move").map(BrinkmateAnswer::Brinkmate),
                WireAnswer::Mate(line) => moves(&line, "a move").map(BrinkmateAnswer::Mate),
                WireAnswer::None { within } => Ok(BrinkmateAnswer::None { within }),
                WireAnswer::Unknown => Ok(BrinkmateAnswer::Unknown),
            };
            let [certificate, below] =
                [certificate, below].map(|file| file.and_then(|text| BASE64_STANDARD.decode(text).ok()));
            let (proof, usage, inner) = (None, None, None);
            Some(answer.map(|answer| BrinkmateFound {
                answer,
                is_proved: false,
                is_shortest,
                nodes,
                certificate,
                below,
                proof,
                usage,
                inner,
            }))
        }
        _ => None,
    }
}

/// One of the solvers of a pool.
struct RemoteSolver(Arc<Pool>);

impl BrinkmateSolver for RemoteSolver {
    fn solve(
        &mut self,
        task: &Task,
        wish: BrinkmateWish,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFound, TaskError> {
        let position = task.line.start.text.as_deref().filter(|_| task.line.moves.is_empty());
        let position = position.ok_or_else(|| TaskError("expected a position without moves, found a line".into()))?;
        // A seat that is lost leaves its problem to the next.
        loop {
            let Some((seat, number)) = self.0.take_seat() else {
                match self.0.solve_alone(task, wish, stop, tell) {
                    Some(answer) => return answer,
                    None => continue,
                }
            };
            let BrinkmateWish { shortest, below, within, .. } = wish;
            let (nodes, text) = (task.limits.nodes, position.to_owned());
            self.0.send(seat, &Letter::Solve { number, position: text, nodes, shortest, below, within });
            if let Some(answer) = self.0.answer(seat, number, stop) {
                return Ok(self.0.judge(position, answer.map_err(TaskError)?, wish));
            }
        }
    }

    fn prepare(&mut self) {}
}
