//! Child processes that talk in lines: spawned in a group of their own, read line by line, ended with their master.
//!
//! Each child has a supervising thread, which spawns it, reads its stdout and collects it. The thread lives exactly as
//! long as the process, because Linux delivers the parent-death signal when the spawning *thread* ends. A second thread
//! writes what the pipe does not take at once, so that a child which does not read never blocks us; a third drains
//! stderr.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[cfg(unix)]
mod guard;
mod launch;
mod platform;
mod read;
mod reins;

#[cfg(all(test, unix))]
mod tests;

pub use launch::{Launch, LaunchError};
pub use read::lines;
pub use reins::Reins;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::io::{self, Write};
use std::process::{ChildStdin, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// What is heard of a child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said<'a> {
    /// One line of stdout, without its end; bytes that are not UTF-8 are replaced.
    Line(&'a str),
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

/// Reading and writing lines needs little.
const STACK: usize = 256 << 10;

/// Writes to a child, without ever blocking. Clones write to the same child; all are mute once it is closed.
#[derive(Clone)]
pub struct Pen {
    ink: Sender<Ink>,
    hand: Arc<Hand>,
}

/// The child's stdin. What it takes at once is written by whoever has it to say; the rest waits for a thread that may
/// block.
#[derive(Default)]
struct Hand {
    stdin: Mutex<Option<ChildStdin>>,
    /// Lines that wait; they come first.
    waiting: AtomicUsize,
}

impl Hand {
    fn stdin(&self) -> MutexGuard<'_, Option<ChildStdin>> {
        self.stdin.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line if that cannot block and nothing waits before it.
    fn write_now(&self, line: &str) -> bool {
        // Held by the thread that writes, perhaps for long.
        let Ok(mut stdin) = self.stdin.try_lock() else { return false };
        if self.waiting.load(Ordering::Acquire) > 0 {
            return false;
        }
        match stdin.as_mut() {
            // A child that is gone hears nothing.
            Some(pipe) if platform::has_room(pipe, line.len() + 1) => {
                _ = pipe.write_all(format!("{line}\n").as_bytes())
            }
            _ => return false,
        }
        true
    }
}

enum Ink {
    Line(String),
    Close,
}

impl Pen {
    /// Sends one line (or several) without the last line end. A child that is gone hears nothing.
    pub fn write(&self, line: impl Into<String>) {
        let line = line.into();
        if !self.hand.write_now(&line) {
            self.queue(Ink::Line(line));
        }
    }

    /// Closes the child's stdin after what was written.
    pub fn close(&self) {
        self.queue(Ink::Close);
    }

    fn queue(&self, ink: Ink) {
        self.hand.waiting.fetch_add(1, Ordering::AcqRel);
        let _ = self.ink.send(ink);
    }
}

/// A running child. Dropping it closes its stdin and kills it some time later if it still runs.
pub struct Child {
    pen: Pen,
    life: Arc<Life>,
    gone: Receiver<()>,
}

#[derive(Default)]
struct Life {
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

impl Life {
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

impl Child {
    /// Starts a child and returns at once. `on` is called on the child's own thread with everything that is heard; it
    /// may answer with the pen.
    pub fn spawn(launch: &Launch, on: impl FnMut(Said<'_>, &Pen) + Send + 'static) -> Self {
        Self::spawn_with(launch, None, on)
    }

    /// The same for a child that is to be held now and then.
    pub fn spawn_in_reins(launch: &Launch, reins: &Reins, on: impl FnMut(Said<'_>, &Pen) + Send + 'static) -> Self {
        Self::spawn_with(launch, Some(reins.clone()), on)
    }

    fn spawn_with(launch: &Launch, reins: Option<Reins>, on: impl FnMut(Said<'_>, &Pen) + Send + 'static) -> Self {
        let (sender, ink) = unbounded();
        let (pen, life) = (Pen { ink: sender, hand: Arc::default() }, Arc::new(Life::default()));
        let (alive, gone) = bounded::<()>(0);
        let (launch, mut on) = (launch.clone(), on);
        let supervisor = Supervisor { pen: pen.clone(), life: Arc::clone(&life), reins };
        let started = Builder::new().name("child".to_owned()).stack_size(STACK).spawn(move || {
            supervisor.run(&launch, ink, &mut on);
            drop(alive);
        });
        if let Err(error) = started {
            // `on` went with the closure that never ran: a watcher sees `gone`, and the log has the reason.
            log::error!("expected a thread for a child, found: {error}");
        }
        Self { pen, life, gone }
    }

    pub fn pen(&self) -> &Pen {
        &self.pen
    }

    /// Ends the child and its group by force. Returns at once; [`Said::Gone`] follows.
    pub fn kill(&self) {
        self.life.kill();
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

impl Drop for Child {
    fn drop(&mut self) {
        self.pen.close();
        if self.is_gone_by(Instant::now()) {
            return;
        }
        let (life, gone) = (Arc::clone(&self.life), self.gone.clone());
        let reaper = Builder::new().name("reaper".to_owned()).stack_size(STACK).spawn(move || {
            if gone.recv_timeout(GRACE_AFTER_DROP) == Err(crossbeam_channel::RecvTimeoutError::Timeout) {
                life.kill();
            }
        });
        if reaper.is_err() {
            self.life.kill();
        }
    }
}

/// The thread that owns a child.
struct Supervisor {
    pen: Pen,
    life: Arc<Life>,
    reins: Option<Reins>,
}

impl Supervisor {
    fn run(&self, launch: &Launch, ink: Receiver<Ink>, on: &mut dyn FnMut(Said<'_>, &Pen)) {
        let last = match self.talk(launch, ink, on) {
            Ok(()) => Said::Gone(self.collect()),
            Err(error) => {
                self.life.kill();
                self.collect();
                let why = launch.fault(&error);
                if platform::is_hopeless(&error) { Said::Absent(why) } else { Said::Gone(why) }
            }
        };
        on(last, &self.pen);
    }

    /// From the start to the end of the child's stdout.
    fn talk(&self, launch: &Launch, ink: Receiver<Ink>, on: &mut dyn FnMut(Said<'_>, &Pen)) -> io::Result<()> {
        let (mut child, bond) = spawn(launch, self.reins.is_some())?;
        let (stdin, stdout, stderr) = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        log::debug!("process {}: {}", child.id(), launch.program());
        self.adopt(child, bond);
        if let Some(stdin) = stdin {
            *self.pen.hand.stdin() = Some(stdin);
            let hand = Arc::clone(&self.pen.hand);
            Builder::new().name("child stdin".to_owned()).stack_size(STACK).spawn(move || write(&hand, &ink))?;
        }
        if let Some(stderr) = stderr {
            let (life, program) = (Arc::clone(&self.life), launch.program().to_owned());
            Builder::new().name("child stderr".to_owned()).stack_size(STACK).spawn(move || {
                read::lines(stderr, |line| complain(&life, &program, line));
            })?;
        }
        if let Some(stdout) = stdout {
            let on = |line: &str| on(Said::Line(line), &self.pen);
            match &self.reins {
                Some(reins) => read::lines(reins.tap(stdout), on),
                None => read::lines(stdout, on),
            }
        }
        Ok(())
    }

    /// A kill that came before the process was there is done now.
    fn adopt(&self, child: Box<dyn ChildWrapper>, bond: platform::Bond) {
        let mut process = self.life.process();
        (process.running, process.bond) = (Some(child), Some(bond));
        let killed = process.killed;
        drop(process);
        self.reins.iter().for_each(|reins| reins.put_on(&self.life));
        if killed {
            self.life.kill();
        }
    }

    /// Nothing more can be heard: ends the whole group, and says how the child ended.
    fn collect(&self) -> String {
        self.pen.close();
        let deadline = Instant::now() + GRACE_AFTER_EOF;
        let mut pause = Duration::from_millis(1);
        while Instant::now() < deadline && !self.has_exited() {
            std::thread::sleep(pause);
            pause *= 2;
        }
        let by_us = self.life.process().killed;
        self.life.kill();
        // The bond outlives the wait: until the child is collected, its number is its own.
        let (running, _bond) = {
            let mut process = self.life.process();
            (process.running.take(), process.bond.take())
        };
        let status = running.map(|mut child| child.wait());
        self.describe(by_us, status)
    }

    fn has_exited(&self) -> bool {
        self.life.process().running.as_mut().is_none_or(|child| platform::has_exited(child.as_mut()))
    }

    fn describe(&self, by_us: bool, status: Option<io::Result<ExitStatus>>) -> String {
        let mut text = match status {
            _ if by_us => "killed".to_owned(),
            Some(Ok(status)) => format!("ended with {status}"),
            _ => "ended".to_owned(),
        };
        let complaint = self.life.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        if !complaint.is_empty() {
            text += &format!(", its last words: {complaint}");
        }
        text
    }
}

/// In reins it gives way at once to whoever holds them.
fn spawn(launch: &Launch, in_reins: bool) -> io::Result<(Box<dyn ChildWrapper>, platform::Bond)> {
    let mut command = launch.command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut command = CommandWrap::from(command);
    let bond = platform::bind_to_master(&mut command);
    if in_reins {
        reins::give_way(command.command_mut());
    }
    let child = command.spawn()?;
    bond.holds(child.id());
    Ok((child, bond))
}

/// Writes what waits, as much at once as has come, until told to close or the pipe breaks.
fn write(hand: &Hand, ink: &Receiver<Ink>) {
    let mut text = String::new();
    while let Ok(first) = ink.recv() {
        let (mut closing, mut count) = (false, 0);
        for next in std::iter::once(first).chain(ink.try_iter()) {
            count += 1;
            match next {
                Ink::Line(line) => {
                    text.push_str(&line);
                    text.push('\n');
                }
                Ink::Close => closing = true,
            }
        }
        let mut stdin = hand.stdin();
        let broken = stdin.as_mut().is_none_or(|pipe| pipe.write_all(text.as_bytes()).is_err());
        if broken || closing {
            *stdin = None;
            return;
        }
        hand.waiting.fetch_sub(count, Ordering::AcqRel);
        text.clear();
    }
}

fn complain(life: &Life, program: &str, line: &str) {
    /// What fits into one line of a log.
    const SHOWN: usize = 200;
    log::debug!("{program}: {line}");
    let line = line.trim();
    if !line.is_empty() {
        let mut complaint = life.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        complaint.clear();
        complaint.extend(line.chars().take(SHOWN));
    }
}
