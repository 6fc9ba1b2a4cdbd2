//! A watchman for the case that the master is killed: a shell that knows the groups of all children and kills them when
//! its input ends.
//!
//! The parent-death signal reaches only the process that we started, not what an engine's wrapper script or `ssh`
//! started in turn, and exists only on Linux.

use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// The guard's input; `None` if there is no guard: children still end at the end of their own input.
static GUARD: OnceLock<Option<ChildStdin>> = OnceLock::new();

/// A group that is to end with this process, until this is dropped: then its number may be given to strangers.
pub struct Bond(u64);

impl Drop for Bond {
    fn drop(&mut self) {
        if let Some(mut guard) = GUARD.get().and_then(Option::as_ref) {
            let _ = guard.write_all(format!("- {}\n", self.0).as_bytes());
        }
    }
}

/// Lets the child that `command` starts bind itself, as the leader of its group, before it runs anything: at no moment
/// is there an engine that the guard does not know.
pub fn bind(command: &mut Command) -> Bond {
    static TOKENS: AtomicU64 = AtomicU64::new(0);
    let token = TOKENS.fetch_add(1, Ordering::Relaxed);
    let guard = GUARD.get_or_init(|| {
        let started = start();
        started.inspect_err(|error| log::warn!("expected sh as a guard of child processes, found: {error}")).ok()
    });
    if let Some(input) = guard.as_ref().map(AsRawFd::as_raw_fd) {
        // SAFETY: the closure runs in the forked child, makes only system calls and allocates nothing.
        unsafe { command.pre_exec(move || introduce(input, token)) };
    }
    Bond(token)
}

/// Writes `+ TOKEN PID`. A line so short is written whole or not at all.
fn introduce(input: RawFd, token: u64) -> io::Result<()> {
    let mut line = [0_u8; 64];
    let mut rest = &mut line[..];
    writeln!(rest, "+ {token} {}", std::process::id())?;
    let length = 64 - rest.len();
    // SAFETY: the bytes are initialised and the descriptor is open: it closes at exec only.
    match unsafe { libc::write(input, line.as_ptr().cast(), length) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn start() -> io::Result<ChildStdin> {
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let stdin = command.process_group(0).spawn()?.stdin.take();
    stdin.ok_or_else(|| io::Error::other("no pipe to the guard"))
}
