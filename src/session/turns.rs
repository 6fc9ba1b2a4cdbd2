//! Serves one session with two threads, one of which reads the input while the other waits for workers and alarms.
//!
//! The reading thread itself carries out each command, so that no thread must wake up between `stop` and `bestmove`; on
//! busy processors, this could take a time slice of about 4 ms. The reading thread never waits for the other thread:
//! whichever thread holds the session's lock serves newly arrived lines before anything else.

use super::lines;
use super::platform::be_prompt;
use crossbeam_channel::{Receiver, Sender, bounded, never, select, unbounded};
use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::Builder;
use std::time::Instant;

/// A session that [`serve`] can serve.
pub trait Served: Send + 'static {
    /// The type of events other than input lines.
    type Notice: Send + 'static;

    /// Handles an input line; `None` means that the input has ended.
    fn line(&mut self, line: Option<&str>);
    fn notice(&mut self, notice: Self::Notice);
    /// Called at the time in [`Outlook::due`].
    fn alarm(&mut self);
    /// Returns which events to wait for next, or `None` if the session is over.
    fn outlook(&self) -> Option<Outlook<Self::Notice>>;
}

/// The events that a session waits for besides input lines.
pub struct Outlook<N> {
    pub notices: Receiver<N>,
    pub due: Option<Instant>,
}

/// Serves a session until it is over, and then passes it to `end`.
pub fn serve<S: Served>(session: S, input: impl Read + Send + 'static, end: impl FnOnce(&mut S)) -> io::Result<()> {
    let (queue, lines) = unbounded();
    let (wake, wakes) = bounded(1);
    // The reading thread stays until the session is over: it may have started child processes, which end with their
    // thread.
    let (stay, over) = bounded::<()>(0);
    let shared = Arc::new(SharedSession { session: Mutex::new(session), lines });
    let reader = LineReader { shared: Arc::clone(&shared), queue, wake };
    Builder::new().name("input".to_owned()).spawn(move || {
        be_prompt();
        lines::read(input, |line| reader.hand_over(Some(line)));
        reader.hand_over(None);
        let _ = over.recv();
    })?;
    be_prompt();
    shared.watch(&wakes);
    end(&mut shared.lock());
    drop(stay);
    Ok(())
}

/// A session and its pending input lines.
struct SharedSession<S> {
    session: Mutex<S>,
    lines: Receiver<Option<String>>,
}

impl<S: Served> SharedSession<S> {
    fn lock(&self) -> MutexGuard<'_, S> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the thread that waits for events, which is woken when the events to wait for may have changed.
    fn watch(&self, wakes: &Receiver<()>) {
        loop {
            let Some(Outlook { notices, due }) = self.lock().outlook() else { return };
            let alarm = due.map_or_else(never, crossbeam_channel::at);
            select! {
                recv(notices) -> notice => if let Ok(notice) = notice { self.turn(|session| session.notice(notice)) },
                recv(alarm) -> _ => self.turn(S::alarm),
                // A line may have arrived while this thread held the session's lock to find out what to wait for.
                recv(wakes) -> _ => self.try_lines(),
            }
        }
    }

    fn turn(&self, what: impl FnOnce(&mut S)) {
        let mut session = self.lock();
        self.serve_lines(&mut session);
        what(&mut session);
        drop(session);
        self.try_lines();
    }

    fn serve_lines(&self, session: &mut S) {
        self.lines.try_iter().for_each(|line| session.line(line.as_deref()));
    }

    /// Serves the waiting lines. If another thread holds the session's lock, it serves them after unlocking.
    fn try_lines(&self) {
        while !self.lines.is_empty() {
            match self.session.try_lock() {
                Ok(mut session) => self.serve_lines(&mut session),
                Err(TryLockError::Poisoned(poisoned)) => self.serve_lines(&mut poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => return,
            }
        }
    }
}

/// Reads input lines, on the reading thread.
struct LineReader<S> {
    shared: Arc<SharedSession<S>>,
    queue: Sender<Option<String>>,
    wake: Sender<()>,
}

impl<S: Served> LineReader<S> {
    fn hand_over(&self, line: Option<String>) {
        // Sending cannot fail: this reader holds the shared session, which holds the receiver.
        let _ = self.queue.send(line);
        self.shared.try_lines();
        // Sending fails only if a wake-up is already pending, which is enough.
        let _ = self.wake.try_send(());
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    type Line = Option<String>;

    /// A session that records what it serves. A notice of 0 ends the session; a notice of n makes n lines arrive while
    /// the session is locked.
    struct Fake {
        heard: Sender<String>,
        notices: Receiver<usize>,
        shared: Option<(Arc<SharedSession<Fake>>, Sender<Line>)>,
        over: bool,
    }

    impl Served for Fake {
        type Notice = usize;

        fn line(&mut self, line: Option<&str>) {
            self.heard.send(line.unwrap_or("end").to_owned()).unwrap();
        }

        fn notice(&mut self, count: usize) {
            self.heard.send(format!("notice {count}")).unwrap();
            self.over = count == 0;
            for number in 0..count {
                let (shared, queue) = self.shared.as_ref().unwrap();
                queue.send(Some(format!("line {number}"))).unwrap();
                shared.try_lines();
            }
        }

        fn alarm(&mut self) {}

        fn outlook(&self) -> Option<Outlook<usize>> {
            (!self.over).then(|| Outlook { notices: self.notices.clone(), due: None })
        }
    }

    fn fake(notices: &[usize]) -> (Fake, Receiver<String>) {
        let (heard, hearing) = unbounded();
        let (sender, receiver) = unbounded();
        notices.iter().for_each(|&notice| sender.send(notice).unwrap());
        (Fake { heard, notices: receiver, shared: None, over: false }, hearing)
    }

    #[test]
    fn lines_during_a_turn_are_served_before_the_next_turn() {
        let (session, hearing) = fake(&[2, 0]);
        let (queue, lines) = unbounded();
        let shared = Arc::new(SharedSession { session: Mutex::new(session), lines });
        shared.lock().shared = Some((Arc::clone(&shared), queue));
        shared.watch(&never());
        assert_eq!(hearing.try_iter().collect::<Vec<_>>(), ["notice 2", "line 0", "line 1", "notice 0"]);
    }

    #[test]
    fn the_reader_serves_its_own_lines() {
        let (mut session, hearing) = fake(&[]);
        let (sender, receiver) = unbounded();
        session.notices = receiver;
        let reading = std::thread::spawn(move || {
            let heard: Vec<String> = hearing.iter().take(3).collect();
            sender.send(0).unwrap();
            // `hearing` must outlive this thread, because the session goes on sending to it until it ends.
            (heard, hearing)
        });
        let mut ended = false;
        serve(session, &b"one\ntwo\n"[..], |_| ended = true).unwrap();
        assert_eq!(reading.join().unwrap().0, ["one", "two", "end"]);
        assert!(ended);
    }
}
