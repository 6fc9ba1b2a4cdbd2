//! The screen of `analyse`: a picture that is redrawn in place on a terminal, or plain lines elsewhere.

use super::super::colours::Colours;
use super::view::{self, Status};
use hasami_terminal::window;
use hasami_tree::Snapshot;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Minimum time before the picture on a terminal is redrawn.
pub const FRAME: Duration = Duration::from_millis(100);

/// Minimum time between lines about the same depth, if stdout is not a terminal.
const QUIET: Duration = Duration::from_secs(1);

pub enum Screen {
    Terminal {
        /// Number of lines in the picture on the screen.
        height: u16,
        colours: Colours,
    },
    Plain {
        depth: u16,
        said: Instant,
    },
    /// Prints nothing before the result, because stdout is not a terminal.
    Quiet,
}

impl Screen {
    pub fn new(is_terminal: bool) -> Self {
        if is_terminal && window::understands() {
            Self::Terminal { height: 0, colours: Colours::of(true) }
        } else {
            Self::Plain { depth: 0, said: Instant::now() }
        }
    }

    /// Creates a screen for a series of searches, which shows progress on a terminal only.
    pub fn of_many(is_terminal: bool) -> Self {
        match Self::new(is_terminal) {
            Self::Plain { .. } => Self::Quiet,
            terminal => terminal,
        }
    }

    pub fn colours(&self) -> Colours {
        match self {
            Self::Terminal { colours, .. } => *colours,
            Self::Plain { .. } | Self::Quiet => Colours::of(false),
        }
    }

    /// Returns the width of the terminal in columns, if stdout is a terminal.
    pub fn columns(&self) -> Option<usize> {
        matches!(self, Self::Terminal { .. }).then(|| window::size().0.into())
    }

    /// Prints a line that is not erased by the next picture.
    pub fn say(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        self.erase(out)?;
        writeln!(out, "{text}")
    }

    pub fn draw(&mut self, status: &Status, tree: &Snapshot, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Terminal { colours, .. } => {
                let colours = *colours;
                let (columns, rows) = window::size();
                // The last terminal row is left free for the cursor.
                let lines = view::picture(status, tree, usize::from(columns), usize::from(rows).saturating_sub(1));
                write!(out, "{}", window::BEGIN)?;
                self.erase(out)?;
                for line in &lines {
                    writeln!(out, "{}", colours.paint(line.tone, &line.text))?;
                }
                write!(out, "{}", window::END)?;
                *self = Self::Terminal { height: lines.len() as u16, colours };
            }
            Self::Plain { depth, said } => {
                let Some(info) = status.info() else { return Ok(()) };
                if info.depth > *depth || said.elapsed() >= QUIET {
                    (*depth, *said) = (info.depth, Instant::now());
                    writeln!(out, "{}", view::progress(status, info, view::COLUMNS))?;
                }
            }
            Self::Quiet => {}
        }
        out.flush()
    }

    pub fn erase(&mut self, out: &mut impl Write) -> io::Result<()> {
        if let Self::Terminal { height, .. } = self
            && *height > 0
        {
            write!(out, "{}", window::EraseRows(*height))?;
            *height = 0;
        }
        Ok(())
    }
}
