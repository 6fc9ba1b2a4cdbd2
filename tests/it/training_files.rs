//! Tests how the commands for self-play and training handle existing files, and which inputs they reject.

use hasami_nnue::OwnNetwork;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn hasami(folder: &Path, words: &str) -> Output {
    let words = words.split(' ');
    Command::new(env!("CARGO_BIN_EXE_hasami")).current_dir(folder).args(words).output().unwrap()
}

fn done(folder: &Path, words: &str) -> [String; 2] {
    let output = hasami(folder, words);
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{words}: {texts:?}");
    texts
}

/// Runs a command, which must fail with a single error line, and returns that line.
fn refused(folder: &Path, words: &str) -> String {
    let output = hasami(folder, words);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{words}: {text}");
    text
}

const PLAY: &str = "selfplay --game chess --nodes 20 --hash 1 --most-plies 60";

/// Creates a folder with self-play games and the positions extracted from them.
fn begun() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &format!("{PLAY} --out g.viri --games 6"));
    done(folder.path(), "data extract g.viri --out d.bullet --noisy --checks");
    folder
}

#[test]
fn no_command_overwrites_its_input() {
    let folder = begun();
    let folder = folder.path();
    fs::hard_link(folder.join("d.bullet"), folder.join("hard.bullet")).unwrap();
    fs::hard_link(folder.join("d.bullet"), folder.join("n.nn.tsv")).unwrap();
    let before = ["g.viri", "d.bullet"].map(|name| fs::read(folder.join(name)).unwrap());
    for words in [
        "data import d.bullet --out ./d.bullet",
        "data import d.bullet --out hard.bullet",
        "train --game chess d.bullet --out d.bullet --batch 32 --held-out 0",
        "train --game chess d.bullet --out hard.bullet --batch 32 --held-out 0",
        "train --game chess d.bullet --out n.nn --batch 32 --held-out 0",
    ] {
        let why = refused(folder, words);
        assert!(why.contains("--out: '") && why.contains("' is also an input; name another file"), "{words}: {why}");
    }
    let after = ["g.viri", "d.bullet"].map(|name| fs::read(folder.join(name)).unwrap());
    assert!(before == after);
}

#[test]
fn failing_commands_keep_existing_files() {
    let folder = begun();
    let folder = folder.path();
    let mut bad = fs::read(folder.join("g.viri")).unwrap();
    bad.extend([255; 100]);
    fs::write(folder.join("bad.viri"), bad).unwrap();
    fs::write(folder.join("bad.txt"), "startpos | 1 | 0.5\nno position\n").unwrap();
    fs::write(folder.join("keep.bullet"), "kept").unwrap();
    for words in [
        "data extract none.viri --out keep.bullet",
        "data extract bad.viri --out keep.bullet",
        "data import none.txt --out keep.bullet",
        "data import bad.txt --out keep.bullet",
    ] {
        refused(folder, words);
        assert!(fs::read(folder.join("keep.bullet")).unwrap() == b"kept", "{words}");
    }
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.contains("part")).count(), 0);
}

const TRAIN: &str = "train --game chess d.bullet --width 128 --batch 32 --held-out 20 --threads 1";

#[test]
fn a_checkpoint_continues_only_under_the_same_conditions() {
    let folder = begun();
    let folder = folder.path();
    let buckets = format!("{}1", "0,".repeat(31));
    assert_eq!(done(folder, &format!("{TRAIN} --out n.nn --epochs 1 --buckets {buckets}"))[0], "n.nn: trained\n");
    let printed = &done(folder, "net n.nn")[0];
    assert!(printed.contains("architecture  768 128x2, 2 king buckets, 8 outputs"), "{printed}");
    assert!(printed.contains(&format!("buckets       {buckets}\n")), "{printed}");
    // A training that starts from a network has its shape.
    done(folder, &format!("{} --out of.nn --epochs 1 --start n.nn", TRAIN.replace(" --width 128", "")));
    assert!(done(folder, "net of.nn")[0].contains(&buckets));
    done(folder, "net n.nn --mean of.nn --out mean.nn --description half");
    assert!(done(folder, "net mean.nn")[0].contains("description   half"));
    let network = fs::read(folder.join("n.nn")).unwrap();
    let mut others = fs::read(folder.join("d.bullet")).unwrap();
    others.rotate_left(32);
    fs::write(folder.join("others.bullet"), others).unwrap();
    let others = TRAIN.replace("d.bullet", "others.bullet");
    for (words, wanted) in [
        (
            format!("{TRAIN} --buckets {buckets} --epochs 2"),
            "the training began with --epochs 1, but this command says 2; --fresh or another",
        ),
        (
            format!("{TRAIN} --buckets {buckets} --epochs 1 --seed 7"),
            "the training began with --seed 1, but this command says 7; --fresh",
        ),
        (
            format!("{TRAIN} --buckets {buckets} --epochs 1 --rate 0.1"),
            "the training began with --rate 0.001, but this command says 0.1;",
        ),
        (format!("{TRAIN} --epochs 1"), "the training began with --buckets 0,"),
        (format!("{others} --buckets {buckets} --epochs 1"), "the training began with other positions"),
    ] {
        let why = refused(folder, &format!("{words} --out n.nn"));
        assert!(why.starts_with("hasami: n.nn.checkpoint: ") && why.contains(wanted), "{why}");
        assert!(fs::read(folder.join("n.nn")).unwrap() == network);
    }
    assert_eq!(done(folder, &format!("{TRAIN} --out n.nn --epochs 2 --fresh"))[0], "n.nn: trained\n");
    assert!(fs::read(folder.join("n.nn")).unwrap() != network);
    fs::remove_file(folder.join("n.nn.checkpoint")).unwrap();
    let why = refused(folder, &format!("{TRAIN} --out n.nn --epochs 2"));
    assert!(why.contains("n.nn: its checkpoint, n.nn.checkpoint, is missing; --fresh replaces the network"), "{why}");
}

#[test]
fn held_out_games_can_be_given_in_their_own_file() {
    let folder = begun();
    let folder = folder.path();
    done(folder, &format!("{PLAY} --out h.viri --games 2 --seed 7"));
    done(folder, "data extract h.viri --out h.bullet --noisy --checks");
    let train = "train --game chess d.bullet --width 128 --batch 32 --threads 1 --held-out-file h.bullet";
    let [printed, steps] = done(folder, &format!("{train} --steps 3 --out n.nn"));
    assert_eq!(printed, "n.nn: trained\n");
    let lines: Vec<_> = steps.lines().collect();
    let begins = "3 steps of 32 positions; held-out loss: 0.";
    assert!(lines[0].starts_with(begins) && lines[0].ends_with(" for a constant evaluation"));
    assert!(
        lines[1].starts_with("step 3/3: loss 0.") && lines[1].ends_with(" positions per second, 0 s left"),
        "{steps}"
    );
    assert!(lines[1].contains(", held out 0."), "{steps}");
    let why = refused(folder, &format!("{} --steps 3 --out n.nn", train.replace("h.bullet", "d.bullet")));
    assert!(
        why.contains("the training began with --held-out-file ") && why.contains(", but this command says "),
        "{why}"
    );
    let why = refused(folder, &format!("{train} --steps 3 --epochs 2 --out o.nn"));
    assert!(why.contains("--steps") && why.contains("--epochs"), "{why}");
    let steps_of = |epochs: &str| {
        let [_, steps] = done(folder, &format!("{train} --epochs {epochs} --out e{epochs}.nn"));
        steps.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let (half, whole) = (steps_of("0.5"), steps_of("1"));
    assert!(half > 0 && whole.abs_diff(2 * half) <= 1, "{half} {whole}");
}

/// With a tiny learning rate, weights may differ from those of the initial network only in the last digit.
#[test]
fn training_can_start_from_a_network() {
    let folder = begun();
    let folder = folder.path();
    done(folder, &format!("{TRAIN} --out a.nn --epochs 1 --seed 5"));
    done(folder, &format!("{TRAIN} --out b.nn --epochs 1 --seed 6 --start a.nn --rate 0.0000000001 --last-rate 0"));
    let read = |name: &str| OwnNetwork::parse(&fs::read(folder.join(name)).unwrap()).unwrap();
    let (a, b) = (read("a.nn"), read("b.nn"));
    assert!(a.weights.iter().any(|weight| weight.abs() > 3));
    assert!(a.weights.iter().zip(&b.weights).all(|(a, b)| a.abs_diff(*b) <= 1));
    let stacks = a.stacks.iter().zip(&b.stacks);
    assert!(stacks.flat_map(|(a, b)| a.1.iter().zip(&b.1)).all(|(a, b)| a.abs_diff(*b) <= 1));
    assert_eq!(
        refused(folder, &format!("{TRAIN} --out c.nn --outputs 4 --start a.nn")),
        "hasami: a.nn: the network was made with --outputs 8, not 4\n"
    );
}

/// When a network is widened, its new weights must not change its output before the first training step.
#[test]
fn training_can_widen_a_network_and_divide_its_buckets() {
    let folder = begun();
    let folder = folder.path();
    done(folder, &format!("{TRAIN} --out a.nn --epochs 1 --seed 5"));
    let wider = TRAIN.replace("--width 128", "--width 256");
    done(folder, &format!("{wider} --out b.nn --epochs 1 --start a.nn --rate 0.0000000001 --last-rate 0"));
    let read = |name: &str| OwnNetwork::parse(&fs::read(folder.join(name)).unwrap()).unwrap();
    let (a, b) = (read("a.nn"), read("b.nn"));
    for (narrow, wide) in a.weights.chunks(128).zip(b.weights.chunks(256)) {
        assert!(narrow.iter().zip(wide).all(|(a, b)| a.abs_diff(*b) <= 1));
        assert!(wide[128..].iter().any(|weight| weight.abs() > 3));
    }
    for ((_, narrow), (_, wide)) in a.stacks.iter().zip(&b.stacks) {
        for (narrow, wide) in narrow.chunks(128).zip(wide.chunks(256)) {
            assert!(narrow.iter().zip(wide).all(|(a, b)| a.abs_diff(*b) <= 1));
            assert_eq!(wide[128..], [0; 128]);
        }
    }
    // When one bucket is divided into two, both must start with the weights of the original bucket.
    let buckets = format!("--buckets {}", [vec!["0"; 8], vec!["1"; 24]].concat().join(","));
    done(folder, &format!("{TRAIN} {buckets} --out d.nn --epochs 1 --start a.nn --rate 0.0000000001 --last-rate 0"));
    let d = read("d.nn");
    let halves = d.weights.chunks(a.weights.len()).collect::<Vec<_>>();
    assert_eq!(halves.len(), 2);
    assert!(halves.iter().all(|half| a.weights.iter().zip(*half).all(|(a, d)| a.abs_diff(*d) <= 1)));
    assert_eq!(
        refused(folder, &format!("{TRAIN} --out c.nn --start b.nn")),
        "hasami: b.nn: the network was made with --width 256, not 128\n"
    );
}

#[test]
fn unreadable_positions_are_reported_or_rejected() {
    let folder = begun();
    let folder = folder.path();
    let whole = fs::read(folder.join("d.bullet")).unwrap();
    fs::write(folder.join("d.bullet"), [255; 32 * 200]).unwrap();
    let why = refused(folder, &format!("{TRAIN} --out n.nn"));
    assert!(why.contains("200 of 200 positions cannot be read; at most one in "), "{why}");
    assert!(!folder.join("n.nn").exists());
    let many = whole.repeat(100_usize.div_ceil(whole.len() / 32) + 1);
    let all = many.len() / 32 + 1;
    fs::write(folder.join("d.bullet"), [&many[..], &[255; 32]].concat()).unwrap();
    let printed = format!("1 of {all} positions cannot be read\n");
    assert!(done(folder, &format!("{TRAIN} --out n.nn --epochs 1"))[1].contains(&printed));
}

#[test]
fn unwritable_outputs_are_rejected_before_the_work() {
    let folder = begun();
    let folder = folder.path();
    for out in ["none/n.nn", "/dev/null", "/dev/full", "."] {
        let why = refused(folder, &format!("{TRAIN} --epochs 1000000 --out {out}"));
        assert!(why.contains(out) && why.contains(": cannot "), "{why}");
    }
    let engine = format!("--engine cmd={}", env!("CARGO_BIN_EXE_mock-engine"));
    let tune = format!("tune --game shogi {engine} --each nodes=1 --parameter A=1,0,2 --iterations 1000000");
    for file in ["--out none/x.toml", "--svg /dev/full", "--out /dev/null"] {
        let why = refused(folder, &format!("{tune} {file}"));
        assert!(why.contains(file.split(' ').next_back().unwrap()), "{why}");
    }
    for (words, wanted) in [
        ("--rate nan", "'nan' for '--rate <RATE>': expected a number above 0, at most 1"),
        ("--rate inf", "'inf' for '--rate <RATE>': expected a number above 0, at most 1"),
        ("--last-rate 2", "'2' for '--last-rate <RATE>': expected a number from 0 to 1"),
        ("--epochs 0", "'0' for '--epochs <N>': expected a number above 0, at most 1000000"),
        ("--result-share 1.5", "'1.5' for '--result-share <SHARE>': expected a number from 0 to 1"),
        ("--label-scale nan", "'nan' for '--label-scale <CP>': expected a number above 0, at most 100000"),
    ] {
        let why = refused(folder, &format!("{TRAIN} --out n.nn {words}"));
        assert!(why.contains(wanted), "{why}");
    }
}

#[test]
fn a_file_of_games_has_one_writer_and_complete_conditions() {
    let folder = begun();
    let folder = folder.path();
    let why = refused(folder, &format!("{PLAY} --out g.viri --games 6 --win 900:6"));
    assert!(
        why.contains("was begun with adjudication.win_score 1500 (g.viri.json), but this command says 900"),
        "{why}"
    );
    let plan = fs::read(folder.join("g.viri.json")).unwrap();
    for (text, wanted) in [
        (&plan[..0], "expected the conditions of self-play, found an empty file"),
        (&plan[..plan.len() / 2], "expected the conditions of self-play, found a file that is cut off"),
    ] {
        fs::write(folder.join("g.viri.json"), text).unwrap();
        let why = refused(folder, &format!("{PLAY} --out g.viri --games 6"));
        assert!(why.contains("g.viri.json: ") && why.contains(wanted), "{why}");
    }
    fs::write(folder.join("g.viri.json"), plan).unwrap();
    let file = fs::File::open(folder.join("g.viri")).unwrap();
    file.lock().unwrap();
    let why = refused(folder, &format!("{PLAY} --out g.viri --games 6"));
    assert!(why.contains("g.viri: cannot write the file: another run is using it"), "{why}");
    drop(file);
    done(folder, &format!("{PLAY} --out g.viri --games 6"));
}

#[test]
fn random_bytes_are_rejected_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The bytes come from a linear congruential generator, so that they are the same on every machine.
    let mut state = 1u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let bytes: Vec<u8> = (0..32 * 40 * 100).map(|_| byte()).collect();
    for (name, size) in [("w.psv", 40), ("w.bullet", 32)] {
        fs::write(folder.join(name), &bytes).unwrap();
        let printed = &done(folder, &format!("data count {name}"))[0];
        let all = bytes.len() / size;
        assert!(
            printed.starts_with(&format!("{name}: {all} positions of ")) && printed.contains(" could not be read"),
            "{printed}"
        );
        done(folder, &format!("data show {name} --count 100"));
    }
    for name in ["w.viri", "w.pack"] {
        fs::write(folder.join(name), &bytes).unwrap();
        hasami(folder, &format!("data count {name}")).status.code().expect("the command ends by itself");
    }
}
