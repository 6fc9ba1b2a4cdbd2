//! Differences between operating systems that affect response times to a GUI: the resolution of timers, and the
//! scheduling of threads.

/// Requests precise timers. By default, Windows wakes sleeping threads only every 15.6 ms, which could delay a move by
/// up to that time.
pub fn sharpen_timers() {
    // SAFETY: takes a number of milliseconds; the system takes the request back when the process ends.
    #[cfg(windows)]
    unsafe {
        windows::Win32::Media::timeBeginPeriod(1);
    }
}

/// Asks the scheduler for short time slices for the calling thread, which never runs for long. Without the request, the
/// thread may have to wait for the whole time slices of workers when there are more workers than processors. Linux
/// supports the request since 6.12; other systems ignore it.
pub fn be_prompt() {
    #[cfg(target_os = "linux")]
    linux::ask_for_short_turns();
}

#[cfg(target_os = "linux")]
mod linux {
    /// Length of a time slice in nanoseconds, the shortest that the system grants.
    pub const TURN: u64 = 100_000;

    /// SCHED_FLAG_RESET_ON_FORK: workers that this thread starts get time slices of the normal length.
    const NOT_INHERITED: u64 = 1;

    /// `struct sched_attr` of sched_setattr(2) in its first version.
    #[repr(C)]
    #[derive(Default)]
    pub struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        pub runtime: u64,
        deadline: u64,
        period: u64,
    }

    pub fn ask_for_short_turns() {
        // SAFETY: getpriority takes numbers only; zero is the calling thread.
        let nice = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
        let size = size_of::<Attributes>() as u32;
        let attributes = Attributes { size, flags: NOT_INHERITED, nice, runtime: TURN, ..Attributes::default() };
        // SAFETY: the structure contains its size and outlives the call; zero is the calling thread.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::thread;

    /// The time slice of the calling thread in nanoseconds; 0 if the system does not report it.
    fn turn() -> u64 {
        let mut attributes = linux::Attributes::default();
        let size = size_of::<linux::Attributes>();
        // SAFETY: the system writes at most the number of bytes that it is given.
        unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) };
        attributes.runtime
    }

    #[test]
    fn short_time_slices_are_not_inherited() {
        let (own, inherited) = thread::spawn(|| {
            be_prompt();
            (turn(), thread::spawn(turn).join().unwrap_or_default())
        })
        .join()
        .unwrap_or_default();
        let usual = turn();
        let is_known = usual > 0;
        assert!(!is_known || own == linux::TURN && inherited == usual, "{own} {inherited} {usual}");
    }
}
