//! Provides the same functions for child processes on all operating systems.

pub use system::{GroupRegistration, bind_to_master, has_exited, has_room, split};

use std::io::{self, ErrorKind};

/// Returns true if every further attempt to start the program would fail, because its file is missing or is not a
/// program. Returns false if memory, process slots or file descriptors have run out, because that may be temporary.
pub fn is_hopeless(error: &io::Error) -> bool {
    let known = [
        ErrorKind::NotFound,
        ErrorKind::PermissionDenied,
        ErrorKind::NotADirectory,
        ErrorKind::IsADirectory,
        ErrorKind::InvalidInput,
    ];
    known.contains(&error.kind()) || error.raw_os_error() == Some(system::NO_PROGRAM)
}

#[cfg(unix)]
mod system {
    use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
    use std::io;

    /// The error code for a file that is not in an executable format.
    pub const NO_PROGRAM: i32 = libc::ENOEXEC;

    use crate::reaper;
    pub use crate::reaper::GroupRegistration;

    /// Splits a command line as a POSIX shell does; `None` if a quote is not closed.
    pub fn split(text: &str) -> Option<Vec<String>> {
        shlex::split(text)
    }

    /// Makes the child the leader of its own process group, which is killed no matter how the master ends.
    pub fn bind_to_master(command: &mut CommandWrap) -> GroupRegistration {
        command.wrap(ProcessGroup::leader());
        #[cfg(target_os = "linux")]
        die_with_master(command.command_mut());
        reaper::bind(command.command_mut())
    }

    /// Ties the child's life to its master's: Linux sends SIGKILL when the thread that spawned the child exits, even if
    /// the master is killed.
    #[cfg(target_os = "linux")]
    fn die_with_master(command: &mut std::process::Command) {
        use std::os::unix::process::CommandExt;
        let master = std::process::id();
        // SAFETY: the closure runs in the forked child and only makes async-signal-safe system calls.
        unsafe {
            command.pre_exec(move || {
                if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                    return Err(io::Error::last_os_error());
                }
                // The master may have died before the child requested the signal.
                if libc::getppid().cast_unsigned() != master {
                    libc::_exit(1);
                }
                Ok(())
            });
        }
    }

    /// Returns true if the process has ended. The process is not reaped here, so its ID cannot be reused.
    pub fn has_exited(child: &mut dyn ChildWrapper) -> bool {
        // SAFETY: `info` is plain data that `waitid` fills in, and may be all zeros.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            let failed = libc::waitid(libc::P_PID, child.id(), &raw mut info, flags) != 0;
            failed || info.si_pid() != 0
        }
    }

    /// Returns true if the pipe accepts `length` bytes without blocking. POSIX promises room for `PIPE_BUF` bytes when
    /// a pipe is writable: 4,096 on Linux, and at least 512 everywhere.
    pub fn has_room(pipe: &std::process::ChildStdin, length: usize) -> bool {
        use std::os::fd::AsRawFd;
        let mut state = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
        // SAFETY: `state` is valid, the count of entries passed is 1, and `poll` does not wait.
        let ready = unsafe { libc::poll(&raw mut state, 1, 0) };
        length <= libc::PIPE_BUF && ready == 1 && state.revents & libc::POLLOUT != 0
    }
}

#[cfg(windows)]
mod system {
    use process_wrap::std::{ChildWrapper, CommandWrap, JobObject};
    use std::sync::OnceLock;
    use windows::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    };
    use windows::Win32::System::Threading::GetCurrentProcess;

    /// The error code for a file that is not in an executable format (`ERROR_BAD_EXE_FORMAT`).
    pub const NO_PROGRAM: i32 = 193;

    /// Always returns false: Windows cannot report whether a pipe has room, so all writing is left to the writer
    /// thread.
    pub fn has_room(_: &std::process::ChildStdin, _: usize) -> bool {
        false
    }

    /// Splits a command line; `None` if a quote is not closed. A backslash separates folders and is not an escape
    /// character.
    pub fn split(text: &str) -> Option<Vec<String>> {
        let (mut words, mut word, mut quoted, mut begun) = (Vec::new(), String::new(), false, false);
        for c in text.chars() {
            match c {
                '"' => (quoted, begun) = (!quoted, true),
                c if c.is_whitespace() && !quoted => {
                    if begun {
                        words.push(std::mem::take(&mut word));
                    }
                    begun = false;
                }
                c => {
                    word.push(c);
                    begun = true;
                }
            }
        }
        if begun {
            words.push(word);
        }
        (!quoted).then_some(words)
    }

    /// A placeholder on Windows, where the job object makes children end with this process.
    pub struct GroupRegistration;

    impl GroupRegistration {
        /// Does nothing on Windows, where the job object holds children from their creation.
        pub fn holds(&self, _: u32) {}
    }

    /// Puts the child into its own job, inside the master's job, so that the child's descendants are killed with it.
    pub fn bind_to_master(command: &mut CommandWrap) -> GroupRegistration {
        static JOINED: OnceLock<Result<(), String>> = OnceLock::new();
        if let Err(error) = JOINED.get_or_init(|| join_a_deadly_job().map_err(|error| error.to_string())) {
            log::warn!("children may outlive a killed master: {error}");
        }
        command.wrap(JobObject);
        GroupRegistration
    }

    /// Puts this process into a job whose members are all killed when the job's last handle closes, which happens no
    /// matter how this process ends. Children are created inside the job.
    fn join_a_deadly_job() -> windows::core::Result<()> {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = size_of_val(&limits) as u32;
        // SAFETY: `limits` and `size` fit the information class, and the job's handle stays open on purpose.
        unsafe {
            let job = CreateJobObjectW(None, None)?;
            SetInformationJobObject(job, JobObjectExtendedLimitInformation, (&raw const limits).cast(), size)?;
            AssignProcessToJobObject(job, GetCurrentProcess())
        }
    }

    /// Returns true if the process has ended.
    pub fn has_exited(child: &mut dyn ChildWrapper) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }
}
