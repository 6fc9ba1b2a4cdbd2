//! Ctrl-C and a polite kill: the first ends the search with its answer, a later one ends the program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The exit code that a shell reports of a program that Ctrl-C has ended.
const EXIT_CODE: i32 = 130;

/// What follows the first signal so closely belongs to it: `timeout` signals a program and its whole group, and a script may
/// do both as well.
const TOGETHER: Duration = Duration::from_millis(500);

/// Set once Ctrl-C was pressed, or the program was asked to end (SIGTERM: timeout, systemd, docker stop).
#[derive(Clone, Default)]
pub struct Interrupt {
    pressed: Arc<AtomicBool>,
    /// It was SIGTERM.
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens from now on. Where that is impossible Ctrl-C ends the program, as it does anyway.
    pub fn listen() -> Self {
        Self::then(|| {})
    }

    /// The same; `act` is called once, by a thread of its own.
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

    /// For those who look at it from elsewhere.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.pressed)
    }

    pub fn is_pressed(&self) -> bool {
        self.pressed.load(Ordering::Relaxed)
    }

    /// What has ended the work, for people.
    pub fn signal(&self) -> &'static str {
        if self.asked.load(Ordering::Relaxed) { "SIGTERM" } else { "Ctrl-C" }
    }
}

/// SIGHUP is left as it is: `nohup` ignores it for those who want to.
#[cfg(unix)]
fn when_asked_to_end(act: impl Fn() + Send + 'static) -> std::io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM])?;
    let listen = move || signals.forever().for_each(|_| act());
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}
