//! Restricts child processes to chosen processors, on Linux only.

use super::ChildProcess;
use std::io;

/// Returns the processors on which this process may run, one of every core first; `None` if the system cannot list them
/// or cannot pin a process to them.
pub fn processors() -> Option<Vec<usize>> {
    system::processors()
}

impl ChildProcess {
    /// Restricts the child process, with all its current and future threads, to `processors`.
    pub fn keep_on(&self, processors: &[usize]) -> io::Result<()> {
        self.state.with_leader(|leader| system::keep_on(leader, processors))
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeSet;
    use std::{fs, io};

    pub fn processors() -> Option<Vec<usize>> {
        let mut set = empty();
        // SAFETY: `set` is plain data, and its true size is passed.
        let result = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
        if result != 0 {
            return None;
        }
        // SAFETY: `cpu` is less than `CPU_SETSIZE`.
        let allowed = (0..libc::CPU_SETSIZE as usize).filter(|&cpu| unsafe { libc::CPU_ISSET(cpu, &set) });
        let (mut cores, mut first, mut siblings) = (BTreeSet::new(), Vec::new(), Vec::new());
        for cpu in allowed {
            let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology/");
            let read = |name: &str| fs::read_to_string(topology.clone() + name).unwrap_or_else(|_| cpu.to_string());
            let is_new = cores.insert((read("physical_package_id"), read("core_id")));
            if is_new { &mut first } else { &mut siblings }.push(cpu);
        }
        first.extend(siblings);
        Some(first)
    }

    pub fn keep_on(leader: u32, processors: &[usize]) -> io::Result<()> {
        let mut set = empty();
        for &cpu in processors.iter().filter(|&&cpu| cpu < libc::CPU_SETSIZE as usize) {
            // SAFETY: `cpu` is less than `CPU_SETSIZE`.
            unsafe { libc::CPU_SET(cpu, &mut set) };
        }
        for task in fs::read_dir(format!("/proc/{leader}/task"))?.flatten() {
            let Some(thread) = task.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            // SAFETY: `set` is plain data, and its true size is passed.
            let result = unsafe { libc::sched_setaffinity(thread, size_of_val(&set), &raw const set) };
            let error = io::Error::last_os_error();
            // A thread that has ended since the directory was read is ignored.
            if result != 0 && error.raw_os_error() != Some(libc::ESRCH) {
                return Err(error);
            }
        }
        Ok(())
    }

    fn empty() -> libc::cpu_set_t {
        // SAFETY: `cpu_set_t` is plain data, and all zeros is the empty set.
        unsafe { std::mem::zeroed() }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub fn processors() -> Option<Vec<usize>> {
        None
    }

    pub fn keep_on(_: u32, _: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
