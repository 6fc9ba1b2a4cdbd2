//! Tests that training lowers the loss, is reproducible and can be resumed, and that the resulting networks predict
//! what they learned.

use crate::played::random_game;
use hasami_api::{Evaluator, Game, Outcome, Start};
use hasami_chess::Chess;
use hasami_nnue::{NetworkEval, NetworkGame};
use hasami_training::{Epochs, Label, LabelledGame, Positions, Settings, Shape, State, Target, Training};
use std::path::{Path, PathBuf};

/// Computes what the networks in these tests learn: the material balance for the side to move, in centipawns.
fn material(game: &Chess) -> i16 {
    let values = [0, 100, 300, 300, 500, 900, 0];
    let balance: i32 = shakmaty::Position::board(game.position())
        .into_iter()
        .map(|(_, piece)| {
            let value = values[piece.role as usize];
            if piece.color == shakmaty::Position::turn(game.position()) { value } else { -value }
        })
        .sum();
    balance as i16
}

fn positions() -> Vec<Chess> {
    let start = Chess::new(&Start::default()).unwrap();
    (0..160).flat_map(|seed| random_game(&start, 150, seed).1).collect()
}

fn write(folder: &Path) -> PathBuf {
    let mut bytes = Vec::new();
    for game in positions() {
        let label = Label { score: material(&game), outcome: Outcome::Draw, ..Label::default() };
        assert!(game.write_position(&label, &mut bytes));
    }
    let path = folder.join("material.bullet");
    std::fs::write(&path, bytes).unwrap();
    path
}

fn settings() -> Settings {
    Settings {
        shape: Shape { game: NetworkGame::Chess, width: 128, stacks: 2, buckets: vec![0; 64], scale: 400 },
        target: Target { result_share: 0.0, label_scale: 400.0 },
        steps: 0,
        batch: 256,
        rate: 0.005,
        last_rate: 0.000_05,
        seed: 5,
        threads: 2,
    }
}

/// Number of positions at the end of the file that are not used for training.
const HELD_OUT: usize = 1_000;

/// Returns the order in which the training positions are used.
fn order(positions: &Positions) -> Epochs {
    Epochs::new(positions.len() - HELD_OUT, 256, 5).unwrap()
}

/// Prepares a training run of `epochs` epochs.
fn begin(positions: &Positions, epochs: u64, settings: Settings) -> Training {
    Training::new(Settings { steps: epochs * order(positions).steps(), ..settings })
}

fn finish(training: &mut Training, positions: &Positions) {
    let order = order(positions);
    while !training.is_done() {
        assert_eq!(training.step(positions, order.batch(training.steps_done())).unread, 0);
    }
}

#[test]
fn a_network_learns_material_and_evaluates_it_in_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let file = Positions::open(NetworkGame::Chess, &[write(folder.path())]).unwrap();
    let mut training = begin(&file, 6, settings());
    let held_out = || file.len() - HELD_OUT..file.len();
    let before = training.measure(&file, held_out()).unwrap();
    finish(&mut training, &file);
    let after = training.measure(&file, held_out()).unwrap();
    assert_eq!(before.blind, after.blind);
    let after = after.loss;
    assert!(after < before.loss / 4.0 && after < before.blind / 4.0, "{before:?} {after}");
    let network = hasami_nnue::read(&training.network("material").to_bytes()).unwrap();
    let mut eval = NetworkEval::new(network.into());
    let mut errors = Vec::new();
    for game in positions().iter().rev().take(1_000) {
        eval.refresh(game);
        let sigmoid = |cp: f64| 1.0 / (1.0 + (-cp / 400.0).exp());
        errors.push((sigmoid(f64::from(eval.evaluate(game))) - sigmoid(f64::from(material(game)))).powi(2));
    }
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    // Apart from rounding, the quantized network predicts as well as the network in training.
    assert!((mean - f64::from(after)).abs() < 0.3 * f64::from(after) + 1e-5, "{mean} {after}");
}

#[test]
fn the_same_seed_gives_the_same_network_even_after_resuming() {
    let folder = tempfile::tempdir().unwrap();
    let positions = Positions::open(NetworkGame::Chess, &[write(folder.path())]).unwrap();
    let settings = settings();
    let mut whole = begin(&positions, 1, settings.clone());
    finish(&mut whole, &positions);
    let mut first = begin(&positions, 1, settings.clone());
    for step in 0..5 {
        first.step(&positions, order(&positions).batch(step));
    }
    let path = folder.path().join("checkpoint");
    first.state().write("seed 5", &mut std::fs::File::create(&path).unwrap()).unwrap();
    let mut second = begin(&positions, 1, settings.clone());
    let (state, conditions) = State::read(&path).unwrap();
    assert_eq!(conditions, "seed 5");
    second.resume(state).unwrap();
    finish(&mut second, &positions);
    assert_eq!(second.network(""), whole.network(""));
    let mut other = begin(&positions, 1, Settings { seed: 6, ..settings });
    finish(&mut other, &positions);
    assert_ne!(other.network(""), whole.network(""));
}

/// The thread that computes a sum does not matter, because every sum is computed in the order of the positions.
#[test]
fn the_number_of_threads_does_not_change_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let positions = Positions::open(NetworkGame::Chess, &[write(folder.path())]).unwrap();
    let learned = |threads| {
        // The batch is larger than a micro-batch, and not a whole number of micro-batches.
        let mut training = Training::new(Settings { steps: 4, batch: 1_700, threads, ..settings() });
        let order = Epochs::new(positions.len(), 1_700, 5).unwrap();
        (0..4).for_each(|step| _ = training.step(&positions, order.batch(step)));
        (training.state(), training.measure(&positions, 0..5_000))
    };
    let one = learned(1);
    for threads in [2, 3, 16] {
        assert!(learned(threads) == one, "{threads} threads");
    }
}

#[test]
fn invalid_files_are_rejected_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short");
    std::fs::write(&path, [0; 33]).unwrap();
    let error = Positions::open(NetworkGame::Chess, &[&path]).err().unwrap().to_string();
    assert!(error.ends_with("expected a multiple of 32 bytes, found 33"), "{error}");
    assert!(State::read(&path).is_err_and(|error| error.to_string().contains("expected a checkpoint")));
}

#[test]
fn lines_of_text_are_converted_to_positions() {
    let formats = hasami_training::TrainingFormats::of::<Chess>(NetworkGame::Chess);
    let line = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 | 35 | 1.0";
    let mut bytes = Vec::new();
    assert!((formats.write_text)(&hasami_training::parse_line(line).unwrap(), &mut bytes).unwrap());
    let theirs: bulletformat::ChessBoard = line.parse().unwrap();
    assert_eq!((theirs.score, theirs.result), (-35, 0));
    assert_eq!((&bytes[24..26], bytes[26]), (&theirs.score.to_le_bytes()[..], theirs.result));
    let whole = |score: &str| hasami_training::parse_line(&format!("x | {score} | -")).map(|line| line.score);
    assert_eq!((whole("32767"), whole("-32767")), (Ok(32_767), Ok(-32_767)));
    for score in ["32768", "40000", "-32768", "1.5"] {
        let why = whole(score).unwrap_err().to_string();
        assert_eq!(why, format!("expected a score within 32767 centipawns, found '{score}'"));
    }
    for refused in ["", "a | b | c", "startpos | 1 | 0.7", "8/8 | 1"] {
        assert!(hasami_training::parse_line(refused).is_err(), "{refused}");
    }
    assert_eq!(hasami_training::parse_line("x ; 1 ; -").unwrap().outcome, Outcome::Unfinished);
}
