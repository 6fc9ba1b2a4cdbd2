//! Lists facts about certain engines that cannot be queried over UCI or USI.

use hasami_protocol::Protocol;

/// How an engine deviates from its protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quirks {
    /// Whether the engine understands `go searchmoves`.
    pub searchmoves: bool,
    /// Whether the engine answers `go mate` with `checkmate`, as USI requires.
    pub checkmate: bool,
    /// Whether the engine understands `go nodes` and `go depth`.
    pub limits: bool,
}

/// Returns the known quirks of the engine `name`.
///
/// Fairy-Stockfish treats USI commands like UCI commands: `searchmoves` works, and `go mate` is answered with
/// `bestmove` (in version 11.1). In USI, Fairy-Stockfish swaps the clocks of the two sides, which is why clocks are
/// never sent to children. GPSShogi 0.7.0 aborts at `go nodes` and `go depth`.
pub fn of(name: &str, protocol: Protocol) -> Quirks {
    const UCI: Quirks = Quirks { searchmoves: true, checkmate: false, limits: true };
    const USI: Quirks = Quirks { searchmoves: false, checkmate: true, limits: true };
    let name = name.to_ascii_lowercase();
    match protocol {
        Protocol::Uci => UCI,
        Protocol::Usi if name.starts_with("fairy-stockfish") => UCI,
        Protocol::Usi if name.starts_with("gpsshogi") || name.starts_with("gpsusione") => {
            Quirks { limits: false, ..USI }
        }
        Protocol::Usi => USI,
    }
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
