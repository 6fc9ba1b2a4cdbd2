//! Runs a cell as a process. The host of the cell is at the other end of stdin and stdout.

use super::frames::{FrameReader, GREETING, frame};
use super::{HostTransport, RemoteHost};
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use hasami_mate::{CellOrder, CellReply, CellWorker, HostLink};
use std::io::{Write, stdin, stdout};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which a cell that has nothing to send reports that it is alive.
const BEAT: Duration = Duration::from_millis(200);

/// Largest number of orders that are read ahead.
const AHEAD: usize = 64;

/// Answers the orders on stdin until stdin ends. `cell` creates a cell for a game. The error says why the rest of stdin
/// cannot be read.
pub fn serve(cell: impl Fn(&str) -> Box<dyn CellWorker>) -> Result<(), String> {
    let (sender, inbox) = bounded(AHEAD);
    let reader = thread::Builder::new().name("orders".into()).spawn(move || {
        let mut frames = FrameReader::default();
        hasami_child::chunks(Box::new(stdin()), &mut |bytes| {
            let _ = match frames.read(bytes) {
                Ok(messages) => messages.into_iter().try_for_each(|message| sender.send(Ok(message))),
                Err(why) => sender.send(Err(why)),
            };
        });
    });
    reader.map_err(|error| format!("expected a new thread, found: {error}"))?;
    let mut pipe = CellPipe { inbox, first: None, spoken: Instant::now(), is_over: false, fault: None };
    pipe.write(GREETING);
    let mut next = None;
    while !pipe.is_over {
        let mut host = GameHost { host: RemoteHost(&mut pipe), game: String::new(), next: next.take() };
        if host.wait_for_game() {
            cell(&host.game).serve(&mut host);
            next = host.next.take();
        }
    }
    pipe.fault.map_or(Ok(()), Err)
}

/// The cell's end of its pipes.
struct CellPipe {
    inbox: Receiver<Result<Vec<u8>, String>>,
    /// A message that has already been read from stdin.
    first: Option<Vec<u8>>,
    spoken: Instant,
    is_over: bool,
    /// The reason why stdin cannot be read any further.
    fault: Option<String>,
}

impl CellPipe {
    fn write(&mut self, bytes: &[u8]) {
        self.spoken = Instant::now();
        let mut out = stdout().lock();
        // If writing to stdout fails, the host is gone.
        self.is_over |= out.write_all(bytes).and_then(|()| out.flush()).is_err();
    }

    fn note(&mut self, read: Result<Vec<u8>, String>) -> Option<Vec<u8>> {
        let why = match read {
            Ok(message) if message.is_empty() => return None,
            Ok(message) => return Some(message),
            Err(why) => why,
        };
        (self.is_over, self.fault) = (true, Some(why));
        None
    }
}

impl HostTransport for CellPipe {
    fn take(&mut self) -> Option<Vec<u8>> {
        let first = self.first.take();
        first.or_else(|| self.inbox.try_recv().ok().and_then(|read| self.note(read)))
    }

    fn wait(&mut self) -> bool {
        match self.inbox.recv_timeout(BEAT) {
            Ok(read) => self.first = self.note(read),
            Err(RecvTimeoutError::Timeout) => self.note_progress(),
            Err(RecvTimeoutError::Disconnected) => self.is_over = true,
        }
        !self.is_over
    }

    fn send(&mut self, message: &[u8]) {
        self.write(&frame(message));
    }

    fn note_progress(&mut self) {
        if self.spoken.elapsed() >= BEAT {
            self.write(&frame(&[]));
        }
    }
}

/// The host, restricted to problems of one game. A problem of another game ends the current cell.
struct GameHost<'a> {
    host: RemoteHost<'a, CellPipe>,
    game: String,
    /// The order that the next cell receives first.
    next: Option<CellOrder>,
}

impl GameHost<'_> {
    /// Waits for a problem, which names the game. Orders that arrive before it are rejected or ignored. Returns `false`
    /// if no more orders will arrive.
    fn wait_for_game(&mut self) -> bool {
        loop {
            match self.next.take().or_else(|| self.host.take()) {
                Some(CellOrder::Begin(problem)) => {
                    self.game.clone_from(&problem.game);
                    self.next = Some(CellOrder::Begin(problem));
                    return true;
                }
                Some(CellOrder::Search { task, .. }) => {
                    let why = format!("expected begin before search {task}, found none");
                    self.host.send(CellReply::Fault(why));
                }
                Some(CellOrder::Stop { .. } | CellOrder::Facts { .. } | CellOrder::Prove { .. } | CellOrder::End) => {}
                None if !self.host.wait() => return false,
                None => {}
            }
        }
    }

    fn is_of_another(order: &CellOrder, game: &str) -> bool {
        matches!(order, CellOrder::Begin(problem) if problem.game != game)
    }
}

impl HostLink for GameHost<'_> {
    fn take(&mut self) -> Option<CellOrder> {
        let order = self.next.take().or_else(|| self.host.take())?;
        if Self::is_of_another(&order, &self.game) {
            self.next = Some(order);
            return None;
        }
        Some(order)
    }

    fn wait(&mut self) -> bool {
        // An order in `next` is for the next cell.
        self.next.is_none() && self.host.wait()
    }

    fn send(&mut self, reply: CellReply) {
        self.host.send(reply);
    }

    fn note_progress(&mut self) {
        self.host.note_progress();
    }
}
