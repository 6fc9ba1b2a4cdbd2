//! `hasami train`: a network of the program's own format from labelled positions.

use super::interrupt::Interrupt;
use super::{Failure, selfplay};
use crate::catalog::Games;
use crate::pictures::line_chart::{self, NamedCurve};
use hasami_nnue::NetworkGame;
use hasami_training::{Positions, Settings, Shape, State, Target, Training};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Steps between two lines of figures.
const TELL: u64 = 100;

/// Train a network of this program's own format from labelled positions
///
/// Positions are those of `hasami data extract` and `import`; shuffling them is not needed, but makes reading faster where
/// they do not fit into memory. A checkpoint beside the network (OUT.checkpoint) lets the same command go on after a break;
/// OUT.tsv has the losses, OUT.svg their picture.
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
    #[arg(long, value_name = "N", default_value_t = 20)]
    epochs: u32,

    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    batch: u32,

    /// Size of the first steps of AdamW
    #[arg(long, value_name = "RATE", default_value_t = 0.001)]
    rate: f32,

    /// Size of the last ones
    #[arg(long, value_name = "RATE", default_value_t = 0.000_01)]
    last_rate: f32,

    /// Share of the games' results in what the network learns; the rest is that of the scores
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    result_share: f32,

    /// Centipawns of the labels at which 73 % of the points are expected [default: 200 in chess, 600 in shogi]
    #[arg(long, value_name = "CP")]
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

    /// Begin with the weights of another training instead of random ones: its checkpoint
    #[arg(long, value_name = "CHECKPOINT")]
    start: Option<PathBuf>,

    /// Minutes between two checkpoints
    #[arg(long, value_name = "MINUTES", default_value_t = 3)]
    checkpoint: u64,

    /// What the file says of itself
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,
}

impl Train {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let (_, formats) = selfplay::game(games, &self.game)?;
        let positions = Positions::open(formats.game, &self.positions);
        let positions = positions.map_err(|error| Failure::bad_input(error.to_string()))?;
        let mut training = Training::new(self.settings(formats.game)?, &positions).map_err(Failure::bad_input)?;
        let mut log = LossLog::open(&beside(&self.out, "tsv"))?;
        let checkpoint = beside(&self.out, "checkpoint");
        if checkpoint.exists() {
            let state = State::read(&checkpoint).map_err(|error| Failure::bad_input(error.to_string()))?;
            training.resume(state).map_err(|why| Failure::at(checkpoint.display().to_string(), why))?;
            eprintln!("{}: goes on after step {}", checkpoint.display(), training.state().step);
        } else {
            log.clear();
            if let Some(path) = &self.start {
                let state = State::read(path).map_err(|error| Failure::bad_input(error.to_string()))?;
                training.start_from(state).map_err(|why| Failure::at(path.display().to_string(), why))?;
            }
        }
        let interrupt = Interrupt::listen();
        let (begun, first, mut saved) = (Instant::now(), training.state().step, Instant::now());
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
                let measured = held_out.map_or_else(String::new, |loss| format!(", held out {loss:.6}"));
                let (step, steps, rate) = (progress.step, progress.steps, progress.rate);
                eprintln!(
                    "step {step}/{steps}: loss {loss:.6}{measured}, rate {rate:.6}, {speed:.0} positions a second"
                );
                (sum, count) = (0.0, 0);
            }
            if saved.elapsed() >= Duration::from_secs(60 * self.checkpoint) {
                self.save(&training, &log, &checkpoint)?;
                saved = Instant::now();
            }
        }
        self.save(&training, &log, &checkpoint)?;
        let state = if training.is_done() { "trained" } else { "not finished; the same command goes on" };
        Ok(writeln!(out, "{}: {state}", self.out.display())?)
    }

    fn save(&self, training: &Training<'_>, log: &LossLog, checkpoint: &Path) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::bad_input(format!("{}: {error}", self.out.display()));
        training.state().write(checkpoint).map_err(failed)?;
        fs::write(&self.out, training.network(&self.description).to_bytes()).map_err(failed)?;
        log.write().map_err(failed)?;
        let title = format!("{} {}", self.game, self.out.display());
        fs::write(beside(&self.out, "svg"), log.picture(&title)).map_err(failed)
    }

    fn settings(&self, game: NetworkGame) -> Result<Settings, Failure> {
        if !self.width.is_multiple_of(128) || !(128..=2_048).contains(&self.width) {
            let found = self.width;
            return Err(Failure::bad_input(format!("--width: expected a multiple of 128 up to 2048, found {found}")));
        }
        let mut shape = Shape::usual(game, self.width);
        if !self.buckets.is_empty() {
            shape.set_buckets(&self.buckets).map_err(|why| Failure::at("--buckets", why))?;
        }
        shape.stacks = self.outputs.map_or(shape.stacks, usize::from);
        let label_scale = self.label_scale.unwrap_or(shape.scale as f32);
        shape.scale = self.scale.unwrap_or(label_scale.round().max(1.0) as u32);
        let is_share = (0.0..=1.0).contains(&self.result_share);
        if !is_share || label_scale.is_nan() || label_scale <= 0.0 {
            let found = format!("{} and {label_scale}", self.result_share);
            let text = "--result-share and --label-scale: expected a number from 0 to 1 and one above 0, found";
            return Err(Failure::bad_input(format!("{text} {found}")));
        }
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

/// `net.nn` has its log in `net.nn.tsv`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Losses by step.
struct LossLog {
    path: PathBuf,
    rows: Vec<(u64, f64, Option<f32>)>,
}

impl LossLog {
    /// With what an earlier run wrote.
    fn open(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).unwrap_or_default();
        let row = |line: &str| {
            let mut fields = line.split('\t');
            let (step, loss) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
            Some((step, loss, fields.next().and_then(|field| field.parse().ok())))
        };
        Ok(Self { path: path.to_path_buf(), rows: text.lines().filter_map(row).collect() })
    }

    fn clear(&mut self) {
        self.rows.clear();
    }

    fn add(&mut self, step: u64, loss: f64, held_out: Option<f32>) {
        // After a break some steps are done again.
        self.rows.retain(|row| row.0 < step);
        self.rows.push((step, loss, held_out));
    }

    fn write(&self) -> std::io::Result<()> {
        let mut text = String::from("step\tloss\theld out\n");
        for (step, loss, held_out) in &self.rows {
            text += &format!("{step}\t{loss:.7}\t{}\n", held_out.map_or_else(String::new, |loss| format!("{loss:.7}")));
        }
        fs::write(&self.path, text)
    }

    /// Without the first steps, which would flatten the rest.
    fn picture(&self, title: &str) -> String {
        let last = self.rows.last().map_or(0, |row| row.0);
        let rows = || self.rows.iter().filter(move |row| row.0 >= last / 50);
        let learned = rows().map(|row| (row.0 as f64, row.1)).collect();
        let held_out = rows().filter_map(|row| Some((row.0 as f64, f64::from(row.2?)))).collect();
        let curves = [
            NamedCurve { name: "learned".into(), points: learned },
            NamedCurve { name: "held out".into(), points: held_out },
        ];
        line_chart::draw(title, ["steps", "mean squared error of expected points"], &curves)
    }
}
