//! The command-line flags of the mock engine, each for one way to misbehave.

use std::time::Duration;

/// The mock engine's flags, such as `--dead-at-start`. Without flags, the engine behaves correctly.
#[derive(Clone, Default)]
pub struct Faults {
    /// Exits before reading any input.
    pub dead_at_start: bool,
    /// Exits in the middle of its answer to the greeting.
    pub dead_before_ok: bool,
    /// Exits in the middle of every second search.
    pub dead_mid_search: bool,
    pub exits_on_go: bool,
    /// `--dies-after MS`: exits this many milliseconds after its start, whatever it is doing.
    pub dies_after: Option<Duration>,
    /// Never answers the greeting.
    pub silent: bool,
    /// Does not declare the option `UCI_Chess960`.
    pub standard_only: bool,
    /// Does not understand the greeting `usi`.
    pub uci_only: bool,
    /// Reports a very long name that contains terminal escapes and a newline.
    pub rude_name: bool,
    /// Never sends `readyok`.
    pub never_ready: bool,
    /// Continues to search after `stop`.
    pub deaf_to_stop: bool,
    /// Keeps running after `quit` and after the end of its input.
    pub deaf_to_eof: bool,
    pub two_bestmoves: bool,
    /// Ends every search without printing `bestmove`.
    pub no_bestmove: bool,
    /// `--bestmove WORD`: always answers with this word, such as an illegal move, `(none)`, `resign` or `win`.
    pub odd_bestmove: Option<String>,
    /// Ends every search after one `info` line, of depth 3.
    pub ends_early: bool,
    /// Ignores `go`.
    pub deaf_to_go: bool,
    /// Reports impossible depths.
    pub absurd_depths: bool,
    /// Prints variations that consist of null moves.
    pub null_pv: bool,
    /// Reports illegal variations.
    pub illegal_pv: bool,
    /// Reports a mate as the score of every move.
    pub absurd_scores: bool,
    /// Ignores MultiPV.
    pub one_line: bool,
    /// Exits when a `go` limits nodes or depth.
    pub dies_of_limits: bool,
    /// Ignores limits on nodes and depth.
    pub ignores_limits: bool,
    /// Uses CPU time instead of sleeping: about 0.5 ms for every thousand nodes.
    pub burns: bool,
    /// Prints 10,000 `info` lines per second.
    pub flood: bool,
    /// `--talks MS`: searches for at least this many milliseconds, and prints a line every 2 ms.
    pub talks: Duration,
    pub half_lines: bool,
    pub stderr_flood: bool,
    /// Prints bytes that are not valid text.
    pub garbage: bool,
    /// Prints lines of several megabytes.
    pub huge_lines: bool,
    /// `--slow-new-game MS`: needs this many milliseconds to prepare a new game.
    pub slow_new_game: Duration,
    /// `--slow-start MS`: waits this many milliseconds before it answers the greeting.
    pub slow_start: Duration,
    /// Sets up the initial position when it reads `isready`, as the YaneuraOu family does.
    pub isready_resets: bool,
    /// `--loads MS`: prints empty lines for this many milliseconds before its first `readyok`.
    pub loads: Duration,
    /// Has the options of the YaneuraOu family, with their defaults: `info` lines every 300 ms, four threads, a book,
    /// and time reserved for network delay.
    pub family: bool,
    /// Declares `USI_MultiPV` instead of `MultiPV`.
    pub usi_multipv: bool,
    /// Ignores all `setoption` commands, as if a file fixed the options.
    pub fixed_options: bool,
    /// Plays with a known strength that depends on the option Margin; see `planted.rs`.
    pub planted: bool,
    /// Reports that it cannot read a book.
    pub missing_book: bool,
    /// Reports mate scores without the length of the mate.
    pub mate_sign: bool,
    /// `--checkmate TEXT`: answers `go mate` with this text.
    pub checkmate: Option<String>,
    /// Answers `go mate` only after `stop`.
    pub overstays: bool,
    /// Treats `go mate` like `go`, as engines without a mate solver do.
    pub plays_mates: bool,
    /// `--variants NAMES`: plays the games in this comma-separated list, with the first as the default.
    pub variants: Option<String>,
    /// `--hears FILE`: appends every line of its input to this file.
    pub hears: Option<String>,
}

impl Faults {
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut faults = Self::default();
        while let Some(word) = words.next() {
            if let Some(flag) = faults.flag(&word) {
                *flag = true;
                continue;
            }
            let mut value = || words.next().ok_or_else(|| format!("expected a value after {word}, found none"));
            match word.as_str() {
                "--bestmove" => faults.odd_bestmove = Some(value()?),
                "--dies-after" => faults.dies_after = Some(millis(&value()?)?),
                "--slow-new-game" => faults.slow_new_game = millis(&value()?)?,
                "--talks" => faults.talks = millis(&value()?)?,
                "--loads" => faults.loads = millis(&value()?)?,
                "--checkmate" => faults.checkmate = Some(value()?),
                "--variants" => faults.variants = Some(value()?),
                "--hears" => faults.hears = Some(value()?),
                "--slow-start" => faults.slow_start = millis(&value()?)?,
                _ => return Err(format!("expected a flag, found '{word}'")),
            }
        }
        Ok(faults)
    }

    fn flag(&mut self, word: &str) -> Option<&mut bool> {
        Some(match word {
            "--dead-at-start" => &mut self.dead_at_start,
            "--dead-before-ok" => &mut self.dead_before_ok,
            "--dead-mid-search" => &mut self.dead_mid_search,
            "--exits-on-go" => &mut self.exits_on_go,
            "--silent" => &mut self.silent,
            "--standard-only" => &mut self.standard_only,
            "--uci-only" => &mut self.uci_only,
            "--rude-name" => &mut self.rude_name,
            "--never-ready" => &mut self.never_ready,
            "--deaf-to-stop" => &mut self.deaf_to_stop,
            "--deaf-to-eof" => &mut self.deaf_to_eof,
            "--two-bestmoves" => &mut self.two_bestmoves,
            "--no-bestmove" => &mut self.no_bestmove,
            "--ends-early" => &mut self.ends_early,
            "--deaf-to-go" => &mut self.deaf_to_go,
            "--absurd-depths" => &mut self.absurd_depths,
            "--null-pv" => &mut self.null_pv,
            "--illegal-pv" => &mut self.illegal_pv,
            "--absurd-scores" => &mut self.absurd_scores,
            "--dies-of-limits" => &mut self.dies_of_limits,
            "--ignores-limits" => &mut self.ignores_limits,
            "--one-line" => &mut self.one_line,
            "--burns" => &mut self.burns,
            "--flood" => &mut self.flood,
            "--half-lines" => &mut self.half_lines,
            "--stderr-flood" => &mut self.stderr_flood,
            "--garbage" => &mut self.garbage,
            "--isready-resets" => &mut self.isready_resets,
            "--family" => &mut self.family,
            "--usi-multipv" => &mut self.usi_multipv,
            "--fixed-options" => &mut self.fixed_options,
            "--missing-book" => &mut self.missing_book,
            "--mate-sign" => &mut self.mate_sign,
            "--planted" => &mut self.planted,
            "--overstays" => &mut self.overstays,
            "--plays-mates" => &mut self.plays_mates,
            "--huge-lines" => &mut self.huge_lines,
            _ => return None,
        })
    }
}

fn millis(text: &str) -> Result<Duration, String> {
    let millis = text.parse().map_err(|_| format!("expected milliseconds, found '{text}'"))?;
    Ok(Duration::from_millis(millis))
}
