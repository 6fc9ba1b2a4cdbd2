//! Runs the search of `analyse`, from the start of the workers to the answer.

use super::super::interrupt::Interrupt;
use super::Displays;
use super::screen;
use super::watch::SearchWatch;
use hasami_api::Line;
use hasami_catalog::Speaker;
use hasami_protocol::{Command, Go};
use hasami_terminal::Failure;
use hasami_tree::{Snapshot, worker_name};
use hasami_workers::driver::Driver;
use std::io::Write;
use std::time::{Duration, Instant};

/// Maximum time to wait for a search's answer after its time limit.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum time to wait for workers to start; child engines on the command line have a shorter limit.
const STAFFING: Duration = Duration::from_secs(31);

/// How long to wait for the other workers once one worker is ready: long enough to load networks, but short in case a
/// worker never answers.
const SETTLING: Duration = Duration::from_secs(4);

/// If workers take longer than this to start, a message informs the user.
const QUIET: Duration = Duration::from_secs(1);

/// Starts the workers and runs a search to its end; returns the observer of the search and the last tree.
pub fn run(
    driver: &mut Driver,
    line: &Line,
    go: &Go,
    interrupt: &Interrupt,
    ((screen, page, words), speaker): (Displays, Speaker),
    out: &mut impl Write,
) -> Result<(SearchWatch, Snapshot), Failure> {
    let tree = driver.snapshot();
    let mut watch = SearchWatch::new(tree.game, tree.mate_unit, go.move_time, (screen, page), speaker, words);
    gather(driver, &mut watch, interrupt, out)?;
    driver.command(Command::NewGame, &mut |said| watch.hear(said));
    let tree = search(driver, &mut watch, line, go, interrupt, out)?;
    Ok((watch, tree))
}

/// Searches a position to the engine's answer, and returns the last tree.
pub fn search(
    driver: &mut Driver,
    watch: &mut SearchWatch,
    line: &Line,
    go: &Go,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<Snapshot, Failure> {
    driver.command(Command::Position(line.clone()), &mut |said| watch.hear(said));
    watch.begin(line);
    driver.command(Command::Go(go.clone()), &mut |said| watch.hear(said));
    // Until the new search begins, a snapshot still shows the tree of the previous search.
    let mut tree = driver.snapshot();
    let mut end = go.move_time.map(|time| Instant::now() + time + TIMEOUT);
    let mut is_stopped = false;
    while !watch.is_done() {
        if end.is_some_and(|end| Instant::now() > end) {
            return Err(Failure::no_answer("no answer in time"));
        }
        let is_over = interrupt.is_pressed() || tree.is_decided();
        if is_over && !std::mem::replace(&mut is_stopped, true) {
            end = Some(Instant::now() + TIMEOUT);
            driver.command(Command::Stop, &mut |said| watch.hear(said));
        }
        let frame = Instant::now() + screen::FRAME;
        while !watch.is_done() && Instant::now() < frame {
            driver.step(frame, &mut |said| watch.hear(said));
        }
        tree = newer(driver.snapshot(), tree, watch.is_done()).spoken_by(|moves| watch.speak(moves));
        watch.draw(&tree, out)?;
    }
    Ok(tree)
}

/// Waits until all workers have started or failed, so that their start uses no thinking time.
pub fn gather(
    driver: &mut Driver,
    watch: &mut SearchWatch,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (begun, words) = (Instant::now(), watch.words());
    let (mut is_reported, mut first) = (false, None);
    driver.staff(&mut |said| watch.hear(said));
    while driver.is_preparing() || (!driver.is_staffed() && begun.elapsed() < STAFFING) {
        if first.is_none() && driver.has_players() {
            first = Some(Instant::now());
        }
        if !driver.is_preparing() && first.is_some_and(|first| first.elapsed() >= SETTLING) {
            let names: Vec<_> = driver.awaited_names().into_iter().map(|name| worker_name(name, words)).collect();
            let names = names.join(", ");
            if !names.is_empty() {
                watch.say(&format!("warning: not up yet, and not waited for: {}", (&names)), out)?;
            }
            driver.wait_no_longer();
            break;
        }
        if interrupt.is_pressed() {
            return Err(Failure::no_answer(format!("no answer: {} before the search began", interrupt.signal())));
        }
        if begun.elapsed() > QUIET && !std::mem::replace(&mut is_reported, true) {
            let names: Vec<_> = driver.awaited_names().into_iter().map(|name| worker_name(name, words)).collect();
            let names = names.join(", ");
            let text = match names.is_empty() {
                true if driver.is_preparing() => words.get("waiting-for-memory"),
                true => words.get("waiting-for-cluster"),
                false => words.with("waiting-for-workers", &[("names", (&names).into())]),
            };
            watch.say(&text, out)?;
        }
        driver.step(Instant::now() + screen::FRAME, &mut |said| watch.hear(said));
    }
    if driver.snapshot().workers() == 0 {
        if !driver.absent().is_empty() {
            return Err(Failure::bad_input(driver.absent().join("; ")));
        }
        let reason = watch.last_message().map_or_else(String::new, |message| format!(" ({message})"));
        return Err(Failure::bad_input(format!(
            "no worker of the cluster searches{reason}; --workers 1 searches here"
        )));
    }
    let absent: Vec<&String> = driver.absent().iter().filter(|why| !watch.has_heard(why)).collect();
    absent.into_iter().try_for_each(|why| Ok(watch.say(&format!("warning: {why}"), out)?))
}

/// Returns `new` during a search. After the search, keeps the root and the workers of `old`, because answering frees
/// the workers and may change the root.
fn newer(new: Snapshot, old: Snapshot, is_done: bool) -> Snapshot {
    match is_done {
        false => new,
        true if new.root != old.root => old,
        true => new.with_seats_of(&old),
    }
}
