//! The way from the engines' threads to the loop. A channel's own `recv` looks and yields a dozen times before it sleeps,
//! which on busy cores is a change of process each; a loop that waits for a tenth of a second can sleep at once.

use super::player::PlayerNotice;
use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Thread};
use std::time::Instant;

/// Tells the loop something, and wakes it.
#[derive(Clone)]
pub struct Teller {
    /// Dropped before the last wake-up, so that a loop learns that nobody is left.
    sender: Option<Sender<PlayerNotice>>,
    sleeper: Thread,
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.sender = None;
        self.sleeper.unpark();
    }
}

impl Teller {
    /// A loop that is over hears nothing more.
    pub fn tell(&self, notice: PlayerNotice) {
        if let Some(sender) = &self.sender {
            let _ = sender.send(notice);
        }
        self.sleeper.unpark();
    }
}

/// Events that the loop has not heard yet.
pub struct Notices(Receiver<PlayerNotice>);

/// Why there is no notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The deadline has passed.
    Late,
    /// Nobody is left who could tell anything.
    Over,
    /// The match is to end: see [`Notices::next_unless`].
    Stopped,
}

/// For a loop on this thread.
pub fn notices() -> (Teller, Notices) {
    let (sender, receiver) = unbounded();
    (Teller { sender: Some(sender), sleeper: thread::current() }, Notices(receiver))
}

impl Notices {
    /// The next notice; sleeps until there is one, on the thread that called [`notices`].
    pub fn next(&self, deadline: Option<Instant>) -> Result<PlayerNotice, Silence> {
        self.next_unless(&AtomicBool::new(false), deadline)
    }

    /// The same until `stop` is set; whoever sets it wakes the thread.
    pub fn next_unless(&self, stop: &AtomicBool, deadline: Option<Instant>) -> Result<PlayerNotice, Silence> {
        loop {
            if stop.load(Relaxed) {
                return Err(Silence::Stopped);
            }
            match self.0.try_recv() {
                Ok(notice) => return Ok(notice),
                Err(TryRecvError::Disconnected) => return Err(Silence::Over),
                Err(TryRecvError::Empty) => {}
            }
            let Some(deadline) = deadline else {
                thread::park();
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Silence::Late);
            }
            thread::park_timeout(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::player::{PlayerEvent, PlayerId};
    use std::time::Duration;

    #[test]
    fn a_match_that_is_to_end_waits_for_nothing() {
        let (teller, notices) = notices();
        let next = notices.next_unless(&AtomicBool::new(true), None);
        assert_eq!(next.map(|notice| notice.from), Err(Silence::Stopped));
        drop(teller);
    }

    #[test]
    fn a_notice_wakes_the_loop_and_nothing_is_lost() {
        const TOLD: u64 = 2_000;
        let (teller, notices) = notices();
        let told = thread::spawn(move || {
            for number in 0..TOLD {
                let what = PlayerEvent::Gone(String::new().into());
                teller.tell(PlayerNotice { from: PlayerId(number), at: Instant::now(), what });
            }
        });
        let far = Instant::now() + Duration::from_secs(60);
        for number in 0..TOLD {
            let deadline = (number % 2 == 0).then_some(far);
            assert_eq!(notices.next(deadline).map(|notice| notice.from), Ok(PlayerId(number)));
        }
        // The teller goes with its thread.
        assert_eq!(notices.next(None).map(|notice| notice.from), Err(Silence::Over));
        assert!(told.join().is_ok());
    }

    #[test]
    fn a_deadline_ends_the_sleep() {
        let (_teller, notices) = notices();
        assert_eq!(notices.next(Some(Instant::now())).map(|notice| notice.from), Err(Silence::Late));
    }
}
