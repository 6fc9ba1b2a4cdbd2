//! Trains a network on batches of labelled positions, with AdamW and a learning rate that falls along a cosine.
//!
//! Whatever the number of threads, the same positions and settings give bit-identical networks, because every sum is
//! computed in the order of the positions.

use crate::adamw::{ParameterRange, Step};
use crate::kernel::{Block, MICRO_BATCH, MicroBatch, Share, collect, learn, measure};
use crate::parameters::{COLUMNS, Layout, MOST_WEIGHT, Shape, dequantise, quantise, random_start};
use crate::positions::Positions;
use crate::row_lists::RowCounts;
use crate::sample::Sample;
use crate::target::Target;
use crate::threads::share_out;
use hasami_api::prefetch;
use hasami_nnue::{FeatureSet, OwnNetwork};
use std::iter;
use std::ops::Range;

/// Number of micro-batches whose row sums are in memory at the same time, between the forward and the backward pass.
const GROUP: usize = 128;

/// Estimated cost of updating one row, relative to the cost of one position that contains the row.
const COST_OF_ROW: usize = 8;

/// The bytes of positions are prefetched this many positions ahead, because the positions are scattered over files of
/// several gigabytes.
const AHEAD: usize = 8;

/// The settings of a training run.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Shape of the network to train.
    pub shape: Shape,
    /// The rule for computing the expected points that the network should predict.
    pub target: Target,
    /// Total number of steps, during which the learning rate falls.
    pub steps: u64,
    /// Number of positions per step.
    pub batch: usize,
    /// Learning rate at the beginning of training.
    pub rate: f32,
    /// Learning rate at the end of training.
    pub last_rate: f32,
    /// Seed of the initial parameters.
    pub seed: u64,
    /// Number of threads, at least 1.
    pub threads: usize,
}

/// The reason a training run cannot begin or cannot continue from a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrainingError {
    /// There are not enough positions for a batch.
    #[error("at least {wanted} positions are needed, not {found}")]
    Few {
        /// Number of positions that are needed.
        wanted: usize,
        /// Number of positions that are available.
        found: usize,
    },
    /// The checkpoint belongs to a network of a different shape.
    #[error("the checkpoint has {found} parameters, not {wanted}")]
    Checkpoint {
        /// Number of parameters that the shape in the settings has.
        wanted: usize,
        /// Number of parameters in the checkpoint.
        found: usize,
    },
    /// The shape of the initial network differs from the shape in the settings.
    #[error("the network was made with {part} {found}, not {wanted}")]
    Network {
        /// The name of the property that differs.
        part: &'static str,
        /// The value of the differing property in the settings.
        wanted: String,
        /// The value of the differing property in the network.
        found: String,
    },
}

/// The result of one training step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Number of training steps done so far.
    pub step: u64,
    /// Total number of training steps.
    pub steps: u64,
    /// Mean squared error of the expected points in the batch.
    pub loss: f32,
    /// Learning rate that the step used.
    pub rate: f32,
    /// Number of positions in the batch that could not be read.
    pub unread: usize,
}

/// The state of a training run that persists between steps and is stored in a checkpoint.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Number of training steps done so far.
    pub step: u64,
    /// The parameters of the network: rows, biases, outputs.
    pub parameters: Vec<f32>,
    /// AdamW's running means of the gradients.
    pub means: Vec<f32>,
    /// AdamW's running means of the squared gradients.
    pub squares: Vec<f32>,
}

/// A training run in progress.
pub struct Training {
    settings: Settings,
    features: FeatureSet,
    layout: Layout,
    /// The state of the training run, with its lists in block order.
    state: State,
    gradient: Vec<f32>,
    micro_batches: Vec<MicroBatch>,
    /// Ranges of rows whose updates cost about the same, determined in the first step.
    ranges: Vec<Range<usize>>,
}

/// Losses measured on positions that are not used for training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Mean squared error of the network.
    pub loss: f32,
    /// Mean squared error of always predicting the mean of the targets.
    pub blind: f32,
}

impl Training {
    /// Starts a training run with random parameters.
    pub fn new(settings: Settings) -> Self {
        let features = settings.shape.features();
        let layout = Layout::new(&settings.shape, &features);
        let size = layout.len();
        let parameters = layout.to_blocks(&random_start(&layout, settings.seed));
        let state = State { step: 0, parameters, means: vec![0.0; size], squares: vec![0.0; size] };
        let count = settings.batch.div_ceil(MICRO_BATCH).min(GROUP);
        let micro_batches = (0..count).map(|_| MicroBatch::new(&layout)).collect();
        Self { settings, features, layout, state, gradient: vec![0.0; size], micro_batches, ranges: Vec::new() }
    }

    /// Continues a training run from the state in a checkpoint.
    ///
    /// # Errors
    /// Returns an error if the state does not have as many parameters as the settings require.
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

    /// Starts with the quantized parameters of a network, scaled to the units of these settings. A network that is
    /// narrower than the settings require gets additional values, whose random weights do not affect the outputs yet.
    /// If the king buckets differ, each bucket starts with the weights that the network has for the same squares.
    ///
    /// # Errors
    /// Returns an error if the network is wider than the settings require, or differs in game or number of outputs.
    pub fn start_from_network(&mut self, network: &OwnNetwork) -> Result<(), TrainingError> {
        let shape = &self.settings.shape;
        for ((part, wanted), (_, found)) in shape.properties().into_iter().zip(Shape::of_network(network).properties())
        {
            let may_differ = part == "--buckets" || (part == "--width" && network.width < shape.width);
            if found != wanted && !may_differ {
                return Err(TrainingError::Network { part, wanted, found });
            }
        }
        let parameters = dequantise(&self.settings.shape, &self.layout, network, self.settings.seed);
        let zeros = vec![0.0; parameters.len()];
        self.resume(State { step: 0, means: zeros.clone(), squares: zeros, parameters })
    }

    /// The state to be stored in a checkpoint.
    pub fn state(&self) -> State {
        let State { step, parameters, means, squares } = &self.state;
        let rows = |list| self.layout.to_rows(list);
        State { step: *step, parameters: rows(parameters), means: rows(means), squares: rows(squares) }
    }

    /// Number of training steps done so far.
    pub fn steps_done(&self) -> u64 {
        self.state.step
    }

    /// Total number of training steps.
    pub fn steps(&self) -> u64 {
        self.settings.steps
    }

    /// Returns whether all training steps are done.
    pub fn is_done(&self) -> bool {
        self.state.step >= self.steps()
    }

    /// Returns the network that results from the training so far.
    pub fn network(&self, description: &str) -> OwnNetwork {
        quantise(&self.settings.shape, &self.layout, &self.layout.to_rows(&self.state.parameters), description)
    }

    /// Performs one training step with a batch of positions. `place` maps numbers below [`Settings::batch`] to indices
    /// of positions.
    pub fn step(&mut self, positions: &Positions, place: impl Fn(usize) -> usize + Sync) -> Progress {
        let (mut loss, mut read) = (0.0, 0);
        let size = self.micro_batches.len() * MICRO_BATCH;
        for from in (0..self.settings.batch).step_by(size) {
            let group = from..self.settings.batch.min(from + size);
            self.learn(positions, &place, &group);
            let used = &self.micro_batches[..group.len().div_ceil(MICRO_BATCH)];
            for micro_batch in used {
                (loss, read) = (loss + f64::from(micro_batch.loss), read + micro_batch.len());
            }
            let last = group.end == self.settings.batch;
            if last {
                self.state.step += 1;
            }
            let rate = self.rate();
            let (number, weight) = (self.state.step, 1.0 / read.max(1) as f32);
            self.collect(group.len(), last.then_some(Step { rate, number, weight, most: MOST_WEIGHT }));
        }
        Progress {
            step: self.state.step,
            steps: self.steps(),
            loss: (loss / read.max(1) as f64) as f32,
            rate: self.rate(),
            unread: self.settings.batch - read,
        }
    }

    fn rate(&self) -> f32 {
        let Settings { rate, last_rate, .. } = self.settings;
        let done = self.state.step as f64 / self.steps() as f64;
        let warm = (self.state.step as f32 / 100.0).min(1.0);
        warm * (last_rate + (rate - last_rate) * (0.5 + 0.5 * (std::f64::consts::PI * done).cos()) as f32)
    }

    fn share<'a>(&'a self, parameters: &'a [f32]) -> Share<'a> {
        Share { layout: &self.layout, features: &self.features, target: self.settings.target, parameters }
    }

    /// Runs the forward and backward pass on a group of a batch's positions, up to the gradients of the row sums.
    fn learn(&mut self, positions: &Positions, place: &(impl Fn(usize) -> usize + Sync), group: &Range<usize>) {
        let mut micro_batches = std::mem::take(&mut self.micro_batches);
        let (share, rows) = (self.share(&self.state.parameters), self.layout.rows());
        let parts = group.clone().step_by(MICRO_BATCH).zip(&mut micro_batches);
        let scratch = || (RowCounts::new(rows), Sample::default());
        share_out(self.settings.threads, parts, scratch, |(counts, sample), (from, micro_batch)| {
            micro_batch.clear();
            share.read(positions, (from..group.end.min(from + MICRO_BATCH)).map(place), sample, micro_batch);
            learn(&share, micro_batch, counts);
        });
        self.micro_batches = micro_batches;
    }

    /// Adds the gradients of a group of `positions` positions to the gradients of the rows, one range of rows at a
    /// time. Updates the parameters if `step` is given, which is after the last group of a batch.
    fn collect(&mut self, positions: usize, step: Option<Step>) {
        let micro_batches = &self.micro_batches[..positions.div_ceil(MICRO_BATCH)];
        let biases = self.layout.biases;
        for micro_batch in micro_batches {
            let tail = self.gradient[biases..].iter_mut().zip(micro_batch.tail());
            tail.for_each(|(sum, more)| *sum += more);
        }
        if self.ranges.is_empty() {
            let parts = (2 * self.settings.threads).div_ceil(self.layout.blocks());
            self.ranges = ranges(micro_batches, self.layout.rows(), parts);
        }
        let State { parameters, means, squares, .. } = &mut self.state;
        let mut rest = ParameterRange { parameters, means, squares, gradient: &mut self.gradient };
        let of_block =
            |block: usize| self.ranges.iter().map(move |range| (Some((block, range.start)), range.len() * COLUMNS));
        let sizes = (0..self.layout.blocks()).flat_map(of_block).chain(iter::once((None, usize::MAX)));
        let jobs: Vec<_> = sizes.map(|(rows, size)| (rows, rest.split_off(size))).collect();
        share_out(
            self.settings.threads,
            jobs.into_iter(),
            || (),
            |(), (rows, mut part)| {
                if let Some((block, first)) = rows {
                    let gradient: &mut [Block] = part.gradient.as_chunks_mut().0;
                    collect(micro_batches, block, first, gradient);
                }
                if let Some(step) = step {
                    part.step(step);
                }
            },
        );
    }

    /// Computes the losses of the current network on the positions in `range`; `None` if none of them can be read.
    pub fn measure(&self, positions: &Positions, range: Range<usize>) -> Option<Measured> {
        let share = self.share(&self.state.parameters);
        let parts: Vec<_> = range.clone().step_by(MICRO_BATCH).collect();
        let mut sums = vec![(0.0, [0.0; 2], 0); parts.len()];
        let scratch = || (MicroBatch::new(&self.layout), Sample::default());
        let jobs = parts.into_iter().zip(&mut sums);
        share_out(self.settings.threads, jobs, scratch, |(micro_batch, sample), (from, sums)| {
            micro_batch.clear();
            share.read(positions, from..range.end.min(from + MICRO_BATCH), sample, micro_batch);
            *sums = (measure(&share, micro_batch), micro_batch.moments(), micro_batch.len());
        });
        let add = |all: (f64, [f64; 2], usize), more: (f64, [f64; 2], usize)| {
            (all.0 + more.0, [all.1[0] + more.1[0], all.1[1] + more.1[1]], all.2 + more.2)
        };
        let (loss, [sum, squares], count) = sums.into_iter().fold((0.0, [0.0; 2], 0), add);
        let mean = |sum: f64| sum / count as f64;
        let blind = mean(squares) - mean(sum).powi(2);
        (count > 0).then(|| Measured { loss: mean(loss) as f32, blind: blind as f32 })
    }
}

impl Share<'_> {
    /// Fills a micro-batch with the positions at `places`, except those that cannot be read.
    fn read(
        &self,
        positions: &Positions,
        places: impl Iterator<Item = usize>,
        sample: &mut Sample,
        micro_batch: &mut MicroBatch,
    ) {
        let places: Vec<usize> = places.collect();
        for (index, &place) in places.iter().enumerate() {
            if let Some(&later) = places.get(index + AHEAD) {
                let bytes = positions.bytes(later);
                prefetch(&bytes[0]);
                prefetch(&bytes[bytes.len() - 1]);
            }
            if positions.read(place, sample) {
                self.push(sample, micro_batch);
            }
        }
    }
}

/// Divides all rows into about `parts` ranges of similar cost. A row costs more if more positions contain it.
fn ranges(micro_batches: &[MicroBatch], rows: usize, parts: usize) -> Vec<Range<usize>> {
    let mut costs = vec![COST_OF_ROW; rows];
    for (row, lists) in micro_batches.iter().flat_map(|micro_batch| micro_batch.lists().of_rows(0..rows)) {
        costs[row] += lists.len();
    }
    let most = costs.iter().sum::<usize>().div_ceil(parts);
    let (mut ranges, mut begin, mut sum) = (Vec::new(), 0, 0);
    for (row, cost) in costs.into_iter().enumerate() {
        if sum > 0 && sum + cost > most {
            ranges.push(begin..row);
            (begin, sum) = (row, 0);
        }
        sum += cost;
    }
    ranges.push(begin..rows);
    ranges
}
