//! A watchman for the case that the master is killed: a shell that knows the groups of all children and kills them when
//! its input ends.
//!
//! The parent-death signal reaches only the process that we started, not what an engine's wrapper script or `ssh`
//! started in turn, and exists only on Linux.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Reads `+ GROUP` and `- GROUP`. It survives signals to the terminal, but not the end of its input.
const SCRIPT: &str = r#"trap '' INT TERM HUP QUIT
groups=
while read -r sign group; do
  rest=
  for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done
  groups=$rest
  [ "$sign" = - ] || groups="$groups $group"
done
for g in $groups; do kill -KILL "-$g" 2>/dev/null; done"#;

static GUARD: OnceLock<Mutex<Option<ChildStdin>>> = OnceLock::new();

/// `group` is to end with this process.
pub fn watch(group: u32) {
    tell(&format!("+ {group}\n"));
}

/// `group` has ended; its number may be given to strangers.
pub fn forget(group: u32) {
    tell(&format!("- {group}\n"));
}

/// Without a guard children still end at the end of their input.
fn tell(line: &str) {
    let guard = GUARD.get_or_init(|| {
        let stdin = start().map(|mut child| child.stdin.take());
        Mutex::new(stdin.unwrap_or_else(|error| {
            log::warn!("expected to be able to start sh as a guard of child processes, found: {error}");
            None
        }))
    });
    let mut stdin = guard.lock().unwrap_or_else(PoisonError::into_inner);
    if stdin.as_mut().is_some_and(|stdin| stdin.write_all(line.as_bytes()).is_err()) {
        *stdin = None;
    }
}

fn start() -> std::io::Result<Child> {
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.process_group(0).spawn()
}
