//! Adapts timers and thread scheduling to the operating system, for fast responses to a GUI.

/// Requests precise timers. By default, Windows wakes sleeping threads only every 15.6 ms, which could delay a move by
/// that much.
pub fn sharpen_timers() {
    // SAFETY: `timeBeginPeriod` takes only a number, and the system undoes the request when the process ends.
    #[cfg(windows)]
    unsafe {
        windows::Win32::Media::timeBeginPeriod(1);
    }
}

/// Asks the scheduler to give the calling thread, which never runs for long, short time slices. With normal slices and
/// more workers than processors, the thread may have to wait for whole time slices of workers. Only Linux 6.12 and
/// later support requests for short time slices.
pub fn be_prompt() {
    #[cfg(target_os = "linux")]
    linux::ask_for_short_turns();
}

#[cfg(target_os = "linux")]
mod linux {
    /// Length of the shortest time slice that the system grants, in nanoseconds.
    pub const TURN: u64 = 100_000;

    /// SCHED_FLAG_RESET_ON_FORK: workers started by the calling thread get time slices of normal length.
    const NOT_INHERITED: u64 = 1;

    /// The first version of `struct sched_attr`, which sched_setattr(2) takes.
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
        // SAFETY: `getpriority` takes only numbers, and its second argument, 0, means the calling thread.
        let nice = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
        let size = size_of::<Attributes>() as u32;
        let attributes = Attributes { size, flags: NOT_INHERITED, nice, runtime: TURN, ..Attributes::default() };
        // SAFETY: `attributes` holds its own size and outlives the call. The thread ID 0 means the calling thread.
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
        // SAFETY: the system writes at most `size` bytes, which is the size of `attributes`.
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
