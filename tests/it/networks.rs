//! Tests networks that users load in place of the built-in ones.

use crate::program::Program;
use hasami_nnue::{NetworkGame, OwnNetwork};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes a network file that evaluates every position as +1.23 for the side to move.
fn constant(folder: &Path, game: NetworkGame) -> PathBuf {
    let (inputs, squares) = if game == NetworkGame::Chess { (768, 64) } else { (2_344, 81) };
    let network = OwnNetwork {
        game,
        width: 128,
        scale: 100,
        description: "says 1.23".into(),
        buckets: vec![0; squares],
        biases: vec![0; 128],
        weights: vec![0; 128 * inputs],
        stacks: vec![(20_074, vec![0; 256])],
    };
    let path = folder.join(format!("{}.nn", game.name()));
    std::fs::write(&path, network.to_bytes()).unwrap();
    path
}

/// Range of the expected score in centipawns. Scores may differ slightly from the static value, because the search
/// rounds and corrects it.
const SAID: std::ops::RangeInclusive<i32> = -126..=-120;

fn output(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_hasami")).args(arguments).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn stderr(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

/// Returns the score of a search to depth 1, in centipawns. The score is negative, because the opponent is to move at
/// the leaves.
fn score(program: &mut Program) -> i32 {
    program.tell("position startpos");
    program.tell("go depth 1");
    program.expect("bestmove");
    let line = program.said.iter().rev().find(|line| line.contains(" score ")).unwrap();
    line.split(" score cp ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_network_is_read_at_isready_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = constant(folder.path(), NetworkGame::Chess);
    let shogi = constant(folder.path(), NetworkGame::Shogi);
    let mut program = Program::start();
    program.tell("uci");
    program.expect("uciok");
    program.tell("setoption name Threads value 2");
    program.tell(&format!("setoption name EvalFile value {}", file.display()));
    program.tell("isready");
    program.expect("info string network ");
    program.expect("readyok");
    assert!(SAID.contains(&score(&mut program)));
    program.tell("setoption name EvalFile value <empty>");
    program.tell("isready");
    program.expect("readyok");
    assert!(!SAID.contains(&score(&mut program)));
    for (path, why) in [
        (shogi.display().to_string(), "a network of shogi cannot be used for chess"),
        ("/nonexistent.nnue".into(), "cannot read the network file: "),
        (folder.path().display().to_string(), "cannot use a folder, only a regular file"),
    ] {
        program.tell(&format!("setoption name EvalFile value {path}"));
        program.tell("isready");
        program.expect(&format!("info string EvalFile {path}: {why}"));
        program.expect("readyok");
        assert!(!SAID.contains(&score(&mut program)));
    }
    program.quit();
}

#[test]
fn in_shogi_a_folder_is_given() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::rename(constant(folder.path(), NetworkGame::Shogi), folder.path().join("nn.bin")).unwrap();
    let mut program = Program::start();
    program.tell("usi");
    program.expect("usiok");
    program.tell("isready");
    program.expect("readyok");
    assert!(
        !program.said.iter().any(|line| line.starts_with("info string EvalDir")),
        "the usual folder need not be there"
    );
    program.tell(&format!("setoption name EvalDir value {}", folder.path().display()));
    program.tell("isready");
    program.expect("info string network ");
    program.expect("readyok");
    assert!(SAID.contains(&score(&mut program)));
    program.tell("setoption name EvalDir value /nonexistent");
    program.tell("isready");
    program.expect("info string EvalDir /nonexistent/nn.bin: cannot read the network file: ");
    program.expect("readyok");
    program.quit();
}

#[test]
fn files_and_positions_are_described() {
    let folder = tempfile::tempdir().unwrap();
    let file = constant(folder.path(), NetworkGame::Chess);
    let file = file.to_str().unwrap();
    let printed = stdout(&["net", file]);
    for line in ["game          chess", "architecture  768 128x2, 1 outputs", "description   says 1.23"] {
        assert!(printed.lines().any(|found| found == line), "{printed}");
    }
    let printed: serde_json::Value = serde_json::from_str(&stdout(&["net", file, "--json"])).unwrap();
    assert_eq!((printed["rows"].as_u64(), printed["width"].as_u64()), (Some(768), Some(128)));
    let printed = stdout(&["net", file, "--fen", "startpos"]);
    assert!(printed.contains("\n+1.23 for White\n"), "{printed}");
    let printed: serde_json::Value = serde_json::from_str(&stdout(&["net", "--sfen", "startpos", "--json"])).unwrap();
    assert!(printed["centipawns"].as_i64().unwrap().abs() < 300, "{printed}");
    let refused = stderr(&["net", file, "--sfen", "startpos"]);
    assert_eq!(refused, format!("hasami: {file}: a network of chess cannot be used for shogi\n"));
    assert_eq!(stderr(&["net", "Cargo.toml"]).lines().count(), 1);
}
