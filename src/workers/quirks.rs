//! Facts about certain engines that the protocol cannot query.

use hasami_protocol::Protocol;

/// The deviations of an engine from its protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quirks {
    /// Whether the engine understands `go searchmoves`.
    pub searchmoves: bool,
    /// Whether the engine answers `go mate` with `checkmate`, as USI requires.
    pub checkmate: bool,
    /// Whether the engine understands `go nodes` and `go depth`.
    pub limits: bool,
}

/// A known engine: the beginning of its `id name`, the protocol in which it deviates, and its quirks.
struct KnownEngine {
    name: &'static str,
    protocol: Protocol,
    quirks: Quirks,
}

const USUAL_UCI: Quirks = Quirks { searchmoves: true, checkmate: false, limits: true };
const USUAL_USI: Quirks = Quirks { searchmoves: false, checkmate: true, limits: true };
const SEARCHES_MOVES: Quirks = Quirks { searchmoves: true, ..USUAL_USI };

/// Fairy-Stockfish treats USI commands like UCI commands: `searchmoves` works, and `go mate` is answered with
/// `bestmove` (11.1). In USI, Fairy-Stockfish also swaps the clocks of the two sides, which is why children are never
/// sent clocks. GPSShogi aborts at `go nodes` and `go depth` (0.7.0).
const KNOWN: &[KnownEngine] = &[
    KnownEngine {
        name: "fairy-stockfish",
        protocol: Protocol::Usi,
        quirks: Quirks { checkmate: false, ..SEARCHES_MOVES },
    },
    KnownEngine { name: "gpsshogi", protocol: Protocol::Usi, quirks: Quirks { limits: false, ..USUAL_USI } },
    KnownEngine { name: "gpsusione", protocol: Protocol::Usi, quirks: Quirks { limits: false, ..USUAL_USI } },
];

/// The known quirks of the engine with this name.
pub fn of(name: &str, protocol: Protocol) -> Quirks {
    let begins =
        |known: &&KnownEngine| name.get(..known.name.len()).is_some_and(|n| n.eq_ignore_ascii_case(known.name));
    let usual = match protocol {
        Protocol::Uci => USUAL_UCI,
        Protocol::Usi => USUAL_USI,
    };
    KNOWN.iter().filter(|known| known.protocol == protocol).find(begins).map_or(usual, |known| known.quirks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_recognised_by_the_beginning_of_their_names() {
        assert!(of("Fairy-Stockfish 11.1 LB", Protocol::Usi).searchmoves);
        assert!(!of("Fairy-Stockfish 11.1 LB", Protocol::Usi).checkmate);
        assert!(!of("Fairy", Protocol::Usi).searchmoves);
        assert!(of("Stockfish 15.1", Protocol::Uci).searchmoves);
        assert!(!of("gpsshogi (smp) r2837 gcc", Protocol::Usi).limits && of("Stockfish", Protocol::Uci).limits);
        assert!(!of("日本の将棋", Protocol::Usi).searchmoves);
    }
}
