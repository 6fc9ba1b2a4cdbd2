//! `hasami teach`: trains a new network to reproduce the evaluations of another network.

use super::interrupt::Interrupt;
use super::selfplay::{game, settings};
use super::train::{Conditions, NetworkArgs, ProgressPrinter};
use hasami_catalog::Games;
use hasami_protocol::Settings;
use hasami_selfplay::{Adjudication, Distillation, SelfPlayPlan, USUAL_OPENING_SCORE, usual_hash};
use hasami_terminal::{Failure, values};
use hasami_training::{Epochs, Filter, Positions, Training};
use std::io::Write;
use std::path::PathBuf;

/// Maximum number of positions that are held out for validation. The held-out positions come from the first games, and
/// are at most about one twentieth of all positions.
const HELD_OUT: u64 = 100_000;

/// The checkpoint key for the number of games.
const GAMES: &str = "games=";

/// Train a new network on the evaluations of another one, in one command
///
/// Plays games with few nodes per move, lets the teacher evaluate positions near the games without a search, and trains
/// the network with each position once. The positions stay in memory; only the network (OUT), its losses (OUT.tsv) and
/// a checkpoint (OUT.checkpoint) are written. The same command continues an interrupted run.
#[derive(clap::Args)]
pub struct Teach {
    /// The game: chess, shogi
    #[arg(long)]
    game: String,

    /// The network that labels the positions
    #[arg(long, value_name = "FILE")]
    teacher: PathBuf,

    #[command(flatten)]
    network: NetworkArgs,

    /// Number of positions to learn from
    #[arg(long, value_name = "N", default_value_t = 300_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    positions: u64,

    /// Number of positions generated and learned from at a time; they should come from some thousand games
    #[arg(long, value_name = "N", default_value_t = 1 << 22, value_parser = clap::value_parser!(u32).range(1..))]
    piece: u32,

    /// Search each move of the games until an iteration ends with this many nodes or more, or until eight times as many
    /// nodes are searched, but at least to depth 1
    #[arg(long, value_name = "N", default_value = "30", value_parser = values::nodes)]
    nodes: u64,

    /// Number of random moves at the beginning of a game; half of the games have one more
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(0..=100))]
    random_plies: u16,

    /// Number of random lines, of one to three moves, from every position of a game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    ways: u32,

    /// Keep only positions whose score is within this many centipawns
    #[arg(long, value_name = "CP", default_value_t = 2_500)]
    most_score: u16,
}

impl Teach {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let (catalog, formats) = game(games, &self.game)?;
        self.network.check_outputs(std::iter::once(&self.teacher))?;
        let engine = settings(catalog, Some(&self.teacher), usual_hash(self.nodes), 1)?;
        let mut settings = self.network.settings(formats.game, 0.0)?;
        let batch = self.network.batch as usize;
        settings.steps = (self.positions / batch as u64).max(1);
        let threads = settings.threads;
        let source = Distillation {
            catalog,
            formats,
            plan: self.plan(catalog.name(), &engine),
            settings: engine,
            ways: self.ways,
            filter: Filter { most_score: self.most_score, ..Filter::default() },
        };
        let conditions = Conditions::new(&settings, self.source(&source.plan), self.network.hash_of_start()?);
        let mut training = Training::new(settings);
        let (mut log, before) = self.network.begin(&mut training, &conditions)?;
        let was_done = before.is_some() && training.is_done();
        let interrupt = Interrupt::listen();
        let enough = || interrupt.is_pressed();
        let positions = |bytes| Positions::of(formats.game, bytes);
        let wanted = HELD_OUT.min(self.positions.div_ceil(20)) as usize;
        let held_out =
            if was_done { None } else { source.piece(0, wanted, threads, &enough).map_err(Failure::bad_input)? };
        if let Some((bytes, first)) = held_out {
            let held_out = positions(bytes);
            let of_checkpoint =
                before.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix(GAMES)));
            let mut next = of_checkpoint.and_then(|games| games.parse().ok()).unwrap_or(first);
            let measured = training.measure(&held_out, 0..held_out.len());
            let mut printer = ProgressPrinter::begin(&training, self.network.batch, measured);
            while !training.is_done() && !enough() {
                let left = (training.steps() - training.steps_done()) as usize;
                let size = (self.piece as usize).max(batch).min(left.saturating_mul(batch));
                let piece = source.piece(next, size, threads, &enough).map_err(Failure::bad_input)?;
                let Some((bytes, end)) = piece else { break };
                let piece = positions(bytes);
                let order = Epochs::new(piece.len(), batch, self.network.seed ^ next);
                let order = order.map_err(Failure::bad_input)?;
                let mut last = None;
                for step in 0..order.steps().min(left as u64) {
                    if enough() {
                        // A later run repeats the positions learned since the last checkpoint.
                        return self.network.conclude(&training, false).map(|_| ());
                    }
                    let progress = training.step(&piece, order.batch(step));
                    printer.see(&progress);
                    last = Some(progress);
                }
                next = end;
                let measured = training.measure(&held_out, 0..held_out.len());
                if let Some(progress) = last {
                    printer.tell(&progress, measured, &mut log);
                }
                self.network.save(&training, &log, &format!("{}{GAMES}{next}\n", conditions.text()))?;
            }
        }
        let conclusion = self.network.conclude(&training, was_done)?;
        Ok(writeln!(out, "{}", conclusion)?)
    }

    /// Returns the plan of the self-play games.
    fn plan(&self, game: &'static str, engine: &Settings) -> SelfPlayPlan {
        let evaluation = engine.network.as_ref().map(|network| network.sha256_text());
        SelfPlayPlan {
            game,
            evaluation: evaluation.unwrap_or_default(),
            seed: self.network.seed,
            nodes: self.nodes,
            random_plies: self.random_plies,
            most_opening_score: USUAL_OPENING_SCORE,
            hash_mb: usual_hash(self.nodes),
            adjudication: Adjudication::default(),
            openings: Vec::new(),
            openings_file: None,
        }
    }

    /// Returns the conditions that determine the positions, as the checkpoint stores them.
    fn source(&self, plan: &SelfPlayPlan) -> Vec<(&'static str, String)> {
        vec![
            ("--teacher", plan.evaluation.clone()),
            ("--positions", self.positions.to_string()),
            ("--piece", self.piece.to_string()),
            ("--nodes", self.nodes.to_string()),
            ("--random-plies", self.random_plies.to_string()),
            ("--ways", self.ways.to_string()),
            ("--most-score", self.most_score.to_string()),
        ]
    }
}
