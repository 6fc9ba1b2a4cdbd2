//! Learns the weights of an evaluation from labelled positions (see `label_chess.py`) and writes the weights file.
//!
//! `cargo run --profile fast -p hasami-tune -- --game chess --out engines/chess/data/weights.txt positions.txt`

mod chess;
mod data;
mod fit;
mod shogi;
mod tunable;

use chess::ChessWeights;
use clap::Parser;
use data::{Data, Labels};
use fit::{Fit, Plan};
use hasami_api::print_weights;
use shogi::ShogiWeights;
use std::path::PathBuf;
use std::process::ExitCode;
use tunable::Tunable;

/// Learns the weights of a handcrafted evaluation by logistic regression.
#[derive(Parser)]
struct Options {
    /// The game: chess or shogi
    #[arg(long)]
    game: String,
    /// Labelled positions, one per line: POSITION;CENTIPAWNS;RESULT
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The weights file to write
    #[arg(long)]
    out: PathBuf,
    /// Source of the labels, for the header of the weights file
    #[arg(long, default_value = "unknown")]
    origin: String,
    #[arg(long, default_value_t = 40)]
    epochs: usize,
    /// First step of each weight, in centipawns
    #[arg(long, default_value_t = 2.0)]
    rate: f32,
    /// Strength of the pull of each weight towards its initial value
    #[arg(long, default_value_t = 1e-9)]
    decay: f32,
    /// Number of centipawns with an expected result of 73 %
    #[arg(long, default_value_t = 170.0)]
    curve: f32,
    /// Weight of the game's result in the target; the rest is the score
    #[arg(long, default_value_t = 0.2)]
    result_share: f32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let outcome = match options.game.as_str() {
        ChessWeights::NAME => tune::<ChessWeights>(&options),
        ShogiWeights::NAME => tune::<ShogiWeights>(&options),
        other => Err(format!("expected --game chess or shogi, found '{other}'")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn tune<T: Tunable>(options: &Options) -> Result<(), String> {
    let labels = Labels { curve: options.curve, result_share: options.result_share };
    let mut data = Data::default();
    for path in &options.data {
        data.read::<T>(path, labels)?;
        eprintln!("{} positions after {}", data.samples.len(), path.display());
    }
    let plan =
        Plan { epochs: options.epochs, rate: options.rate, decay: options.decay, held_out: 0.05, seed: options.seed };
    let mut fit = Fit::new(&data, labels, &T::initial());
    let mut losses = Vec::new();
    fit.run(plan, |epoch, learned, held_out| {
        eprintln!("epoch {epoch:3}  loss {learned:.6}  held out {held_out:.6}");
        losses.push(held_out);
    });
    let header = header(options, data.samples.len(), &losses);
    std::fs::write(&options.out, print_weights(&T::groups(), &fit.rounded(), &header))
        .map_err(|error| format!("{}: {error}", options.out.display()))
}

/// The header of the weights file, which describes the source of the weights.
fn header(options: &Options, positions: usize, losses: &[f32]) -> String {
    let (before, after) = (losses.first().copied().unwrap_or(0.0), losses.last().copied().unwrap_or(0.0));
    format!(
        "Learned by scripts/tune from {positions} positions: {}.\n\
         Curve {}, share of results {}, {} epochs, seed {}; loss on positions held out {before:.6} before, {after:.6} after.\n\
         Each feature: opening and ending, centipawns.",
        options.origin, options.curve, options.result_share, options.epochs, options.seed
    )
}

#[cfg(test)]
mod tests;
