//! The bar on stderr while positions are searched.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub fn of_positions() -> ProgressBar {
    of("positions")
}

pub fn of_problems() -> ProgressBar {
    of("problems")
}

fn of(what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
    let style = ProgressStyle::with_template(&format!("{{bar:24}} {{pos}}/{{len}} {what} {{elapsed}} eta {{eta}}"));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Where a run begins that may have been done in part before.
pub fn begin(bar: &ProgressBar, done: usize, total: usize) {
    bar.set_length(total as u64);
    bar.reset_eta();
    bar.set_position(done as u64);
}
