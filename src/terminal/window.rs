//! The size of the terminal, and the control sequences for redrawing in place.

use std::fmt;
use terminal_size::{Height, Width, terminal_size};

/// Output between [`BEGIN`] and [`END`] is shown at once, if the terminal supports synchronized updates.
pub const BEGIN: &str = "\x1b[?2026h";
pub const END: &str = "\x1b[?2026l";

/// Moves the cursor up by this many rows to the beginning of the line, and erases everything from there on.
pub struct EraseRows(pub u16);

impl fmt::Display for EraseRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\x1b[{}F\x1b[J", self.0)
    }
}

/// Returns the columns and rows of the terminal: 80 and 24 if it reports no size, as some pseudo-terminals do.
pub fn size() -> (u16, u16) {
    terminal_size().map_or((80, 24), |(Width(columns), Height(rows))| (columns, rows))
}

/// Returns whether the terminal understands control sequences. Windows 10 and later understand control sequences if
/// they are enabled; other systems are assumed to understand them.
pub fn understands() -> bool {
    anstyle_query::windows::enable_ansi_colors().unwrap_or(true)
}
