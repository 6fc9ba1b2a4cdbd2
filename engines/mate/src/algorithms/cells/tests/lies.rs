//! Tests cells that lie: no answer may be false, and problems that honest cells solve must still be solved.

use super::faults::QueueLink;
use super::{BOTH, FIFTEEN, NONE, plies, solver, task};
use crate::MateCell;
use crate::interface::cell_link::{CellEvent, CellLinks, CellWorker};
use crate::interface::cell_message::{CellOrder, CellReply, CellResult, Fact};
use crate::interface::cell_options::{CellOptions, CellSearch};
use crate::interface::options::SearchMachine;
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use crate::tests::hand_graph::HandGraph;
use crate::tests::random_hand_graphs::{Random, game, mates};
use hasami_api::{Game, MateAnswer, MateGame, MoveText, Moves, Start, Stop, is_mated};
use hasami_shogi::Shogi;
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

/// The ways in which a cell falsifies an honest reply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Lie {
    AlwaysNone,
    NoneSoShort,
    HelpMate,
    MateOfNothing,
    LineWithoutMate,
    OtherLine,
    Opposite,
    NoneForMates,
    MateForNone,
    DecidedByHalf,
    Late,
    SeldomNone,
    SeldomMate,
    FalseFacts,
    FactsOfOthers,
    NumbersOfProofs,
    NumbersOfDisproofs,
    SmallNumbers,
    ManyNodes,
    NothingFound,
    PrunedTree,
    ThenGone,
}

const LIES: [Lie; 22] = [
    Lie::AlwaysNone,
    Lie::NoneSoShort,
    Lie::HelpMate,
    Lie::MateOfNothing,
    Lie::LineWithoutMate,
    Lie::OtherLine,
    Lie::Opposite,
    Lie::NoneForMates,
    Lie::MateForNone,
    Lie::DecidedByHalf,
    Lie::Late,
    Lie::SeldomNone,
    Lie::SeldomMate,
    Lie::FalseFacts,
    Lie::FactsOfOthers,
    Lie::NumbersOfProofs,
    Lie::NumbersOfDisproofs,
    Lie::SmallNumbers,
    Lie::ManyNodes,
    Lie::NothingFound,
    Lie::PrunedTree,
    Lie::ThenGone,
];

/// Number of honest messages before a late liar starts to lie.
const LATE: usize = 5;

pub(super) struct LyingCell<G: MateGame> {
    pub(super) cell: MateCell<G>,
    lie: Option<Lie>,
    /// The problem's first position. `leaf` holds the moves to the leaf of the last task.
    root: Option<G>,
    leaf: Vec<MoveText>,
    last_line: Vec<MoveText>,
    replies: usize,
}

impl<G: MateGame> LyingCell<G> {
    pub(super) fn new(lie: Option<Lie>, hash_mb: usize) -> Self {
        Self { cell: MateCell::new(hash_mb), lie, root: None, leaf: Vec::new(), last_line: Vec::new(), replies: 0 }
    }

    fn answer(&mut self, order: CellOrder) -> Vec<CellEvent> {
        match &order {
            CellOrder::Begin(problem) => self.root = G::new(&problem.line.start).ok(),
            CellOrder::Search { moves, .. } => self.leaf.clone_from(moves),
            _ => {}
        }
        let mut link = QueueLink { inbox: VecDeque::from([order]), ..QueueLink::default() };
        self.cell.serve(&mut link);
        link.outbox.into_iter().flat_map(|reply| self.events_of(reply)).collect()
    }

    fn events_of(&mut self, reply: CellReply) -> Vec<CellEvent> {
        let Some(lie) = self.lie else { return vec![CellEvent::Message(reply)] };
        self.replies += 1;
        let (mut reply, mut is_gone) = (reply, false);
        match &mut reply {
            CellReply::Facts { facts, .. } => lie_in_facts(lie, facts),
            CellReply::Done { nodes, found, .. } => {
                if lie == Lie::ManyNodes {
                    *nodes = u64::MAX;
                }
                *found = self.lie(lie, found.clone());
                is_gone = lie == Lie::ThenGone && self.replies > LATE;
            }
            _ => {}
        }
        let message = CellEvent::Message(reply);
        if is_gone { vec![message, CellEvent::Lost("gone".into())] } else { vec![message] }
    }

    fn lie(&mut self, lie: Lie, found: CellResult) -> CellResult {
        let none = CellResult::None { cut: false };
        let (is_mate, is_none) = (matches!(found, CellResult::Mate(_)), matches!(found, CellResult::None { .. }));
        let help = || self.help_mate().map_or(CellResult::Stopped, CellResult::Mate);
        match lie {
            Lie::AlwaysNone | Lie::ManyNodes | Lie::ThenGone => none,
            Lie::NoneSoShort => CellResult::None { cut: true },
            Lie::HelpMate => help(),
            Lie::MateOfNothing => CellResult::Mate(Vec::new()),
            Lie::LineWithoutMate => CellResult::Mate(self.leaf.iter().rev().take(1).copied().collect()),
            Lie::OtherLine => match found {
                CellResult::Mate(line) => CellResult::Mate(std::mem::replace(&mut self.last_line, line)),
                _ => CellResult::Mate(self.last_line.clone()),
            },
            Lie::Opposite if is_mate => none,
            Lie::Opposite if is_none => help(),
            Lie::NoneForMates if is_mate => none,
            Lie::MateForNone if is_none => help(),
            Lie::DecidedByHalf if self.replies.is_multiple_of(2) => none,
            Lie::Late if self.replies > LATE => none,
            Lie::SeldomNone if self.replies.is_multiple_of(10) => none,
            Lie::SeldomMate if self.replies.is_multiple_of(10) => help(),
            Lie::NumbersOfProofs if !is_mate && !is_none => CellResult::Open { pn: 1, dn: 1 << 30 },
            Lie::NumbersOfDisproofs if !is_mate && !is_none => CellResult::Open { pn: 1 << 30, dn: 1 },
            Lie::SmallNumbers => CellResult::Open { pn: 1, dn: 1 },
            Lie::NothingFound => CellResult::Stopped,
            Lie::PrunedTree => match found {
                CellResult::Tree { value, branch, cut } => CellResult::Tree { value, branch: pruned(&branch), cut },
                _ => none,
            },
            _ => found,
        }
    }

    /// Returns a short line of checks that mates with the defender's help, if such a line exists.
    fn help_mate(&self) -> Option<Vec<MoveText>> {
        let mut game = self.root.clone()?;
        for text in &self.leaf {
            let m = game.parse_move(text).ok()?;
            game.make(m);
        }
        (1..6).find_map(|plies| helped(&mut game, self.leaf.len().is_multiple_of(2), plies, &mut 2_000))
    }
}

fn helped<G: MateGame>(game: &mut G, attacks: bool, plies: usize, left: &mut usize) -> Option<Vec<MoveText>> {
    if plies == 0 || *left == 0 {
        return (!attacks && is_mated(game)).then(Vec::new);
    }
    *left -= 1;
    let mut moves = Moves::new();
    if attacks {
        game.checking_moves(&mut moves)
    } else {
        game.legal_moves(&mut moves)
    }
    moves.iter().find_map(|&m| {
        let text = game.format_move(m);
        game.make(m);
        let rest = helped(game, !attacks, plies - 1, left);
        game.unmake();
        Some(std::iter::once(text).chain(rest?).collect())
    })
}

/// Returns a branch with only the first move and its sub-tree, which claims that all other moves fail.
fn pruned(branch: &str) -> String {
    let mut depth = 0;
    for (at, byte) in branch.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 1 => return format!("{})", &branch[..at]),
            _ => {}
        }
    }
    branch.into()
}

fn lie_in_facts(lie: Lie, facts: &mut [Fact]) {
    match lie {
        Lie::FalseFacts => facts.iter_mut().for_each(|fact| fact.plies = fact.plies.map_or(Some(1), |_| None)),
        Lie::FactsOfOthers => facts.iter_mut().for_each(|fact| fact.key = fact.key.rotate_left(1)),
        _ => {}
    }
}

/// Links to cells that carry out every order immediately.
pub(super) struct LyingCells<G: MateGame> {
    cells: Vec<LyingCell<G>>,
    replies: VecDeque<(usize, CellEvent)>,
    pub(super) outcome: Arc<Mutex<Outcome>>,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Outcome {
    dismissed: BTreeSet<usize>,
}

impl<G: MateGame> LyingCells<G> {
    pub(super) fn new(cells: Vec<LyingCell<G>>) -> Self {
        Self { cells, replies: VecDeque::new(), outcome: Arc::default() }
    }
}

impl<G: MateGame> CellLinks for LyingCells<G> {
    fn cells(&self) -> usize {
        self.cells.len()
    }

    fn send(&mut self, cell: usize, order: CellOrder) {
        let events = self.cells[cell].answer(order);
        self.replies.extend(events.into_iter().map(|event| (cell, event)));
    }

    fn take(&mut self) -> Option<(usize, CellEvent)> {
        self.replies.pop_front()
    }

    fn wait(&mut self) {}

    fn dismiss(&mut self, cell: usize, why: &str) {
        assert!(why.starts_with("expected ") || why.contains(" of its answers "), "{why}");
        assert!(self.outcome.lock().unwrap().dismissed.insert(cell), "said once");
    }
}

/// Returns the answer, the number of nodes and the dismissed cells.
fn solved<G: MateGame>(
    position: &str,
    nodes: u64,
    search: CellSearch,
    lies: &[Option<Lie>],
) -> (MateAnswer, u64, Outcome) {
    let cells = lies.iter().map(|&lie| LyingCell::<G>::new(lie, 1)).collect();
    let links = LyingCells::new(cells);
    let outcome = Arc::clone(&links.outcome);
    let size = if nodes < 100_000 { Some(20) } else { None };
    let mut solver = solver::<G>(CellOptions { search, size, ..CellOptions::default() }, SearchMachine::Threads(1));
    solver.attach_cells(Box::new(links));
    let found = solver.examine(&task(position, nodes), MateRequest::default(), &Stop::new()).unwrap();
    let outcome = outcome.lock().unwrap().clone();
    (found.answer, found.nodes, outcome)
}

/// Solves random games with a known result, each with every lie. `company` lists the cells that work with the liar.
/// Returns the number of lies, the number of searches solved by an honest cell, and how many of them were also solved
/// with the liar.
fn count_false_answers(seed: u64, games: usize, company: &[Option<Lie>]) -> (usize, usize, usize) {
    let mut random = Random(seed);
    let (mut lies, mut solved_by_honest, mut solved_beside) = (0, 0, 0);
    for _ in 0..games {
        let text = game(&mut random);
        let root = HandGraph::new(&Start { text: Some(text.as_str().into()), ..Start::default() }).unwrap();
        let is_won = mates(&root.nodes).contains_key(&(0, root.path[0].1, true));
        let is_right =
            |answer: &MateAnswer| matches!((answer, is_won), (MateAnswer::Mate(_), true) | (MateAnswer::NoMate, false));
        for search in BOTH {
            let (honest, ..) = solved::<HandGraph>(&text, 20_000, search, &[None]);
            for lie in LIES {
                let cells: Vec<Option<Lie>> = [&[Some(lie)], company].concat();
                let (answer, _, outcome) = solved::<HandGraph>(&text, 20_000, search, &cells);
                lies += 1;
                assert!(
                    is_right(&answer) || answer == MateAnswer::Unknown,
                    "{lie:?} made {answer:?}, but mate is {is_won}: {text} ({search:?}, seed {seed})"
                );
                assert!(
                    outcome.dismissed.iter().all(|&cell| cells[cell].is_some()),
                    "an honest cell was dismissed because of {lie:?} in {text} ({search:?}, seed {seed}): {outcome:?}"
                );
                solved_by_honest += usize::from(is_right(&honest));
                solved_beside += usize::from(is_right(&answer) && is_right(&honest));
            }
        }
    }
    println!("{games} games: {lies} lies with {company:?}: {solved_beside} solved of {solved_by_honest}");
    (lies, solved_by_honest, solved_beside)
}

#[test]
fn no_lie_leads_to_a_false_answer() {
    for (seed, games, company) in [
        (1, 90, &[][..]),
        (2, 90, &[None][..]),
        (3, 30, &[None, None][..]),
        (4, 30, &[Some(Lie::FalseFacts), Some(Lie::SeldomMate), None][..]),
    ] {
        let (lies, honest, beside) = count_false_answers(seed, games, company);
        assert_eq!(lies, games * 2 * LIES.len());
        assert!(company.is_empty() || beside * 100 >= honest * 95, "{beside} of {honest} solved with {company:?}");
    }
}

#[test]
fn shogi_problems_are_solved_despite_a_liar() {
    let mut unsolved = Vec::new();
    for search in BOTH {
        for lie in LIES {
            let (mate, ..) = solved::<Shogi>(FIFTEEN, 1_000_000, search, &[Some(lie), None]);
            let (none, ..) = solved::<Shogi>(NONE, 1_000_000, search, &[None, Some(lie)]);
            assert!(mate != MateAnswer::NoMate && !matches!(none, MateAnswer::Mate(_)), "{search:?}, {lie:?}");
            if plies(&mate).is_none_or(|plies| plies < 15) || none != MateAnswer::NoMate {
                unsolved.push((search, lie, mate, none));
            }
        }
    }
    assert!(unsolved.len() <= 2, "{unsolved:?}");
}
