//! What events cost and what the tree weighs, up to ten thousand workers. Measured by hand:
//! `cargo test --profile fast --lib cost -- --ignored --nocapture`.

use super::desk::{Desk, walk};
use crate::event::WorkerId;
use crate::protocol::{Command, Go, Settings};
use crate::sim::toy::Toy;
use crate::tree::Node;
use hasami_api::{Game, Line};
use std::time::{Duration, Instant};

#[test]
#[ignore = "measures; run it alone in an optimized build"]
fn cost_of_events() {
    println!("node: {} bytes", size_of::<Node<<Toy as Game>::Move>>());
    for workers in [1, 32, 256, 2_000, 10_000] {
        let mut desk = Desk::<Toy>::new(Settings { ponder: true, ..Settings::default() }, workers);
        let line = Line { start: Toy::start(3, 17), moves: Vec::new() };
        desk.position(&line);
        desk.go(Go { infinite: true, ..Go::default() });
        let (mut events, mut spent, mut worst) = (0u32, Duration::ZERO, Duration::ZERO);
        for round in 0..12u16 {
            let running: Vec<WorkerId> = desk.running.keys().copied().collect();
            for worker in running {
                let Some((_, task)) = desk.running.get(&worker) else { continue };
                let (pv, ranking) = walk::<Toy>(task);
                let began = Instant::now();
                desk.ranked_report(worker, pv, ranking, 6 + round);
                let cost = began.elapsed();
                (events, spent, worst) = (events + 1, spent + cost, worst.max(cost));
            }
            desk.end_cancelled();
            desk.now += Duration::from_millis(100);
        }
        let busy = desk.running.len();
        let began = Instant::now();
        desk.command(Command::Stop);
        let stop = began.elapsed();
        println!(
            "{workers} workers ({busy} busy, {} nodes): {events} reports, {:?} each, worst {worst:?}; stop and re-root {stop:?}",
            desk.manager.tree().len(),
            spent / events.max(1),
        );
    }
}
