//! Measures with a counting allocator the memory that a solver uses in addition to its table, which is a mapping of
//! limited size. This file has only one test, so that no other test's memory is counted.
#![allow(clippy::unwrap_used)]

use hasami_api::{Goal, Limits, Line, MateAnswer, Start, Stop, Task};
use hasami_mate::{Algorithm, MateEngine, MateRequest, MateRules, MateSolver, SolverOptions};
use hasami_shogi::Shogi;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A position that no search decides within a reasonable limit. `MINLEN_15` is a mate with many pieces in hand.
const HARD: &str = "9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1";
const MINLEN_15: &str = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";

/// Returns the maximum number of additional bytes during a search with `mebibytes` MiB, and the answer.
fn most_bytes(
    algorithm: Algorithm,
    mebibytes: usize,
    text: &str,
    nodes: u64,
    request: MateRequest,
) -> (usize, MateAnswer) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
    // The task has no node limit, because a limit would make the table smaller.
    let task = Task { line, goal: Goal::Mate, limits: Limits::default(), ..Task::default() };
    let stop = stop_after(nodes);
    let options = SolverOptions { hash_mb: mebibytes, ..SolverOptions::default() };
    let found = MateEngine::<Shogi>::with_options(algorithm, &options).examine(&task, request, &stop).unwrap();
    (MEMORY.peak_usage() - before, found.answer)
}

/// Creates a stop that is set after `nodes` nodes.
fn stop_after(nodes: u64) -> Stop {
    struct End(Stop, u64);
    impl hasami_api::Pace for End {
        fn more(&self, nodes: u64) -> u64 {
            if nodes >= self.1 {
                self.0.stop();
            }
            nodes.max(self.1) + 1
        }
    }
    let stop = Stop::new();
    stop.clone().with_pace(std::sync::Arc::new(End(stop, nodes)))
}

#[test]
fn a_solver_exceeds_its_memory_limit_by_at_most_a_hundredth() {
    let all =
        MateRequest { shortest: true, rules: MateRules::Tsume, others: true, proof: 100, ..MateRequest::default() };
    for mebibytes in [1, 64, 256] {
        for (text, request) in [(HARD, MateRequest::default()), (MINLEN_15, MateRequest::default()), (MINLEN_15, all)] {
            let (bytes, answer) = most_bytes(Algorithm::Dfpn, mebibytes, text, 100_000, request);
            println!("{mebibytes} MiB: {bytes} bytes besides the table, {answer:?}");
            // `MateEngine::new` reserves the first summand, 208 KiB, when it computes the size of the table.
            let most = (208 << 10) + (mebibytes << 20) / 100;
            assert!(
                bytes <= most,
                "{text} with {mebibytes} MiB: {bytes} bytes besides the table, expected at most {most}"
            );
        }
    }
    // The memory of all levels is counted, and the limit is reached at the end.
    for mebibytes in [1, 12] {
        let (bytes, answer) = most_bytes(Algorithm::Levels, mebibytes, HARD, u64::MAX - 1, MateRequest::default());
        println!("{mebibytes} MiB: {bytes} bytes of levels");
        assert_eq!(answer, MateAnswer::Unknown);
        let most = mebibytes << 20;
        assert!((most / 3..=most).contains(&bytes), "{bytes} bytes of levels with {mebibytes} MiB");
    }
}
