//! The terminal: redrawing in place, or plain lines where stdout is none.

use super::view::{self, Status};
use crate::tree::Snapshot;
use crossterm::cursor::MoveToPreviousLine;
use crossterm::queue;
use crossterm::terminal::{self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Between two pictures.
pub const FRAME: Duration = Duration::from_millis(100);

/// Between two lines about the same depth where there is no terminal.
const QUIET: Duration = Duration::from_secs(1);

pub enum Screen {
    Terminal {
        /// Lines drawn last time.
        height: u16,
    },
    Plain {
        depth: u16,
        said: Instant,
    },
}

impl Screen {
    pub fn new(is_terminal: bool) -> Self {
        if is_terminal { Self::Terminal { height: 0 } } else { Self::Plain { depth: 0, said: Instant::now() } }
    }

    /// A line that stays.
    pub fn say(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        self.erase(out)?;
        writeln!(out, "{text}")
    }

    pub fn draw(&mut self, status: &Status, tree: &Snapshot, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Terminal { .. } => {
                let (columns, rows) = size();
                // The last row stays free for the cursor.
                let lines = view::picture(status, tree, usize::from(columns), usize::from(rows).saturating_sub(1));
                queue!(out, BeginSynchronizedUpdate)?;
                self.erase(out)?;
                for line in &lines {
                    writeln!(out, "{line}")?;
                }
                queue!(out, EndSynchronizedUpdate)?;
                *self = Self::Terminal { height: lines.len() as u16 };
            }
            Self::Plain { depth, said } => {
                let Some(info) = status.info else { return Ok(()) };
                if info.depth > *depth || said.elapsed() >= QUIET {
                    (*depth, *said) = (info.depth, Instant::now());
                    writeln!(out, "{}", view::progress(status, info))?;
                }
            }
        }
        out.flush()
    }

    fn erase(&mut self, out: &mut impl Write) -> io::Result<()> {
        if let Self::Terminal { height } = self
            && *height > 0
        {
            queue!(out, MoveToPreviousLine(*height), Clear(ClearType::FromCursorDown))?;
            *height = 0;
        }
        Ok(())
    }
}

/// Columns and rows. A pseudo-terminal whose size nobody has set has 0 of both.
fn size() -> (u16, u16) {
    let (columns, rows) = terminal::size().unwrap_or_default();
    (if columns == 0 { 80 } else { columns }, if rows == 0 { 24 } else { rows })
}
