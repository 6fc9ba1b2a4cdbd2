//! The cost of proving the cells' claims.

use super::lies::{LyingCell, LyingCells};
use super::{NONE, task};
use crate::algorithm::MateJob;
use crate::algorithms::cells::CellJob;
use crate::algorithms::cells::claims::Conclusion;
use crate::algorithms::cells::host::{Host, HostPlan};
use crate::core::interrupt::Interrupted;
use crate::interface::cell_options::{CellOptions, CellSearch};
use crate::interface::request::MateRequest;
use hasami_api::{Game, Stop};
use hasami_shogi::Shogi;
use std::sync::Arc;

const PROBLEMS: &str = include_str!("../../../../../../src/bench/mates.tsv");

/// The ways in which claims of cells can be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Care {
    Believes,
    Searches,
    Replays,
}

/// The result of a search with honest cells.
struct Course {
    is_mate: Option<bool>,
    /// Number of moves made by the cells for their tasks, by the cells to show steps, and by the host for proofs.
    moves: [u64; 3],
    took: u64,
}

/// Processor time of this thread in nanoseconds.
fn processor_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse().unwrap()
}

fn course(position: &str, nodes: u64, (search, cells, hash_mb): (CellSearch, usize, usize), care: Care) -> Course {
    let (task, stop) = (task(position, nodes), Stop::new());
    let game = Shogi::new(&task.line.start).unwrap();
    let job = MateJob { game: &game, task: &task, request: MateRequest::default(), stop: &stop };
    let options = CellOptions { search, ..CellOptions::default() };
    let cell_job = CellJob { options, bytes: hash_mb << 20, number: 1, job: &job };
    let plan = cell_job.plan(cells, true);
    let asks_for_proofs = plan.asks_for_proofs && care == Care::Replays;
    let plan = HostPlan { audits: care != Care::Believes, asks_for_proofs, ..plan };
    let mut links = LyingCells::<Shogi>::new((0..cells).map(|_| LyingCell::new(None, hash_mb)).collect());
    let (outcome, begin, begun) = (Arc::clone(&links.outcome), cell_job.begin(), processor_time());
    let mut host = Host::new(plan, &begin, &game, &mut links, &stop);
    let is_mate = match host.run() {
        Ok(Conclusion::Mate(_)) => Some(true),
        Ok(Conclusion::None { cut }) => (!cut).then_some(false),
        Err(Interrupted) => None,
    };
    let here = host.substitute.as_ref().map_or(0, |cell| cell.nodes);
    let (of_cells, shown) = {
        let outcome = outcome.lock().unwrap();
        (outcome.nodes - outcome.shown, outcome.shown)
    };
    Course { is_mate, moves: [of_cells, shown, here], took: processor_time() - begun }
}

#[test]
fn a_proof_that_is_shown_is_replayed_in_a_tenth_of_the_moves() {
    let mates = PROBLEMS.lines().filter_map(|line| line.strip_prefix("shogi\t")?.split('\t').next()).take(2);
    for (position, is_mate) in mates.map(|position| (position, true)).chain([(NONE, false)]) {
        let [searched, replayed] =
            [Care::Searches, Care::Replays].map(|care| course(position, 600_000, (CellSearch::Dfpn, 1, 16), care));
        assert_eq!((searched.is_mate, replayed.is_mate), (Some(is_mate), Some(is_mate)), "{position}");
        assert_eq!(searched.moves[0], replayed.moves[0], "{position}");
        let [tasks, shown, here] = replayed.moves;
        assert!(!is_mate || 10 * (shown + here) < tasks, "{position}: {:?}", replayed.moves);
    }
}

/// Prints the cost of proofs. The variable `PROBLEMS` names another list of problems, one position per line, up to a
/// tab; `NODES` replaces the limit of 600,000 nodes.
#[test]
#[ignore = "prints what proofs of the answers cost"]
fn cost_of_proofs() {
    let list = std::env::var("PROBLEMS").map_or(PROBLEMS.into(), |path| std::fs::read_to_string(path).unwrap());
    let nodes = std::env::var("NODES").map_or(600_000, |nodes| nodes.parse().unwrap());
    let positions = list.lines().map(|line| line.strip_prefix("shogi\t").unwrap_or(line).split('\t').next().unwrap());
    let positions: Vec<&str> = positions.filter(|text| Shogi::new(&task(text, 1).line.start).is_ok()).collect();
    let ways = [(CellSearch::Dfpn, 1), (CellSearch::Dfpn, 4), (CellSearch::BestFirst, 4)];
    for (search, cells) in ways {
        let mut sums = [[(0, [0; 3], 0); 3]; 2];
        for position in &positions {
            let cares = [Care::Believes, Care::Searches, Care::Replays];
            let courses = cares.map(|care| course(position, nodes, (search, cells, 16), care));
            let Some(is_mate) = courses[0].is_mate else { continue };
            if courses.iter().any(|other| other.is_mate != Some(is_mate)) {
                continue;
            }
            for (sum, Course { moves, took, .. }) in sums[usize::from(is_mate)].iter_mut().zip(&courses) {
                sum.0 += 1;
                sum.1.iter_mut().zip(moves).for_each(|(sum, moves)| *sum += moves);
                sum.2 += took;
            }
        }
        for (name, of_kind) in ["none", "mate"].iter().zip(sums) {
            for (care, (count, [tasks, shown, here], took)) in ["believes", "searches", "replays"].iter().zip(of_kind) {
                let took = took / 1_000_000;
                println!(
                    "{search:?} {cells} {name} {care}: {count} problems, {tasks} + {shown} + {here} moves, {took} ms"
                );
            }
        }
    }
}
