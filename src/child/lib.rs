//! Child processes that talk in lines, or in bytes of a form that others know: spawned in a group of their own, read as they
//! speak, ended with their master.
//!
//! Each child has a supervising thread, which spawns it, reads its stdout and collects it. The thread lives exactly as
//! long as the process, because Linux delivers the parent-death signal when the spawning *thread* ends. A second thread
//! writes what the pipe does not take at once, so that a child which does not read never blocks us; a third drains
//! stderr.
//!
//! - [`Launch`]: a command line and a folder; [`ChildProcess`]: the process that it becomes
//! - [`ProcessOutput`]: what it says and how it ends; [`StdinWriter`]: what is said to it
//! - [`ProcessControl`]: signals, processors, and the end
//!
//! ```
//! let launch = hasami_child::Launch::parse("ssh host '/opt/my engine' --flag").expect("a command line");
//! assert_eq!(launch.to_string(), "ssh host \"/opt/my engine\" --flag");
//! ```
//!
//! It knows no protocol: engines of the tree, opponents of matches and the cells of a mate search are its children alike.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod affinity;
mod control;
mod launch;
mod platform;
mod read;
#[cfg(unix)]
mod reaper;

#[cfg(all(test, unix))]
mod tests;

pub use affinity::processors;
pub use control::ProcessControl;
pub use launch::{Launch, LaunchError};
pub use read::chunks;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use hasami_words::heard;
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::io::{self, Write};
use std::process::{ChildStdin, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// What is heard of a child: lines (`str`), or bytes.
#[derive(PartialEq, Eq, Debug)]
pub enum ProcessOutput<'a, T: ?Sized = str> {
    /// One line of stdout, without its end, bytes that are not UTF-8 being replaced; or bytes, as many as have come.
    Said(&'a T),
    /// It cannot be started, now or later: why. The last word.
    Absent(String),
    /// It could not be started this time, or has ended: why. The last word.
    Gone(String),
}

/// A child that closed its stdout gets so long to end by itself.
const GRACE_AFTER_EOF: Duration = Duration::from_millis(250);

/// A child whose handle was dropped gets so long to end by itself.
const GRACE_AFTER_DROP: Duration = Duration::from_secs(2);

/// A killed process is gone within milliseconds, unless the system is in trouble.
const GRACE_AFTER_KILL: Duration = Duration::from_millis(300);

/// Reading and writing needs little.
const STACK: usize = 256 << 10;

/// Writes to a child, without ever blocking. Clones write to the same child; all are mute once it is closed.
#[derive(Clone)]
pub struct StdinWriter {
    commands: Sender<StdinCommand>,
    pipe: Arc<StdinPipe>,
}

/// The child's stdin. What it takes at once is written by whoever has it to say; the rest waits for a thread that may
/// block.
#[derive(Default)]
struct StdinPipe {
    stdin: Mutex<Option<ChildStdin>>,
    /// Writings that wait; they come first.
    waiting: AtomicUsize,
}

impl StdinPipe {
    fn stdin(&self) -> MutexGuard<'_, Option<ChildStdin>> {
        self.stdin.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes if that cannot block and nothing waits before it.
    fn write_now(&self, bytes: &[u8]) -> bool {
        // Held by the thread that writes, perhaps for long.
        let Ok(mut stdin) = self.stdin.try_lock() else { return false };
        if self.waiting.load(Ordering::Acquire) > 0 {
            return false;
        }
        match stdin.as_mut() {
            // A child that is gone hears nothing.
            Some(pipe) if platform::has_room(pipe, bytes.len()) => _ = pipe.write_all(bytes),
            _ => return false,
        }
        true
    }
}

enum StdinCommand {
    Bytes(Vec<u8>),
    Close,
}

impl StdinWriter {
    /// Sends one line (or several) without the last line end. A child that is gone hears nothing.
    pub fn write(&self, line: impl Into<String>) {
        let mut line = line.into();
        line.push('\n');
        self.write_bytes(line.into_bytes());
    }

    /// Sends bytes as they are.
    pub fn write_bytes(&self, bytes: Vec<u8>) {
        if !self.pipe.write_now(&bytes) {
            self.queue(StdinCommand::Bytes(bytes));
        }
    }

    /// Closes the child's stdin after what was written.
    pub fn close(&self) {
        self.queue(StdinCommand::Close);
    }

    fn queue(&self, command: StdinCommand) {
        self.pipe.waiting.fetch_add(1, Ordering::AcqRel);
        let _ = self.commands.send(command);
    }
}

/// A running child. Dropping it closes its stdin and kills it some time later if it still runs.
pub struct ChildProcess {
    writer: StdinWriter,
    state: Arc<ChildState>,
    gone: Receiver<()>,
}

#[derive(Default)]
struct ChildState {
    process: Mutex<Process>,
    /// The last line on stderr: often the reason why it ended.
    complaint: Mutex<String>,
}

#[derive(Default)]
struct Process {
    running: Option<Box<dyn ChildWrapper>>,
    bond: Option<platform::Bond>,
    killed: bool,
}

impl ChildState {
    fn process(&self) -> MutexGuard<'_, Process> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A group is killed only while its leader is not yet collected, so its number cannot have been given away.
    fn kill(&self) {
        let mut process = self.process();
        process.killed = true;
        if let Some(running) = &mut process.running
            && let Err(error) = running.start_kill()
        {
            log::debug!("process {}: expected to be able to kill it, found: {error}", running.id());
        }
    }
}

impl ChildProcess {
    /// Starts a child and returns at once. `on` is called on the child's own thread with everything that is heard; it
    /// may answer with the writer.
    pub fn spawn(launch: &Launch, on: impl FnMut(ProcessOutput<'_>, &StdinWriter) + Send + 'static) -> Self {
        Self::spawn_with(launch, None, read::lines, on)
    }

    /// The same for a child that does not talk in lines: it is heard as it comes.
    pub fn spawn_bytes(
        launch: &Launch,
        on: impl FnMut(ProcessOutput<'_, [u8]>, &StdinWriter) + Send + 'static,
    ) -> Self {
        Self::spawn_with(launch, None, read::chunks, on)
    }

    /// The same for a child that is to be held now and then.
    pub fn spawn_controlled(
        launch: &Launch,
        control: &ProcessControl,
        on: impl FnMut(ProcessOutput<'_>, &StdinWriter) + Send + 'static,
    ) -> Self {
        Self::spawn_with(launch, Some(control.clone()), read::lines, on)
    }

    fn spawn_with<T: ?Sized + 'static>(
        launch: &Launch,
        control: Option<ProcessControl>,
        read: ReadStdout<T>,
        on: impl FnMut(ProcessOutput<'_, T>, &StdinWriter) + Send + 'static,
    ) -> Self {
        let (sender, commands) = unbounded();
        let (writer, state) = (StdinWriter { commands: sender, pipe: Arc::default() }, Arc::new(ChildState::default()));
        let (alive, gone) = bounded::<()>(0);
        let (launch, mut on) = (launch.clone(), on);
        let supervisor = Supervisor { writer: writer.clone(), state: Arc::clone(&state), control };
        let started = Builder::new().name("child".to_owned()).stack_size(STACK).spawn(move || {
            supervisor.run(&launch, commands, (read, &mut on));
            drop(alive);
        });
        if let Err(error) = started {
            // `on` went with the closure that never ran: a watcher sees `gone`, and the log has the reason.
            log::error!("expected a thread for a child, found: {error}");
        }
        Self { writer, state, gone }
    }

    pub fn writer(&self) -> &StdinWriter {
        &self.writer
    }

    /// Ends the child and its group by force. Returns at once; [`ProcessOutput::Gone`] follows.
    pub fn kill(&self) {
        self.state.kill();
    }

    /// The process is collected.
    pub fn has_ended(&self) -> bool {
        self.is_gone_by(Instant::now())
    }

    /// Waits until the process is collected. Past `deadline` it is killed.
    pub fn wait_gone(&self, deadline: Instant) {
        if self.is_gone_by(deadline) {
            return;
        }
        self.kill();
        if !self.is_gone_by(Instant::now() + GRACE_AFTER_KILL) {
            log::warn!("a killed child process has not ended yet");
        }
    }

    /// Nobody ever sends: the channel closes when the supervisor ends.
    fn is_gone_by(&self, deadline: Instant) -> bool {
        matches!(self.gone.recv_deadline(deadline), Err(crossbeam_channel::RecvTimeoutError::Disconnected))
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.writer.close();
        if self.is_gone_by(Instant::now()) {
            return;
        }
        let (state, gone) = (Arc::clone(&self.state), self.gone.clone());
        let reaper = Builder::new().name("reaper".to_owned()).stack_size(STACK).spawn(move || {
            if gone.recv_timeout(GRACE_AFTER_DROP) == Err(crossbeam_channel::RecvTimeoutError::Timeout) {
                state.kill();
            }
        });
        if reaper.is_err() {
            self.state.kill();
        }
    }
}

/// Reads a stream to its end, and calls with what it hears.
type ReadStdout<T> = fn(Box<dyn io::Read>, &mut dyn FnMut(&T));

/// How a child is read, and who hears it.
type Listener<'a, T> = (ReadStdout<T>, &'a mut dyn FnMut(ProcessOutput<'_, T>, &StdinWriter));

/// The thread that owns a child.
struct Supervisor {
    writer: StdinWriter,
    state: Arc<ChildState>,
    control: Option<ProcessControl>,
}

impl Supervisor {
    fn run<T: ?Sized>(&self, launch: &Launch, commands: Receiver<StdinCommand>, (read, on): Listener<'_, T>) {
        let last = match self.talk(launch, commands, (read, on)) {
            Ok(()) => ProcessOutput::Gone(self.collect()),
            Err(error) => {
                self.state.kill();
                self.collect();
                let why = launch.fault(&error);
                if platform::is_hopeless(&error) { ProcessOutput::Absent(why) } else { ProcessOutput::Gone(why) }
            }
        };
        on(last, &self.writer);
    }

    /// From the start to the end of the child's stdout.
    fn talk<T: ?Sized>(
        &self,
        launch: &Launch,
        commands: Receiver<StdinCommand>,
        (read, on): Listener<'_, T>,
    ) -> io::Result<()> {
        let (mut child, bond) = spawn(launch, self.control.is_some())?;
        let (stdin, stdout, stderr) = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        log::debug!("process {}: {}", child.id(), launch.program());
        self.adopt(child, bond);
        if let Some(stdin) = stdin {
            *self.writer.pipe.stdin() = Some(stdin);
            let pipe = Arc::clone(&self.writer.pipe);
            Builder::new().name("child stdin".to_owned()).stack_size(STACK).spawn(move || write(&pipe, &commands))?;
        }
        if let Some(stderr) = stderr {
            let (state, program) = (Arc::clone(&self.state), launch.program().to_owned());
            Builder::new().name("child stderr".to_owned()).stack_size(STACK).spawn(move || {
                read::lines(Box::new(stderr), &mut |line| complain(&state, &program, line));
            })?;
        }
        if let Some(stdout) = stdout {
            let stdout: Box<dyn io::Read> = match &self.control {
                Some(control) => Box::new(control.tap(stdout)),
                None => Box::new(stdout),
            };
            read(stdout, &mut |said| on(ProcessOutput::Said(said), &self.writer));
        }
        Ok(())
    }

    /// A kill that came before the process was there is done now.
    fn adopt(&self, child: Box<dyn ChildWrapper>, bond: platform::Bond) {
        let mut process = self.state.process();
        (process.running, process.bond) = (Some(child), Some(bond));
        let killed = process.killed;
        drop(process);
        self.control.iter().for_each(|control| control.attach(&self.state));
        if killed {
            self.state.kill();
        }
    }

    /// Nothing more can be heard: ends the whole group, and says how the child ended.
    fn collect(&self) -> String {
        self.writer.close();
        let deadline = Instant::now() + GRACE_AFTER_EOF;
        let mut pause = Duration::from_millis(1);
        while Instant::now() < deadline && !self.has_exited() {
            std::thread::sleep(pause);
            pause *= 2;
        }
        let by_us = self.state.process().killed;
        self.state.kill();
        // The bond outlives the wait: until the child is collected, its number is its own.
        let (running, _bond) = {
            let mut process = self.state.process();
            (process.running.take(), process.bond.take())
        };
        let status = running.map(|mut child| child.wait());
        self.describe(by_us, status)
    }

    fn has_exited(&self) -> bool {
        self.state.process().running.as_mut().is_none_or(|child| platform::has_exited(child.as_mut()))
    }

    fn describe(&self, by_us: bool, status: Option<io::Result<ExitStatus>>) -> String {
        let why = match status {
            _ if by_us => "killed".to_owned(),
            Some(Ok(status)) => format!("ended with {status}"),
            _ => "ended".to_owned(),
        };
        let complaint = self.state.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        if complaint.is_empty() { why } else { format!("{why}, its last words: {complaint}") }
    }
}

/// In control it gives way at once to whoever holds them.
fn spawn(launch: &Launch, in_reins: bool) -> io::Result<(Box<dyn ChildWrapper>, platform::Bond)> {
    let mut command = launch.command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut command = CommandWrap::from(command);
    let bond = platform::bind_to_master(&mut command);
    if in_reins {
        control::give_way(command.command_mut());
    }
    let child = command.spawn()?;
    bond.holds(child.id());
    Ok((child, bond))
}

/// Writes what waits, as much at once as has come, until told to close or the pipe breaks.
fn write(pipe: &StdinPipe, commands: &Receiver<StdinCommand>) {
    let mut text = Vec::new();
    while let Ok(first) = commands.recv() {
        let (mut closing, mut count) = (false, 0);
        for next in std::iter::once(first).chain(commands.try_iter()) {
            count += 1;
            match next {
                StdinCommand::Bytes(bytes) => text.extend(bytes),
                StdinCommand::Close => closing = true,
            }
        }
        let mut stdin = pipe.stdin();
        let broken = stdin.as_mut().is_none_or(|pipe| pipe.write_all(&text).is_err());
        if broken || closing {
            *stdin = None;
            return;
        }
        pipe.waiting.fetch_sub(count, Ordering::AcqRel);
        text.clear();
    }
}

fn complain(state: &ChildState, program: &str, line: &str) {
    log::debug!("{program}: {line}");
    let line = line.trim();
    if !line.is_empty() {
        let mut complaint = state.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        complaint.clear();
        complaint.push_str(&heard(line));
    }
}
