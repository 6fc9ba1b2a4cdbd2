//! The subcommand `hasami-lab worth`: rates workers by the quality of their moves.

use super::machines::{self, Machines};
use hasami_api::MoveText;
use hasami_catalog::{Catalog, Games};
use hasami_lab::virtual_cluster::{Trial, TrialOutcome};
use hasami_lab::worth::curve::{self, Rung};
use hasami_lab::worth::judged::{JudgedMoves, JudgedPosition};
use hasami_matches::record;
use hasami_protocol::{Go, Settings};
use hasami_terminal::bar::Bar;
use hasami_terminal::{Failure, options, place, values};
use hasami_words::text::counted;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Measure how many points the moves of a virtual cluster lose, compared with one worker
///
/// The judge is an engine whose long searches have ranked the moves of many positions, in a journal of `hasami-lab
/// learn`. Every position is searched with empty tables by the cluster, and by one worker for several multiples of the
/// cluster's time. The worth of the cluster is how many times as long one worker must search to lose as few points. The
/// measurement gives the same result on every machine.
#[derive(clap::Args)]
pub struct Worth {
    /// Files of the games from which the judge's journal was made
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,

    /// The judge's journal
    #[arg(long, value_name = "FILE", default_value = "learn.jsonl")]
    journal: PathBuf,

    /// The game
    #[arg(long, default_value = place::ANY_GAME)]
    game: String,

    #[command(flatten)]
    machines: Machines,

    /// Virtual seconds per position
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = values::seconds)]
    time: Duration,

    /// Milliseconds by which the cluster must answer early
    #[arg(long, value_name = "MS", default_value = "50", value_parser = values::milliseconds)]
    penalty: Duration,

    /// Multiples of the time that one worker gets, ascending; 0: no comparison
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4,8,16")]
    times: Vec<u16>,

    /// Use only the first N positions of the journal
    #[arg(long, value_name = "N")]
    positions: Option<usize>,

    /// Seed of the confidence interval
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// An engine option of the cluster (may be repeated)
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// Number of clusters to run at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    /// Write the move and the loss of every search as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// All searches of one position: a single worker's move for each thinking time, and the cluster's result.
struct Searches {
    alone: Vec<Option<MoveText>>,
    together: TrialOutcome,
}

impl Worth {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let catalog = place::catalog(games, &self.game)?;
        let times = self.rising_times()?;
        let mut settings = machines::settings();
        (settings.overhead, settings.overhead_last) = (self.penalty, self.penalty);
        options::set(&mut settings, catalog, &self.options)?;
        let judged = JudgedPosition::read(catalog, &self.games, &self.journal);
        let mut judged = judged.map_err(Failure::bad_input)?;
        judged.truncate(self.positions.unwrap_or(usize::MAX));
        let bar = Bar::of_positions();
        bar.begin(0, judged.len());
        let found = self.search_all(catalog, &settings, &times, &judged, &bar);
        bar.clear();
        self.conclude(&times, &judged, &found?, out)
    }

    fn rising_times(&self) -> Result<Vec<u16>, Failure> {
        if self.times == [0] {
            return Ok(Vec::new());
        }
        let rises = self.times.windows(2).all(|pair| pair[0] < pair[1]) && self.times.first().is_some_and(|&n| n > 0);
        if rises {
            Ok(self.times.clone())
        } else {
            let found: Vec<String> = self.times.iter().map(u16::to_string).collect();
            Err(Failure::at("--times", format!("expected rising numbers above 0, found {}", found.join(","))))
        }
    }

    /// Searches all positions on several threads, and returns the results in the order of the positions.
    fn search_all(
        &self,
        catalog: &'static dyn Catalog,
        settings: &Settings,
        times: &[u16],
        judged: &[JudgedPosition],
        bar: &Bar,
    ) -> Result<Vec<Searches>, Failure> {
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<Option<Searches>>> = Mutex::new(judged.iter().map(|_| None).collect());
        let work = || -> Result<(), Failure> {
            let alone = Settings { tree_rules: String::new(), ..settings.clone() };
            let mut one = Trial::new(catalog, &alone, self.machines.plan_of(1))?;
            let mut all = Trial::new(catalog, settings, self.machines.plan())?;
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(position) = judged.get(place) else { return Ok(()) };
                let searches = self.search(&mut one, &mut all, times, position);
                found.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(searches);
                bar.advance();
            }
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.concurrency).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(Failure::no_answer("a search has failed"))))
        })?;
        Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect())
    }

    fn search(&self, one: &mut Trial, all: &mut Trial, times: &[u16], position: &JudgedPosition) -> Searches {
        let nodes = |times: u16| (f64::from(self.machines.speed) * self.time.as_secs_f64()) as u64 * u64::from(times);
        let alone = |&times: &u16| one.search(&position.line, Go { nodes: Some(nodes(times)), ..Go::default() }).best;
        Searches {
            alone: times.iter().map(alone).collect(),
            together: all.search(&position.line, Go { move_time: Some(self.time), ..Go::default() }),
        }
    }

    fn conclude(
        &self,
        times: &[u16],
        judged: &[JudgedPosition],
        found: &[Searches],
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let played = |moves| JudgedMoves::new(judged, moves);
        let rungs = (0..times.len()).map(|rung| played(found.iter().map(|searches| searches.alone[rung]).collect()));
        let rungs: Vec<JudgedMoves> = rungs.collect();
        let all = played(found.iter().map(|searches| searches.together.best).collect());
        for (times, rung) in times.iter().zip(&rungs) {
            writeln!(out, "one worker, {times:>3} times the time: {rung}")?;
        }
        let workers = self.machines.workers;
        writeln!(out, "{}: {all}", counted(workers, "worker"))?;
        let ladder: Vec<Rung> = times
            .iter()
            .zip(&rungs)
            .map(|(&times, rung)| Rung { times: times.into(), losses: rung.losses.clone() })
            .collect();
        let worth = curve::worth(&ladder, &all.losses, self.seed);
        let sum = |of: &dyn Fn(&TrialOutcome) -> f64| found.iter().map(|searches| of(&searches.together)).sum::<f64>();
        let (nodes, seconds) = (sum(&|all| all.tally.nodes as f64), sum(&TrialOutcome::seconds) * f64::from(workers));
        let measured = format!(
            "{}; idle {:.1} %, news {:.1} and messages {:.2} a worker and 1,000 nodes",
            counted(judged.len(), "position"),
            100.0 * sum(&|all| all.tally.idle.as_secs_f64()) / seconds,
            sum(&|all| all.tally.news as f64) * 1000.0 / nodes,
            sum(&|all| all.tally.messages as f64) * 1000.0 / nodes
        );
        let line = match worth {
            None => measured,
            Some(worth) => format!(
                "worth {:.2} times one worker's time ({:.2} to {:.2}, 95 %), {measured}",
                worth.value, worth.low, worth.high
            ),
        };
        writeln!(out, "{}", line)?;
        let Some(path) = &self.json else { return Ok(()) };
        let one = times.iter().zip(&rungs).map(|(times, rung)| entry(1, *times, rung));
        let text = json!({ "searches": one.chain([entry(workers, 1, &all)]).collect::<Vec<_>>() });
        record::replace(path, format!("{text:#}\n")).map_err(|error| Failure::unwritable("--json", path, &error))
    }
}

fn entry(workers: u32, times: u16, played: &JudgedMoves) -> Value {
    json!({ "workers": workers, "times": times, "moves": played.texts(), "losses": played.losses })
}
