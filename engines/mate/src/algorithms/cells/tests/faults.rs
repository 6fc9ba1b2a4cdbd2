//! Tests that cells that stop, do not respond or send invalid replies do not keep a host from the answer.

use super::{BOTH, FIFTEEN, NONE, solver, task};
use crate::MateCell;
use crate::interface::cell_link::{CellEvent, CellLinks, CellWorker, HostLink};
use crate::interface::cell_message::{CellOrder, CellProblem, CellReply, CellResult};
use crate::interface::cell_options::{CellOptions, CellSearch};
use crate::interface::options::SearchMachine;
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use hasami_api::{MateAnswer, Stop};
use hasami_shogi::Shogi;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Killed,
    Silent,
    Garbage,
    /// A well-formed reply that claims a false mate.
    FalseMate,
    WrongTask,
}

const FAULTS: [Fault; 5] = [Fault::Killed, Fault::Silent, Fault::Garbage, Fault::FalseMate, Fault::WrongTask];

/// A cell and, if the cell has a fault, the number of replies before the fault occurs.
type Faulty = (MateCell<Shogi>, Option<(usize, Fault)>);

/// Links to cells that carry out every order immediately.
struct FaultyCells {
    cells: Vec<Faulty>,
    replies: VecDeque<(usize, CellEvent)>,
    silent: Vec<usize>,
    lost: Arc<Mutex<BTreeSet<usize>>>,
}

#[derive(Default)]
pub(super) struct QueueLink {
    pub(super) inbox: VecDeque<CellOrder>,
    pub(super) outbox: Vec<CellReply>,
}

impl HostLink for QueueLink {
    fn take(&mut self) -> Option<CellOrder> {
        self.inbox.pop_front()
    }

    fn wait(&mut self) -> bool {
        !self.inbox.is_empty()
    }

    fn send(&mut self, reply: CellReply) {
        self.outbox.push(reply);
    }
}

impl FaultyCells {
    fn new(faults: &[Option<(usize, Fault)>]) -> Self {
        let cells = faults.iter().map(|&fault| (MateCell::new(1), fault)).collect();
        Self { cells, replies: VecDeque::new(), silent: Vec::new(), lost: Arc::default() }
    }

    fn is_lost(&self, cell: usize) -> bool {
        self.lost.lock().unwrap().contains(&cell)
    }

    /// Applies the cell's fault to its reply, and queues the reply.
    fn answer(&mut self, cell: usize, reply: CellReply) {
        let fault = match &mut self.cells[cell].1 {
            Some((0, fault)) => Some(*fault),
            Some((left, _)) => {
                *left -= 1;
                None
            }
            None => None,
        };
        let Some(fault) = fault else { return self.replies.push_back((cell, CellEvent::Message(reply))) };
        let wrong =
            |task: u64| CellReply::Done { task, nodes: 1, found: CellResult::Mate(vec!["P*1b".parse().unwrap()]) };
        let wrong = match (fault, reply) {
            (Fault::FalseMate, CellReply::Done { task, .. }) => wrong(task),
            (Fault::WrongTask, CellReply::Done { task, .. }) => wrong(task + 1_000),
            (Fault::Garbage, CellReply::Done { task, nodes, .. }) => {
                CellReply::Done { task, nodes, found: CellResult::Open { pn: 0, dn: 1 } }
            }
            (Fault::Killed, _) => return self.replies.push_back((cell, CellEvent::Lost("killed".into()))),
            (Fault::Silent, _) => return self.silent.push(cell),
            _ => CellReply::Fault("expected a message, found garbage".into()),
        };
        self.replies.push_back((cell, CellEvent::Message(wrong)));
    }
}

impl CellLinks for FaultyCells {
    fn cells(&self) -> usize {
        self.cells.len()
    }

    fn send(&mut self, cell: usize, order: CellOrder) {
        if self.is_lost(cell) || self.silent.contains(&cell) {
            return;
        }
        let mut link = QueueLink { inbox: VecDeque::from([order]), ..QueueLink::default() };
        self.cells[cell].0.serve(&mut link);
        link.outbox.into_iter().for_each(|reply| self.answer(cell, reply));
    }

    fn take(&mut self) -> Option<(usize, CellEvent)> {
        let (cell, link) = self.replies.pop_front()?;
        if matches!(link, CellEvent::Lost(_)) {
            self.lost.lock().unwrap().insert(cell);
        }
        Some((cell, link))
    }

    /// Reports silent cells as lost.
    fn wait(&mut self) {
        let silent = std::mem::take(&mut self.silent);
        self.replies.extend(silent.into_iter().map(|cell| (cell, CellEvent::Lost("silent".into()))));
    }

    fn dismiss(&mut self, cell: usize, why: &str) {
        assert!(why.starts_with("expected ") || why.contains(" of its answers "), "{why}");
        assert!(self.lost.lock().unwrap().insert(cell), "a cell is dismissed only once");
    }
}

/// Returns the answer and the cells that were lost.
fn solved(position: &str, search: CellSearch, faults: &[Option<(usize, Fault)>]) -> (MateAnswer, BTreeSet<usize>) {
    let cells = FaultyCells::new(faults);
    let lost = Arc::clone(&cells.lost);
    let mut solver =
        solver::<Shogi>(CellOptions { search, size: Some(30), ..CellOptions::default() }, SearchMachine::Threads(1));
    solver.attach_cells(Box::new(cells));
    let found = solver.examine(&task(position, 3_000_000), MateRequest::default(), &Stop::new()).unwrap();
    let lost = lost.lock().unwrap().clone();
    (found.answer, lost)
}

fn check(search: CellSearch, faults: &[Option<(usize, Fault)>]) -> BTreeSet<usize> {
    let (mate, lost) = solved(FIFTEEN, search, faults);
    assert!(matches!(&mate, MateAnswer::Mate(line) if line.len() >= 15), "{search:?}, {faults:?}: {mate:?}");
    let (none, _) = solved(NONE, search, faults);
    assert_eq!(none, MateAnswer::NoMate, "{search:?}, {faults:?}");
    lost
}

#[test]
fn cells_over_links_find_the_answer() {
    for search in BOTH {
        assert!(check(search, &[None; 4]).is_empty());
    }
}

#[test]
fn each_fault_costs_one_cell_and_no_answer() {
    for search in BOTH {
        for fault in FAULTS {
            for after in [0, 1, 4] {
                let (mate, lost) = solved(FIFTEEN, search, &[None, Some((after, fault)), None]);
                assert!(matches!(mate, MateAnswer::Mate(_)), "{search:?}, {fault:?}, {after}");
                // The problem may be solved before the fault occurs or before silence is detected.
                let may_end = after > 1 || fault == Fault::Silent;
                let expected = BTreeSet::from([1]);
                assert!(lost == expected || may_end && lost.is_empty(), "{search:?}, {fault:?}, {after}: {lost:?}");
            }
        }
    }
}

#[test]
fn the_host_searches_alone_after_losing_all_cells() {
    let mut rng = SmallRng::seed_from_u64(1);
    for search in BOTH {
        for _ in 0..8 {
            let mut fault = || Some((rng.random_range(0..6), FAULTS[rng.random_range(0..FAULTS.len())]));
            let faults = [fault(), fault(), fault()];
            check(search, &faults);
        }
        assert_eq!(check(search, &[Some((0, Fault::Killed)); 3]).len(), 3);
        check(search, &[]);
    }
}

/// Links to a different set of cells for every problem.
struct Changing {
    cells: FaultyCells,
    others: Vec<usize>,
}

impl CellLinks for Changing {
    fn renew(&mut self) {
        let cells = self.others.pop().unwrap_or_default();
        self.cells = FaultyCells::new(&vec![None; cells]);
    }

    fn cells(&self) -> usize {
        self.cells.cells()
    }

    fn send(&mut self, cell: usize, order: CellOrder) {
        self.cells.send(cell, order);
    }

    fn take(&mut self) -> Option<(usize, CellEvent)> {
        self.cells.take()
    }

    fn wait(&mut self) {
        assert!(self.cells() > 0, "the host waits although there are no cells");
        self.cells.wait();
    }

    fn dismiss(&mut self, cell: usize, why: &str) {
        self.cells.dismiss(cell, why);
    }
}

#[test]
fn each_problem_uses_the_cells_present_at_its_start() {
    for search in BOTH {
        let cells = CellOptions { search, size: Some(30), ..CellOptions::default() };
        let mut solver = solver::<Shogi>(cells, SearchMachine::Threads(1));
        solver.attach_cells(Box::new(Changing { cells: FaultyCells::new(&[]), others: vec![4, 0, 0, 2] }));
        for round in 0..4 {
            let found = solver.examine(&task(FIFTEEN, 3_000_000), MateRequest::default(), &Stop::new()).unwrap();
            assert!(matches!(found.answer, MateAnswer::Mate(_)), "{search:?}, problem {round}: {:?}", found.answer);
        }
    }
}

#[test]
fn a_cell_reports_orders_that_it_cannot_carry_out() {
    let mut cell = MateCell::<Shogi>::new(1);
    let mut ask = |order: CellOrder| {
        let mut link = QueueLink { inbox: VecDeque::from([order]), ..QueueLink::default() };
        cell.serve(&mut link);
        link.outbox
    };
    let fault = |why: &str| vec![CellReply::Fault(why.into())];
    let begin = |game: &str, position: &str| {
        let line = task(position, 1).line;
        let search = CellSearch::Dfpn;
        CellOrder::Begin(CellProblem { number: 1, game: game.into(), search, any_moves: false, longest: 100, line })
    };
    let search = |task, text: &str| CellOrder::Search { task, size: 10, moves: vec![text.parse().unwrap()] };
    assert_eq!(ask(begin("chess", FIFTEEN)), fault("expected shogi, found 'chess'"));
    let refused = ask(begin("shogi", "9/9 b - 1"));
    assert!(matches!(&refused[..], [CellReply::Fault(why)] if why.starts_with("expected ")), "{refused:?}");
    assert_eq!(ask(search(5, "P*1b")), fault("expected begin before search 5, found none"));
    assert_eq!(ask(begin("shogi", FIFTEEN)), [CellReply::Ready { problem: 1 }]);
    assert_eq!(ask(search(6, "1a1b")), fault("expected a legal move, found '1a1b'"));
    assert_eq!(ask(CellOrder::Stop { task: 77 }), []);
}
