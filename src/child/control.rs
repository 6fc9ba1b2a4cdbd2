//! Stops and resumes a child process by signals, and reads its CPU clock, for games that are timed by CPU time.

pub(super) use system::give_way;

use super::{ChildState, absent};
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A handle to control a child. Clones control the same child. All operations fail before the child has started and
/// after it has ended.
#[derive(Clone, Default)]
pub struct ProcessControl(Arc<ControlState>);

#[derive(Default)]
struct ControlState {
    state: OnceLock<Arc<ChildState>>,
    progress: system::ReadProgress,
}

impl ProcessControl {
    /// Stops the child. When `hold` returns, the child is no longer running and all its output has been processed.
    pub fn hold(&self) -> io::Result<()> {
        let leader = self.with_leader(|leader| system::signal(leader, system::STOP).map(|()| leader))?;
        system::wait_stopped(leader)?;
        self.0.progress.wait_heard()
    }

    /// Resumes the child.
    pub fn release(&self) -> io::Result<()> {
        self.with_leader(|leader| system::signal(leader, system::GO))
    }

    /// Pins the calling thread, and children that it starts later, to one processor, so that no child keeps running on
    /// another processor while it is being stopped.
    pub fn stay_here() {
        system::stay_here();
    }

    /// Total CPU time of all threads in the child's first process.
    pub fn cpu(&self) -> io::Result<Duration> {
        self.with_leader(system::cpu)
    }

    /// Returns true if all threads of the child sleep, which means that the child is waiting for another process. A
    /// thread may have woken since it was checked.
    pub fn is_at_rest(&self) -> io::Result<bool> {
        let before = self.cpu()?;
        // The CPU clock advances if a thread that is checked late wakes one that was already checked.
        Ok(self.with_leader(system::all_sleep)? && self.cpu()? == before)
    }

    /// Returns whether the child has child processes of its own, whose CPU clocks are not read.
    pub fn has_children(&self) -> io::Result<bool> {
        self.with_leader(system::has_children)
    }

    pub(super) fn attach(&self, state: &Arc<ChildState>) {
        let _ = self.0.state.set(Arc::clone(state));
    }

    /// Wraps the child's stdout, so that [`Self::hold`] knows when all output has been processed.
    pub(super) fn tap(&self, stdout: std::process::ChildStdout) -> impl io::Read + use<> {
        system::TrackedStdout::new(stdout, self.clone())
    }

    fn with_leader<T>(&self, act: impl FnOnce(u32) -> io::Result<T>) -> io::Result<T> {
        self.0.state.get().ok_or_else(absent)?.with_leader(act)
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

    /// `struct sched_attr`, which sched_setattr(2) takes.
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

    /// Makes the child request long time slices, so that a thread of the master that wakes on the same processor runs
    /// first. The child's share of processor time does not change. Kernels before 6.12 ignore the request.
    pub fn give_way(command: &mut Command) {
        const TURN_NS: u64 = 50_000_000;
        // SAFETY: the closure runs in the forked child, and only makes system calls that use its own data.
        unsafe {
            command.pre_exec(|| {
                let nice = libc::getpriority(libc::PRIO_PROCESS, 0);
                let size = size_of::<Attributes>() as u32;
                let wish =
                    Attributes { size, policy: 0, flags: 0, nice, priority: 0, slice: TURN_NS, deadline: 0, period: 0 };
                // Errors are ignored, because a kernel that refuses the request only makes timing less exact.
                libc::syscall(libc::SYS_sched_setattr, 0, &raw const wish, 0);
                Ok(())
            });
        }
    }

    /// Pins the calling thread, and all threads and processes that it starts later, to its current processor, so that a
    /// child never runs there while the thread that stops it waits to run. Makes the calling thread's timers expire on
    /// time, instead of up to 50 us late.
    pub fn stay_here() {
        // SAFETY: `prctl` and `sched_setaffinity` change only the calling thread, and `set` outlives both calls.
        let result = unsafe {
            libc::prctl(libc::PR_SET_TIMERSLACK, 1);
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            let here = usize::try_from(libc::sched_getcpu()).unwrap_or(0);
            libc::CPU_SET(here, &mut set);
            done(libc::sched_setaffinity(0, size_of_val(&set), &raw const set))
        };
        if let Err(error) = result {
            log::warn!("cannot stay on one processor: {error}");
        }
    }

    /// Sends a signal to the process group that `leader` leads.
    pub fn signal(leader: u32, signal: i32) -> io::Result<()> {
        // SAFETY: `kill` accesses no memory, and the process group belongs to a child that this program started.
        done(unsafe { libc::kill(-leader.cast_signed(), signal) })
    }

    fn done(result: i32) -> io::Result<()> {
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Waits until the child has stopped or ended. A stop signal takes effect when the child is next about to run.
    pub fn wait_stopped(leader: u32) -> io::Result<()> {
        // SAFETY: `info` is plain data that `waitid` fills in, and may be all zeros.
        done(unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, leader, &raw mut info, libc::WSTOPPED | libc::WEXITED | libc::WNOWAIT)
        })
    }

    pub fn cpu(leader: u32) -> io::Result<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let mut clock = 0;
        // SAFETY: the two clock functions write to `clock` and `time`, which outlive the calls.
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
            // A thread that has ended since the directory was read counts as asleep.
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
            // Some kernels do not provide the file `children`.
            let children = fs::read_to_string(task?.path().join("children")).unwrap_or_default();
            if !children.trim().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The current activity of the thread that reads a child's output.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    enum ReaderActivity {
        #[default]
        Waiting,
        /// The reader has read output that may not have been processed yet.
        Hearing,
        Gone,
    }

    /// Tracks the activity of the thread that reads the child's output.
    #[derive(Default)]
    pub struct ReadProgress {
        doing: Mutex<ReaderActivity>,
        changed: Condvar,
        /// A duplicate handle of the child's stdout.
        pipe: OnceLock<OwnedFd>,
    }

    /// Interval at which the pipe is checked again, in case the reader has not reported its progress.
    const LOOK: Duration = Duration::from_millis(5);

    impl ReadProgress {
        /// Waits until all output of the child has been processed. The child must be stopped.
        pub fn wait_heard(&self) -> io::Result<()> {
            let Some(pipe) = self.pipe.get() else { return Ok(()) };
            let mut doing = self.lock();
            // The pipe is checked before `doing`, because the reader sets `doing` to `Hearing` before it empties the
            // pipe.
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

    /// Number of unread bytes in the pipe.
    fn unread(pipe: &OwnedFd) -> io::Result<i32> {
        let mut count = 0;
        // SAFETY: FIONREAD writes one int, `count`.
        done(unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &raw mut count) })?;
        Ok(count)
    }

    /// The stdout of a child that a [`ProcessControl`] controls.
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
        /// Reads from the child. The caller must have processed all data that earlier calls returned.
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let progress = &self.control.0.progress;
            progress.enter(ReaderActivity::Waiting);
            let mut state = libc::pollfd { fd: self.stdout.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: `state` is valid, and the count of entries passed is 1.
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

/// On systems other than Linux, a process cannot read another process's CPU time, or wait until another process has
/// stopped.
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
        Err(io::Error::other("a child can be held by its CPU clock only on Linux"))
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
