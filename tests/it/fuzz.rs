//! Runs the fuzz targets on the inputs that the fuzzer found (`tests/data/fuzz`), and on random edits of these inputs.
//! The variables `HASAMI_FUZZ_EDITS` and `HASAMI_FUZZ_SEED` set the number and the seed of the edits, for systems
//! without a fuzzer.

#[path = "../fuzz/targets/mod.rs"]
mod targets;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use targets::TARGETS;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz")
}

/// Decodes a line of a corpus file, in which `\n`, `\r`, `\t`, `\\` and `\xNN` are escapes.
fn bytes(line: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), line.as_bytes());
    while let [first, more @ ..] = rest {
        rest = more;
        let byte = match (first, more) {
            (b'\\', [b'n', ..]) => b'\n',
            (b'\\', [b'r', ..]) => b'\r',
            (b'\\', [b't', ..]) => b'\t',
            (b'\\', [b'\\', ..]) => b'\\',
            (b'\\', [b'x', digits @ ..]) => {
                rest = &digits[1..];
                u8::from_str_radix(std::str::from_utf8(&digits[..2]).unwrap(), 16).unwrap()
            }
            (b'\\', _) => panic!("expected an escape, found {line}"),
            (&byte, _) => {
                bytes.push(byte);
                continue;
            }
        };
        rest = &rest[1..];
        bytes.push(byte);
    }
    bytes
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
    text.lines().map(bytes).collect()
}

fn replay(name: &str) {
    let (_, check) = TARGETS.iter().find(|(target, _)| *target == name).unwrap();
    let inputs = corpus(name);
    assert!(inputs.len() > 10, "{name}: expected a corpus");
    let tried = |input: &[u8]| {
        let _shown = ShownIfItPanics(name, input);
        check(input);
    };
    inputs.iter().for_each(|input| tried(input));
    let [edits, seed] = [("HASAMI_FUZZ_EDITS", 100), ("HASAMI_FUZZ_SEED", 1)]
        .map(|(variable, usual)| std::env::var(variable).map_or(usual, |text| text.parse().expect("a number")));
    // Networks get fewer edits, because parsing one network takes as long as parsing one input for each of the other
    // targets.
    let edits = if name == "network" { edits / 20 } else { edits };
    let mut random = StdRng::seed_from_u64(seed);
    println!("seed {seed}");
    for _ in 0..edits {
        tried(&edited(&inputs, &mut random));
    }
}

/// A fuzz target and its current input, which are printed if the target panics.
struct ShownIfItPanics<'a>(&'a str, &'a [u8]);

impl Drop for ShownIfItPanics<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}: {}", self.0, self.1.escape_ascii());
        }
    }
}

/// Edits one of the inputs: changes, inserts, removes or repeats a few bytes, or copies bytes from another input.
fn edited(inputs: &[Vec<u8>], random: &mut StdRng) -> Vec<u8> {
    let mut input = inputs[random.random_range(0..inputs.len())].clone();
    for _ in 0..random.random_range(1..=4) {
        let at = random.random_range(0..=input.len());
        let until = random.random_range(at..=input.len().min(at + 16));
        match random.random_range(0..5) {
            0 if at < input.len() => input[at] ^= 1 << random.random_range(0..8),
            1 => input.insert(at, random.random()),
            2 => _ = input.drain(at..until),
            3 => {
                let again = input[at..until].to_vec();
                input.splice(at..at, again);
            }
            _ => {
                let other = &inputs[random.random_range(0..inputs.len())];
                let from = random.random_range(0..=other.len());
                let part = other[from..other.len().min(from + 64)].to_vec();
                input.splice(at..until, part);
            }
        }
    }
    input
}

macro_rules! replayed {
    ($($name:ident)*) => {
        $(#[test] fn $name() { replay(stringify!($name)); })*
        const REPLAYED: &[&str] = &[$(stringify!($name)),*];
    };
}

replayed! {
    cells certificate children client cluster fen games journals lists mate network records sfen typed uci usi
}

/// The corpus needs small valid network files, because edits of such files exercise the whole reader.
#[test]
fn the_corpus_of_networks_has_small_valid_files() {
    let files = corpus("network").into_iter().filter(|input| input[0] % 8 == 5);
    let names: BTreeSet<_> = files
        .filter_map(|input| {
            assert!(input.len() < 1_000, "{}", input.len());
            let network = hasami_nnue::read(&targets::network::file(&input)).ok()?;
            Some(format!("{:?} {}", network.game, network.features()))
        })
        .collect();
    assert!(names.len() >= 4, "{names:?}");
}

#[test]
fn every_target_has_a_corpus_and_every_corpus_a_target() {
    let targets: BTreeSet<_> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let files = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let corpora: BTreeSet<_> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(targets, corpora);
    assert_eq!(targets, REPLAYED.iter().map(|&name| name.to_owned()).collect());
    assert_eq!(bytes(r"a\\n\n\x00\xffb"), b"a\\n\n\0\xffb");
}
