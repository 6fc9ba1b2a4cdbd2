//! The flags of the mock engine, one for each kind of misbehaviour.

use std::time::Duration;

/// The command-line flags: `--dead-at-start` and so on. Without flags the engine is healthy.
#[derive(Clone, Default)]
pub struct Faults {
    /// Exits before it reads any input.
    pub dead_at_start: bool,
    /// Exits in the middle of its introduction.
    pub dead_before_ok: bool,
    /// Exits in the middle of every second search.
    pub dead_mid_search: bool,
    /// Exits as soon as it reads `go`.
    pub exits_on_go: bool,
    /// `--dies-after MS`: exits this long after its start, in any state.
    pub dies_after: Option<Duration>,
    /// Never answers the greeting.
    pub silent: bool,
    /// Has no option for Chess960.
    pub standard_only: bool,
    /// Does not know `usi`.
    pub uci_only: bool,
    /// Has a very long name that contains terminal escapes and a line break.
    pub rude_name: bool,
    /// Never sends `readyok`.
    pub never_ready: bool,
    /// Continues to search after `stop`.
    pub deaf_to_stop: bool,
    /// Keeps running after `quit` and after the end of its input.
    pub deaf_to_eof: bool,
    pub two_bestmoves: bool,
    /// Ends its searches without `bestmove`.
    pub no_bestmove: bool,
    /// `--bestmove WORD`: always answers with this word (an illegal move, `(none)`, `resign`, `win`).
    pub odd_bestmove: Option<String>,
    /// Ends its searches after one line of depth 3.
    pub ends_early: bool,
    /// Ignores `go`.
    pub deaf_to_go: bool,
    /// Reports impossible depths.
    pub absurd_depths: bool,
    /// Reports null moves as variations.
    pub null_pv: bool,
    /// Reports illegal variations.
    pub illegal_pv: bool,
    /// Reports mate scores everywhere.
    pub absurd_scores: bool,
    /// Ignores MultiPV.
    pub one_line: bool,
    /// Exits on a `go` with a limit on nodes or depth.
    pub dies_of_limits: bool,
    /// Continues to search beyond limits on nodes and depth.
    pub ignores_limits: bool,
    /// Computes instead of waiting: every thousand nodes take the same CPU time, about 0.5 ms.
    pub burns: bool,
    /// Prints 10,000 info lines per second.
    pub flood: bool,
    /// `--talks MS`: searches for at least this long, with a line every 2 ms.
    pub talks: Duration,
    pub half_lines: bool,
    pub stderr_flood: bool,
    /// Prints bytes that are not text.
    pub garbage: bool,
    /// Prints lines of several megabytes.
    pub huge_lines: bool,
    /// `--slow-new-game MS`: needs this long to prepare a new game.
    pub slow_new_game: Duration,
    /// `--slow-start MS`: waits this long before it introduces itself.
    pub slow_start: Duration,
    /// `isready` sets up the initial position, as in the YaneuraOu family.
    pub isready_resets: bool,
    /// `--loads MS`: prints empty lines for this long before its first `readyok`.
    pub loads: Duration,
    /// Has the options of the YaneuraOu family: lines every 300 ms, four threads, a book, time reserved for a network.
    pub family: bool,
    /// Declares `USI_MultiPV` instead of `MultiPV`.
    pub usi_multipv: bool,
    /// Ignores all options, as if a file fixed them.
    pub fixed_options: bool,
    /// Has a known strength that depends on an option.
    pub planted: bool,
    /// Complains about a book that it cannot read.
    pub missing_book: bool,
    /// Reports mates without their lengths.
    pub mate_sign: bool,
    /// `--checkmate TEXT`: answers `go mate` with this text.
    pub checkmate: Option<String>,
    /// Answers `go mate` only after `stop`.
    pub overstays: bool,
    /// Treats `go mate` like `go`, as playing engines do.
    pub plays_mates: bool,
    /// `--variants NAMES`: plays these games, separated by commas; the first one is the default.
    pub variants: Option<String>,
    /// `--hears FILE`: writes its input to this file.
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
