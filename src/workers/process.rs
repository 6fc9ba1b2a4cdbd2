//! Runs a child process that speaks UCI or USI as a worker.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::child_client::ChildClient;
use super::children::ChildSpec;
use super::{EventSender, NoticeSender, Renewal, Worker};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use hasami_api::Task;
use hasami_child::{ChildProcess, ProcessOutput};
use hasami_protocol::client::PlayedGame;
use hasami_tree::event::{TaskId, WorkerId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// A worker that starts a child process, and starts the process again when the worker is revived.
pub struct ProcessWorker {
    id: WorkerId,
    spec: Arc<ChildSpec>,
    game: PlayedGame,
    events: NoticeSender,
    life: Option<ProcessLife>,
}

/// One run of a worker's child process, from its start to its end.
struct ProcessLife {
    child: Arc<ChildProcess>,
    client: Arc<Mutex<ChildClient>>,
}

impl ProcessLife {
    fn client(&self) -> MutexGuard<'_, ChildClient> {
        lock(&self.client)
    }
}

fn lock(client: &Mutex<ChildClient>) -> MutexGuard<'_, ChildClient> {
    client.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProcessWorker {
    /// Starts the process at once. The event `Joined` follows when the process is ready.
    pub fn new(id: WorkerId, spec: ChildSpec, game: PlayedGame, events: NoticeSender) -> Self {
        let mut worker = Self { id, spec: Arc::new(spec), game, events, life: None };
        worker.revive();
        worker
    }

    /// Kills the running process and drops its further events.
    fn abandon(&mut self) {
        if let Some(life) = self.life.take() {
            life.client().close();
            life.child.kill();
        }
    }
}

impl Worker for ProcessWorker {
    fn start(&mut self, id: TaskId, task: Task) {
        if let Some(life) = &self.life {
            life.client().start(id, &task, life.child.writer());
        }
    }

    fn cancel(&mut self, id: TaskId) {
        if let Some(life) = &self.life {
            life.client().cancel(id, life.child.writer());
        }
    }

    fn new_game(&mut self) -> Renewal {
        let waits = self.life.as_ref().is_some_and(|life| life.client().new_game(life.child.writer()));
        if waits { Renewal::Asked } else { Renewal::Done }
    }

    fn kill(&mut self) {
        if let Some(life) = &self.life {
            life.client().lost("killed, it did not answer".to_owned());
            life.child.kill();
        }
    }

    fn revive(&mut self) {
        self.abandon();
        let sender = EventSender::new(self.id, &self.events);
        let client = Arc::new(Mutex::new(ChildClient::new(Arc::clone(&self.spec), self.game, sender)));
        let (up, wait_up) = bounded::<bool>(1);
        let child = Arc::new(ChildProcess::spawn(&self.spec.launch, listener(Arc::clone(&client), up)));
        lock(&client).flush(child.writer());
        // The thread `start` holds only a weak reference, so that the process ends if its worker is dropped.
        let (waiting, slow, limit) = (Arc::clone(&client), Arc::downgrade(&child), self.spec.start_time);
        let watch = Builder::new().name("start".to_owned()).stack_size(64 << 10).spawn(move || {
            if is_too_slow(&wait_up, limit) {
                give_up(&waiting, &slow, limit);
            }
        });
        if let Err(error) = watch {
            lock(&client).lost(format!("cannot start a thread: {error}"));
            child.kill();
        }
        self.life = Some(ProcessLife { child, client });
    }

    fn quit(&mut self) {
        if let Some(life) = &self.life {
            life.client().close();
            life.child.writer().write("stop\nquit");
            life.child.writer().close();
        }
    }

    fn wait_gone(&mut self, deadline: Instant) {
        if let Some(life) = self.life.take() {
            life.child.wait_gone(deadline);
        }
    }
}

impl Drop for ProcessWorker {
    fn drop(&mut self) {
        self.quit();
    }
}

/// An engine that keeps printing lines while it starts, even empty ones, may take up to `LOADING` times its time limit,
/// which every line restarts.
const LOADING: u32 = 20;

/// Whether the child is too slow to start: it printed nothing for `limit`, or its whole start has taken too long.
fn is_too_slow(up: &Receiver<bool>, limit: Duration) -> bool {
    let latest = Instant::now() + limit * LOADING;
    loop {
        match up.recv_deadline(latest.min(Instant::now() + limit)) {
            Ok(false) if Instant::now() < latest => {}
            Ok(false) | Err(RecvTimeoutError::Timeout) => return true,
            Ok(true) | Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

/// Returns the listener for a child's output, which runs on the child's thread. Until the child has started, `up`
/// receives for each line whether the line completed the start. `up` is closed when the child has started or ended.
fn listener(
    client: Arc<Mutex<ChildClient>>,
    up: Sender<bool>,
) -> impl FnMut(ProcessOutput<'_>, &hasami_child::StdinWriter) + Send + 'static {
    let mut up = Some(up);
    move |said, writer| match said {
        ProcessOutput::Said(line) => {
            let is_up = lock(&client).hear(line, writer);
            if let Some(watch) = &up {
                // A full channel is harmless: it already holds a message, and dropping the sender signals the end of
                // the start.
                let _ = watch.try_send(is_up);
            }
            if is_up {
                up = None;
            }
        }
        ProcessOutput::Absent(why) => lock(&client).absent(why),
        ProcessOutput::Gone(why) => {
            let client = lock(&client);
            if client.is_up() { client.lost(why) } else { client.lost(format!("no {}: {why}", client.waits_for())) }
        }
    }
}

/// Ends a child that has not completed its start in time.
fn give_up(client: &Mutex<ChildClient>, child: &Weak<ChildProcess>, limit: Duration) {
    let client = lock(client);
    if client.is_up() {
        return;
    }
    client.lost(format!("no {} within {} s; killed", client.waits_for(), limit.as_secs()));
    if let Some(child) = child.upgrade() {
        child.kill();
    }
}
