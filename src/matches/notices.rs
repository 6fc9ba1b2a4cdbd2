//! The channel from the engines' threads to the match loop. The match loop sleeps at once when no notice is waiting; a
//! channel's `recv` would first yield a dozen times, which causes context switches on busy cores.

use super::player::PlayerNotice;
use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Thread};
use std::time::Instant;

/// Sends notices to the match loop and wakes it.
#[derive(Clone)]
pub struct PlayerNoticeSender {
    /// The channel's sender, dropped before the last wake-up so that the match loop can detect that no sender is left.
    sender: Option<Sender<PlayerNotice>>,
    sleeper: Thread,
}

impl Drop for PlayerNoticeSender {
    fn drop(&mut self) {
        self.sender = None;
        self.sleeper.unpark();
    }
}

impl PlayerNoticeSender {
    /// Sends a notice, which is ignored if the match loop has ended.
    pub fn tell(&self, notice: PlayerNotice) {
        if let Some(sender) = &self.sender {
            let _ = sender.send(notice);
        }
        self.sleeper.unpark();
    }
}

/// Notices that the match loop has not received yet.
pub struct Notices(Receiver<PlayerNotice>);

/// The reason why no notice was received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The deadline has passed.
    Late,
    /// No sender is left.
    Over,
    /// The match was stopped; see [`Notices::next_unless`].
    Stopped,
}

/// Creates a channel to the match loop, which must run on the calling thread.
pub fn notices() -> (PlayerNoticeSender, Notices) {
    let (sender, receiver) = unbounded();
    (PlayerNoticeSender { sender: Some(sender), sleeper: thread::current() }, Notices(receiver))
}

impl Notices {
    /// Waits for the next notice. The caller must be the thread that called [`notices`].
    pub fn next(&self, deadline: Option<Instant>) -> Result<PlayerNotice, Silence> {
        self.next_unless(&AtomicBool::new(false), deadline)
    }

    /// Like [`Self::next`], but returns as soon as `stop` is set. The thread that sets `stop` must wake the waiting
    /// thread.
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
    use crate::player::{PlayerEvent, PlayerId};
    use std::time::Duration;

    #[test]
    fn a_stopped_match_does_not_wait() {
        let (notice_sender, notices) = notices();
        let next = notices.next_unless(&AtomicBool::new(true), None);
        assert_eq!(next.map(|notice| notice.from), Err(Silence::Stopped));
        drop(notice_sender);
    }

    #[test]
    fn a_notice_wakes_the_loop_and_nothing_is_lost() {
        const SENT: u64 = 2_000;
        let (notice_sender, notices) = notices();
        let sending = thread::spawn(move || {
            for number in 0..SENT {
                let what = PlayerEvent::Gone(String::new());
                notice_sender.tell(PlayerNotice { from: PlayerId(number), at: Instant::now(), what });
            }
        });
        let far = Instant::now() + Duration::from_secs(60);
        for number in 0..SENT {
            let deadline = (number % 2 == 0).then_some(far);
            assert_eq!(notices.next(deadline).map(|notice| notice.from), Ok(PlayerId(number)));
        }
        // The sender is dropped when its thread ends.
        assert_eq!(notices.next(None).map(|notice| notice.from), Err(Silence::Over));
        assert!(sending.join().is_ok());
    }

    #[test]
    fn a_deadline_ends_the_sleep() {
        let (_sender, notices) = notices();
        assert_eq!(notices.next(Some(Instant::now())).map(|notice| notice.from), Err(Silence::Late));
    }
}
