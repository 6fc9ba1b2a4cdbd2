//! Distributes jobs over several threads.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Runs all jobs, and returns when they are done. Each thread creates its own scratch memory and takes jobs one by one.
pub fn share_out<J: Send, S>(
    threads: usize,
    jobs: impl ExactSizeIterator<Item = J> + Send,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J) + Sync,
) {
    let others = threads.min(jobs.len()).saturating_sub(1);
    let jobs = Mutex::new(jobs);
    let work_on = || {
        let mut scratch = scratch();
        loop {
            // The lock on the queue of jobs is released before the job runs.
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(job) = job else { return };
            work(&mut scratch, job);
        }
    };
    thread::scope(|scope| {
        for _ in 0..others {
            scope.spawn(work_on);
        }
        work_on();
    });
}
