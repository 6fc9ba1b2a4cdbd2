//! `hasami train`: trains a network of the program's own format from labelled positions.

mod conditions;
mod loss_log;
mod network_args;

pub use conditions::Conditions;
pub use network_args::{NetworkArgs, ProgressPrinter};

use super::data::unread_positions;
use super::interrupt::Interrupt;
use super::selfplay;
use hasami_catalog::Games;
use hasami_terminal::{Failure, values};
use hasami_training::{Epochs, Positions, Training};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Time between two checkpoints.
const SAVE: Duration = Duration::from_secs(180);

/// Number of steps between two progress messages.
const TELL: u64 = 100;

/// Reciprocal of the largest accepted share of unreadable positions; with more, the file is assumed to have another
/// format.
const MOST_UNREAD: usize = 100;

/// Train a network of this program's own format from labelled positions
///
/// Positions are made by `hasami data extract` and `import`, and need not be shuffled. The same command continues an
/// interrupted run from OUT.checkpoint; a command with other conditions is refused. OUT.tsv contains the losses.
#[derive(clap::Args)]
pub struct Train {
    /// The game: chess, shogi
    #[arg(long)]
    game: String,

    /// Files of positions: .bullet, .psv
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,

    #[command(flatten)]
    network: NetworkArgs,

    /// Number of passes over the positions, such as 20 or 0.5
    #[arg(long, value_name = "N", default_value = "20", value_parser = values::epochs)]
    epochs: f64,

    /// Number of steps, instead of epochs
    #[arg(long, value_name = "N", conflicts_with = "epochs", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    steps: Option<u64>,

    /// Weight of the games' results in the target; the rest is the weight of the scores
    #[arg(long, value_name = "SHARE", default_value = "0.3", value_parser = values::unit)]
    result_share: f32,

    /// Number of positions at the end of the files that are held out for validation
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    held_out: usize,

    /// Files of positions for validation, preferably from other games
    #[arg(long, value_name = "FILE", conflicts_with = "held_out")]
    held_out_file: Vec<PathBuf>,
}

impl Train {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let (_, formats) = selfplay::game(games, &self.game)?;
        self.network.check_outputs(self.positions.iter().chain(&self.held_out_file))?;
        let mut settings = self.network.settings(formats.game, self.result_share)?;
        let open = |paths: &[PathBuf]| Positions::open(formats.game, paths).map_err(Failure::bad_input);
        let (positions, of_files) = (open(&self.positions)?, open(&self.held_out_file)?);
        let (measured, range, learned) = match self.held_out_file.is_empty() {
            true => {
                let learned = positions.len().saturating_sub(self.held_out);
                (&positions, learned..positions.len(), learned)
            }
            false => (&of_files, 0..of_files.len(), positions.len()),
        };
        let few = |_| {
            let held_out = if self.held_out_file.is_empty() { self.held_out } else { 0 };
            let wanted = settings.batch.saturating_add(held_out);
            let found = positions.len();
            Failure::bad_input(format!("at least {wanted} positions are needed (--held-out and --batch), not {found}"))
        };
        let epochs = Epochs::new(learned, settings.batch, settings.seed).map_err(few)?;
        for positions in [&positions, &of_files] {
            if let Some(warning) = few_unread(positions, settings.threads)? {
                eprintln!("{}", warning);
            }
        }
        settings.steps = self.steps.unwrap_or(((self.epochs * epochs.steps() as f64).round() as u64).max(1));
        let conditions = Conditions::new(&settings, self.source(&positions, &of_files), self.network.hash_of_start()?);
        let mut training = Training::new(settings);
        let (mut log, before) = self.network.begin(&mut training, &conditions)?;
        let was_done = before.is_some() && training.is_done();
        let interrupt = Interrupt::listen();
        if !was_done {
            let first = training.measure(measured, range.clone());
            let mut printer = ProgressPrinter::begin(&training, self.network.batch, first);
            let mut saved = Instant::now();
            while !training.is_done() && !interrupt.is_pressed() {
                let progress = training.step(&positions, epochs.batch(training.steps_done()));
                printer.see(&progress);
                let ends_epoch = progress.step.is_multiple_of(epochs.steps()) || training.is_done();
                if progress.step.is_multiple_of(TELL) || ends_epoch {
                    let found = if ends_epoch { training.measure(measured, range.clone()) } else { None };
                    printer.tell(&progress, found, &mut log);
                }
                if saved.elapsed() >= SAVE {
                    self.network.save(&training, &log, &conditions.text())?;
                    saved = Instant::now();
                }
            }
        }
        self.network.save(&training, &log, &conditions.text())?;
        let conclusion = self.network.conclude(&training, was_done)?;
        Ok(writeln!(out, "{}", conclusion)?)
    }

    /// Returns the conditions that determine the positions to learn from, and the number of passes.
    fn source(&self, positions: &Positions, of_files: &Positions) -> Vec<(&'static str, String)> {
        let mut source = conditions::of_positions(positions);
        match self.steps {
            Some(steps) => source.extend([("--epochs", "-".to_owned()), ("--steps", steps.to_string())]),
            None => source.push(("--epochs", self.epochs.to_string())),
        }
        match self.held_out_file.is_empty() {
            true => source.push(("--held-out", self.held_out.to_string())),
            false => {
                source.extend([("--held-out", "-".to_owned()), ("--held-out-file", conditions::samples(of_files))])
            }
        }
        source
    }
}

/// Returns a warning if some positions cannot be read, or an error if too many cannot be read.
fn few_unread(positions: &Positions, threads: usize) -> Result<Option<String>, Failure> {
    let (unread, all) = (positions.unread(threads), positions.len());
    let warning = unread_positions(unread, all);
    if unread > all / MOST_UNREAD {
        return Err(Failure::bad_input(format!(
            "{warning}; at most one in {} may be unreadable as a position of {}",
            MOST_UNREAD,
            positions.game().name()
        )));
    }
    Ok((unread > 0).then_some(warning))
}
