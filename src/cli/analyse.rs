//! `hasami analyse`: one position, with the master tree growing before one's eyes.

mod screen;
mod view;
mod watch;

use super::Failure;
use super::place::Place;
use crate::driver::Driver;
use crate::protocol::{Command, Go, Settings};
use crate::tree::Snapshot;
use crate::workers::children::ChildSpec;
use hasami_api::Line;
use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use watch::Watch;

/// Analyse a position: the growing master tree, then the answer
#[derive(clap::Args)]
pub struct Analyse {
    #[command(flatten)]
    place: Place,

    /// Moves from the start position
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,

    /// Seconds to think [default: 5, or no limit with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Stop after this many nodes, all workers together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Threads that search [default: one a core, at least 4; none with --child]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1024))]
    workers: Option<u32>,

    /// A child engine, as a command line; may be given more than once
    #[arg(long = "child", value_name = "COMMAND")]
    children: Vec<String>,

    /// Write the tree as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the tree with every number in it
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A search is only waited for so long beyond its own limit.
const PATIENCE: Duration = Duration::from_secs(20);

impl Analyse {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let line = self.place.line(&self.moves)?;
        self.check_children()?;
        let mut driver = Driver::new(self.place.catalog()?, self.settings());
        let outcome = self.search(&mut driver, &line, out);
        driver.end();
        let (watch, tree) = outcome?;
        self.write_files(&tree)?;
        watch.conclude(out)
    }

    fn settings(&self) -> Settings {
        let cores = thread::available_parallelism().map_or(1, NonZero::get) as u32;
        let own = if self.children.is_empty() { cores.max(4) } else { 0 };
        Settings {
            threads: self.workers.unwrap_or(own),
            child_commands: self.children.clone(),
            analyse_mode: true,
            rules: self.place.start().rules,
            ..Settings::default()
        }
    }

    fn check_children(&self) -> Result<(), Failure> {
        let complaint = |e| Failure::BadInput(format!("--child: {e}"));
        self.children.iter().try_for_each(|command| ChildSpec::from_command(command).map(drop).map_err(complaint))
    }

    fn go(&self) -> Go {
        let time = self.time.or((self.nodes.is_none()).then_some(Duration::from_secs(5)));
        Go { move_time: time, nodes: self.nodes, ..Go::default() }
    }

    /// Runs the search to its end; gives what was heard and the tree as it stood.
    fn search(&self, driver: &mut Driver, line: &Line, out: &mut impl Write) -> Result<(Watch, Snapshot), Failure> {
        let mut watch = Watch::new(self.place.catalog()?.name(), self.go().move_time);
        self.gather(driver, &mut watch);
        driver.command(Command::NewGame, &mut |said| watch.hear(said));
        driver.command(Command::Position(line.clone()), &mut |said| watch.hear(said));
        watch.begin();
        driver.command(Command::Go(self.go()), &mut |said| watch.hear(said));
        let end = self.go().move_time.map(|time| Instant::now() + time + PATIENCE);
        let mut tree = driver.snapshot();
        while !watch.is_done() {
            if end.is_some_and(|end| Instant::now() > end) {
                return Err(Failure::NoAnswer("expected an answer in time, found none".into()));
            }
            let frame = Instant::now() + screen::FRAME;
            while !watch.is_done() && Instant::now() < frame {
                driver.step(frame, &mut |said| watch.hear(said));
            }
            tree = newer(driver.snapshot(), tree, watch.is_done());
            watch.draw(&tree, out)?;
        }
        Ok((watch, tree))
    }

    /// Waits until the workers have come up or failed: their start is no thinking time.
    fn gather(&self, driver: &mut Driver, watch: &mut Watch) {
        driver.staff(&mut |said| watch.hear(said));
        let limit = Instant::now() + PATIENCE;
        while !driver.is_staffed() && Instant::now() < limit {
            driver.step(limit, &mut |said| watch.hear(said));
        }
    }

    fn write_files(&self, tree: &Snapshot) -> Result<(), Failure> {
        if let Some(file) = &self.svg {
            write_file("--svg", file, &tree.to_svg())?;
        }
        if let Some(file) = &self.json {
            write_file("--json", file, &tree.to_json())?;
        }
        Ok(())
    }
}

/// The tree to show after `old`. With the answer the workers rise and the root may move; then it is shown as they sat.
fn newer(mut new: Snapshot, old: Snapshot, is_done: bool) -> Snapshot {
    if !is_done {
        return new;
    }
    if new.root != old.root {
        return old;
    }
    for node in new.nodes.iter_mut().filter(|node| node.worker.is_none()) {
        let before = old.nodes.iter().find(|before| before.path == node.path);
        node.worker = before.and_then(|before| before.worker.clone());
    }
    Snapshot { busy: old.busy, ..new }
}

fn write_file(option: &str, file: &Path, text: &str) -> Result<(), Failure> {
    let complaint =
        |e| Failure::BadInput(format!("{option}: expected a file to write, found '{}': {e}", file.display()));
    fs::write(file, text).map_err(complaint)
}

/// Seconds with decimals; `5`, `0.5`.
fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "expected seconds, such as 5 or 0.5".to_string())?;
    let fit = Duration::try_from_secs_f64(value).ok().filter(|time| !time.is_zero() && value <= 1e7);
    fit.ok_or_else(|| "expected seconds above 0".to_string())
}
