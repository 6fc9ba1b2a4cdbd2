//! Ctrl-C: the first ends the search with its answer, the second ends the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell reports of a program that Ctrl-C has ended.
const EXIT_CODE: i32 = 130;

/// Set once Ctrl-C was pressed.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Where that is impossible Ctrl-C ends the program, as it does anyway.
    pub fn listen() -> Self {
        Self::then(|| {})
    }

    /// The same; `act` is called once, by a thread of its own.
    pub fn then(act: impl Fn() + Send + 'static) -> Self {
        let interrupt = Self::default();
        let pressed = Arc::clone(&interrupt.0);
        let listening = ctrlc::set_handler(move || {
            if pressed.swap(true, Ordering::Relaxed) {
                process::exit(EXIT_CODE);
            }
            act();
        });
        if let Err(error) = listening {
            log::warn!("expected to be told of Ctrl-C, found: {error}");
        }
        interrupt
    }

    pub fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
