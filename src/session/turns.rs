//! Two threads serve one session in turns: the one that reads the input, and the one that waits for workers and alarms.
//!
//! The reader itself does what a line asks for, so that no other thread has to be woken between `stop` and `bestmove`:
//! on busy processors such a wake-up may take a slice of the scheduler, some 4 ms. It does not wait for the other
//! thread either: lines that come while the session is taken are served by whoever holds it, before anything else.

use super::lines;
use super::platform::be_prompt;
use crossbeam_channel::{Receiver, Sender, bounded, never, select, unbounded};
use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::Builder;
use std::time::Instant;

/// Tasks that are served.
pub trait Served: Send + 'static {
    /// Events besides lines.
    type Notice: Send + 'static;

    /// A line of the input; `None`: it has ended.
    fn line(&mut self, line: Option<&str>);
    fn notice(&mut self, notice: Self::Notice);
    /// The time of [`Outlook::due`] has come.
    fn alarm(&mut self);
    /// `None`: the session is over.
    fn outlook(&self) -> Option<Outlook<Self::Notice>>;
}

/// Events that a session waits for besides lines.
pub struct Outlook<N> {
    pub notices: Receiver<N>,
    pub due: Option<Instant>,
}

/// Serves until the session is over, and lends it for a last word.
pub fn serve<S: Served>(session: S, input: impl Read + Send + 'static, end: impl FnOnce(&mut S)) -> io::Result<()> {
    let (queue, lines) = unbounded();
    let (wake, wakes) = bounded(1);
    // Children end with the thread that started them, and that may be the reader: it stays until the session is over.
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

/// The session and the lines that nobody has served yet.
struct SharedSession<S> {
    session: Mutex<S>,
    lines: Receiver<Option<String>>,
}

impl<S: Served> SharedSession<S> {
    fn lock(&self) -> MutexGuard<'_, S> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turns of the thread that waits. A wake-up means that there is something else to wait for.
    fn watch(&self, wakes: &Receiver<()>) {
        loop {
            let Some(Outlook { notices, due }) = self.lock().outlook() else { return };
            let alarm = due.map_or_else(never, crossbeam_channel::at);
            select! {
                recv(notices) -> notice => if let Ok(notice) = notice { self.turn(|session| session.notice(notice)) },
                recv(alarm) -> _ => self.turn(S::alarm),
                // A line may have come while this thread held the session to look where to wait.
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

    /// Serves the lines that wait, unless somebody holds the session: that thread looks here once it is done.
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

/// The end of the thread that reads.
struct LineReader<S> {
    shared: Arc<SharedSession<S>>,
    queue: Sender<Option<String>>,
    wake: Sender<()>,
}

impl<S: Served> LineReader<S> {
    fn hand_over(&self, line: Option<String>) {
        // The shared holds the other end, and this reader the shared.
        let _ = self.queue.send(line);
        self.shared.try_lines();
        // One that is on its way is enough.
        let _ = self.wake.try_send(());
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    type Line = Option<String>;

    /// Notes who was served; a notice of 0 ends it, any other brings so many lines while the session is taken.
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
    fn lines_that_come_during_a_turn_are_served_after_it_and_before_the_next() {
        let (session, hearing) = fake(&[2, 0]);
        let (queue, lines) = unbounded();
        let shared = Arc::new(SharedSession { session: Mutex::new(session), lines });
        shared.lock().shared = Some((Arc::clone(&shared), queue));
        shared.watch(&never());
        assert_eq!(hearing.try_iter().collect::<Vec<_>>(), ["notice 2", "line 0", "line 1", "notice 0"]);
    }

    #[test]
    fn the_reader_serves_its_lines_itself() {
        let (mut session, hearing) = fake(&[]);
        let (sender, receiver) = unbounded();
        session.notices = receiver;
        let reading = std::thread::spawn(move || {
            let heard: Vec<String> = hearing.iter().take(3).collect();
            sender.send(0).unwrap();
            // The session speaks until its end.
            (heard, hearing)
        });
        let mut ended = false;
        serve(session, &b"one\ntwo\n"[..], |_| ended = true).unwrap();
        assert_eq!(reading.join().unwrap().0, ["one", "two", "end"]);
        assert!(ended);
    }
}
