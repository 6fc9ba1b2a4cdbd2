//! Translates the faults of certificates into messages.

use hasami_certificate::{ClaimFault, Expected, FileFault, Found, ReplayFault, Unproved};
use hasami_words::Message;

/// Returns the message for a file that is not a certificate.
pub fn unreadable(fault: FileFault) -> Message {
    let text = fault.to_string();
    let told = |kind: &str, expected: usize, found: String| {
        let told = Message::new("certificate-file-fault").with("kind", kind).with("expected", expected.to_string());
        told.with("found", found).with("text", text)
    };
    match fault {
        FileFault::Short { least, found } => told("short", least, found.to_string()),
        FileFault::Magic { found } => told("magic", 0, found),
        FileFault::Version { known, found } => told("version", known.into(), found.to_string()),
        FileFault::Crc { expected, found } => Message::new("expected-crc")
            .with("expected", format!("{expected:08x}"))
            .with("found", format!("{found:08x}")),
        FileFault::Dense { most, found } => told("dense", most, found.to_string()),
        FileFault::Deflated { size } => told("deflated", size, String::new()),
        FileFault::Content { at, expected, found } => content_fault(at, expected, found),
        FileFault::Claim(ClaimFault::Even(plies)) => told("even", 0, plies.to_string()),
        FileFault::Claim(ClaimFault::Beyond { most, found }) => told("beyond", most.into(), found.to_string()),
    }
}

fn content_fault(at: usize, expected: Expected, found: Found) -> Message {
    let (kind, count) = expected.word();
    let count = count.map_or_else(String::new, |count| count.to_string());
    let wanted = Message::new("certificate-expected").with("kind", kind).with("count", count);
    let (kind, value) = found.word();
    let there = Message::new("certificate-found").with("kind", kind).with("value", value);
    Message::new("certificate-content-fault")
        .with("at", at)
        .with("expected", wanted.with("text", expected.to_string()))
        .with("found", there.with("text", found.to_string()))
}

/// Returns the message for a failed replay, with the place and the reason.
pub fn unproved(unproved: Unproved) -> Message {
    let place = match unproved.path.is_empty() {
        true => Message::new("at-start"),
        false => Message::new("after-moves").with("moves", unproved.moves()),
    };
    match *unproved.why {
        ReplayFault::Position(error) => error.to_string().into(),
        why => replay_fault(why).at(place),
    }
}

fn replay_fault(fault: ReplayFault) -> Message {
    let text = fault.to_string();
    let told = |kind: &str, expected: String, found: String| {
        let told = Message::new("certificate-replay-fault").with("kind", kind).with("expected", expected);
        told.with("found", found).with("text", text)
    };
    let none = String::new;
    match fault {
        ReplayFault::Position(error) => error.to_string().into(),
        ReplayFault::Move(error) => error.into(),
        ReplayFault::Spelling { expected, found } => told("spelling", expected.to_string(), found.to_string()),
        ReplayFault::Quiet => told("quiet", none(), none()),
        ReplayFault::NotByChecks => told("not-by-checks", none(), none()),
        ReplayFault::NoThreat => told("no-threat", none(), none()),
        ReplayFault::OtherEnd => told("other-end", none(), none()),
        ReplayFault::Unanswered(defence) => told("unanswered", none(), defence.to_string()),
        ReplayFault::Longer { claimed, found } => told("longer", claimed.to_string(), found.to_string()),
        ReplayFault::NoReply { is_mate: true } => told("no-reply-in-mate", none(), none()),
        ReplayFault::NoReply { is_mate: false } => told("no-reply", none(), none()),
        ReplayFault::Mated => told("mated", none(), none()),
        ReplayFault::PassInCheck => told("pass-in-check", none(), none()),
        ReplayFault::TooDeep(most) => told("too-deep", most.to_string(), none()),
        ReplayFault::TooManyPositions(most) => told("too-many-positions", most.to_string(), none()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::{MoveText, ParseMoveError};
    use hasami_words::{Language, Words};

    fn mv(text: &str) -> MoveText {
        text.parse().unwrap()
    }

    /// Checks that the English message is that of the crate and that the Japanese one is fully translated.
    fn check(message: &Message, english: &str) {
        assert_eq!(message, &english);
        let japanese = message.said(Words::of(Language::Japanese));
        let is_left = english.split([',', ':']).any(|part| part.len() > 12 && japanese.contains(part));
        assert!(!japanese.is_ascii() && !is_left, "{japanese}");
    }

    #[test]
    fn every_fault_of_a_file_has_both_languages() {
        for fault in [
            FileFault::Short { least: 13, found: 0 },
            FileFault::Magic { found: "PK\\x03\\x04".into() },
            FileFault::Version { known: 1, found: 2 },
            FileFault::Crc { expected: 7, found: 0xabc },
            FileFault::Dense { most: 16, found: 1 << 30 },
            FileFault::Deflated { size: 40 },
            FileFault::Content { at: 17, expected: Expected::OneWay, found: Found::TwoWays(3) },
            FileFault::Content { at: 2, expected: Expected::ShortPosition(512), found: Found::Number(600) },
            FileFault::Content { at: 8, expected: Expected::NewMove, found: Found::Again(mv("7g7f")) },
            FileFault::Claim(ClaimFault::Even(2)),
            FileFault::Claim(ClaimFault::Beyond { most: 65534, found: 65535 }),
        ] {
            check(&unreadable(fault.clone()), &fault.to_string());
        }
        let crc = unreadable(FileFault::Crc { expected: 7, found: 0xabc }).said(Words::of(Language::Japanese));
        assert!(crc.contains("00000007") && crc.contains("00000abc"), "{crc}");
    }

    #[test]
    fn every_part_of_a_certificate_has_a_japanese_name() {
        let source = include_str!("../../engines/certificate/src/fault.rs");
        let (expected, found) = source.split_once("impl Found").unwrap();
        for (key, source) in [("certificate-expected", expected), ("certificate-found", found)] {
            let words: Vec<&str> = source.split("=> (\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert!(words.len() > 10, "{key}: {words:?}");
            for word in words {
                let values = [("count", "7".into()), ("value", "7".into()), ("text", "".into())];
                let values = [&[("kind", word.into())], &values[..]].concat();
                let japanese = Words::of(Language::Japanese).with(key, &values);
                assert!(!japanese.is_empty() && !japanese.is_ascii(), "{key}: {word}");
            }
        }
    }

    #[test]
    fn every_fault_of_a_replay_has_both_languages() {
        for why in [
            ReplayFault::Move(ParseMoveError::Illegal("G*5c".into())),
            ReplayFault::Move(ParseMoveError::Notation("x".into())),
            ReplayFault::Spelling { expected: mv("5c5b+"), found: mv("5c5b") },
            ReplayFault::Quiet,
            ReplayFault::NotByChecks,
            ReplayFault::NoThreat,
            ReplayFault::OtherEnd,
            ReplayFault::Unanswered(mv("5a4a")),
            ReplayFault::Longer { claimed: 1, found: 3 },
            ReplayFault::NoReply { is_mate: false },
            ReplayFault::NoReply { is_mate: true },
            ReplayFault::Mated,
            ReplayFault::PassInCheck,
            ReplayFault::TooDeep(2_000),
            ReplayFault::TooManyPositions(100),
        ] {
            for path in [vec![], vec![Some(mv("G*5b")), None]] {
                let fault = Unproved { path, why: Box::new(why.clone()) };
                check(&unproved(fault.clone()), &fault.to_string());
            }
        }
    }

    #[test]
    fn the_place_comes_before_the_fault() {
        let fault = Unproved { path: vec![Some(mv("G*5d")), None], why: Box::new(ReplayFault::Unanswered(mv("5a4a"))) };
        let japanese = unproved(fault).said(Words::of(Language::Japanese));
        assert_eq!(japanese, "G*5d pass の後：受けの 5a4a に対する手がありません");
    }
}
