//! A worker that is a child process speaking UCI or USI.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::children::ChildSpec;
use super::talk::Talk;
use super::{Events, Voice, Worker};
use crate::child::{Child, Said};
use crate::event::{TaskId, WorkerId};
use crate::protocol::Protocol;
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use hasami_api::Task;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::Builder;
use std::time::Instant;

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

    fn new_game(&mut self) -> bool {
        if let Some(life) = &self.life {
            life.talk().new_game(life.child.pen());
        }
        false
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
        let (up, wait_up) = bounded::<()>(1);
        let child = Arc::new(Child::spawn(&self.spec.launch, listener(Arc::clone(&talk), up)));
        lock(&talk).greet(child.pen());
        // Weak, so that a worker that is dropped meanwhile takes its process along.
        let (waiting, slow, limit) = (Arc::clone(&talk), Arc::downgrade(&child), self.spec.start_time);
        let watch = Builder::new().name("start".to_owned()).stack_size(64 << 10).spawn(move || {
            if wait_up.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
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

/// What hears the child, on its own thread. `up` is told once, or dropped with the child.
fn listener(talk: Arc<Mutex<Talk>>, up: Sender<()>) -> impl FnMut(Said<'_>, &crate::child::Pen) + Send + 'static {
    let mut up = Some(up);
    move |said, pen| match said {
        Said::Line(line) => {
            if lock(&talk).hear(line, pen)
                && let Some(up) = up.take()
            {
                let _ = up.try_send(());
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
fn give_up(talk: &Mutex<Talk>, child: &Weak<Child>, limit: std::time::Duration) {
    let talk = lock(talk);
    if talk.is_up() {
        return;
    }
    talk.lost(&format!("expected {} within {} s, found nothing; killed", talk.waits_for(), limit.as_secs()));
    if let Some(child) = child.upgrade() {
        child.kill();
    }
}
