//! A thread that ends each search at its deadline, or all searches on request.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use hasami_api::Stop;
use std::io;
use std::thread::{self, JoinHandle};
use std::time::Instant;

enum TimerOrder {
    /// A search has begun and must end by this time.
    Begin(Stop, Option<Instant>),
    Done,
    /// End this search now, and every later one as soon as it begins.
    End,
    /// No more orders will follow.
    Leave,
}

/// Ends all searches from any thread.
#[derive(Clone)]
pub struct Ender(Sender<TimerOrder>);

impl Ender {
    pub fn end(&self) {
        // If the timer is gone, no search is running.
        let _ = self.0.send(TimerOrder::End);
    }
}

pub(super) struct SearchTimer {
    orders: Sender<TimerOrder>,
    thread: Option<JoinHandle<()>>,
}

impl SearchTimer {
    pub(super) fn new() -> io::Result<Self> {
        let (orders, inbox) = crossbeam_channel::unbounded();
        let thread = thread::Builder::new().name("watch".into()).spawn(move || watch(&inbox))?;
        Ok(Self { orders, thread: Some(thread) })
    }

    pub(super) fn ender(&self) -> Ender {
        Ender(self.orders.clone())
    }

    pub(super) fn begin(&self, stop: &Stop, until: Option<Instant>) {
        self.order(TimerOrder::Begin(stop.clone(), until));
    }

    pub(super) fn done(&self) {
        self.order(TimerOrder::Done);
    }

    fn order(&self, order: TimerOrder) {
        // The thread receives orders until the timer is dropped.
        let _ = self.orders.send(order);
    }
}

impl Drop for SearchTimer {
    fn drop(&mut self) {
        self.order(TimerOrder::Leave);
        if let Some(thread) = self.thread.take() {
            // The thread has no result.
            let _ = thread.join();
        }
    }
}

fn watch(inbox: &Receiver<TimerOrder>) {
    let (mut search, mut is_over): (Option<(Stop, Option<Instant>)>, bool) = (None, false);
    loop {
        let until = search.as_ref().and_then(|(_, until)| *until);
        let order = match until {
            Some(until) => inbox.recv_deadline(until),
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match order {
            Ok(TimerOrder::Begin(stop, until)) => search = Some((stop, until)),
            Ok(TimerOrder::Done) => search = None,
            Ok(TimerOrder::End) => is_over = true,
            Err(RecvTimeoutError::Timeout) => end(&mut search),
            Ok(TimerOrder::Leave) | Err(RecvTimeoutError::Disconnected) => return,
        }
        if is_over {
            end(&mut search);
        }
    }
}

fn end(search: &mut Option<(Stop, Option<Instant>)>) {
    if let Some((stop, _)) = search.take() {
        stop.stop();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::time::Duration;

    fn wait(stop: &Stop) {
        let patience = Instant::now() + Duration::from_secs(60);
        while !stop.is_stopped() {
            assert!(Instant::now() < patience, "nobody stops the search");
            thread::yield_now();
        }
    }

    #[test]
    fn a_search_ends_at_its_deadline_and_no_other_does() {
        let watch = SearchTimer::new().unwrap();
        let (early, late, free) = (Stop::new(), Stop::new(), Stop::new());
        watch.begin(&early, Some(Instant::now() + Duration::from_secs(600)));
        watch.done();
        watch.begin(&late, Some(Instant::now()));
        wait(&late);
        watch.begin(&free, None);
        assert!(!early.is_stopped() && !free.is_stopped());
    }

    #[test]
    fn the_end_is_for_this_search_and_for_all_that_follow() {
        let watch = SearchTimer::new().unwrap();
        let (first, second) = (Stop::new(), Stop::new());
        watch.begin(&first, None);
        let ender = watch.ender();
        ender.end();
        wait(&first);
        watch.done();
        watch.begin(&second, Some(Instant::now() + Duration::from_secs(600)));
        wait(&second);
        drop(watch);
        ender.end();
    }
}
