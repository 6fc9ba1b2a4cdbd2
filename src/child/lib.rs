//! Runs child processes that communicate by lines of text or by bytes. Each child leads its own process group, and is
//! ended when this process ends. The output of a child is read as it arrives.
//!
//! Each child has a supervising thread, which spawns it, reads its stdout and reaps it. The supervising thread lives
//! exactly as long as the child, because Linux delivers the parent-death signal when the spawning *thread* ends. A
//! second thread writes input that does not fit into the pipe at once, so that a child that reads nothing never blocks
//! this process. A third thread reads the child's stderr.
//!
//! - [`Launch`]: a command line and a folder; [`ChildProcess`]: the process started from them
//! - [`ProcessOutput`]: the output and the end of a process; [`StdinWriter`]: its input
//! - [`ProcessControl`]: stops and resumes a process, and reads its CPU clock
//!
//! ```
//! let launch = hasami_child::Launch::parse("ssh host '/opt/my engine' --flag").expect("a command line");
//! assert_eq!(launch.to_string(), "ssh host \"/opt/my engine\" --flag");
//! ```
//!
//! The child processes are engines that search the master tree, opponents in matches and cells of mate searches.

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

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use hasami_words::heard;
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::io::{self, Write};
use std::process::{ChildStdin, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// A line that a child printed, or the news that the child has ended.
#[derive(PartialEq, Eq, Debug)]
pub enum ProcessOutput<'a> {
    /// One line of stdout, without its newline and with invalid UTF-8 replaced.
    Said(&'a str),
    /// The child can never be started, for the given reason; no output follows.
    Absent(String),
    /// The child has ended, or this attempt to start it has failed, for the given reason; no more output follows.
    Gone(String),
}

/// Time that a child is given to end by itself after it has closed its stdout.
const GRACE_AFTER_EOF: Duration = Duration::from_millis(250);

/// Time that a child is given to end by itself after its handle was dropped.
const GRACE_AFTER_DROP: Duration = Duration::from_secs(2);

/// Time to wait for a killed process to end, which takes only milliseconds unless the system is overloaded.
const GRACE_AFTER_KILL: Duration = Duration::from_millis(300);

/// Stack size of the threads that serve a child, which only read and write.
const STACK: usize = 256 << 10;

/// Writes to a child without ever blocking. Clones write to the same child. Input that arrives after the writer was
/// closed is discarded.
#[derive(Clone)]
pub struct StdinWriter {
    commands: Sender<StdinCommand>,
    pipe: Arc<StdinPipe>,
}

/// The child's stdin. The calling thread writes what the pipe accepts at once; another thread, which may block, writes
/// the rest.
#[derive(Default)]
struct StdinPipe {
    stdin: Mutex<Option<ChildStdin>>,
    /// Number of queued writes, which take precedence over immediate writes.
    waiting: AtomicUsize,
}

impl StdinPipe {
    fn stdin(&self) -> MutexGuard<'_, Option<ChildStdin>> {
        self.stdin.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes immediately if the write cannot block and no other write is queued. Returns false if nothing was written.
    fn write_now(&self, bytes: &[u8]) -> bool {
        // The writing thread may hold the lock for a long time.
        let Ok(mut stdin) = self.stdin.try_lock() else { return false };
        if self.waiting.load(Ordering::Acquire) > 0 {
            return false;
        }
        match stdin.as_mut() {
            // A write error is ignored, because it means that the child has ended.
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
    /// Sends one or more lines, and adds the final newline. Nothing is sent if the child has ended.
    pub fn write(&self, line: impl Into<String>) {
        let mut line = line.into();
        line.push('\n');
        let bytes = line.into_bytes();
        if !self.pipe.write_now(&bytes) {
            self.queue(StdinCommand::Bytes(bytes));
        }
    }

    /// Closes the child's stdin after all queued input has been written.
    pub fn close(&self) {
        self.queue(StdinCommand::Close);
    }

    fn queue(&self, command: StdinCommand) {
        self.pipe.waiting.fetch_add(1, Ordering::AcqRel);
        let _ = self.commands.send(command);
    }
}

/// A running child. Dropping the handle closes the child's stdin, and kills the child if it does not end within
/// [`GRACE_AFTER_DROP`].
pub struct ChildProcess {
    writer: StdinWriter,
    state: Arc<ChildState>,
    gone: Receiver<()>,
}

#[derive(Default)]
struct ChildState {
    process: Mutex<Process>,
    /// The last line that the child printed on stderr, which often says why the child ended.
    complaint: Mutex<String>,
}

#[derive(Default)]
struct Process {
    running: Option<Box<dyn ChildWrapper>>,
    registration: Option<platform::GroupRegistration>,
    killed: bool,
}

impl ChildState {
    fn process(&self) -> MutexGuard<'_, Process> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `act` with the child's process ID. The child is not reaped during the call, so its ID cannot be reused.
    fn with_leader<T>(&self, act: impl FnOnce(u32) -> io::Result<T>) -> io::Result<T> {
        let process = self.process();
        act(process.running.as_ref().ok_or_else(absent)?.id())
    }

    /// Kills the process group. The group's leader has not been reaped yet, so the group's number cannot have been
    /// reused.
    fn kill(&self) {
        let mut process = self.process();
        process.killed = true;
        if let Some(running) = &mut process.running
            && let Err(error) = running.start_kill()
        {
            log::debug!("process {}: cannot be killed: {error}", running.id());
        }
    }
}

/// The error for a process that has not started or has ended.
fn absent() -> io::Error {
    io::Error::other("the process is not running")
}

impl ChildProcess {
    /// Starts a child and returns at once. `on` is called on the child's own thread with all output of the child, and
    /// may use the writer to answer.
    pub fn spawn(launch: &Launch, on: impl FnMut(ProcessOutput<'_>, &StdinWriter) + Send + 'static) -> Self {
        Self::spawn_controlled(launch, None, on)
    }

    /// Like [`Self::spawn`], but for a child that `control` may stop and resume.
    pub fn spawn_controlled(
        launch: &Launch,
        control: Option<ProcessControl>,
        mut on: impl FnMut(ProcessOutput<'_>, &StdinWriter) + Send + 'static,
    ) -> Self {
        let (sender, commands) = unbounded();
        let (writer, state) = (StdinWriter { commands: sender, pipe: Arc::default() }, Arc::new(ChildState::default()));
        let (alive, gone) = bounded::<()>(0);
        let launch = launch.clone();
        let supervisor = Supervisor { writer: writer.clone(), state: Arc::clone(&state), control };
        let started = Builder::new().name("child".to_owned()).stack_size(STACK).spawn(move || {
            supervisor.run(&launch, commands, &mut on);
            drop(alive);
        });
        if let Err(error) = started {
            // `on` was dropped with the closure and cannot be called, so the error is only logged.
            log::error!("cannot start a thread for a child: {error}");
        }
        Self { writer, state, gone }
    }

    pub fn writer(&self) -> &StdinWriter {
        &self.writer
    }

    /// Kills the child and its process group without waiting for them to end. [`ProcessOutput::Gone`] follows.
    pub fn kill(&self) {
        self.state.kill();
    }

    /// Returns true if the process has been reaped.
    pub fn has_ended(&self) -> bool {
        self.is_gone_by(Instant::now())
    }

    /// Waits until the process has been reaped, and kills it if it still runs at `deadline`.
    pub fn wait_gone(&self, deadline: Instant) {
        if self.is_gone_by(deadline) {
            return;
        }
        self.kill();
        if !self.is_gone_by(Instant::now() + GRACE_AFTER_KILL) {
            log::warn!("a killed child process has not ended yet");
        }
    }

    /// Waits for the supervisor to end, which closes the channel `gone`. Nothing is ever sent through `gone`.
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

/// The function that receives a child's output.
type Listener<'a> = &'a mut dyn FnMut(ProcessOutput<'_>, &StdinWriter);

/// The thread that owns a child.
struct Supervisor {
    writer: StdinWriter,
    state: Arc<ChildState>,
    control: Option<ProcessControl>,
}

impl Supervisor {
    fn run(&self, launch: &Launch, commands: Receiver<StdinCommand>, on: Listener<'_>) {
        let last = match self.talk(launch, commands, on) {
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

    /// Starts the child and reads its stdout to the end.
    fn talk(&self, launch: &Launch, commands: Receiver<StdinCommand>, on: Listener<'_>) -> io::Result<()> {
        let (mut child, registration) = spawn(launch, self.control.is_some())?;
        let (stdin, stdout, stderr) = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        log::debug!("process {}: {}", child.id(), launch.program());
        self.adopt(child, registration);
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
            read::lines(stdout, &mut |line| on(ProcessOutput::Said(line), &self.writer));
        }
        Ok(())
    }

    /// Stores the started process, and kills it if [`ChildProcess::kill`] was called before the process existed.
    fn adopt(&self, child: Box<dyn ChildWrapper>, registration: platform::GroupRegistration) {
        let mut process = self.state.process();
        (process.running, process.registration) = (Some(child), Some(registration));
        let killed = process.killed;
        drop(process);
        self.control.iter().for_each(|control| control.attach(&self.state));
        if killed {
            self.state.kill();
        }
    }

    /// Ends the child's whole process group after the child's stdout has ended, and describes how the child ended.
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
        // The registration is kept until the child is reaped, because the child's process ID cannot be reused before
        // then.
        let (running, _registration) = {
            let mut process = self.state.process();
            (process.running.take(), process.registration.take())
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

/// Starts a process. A controlled process (`in_reins`) gives way to the thread that controls it.
fn spawn(launch: &Launch, in_reins: bool) -> io::Result<(Box<dyn ChildWrapper>, platform::GroupRegistration)> {
    let mut command = launch.command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut command = CommandWrap::from(command);
    let registration = platform::bind_to_master(&mut command);
    if in_reins {
        control::give_way(command.command_mut());
    }
    let child = command.spawn()?;
    registration.holds(child.id());
    Ok((child, registration))
}

/// Writes queued input, batched as it arrives, until the writer is closed or the pipe breaks.
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
