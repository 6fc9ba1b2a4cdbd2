//! Runs cells as child processes, with which the host exchanges frames on stdin and stdout. A cell that has nothing to
//! report sends an empty message at regular intervals, so a silent cell is considered lost.

use super::frames::{FrameReader, GREETING, frame};
use super::{CellInput, CellTransport};
use crossbeam_channel::{Receiver, Sender, bounded};
use hasami_child::{ChildProcess, Launch, ProcessOutput, StdinWriter};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which a host checks for silent cells.
const LOOK: Duration = Duration::from_millis(50);

/// Largest number of messages that are read ahead, for all cells together. Further messages wait in the pipes.
const AHEAD: usize = 64;

/// The cell processes of one host.
pub struct CellProcesses {
    processes: Vec<CellProcess>,
    inbox: Receiver<(usize, CellInput)>,
    /// The longest time that a cell may be silent.
    patience: Duration,
    /// Called once for each cell that is lost, with a message for the user.
    tell: Box<dyn Fn(&str) + Send>,
    /// Messages that have been received but not taken yet.
    ready: VecDeque<(usize, CellInput)>,
}

struct CellProcess {
    child: Option<ChildProcess>,
    /// The name of the cell in messages to the user.
    name: String,
    heard: Arc<Mutex<Instant>>,
}

impl CellProcesses {
    /// Splits a command line into words.
    pub fn split(text: &str) -> Result<Vec<String>, String> {
        Launch::parse(text).map(|launch| launch.words().to_vec()).map_err(|error| error.to_string())
    }

    /// Starts the processes. A cell that has been silent for longer than `patience` is lost. `tell` is called once for
    /// each lost cell.
    pub fn start(
        commands: Vec<Vec<String>>,
        patience: Duration,
        tell: Box<dyn Fn(&str) + Send>,
    ) -> Result<Self, String> {
        let (sender, inbox) = bounded(AHEAD);
        let start = |(cell, words): (usize, Vec<String>)| {
            let launch = Launch::from_words(words).map_err(|error| error.to_string())?;
            let heard = Arc::new(Mutex::new(Instant::now()));
            let child = ChildProcess::spawn_bytes(&launch, listener(cell, sender.clone(), Arc::clone(&heard)));
            child.writer().write_bytes(GREETING.to_vec());
            Ok(CellProcess { child: Some(child), name: launch.short_name(), heard })
        };
        let processes = commands.into_iter().enumerate().map(start).collect::<Result<Vec<_>, String>>()?;
        Ok(Self { processes, inbox, patience, tell, ready: VecDeque::new() })
    }

    /// Ends a cell, and reports to the user that the cell is `what`, for the reason `why`.
    fn end(&mut self, cell: usize, what: &'static str, why: String) {
        let Some(process) = self.processes.get_mut(cell) else { return };
        let Some(child) = process.child.take() else { return };
        child.kill();
        (self.tell)(&format!("cell {} ({}) is {what}: {why}", cell + 1, process.name));
        self.ready.push_back((cell, CellInput::Lost(why)));
    }

    fn lose(&mut self, cell: usize, why: String) {
        self.end(cell, "lost", why);
    }

    fn hear(&mut self, cell: usize, heard: CellInput) {
        if self.processes.get(cell).is_none_or(|process| process.child.is_none()) {
            return;
        }
        match heard {
            CellInput::Lost(why) => self.lose(cell, why),
            message => self.ready.push_back((cell, message)),
        }
    }

    /// Drops the cells that have been silent for too long.
    fn look(&mut self) {
        let patience = self.patience;
        let is_silent = |process: &CellProcess| {
            let heard = *process.heard.lock().unwrap_or_else(PoisonError::into_inner);
            process.child.is_some() && heard.elapsed() >= patience
        };
        let silent: Vec<usize> = (0..self.processes.len()).filter(|&cell| is_silent(&self.processes[cell])).collect();
        for cell in silent {
            self.lose(cell, format!("expected a word within {} s, found none", patience.as_secs_f64()));
        }
    }
}

fn listener(
    cell: usize,
    inbox: Sender<(usize, CellInput)>,
    heard: Arc<Mutex<Instant>>,
) -> impl FnMut(ProcessOutput<'_, [u8]>, &StdinWriter) + Send + 'static {
    let mut frames = FrameReader::default();
    move |said, _| {
        *heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        let read = match said {
            ProcessOutput::Said(bytes) => frames.read(bytes),
            ProcessOutput::Absent(why) | ProcessOutput::Gone(why) => Err(why),
        };
        // Once the host is gone, there is no receiver.
        let _ = match read {
            Err(why) => inbox.send((cell, CellInput::Lost(why))),
            Ok(messages) => {
                let messages = messages.into_iter().filter(|message| !message.is_empty());
                messages.map(CellInput::Message).try_for_each(|message| inbox.send((cell, message)))
            }
        };
    }
}

impl CellTransport for CellProcesses {
    fn cells(&self) -> usize {
        self.processes.len()
    }

    fn send(&mut self, cell: usize, message: &[u8]) {
        match self.processes.get(cell).and_then(|process| process.child.as_ref()) {
            Some(child) => child.writer().write_bytes(frame(message)),
            None => self.ready.push_back((cell, CellInput::Lost("it was lost before".into()))),
        }
    }

    fn take(&mut self) -> Option<(usize, CellInput)> {
        while self.ready.is_empty() {
            let (cell, heard) = self.inbox.try_recv().ok()?;
            self.hear(cell, heard);
        }
        self.ready.pop_front()
    }

    fn wait(&mut self) {
        if let Ok((cell, heard)) = self.inbox.recv_timeout(LOOK) {
            self.hear(cell, heard);
        }
        self.look();
    }

    fn dismiss(&mut self, cell: usize, why: &str) {
        self.end(cell, "set aside", why.into());
    }

    fn lasting_number(&self, cell: usize) -> Option<u32> {
        let process = self.processes.get(cell)?;
        process.child.as_ref().and(u32::try_from(cell).ok())
    }

    fn warn(&mut self, cell: usize, why: &str) {
        if let Some(process) = self.processes.get(cell) {
            (self.tell)(&format!("cell {} ({}): {why}", cell + 1, process.name));
        }
    }
}
