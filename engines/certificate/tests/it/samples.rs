//! Samples of correct and corrupt certificates, written to a file for tests of other verifiers.

use crate::brute::{ALONE, BELLY, CORNER, GOLDS, ROOK, THREAT, THREE, certified, certified_mate};
use crate::mutate::{KINDS, changed};
use crate::refute::refuted;
use hasami_certificate::{Certificate, VerifyLimits, verify};
use hasami_shogi::Shogi;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::fmt::Write;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/brinkmates/certificates.tsv");

fn right() -> Vec<(&'static str, Vec<u8>)> {
    let none = |sfen, within| refuted(sfen, within).unwrap();
    let certificates = [
        ("mate", certified_mate(GOLDS, 3)),
        ("belly", certified(BELLY, 1, 3)),
        ("corner", certified(CORNER, 1, 3)),
        ("three", certified(THREE, 3, 3)),
        ("alone", none(ALONE, None)),
        ("alone-1", none(ALONE, Some(1))),
        ("threat-0", none(THREAT, Some(0))),
        ("rook-0", none(ROOK, Some(0))),
        ("threat-1", none(THREAT, Some(1))),
    ];
    certificates.map(|(name, certificate)| (name, certificate.write())).into()
}

fn word(file: &[u8]) -> &'static str {
    let proves = |certificate| verify::<Shogi>(&certificate, VerifyLimits::default()).is_ok();
    if Certificate::read(file).is_ok_and(proves) { "right" } else { "wrong" }
}

fn row(name: &str, file: &[u8]) -> String {
    let mut row = format!("{name}\t{}\t", word(file));
    file.iter().for_each(|byte| write!(row, "{byte:02x}").unwrap());
    row + "\n"
}

/// Returns all correct certificates, and one mutation of each kind for every certificate except the largest.
fn rows() -> String {
    let starts = [GOLDS, BELLY, CORNER, THREE, ALONE, THREAT, ROOK];
    let mut random = StdRng::seed_from_u64(11);
    let right = right();
    let mut rows: String = right.iter().map(|(name, file)| row(name, file)).collect();
    for (name, file) in &right[..right.len() - 1] {
        for kind in KINDS {
            let broken = (0..9).find_map(|_| changed(file, kind, &starts, &mut random));
            rows.extend(broken.map(|broken| row(&format!("{name}, {kind}"), &broken)));
        }
    }
    rows
}

#[test]
fn samples_are_judged_as_marked() {
    let text = std::fs::read_to_string(FILE).unwrap();
    let (mut right, mut wrong) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [name, expected, digits] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        let file: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
        assert_eq!(word(&file), expected, "{name}");
        *(if expected == "right" { &mut right } else { &mut wrong }) += 1;
    }
    assert!(right > 20 && wrong > 60, "{right} right, {wrong} wrong");
}

#[test]
#[ignore = "writes the file"]
fn samples_are_written() {
    let head = "# name, right or wrong, the bytes: certificates made by brute force, and changed; \
                `cargo test -p hasami-certificate --test it -- --ignored samples_are_written` makes them\n";
    std::fs::write(FILE, head.to_owned() + &rows()).unwrap();
}
