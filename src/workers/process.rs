//! A worker that is a child process speaking UCI or USI.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::children::ChildSpec;
use super::talk::Talk;
use super::{Events, Renewal, Voice, Worker};
use crate::child::{Child, Said};
use crate::event::{TaskId, WorkerId};
use crate::protocol::Protocol;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use hasami_api::Task;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// See the module.
pub struct ProcessWorker {
    id: WorkerId,
    spec: Arc<ChildSpec>,
    protocol: Protocol,
    events: Events,
    life: Option<Life>,
}

/// One process, from its start to its end.
struct Life {
    child: Arc<Child>,
    talk: Arc<Mutex<Talk>>,
}

impl Life {
    fn talk(&self) -> MutexGuard<'_, Talk> {
        lock(&self.talk)
    }
}

fn lock(talk: &Mutex<Talk>) -> MutexGuard<'_, Talk> {
    talk.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProcessWorker {
    /// Starts the process at once; `Joined` follows when it is ready. `game` is the protocol of the game played.
    pub fn new(id: WorkerId, spec: ChildSpec, game: Protocol, events: Events) -> Self {
        let protocol = spec.protocol.unwrap_or(game);
        let mut worker = Self { id, spec: Arc::new(spec), protocol, events, life: None };
        worker.revive();
        worker
    }

    /// Silences and kills what runs.
    fn abandon(&mut self) {
        if let Some(life) = self.life.take() {
            life.talk().close();
            life.child.kill();
        }
    }
}

impl Worker for ProcessWorker {
    fn start(&mut self, id: TaskId, task: Task) {
        if let Some(life) = &self.life {
            life.talk().start(id, &task, life.child.pen());
        }
    }

    fn cancel(&mut self, id: TaskId) {
        if let Some(life) = &self.life {
            life.talk().cancel(id, life.child.pen());
        }
    }

    fn new_game(&mut self) -> Renewal {
        let waits = self.life.as_ref().is_some_and(|life| life.talk().new_game(life.child.pen()));
        if waits { Renewal::Asked } else { Renewal::Done }
    }

    fn kill(&mut self) {
        if let Some(life) = &self.life {
            life.talk().lost("killed, it did not answer");
            life.child.kill();
        }
    }

    fn revive(&mut self) {
        self.abandon();
        let voice = Voice::new(self.id, &self.events);
        let talk = Arc::new(Mutex::new(Talk::new(Arc::clone(&self.spec), self.protocol, voice)));
        let (up, wait_up) = bounded::<bool>(1);
        let child = Arc::new(Child::spawn(&self.spec.launch, listener(Arc::clone(&talk), up)));
        lock(&talk).greet(child.pen());
        // Weak, so that a worker that is dropped meanwhile takes its process along.
        let (waiting, slow, limit) = (Arc::clone(&talk), Arc::downgrade(&child), self.spec.start_time);
        let watch = Builder::new().name("start".to_owned()).stack_size(64 << 10).spawn(move || {
            if is_too_slow(&wait_up, limit) {
                give_up(&waiting, &slow, limit);
            }
        });
        if let Err(error) = watch {
            lock(&talk).lost(&format!("expected a new thread, found: {error}"));
            child.kill();
        }
        self.life = Some(Life { child, talk });
    }

    fn quit(&mut self) {
        if let Some(life) = &self.life {
            life.talk().close();
            life.child.pen().write("stop\nquit");
            life.child.pen().close();
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

/// An engine may say by lines, empty ones too, that it is still loading; however often, it has so many times the limit.
const LOADING: u32 = 20;

/// Nothing was heard for so long before the child came up, or it has been loading for too long.
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

/// What hears the child, on its own thread. `up` hears of each line until the child is up (`true`), and is dropped with
/// the child.
fn listener(talk: Arc<Mutex<Talk>>, up: Sender<bool>) -> impl FnMut(Said<'_>, &crate::child::Pen) + Send + 'static {
    let mut up = Some(up);
    move |said, pen| match said {
        Said::Line(line) => {
            let is_up = lock(&talk).hear(line, pen);
            if let Some(watch) = &up {
                // A full channel holds news of the same kind; that the child is up is told by the end of the sender too.
                let _ = watch.try_send(is_up);
            }
            if is_up {
                up = None;
            }
        }
        Said::Absent(why) => lock(&talk).absent(&why),
        Said::Gone(why) => {
            let talk = lock(&talk);
            if talk.is_up() {
                talk.lost(&why)
            } else {
                talk.lost(&format!("expected {}, found: {why}", talk.waits_for()))
            }
        }
    }
}

/// The child has not come up in time.
fn give_up(talk: &Mutex<Talk>, child: &Weak<Child>, limit: Duration) {
    let talk = lock(talk);
    if talk.is_up() {
        return;
    }
    talk.lost(&format!("expected {} within {} s, found nothing; killed", talk.waits_for(), limit.as_secs()));
    if let Some(child) = child.upgrade() {
        child.kill();
    }
}
