//! Handles Ctrl-C and SIGTERM: the first signal ends the search with its answer, a later one ends the program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The exit code that a shell reports for a program that was ended by Ctrl-C.
const EXIT_CODE: i32 = 130;

/// A second signal within this time counts as part of the first: `timeout` signals both a program and its process
/// group, and a script may do the same.
const TOGETHER: Duration = Duration::from_millis(500);

/// Set once Ctrl-C was pressed or the program received SIGTERM (from timeout, systemd, or docker stop).
#[derive(Clone, Default)]
pub struct Interrupt {
    pressed: Arc<AtomicBool>,
    /// The signal was SIGTERM.
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Starts listening. If that is impossible, Ctrl-C ends the program immediately, as it does by default.
    pub fn listen() -> Self {
        Self::then(|| {})
    }

    /// Like [`Self::listen`], but also calls `act` once, on a separate thread.
    pub fn then(act: impl Fn() + Send + 'static) -> Self {
        let interrupt = Self::default();
        let (pressed, act) = (Arc::clone(&interrupt.pressed), Mutex::new(act));
        let first = OnceLock::new();
        let end = Arc::new(move || {
            let now = Instant::now();
            if pressed.swap(true, Ordering::Relaxed) {
                if now.duration_since(*first.get_or_init(|| now)) >= TOGETHER {
                    process::exit(EXIT_CODE);
                }
                return;
            }
            first.get_or_init(|| now);
            act.lock().unwrap_or_else(PoisonError::into_inner)();
        });
        let pressed = Arc::clone(&end);
        if let Err(error) = ctrlc::set_handler(move || pressed()) {
            log::warn!("expected to be told of Ctrl-C, found: {error}");
        }
        #[cfg(unix)]
        let asked = Arc::clone(&interrupt.asked);
        #[cfg(unix)]
        let ask = move || {
            asked.store(true, Ordering::Relaxed);
            end();
        };
        #[cfg(unix)]
        if let Err(error) = when_asked_to_end(ask) {
            log::warn!("expected to be told of SIGTERM, found: {error}");
        }
        interrupt
    }

    /// The flag itself, for code that polls it elsewhere.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.pressed)
    }

    pub fn is_pressed(&self) -> bool {
        self.pressed.load(Ordering::Relaxed)
    }

    /// The name of the signal, for messages.
    pub fn signal(&self) -> &'static str {
        if self.asked.load(Ordering::Relaxed) { "SIGTERM" } else { "Ctrl-C" }
    }
}

/// SIGHUP keeps its default action, because `nohup` ignores it for users who want that.
#[cfg(unix)]
fn when_asked_to_end(act: impl Fn() + Send + 'static) -> std::io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM])?;
    let listen = move || signals.forever().for_each(|_| act());
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}
