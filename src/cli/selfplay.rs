//! `hasami selfplay`: lets the engine play against itself, to generate training data for networks.

use super::data::ends_in;
use super::interrupt::Interrupt;
use hasami_api::{Line, Rules};
use hasami_catalog::{Catalog, Games};
use hasami_matches::openings::{Openings, ReadOpenings};
use hasami_protocol::Settings;
use hasami_selfplay::{Adjudication, SelfPlayPlan, SelfPlayProgress, USUAL_OPENING_SCORE, usual_hash};
use hasami_terminal::{Failure, place};
use hasami_training::TrainingFormats;
use hasami_words::text::{At, counted};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between two progress messages.
const TELL: Duration = Duration::from_secs(10);

/// Let the engine play games against itself, as training data for networks
///
/// Every game begins with random moves; each later move is searched to a soft limit of nodes. The file contains the
/// games with the score of every move, in viriformat for chess and in the format PACK for shogi. The same command
/// continues an interrupted run; a game depends only on the seed and on its number.
#[derive(clap::Args)]
pub struct SelfPlay {
    /// The game: chess, shogi
    #[arg(long)]
    game: String,

    /// The file of games to write; the conditions are written to FILE.json
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Total number of games in the file
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    games: u64,

    /// Search each move until an iteration ends with this many nodes or more, or until eight times as many nodes are
    /// searched, but at least to depth 1
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,

    /// Number of games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Seed of all random choices; each process needs a different one
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The network [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,

    /// Number of random moves at the beginning of a game; half of the games have one more
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    random_plies: u16,

    /// File of openings, after which the random moves are made (EPD, PGN, SFEN, CSA, KIF)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Replace an opening whose first score is beyond this many centipawns
    #[arg(long, value_name = "CP", default_value_t = USUAL_OPENING_SCORE)]
    opening_score: u16,

    /// Adjudicate a win if both sides agree on a score of CP over PLIES plies, "CP:PLIES"; 0:0: never
    #[arg(long, value_name = "CP:PLIES", default_value = "1500:6", value_parser = pair)]
    win: (u16, u16),

    /// Adjudicate a draw if scores are within CP over PLIES plies, "CP:PLIES", from ply 80 on; 0:0: never
    #[arg(long, value_name = "CP:PLIES", default_value = "8:10", value_parser = pair)]
    draw: (u16, u16),

    /// Adjudicate a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u16).range(1..=4_000))]
    most_plies: u16,

    /// Size of the table of each thread, in MiB [default: 1 to 8, by --nodes]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: Option<u32>,
}

/// Parses two numbers separated by a colon.
fn pair(text: &str) -> Result<(u16, u16), String> {
    let numbers = text.split_once(':').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    numbers.ok_or_else(|| format!("expected two numbers as in 1500:6, found '{text}'"))
}

impl SelfPlay {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let (catalog, formats) = game(games, &self.game)?;
        ends_in(&self.out, formats.games)?;
        let settings = settings(catalog, self.net.as_deref(), self.hash(), 1)?;
        let plan = self.plan(catalog, &settings)?;
        let (interrupt, begun) = (Interrupt::listen(), Instant::now());
        let (mut last_report, mut first) = (begun, None);
        let mut tell = |progress: &SelfPlayProgress| {
            let first = *first.get_or_insert(progress.moves);
            if last_report.elapsed() >= TELL {
                last_report = Instant::now();
                let speed = (progress.moves - first) as f64 / begun.elapsed().as_secs_f64();
                let [wins, draws, losses] = progress.results;
                let (games, moves) = (counted(progress.games, "game"), progress.moves);
                eprintln!("{games}, {moves} moves, {speed:.0} a second, +{wins} ={draws} -{losses}");
            }
        };
        let amount = (self.out.as_path(), self.games, usize::from(self.threads));
        let enough = || interrupt.is_pressed();
        let done = hasami_selfplay::run(catalog, formats, &plan, &settings, amount, &mut tell, &enough);
        self.conclude(&done.map_err(Failure::bad_input)?, &interrupt, out)
    }

    fn hash(&self) -> u32 {
        self.hash.unwrap_or_else(|| usual_hash(self.nodes))
    }

    fn conclude(&self, done: &SelfPlayProgress, interrupt: &Interrupt, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{}, {} in {}", counted(done.games, "game"), counted(done.moves, "move"), self.out.display())?;
        if interrupt.is_pressed() && done.games < self.games {
            return Err(Failure::no_answer(format!(
                "ended by {} after {} of {}; run the same command to continue",
                interrupt.signal(),
                done.games,
                counted(self.games, "game")
            )));
        }
        Ok(())
    }

    fn plan(&self, catalog: &'static dyn Catalog, settings: &Settings) -> Result<SelfPlayPlan, Failure> {
        let openings = self.openings.as_deref().map(|path| openings(catalog, path)).transpose()?;
        let evaluation = settings.network.as_ref().map(|network| network.sha256_text());
        Ok(SelfPlayPlan {
            game: catalog.name(),
            evaluation: evaluation.unwrap_or_default(),
            seed: self.seed,
            nodes: self.nodes,
            random_plies: self.random_plies,
            most_opening_score: self.opening_score,
            hash_mb: self.hash(),
            adjudication: Adjudication {
                win_score: self.win.0,
                win_plies: self.win.1,
                draw_score: self.draw.0,
                draw_plies: self.draw.1,
                most_plies: self.most_plies,
                ..Adjudication::default()
            },
            openings: openings.unwrap_or_default(),
            openings_file: self.openings.as_ref().map(|path| path.display().to_string()),
        })
    }
}

/// Returns the game called `name`, if networks can be trained for it.
pub fn game(games: Games, name: &str) -> Result<(&'static dyn Catalog, &'static TrainingFormats), Failure> {
    let found = games.find(name).and_then(|catalog| Some((catalog, catalog.training()?)));
    found.ok_or_else(|| {
        let names: Vec<_> = games.iter().filter(|game| game.training().is_some()).map(|game| game.name()).collect();
        Failure::bad_input(format!("--game: expected one of {}, found '{name}'", names.join(", ")))
    })
}

/// Returns the settings of engines that evaluate with the network file `net` or, without one, the built-in network.
pub fn settings(catalog: &dyn Catalog, net: Option<&Path>, hash_mb: u32, threads: u32) -> Result<Settings, Failure> {
    let network = place::network(catalog, net)?;
    Ok(Settings { hash_mb, threads, network, ..Settings::default() })
}

fn openings(catalog: &dyn Catalog, path: &Path) -> Result<Vec<Line>, Failure> {
    let read = Openings::of_file(path).read(catalog, Rules::default());
    let ReadOpenings { lines, warning } = read.map_err(|error| Failure::bad_input(format!("--openings {error}")))?;
    if let Some(why) = warning {
        eprintln!("warning: {}", why.at("--openings"));
    }
    for (line, number) in lines.iter().zip(1u64..) {
        let mut referee = catalog.referee(line).map_err(|why| Failure::at("--openings", why))?;
        if let Some((_, ending)) = referee.end() {
            return Err(Failure::at(
                format!("--openings {}", path.display()),
                format!("position {number}: the game is over ({}): {}", ending.word(), referee.to_text()),
            ));
        }
    }
    Ok(lines)
}
