//! `hasami train`: a network of the program's own format from labelled positions.

mod conditions;
mod loss_log;

use super::data::{unopened, unread_positions};
use super::interrupt::Interrupt;
use super::{Failure, selfplay, values};
use crate::catalog::Games;
use crate::evaluation;
use crate::files::{self, WholeFile, beside};
use crate::words::{Message, Words};
use conditions::Conditions;
use hasami_nnue::NetworkGame;
use hasami_training::{Positions, Progress, Settings, Shape, State, Target, Training, TrainingError};
use loss_log::LossLog;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Steps between two lines of figures.
const TELL: u64 = 100;

/// More than one in so many positions that cannot be read: the file holds something else.
const MOST_UNREAD: usize = 100;

/// Train a network of this program's own format from labelled positions
///
/// Positions are those of `hasami data extract` and `import`; shuffling them is not needed, but makes reading faster where
/// they do not fit into memory. A checkpoint beside the network (OUT.checkpoint) lets the same command go on after a break,
/// and refuses another one; OUT.tsv has the losses, OUT.svg their picture.
#[derive(clap::Args)]
pub struct Train {
    /// The game: chess, shogi
    #[arg(long)]
    game: String,

    /// Files of positions: .bullet, .psv
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,

    /// The network to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Values a side: a multiple of 128
    #[arg(long, value_name = "N", default_value_t = 256)]
    width: usize,

    /// Outputs, chosen by the number of pieces on the board [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=32))]
    outputs: Option<u16>,

    /// Buckets of the own king's square: 32 (chess) or 45 (shogi) numbers from the first rank up, of the files that mirroring
    /// leaves, separated by commas [default: one bucket]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    buckets: Vec<u8>,

    /// How often each position is seen
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    epochs: u32,

    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    batch: u32,

    /// Size of the first steps of AdamW
    #[arg(long, value_name = "RATE", default_value = "0.001", value_parser = values::learning_rate)]
    rate: f32,

    /// Size of the last ones
    #[arg(long, value_name = "RATE", default_value = "0.00001", value_parser = values::unit)]
    last_rate: f32,

    /// Share of the games' results in what the network learns; the rest is that of the scores
    #[arg(long, value_name = "SHARE", default_value = "0.3", value_parser = values::unit)]
    result_share: f32,

    /// Centipawns of the labels at which 73 % of the points are expected [default: 200 in chess, 600 in shogi]
    #[arg(long, value_name = "CP", value_parser = values::label_scale)]
    label_scale: Option<f32>,

    /// Centipawns of an output of 1.0 of the network [default: as --label-scale]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    scale: Option<u32>,

    /// Positions at the end of the files that are only measured
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    held_out: usize,

    /// Of the first weights and of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Begin with the weights of another training instead of random ones: its checkpoint, or a network of the same shape
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Begin anew, and replace the network and the checkpoint that are there
    #[arg(long)]
    fresh: bool,

    /// Minutes between two checkpoints
    #[arg(long, value_name = "MINUTES", default_value_t = 3, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    checkpoint: u64,

    /// What the file says of itself
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,
}

impl Train {
    pub fn run(&self, games: Games, words: &'static Words, out: &mut impl Write) -> Result<(), Failure> {
        let (_, formats) = selfplay::game(games, &self.game)?;
        self.check_outputs()?;
        let settings = self.settings(formats.game)?;
        let positions = Positions::open(formats.game, &self.positions);
        let positions = positions.map_err(unopened)?;
        let mut training =
            Training::new(settings.clone(), &positions).map_err(|error| Failure::bad_input(refusal(error)))?;
        if let Some(told) = few_unread(&positions, settings.threads)? {
            eprintln!("{}", told.said(words));
        }
        let start = self.start.as_deref().map(|path| (path, files::sha256(path)));
        let start = start.map(|(path, hash)| hash.map_err(|error| Failure::at(path.display().to_string(), error)));
        let conditions = Conditions::new(&settings, &positions, start.transpose()?);
        let checkpoint = self.beside("checkpoint");
        let mut log = LossLog::default();
        if !self.is_new(&checkpoint)? {
            let state = kept(&checkpoint, &conditions)?;
            training.resume(state).map_err(|error| at(&checkpoint)(refusal(error)))?;
            log = LossLog::read(&self.beside("tsv"));
            if !training.is_done() {
                let told = Message::new("training-goes-on").with("step", training.steps_done());
                eprintln!("{}", told.at(checkpoint.display().to_string()).said(words));
            }
        } else if let Some(path) = &self.start {
            begin_with(path, &mut training)?;
        }
        let was_done = training.is_done();
        let interrupt = Interrupt::listen();
        let (begun, first, mut saved) = (Instant::now(), training.steps_done(), Instant::now());
        let (mut sum, mut count) = (0.0, 0u64);
        while !training.is_done() && !interrupt.is_pressed() {
            let progress = training.step();
            (sum, count) = (sum + f64::from(progress.loss), count + 1);
            let ends_epoch = progress.step.is_multiple_of(training.steps_per_epoch());
            if progress.step.is_multiple_of(TELL) || ends_epoch {
                let speed = (progress.step - first) as f64 * f64::from(self.batch) / begun.elapsed().as_secs_f64();
                let held_out = if ends_epoch { training.held_out_loss() } else { None };
                let loss = sum / count as f64;
                log.add(progress.step, loss, held_out);
                eprintln!("{}", step_line(&progress, (loss, held_out), speed).said(words));
                (sum, count) = (0.0, 0);
            }
            if saved.elapsed() >= Duration::from_secs(60 * self.checkpoint) {
                self.save(&training, (&log, words), &conditions)?;
                saved = Instant::now();
            }
        }
        self.save(&training, (&log, words), &conditions)?;
        if was_done {
            let told = Message::new("trained-already").at(self.out.display().to_string());
            return Ok(writeln!(out, "{}", told.said(words))?);
        }
        let state = |name| Message::new(name).at(self.out.display().to_string());
        if !training.is_done() {
            return Err(Failure::no_answer(state("training-not-finished")));
        }
        Ok(writeln!(out, "{}", state("training-is-done").said(words))?)
    }

    fn beside(&self, ending: &str) -> PathBuf {
        beside(&self.out, ending)
    }

    /// What is to be written can be written, and is none of what is read.
    fn check_outputs(&self) -> Result<(), Failure> {
        let outputs = [self.out.clone(), self.beside("checkpoint"), self.beside("tsv"), self.beside("svg")];
        let inputs = || self.positions.iter().chain(&self.start);
        for output in &outputs {
            if let Some(input) = inputs().find(|input| files::are_same(output, input)) {
                let why = Message::new("expected-other-output").with("found", input.display().to_string());
                return Err(Failure::at("--out", why));
            }
            files::can_be_written(output).map_err(at(output))?;
        }
        Ok(())
    }

    /// Whether the training begins: there is nothing yet, or it is not wanted any more.
    fn is_new(&self, checkpoint: &Path) -> Result<bool, Failure> {
        if self.fresh || (!checkpoint.exists() && !self.out.exists()) {
            return Ok(true);
        }
        if !checkpoint.exists() {
            let why = Message::new("training-without-checkpoint").with("checkpoint", checkpoint.display().to_string());
            return Err(Failure::at(self.out.display().to_string(), why));
        }
        Ok(false)
    }

    /// The checkpoint comes last: it says that what is beside it is so far, too.
    fn save(
        &self,
        training: &Training<'_>,
        (log, words): (&LossLog, &Words),
        conditions: &Conditions,
    ) -> Result<(), Failure> {
        let whole = |path: &Path, bytes: &[u8]| files::write_whole(path, bytes).map_err(at(path));
        whole(&self.out, &training.network(&self.description).to_bytes())?;
        whole(&self.beside("tsv"), log.table().as_bytes())?;
        let title = format!("{} {}", self.game, self.out.display());
        whole(&self.beside("svg"), log.picture(&title, words).as_bytes())?;
        let checkpoint = self.beside("checkpoint");
        let failed = |error: std::io::Error| Failure::at(checkpoint.display().to_string(), error);
        let mut file = WholeFile::begin(&checkpoint).map_err(at(&checkpoint))?;
        training.state().write(&conditions.text(), &mut file).map_err(failed)?;
        file.finish().map_err(failed)
    }

    fn settings(&self, game: NetworkGame) -> Result<Settings, Failure> {
        if !self.width.is_multiple_of(128) || !(128..=2_048).contains(&self.width) {
            return Err(Failure::at("--width", Message::new("expected-width").with("found", self.width)));
        }
        let mut shape = Shape::usual(game, self.width);
        if !self.buckets.is_empty() {
            let refused = |why| Failure::at("--buckets", Message::new("buckets-refused").with("why", why));
            shape.set_buckets(&self.buckets).map_err(refused)?;
        }
        shape.stacks = self.outputs.map_or(shape.stacks, usize::from);
        let label_scale = self.label_scale.unwrap_or(shape.scale as f32);
        shape.scale = self.scale.unwrap_or(label_scale.round().max(1.0) as u32);
        Ok(Settings {
            shape,
            target: Target { result_share: self.result_share, label_scale },
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            last_rate: self.last_rate,
            seed: self.seed,
            threads: self
                .threads
                .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from),
            held_out: self.held_out,
        })
    }
}

fn refusal(error: TrainingError) -> Message {
    match error {
        TrainingError::Few { wanted, found } => {
            Message::new("expected-more-positions").with("wanted", wanted).with("found", found)
        }
        TrainingError::Many { most, found } => {
            Message::new("expected-fewer-positions").with("most", u64::from(most)).with("found", found)
        }
        TrainingError::Checkpoint { wanted, found } => {
            Message::new("expected-other-checkpoint").with("wanted", wanted).with("found", found)
        }
        TrainingError::Network { part, wanted, found } => {
            Message::new("expected-other-network").with("part", part).with("wanted", wanted).with("found", found)
        }
    }
}

/// What is said of a file that is no checkpoint begins with its name.
fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> Failure + '_ {
    move |error| {
        let (text, name) = (error.to_string(), format!("{}: ", path.display()));
        let why = text.strip_prefix(&name).unwrap_or(&text);
        at(path)(Message::new("unreadable-checkpoint").with("why", why))
    }
}

/// How far the training is: the mean loss of the last steps, that of positions from which nothing is learned, and positions
/// a second.
fn step_line(progress: &Progress, (loss, held_out): (f64, Option<f32>), speed: f64) -> Message {
    let line = Message::new(if held_out.is_some() { "training-step-measured" } else { "training-step" });
    let line = line.with("step", progress.step.to_string()).with("steps", progress.steps.to_string());
    let line = line.with("loss", format!("{loss:.6}")).with("rate", format!("{:.6}", progress.rate));
    let line = line.with("speed", format!("{speed:.0}"));
    held_out.into_iter().fold(line, |line, loss| line.with("held-out", format!("{loss:.6}")))
}

fn at<W: Into<Message>>(path: &Path) -> impl Fn(W) -> Failure + '_ {
    move |why| Failure::at(path.display().to_string(), why)
}

/// Takes over the weights of a network, or those of a checkpoint, which are more precise.
fn begin_with(path: &Path, training: &mut Training<'_>) -> Result<(), Failure> {
    if evaluation::is_own(path) {
        let network = evaluation::read_own(path).map_err(at(path))?;
        return training.start_from_network(&network).map_err(|error| at(path)(refusal(error)));
    }
    let (state, _) = State::read(path).map_err(unreadable(path))?;
    training.start_from(state).map_err(|error| at(path)(refusal(error)))
}

/// The state of a checkpoint of the same training.
fn kept(checkpoint: &Path, conditions: &Conditions) -> Result<State, Failure> {
    let (state, before) = State::read(checkpoint).map_err(unreadable(checkpoint))?;
    match conditions.fault(&before.unwrap_or_default()) {
        None => Ok(state),
        Some(why) => Err(at(checkpoint)(Message::new("fresh-begins-anew").with("why", why))),
    }
}

/// How many positions cannot be read, if there are some; too many are an error.
fn few_unread(positions: &Positions, threads: usize) -> Result<Option<Message>, Failure> {
    let (unread, all) = (positions.unread(threads), positions.len());
    let told = unread_positions(unread, all);
    if unread > all / MOST_UNREAD {
        let why = Message::new("expected-readable-positions").with("game", positions.game().name());
        return Err(Failure::bad_input(why.with("share", MOST_UNREAD).with("found", told)));
    }
    Ok((unread > 0).then_some(told))
}
