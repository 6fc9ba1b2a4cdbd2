//! Runs the orphan reaper: a shell script that kills the process groups of all children when its input ends. The reaper
//! is needed only if the master itself is killed.
//!
//! The parent-death signal is not sufficient: it exists only on Linux, and reaches only the processes that this process
//! started, not those that an engine's wrapper script or `ssh` started in turn.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The reaper's shell script, which reads `+ TOKEN GROUP` and `- TOKEN`, ignores signals from the terminal, and exits
/// at the end of its input.
const SCRIPT: &str = r#"trap '' INT TERM HUP QUIT
bonds=
while read -r sign token group; do
  rest=
  for bond in $bonds; do [ "${bond%%:*}" = "$token" ] || rest="$rest $bond"; done
  bonds=$rest
  [ "$sign" = - ] || bonds="$bonds $token:$group"
done
for bond in $bonds; do kill -KILL "-${bond#*:}" 2>/dev/null; done"#;

static REAPER: Mutex<ReaperState> = Mutex::new(ReaperState::new());

/// The reaper, and the process groups that are registered with it.
struct ReaperState {
    reaper: Option<Reaper>,
    /// True if the system has no `sh` to run the reaper. Even without a reaper, children end when their stdin is
    /// closed.
    is_unavailable: bool,
    /// The process groups of the running children, with `None` for each child that is being started.
    registrations: BTreeMap<u64, Option<u32>>,
    next: u64,
    /// The stdin pipes of reapers that have ended, kept open because a child that is being started may still write to
    /// the descriptor, which must not be reused for another pipe.
    old_inputs: Vec<ChildStdin>,
}

struct Reaper {
    process: Child,
    input: ChildStdin,
}

/// The registration of a process group that is to end with this process. Dropping the value removes the registration,
/// because the group's number may then be reused.
pub struct GroupRegistration(u64);

impl GroupRegistration {
    /// Registers the process group of a started child, in case the reaper was replaced while the child was starting.
    pub fn holds(&self, group: u32) {
        let mut state = lock_reaper();
        state.registrations.insert(self.0, Some(group));
        state.write(&format!("+ {} {group}\n", self.0));
    }
}

impl Drop for GroupRegistration {
    fn drop(&mut self) {
        let mut state = lock_reaper();
        state.registrations.remove(&self.0);
        state.write(&format!("- {}\n", self.0));
    }
}

/// Makes the child that `command` starts register its process group before it executes the program, so that an engine
/// never runs unregistered.
pub fn bind(command: &mut Command) -> GroupRegistration {
    let mut state = lock_reaper();
    let token = state.next;
    state.next += 1;
    state.registrations.insert(token, None);
    state.ensure_running();
    if let Some(input) = state.reaper.as_ref().map(|reaper| reaper.input.as_raw_fd()) {
        // SAFETY: the closure runs in the forked child, only makes system calls and allocates nothing.
        unsafe { command.pre_exec(move || introduce(input, token)) };
    }
    GroupRegistration(token)
}

fn lock_reaper() -> MutexGuard<'static, ReaperState> {
    REAPER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ReaperState {
    const fn new() -> Self {
        Self { reaper: None, is_unavailable: false, registrations: BTreeMap::new(), next: 0, old_inputs: Vec::new() }
    }

    /// Starts the reaper, or replaces a reaper that has ended. A new reaper gets the groups of all running children.
    fn ensure_running(&mut self) {
        if let Some(ended) = self.reaper.as_mut().and_then(|reaper| reaper.process.try_wait().ok().flatten()) {
            log::warn!("the reaper of child processes, a shell, has ended ({ended}); another one takes its place");
            self.old_inputs.extend(self.reaper.take().map(|reaper| reaper.input));
        }
        if self.reaper.is_some() || self.is_unavailable {
            return;
        }
        let started = start();
        self.is_unavailable = started.is_err();
        self.reaper = started.inspect_err(|e| log::warn!("cannot start sh as a reaper of child processes: {e}")).ok();
        let known =
            self.registrations.iter().filter_map(|(token, group)| group.map(|group| format!("+ {token} {group}\n")));
        let known: String = known.collect();
        self.write(&known);
    }

    /// Writes to the reaper. Failures are ignored, since a reaper that has ended is replaced when the next child
    /// starts.
    fn write(&mut self, lines: &str) {
        if let Some(reaper) = &mut self.reaper {
            let _ = reaper.input.write_all(lines.as_bytes());
        }
    }
}

/// Registers the calling process by the line `+ TOKEN PID`, which is short enough to be written atomically. If the
/// reaper has just ended, the child starts unregistered, and [`GroupRegistration::holds`] registers it with the next
/// reaper.
fn introduce(input: RawFd, token: u64) -> io::Result<()> {
    let mut line = [0_u8; 64];
    let mut rest = &mut line[..];
    writeln!(rest, "+ {token} {}", std::process::id())?;
    let length = 64 - rest.len();
    // SAFETY: `line` is initialised, and `input` is open, since it closes only at exec. SIGPIPE would end the child, so
    // it is ignored during the write and restored afterwards.
    unsafe {
        let before = libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        let written = libc::write(input, line.as_ptr().cast(), length);
        let error = io::Error::last_os_error();
        libc::signal(libc::SIGPIPE, before);
        if written == -1 && error.kind() != io::ErrorKind::BrokenPipe { Err(error) } else { Ok(()) }
    }
}

fn start() -> io::Result<Reaper> {
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.process_group(0).spawn()?;
    let input = process.stdin.take().ok_or_else(|| io::Error::other("no pipe to the reaper"))?;
    Ok(Reaper { process, input })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Starts a child registered with the reaper, and returns its process and its registration.
    fn child() -> (Child, GroupRegistration) {
        let mut command = Command::new("sleep");
        command.arg("100").process_group(0);
        let registration = bind(&mut command);
        let child = command.spawn().unwrap();
        registration.holds(child.id());
        (child, registration)
    }

    #[test]
    fn children_survive_the_end_of_the_reaper() {
        let (mut first, first_registration) = child();
        let dead = {
            let mut state = lock_reaper();
            let reaper = &mut state.reaper.as_mut().unwrap().process;
            reaper.kill().unwrap();
            reaper.wait().unwrap();
            reaper.id()
        };
        let (mut second, second_registration) = child();
        assert!(second.try_wait().unwrap().is_none(), "the child is running");
        {
            let mut state = lock_reaper();
            let reaper = &mut state.reaper.as_mut().unwrap().process;
            assert!(reaper.id() != dead && reaper.try_wait().unwrap().is_none());
            assert!(
                [&first_registration, &second_registration]
                    .iter()
                    .all(|registration| state.registrations[&registration.0].is_some())
            );
        }
        for (child, registration) in [(&mut first, first_registration), (&mut second, second_registration)] {
            child.kill().unwrap();
            child.wait().unwrap();
            drop(registration);
        }
    }

    #[test]
    fn a_broken_pipe_to_the_reaper_does_not_keep_a_child_from_starting() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new("true");
        let input = writer.as_raw_fd();
        // SAFETY: the closure satisfies the same conditions as the one in `bind`.
        unsafe { command.pre_exec(move || introduce(input, 1)) };
        assert!(command.status().unwrap().success());
    }
}
