//! Training: batches of labelled positions, gradients by threads, steps of AdamW, a rate that falls along a cosine.
//!
//! The same positions, settings and number of threads give the same network to the bit.

use crate::adamw::{Part, Step};
use crate::kernel::{MicroBatch, Share};
use crate::parameters::{Layout, MOST_WEIGHT, Shape, dequantise, quantise, random_start};
use crate::positions::Positions;
use crate::sample::Sample;
use crate::target::Target;
use hasami_nnue::{FeatureSet, OwnNetwork};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::thread;

/// How to train.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Sizes of the network.
    pub shape: Shape,
    /// What it should predict.
    pub target: Target,
    /// How often each position is seen.
    pub epochs: u32,
    /// Positions a step.
    pub batch: usize,
    /// Size of the first steps of AdamW.
    pub rate: f32,
    /// Size of the last ones.
    pub last_rate: f32,
    /// Of the first parameters and of the order of positions.
    pub seed: u64,
    /// At least 1.
    pub threads: usize,
    /// Positions at the end that are only measured, never learned from.
    pub held_out: usize,
}

/// A training that cannot be begun, or cannot go on from a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrainingError {
    /// Too few positions for a batch.
    #[error("expected at least {wanted} positions, found {found}")]
    Few {
        /// With those that are held out.
        wanted: usize,
        /// In the files.
        found: usize,
    },
    /// Too many positions for their numbers.
    #[error("expected at most {most} positions to learn from, found {found}")]
    Many {
        /// As many as there are numbers.
        most: u32,
        /// Without those that are held out.
        found: usize,
    },
    /// The checkpoint is of another network.
    #[error("expected a checkpoint of {wanted} parameters, found one of {found}")]
    Checkpoint {
        /// Of the network's shape.
        wanted: usize,
        /// In the checkpoint.
        found: usize,
    },
    /// The network to begin with has another shape.
    #[error("expected a network of {part} {wanted}, found {found}")]
    Network {
        /// What differs.
        part: &'static str,
        /// In the settings.
        wanted: String,
        /// In the network.
        found: String,
    },
}

/// One step's figures.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Steps done and wanted.
    pub step: u64,
    /// All of them.
    pub steps: u64,
    /// Mean squared error of expected points over the batch.
    pub loss: f32,
    /// Size of the step.
    pub rate: f32,
    /// Positions that could not be read.
    pub unread: usize,
}

/// What lasts from step to step; a checkpoint holds all of it.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Steps done.
    pub step: u64,
    /// Rows, biases, outputs.
    pub parameters: Vec<f32>,
    /// AdamW's means of gradients.
    pub means: Vec<f32>,
    /// AdamW's means of their squares.
    pub squares: Vec<f32>,
}

/// A training in progress.
pub struct Training<'a> {
    settings: Settings,
    positions: &'a Positions,
    features: FeatureSet,
    layout: Layout,
    /// Its lists are by blocks.
    state: State,
    /// By thread.
    gradients: Vec<Vec<f32>>,
    /// The epoch's order of positions, and which epoch that is.
    order: Vec<u32>,
    ordered: Option<u64>,
}

impl<'a> Training<'a> {
    /// Begins from random parameters.
    ///
    /// # Errors
    /// Where there are too few positions for a batch.
    pub fn new(settings: Settings, positions: &'a Positions) -> Result<Self, TrainingError> {
        let features = settings.shape.features();
        let layout = Layout::new(&settings.shape, &features);
        let size = layout.len();
        let parameters = layout.to_blocks(&random_start(&layout, settings.seed));
        let state = State { step: 0, parameters, means: vec![0.0; size], squares: vec![0.0; size] };
        let learned = positions.len().saturating_sub(settings.held_out);
        if learned < settings.batch {
            let wanted = settings.batch.saturating_add(settings.held_out);
            return Err(TrainingError::Few { wanted, found: positions.len() });
        }
        if u32::try_from(learned).is_err() {
            return Err(TrainingError::Many { most: u32::MAX, found: learned });
        }
        let order = (0..learned as u32).collect();
        let gradients = vec![vec![0.0; size]; settings.threads.max(1)];
        Ok(Self { settings, positions, features, layout, state, gradients, order, ordered: None })
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// Where its sizes are not those of the settings.
    pub fn resume(&mut self, state: State) -> Result<(), TrainingError> {
        let (found, wanted) = (state.parameters.len(), self.layout.len());
        if found != wanted || state.means.len() != wanted || state.squares.len() != wanted {
            return Err(TrainingError::Checkpoint { wanted, found });
        }
        let blocks = |list: Vec<f32>| self.layout.to_blocks(&list);
        let (parameters, means, squares) = (state.parameters, state.means, state.squares);
        self.state =
            State { step: state.step, parameters: blocks(parameters), means: blocks(means), squares: blocks(squares) };
        Ok(())
    }

    /// Begins with the parameters of another training, whose steps do not count.
    ///
    /// # Errors
    /// Where their number is not that of the settings.
    pub fn start_from(&mut self, other: State) -> Result<(), TrainingError> {
        self.start_with(other.parameters)
    }

    /// Begins with the parameters of a network, to the precision of its whole numbers. Its scale does not count.
    ///
    /// # Errors
    /// Where its shape is not that of the settings.
    pub fn start_from_network(&mut self, network: &OwnNetwork) -> Result<(), TrainingError> {
        let Shape { game, width, stacks, buckets, .. } = &self.settings.shape;
        let numbers = |values: &[u8]| values.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let of_network = [
            ("--game", network.game.name().to_owned()),
            ("--width", network.width.to_string()),
            ("--outputs", network.stacks.len().to_string()),
            ("--buckets, square by square,", numbers(&network.buckets)),
        ];
        let wanted = [game.name().to_owned(), width.to_string(), stacks.to_string(), numbers(buckets)];
        for ((part, found), wanted) in of_network.into_iter().zip(wanted) {
            if found != wanted {
                return Err(TrainingError::Network { part, wanted, found });
            }
        }
        self.start_with(dequantise(&self.layout, network))
    }

    fn start_with(&mut self, parameters: Vec<f32>) -> Result<(), TrainingError> {
        let zeros = vec![0.0; parameters.len()];
        self.resume(State { step: 0, means: zeros.clone(), squares: zeros, parameters })
    }

    /// What a checkpoint must hold.
    pub fn state(&self) -> State {
        let State { step, parameters, means, squares } = &self.state;
        let rows = |list| self.layout.to_rows(list);
        State { step: *step, parameters: rows(parameters), means: rows(means), squares: rows(squares) }
    }

    /// Steps that are done.
    pub fn steps_done(&self) -> u64 {
        self.state.step
    }

    /// Steps of all epochs.
    pub fn steps(&self) -> u64 {
        self.steps_per_epoch() * u64::from(self.settings.epochs)
    }

    /// Steps of an epoch.
    pub fn steps_per_epoch(&self) -> u64 {
        (self.order.len() / self.settings.batch) as u64
    }

    /// All steps are done.
    pub fn is_done(&self) -> bool {
        self.state.step >= self.steps()
    }

    /// The network as it is now.
    pub fn network(&self, description: &str) -> OwnNetwork {
        quantise(&self.settings.shape, &self.layout, &self.layout.to_rows(&self.state.parameters), description)
    }

    /// Learns from the next batch.
    pub fn step(&mut self) -> Progress {
        let (epoch, batch) =
            (self.state.step / self.steps_per_epoch(), (self.state.step % self.steps_per_epoch()) as usize);
        self.put_in_order(epoch);
        let indices = &self.order[batch * self.settings.batch..][..self.settings.batch];
        let (loss, read) = self.learn(indices.to_vec());
        self.state.step += 1;
        let rate = self.rate();
        self.move_parameters(Step {
            rate,
            number: self.state.step,
            weight: 1.0 / read.max(1) as f32,
            most: MOST_WEIGHT,
        });
        let unread = self.settings.batch - read;
        let loss = loss / read.max(1) as f32;
        Progress { step: self.state.step, steps: self.steps(), loss, rate, unread }
    }

    /// Every epoch has its own order, which depends on nothing but the seed and its number.
    fn put_in_order(&mut self, epoch: u64) {
        if self.ordered != Some(epoch) {
            self.order.sort_unstable();
            let seed = self.settings.seed ^ (epoch + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            self.order.shuffle(&mut StdRng::seed_from_u64(seed));
            self.ordered = Some(epoch);
        }
    }

    fn rate(&self) -> f32 {
        let Settings { rate, last_rate, .. } = self.settings;
        let done = self.state.step as f64 / self.steps() as f64;
        let warm = (self.state.step as f32 / 100.0).min(1.0);
        warm * (last_rate + (rate - last_rate) * (0.5 + 0.5 * (std::f64::consts::PI * done).cos()) as f32)
    }

    /// Sums the gradients of these positions by thread; returns the sum of squared errors and the number of those read.
    fn learn(&mut self, indices: Vec<u32>) -> (f32, usize) {
        let share = Share {
            layout: &self.layout,
            features: &self.features,
            target: self.settings.target,
            parameters: &self.state.parameters,
        };
        let (positions, part) = (self.positions, indices.len().div_ceil(self.gradients.len()));
        let work = |indices: &[u32], gradient: &mut [f32]| {
            let (mut micro_batch, mut sample) = (MicroBatch::new(share.layout), Sample::default());
            let (mut loss, mut read) = (0.0, 0);
            for &index in indices {
                if positions.read(index as usize, &mut sample) {
                    share.push(&sample, &mut micro_batch);
                    read += 1;
                }
                if micro_batch.is_full() {
                    loss += share.learn(&mut micro_batch, gradient);
                }
            }
            (loss + share.learn(&mut micro_batch, gradient), read)
        };
        let jobs: Vec<_> = indices.chunks(part).zip(&mut self.gradients).collect();
        let done = in_threads(jobs, |(indices, gradient)| work(indices, gradient));
        done.into_iter().fold((0.0, 0), |(loss, read), (more, count)| (loss + more, read + count))
    }

    fn move_parameters(&mut self, step: Step) {
        // Whole cache lines to each thread.
        let size = self.layout.len().div_ceil(self.gradients.len()).next_multiple_of(16);
        let mut shares: Vec<_> = self.gradients.iter_mut().map(|gradient| gradient.chunks_mut(size)).collect();
        let State { parameters, means, squares, .. } = &mut self.state;
        let chunks = parameters.chunks_mut(size).zip(means.chunks_mut(size)).zip(squares.chunks_mut(size));
        let jobs: Vec<_> = chunks
            .map(|((parameters, means), squares)| {
                let gradients = shares.iter_mut().filter_map(Iterator::next).collect();
                Part { parameters, means, squares, gradients }
            })
            .collect();
        in_threads(jobs, |mut job| job.step(step));
    }

    /// Mean squared error over the positions held out; `None` without any.
    pub fn held_out_loss(&self) -> Option<f32> {
        let share = Share {
            layout: &self.layout,
            features: &self.features,
            target: self.settings.target,
            parameters: &self.state.parameters,
        };
        let indices: Vec<usize> = (self.order.len()..self.positions.len()).collect();
        let jobs: Vec<_> = indices.chunks(indices.len().div_ceil(self.gradients.len()).max(1)).collect();
        let sums = in_threads(jobs, |indices| {
            let (mut micro_batch, mut sample) = (MicroBatch::new(share.layout), Sample::default());
            let (mut loss, mut count) = (0.0, 0u64);
            for &index in indices {
                if self.positions.read(index, &mut sample) {
                    share.push(&sample, &mut micro_batch);
                    count += 1;
                }
                if micro_batch.is_full() {
                    loss += share.measure(&mut micro_batch);
                }
            }
            (loss + share.measure(&mut micro_batch), count)
        });
        let (loss, count) = sums.into_iter().fold((0.0, 0), |(loss, count), (l, c)| (loss + l, count + c));
        (count > 0).then(|| (loss / count as f64) as f32)
    }
}

/// Does the jobs at the same time; results in their order.
fn in_threads<J: Send, R: Send>(jobs: Vec<J>, work: impl Fn(J) -> R + Sync) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = jobs.into_iter().map(|job| scope.spawn(move || work(job))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread of the trainer panicked")).collect()
    })
}
