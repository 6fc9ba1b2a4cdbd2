//! The `info` lines of one search, stored as text while the engine thinks and parsed after its move.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_protocol::Protocol;
use hasami_protocol::client::{self, ChildInfo, Reply};

/// Maximum size of the text kept for one search, in bytes; older lines are dropped.
const MOST: usize = 64 << 10;

/// The `info` lines with a score since the last request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    lines: String,
}

impl SearchInfo {
    pub fn add(&mut self, line: &str) {
        if !line.contains(" score ") || line.len() > MOST {
            return;
        }
        while !self.lines.is_empty() && self.lines.len() + line.len() > MOST {
            self.forget_half();
        }
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    /// Drops the older half of the stored text, in whole lines. The newer half is large enough for all lines of the
    /// last depth.
    fn forget_half(&mut self) {
        let end = self.lines.bytes().skip(MOST / 2).position(|byte| byte == b'\n');
        self.lines.drain(..end.map_or(self.lines.len(), |end| MOST / 2 + end + 1));
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn clear(&mut self) {
        self.lines.clear();
    }

    /// Parses all lines with a score, oldest first.
    pub fn infos(&self, protocol: Protocol) -> Vec<ChildInfo> {
        let read = |line| match client::parse(protocol, line) {
            Reply::Info(info) if info.score.is_some() => Some(info),
            _ => None,
        };
        self.lines.lines().filter_map(read).collect()
    }
}

/// Returns the last report on the best line, which is recorded with the move.
pub fn verdict(infos: &[ChildInfo]) -> Option<&ChildInfo> {
    infos.iter().rev().find(|info| info.multipv.is_none_or(|rank| rank <= 1))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::Score;

    #[test]
    fn the_last_score_of_the_best_line_counts() {
        let mut search = SearchInfo::default();
        for line in [
            "info string score is fine",
            "info depth 3 multipv 1 score cp 10 pv e2e4",
            "info depth 4 multipv 1 score cp 20 pv d2d4",
            "info depth 4 multipv 2 score cp 5 pv e2e4",
            "info nodes 100 nps 10",
        ] {
            search.add(line);
        }
        let infos = search.infos(Protocol::Uci);
        assert_eq!(infos.len(), 3);
        assert_eq!(verdict(&infos).unwrap().score, Some(Score::cp(20)));
        search.clear();
        assert_eq!(verdict(&search.infos(Protocol::Uci)), None);
    }

    #[test]
    fn too_many_lines_are_truncated() {
        let mut search = SearchInfo::default();
        (0..100_000).for_each(|depth| search.add(&format!("info depth {depth} score cp 1")));
        assert!(search.lines.len() <= MOST && search.lines.len() >= MOST / 3);
        assert_eq!(verdict(&search.infos(Protocol::Uci)).unwrap().depth, Some(u16::MAX));
    }
}
