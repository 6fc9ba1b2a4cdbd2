//! Fuzzes network files: reading never panics, and allocates only as much memory as the file's contents need. Every
//! network that was read successfully can evaluate a position.
//!
//! The first byte of the input selects one of three forms for the rest: edits of a genuine file; a run-length encoding,
//! so that small inputs can encode valid files; or the bytes of the file.

use hasami_api::{Evaluator, Start};
use hasami_chess::Chess;
use hasami_nnue::{Inputs, Network, NetworkEval, NetworkGame, read};
use hasami_shogi::Shogi;
use std::sync::{Arc, LazyLock};

#[path = "../../../engines/nnue/tests/it/generated.rs"]
mod generated;

static GENUINE: LazyLock<[Vec<u8>; 5]> = LazyLock::new(|| {
    [
        generated::classic("KP", 0x3F57_17FF, 1_710, [128, 8, 32], 1),
        generated::classic("HalfKP(Friend)", 0x5D69_D5B8, 41_024, [128, 32, 32], 1),
        generated::stockfish(128, true, 1),
        generated::layer_stacks(128, 7, 32, 1),
        generated::own(1),
    ]
});

/// Maximum size of a file that is decoded from a run-length encoding. The smallest valid files of four network formats
/// are below this size.
const MOST_WRITTEN: usize = 1 << 22;

fn evaluate<G: Inputs>(network: Network) {
    let game = G::new(&Start::default()).expect("a position");
    let mut eval = NetworkEval::new(Arc::new(network));
    eval.refresh(&game);
    Evaluator::<G>::evaluate(&mut eval, &game);
}

/// Returns the network file that a fuzz input encodes.
pub fn file(bytes: &[u8]) -> Vec<u8> {
    let Some((&first, rest)) = bytes.split_first() else { return Vec::new() };
    match first % 8 {
        number @ 0..5 => edited(GENUINE[usize::from(number)].clone(), rest),
        5 => written_out(rest),
        _ => rest.to_vec(),
    }
}

fn edited(mut file: Vec<u8>, edits: &[u8]) -> Vec<u8> {
    for edit in edits.chunks_exact(5) {
        let number = u32::from_le_bytes([edit[0], edit[1], edit[2], edit[3]]) as usize;
        // Half of the edits change the file's header, where an edit has more effect than in the weights.
        let at = if edit[4] & 1 == 0 { number % 512 } else { number % file.len().max(1) };
        match (file.get_mut(at), edit[4] >> 1 & 3) {
            (Some(byte), 0..=2) => *byte = edit[3] ^ edit[4],
            _ => file.truncate(file.len().saturating_sub(number % 4_096)),
        }
    }
    file
}

/// Decodes a run-length encoding. A byte below 128 says how many literal bytes follow. A byte of at least 128 is
/// followed by a four-byte count and the byte to repeat.
fn written_out(mut rest: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    while let [first, more @ ..] = rest {
        if *first < 128 {
            let (bytes, left) = more.split_at(more.len().min(usize::from(*first)));
            file.extend(bytes);
            rest = left;
        } else {
            let Some((&[a, b, c, d, byte], left)) = more.split_first_chunk() else { break };
            let count = u32::from_le_bytes([a, b, c, d]) as usize;
            file.resize(MOST_WRITTEN.min(file.len() + count), byte);
            rest = left;
        }
    }
    file
}

pub fn check(bytes: &[u8]) {
    match read(&file(bytes)) {
        Ok(network) if network.game == NetworkGame::Chess => evaluate::<Chess>(network),
        Ok(network) => evaluate::<Shogi>(network),
        Err(why) => assert_eq!(why.to_string().lines().count(), 1, "{why}"),
    }
}
