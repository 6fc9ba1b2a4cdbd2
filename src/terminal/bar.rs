//! A progress bar on stderr that shows the completed steps and the estimated remaining time.

use super::window;
use hasami_words::text::wrapped;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Duration;

/// Interval between updates of the displayed times while no step ends.
const TICK: Duration = Duration::from_millis(500);

/// A progress bar, which is drawn on terminals only.
pub struct Bar {
    bar: ProgressBar,
    /// The template for the text after the numbers.
    tail: String,
}

impl Bar {
    fn new(tail: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
        Self { bar: bar.with_style(style("{bar:24} {pos}/{len}", tail)), tail: tail.to_owned() }
    }

    /// Begins a run of `total` steps, of which `done` were done in earlier runs.
    pub fn begin(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        // The estimate of the remaining time ignores steps of earlier runs.
        self.bar.set_position(done as u64);
        self.bar.reset_eta();
        self.bar.enable_steady_tick(TICK);
    }

    /// Begins a run of unknown length; a step count replaces the bar.
    pub fn begin_without_end(&self, done: usize) {
        self.bar.set_style(style("{pos}", &self.tail));
        self.bar.set_position(done as u64);
        self.bar.enable_steady_tick(TICK);
    }

    /// Advances the bar by one step.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    pub fn set_message(&self, text: String) {
        self.set_message_within(&text, window::size().0.into());
    }

    /// Sets the message, wrapped to the width of the terminal in columns.
    fn set_message_within(&self, text: &str, columns: usize) {
        self.bar.set_message(wrapped(text, columns.saturating_sub(1), 2));
    }

    /// Hides the bar during `write`, so that its output is not mixed with the bar.
    pub fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    pub fn of_positions() -> Self {
        Self::new("positions {elapsed} eta {left}")
    }

    pub fn of_problems() -> Self {
        Self::new("problems {elapsed} eta {left}")
    }

    /// A progress bar that counts games, with a message below it.
    pub fn of_games() -> Self {
        Self::new("{elapsed} eta {left}\n{msg}")
    }
}

fn style(numbers: &str, tail: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(&format!("{numbers} {tail}"));
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left)
}

/// Writes the remaining time, or `-` if it is not known yet.
fn left(state: &ProgressState, out: &mut dyn Write) {
    let eta = state.eta();
    // Writing to a `String` cannot fail.
    let _ = if eta.is_zero() { write!(out, "-") } else { write!(out, "{:#}", HumanDuration(eta)) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Arc, Mutex, PoisonError};

    /// A terminal of 80 columns that records what is drawn.
    #[derive(Clone, Debug, Default)]
    struct RecordingTerminal(Arc<Mutex<String>>);

    impl TermLike for RecordingTerminal {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(&format!("{text}\n"))
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Draws a new bar with `message`, and returns the picture.
    fn drawn(message: &str, done: usize) -> String {
        draw(message, |bar| bar.begin(done, 100))
    }

    fn draw(message: &str, begin: impl FnOnce(&Bar)) -> String {
        let (bar, term) = (Bar::of_games(), RecordingTerminal::default());
        bar.set_message_within(message, 80);
        begin(&bar);
        bar.bar.disable_steady_tick();
        bar.bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(term.clone())));
        bar.bar.force_draw();
        term.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The text of each line of the terminal; lines are padded with spaces.
    fn lines(drawn: &str) -> Vec<String> {
        let cells: Vec<char> = drawn.trim_end().chars().collect();
        cells.chunks(80).map(|line| line.iter().collect()).collect()
    }

    #[test]
    fn a_long_message_stays_within_the_terminal() {
        let long =
            "a long name vs another long name: +100 =200 -100 | Elo 12.3 +/- 45.6 | LLR 1.23 (-2.94, 2.94) [0, 5]";
        let drawn = drawn(long, 0);
        let lines = lines(&drawn);
        assert_eq!(lines.len(), 3, "{drawn}");
        assert!(lines[1].starts_with("a long name vs") && lines[2].contains("[0, 5]"), "nothing is cut: {drawn}");
    }

    #[test]
    fn a_run_without_an_end_shows_its_number_and_no_total() {
        let drawn = draw("", |bar| bar.begin_without_end(40));
        let line = lines(&drawn)[0].trim_end().to_owned();
        assert!(line.starts_with("40 ") && line.ends_with("eta -"), "{line}");
    }

    /// The remaining time is unknown until this run has done a step.
    #[test]
    fn an_unknown_time_is_not_shown() {
        assert!([0, 40].iter().all(|&done| lines(&drawn("", done))[0].trim_end().ends_with("eta -")));
    }
}
