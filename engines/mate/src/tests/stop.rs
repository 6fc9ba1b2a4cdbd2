//! Tests that a stopped solver returns quickly. Work is measured by the number of calls to the game's rules, so that
//! the test needs no clock; an ignored test measures the processor time.

use super::graph::Graph;
use crate::MateEngine;
use crate::interface::request::{MateRequest, MateRules};
use crate::interface::solver::MateSolver;
use hasami_api::{
    Game, Goal, Hand, InvalidPosition, Line, MateAnswer, MateGame, MoveText, Moves, ParseMoveError, Side, Start, Stop,
    Task, Verdict,
};
use hasami_shogi::Shogi;
use std::cell::{Cell, RefCell};

/// A mate in 15 plies.
const MINLEN_15: &str = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
/// A position from a game, with a mate in 3 plies.
const GAME_3: &str = "lR5nl/5k1b1/2gp3p1/2s1p1P2/p4N2p/P3PpR2/1PPP1P2P/2G1K2s1/LN6L b GSN2Pbgs2p 83";
const MUSO_058: &str = "5l3/4p2R1/4g1S2/9/1p2Plpn+n/6k2/3S+p3S/2L3B1s/4+B4 b GNLr2gn13p 1";

thread_local! {
    /// Number of calls to the game's rules.
    static ASKED: Cell<u64> = const { Cell::new(0) };
    static STOP: RefCell<(u64, Stop)> = RefCell::new((u64::MAX, Stop::new()));
    /// Processor time of the thread when it was stopped, in microseconds.
    static STOPPED: Cell<u64> = const { Cell::new(0) };
}

#[cfg(unix)]
fn processor_time() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1_000
}

#[cfg(not(unix))]
fn processor_time() -> u64 {
    0
}

fn ask() {
    let asked = ASKED.get() + 1;
    ASKED.set(asked);
    STOP.with_borrow(|(at, stop)| {
        if asked == *at {
            STOPPED.set(processor_time());
            stop.stop();
        }
    });
}

/// A game that counts the calls to its rules and stops its search.
#[derive(Clone)]
struct Watched<G>(G);

impl<G: MateGame> Game for Watched<G> {
    type Move = G::Move;
    const NAME: &'static str = "watched";

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        G::new(start).map(Self)
    }

    fn to_text(&self) -> String {
        self.0.to_text()
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, ParseMoveError> {
        self.0.parse_move(text)
    }

    fn format_move(&self, m: G::Move) -> MoveText {
        self.0.format_move(m)
    }

    fn side(&self) -> Side {
        self.0.side()
    }

    fn ply(&self) -> u32 {
        self.0.ply()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn in_check(&self) -> bool {
        self.0.in_check()
    }

    fn legal_moves(&self, out: &mut Moves<G::Move>) {
        ask();
        self.0.legal_moves(out);
    }

    fn count_moves(&self) -> usize {
        ask();
        self.0.count_moves()
    }

    fn make(&mut self, m: G::Move) {
        ask();
        self.0.make(m);
    }

    fn unmake(&mut self) {
        self.0.unmake();
    }

    fn verdict(&self) -> Verdict {
        self.0.verdict()
    }

    fn verdict_in_search(&self, plies: usize) -> Verdict {
        self.0.verdict_in_search(plies)
    }

    fn verdict_without_moves(&self) -> Verdict {
        self.0.verdict_without_moves()
    }
}

impl<G: MateGame> MateGame for Watched<G> {
    fn checking_moves(&self, out: &mut Moves<G::Move>) {
        ask();
        self.0.checking_moves(out);
    }

    fn board_key(&self) -> u64 {
        self.0.board_key()
    }

    fn hand(&self, side: Side) -> Hand {
        self.0.hand(side)
    }

    fn dropped(&self, m: G::Move) -> Option<(usize, u8)> {
        self.0.dropped(m)
    }

    fn won(&self, m: G::Move) -> Option<usize> {
        self.0.won(m)
    }

    fn could_block(&self) -> bool {
        self.0.could_block()
    }

    fn squares_between(&self) -> Vec<u8> {
        self.0.squares_between()
    }

    fn nearer(&self, square: u8) -> Vec<Self> {
        self.0.nearer(square).into_iter().map(Self).collect()
    }
}

/// Returns the number of calls after the stop at call `at` (in total without a stop), the answer, and the microseconds
/// from the stop to the return.
fn stopped_at<G: MateGame>(
    solver: &mut MateEngine<Watched<G>>,
    text: &str,
    request: MateRequest,
    at: u64,
) -> (u64, MateAnswer, u64) {
    let stop = Stop::new();
    STOP.set((at, stop.clone()));
    ASKED.set(0);
    let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
    let task = Task { line, goal: Goal::Mate, ..Task::default() };
    let answer = solver.examine(&task, request, &stop).unwrap().answer;
    let late = if stop.is_stopped() { processor_time() - STOPPED.get() } else { 0 };
    let asked = ASKED.get();
    let asked = match stop.is_stopped() {
        true => asked - at,
        false if at == u64::MAX => asked,
        // In this run, the table may have lost fewer results, so that the search ended before the stop.
        false => 0,
    };
    (asked, answer, late)
}

/// Stops at every `step`th call. Returns the largest number of calls after a stop, and the longest time between stop
/// and return in microseconds.
fn most_after_stop<G: MateGame>(text: &str, request: MateRequest, step: usize) -> (u64, u64) {
    let mut solver = MateEngine::<Watched<G>>::new(1);
    let (all, answer, _) = stopped_at(&mut solver, text, request, u64::MAX);
    assert!(matches!(answer, MateAnswer::Mate(_)), "{answer:?}");
    let moments = (1..all).step_by(step).map(|at| {
        let (more, answer, late) = stopped_at(&mut solver, text, request, at);
        assert_ne!(answer, MateAnswer::NoMate, "stopped at call {at} of {all}");
        (more, late)
    });
    moments.fold((0, 0), |most, (more, late)| (most.0.max(more), most.1.max(late)))
}

/// A request for all results that a solver can find.
const ALL: MateRequest = MateRequest {
    shortest: true,
    rules: MateRules::Tsume,
    any_moves: false,
    defender_first: false,
    others: true,
    variations: true,
    lines: 3,
    proof: 50,
};

#[test]
fn a_stop_also_ends_requests_beyond_the_answer() {
    let (asked, _) = most_after_stop::<Shogi>(GAME_3, ALL, 2_000_003);
    assert!(asked < 1_000, "{asked} calls of the rules after the stop");
}

#[test]
fn a_stop_ends_the_search_and_the_line_at_once() {
    // Formatting a line of 1,501 plies calls the rules once per ply, and following the line calls them many times more.
    let long: String = (0..1_501).map(|i| format!("{i}-{} ", i + 1)).collect();
    let (asked, _) = most_after_stop::<Graph>(&long, MateRequest::default(), 499);
    assert!(asked < 1_501 + 20, "{asked} calls of the rules after the stop");
    let (asked, _) = most_after_stop::<Shogi>(MINLEN_15, MateRequest::default(), 5_003);
    assert!(asked < 200, "{asked} calls of the rules after the stop");
}

/// Prints microseconds of processor time. Run with `cargo test --profile fast -p hasami-mate --lib -- --ignored
/// --nocapture stop`.
#[test]
#[ignore = "measures"]
fn how_long_a_stop_takes() {
    let long: String = (0..1_501).map(|i| format!("{i}-{} ", i + 1)).collect();
    println!(
        "1,501 plies on a graph: {:?} calls and microseconds",
        most_after_stop::<Graph>(&long, MateRequest::default(), 17)
    );
    println!("all requests: {:?} calls and microseconds", most_after_stop::<Shogi>(GAME_3, ALL, 40_009));
    for (sfen, step) in [(MINLEN_15, 53), (MUSO_058, 1_009)] {
        let found = most_after_stop::<Shogi>(sfen, MateRequest::default(), step);
        println!("{sfen}: {found:?} calls and microseconds");
    }
}
