//! What differs between systems about the conversation with a GUI: how exact the timers are.

/// Windows wakes sleepers every 15.6 ms unless somebody asks for better: a move would be late by as much.
pub fn sharpen_timers() {
    // SAFETY: takes a number of milliseconds; the system takes the request back when the process ends.
    #[cfg(windows)]
    unsafe {
        windows::Win32::Media::timeBeginPeriod(1);
    }
}
