//! The subcommand `hasami-lab speedup`: compares the times that several workers and one worker need to reach a depth.

use super::learn::one_engine;
use super::machines::{self, Machines};
use hasami_api::{Line, Rules};
use hasami_catalog::{Catalog, Games};
use hasami_lab::real_threads::{self, ThreadGain};
use hasami_lab::virtual_cluster::{Trial, TrialOutcome};
use hasami_lab::worth::curve;
use hasami_matches::openings::{OpeningOrder, Openings, ReadOpenings};
use hasami_matches::spec::EngineDraft;
use hasami_protocol::{Go, Settings};
use hasami_terminal::{Failure, options, place, values};
use hasami_words::text::{counted, wrapped};
use std::io::Write;
use std::path::PathBuf;

/// Measure the speedup of a virtual cluster, or of real threads, over one worker in reaching a depth
///
/// Each position is searched to the same depth by one worker and by all workers, with empty tables, under the virtual
/// clock of `hasami-lab virtual`, so the result is the same on every machine. With --real, an engine searches in real
/// time with one thread and with several; no other program should run on the machine. A measurement takes minutes and a
/// match hours, but only a match shows the effect of greater depth on playing strength.
#[derive(clap::Args)]
pub struct Speedup {
    /// File of positions; its extension decides the format: EPD, FEN, PGN, SFEN, CSA or KIF
    file: PathBuf,

    /// The game
    #[arg(long, default_value = place::ANY_GAME)]
    game: String,

    #[command(flatten)]
    machines: Machines,

    /// Depth to reach, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = values::bench_depth)]
    depth: u16,

    /// Number of positions to draw from the file
    #[arg(long, value_name = "N", default_value_t = 40)]
    positions: usize,

    /// Seed of the choice of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// An engine option of the cluster (may be repeated)
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// Measure real threads of an engine on this machine instead of a virtual cluster
    #[arg(long, conflicts_with_all = ["options", "workers", "speed", "delay", "machines"])]
    real: bool,

    /// With --real: numbers of threads that are compared with one
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2", requires = "real", value_parser = clap::value_parser!(u16).range(2..=1024))]
    threads: Vec<u16>,

    /// With --real: the engine, in words as in `hasami match`: cmd=stockfish option.Hash=256
    #[arg(long, value_name = "WORDS", num_args = 1.., default_value = "cmd=hasami", requires = "real")]
    engine: Vec<String>,
}

impl Speedup {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let catalog = place::catalog(games, &self.game)?;
        let lines = self.lines(catalog)?;
        if self.real {
            return self.measure_threads(catalog, &lines, out);
        }
        let mut settings = machines::settings();
        options::set(&mut settings, catalog, &self.options)?;
        let alone = Settings { tree_rules: String::new(), ..settings.clone() };
        let mut one = Trial::new(catalog, &alone, self.machines.plan_of(1))?;
        let mut all = Trial::new(catalog, &settings, self.machines.plan())?;
        let mut runs = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let go = Go { depth: Some(self.depth), ..Go::default() };
            let [a, b] = [one.search(line, go.clone()), all.search(line, go)];
            let (alone, together) = (a.seconds(), b.seconds());
            let place = index + 1;
            writeln!(out, "{place:>4}  one {alone:.2} s  all {together:.2} s  {:.2}", alone / together)?;
            out.flush()?;
            runs.push([a, b]);
        }
        self.conclude(&runs, out)
    }

    fn measure_threads(
        &self,
        catalog: &'static dyn Catalog,
        lines: &[Line],
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let refused = |why: String| Failure::at("--engine", why);
        let spec = one_engine(&self.engine, &EngineDraft::default()).map_err(refused)?;
        let search = |threads| {
            let mut warn = |text: &str| eprintln!("warning: {text}");
            let found = real_threads::search(catalog, &spec, threads, self.depth, lines, &mut warn);
            found.map_err(Failure::no_answer)
        };
        let one = search(1)?;
        let seconds = one.iter().map(|search| search.seconds.ln()).sum::<f64>() / one.len() as f64;
        let (name, depth, count) = (&spec.name, self.depth, counted(lines.len(), "position"));
        writeln!(out, "{name}, depth {depth}, {count}: {:.2} s with one thread (geometric mean)", seconds.exp())?;
        for &threads in &self.threads {
            out.flush()?;
            writeln!(out, "{threads:>4} threads: {}", ThreadGain::new(&one, &search(threads)?))?;
        }
        Ok(())
    }

    fn lines(&self, catalog: &'static dyn Catalog) -> Result<Vec<Line>, Failure> {
        let file = self.file.clone();
        let openings = Openings { order: OpeningOrder::Random, seed: self.seed, ..Openings::of_file(file) };
        let refused = |why: hasami_matches::openings::OpeningsError| Failure::bad_input(why.0);
        let ReadOpenings { mut lines, warning } = openings.read(catalog, Rules::default()).map_err(refused)?;
        if let Some(why) = warning {
            eprintln!("warning: {why}");
        }
        lines.truncate(self.positions);
        let all = 0..lines.len();
        openings.settle(catalog, &mut lines, all).map_err(refused)?;
        Ok(lines)
    }

    fn conclude(&self, runs: &[[TrialOutcome; 2]], out: &mut impl Write) -> Result<(), Failure> {
        let ratios: Vec<f64> = runs.iter().map(|[one, all]| (one.seconds() / all.seconds()).ln()).collect();
        let (mean, error) = curve::mean(&ratios);
        let sum = |of: &dyn Fn(&TrialOutcome) -> f64, who: usize| runs.iter().map(|run| of(&run[who])).sum::<f64>();
        let nodes = |run: &TrialOutcome| run.tally.nodes as f64;
        let workers = f64::from(self.machines.workers);
        let (all_nodes, all_time) = (sum(&nodes, 1), sum(&TrialOutcome::seconds, 1) * workers);
        let two = |value: f64| format!("{value:.2}");
        let text = format!(
            "speed-up {} ({} to {}, 95 %) to depth {} with {}, {}; nodes {} times, idle {:.1} %, \
             news {:.1} and messages {} per worker and 1,000 nodes",
            two(mean.exp()),
            two((mean - error).exp()),
            two((mean + error).exp()),
            self.depth,
            counted(self.machines.workers, "worker"),
            counted(runs.len(), "position"),
            two(all_nodes / sum(&nodes, 0)),
            100.0 * sum(&|run| run.tally.idle.as_secs_f64(), 1) / all_time,
            sum(&|run| run.tally.news as f64, 1) * 1000.0 / all_nodes,
            two(sum(&|run| run.tally.messages as f64, 1) * 1000.0 / all_nodes)
        );
        Ok(writeln!(out, "{}", wrapped(&text, 79, 4))?)
    }
}
