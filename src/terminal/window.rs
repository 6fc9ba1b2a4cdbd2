//! The size of the terminal, and the control sequences for redrawing in place.

use std::fmt;

/// Output between these two sequences is shown at once, if the terminal supports synchronized updates.
pub const BEGIN: &str = "\x1b[?2026h";
pub const END: &str = "\x1b[?2026l";

/// Moves to the beginning of the line this many rows above, and erases everything from there on.
pub struct EraseRows(pub u16);

impl fmt::Display for EraseRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\x1b[{}F\x1b[J", self.0)
    }
}

/// Columns and rows of the terminal. A pseudo-terminal without a size reports 0 for both, which is replaced by 80 and
/// 24.
pub fn size() -> (u16, u16) {
    let (columns, rows) = system::size().unwrap_or_default();
    (if columns == 0 { 80 } else { columns }, if rows == 0 { 24 } else { rows })
}

pub use system::understands;

#[cfg(unix)]
mod system {
    /// Always true: every terminal has supported these sequences for decades.
    pub fn understands() -> bool {
        true
    }

    pub fn size() -> Option<(u16, u16)> {
        let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
        let is_known = [libc::STDOUT_FILENO, libc::STDERR_FILENO].into_iter().any(|stream| {
            // SAFETY: the system fills in the structure, which lives as long as the call.
            unsafe { libc::ioctl(stream, libc::TIOCGWINSZ, &raw mut size) == 0 }
        });
        is_known.then_some((size.ws_col, size.ws_row))
    }
}

#[cfg(windows)]
mod system {
    /// Enables the sequences, which Windows supports since version 10.
    pub fn understands() -> bool {
        crossterm::ansi_support::supports_ansi()
    }

    pub fn size() -> Option<(u16, u16)> {
        crossterm::terminal::size().ok()
    }
}

#[cfg(not(any(unix, windows)))]
mod system {
    pub fn understands() -> bool {
        false
    }

    pub fn size() -> Option<(u16, u16)> {
        None
    }
}
