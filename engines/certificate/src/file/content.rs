//! Encodes the content of a certificate as numbers and strings.

use super::ways::{put_nodes, take_nodes};
use super::words::{CertificateReader, put};
use crate::certificate::{Certificate, Claim};
use crate::graph::StrategyNodeId;
use hasami_api::MoveText;
use std::collections::HashSet;

/// Largest length of a start position in characters, which exceeds that of every valid position.
const LONGEST_START: usize = 512;
const MOST_MOVES: usize = u16::MAX as usize;

/// The codes that represent the claims in a certificate file.
const MATE: u8 = 0;
const BRINKMATE: u8 = 1;
const NONE: u8 = 2;
const NONE_WITHIN: u8 = 3;

pub fn write(certificate: &Certificate) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, certificate.start.len() as u32);
    out.extend(certificate.start.as_bytes());
    put_claim(certificate.claim, &mut out);
    put(&mut out, certificate.moves.len() as u32);
    for mv in &certificate.moves {
        out.push(mv.len() as u8);
        out.extend(mv.as_bytes());
    }
    put_nodes(&certificate.graph, certificate.claim.is_of_attacker(), &mut out);
    out
}

fn put_claim(claim: Claim, out: &mut Vec<u8>) {
    let (word, plies) = match claim {
        Claim::Mate => (MATE, None),
        Claim::Brinkmate { plies } => (BRINKMATE, Some(plies)),
        Claim::None { within: None } => (NONE, None),
        Claim::None { within } => (NONE_WITHIN, within),
    };
    out.push(word);
    if let Some(plies) = plies {
        put(out, plies.into());
    }
}

pub fn read(content: &[u8]) -> Result<Certificate, String> {
    let words = &mut CertificateReader::new(content);
    let start = start(words)?;
    let claim = claim(words)?;
    let moves = moves(words)?;
    let graph = take_nodes(words, claim.is_of_attacker(), moves.len())?;
    if words.left() > 0 {
        return Err(words.wrong("the end", format!("{} bytes more", words.left())));
    }
    let root = graph.len().checked_sub(1).and_then(StrategyNodeId::new);
    let root = root.ok_or_else(|| words.wrong("at least one node", "none"))?;
    Ok(Certificate { start, claim, moves, graph, root })
}

fn start(words: &mut CertificateReader) -> Result<String, String> {
    let length = words.count("the length of a position", 1)?;
    if length > LONGEST_START {
        return Err(words.wrong(format!("a position of at most {LONGEST_START} bytes"), length));
    }
    let text = words.bytes(length, "a position")?;
    let is_text = text.iter().all(|byte| (b' '..=b'~').contains(byte));
    let text = std::str::from_utf8(text).ok().filter(|_| is_text);
    Ok(text.ok_or_else(|| words.wrong("a position in printable ASCII", "other bytes"))?.to_owned())
}

fn claim(words: &mut CertificateReader) -> Result<Claim, String> {
    let plies = |words: &mut CertificateReader| {
        let number = words.number("a number of plies")?;
        u16::try_from(number).map_err(|_| words.wrong(format!("at most {} plies", u16::MAX), number))
    };
    let claim = match words.byte("a claim")? {
        MATE => Claim::Mate,
        BRINKMATE => Claim::Brinkmate { plies: plies(words)? },
        NONE => Claim::None { within: None },
        NONE_WITHIN => Claim::None { within: Some(plies(words)?) },
        other => return Err(words.wrong("a claim from 0 to 3", other)),
    };
    claim.check()?;
    Ok(claim)
}

fn moves(words: &mut CertificateReader) -> Result<Vec<MoveText>, String> {
    let count = words.count("a number of moves", 2)?;
    if count > MOST_MOVES {
        return Err(words.wrong(format!("at most {MOST_MOVES} moves"), count));
    }
    let (mut moves, mut seen) = (Vec::with_capacity(count), HashSet::with_capacity(count));
    for _ in 0..count {
        let length = words.byte("the length of a move")?;
        let text = words.bytes(length.into(), "a move")?;
        let mv = std::str::from_utf8(text).ok().and_then(|text| text.parse::<MoveText>().ok());
        let mv = mv.ok_or_else(|| words.wrong("a move of 1 to 7 characters", "other bytes"))?;
        if !seen.insert(mv) {
            return Err(words.wrong("each move once", format!("'{mv}' twice")));
        }
        moves.push(mv);
    }
    Ok(moves)
}
