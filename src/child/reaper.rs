//! The orphan reaper, for the case that the master is killed: a shell that knows the groups of all children and kills them when
//! its input ends.
//!
//! The parent-death signal reaches only the process that we started, not what an engine's wrapper script or `ssh`
//! started in turn, and exists only on Linux.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Reads `+ TOKEN GROUP` and `- TOKEN`. It survives signals to the terminal, but not the end of its input.
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

/// The reaper, and the groups that it knows.
struct ReaperState {
    reaper: Option<Reaper>,
    /// There is no `sh`: children still end at the end of their own input.
    is_unavailable: bool,
    /// The groups of the children that run, as far as they are known.
    bonds: BTreeMap<u64, Option<u32>>,
    next: u64,
    /// Inputs of guards that have ended. They stay open: a child that is being started may still write there, and must
    /// not meet another pipe of the same number.
    old_inputs: Vec<ChildStdin>,
}

struct Reaper {
    process: Child,
    input: ChildStdin,
}

/// A group that is to end with this process, until this is dropped: then its number may be given to strangers.
pub struct Bond(u64);

impl Bond {
    /// The child has started, as the leader of this group. A reaper that was started meanwhile does not know it yet.
    pub fn holds(&self, group: u32) {
        let mut state = lock_reaper();
        state.bonds.insert(self.0, Some(group));
        state.write(&format!("+ {} {group}\n", self.0));
    }
}

impl Drop for Bond {
    fn drop(&mut self) {
        let mut state = lock_reaper();
        state.bonds.remove(&self.0);
        state.write(&format!("- {}\n", self.0));
    }
}

/// Lets the child that `command` starts bind itself, as the leader of its group, before it runs anything: at no moment
/// is there an engine that the reaper does not know.
pub fn bind(command: &mut Command) -> Bond {
    let mut state = lock_reaper();
    let token = state.next;
    state.next += 1;
    state.bonds.insert(token, None);
    state.ensure_running();
    if let Some(input) = state.reaper.as_ref().map(|reaper| reaper.input.as_raw_fd()) {
        // SAFETY: the closure runs in the forked child, makes only system calls and allocates nothing.
        unsafe { command.pre_exec(move || introduce(input, token)) };
    }
    Bond(token)
}

fn lock_reaper() -> MutexGuard<'static, ReaperState> {
    REAPER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ReaperState {
    const fn new() -> Self {
        Self { reaper: None, is_unavailable: false, bonds: BTreeMap::new(), next: 0, old_inputs: Vec::new() }
    }

    /// A reaper that has ended is replaced; the new one learns of all children that run.
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
        self.reaper =
            started.inspect_err(|e| log::warn!("expected sh as a reaper of child processes, found: {e}")).ok();
        let known = self.bonds.iter().filter_map(|(token, group)| group.map(|group| format!("+ {token} {group}\n")));
        let known: String = known.collect();
        self.write(&known);
    }

    /// A reaper that has ended is replaced when the next child starts.
    fn write(&mut self, lines: &str) {
        if let Some(reaper) = &mut self.reaper {
            let _ = reaper.input.write_all(lines.as_bytes());
        }
    }
}

/// Writes `+ TOKEN PID`. A line so short is written whole or not at all. A reaper that has just ended is no fault of the
/// child: it starts without, and [`Bond::holds`] makes it known to the next one.
fn introduce(input: RawFd, token: u64) -> io::Result<()> {
    let mut line = [0_u8; 64];
    let mut rest = &mut line[..];
    writeln!(rest, "+ {token} {}", std::process::id())?;
    let length = 64 - rest.len();
    // SAFETY: the bytes are initialised and the descriptor is open: it closes at exec only. The signal of a broken pipe
    // would end the child; what it does is put back.
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

    /// A child under a reaper: its process, its bond.
    fn child() -> (Child, Bond) {
        let mut command = Command::new("sleep");
        command.arg("100").process_group(0);
        let bond = bind(&mut command);
        let child = command.spawn().unwrap();
        bond.holds(child.id());
        (child, bond)
    }

    #[test]
    fn the_end_of_the_guard_is_no_fault_of_the_children() {
        let (mut first, first_bond) = child();
        let dead = {
            let mut state = lock_reaper();
            let reaper = &mut state.reaper.as_mut().unwrap().process;
            reaper.kill().unwrap();
            reaper.wait().unwrap();
            reaper.id()
        };
        let (mut second, second_bond) = child();
        assert!(second.try_wait().unwrap().is_none(), "it was started and runs");
        {
            let mut state = lock_reaper();
            let reaper = &mut state.reaper.as_mut().unwrap().process;
            assert!(reaper.id() != dead && reaper.try_wait().unwrap().is_none());
            assert!([&first_bond, &second_bond].iter().all(|bond| state.bonds[&bond.0].is_some()));
        }
        for (child, bond) in [(&mut first, first_bond), (&mut second, second_bond)] {
            child.kill().unwrap();
            child.wait().unwrap();
            drop(bond);
        }
    }

    #[test]
    fn a_pipe_that_nobody_reads_does_not_keep_a_child_from_starting() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new("true");
        let input = writer.as_raw_fd();
        // SAFETY: as in `bind`.
        unsafe { command.pre_exec(move || introduce(input, 1)) };
        assert!(command.status().unwrap().success());
    }
}
