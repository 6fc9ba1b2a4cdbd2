//! MultiPV: always as many lines as asked for, each beginning with a move of its own.

use super::desk::Desk;
use crate::event::{WorkerEvent, WorkerId};
use crate::protocol::{Go, Info, Settings};
use hasami_api::{Line, Report, Score};
use hasami_chess::Chess;
use std::collections::HashSet;
use std::time::Duration;

fn tell(desk: &mut Desk<Chess>, multipv: u16, depth: u16, m: &str, cp: i32) {
    let worker = WorkerId(0);
    let task = desk.running[&worker].0;
    let pv = vec![m.parse().unwrap()];
    let nodes = u64::from(depth) * 1000 + u64::from(multipv);
    let report = Report { multipv, depth, nodes, pv, ..Report::new(Score::cp(cp)) };
    desk.worker(WorkerEvent::Report { worker, task, report });
    desk.wait(Duration::from_millis(150));
}

/// The lines shown last, from the first one on.
fn last_block(desk: &Desk<Chess>) -> Vec<Info> {
    let infos = desk.infos();
    let from = infos.iter().rposition(|info| info.multipv == Some(1)).unwrap();
    infos[from..].to_vec()
}

#[test]
fn a_move_that_changes_its_place_leaves_no_gap() {
    let mut desk = Desk::<Chess>::new(Settings { multi_pv: 3, ..Settings::default() }, 1);
    desk.position(&Line::default());
    desk.go(Go { infinite: true, ..Go::default() });
    for (depth, moves) in [(5, ["e2e4", "d2d4", "g1f3"]), (6, ["d2d4", "g1f3", "e2e4"]), (7, ["g1f3", "c2c4", "d2d4"])]
    {
        for (i, m) in moves.iter().enumerate() {
            tell(&mut desk, i as u16 + 1, depth, m, 30 - 10 * i as i32);
            let block = last_block(&desk);
            let first: HashSet<_> = block.iter().map(|info| info.pv[0]).collect();
            assert_eq!(first.len(), block.len(), "{block:?}");
            assert!(depth == 5 || block.len() == 3, "{block:?}");
        }
    }
}
