//! Arguments that `hasami train` and `hasami teach` share, and the files that they write.

use super::conditions::Conditions;
use super::loss_log::LossLog;
use hasami_catalog::evaluation;
use hasami_nnue::NetworkGame;
use hasami_terminal::{Failure, values};
use hasami_training::{Measured, Progress, Settings, Shape, State, Target, Training};
use hasami_words::files::{self, WholeFile, beside};
use hasami_words::text::{At, counted, span};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Number of values per side, unless the arguments determine it.
const USUAL_WIDTH: usize = 256;

#[derive(clap::Args)]
pub struct NetworkArgs {
    /// The network to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Number of values per side, a multiple of 128 [default: that of --start, or 256]
    #[arg(long, value_name = "N")]
    width: Option<usize>,

    /// Number of outputs, one for each range of piece counts [default: that of --start, or 8 in chess and 32 in shogi]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=32))]
    outputs: Option<u16>,

    /// Bucket for each square of the own king: 32 (chess) or 45 (shogi) numbers separated by commas, from the first
    /// rank up, for the files that remain after mirroring [default: those of --start, or one bucket]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    buckets: Vec<u8>,

    /// Number of positions per step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub batch: u32,

    /// Learning rate of AdamW at the first steps
    #[arg(long, value_name = "RATE", default_value = "0.001", value_parser = values::learning_rate)]
    rate: f32,

    /// Learning rate at the last steps
    #[arg(long, value_name = "RATE", default_value = "0.00001", value_parser = values::unit)]
    last_rate: f32,

    /// Centipawns of the labels at which 73 % of the points are expected [default: 200 in chess, 600 in shogi]
    #[arg(long, value_name = "CP", value_parser = values::label_scale)]
    label_scale: Option<f32>,

    /// Seed of all random choices, including the first weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Number of threads; it changes only the time [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Start from the weights of this network of the program's own format instead of random weights. The network may be
    /// narrower (missing values start at random) and have other buckets
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,

    /// Start again, and replace the existing network and checkpoint
    #[arg(long)]
    fresh: bool,

    /// Description to store in the file
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,
}

impl NetworkArgs {
    pub fn settings(&self, game: NetworkGame, result_share: f32) -> Result<Settings, Failure> {
        let start = self.start.as_ref().map(|path| evaluation::read_own(path).map_err(at(path))).transpose()?;
        let start = start.as_ref().filter(|network| network.game == game);
        let mut shape = start.map_or_else(|| Shape::usual(game, USUAL_WIDTH), Shape::of_network);
        shape.width = self.width.unwrap_or(shape.width);
        if !shape.width.is_multiple_of(128) || !(128..=2_048).contains(&shape.width) {
            return Err(Failure::at(
                "--width",
                format!("expected a multiple of 128 up to 2048, found {}", shape.width),
            ));
        }
        if !self.buckets.is_empty() {
            shape.set_buckets(&self.buckets).map_err(|why| Failure::at("--buckets", why))?;
        }
        shape.stacks = self.outputs.map_or(shape.stacks, usize::from);
        let label_scale = self.label_scale.unwrap_or(shape.scale as f32);
        shape.scale = label_scale.round().clamp(1.0, 10_000.0) as u32;
        Ok(Settings {
            shape,
            target: Target { result_share, label_scale },
            steps: 1,
            batch: self.batch as usize,
            rate: self.rate,
            last_rate: self.last_rate,
            seed: self.seed,
            threads: self.threads.map_or_else(|| values::cores() as usize, usize::from),
        })
    }

    fn beside(&self, ending: &str) -> PathBuf {
        beside(&self.out, ending)
    }

    /// Checks that all output files can be written and that none of them is also an input.
    pub fn check_outputs<'a>(&'a self, inputs: impl Iterator<Item = &'a PathBuf> + Clone) -> Result<(), Failure> {
        let outputs = [self.out.clone(), self.beside("checkpoint"), self.beside("tsv")];
        for output in &outputs {
            if let Some(input) = inputs.clone().chain(&self.start).find(|input| files::are_same(output, input)) {
                return Err(Failure::at("--out", format!("'{}' is also an input; name another file", input.display())));
            }
            files::can_be_written(output).map_err(at(output))?;
        }
        Ok(())
    }

    /// Returns the SHA-256 of the file with the initial weights.
    pub fn hash_of_start(&self) -> Result<Option<String>, Failure> {
        let hash = |path: &PathBuf| files::sha256(path).map_err(at(path));
        self.start.as_ref().map(hash).transpose()
    }

    /// Returns whether the training begins at step 0, because there are no files yet or because existing files are to
    /// be replaced.
    fn is_new(&self) -> Result<bool, Failure> {
        let checkpoint = self.beside("checkpoint");
        if self.fresh || (!checkpoint.exists() && !self.out.exists()) {
            return Ok(true);
        }
        if !checkpoint.exists() {
            return Err(Failure::at(
                self.out.display().to_string(),
                format!("its checkpoint, {}, is missing; --fresh replaces the network", checkpoint.display()),
            ));
        }
        Ok(false)
    }

    /// Begins a training run, or continues an earlier run under the same conditions. Returns the earlier losses, and
    /// the text to store in the checkpoint.
    pub fn begin(
        &self,
        training: &mut Training,
        conditions: &Conditions,
    ) -> Result<(LossLog, Option<String>), Failure> {
        let is_new = self.is_new()?;
        if is_new {
            if let Some(path) = &self.start {
                let network = evaluation::read_own(path).map_err(at(path))?;
                training.start_from_network(&network).map_err(at(path))?;
            }
            return Ok((LossLog::default(), None));
        }
        let checkpoint = self.beside("checkpoint");
        let (state, before) = State::read(&checkpoint).map_err(at(&checkpoint))?;
        if let Some(why) = conditions.fault(&before) {
            return Err(at(&checkpoint)(format!("{why}; --fresh or another --out starts over")));
        }
        training.resume(state).map_err(at(&checkpoint))?;
        if !training.is_done() {
            eprintln!("{}", format!("goes on after step {}", training.steps_done()).at(checkpoint.display()));
        }
        Ok((LossLog::read(&self.beside("tsv")), Some(before)))
    }

    /// Saves the network, the losses and the checkpoint. The checkpoint is written last, because it certifies that
    /// network and losses are complete. `text` contains the conditions of the training, which the checkpoint stores.
    pub fn save(&self, training: &Training, log: &LossLog, text: &str) -> Result<(), Failure> {
        let whole = |path: &Path, bytes: &[u8]| files::write_whole(path, bytes).map_err(at(path));
        whole(&self.out, &training.network(&self.description).to_bytes())?;
        whole(&self.beside("tsv"), log.table().as_bytes())?;
        let checkpoint = self.beside("checkpoint");
        let failed = at(&checkpoint);
        let mut file = WholeFile::begin(&checkpoint).map_err(at(&checkpoint))?;
        training.state().write(text, &mut file).map_err(&failed)?;
        file.finish().map_err(&failed)
    }

    /// Returns the final message of a training run.
    pub fn conclude(&self, training: &Training, was_done: bool) -> Result<String, Failure> {
        let state = |text: &str| text.at(self.out.display());
        match training.is_done() {
            true if was_done => Ok(state("trained already; --fresh or another --out starts again")),
            true => Ok(state("trained")),
            false => Err(Failure::no_answer(state("not finished; the same command continues"))),
        }
    }
}

pub struct ProgressPrinter {
    begun: Instant,
    first: u64,
    batch: u32,
    sum: f64,
    count: u64,
}

impl ProgressPrinter {
    /// Begins the progress output: prints the number of remaining steps and the current held-out loss.
    pub fn begin(training: &Training, batch: u32, measured: Option<Measured>) -> Self {
        let first = training.steps_done();
        let held_out = measured.map_or_else(String::new, |Measured { loss, blind }| {
            format!("; held-out loss: {loss:.6} now, {blind:.6} for a constant evaluation")
        });
        eprintln!("{} of {}{held_out}", counted(training.steps() - first, "step"), counted(batch, "position"));
        Self { begun: Instant::now(), first, batch, sum: 0.0, count: 0 }
    }

    pub fn see(&mut self, progress: &Progress) {
        (self.sum, self.count) = (self.sum + f64::from(progress.loss), self.count + 1);
    }

    /// Prints the mean training loss since the previous line, the held-out loss, the number of positions per second and
    /// the remaining time.
    pub fn tell(&mut self, progress: &Progress, measured: Option<Measured>, log: &mut LossLog) {
        let loss = self.sum / self.count.max(1) as f64;
        let held_out = measured.map(|measured| measured.loss);
        log.add(progress.step, loss, held_out);
        let (done, seconds) = ((progress.step - self.first) as f64, self.begun.elapsed().as_secs_f64());
        let held_out = held_out.map_or_else(String::new, |loss| format!(", held out {loss:.6}"));
        let Progress { step, steps, rate, .. } = progress;
        let speed = done * f64::from(self.batch) / seconds;
        let left = span((seconds / done * (steps - step) as f64) as u64);
        eprintln!(
            "step {step}/{steps}: loss {loss:.6}{held_out}, rate {rate:.6}, {speed:.0} positions per second, {left} left"
        );
        (self.sum, self.count) = (0.0, 0);
    }
}

fn at<W: Display>(path: &Path) -> impl Fn(W) -> Failure + '_ {
    move |why| Failure::at(path.display().to_string(), why)
}
