//! Differences between systems in the conversation with a GUI: how exact the timers are, and how soon its threads run.

/// Windows wakes sleepers every 15.6 ms unless somebody asks for better: a move would be late by as much.
pub fn sharpen_timers() {
    // SAFETY: takes a number of milliseconds; the system takes the request back when the process ends.
    #[cfg(windows)]
    unsafe {
        windows::Win32::Media::timeBeginPeriod(1);
    }
}

/// The thread that calls this runs for moments only, and then soon: where there are more workers than processors the system
/// would have it wait for its turn among all of them. Linux from 6.12 on; others refuse, and nothing is lost.
pub fn be_prompt() {
    #[cfg(target_os = "linux")]
    linux::ask_for_short_turns();
}

#[cfg(target_os = "linux")]
mod linux {
    /// Nanoseconds, the shortest turn that the system gives.
    pub const TURN: u64 = 100_000;

    /// SCHED_FLAG_RESET_ON_FORK: workers, which this thread may start, get turns of the usual length.
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
        // SAFETY: getpriority takes numbers only; zero names the calling thread.
        let nice = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
        let size = size_of::<Attributes>() as u32;
        let attributes = Attributes { size, flags: NOT_INHERITED, nice, runtime: TURN, ..Attributes::default() };
        // SAFETY: the structure says how large it is, and outlives the call; zero names the calling thread.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::thread;

    /// The length of the calling thread's turns; 0 where the system does not say.
    fn turn() -> u64 {
        let mut attributes = linux::Attributes::default();
        let size = size_of::<linux::Attributes>();
        // SAFETY: the system fills in as many bytes as it is told that there are.
        unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) };
        attributes.runtime
    }

    #[test]
    fn who_talks_has_short_turns_and_who_is_started_by_it_has_not() {
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
