//! Cells that are processes: letters on their stdin and stdout, in lines that a pipe can carry.
//!
//! A letter is cut into lines; `+` begins one that goes on in the next, `=` the last. A line without either is a letter
//! by itself, as people type it. A cell that has nothing to say
//! writes `~` now and then, so that silence means that it is lost.

use crate::child::{self, ChildProcess, Launch, ProcessOutput};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use hasami_mate::{CellEvent, CellLinks, CellWorker, HostLink};
use std::collections::VecDeque;
use std::io::{Write, stdin, stdout};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a line, and of the longest letter.
const LINE: usize = 32 << 10;
const LONGEST: usize = 8 << 20;

/// Without a word a cell says that it is there.
const BEAT: Duration = Duration::from_millis(200);

/// A host looks so often who is silent.
const LOOK: Duration = Duration::from_millis(50);

/// A letter in lines.
fn lines_of(letter: &str) -> impl Iterator<Item = String> + '_ {
    let chunks = letter.as_bytes().chunks(LINE);
    let last = chunks.len().saturating_sub(1);
    chunks.enumerate().map(move |(index, chunk)| {
        let sign = if index == last { '=' } else { '+' };
        format!("{sign}{}", String::from_utf8_lossy(chunk))
    })
}

/// A letter out of lines.
#[derive(Default)]
struct Pieces(String);

impl Pieces {
    /// The letter that this line ends.
    fn add(&mut self, line: &str) -> Result<Option<String>, String> {
        let is_last = match line.as_bytes().first() {
            Some(b'=') => true,
            Some(b'+') => false,
            _ if line == "~" => return Ok(None),
            _ if self.0.is_empty() => return Ok(Some(line.to_owned())),
            _ => {
                self.0.clear();
                let shown: String = line.chars().take(60).collect();
                return Err(format!("expected another line of a letter, found '{shown}'"));
            }
        };
        if self.0.len() + line.len() > LONGEST {
            self.0.clear();
            return Err(format!("expected a letter of at most {LONGEST} bytes, found a longer one"));
        }
        self.0.push_str(&line[1..]);
        Ok(is_last.then(|| std::mem::take(&mut self.0)))
    }
}

/// Who has cells.
pub struct Employer {
    /// The longest silence.
    pub patience: Duration,
    pub game: &'static str,
    /// Hears once of each cell that is lost.
    pub tell: Box<dyn Fn(&str) + Send>,
}

/// Events on the thread of a child.
enum CellOutput {
    Line(String),
    Gone(String),
}

/// Cells as processes, of one host.
pub struct CellProcesses {
    hands: Vec<CellProcess>,
    inbox: Receiver<(usize, CellOutput)>,
    employer: Employer,
    /// Messages that have come and were not taken yet.
    ready: VecDeque<(usize, CellEvent)>,
}

struct CellProcess {
    child: Option<ChildProcess>,
    /// For messages.
    name: String,
    pieces: Pieces,
    heard: Arc<Mutex<Instant>>,
}

impl CellProcesses {
    /// A command line as words.
    pub fn split(text: &str) -> Result<Vec<String>, String> {
        Launch::parse(text).map(|launch| launch.words().to_vec()).map_err(|error| error.to_string())
    }

    /// Starts the processes.
    pub fn hire(commands: Vec<Vec<String>>, employer: Employer) -> Result<Self, String> {
        let (sender, inbox) = unbounded();
        let start = |(cell, words): (usize, Vec<String>)| {
            let launch = Launch::from_words(words).map_err(|error| error.to_string())?;
            let heard = Arc::new(Mutex::new(Instant::now()));
            let child = ChildProcess::spawn(&launch, listener(cell, sender.clone(), Arc::clone(&heard)));
            Ok(CellProcess { child: Some(child), name: launch.short_name(), pieces: Pieces::default(), heard })
        };
        let hands = commands.into_iter().enumerate().map(start).collect::<Result<Vec<_>, String>>()?;
        Ok(Self { hands, inbox, employer, ready: VecDeque::new() })
    }

    /// Says so once.
    fn lose(&mut self, cell: usize, why: String) {
        let Some(hand) = self.hands.get_mut(cell) else { return };
        let Some(child) = hand.child.take() else { return };
        child.kill();
        (self.employer.tell)(&format!("cell {} ({}) is lost: {why}", cell + 1, hand.name));
        self.ready.push_back((cell, CellEvent::Lost(why)));
    }

    fn hear(&mut self, cell: usize, heard: CellOutput) {
        let Some(hand) = self.hands.get_mut(cell).filter(|hand| hand.child.is_some()) else { return };
        match heard {
            CellOutput::Gone(why) => self.lose(cell, why),
            CellOutput::Line(line) => match hand.pieces.add(&line) {
                Ok(letter) => self.ready.extend(letter.map(|letter| (cell, CellEvent::Message(letter)))),
                Err(why) => self.lose(cell, why),
            },
        }
    }

    /// Who has been silent for too long.
    fn look(&mut self) {
        let patience = self.employer.patience;
        let is_silent = |hand: &CellProcess| {
            let heard = *hand.heard.lock().unwrap_or_else(PoisonError::into_inner);
            hand.child.is_some() && heard.elapsed() >= patience
        };
        let silent: Vec<usize> = (0..self.hands.len()).filter(|&cell| is_silent(&self.hands[cell])).collect();
        for cell in silent {
            self.lose(cell, format!("expected a word within {} s, found none", patience.as_secs_f64()));
        }
    }
}

fn listener(
    cell: usize,
    inbox: Sender<(usize, CellOutput)>,
    heard: Arc<Mutex<Instant>>,
) -> impl FnMut(ProcessOutput<'_>, &child::LineWriter) + Send + 'static {
    move |said, _| {
        *heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        let word = match said {
            ProcessOutput::Line("~") => return,
            ProcessOutput::Line(line) => CellOutput::Line(line.to_owned()),
            ProcessOutput::Absent(why) | ProcessOutput::Gone(why) => CellOutput::Gone(why),
        };
        // Nobody listens when the host is gone.
        let _ = inbox.send((cell, word));
    }
}

impl CellLinks for CellProcesses {
    fn cells(&self) -> usize {
        self.hands.len()
    }

    fn send(&mut self, cell: usize, letter: &str) {
        match self.hands.get(cell).and_then(|hand| hand.child.as_ref()) {
            Some(child) => lines_of(letter).for_each(|line| child.writer().write(line)),
            None => self.ready.push_back((cell, CellEvent::Lost("it was lost before".into()))),
        }
    }

    fn take(&mut self) -> Option<(usize, CellEvent)> {
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
        self.lose(cell, why.to_owned());
    }
}

/// Answers the letters on stdin until it ends. `cell` makes a cell for a game.
pub fn serve(cell: impl Fn(&str) -> Box<dyn CellWorker>) {
    let (sender, inbox) = unbounded();
    let reader = thread::Builder::new().name("letters".into()).spawn(move || {
        let mut pieces = Pieces::default();
        child::lines(stdin(), |line| {
            // What is no letter is told by the cell, which reads the line itself.
            let letter = pieces.add(line).unwrap_or_else(|_| Some(line.to_owned()));
            if let Some(letter) = letter {
                let _ = sender.send(letter);
            }
        });
    });
    if let (Ok(_), Ok(first)) = (reader, inbox.recv()) {
        let game = game_of(&first).unwrap_or_default().to_owned();
        let mut tube =
            CellPipe { inbox, first: Some(first), game, is_of_another: false, spoken: Instant::now(), is_over: false };
        while !tube.is_over {
            tube.is_of_another = false;
            cell(&tube.game.clone()).serve(&mut tube);
        }
    }
}

/// The game in a message that begins a problem: after that word, its version and the problem's number.
fn game_of(letter: &str) -> Option<&str> {
    letter.strip_prefix("begin ")?.split(' ').nth(2)
}

/// A cell's end of its pipes.
struct CellPipe {
    inbox: Receiver<String>,
    /// Has been read already.
    first: Option<String>,
    /// That its cell plays.
    game: String,
    /// The next message is for a cell of another game.
    is_of_another: bool,
    spoken: Instant,
    is_over: bool,
}

impl CellPipe {
    fn write(&mut self, line: &str) {
        self.spoken = Instant::now();
        let mut out = stdout().lock();
        // Without a reader there is no host any more.
        self.is_over |= writeln!(out, "{line}").and_then(|()| out.flush()).is_err();
    }
}

impl HostLink for CellPipe {
    fn take(&mut self) -> Option<String> {
        if self.is_of_another {
            return None;
        }
        let letter = self.first.take().or_else(|| self.inbox.try_recv().ok())?;
        let other = game_of(&letter).filter(|game| *game != self.game).map(str::to_owned);
        let Some(other) = other else { return Some(letter) };
        (self.game, self.first, self.is_of_another) = (other, Some(letter), true);
        None
    }

    fn wait(&mut self) -> bool {
        if self.is_of_another {
            return false;
        }
        match self.inbox.recv_timeout(BEAT) {
            Ok(letter) => self.first = Some(letter),
            Err(RecvTimeoutError::Timeout) => self.toil(),
            Err(RecvTimeoutError::Disconnected) => self.is_over = true,
        }
        !self.is_over
    }

    fn send(&mut self, letter: &str) {
        lines_of(letter).for_each(|line| self.write(&line));
    }

    fn toil(&mut self) {
        if self.spoken.elapsed() >= BEAT {
            self.write("~");
        }
    }
}
