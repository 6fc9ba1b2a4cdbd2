//! The engine's output during one search, including the answer.

use super::conversation::shown;
use hasami_api::{Line, MoveText};
use hasami_catalog::{GameRules, PvFault};
use hasami_protocol::client::{self, ChildInfo, Reply};
use hasami_protocol::{BestMove, Protocol};
use hasami_words::text::counted;
use std::time::Duration;

pub struct SearchAnswer {
    line: Line,
    go: String,
    infos: Vec<ChildInfo>,
    reply: Reply,
    /// The engine's last output line, which ended the search.
    last: String,
    pub took: Duration,
}

impl SearchAnswer {
    pub fn new(protocol: Protocol, line: &Line, go: &str, mut lines: Vec<String>, took: Duration) -> Self {
        let last = lines.pop().unwrap_or_default();
        let info = |line: &String| match client::parse(protocol, line) {
            Reply::Info(info) => Some(info),
            _ => None,
        };
        let infos = lines.iter().filter_map(info).collect();
        let reply = client::parse(protocol, &last);
        Self { line: line.clone(), go: go.to_owned(), infos, reply, last, took }
    }

    /// Returns the best move, or an error if the engine gave no legal move.
    pub fn legal_move(&self, catalog: &dyn GameRules) -> Result<MoveText, String> {
        let go = &self.go;
        let Reply::Best(BestMove::Move { best, .. }) = &self.reply else {
            return Err(format!("expected a move after '{go}', found '{}'", self.last_line()));
        };
        catalog.check(&self.line.with(*best)).map_err(|why| {
            let moves = counted(self.line.moves.len() as u64, "move");
            format!("{best} after '{go}' is not legal in a position after {moves} ({why})")
        })?;
        Ok(*best)
    }

    /// The move on which the engine wants to ponder.
    pub fn ponder_move(&self) -> Option<MoveText> {
        match &self.reply {
            Reply::Best(BestMove::Move { ponder, .. }) => *ponder,
            _ => None,
        }
    }

    /// Returns whether the engine claims to have no legal move.
    pub fn is_without_a_move(&self) -> bool {
        matches!(self.reply, Reply::Best(BestMove::None | BestMove::Resign))
    }

    /// Returns whether the engine answered with `checkmate`, with any arguments.
    pub fn is_of_a_mate(&self) -> bool {
        self.last.starts_with("checkmate")
    }

    pub fn last_line(&self) -> String {
        shown(&self.last)
    }

    /// Returns the last `info` line with a score for the best line.
    pub fn verdict(&self) -> Option<&ChildInfo> {
        self.infos.iter().rev().find(|info| info.score.is_some() && info.multipv.unwrap_or(1) == 1)
    }

    /// Returns the first move of each of the best `count` lines; `None` if the engine printed fewer lines.
    pub fn lines(&self, count: usize) -> Option<Vec<MoveText>> {
        let of_rank = |rank: usize| {
            let mut of = self.infos.iter().rev().filter(move |info| info.multipv.map(usize::from) == Some(rank));
            of.find_map(|info| info.pv.first().copied())
        };
        (1..=count).map(of_rank).collect()
    }

    /// Checks that every variation is legal.
    pub fn legal_variations(&self, catalog: &dyn GameRules) -> Result<(), String> {
        let mut referee = catalog.referee(&self.line)?;
        for info in &self.infos {
            let fault = referee.check_pv(&info.pv).map(|fault| match fault {
                PvFault::Illegal(at) => format!("{} at ply {}", info.pv[at], at + 1),
                PvFault::PastEnd(at) => format!("moves behind the end of the game at ply {at}"),
            });
            if let Some(fault) = fault {
                let pv = info.pv.iter().map(|m| &**m).collect::<Vec<_>>().join(" ");
                return Err(format!("a variation cannot be played: {fault} of '{}'", shown(&pv)));
            }
        }
        Ok(())
    }
}
