//! Control of a child process: it is held and let go by signal, and its CPU clock is read. For clocks that are not the machine's.

pub(super) use system::give_way;

use super::ChildState;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Clones hold the same child. Before it has started and after its end there is nothing to hold, which is an error.
#[derive(Clone, Default)]
pub struct ProcessControl(Arc<ControlState>);

#[derive(Default)]
struct ControlState {
    state: OnceLock<Arc<ChildState>>,
    progress: system::ReadProgress,
}

impl ProcessControl {
    /// Stops the child. When this returns it stands still, and everything that it had printed has been heard.
    pub fn hold(&self) -> io::Result<()> {
        let leader = self.with_leader(|leader| system::signal(leader, system::STOP).map(|()| leader))?;
        system::wait_stopped(leader)?;
        self.0.progress.wait_heard()
    }

    /// Lets it run on.
    pub fn release(&self) -> io::Result<()> {
        self.with_leader(|leader| system::signal(leader, system::GO))
    }

    /// Keeps the calling thread, and who is started from it, where a held child cannot run away from it.
    pub fn stay_here() {
        system::stay_here();
    }

    /// Time used by all threads of the child's first process together.
    pub fn cpu(&self) -> io::Result<Duration> {
        self.with_leader(system::cpu)
    }

    /// No thread of it runs or wants to: it waits for somebody else. (It may have been woken since.)
    pub fn is_at_rest(&self) -> io::Result<bool> {
        let before = self.cpu()?;
        // Threads are looked at one after the other, and one may wake another: then the clock has gone on.
        Ok(self.with_leader(system::all_sleep)? && self.cpu()? == before)
    }

    /// Has processes of its own, whose CPU clocks are not read.
    pub fn has_children(&self) -> io::Result<bool> {
        self.with_leader(system::has_children)
    }

    pub(super) fn attach(&self, state: &Arc<ChildState>) {
        let _ = self.0.state.set(Arc::clone(state));
    }

    /// The same stream, but it is known when all of it has been heard.
    pub(super) fn tap(&self, stdout: std::process::ChildStdout) -> impl io::Read + use<> {
        system::TrackedStdout::new(stdout, self.clone())
    }

    /// The child is not collected meanwhile, so that its number is its own.
    fn with_leader<T>(&self, act: impl FnOnce(u32) -> io::Result<T>) -> io::Result<T> {
        let process = self.0.state.get().map(|state| state.process());
        let leader = process.as_ref().and_then(|process| process.running.as_ref()).map(|running| running.id());
        act(leader.ok_or_else(|| io::Error::other("expected a process that runs, found none"))?)
    }
}

#[cfg(target_os = "linux")]
mod system {
    use super::ProcessControl;
    use std::fs;
    use std::io::{self, Read};
    use std::os::fd::{AsFd, AsRawFd, OwnedFd};
    use std::os::unix::process::CommandExt;
    use std::process::{ChildStdout, Command};
    use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
    use std::time::Duration;

    pub const STOP: i32 = libc::SIGSTOP;
    pub const GO: i32 = libc::SIGCONT;

    /// The argument of the system call (`sched_setattr(2)`).
    #[repr(C)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        slice: u64,
        deadline: u64,
        period: u64,
    }

    /// The child asks for long turns, so that whoever is woken beside it (its reader, its master) comes first; its share
    /// stays what it is. Kernels before 6.12 take no notice.
    pub fn give_way(command: &mut Command) {
        const TURN_NS: u64 = 50_000_000;
        // SAFETY: the closure runs in the forked child and makes only system calls, on plain data of its own.
        unsafe {
            command.pre_exec(|| {
                let nice = libc::getpriority(libc::PRIO_PROCESS, 0);
                let size = size_of::<Attributes>() as u32;
                let wish =
                    Attributes { size, policy: 0, flags: 0, nice, priority: 0, slice: TURN_NS, deadline: 0, period: 0 };
                // Refused, it is only less exact.
                libc::syscall(libc::SYS_sched_setattr, 0, &raw const wish, 0);
                Ok(())
            });
        }
    }

    /// Keeps the calling thread, and all that it starts from now on, on the processor where it is: there a child cannot
    /// run on while those who hold it wait for their turn. Timers ring when they should, not up to 50 us later.
    pub fn stay_here() {
        // SAFETY: both change the calling thread only; the set is plain data that lives long enough.
        let result = unsafe {
            libc::prctl(libc::PR_SET_TIMERSLACK, 1);
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            let here = usize::try_from(libc::sched_getcpu()).unwrap_or(0);
            libc::CPU_SET(here, &mut set);
            done(libc::sched_setaffinity(0, size_of_val(&set), &raw const set))
        };
        if let Err(error) = result {
            log::warn!("expected to be able to stay on one processor, found: {error}");
        }
    }

    /// To the group that `leader` leads.
    pub fn signal(leader: u32, signal: i32) -> io::Result<()> {
        // SAFETY: a system call without memory; the group is that of a child of ours.
        done(unsafe { libc::kill(-leader.cast_signed(), signal) })
    }

    fn done(result: i32) -> io::Result<()> {
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// A stop takes effect when the child is next about to run; a child that has ended stands still, too.
    pub fn wait_stopped(leader: u32) -> io::Result<()> {
        // SAFETY: `info` is plain data that waitid fills in; zero bytes are a valid value of it.
        done(unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, leader, &raw mut info, libc::WSTOPPED | libc::WEXITED | libc::WNOWAIT)
        })
    }

    pub fn cpu(leader: u32) -> io::Result<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let mut clock = 0;
        // SAFETY: both write to the places given, which live long enough.
        unsafe {
            match libc::clock_getcpuclockid(leader.cast_signed(), &raw mut clock) {
                0 => done(libc::clock_gettime(clock, &raw mut time))?,
                error => return Err(io::Error::from_raw_os_error(error)),
            }
        }
        Ok(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    pub fn all_sleep(leader: u32) -> io::Result<bool> {
        for task in fs::read_dir(format!("/proc/{leader}/task"))? {
            // A thread that has ended meanwhile does not run.
            let stat = fs::read_to_string(task?.path().join("stat")).unwrap_or_default();
            let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
            if !matches!(state, Some('S' | 'Z' | 'X') | None) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn has_children(leader: u32) -> io::Result<bool> {
        for task in fs::read_dir(format!("/proc/{leader}/task"))? {
            // Not every kernel tells.
            let children = fs::read_to_string(task?.path().join("children")).unwrap_or_default();
            if !children.trim().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// State of the thread that reads the child.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    enum ReaderActivity {
        #[default]
        Waiting,
        /// Has read something that may not have been heard yet.
        Hearing,
        Gone,
    }

    /// See [`ReaderActivity`].
    #[derive(Default)]
    pub struct ReadProgress {
        doing: Mutex<ReaderActivity>,
        changed: Condvar,
        /// Another handle of the child's stdout.
        pipe: OnceLock<OwnedFd>,
    }

    /// Only to look again where the reader has not come to speak of what lies in the pipe.
    const LOOK: Duration = Duration::from_millis(5);

    impl ReadProgress {
        /// For a child that stands still, so that nothing new comes.
        pub fn wait_heard(&self) -> io::Result<()> {
            let Some(pipe) = self.pipe.get() else { return Ok(()) };
            let mut doing = self.lock();
            // The order matters: what has left the pipe is in the hands of a reader that is no longer waiting.
            while *doing != ReaderActivity::Gone && (unread(pipe)? > 0 || *doing == ReaderActivity::Hearing) {
                doing = self.changed.wait_timeout(doing, LOOK).unwrap_or_else(PoisonError::into_inner).0;
            }
            Ok(())
        }

        fn enter(&self, doing: ReaderActivity) {
            *self.lock() = doing;
            self.changed.notify_all();
        }

        fn lock(&self) -> MutexGuard<'_, ReaderActivity> {
            self.doing.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    /// Bytes in the pipe.
    fn unread(pipe: &OwnedFd) -> io::Result<i32> {
        let mut count = 0;
        // SAFETY: FIONREAD writes one int.
        done(unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &raw mut count) })?;
        Ok(count)
    }

    /// Stdout of a child in control.
    pub struct TrackedStdout {
        stdout: ChildStdout,
        control: ProcessControl,
    }

    impl TrackedStdout {
        pub fn new(stdout: ChildStdout, control: ProcessControl) -> Self {
            if let Ok(pipe) = stdout.as_fd().try_clone_to_owned() {
                let _ = control.0.progress.pipe.set(pipe);
            }
            Self { stdout, control }
        }
    }

    impl Read for TrackedStdout {
        /// Called when all that was read before has been heard.
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let progress = &self.control.0.progress;
            progress.enter(ReaderActivity::Waiting);
            let mut state = libc::pollfd { fd: self.stdout.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: `state` is one valid entry.
            if unsafe { libc::poll(&raw mut state, 1, -1) } < 0 {
                return Err(io::Error::last_os_error());
            }
            progress.enter(ReaderActivity::Hearing);
            self.stdout.read(buffer)
        }
    }

    impl Drop for TrackedStdout {
        fn drop(&mut self) {
            self.control.0.progress.enter(ReaderActivity::Gone);
        }
    }
}

/// Only Linux tells one process what another one has used, and lets it wait for a stop.
#[cfg(not(target_os = "linux"))]
mod system {
    use super::ProcessControl;
    use std::io;
    use std::process::{ChildStdout, Command};
    use std::time::Duration;

    pub fn give_way(_: &mut Command) {}

    pub fn stay_here() {}

    pub const STOP: i32 = 0;
    pub const GO: i32 = 0;

    #[derive(Default)]
    pub struct ReadProgress;

    impl ReadProgress {
        pub fn wait_heard(&self) -> io::Result<()> {
            absent()
        }
    }

    pub struct TrackedStdout;

    impl TrackedStdout {
        pub fn new(stdout: ChildStdout, _: ProcessControl) -> ChildStdout {
            stdout
        }
    }

    fn absent<T>() -> io::Result<T> {
        Err(io::Error::other("expected Linux, where a child can be held by its CPU clock, found another system"))
    }

    pub fn signal(_: u32, _: i32) -> io::Result<()> {
        absent()
    }

    pub fn wait_stopped(_: u32) -> io::Result<()> {
        absent()
    }

    pub fn cpu(_: u32) -> io::Result<Duration> {
        absent()
    }

    pub fn all_sleep(_: u32) -> io::Result<bool> {
        absent()
    }

    pub fn has_children(_: u32) -> io::Result<bool> {
        absent()
    }
}
