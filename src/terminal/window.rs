//! A terminal: its size, and the abilities that redrawing in place needs.

use std::fmt;

/// Everything between these two is shown at once, where a terminal can do that.
pub const BEGIN: &str = "\x1b[?2026h";
pub const END: &str = "\x1b[?2026l";

/// To the beginning of the line so many rows above, and nothing is left from there on.
pub struct EraseRows(pub u16);

impl fmt::Display for EraseRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\x1b[{}F\x1b[J", self.0)
    }
}

/// Columns and rows. A pseudo-terminal whose size nobody has set has 0 of both.
pub fn size() -> (u16, u16) {
    let (columns, rows) = system::size().unwrap_or_default();
    (if columns == 0 { 80 } else { columns }, if rows == 0 { 24 } else { rows })
}

pub use system::understands;

#[cfg(unix)]
mod system {
    /// Every terminal has understood these sequences for decades.
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
    /// Since Windows 10, once it was asked to.
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
