//! Starts a child engine once, to check that the engine answers.

use super::children::ChildSpec;
use super::process::ProcessWorker;
use super::{Inbox, Worker, WorkerNotice};
use hasami_protocol::client::PlayedGame;
use hasami_tree::event::{WorkerEvent, WorkerId};
use std::time::{Duration, Instant};

/// Time that an engine is given to exit after `quit`.
const SHUTDOWN: Duration = Duration::from_millis(500);

/// Starts a child engine and ends it again. The engine must identify itself within its time limit. Returns the time
/// that the start took, or the reason why it failed.
pub fn start_once(child: &ChildSpec, game: PlayedGame) -> Result<Duration, String> {
    let inbox = Inbox::default();
    let begun = Instant::now();
    let mut worker = ProcessWorker::new(WorkerId(0), child.clone(), game, inbox.events());
    let deadline = begun + child.start_time + SHUTDOWN;
    let found = loop {
        match inbox.notices().recv_deadline(deadline) {
            Ok(WorkerNotice::Event(WorkerEvent::Joined { .. })) => break Ok(begun.elapsed()),
            Ok(WorkerNotice::Event(WorkerEvent::Lost { why, .. })) => break Err(why),
            Ok(_) => {}
            Err(_) => break Err("the engine did not start in time".to_owned()),
        }
    };
    worker.quit();
    worker.wait_gone(Instant::now() + SHUTDOWN);
    found
}
