//! Handles Ctrl-C and SIGTERM: after the first signal, the search ends and its answer is printed; a later signal ends
//! the program.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exit code of a program ended by Ctrl-C, as shells report it.
const EXIT_CODE: i32 = 130;

/// A second signal within this time is ignored, because `timeout` and some scripts signal both a program and its
/// process group.
const TOGETHER: Duration = Duration::from_millis(500);

/// A flag that is set by Ctrl-C or by SIGTERM (from `timeout`, systemd or `docker stop`).
#[derive(Clone, Default)]
pub struct Interrupt {
    pressed: Arc<AtomicBool>,
    /// Whether the signal was SIGTERM.
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Starts to listen for signals. If the program cannot listen, Ctrl-C ends the program immediately, as it does by
    /// default.
    pub fn listen() -> Self {
        Self::then(|| {})
    }

    /// Like [`Self::listen`], but the first signal also calls `act`, on a separate thread.
    pub fn then(act: impl Fn() + Send + 'static) -> Self {
        let interrupt = Self::default();
        let Self { pressed, asked } = interrupt.clone();
        let mut first = None;
        let heard = listen(move |is_request| {
            let now = Instant::now();
            if !pressed.load(Ordering::Relaxed) {
                first = Some(now);
                asked.store(is_request, Ordering::Relaxed);
                pressed.store(true, Ordering::Relaxed);
                act();
            } else if first.is_some_and(|first| now.duration_since(first) >= TOGETHER) {
                process::exit(EXIT_CODE);
            }
        });
        if let Err(error) = heard {
            log::warn!("cannot listen for Ctrl-C: {error}");
        }
        interrupt
    }

    /// Returns the flag that Ctrl-C sets, for code that polls it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.pressed)
    }

    pub fn is_pressed(&self) -> bool {
        self.pressed.load(Ordering::Relaxed)
    }

    /// Returns the name of the signal, for messages.
    pub fn signal(&self) -> &'static str {
        if self.asked.load(Ordering::Relaxed) { "SIGTERM" } else { "Ctrl-C" }
    }
}

/// Calls `act` at each signal, with true for SIGTERM. SIGHUP keeps its default action, because users have `nohup` to
/// ignore it.
#[cfg(unix)]
fn listen(mut act: impl FnMut(bool) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let listen = move || signals.forever().for_each(|signal| act(signal == SIGTERM));
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}

#[cfg(not(unix))]
fn listen(mut act: impl FnMut(bool) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || act(false)).map_err(io::Error::other)
}
