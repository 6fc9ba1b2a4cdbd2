//! Tests of the file format.

use crate::brute::{BELLY, THREAT, THREE, certified};
use crate::refute::refuted;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use hasami_certificate::{Certificate, Claim, VerifyLimits, verify};
use hasami_shogi::Shogi;
use proptest::prelude::*;
use std::io::{Read, Write};

/// Returns the inflated content of a file.
pub fn content(file: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    DeflateDecoder::new(&file[9..file.len() - 4]).read_to_end(&mut content).unwrap();
    content
}

/// Creates a file with a valid header and CRC from content that may be invalid.
pub fn packed(content: &[u8]) -> Vec<u8> {
    let mut deflated = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    deflated.write_all(content).unwrap();
    sealed(content.len() as u32, &deflated.finish().unwrap())
}

fn sealed(size: u32, deflated: &[u8]) -> Vec<u8> {
    let mut file = b"HBMC\x01".to_vec();
    file.extend(size.to_le_bytes());
    file.extend(deflated);
    file.extend(crc32fast::hash(&file).to_le_bytes());
    file
}

fn fault(file: &[u8]) -> String {
    Certificate::read(file).unwrap_err().to_string()
}

#[test]
fn the_example_of_the_document_is_correct() {
    let start = b"4k4/9/4P4/9/9/9/9/9/9 b G 1";
    let mut text = vec![start.len() as u8];
    text.extend(start);
    text.extend(b"\x00\x01\x04G*5b\x01\x00\x00");
    let certificate = Certificate::read(&packed(&text)).unwrap();
    assert_eq!(content(&certificate.write()), text);
    let verified = verify::<Shogi>(&certificate, VerifyLimits::default()).unwrap();
    assert_eq!((verified.claim, verified.plies, verified.positions), (Claim::Mate, Some(0), 1));
    let shown: String = text.iter().map(|byte| format!("{byte:02x} ")).collect();
    let document = include_str!("../../../../docs/design/certificate.md");
    let bytes: String = document.split("```hex\n").nth(1).unwrap().split("```").next().unwrap().to_owned();
    let bytes: String = bytes.lines().map(|line| line.split(';').next().unwrap()).collect::<Vec<_>>().join(" ");
    assert_eq!(bytes.split_whitespace().collect::<Vec<_>>(), shown.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn files_survive_reading_and_writing() {
    for certificate in [certified(THREE, 3, 3), refuted(THREAT, Some(1)).unwrap()] {
        let file = certificate.write();
        assert_eq!(Certificate::read(&file), Ok(certificate));
        assert_eq!(Certificate::read(&packed(&content(&file))).unwrap().write(), file);
    }
}

#[test]
fn every_changed_bit_and_every_missing_byte_is_detected() {
    let file = certified(BELLY, 1, 3).write();
    for bit in 0..file.len() * 8 {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(Certificate::read(&changed).is_err(), "bit {bit}");
    }
    for length in 0..file.len() {
        assert!(Certificate::read(&file[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn faults_of_the_file_have_clear_messages() {
    let file = packed(b"");
    assert_eq!(fault(b""), "expected a certificate of at least 13 bytes, found 0");
    assert_eq!(fault(b"PK\x03\x04 and so on"), "expected a certificate (HBMC), found 'PK\\x03\\x04'");
    assert_eq!(fault(b"HBMC\x02 and so on"), "expected a certificate of version 1, found 2");
    let mut broken = file.clone();
    *broken.last_mut().unwrap() ^= 1;
    assert!(fault(&broken).starts_with("expected the CRC-32 "), "{}", fault(&broken));
    assert_eq!(
        fault(&sealed(1 << 30, &file[9..11])),
        "expected at most 16 bytes for each deflated one, found 1073741824 bytes"
    );
    assert_eq!(fault(&sealed(5, &file[9..file.len() - 4])), "expected deflated data of 5 bytes, found others");
    assert_eq!(fault(&sealed(5, b"no data at all")), "expected deflated data of 5 bytes, found others");
}

#[test]
fn files_that_inflate_to_too_much_are_rejected() {
    let mut deflated = DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    deflated.write_all(&vec![0; 1 << 20]).unwrap();
    let deflated = deflated.finish().unwrap();
    assert_eq!(
        fault(&sealed(1 << 20, &deflated)),
        "expected at most 16 bytes for each deflated one, found 1048576 bytes"
    );
    assert_eq!(fault(&sealed(1 << 12, &deflated)), "expected deflated data of 4096 bytes, found others");
}

#[test]
fn faults_of_the_content_have_clear_messages() {
    let at = |place: usize, expected: &str, found: &str| {
        format!("byte {place} of the content: expected {expected}, found {found}")
    };
    let after = |text: &[u8]| fault(&packed(&[b"\x01x", text].concat()));
    assert_eq!(fault(&packed(b"")), at(0, "the length of a position", "the end"));
    assert_eq!(fault(&packed(b"\x05x")), at(1, "the length of a position", "5, more than there are bytes for"));
    assert_eq!(
        fault(&packed(&[b"\x81\x04".as_slice(), &(0..600).map(|at| (at * at) as u8).collect::<Vec<_>>()].concat())),
        at(2, "a position of at most 512 bytes", "513")
    );
    assert_eq!(fault(&packed(b"\x01\x07\x00")), at(2, "a position in printable ASCII", "other bytes"));
    for (text, expected) in [
        (&b""[..], at(2, "a claim", "the end")),
        (b"\x04", at(3, "a claim from 0 to 3", "4")),
        (b"\x01\x02", "expected a brinkmate of an odd number of plies, found 2".to_owned()),
        (b"\x03\xff\xff\x03", "expected a limit of at most 65534 plies, found 65535".to_owned()),
        (b"\x03\xff\xff\xff\xff\x1f", at(8, "a number of plies", "a number of more than 32 bits")),
        (b"\x01\x80\x80\x04", at(6, "at most 65535 plies", "65536")),
        (b"\x00\xff\xff\xff\xff\x0f", at(8, "a number of moves", "4294967295, more than there are bytes for")),
        (b"\x00\x01\x08abcdefgh", at(13, "a move of 1 to 7 characters", "other bytes")),
        (b"\x00\x02\x01a\x01a", at(8, "each move once", "'a' twice")),
        (b"\x00\x00\x00", at(5, "at least one node", "none")),
        (b"\x00\x01\x01a\x01\x01\x00", at(8, "one of 1 moves", "1")),
        (b"\x00\x01\x01a\x01\x00\x01\x01", at(10, "one of 0 nodes before", "that 1 before")),
        (b"\x00\x01\x01a\x02\x00\x00\x00\x01\x00", at(12, "one of 1 nodes before", "that 0 before")),
        (
            b"\x00\x01\x01a\x02\x00\x00\x00\x08\x01\x01\x00\x01\x01\x00",
            at(17, "one way on after each move", "two after move 0"),
        ),
        (b"\x00\x01\x01a\x02\x00\x00\x00\x04\x01\x02\x00\x00", at(15, "moves in ascending order", "one twice")),
        (b"\x00\x01\x01a\x01\x00\x00\x07", at(9, "the end", "1 bytes more")),
        (b"\x02\x01\x01a\x01\x01\x02\x00", at(9, "one of 1 moves", "1")),
        (b"\x02\x01\x01a\x01\x01\x00\x02", at(10, "one of 1 nodes", "node 1")),
        (b"\x02\x01\x01a\x01\x01\x00\x01", at(10, "one of 1 nodes", "node -1")),
    ] {
        assert_eq!(after(text), expected, "{}", text.escape_ascii());
    }
}

proptest! {
    #[test]
    fn no_content_panics(head in 0u8..4, bytes in proptest::collection::vec(0u8..6, 0..200)) {
        let start = b"4k4/9/4P4/9/9/9/9/9/9 b G 1";
        let moves = b"\x04\x04G*5b\x045a4a\x045a6a\x045c5d";
        let plies = if head % 2 == 1 { &b"\x01"[..] } else { b"" };
        let text = [&[start.len() as u8], &start[..], &[head], plies, moves, &bytes].concat();
        for content in [&text[..], &bytes] {
            if let Ok(certificate) = Certificate::read(&packed(content)) {
                prop_assert_eq!(Certificate::read(&certificate.write()), Ok(certificate.clone()));
                let _ = verify::<Shogi>(&certificate, VerifyLimits { positions: 1_000, ..VerifyLimits::default() });
            }
        }
    }

    #[test]
    fn no_file_panics(bytes in proptest::collection::vec(any::<u8>(), 0..100), size in 0u32..10_000) {
        prop_assert!(Certificate::read(&bytes).is_err());
        let _ = Certificate::read(&sealed(size, &bytes));
    }
}
