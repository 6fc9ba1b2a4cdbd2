//! The subcommand `hasami-lab speedup`: compares the time that several workers need to reach a depth with that of one
//! worker.

use super::machines::{self, Machines};
use hasami_api::{Line, Rules};
use hasami_catalog::{Catalog, Games};
use hasami_lab::virtual_cluster::{Trial, TrialOutcome};
use hasami_lab::worth::curve;
use hasami_matches::openings::{OpeningOrder, Openings, ReadOpenings};
use hasami_protocol::{Go, Settings};
use hasami_terminal::{Failure, options, place, values};
use hasami_words::text::wrapped;
use std::io::Write;
use std::path::PathBuf;

/// Measure the speedup of a virtual cluster over one worker in reaching a depth
///
/// Each position is searched to the same depth by one worker and by all workers, with empty tables, under the virtual
/// clock of `hasami-lab virtual`, so the result is the same on every machine. This takes minutes where a match takes hours,
/// but only a match shows what the depth is worth.
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
}

impl Speedup {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let catalog = place::catalog(games, &self.game)?;
        let lines = self.lines(catalog)?;
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
        let told = format!(
            "speed-up {} ({} to {}, 95 %) to depth {} with {} workers, {} positions; nodes {} times, idle {:.1} %, \
             news {:.1} and messages {} per worker and 1,000 nodes",
            two(mean.exp()),
            two((mean - error).exp()),
            two((mean + error).exp()),
            self.depth,
            self.machines.workers,
            runs.len(),
            two(all_nodes / sum(&nodes, 0)),
            100.0 * sum(&|run| run.tally.idle.as_secs_f64(), 1) / all_time,
            sum(&|run| run.tally.news as f64, 1) * 1000.0 / all_nodes,
            two(sum(&|run| run.tally.messages as f64, 1) * 1000.0 / all_nodes)
        );
        Ok(writeln!(out, "{}", wrapped(&told, 79, 4))?)
    }
}
