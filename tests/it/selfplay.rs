//! Tests self-play, the training of networks on self-play games, and tuning.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The built-in network of shogi.
const TEACHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engines/nnue/data/shogi.nn");

fn hasami(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hasami")).current_dir(folder).args(words).output().unwrap()
}

fn done(folder: &Path, words: &[&str]) -> String {
    let output = hasami(folder, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, words: &[&str]) -> String {
    let output = hasami(folder, words);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn play<'a>(game: &'a str, out: &'a str, games: &'a str, threads: &'a str) -> Vec<&'a str> {
    let mut words = vec!["selfplay", "--game", game, "--out", out, "--games", games, "--threads", threads];
    words.extend(["--nodes", "40", "--hash", "1", "--most-plies", "60"]);
    words
}

#[test]
fn games_do_not_depend_on_threads_or_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (game, ending) in [("chess", "viri"), ("shogi", "pack")] {
        let [one, two] = ["one", "two"].map(|name| format!("{game}-{name}.{ending}"));
        let printed = done(folder, &play(game, &one, "6", "1"));
        assert!(printed.starts_with("6 games, "), "{printed}");
        done(folder, &play(game, &two, "2", "3"));
        // The file ends in the middle of a game, as if the program had been killed.
        let half = fs::read(folder.join(&one)).unwrap();
        let kept = fs::read(folder.join(&two)).unwrap().len();
        fs::write(folder.join(&two), &half[..kept + 50]).unwrap();
        done(folder, &play(game, &two, "6", "3"));
        assert!(fs::read(folder.join(&one)).unwrap() == fs::read(folder.join(&two)).unwrap(), "{game}");
        let other = [play(game, &two, "6", "3"), vec!["--seed", "2"]].concat();
        let error = refused(folder, &other);
        assert!(error.contains("was begun with "), "{error}");
    }
}

#[test]
fn positions_are_trained_into_a_network_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    done(folder, &play("shogi", "games.pack", "8", "2"));
    let count = done(folder, &["data", "count", "games.pack"]);
    assert!(count.starts_with("games.pack: 8 games of shogi\n"), "{count}");
    let shown = done(folder, &["data", "show", "games.pack", "--from", "7"]);
    assert!(shown.starts_with("game 7: ") && !shown.contains("resignation"), "{shown}");
    let kept = done(folder, &["data", "extract", "games.pack", "--out", "quiet.psv", "--most-score", "2000"]);
    let all = done(folder, &["data", "extract", "games.pack", "--out", "all.psv", "--noisy", "--checks"]);
    let number = |text: &str| text.split(' ').next().unwrap().parse::<u32>().unwrap();
    assert!(number(&kept) > 50 && number(&kept) < number(&all), "{kept}{all}");
    let train = ["train", "--game", "shogi", "quiet.psv", "--out", "net.nn", "--width", "128", "--batch", "32"];
    let train =
        [&train[..], &["--epochs", "2", "--held-out", "20", "--threads", "1", "--description", "a test"]].concat();
    assert_eq!(done(folder, &train), "net.nn: trained\n");
    let network = fs::read(folder.join("net.nn")).unwrap();
    assert!(done(folder, &["net", "net.nn"]).contains("architecture  2344 128x2, 32 outputs"));
    assert!(fs::read_to_string(folder.join("net.nn.tsv")).unwrap().starts_with("step\tloss\theld out\n"));
    // The checkpoint shows that the training is complete, so the same command must not change the network.
    assert_eq!(done(folder, &train), "net.nn: trained already; --fresh or another --out starts again\n");
    assert!(fs::read(folder.join("net.nn")).unwrap() == network);
    let again = [&play("shogi", "next.pack", "1", "1")[..], &["--net", "net.nn"]].concat();
    assert!(done(folder, &again).starts_with("1 game, "));
}

/// Even with one node per move, a search must return a score, because positions without a score would be trained as
/// drawn.
#[test]
fn one_node_per_move_still_gives_scores() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (game, file) in [("chess", "games.viri"), ("shogi", "games.pack")] {
        let words = ["selfplay", "--game", game, "--out", file, "--games", "4", "--nodes", "1", "--most-plies", "40"];
        done(folder, &words);
        let shown = done(folder, &["data", "show", file]);
        let scores = || shown.lines().filter(|line| line.starts_with("  ")).flat_map(|line| line.split(", "));
        let level = scores().filter(|text| text.ends_with(" +0")).count();
        assert!(scores().count() > 50 && level * 10 < scores().count(), "{game}: {level} of {}", scores().count());
    }
}

/// Trains a network from random weights in one command, which must give the same network and losses even if it is
/// killed and continued.
#[test]
fn distillation_in_pieces_does_not_depend_on_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let teach = |out: &'static str, threads: &'static str| {
        let words = ["teach", "--game", "shogi", "--teacher", TEACHER, "--out", out, "--threads", threads];
        let amounts = ["--positions", "2048", "--piece", "1024", "--batch", "256", "--width", "128", "--rate", "0.005"];
        [&words[..], &amounts, &["--nodes", "1", "--ways", "2", "--random-plies", "40"]].concat()
    };
    assert_eq!(done(folder, &teach("whole.nn", "1")), "whole.nn: trained\n");
    let mut broken = Command::new(env!("CARGO_BIN_EXE_hasami"));
    let mut broken = broken.current_dir(folder).args(teach("broken.nn", "2")).stderr(Stdio::null()).spawn().unwrap();
    while broken.try_wait().unwrap().is_none() {
        if folder.join("broken.nn.checkpoint").exists() {
            let _ = broken.kill();
        }
        std::thread::yield_now();
    }
    // Killing the training process fails if it has already ended, which is harmless.
    assert!(done(folder, &teach("broken.nn", "2")).starts_with("broken.nn: trained"));
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(read("whole.nn") == read("broken.nn"));
    let losses = String::from_utf8(read("whole.nn.tsv")).unwrap();
    assert_eq!((losses.lines().count(), losses.as_bytes()), (3, &read("broken.nn.tsv")[..]));
    let loss = |line: &str| line.split('\t').nth(2).unwrap().parse::<f64>().unwrap();
    let rows: Vec<_> = losses.lines().skip(1).map(loss).collect();
    assert!(rows[1] < rows[0], "{losses}");
    let why = refused(folder, &[&teach("whole.nn", "1")[..], &["--most-score", "500"]].concat());
    assert!(why.contains("the training began with --most-score 2500, but this command says 500; --fresh"), "{why}");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.retain(|name| name.to_str().is_some_and(|name| !name.ends_with(".part")));
    assert_eq!(files.len(), 6, "{files:?}");
}

/// The mock engine with `--planted` is strongest at Margin 140; the tuning begins at 20.
#[test]
fn tuning_approaches_a_planted_optimum_and_can_be_continued() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engine = format!("cmd={} --planted", env!("CARGO_BIN_EXE_mock-engine"));
    let tune = |iterations: &str, journal: &str| {
        let words = ["tune", "--game", "shogi", "--engine", &engine, "--each", "nodes=1", "--games", "4"];
        let tail = ["--parameter", "Margin=20,0,200,25", "--rate", "0.05", "--iterations", iterations];
        let files = ["--journal", journal, "--svg", "tune.svg", "--out", "tune.toml"];
        done(folder, &[&words[..], &tail, &files].concat())
    };
    let printed = tune("60", "whole.jsonl");
    let value: f64 = printed.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(value > 60.0, "{printed}");
    assert!(fs::read_to_string(folder.join("tune.toml")).unwrap().contains("\"Margin\" = { value = "));
    assert!(fs::read_to_string(folder.join("tune.svg")).unwrap().contains("Margin"));
    let lines: Vec<String> =
        fs::read_to_string(folder.join("whole.jsonl")).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 61);
    fs::write(folder.join("half.jsonl"), lines[..31].join("\n") + "\n").unwrap();
    tune("60", "half.jsonl");
    assert_eq!(fs::read_to_string(folder.join("half.jsonl")).unwrap().lines().count(), 61);
}

#[test]
fn invalid_arguments_are_rejected_in_one_line_each() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("text"), "startpos\n").unwrap();
    fs::write(folder.join("a.viri"), [255; 100]).unwrap();
    fs::write(folder.join("a.psv"), [0; 40]).unwrap();
    fs::write(folder.join("mated.epd"), "7k/5KQ1/8/8/8/8/8/8 b - -\n").unwrap();
    fs::write(folder.join("played.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - -\n7k/5Q2/6K1/8/8/8/8/8 b - -\n").unwrap();
    fs::write(folder.join("g.viri"), []).unwrap();
    let game = ["selfplay", "--game", "chess", "--nodes", "40", "--games", "1", "--out"];
    let from = |file: &'static str| [&game[..], &["x.viri", "--openings", file]].concat();
    let (mated, stalemated) = (from("mated.epd"), from("played.epd"));
    for (words, why) in [
        (&mated[..], "--openings mated.epd: position 1: the game is over (checkmate): 7k/5KQ1/"),
        (&stalemated[..], "position 2: the game is over (stalemate)"),
        (&[&game[..], &["x.pack"]].concat()[..], "x.pack: expected a file of .viri"),
        (&[&game[..], &["x"]].concat()[..], "x: expected a file of .viri"),
        (&["selfplay", "--game", "shogi", "--out", "x.viri"][..], "x.viri: expected a file of .pack"),
        (&["data", "count", "text"][..], "expected a file of .viri, .bullet, .pack, .psv"),
        (&["data", "count", "a.viri"], "game 1: expected a chess game in viriformat, found more than 32 pieces"),
        (&["data", "extract", "a.viri", "--out", "a.psv"], "a.psv: expected a file of .bullet"),
        (&["data", "import", "text", "--out", "a.bullet"], "text, line 1: expected POSITION | CENTIPAWNS |"),
        (
            &["train", "--game", "shogi", "a.psv", "--out", "n.nn"],
            "at least 116384 positions are needed (--held-out and --batch), not 1",
        ),
        (&["train", "--game", "shogi", "a.psv", "--out", "n.nn", "--width", "100"], "expected a multiple of 128"),
        (&["train", "--game", "chess", "a.psv", "--out", "n.nn"], "a.psv: expected a multiple of 32 bytes, found 40"),
        (&["selfplay", "--game", "shogi", "--out", "x.pack", "--net", "text"], "text: expected "),
        (&["tune", "--parameter", "A=1,0,2", "--game", "shogi"], "tune: needs one --engine, not 0"),
        (
            &["tune", "--parameter", "A=1,0,2", "--game", "shogi", "--journal", "t.jsonl"],
            "tune: needs one --engine, not 0",
        ),
    ] {
        let error = refused(folder, words);
        assert!(error.contains(why), "{words:?}: {error}");
    }
    let begun = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(
        begun.filter(|name| name.starts_with('x')).collect::<Vec<_>>(),
        [""; 0],
        "written before it was refused"
    );
}
