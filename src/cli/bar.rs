//! The bar on stderr while something is under way: how much of it is done, and how long the rest will take.

use crate::words::{Value, Words};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The places of the times, which the bar fills in.
const TIMES: &[(&str, Value<'_>)] = &[("elapsed", Value::Text("{elapsed}")), ("left", Value::Text("{eta}"))];

/// See the module. It is drawn on terminals only.
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// `tail`: what stands behind the numbers.
    fn new(tail: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
        let style = ProgressStyle::with_template(&format!("{{bar:24}} {{pos}}/{{len}} {tail}"));
        Self { bar: bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())) }
    }

    /// Where a run begins that may have been done in part before.
    pub fn begin(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.reset_eta();
        self.bar.set_position(done as u64);
    }

    /// One more is done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    pub fn set_message(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Without the bar, so that `write` does not write into it.
    pub fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    pub fn of_positions(words: &Words) -> Self {
        Self::new(&words.with("bar-of-positions", TIMES))
    }

    pub fn of_problems(words: &Words) -> Self {
        Self::new(&words.with("bar-of-problems", TIMES))
    }

    /// With a message behind it.
    pub fn of_games(words: &Words) -> Self {
        Self::new(&format!("{} | {{msg}}", words.with("bar-times", TIMES)))
    }
}
