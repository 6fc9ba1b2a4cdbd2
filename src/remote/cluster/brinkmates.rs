//! Solves brinkmate problems on slots of other machines, one problem per slot at a time. Each answer comes with its
//! certificate, which is replayed here.

use super::cell::CellMailbox;
use super::solver_slots::SolverSlots;
use super::wire::{moves, words};
use hasami_api::{Limits, Line, MoveText, Report, Rules, Start, Stop, Task, TaskError};
use hasami_brinkmate::{BrinkmateAnswer, BrinkmateFindings, BrinkmateRequest, BrinkmateSearch, BrinkmateSolver};
use hasami_catalog::Catalog;
use hasami_mate::SolverOptions;
use hasami_workers::cells::{CellInput, CellTransport, HostTransport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// Polling interval of a waiting thread.
const LOOK: Duration = Duration::from_millis(10);
/// After this many polling intervals, a solver checks whether its host is still connected.
const LOOKS: u32 = 100;
/// Largest number of positions visited when a certificate is replayed.
const POSITIONS: u64 = 1_000_000_000;
const STACK: usize = 64 << 20;

/// Messages from the host to a solver.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Question {
    Solve { number: u64, position: String, nodes: Option<u64>, shortest: bool, below: bool, within: Option<u16> },
    Stop { number: u64 },
}

/// Messages from a solver to the host. Certificates have the format of certificate files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum SolverMessage {
    Solved {
        number: u64,
        answer: WireAnswer,
        is_shortest: bool,
        nodes: u64,
        certificate: Option<Vec<u8>>,
        below: Option<Vec<u8>>,
    },
    Failed {
        number: u64,
        why: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum WireAnswer {
    Brinkmate(String),
    Mate(String),
    None { within: Option<u16> },
    Unknown,
}

pub fn encode(message: &impl Serialize) -> Vec<u8> {
    // Writing to a vector cannot fail.
    postcard::to_stdvec(message).unwrap_or_default()
}

/// Parses a question. Returns `None` if the bytes are not a question.
pub fn read_question(bytes: &[u8]) -> Option<Question> {
    postcard::from_bytes(bytes).ok()
}

/// The worker node's side: a solver that answers messages.
pub struct BrinkmateCell {
    game: &'static dyn Catalog,
    hash_mb: usize,
    /// The solver is kept between two problems, together with its memory.
    solver: Option<Box<dyn BrinkmateSolver>>,
}

impl BrinkmateCell {
    pub fn new(game: &'static dyn Catalog, hash_mb: usize) -> Self {
        Self { game, hash_mb, solver: None }
    }
}

impl BrinkmateCell {
    /// Answers messages until the connection to the host ends.
    pub fn serve(&mut self, mail: &mut CellMailbox) {
        loop {
            while let Some(message) = mail.take() {
                // A request to stop an earlier problem comes too late and is ignored.
                if let Some(Question::Solve { number, position, nodes, shortest, below, within }) =
                    read_question(&message)
                {
                    let request =
                        BrinkmateRequest { shortest, below, within, certificate: true, ..BrinkmateRequest::default() };
                    let answer = self.solve(number, &position, nodes, request, mail);
                    mail.send(&encode(&answer));
                }
            }
            if !mail.wait() {
                return;
            }
        }
    }

    /// Solves a problem on a separate thread, so that a request to stop is noticed.
    fn solve(
        &mut self,
        number: u64,
        position: &str,
        nodes: Option<u64>,
        request: BrinkmateRequest,
        mail: &mut CellMailbox,
    ) -> SolverMessage {
        let failed = |why: String| SolverMessage::Failed { number, why: super::wire::plain(&why) };
        let line = Line { start: Start { text: Some(position.into()), rules: Rules::OF_PROBLEMS }, moves: Vec::new() };
        if let Err(why) = self.game.check(&line) {
            return failed(why.to_string());
        }
        let options = SolverOptions { hash_mb: self.hash_mb, ..SolverOptions::default() };
        let new = || self.game.brinkmate_solver(BrinkmateSearch::ProofTree, &options);
        let Some(mut solver) = self.solver.take().or_else(new) else {
            return failed("expected a game with brinkmates, found another".into());
        };
        let task = Task { line, limits: Limits { nodes, ..Limits::default() }, ..Task::default() };
        let stop = Stop::new();
        let heard = stop.clone();
        let waiter = thread::current();
        let search = thread::Builder::new().stack_size(STACK).spawn(move || {
            let found = solver.solve(&task, request, &heard, &mut |_| {});
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
                |message: Vec<u8>| matches!(read_question(&message), Some(Question::Stop { number: n }) if n == number);
            // Only `wait` reports that the host is gone, so it is called at intervals.
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

fn solved(number: u64, found: BrinkmateFindings) -> SolverMessage {
    let answer = match found.answer {
        BrinkmateAnswer::Brinkmate(line) => WireAnswer::Brinkmate(words(&line)),
        BrinkmateAnswer::Mate(line) => WireAnswer::Mate(words(&line)),
        BrinkmateAnswer::None { within } => WireAnswer::None { within },
        BrinkmateAnswer::Unknown => WireAnswer::Unknown,
    };
    let BrinkmateFindings { is_shortest, nodes, certificate, below, .. } = found;
    SolverMessage::Solved { number, answer, is_shortest, nodes, certificate, below }
}

/// The host's side: the free slots, and the answers of the busy ones.
pub struct BrinkmatePool {
    game: &'static dyn Catalog,
    /// Solves one problem at a time on this machine when all slots are lost.
    home: Mutex<LocalSolver>,
    slots: Mutex<SolverSlots>,
    state: Mutex<PoolState>,
    changed: Condvar,
}

struct LocalSolver {
    options: SolverOptions,
    /// Created on first use.
    solver: Option<Box<dyn BrinkmateSolver>>,
}

#[derive(Default)]
struct PoolState {
    free: Vec<usize>,
    answers: BTreeMap<usize, CellInput>,
    /// Number of slots that have not been lost.
    left: usize,
    numbers: u64,
}

impl BrinkmatePool {
    /// `options` are the options of the local solver, which is used when all slots are lost.
    pub fn new(game: &'static dyn Catalog, slots: SolverSlots, options: SolverOptions) -> Arc<Self> {
        let left = slots.cells();
        let state = PoolState { free: (0..left).rev().collect(), left, ..PoolState::default() };
        let home = Mutex::new(LocalSolver { options, solver: None });
        Arc::new(Self { game, home, slots: Mutex::new(slots), state: Mutex::new(state), changed: Condvar::new() })
    }

    /// Returns one solver per slot. Each solver takes any free slot.
    pub fn solvers(self: &Arc<Self>) -> Vec<Box<dyn BrinkmateSolver>> {
        let slots = self.state().left;
        (0..slots).map(|_| Box::new(RemoteSolver(Arc::clone(self))) as Box<dyn BrinkmateSolver>).collect()
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, slot: usize, message: &Question) {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).send(slot, &encode(message));
    }

    /// Hands incoming messages to the solvers that are waiting for them.
    fn sort(&self) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((slot, input)) = slots.take() {
            let mut state = self.state();
            if let CellInput::Lost(_) = &input {
                state.left -= 1;
                state.free.retain(|&free| free != slot);
            }
            state.answers.insert(slot, input);
            self.changed.notify_all();
        }
        // Slots that have joined in the meantime get problems from now on.
        let first = slots.extend();
        if first < slots.cells() {
            let mut state = self.state();
            state.left += slots.cells() - first;
            state.free.extend(first..slots.cells());
            self.changed.notify_all();
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, PoolState>) -> MutexGuard<'a, PoolState> {
        self.changed.wait_timeout(state, LOOK).map_or_else(|error| error.into_inner().0, |(state, _)| state)
    }

    /// Takes a free slot and the number of a new question. Returns `None` if all slots are lost.
    fn take_slot(&self) -> Option<(usize, u64)> {
        loop {
            self.sort();
            let mut state = self.state();
            if state.left == 0 {
                return None;
            }
            state.numbers += 1;
            let number = state.numbers;
            if let Some(slot) = state.free.pop() {
                state.answers.remove(&slot);
                return Some((slot, number));
            }
            drop(self.wait(state));
        }
    }

    /// Solves a problem on this machine. Returns `None` if another problem is being solved here; a slot may be
    /// available afterwards.
    fn solve_alone(
        &self,
        task: &Task,
        request: BrinkmateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Option<Result<BrinkmateFindings, TaskError>> {
        let mut home = match self.home.try_lock() {
            Ok(home) => home,
            Err(TryLockError::Poisoned(home)) => home.into_inner(),
            Err(TryLockError::WouldBlock) => {
                drop(self.wait(self.state()));
                return None;
            }
        };
        let LocalSolver { options, solver } = &mut *home;
        if solver.is_none() {
            *solver = self.game.brinkmate_solver(BrinkmateSearch::ProofTree, options);
        }
        let without = || TaskError("expected a game with brinkmates, found another".into());
        Some(solver.as_mut().ok_or_else(without).and_then(|solver| solver.solve(task, request, stop, tell)))
    }

    /// Waits for an answer. Returns `None` if the slot was lost.
    fn answer(&self, slot: usize, number: u64, stop: &Stop) -> Option<Result<BrinkmateFindings, String>> {
        let mut is_stopped = false;
        loop {
            self.sort();
            if stop.is_stopped() && !std::mem::replace(&mut is_stopped, true) {
                self.send(slot, &Question::Stop { number });
            }
            let mut state = self.state();
            match state.answers.remove(&slot) {
                Some(CellInput::Lost(_)) => return None,
                Some(CellInput::Message(bytes)) => {
                    if let Some(answer) = read_answer(&bytes, number) {
                        state.free.push(slot);
                        self.changed.notify_all();
                        return Some(answer);
                    }
                }
                None => drop(self.wait(state)),
            }
        }
    }

    /// Checks the certificate of an answer. A result that its certificate does not prove is replaced by "unknown".
    fn judge(&self, position: &str, found: BrinkmateFindings, request: BrinkmateRequest) -> BrinkmateFindings {
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
            return BrinkmateFindings { answer, certificate, below, is_proved, ..found };
        }
        let shorter = match line(&found.answer).len().saturating_sub(2) {
            0 => "no mate,".to_owned(),
            plies => format!("no brinkmate within {plies} pl"),
        };
        let below = found.below.filter(|file| request.below && self.is_proof(Some(file), &shorter, position));
        let certificate = found.certificate.filter(|_| request.certificate);
        BrinkmateFindings { certificate, below, is_proved, ..found }
    }

    fn is_proof(&self, file: Option<&[u8]>, claim: &str, position: &str) -> bool {
        let replayed = file.map(|file| self.game.verify_certificate(file, POSITIONS).map(String::from));
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

/// Parses the answer to the question `asked`. Returns `None` if the bytes answer another question.
pub fn read_answer(bytes: &[u8], asked: u64) -> Option<Result<BrinkmateFindings, String>> {
    let message = match postcard::from_bytes(bytes) {
        Ok(message) => message,
        Err(_) => return Some(Err(format!("expected an answer, found {} bytes that are none", bytes.len()))),
    };
    match message {
        SolverMessage::Failed { number, why } if number == asked => Some(Err(match super::wire::plain(&why) {
            why if why.is_empty() => "expected an answer, found an error without a reason".into(),
            why => why,
        })),
        SolverMessage::Solved { number, answer, is_shortest, nodes, certificate, below } if number == asked => {
            let answer = match answer {
                WireAnswer::Brinkmate(line) => moves(&line, "a move").map(BrinkmateAnswer::Brinkmate),
                WireAnswer::Mate(line) => moves(&line, "a move").map(BrinkmateAnswer::Mate),
                WireAnswer::None { within } => Ok(BrinkmateAnswer::None { within }),
                WireAnswer::Unknown => Ok(BrinkmateAnswer::Unknown),
            };
            let (open, proof, usage, inner) = (None, None, None, None);
            Some(answer.map(|answer| BrinkmateFindings {
                answer,
                is_proved: false,
                is_shortest,
                open,
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

/// A solver of a [`BrinkmatePool`].
struct RemoteSolver(Arc<BrinkmatePool>);

impl BrinkmateSolver for RemoteSolver {
    fn solve(
        &mut self,
        task: &Task,
        request: BrinkmateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFindings, TaskError> {
        let position = task.line.start.text.as_deref().filter(|_| task.line.moves.is_empty());
        let position = position.ok_or_else(|| TaskError("expected a position without moves, found a line".into()))?;
        // If a slot is lost, its problem is given to another slot.
        loop {
            let Some((slot, number)) = self.0.take_slot() else {
                match self.0.solve_alone(task, request, stop, tell) {
                    Some(answer) => return answer,
                    None => continue,
                }
            };
            let BrinkmateRequest { shortest, below, within, .. } = request;
            let (nodes, text) = (task.limits.nodes, position.to_owned());
            self.0.send(slot, &Question::Solve { number, position: text, nodes, shortest, below, within });
            if let Some(answer) = self.0.answer(slot, number, stop) {
                return Ok(self.0.judge(position, answer.map_err(TaskError)?, request));
            }
        }
    }

    fn prepare(&mut self) {}
}
