//! Runs jobs in threads, and returns the results in the order of the jobs.

use crossbeam_channel::bounded;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// While an earlier job is still running, threads may finish up to this many later jobs per thread.
const AHEAD: usize = 64;

/// Runs jobs in threads. Each thread creates a worker, which does one job after another. `take` receives the results in
/// the order of the jobs.
///
/// # Errors Returns the first error of `take`, after which no job begins.
pub fn in_order<J, R: Send, E, W: FnMut(J) -> R>(
    threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let (jobs, taken, quit) = (Mutex::new(jobs.enumerate()), AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, done) = bounded(threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, jobs, taken, quit, worker) = (sender.clone(), &jobs, &taken, &quit, &worker);
            scope.spawn(move || {
                let mut work = worker();
                loop {
                    let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((number, job)) = next else { return };
                    let is_over = || quit.load(Ordering::Relaxed);
                    // Limits the number of results that wait for a slow job.
                    while number > taken.load(Ordering::Relaxed) + AHEAD * threads && !is_over() {
                        thread::park_timeout(Duration::from_millis(20));
                    }
                    if is_over() || sender.send((number, work(job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        let result = done.into_iter().try_for_each(|(number, result)| {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&next) {
                take(result)?;
                next += 1;
                taken.store(next, Ordering::Relaxed);
            }
            Ok(())
        });
        quit.store(true, Ordering::Relaxed);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        for threads in [1, 2, 7] {
            // Later jobs are shorter, so they tend to finish first.
            let worker = || |job: u64| (0..(500 - job) * 50).fold(job, |sum, step| sum ^ step.wrapping_mul(sum | 1));
            let expected: Vec<u64> = (0..500).map(worker()).collect();
            let mut found = Vec::new();
            let done = in_order(threads, 0..500, worker, |result| {
                found.push(result);
                Ok::<(), ()>(())
            });
            assert_eq!((done, found), (Ok(()), expected), "{threads} threads");
        }
    }

    #[test]
    fn the_first_error_ends_all_jobs() {
        let mut taken = 0;
        let result = in_order(
            3,
            0u64..,
            || |job: u64| job,
            |job| {
                taken += 1;
                if job == 9 { Err(job) } else { Ok(()) }
            },
        );
        assert_eq!((result, taken), (Err(9), 10));
    }
}
