//! Rules about `info` lines: variations are legal and end where the game ends, lines are ordered by rank and not too
//! frequent, and the last block agrees with the answer.

use super::answers::OwedAnswer;
use super::{Broken, broken};
use hasami_api::{Bound, Game, MoveText, ScoreKind, Verdict};
use hasami_protocol::{BestMove, Info};
use hasami_toy::Toy;
use hasami_tree::event::Time;
use std::time::Duration;

/// Largest number of lines (or blocks of lines) per second, counted anew after each answer.
const MOST: usize = 25;
/// A search may exceed its node limit by a fraction of the limit (one divided by the first number) plus the second
/// number.
const TOLERANCE: (u64, u64) = (20, 2_000);

#[derive(Debug, Default)]
pub struct Infos {
    /// The first move of each line in the last block, by rank.
    heads: Vec<MoveText>,
    any: bool,
    second: Duration,
    count: usize,
}

impl Infos {
    pub fn line(&mut self, now: Time, owed: &OwedAnswer, info: &Info, honest: bool) -> Result<(), Broken> {
        self.order(info)?;
        self.rate(now, info)?;
        let found = || format!("{info:?} in {}", owed.root.to_text());
        if info.time > now.saturating_sub(owed.since) + Duration::from_millis(1) && !owed.go.ponder {
            return broken("info-from-the-future", found());
        }
        let most = owed.go.nodes.map(|limit| limit + limit / TOLERANCE.0 + TOLERANCE.1);
        if honest && most.is_some_and(|most| info.nodes > most) {
            return broken("too-many-nodes", found());
        }
        let Some(end) = follow(&owed.root, &info.pv)? else { return Ok(()) };
        if honest && info.bound == Bound::Exact { mate_length(info, &end) } else { Ok(()) }
    }

    fn order(&mut self, info: &Info) -> Result<(), Broken> {
        let rank = usize::from(info.multipv.unwrap_or(1));
        if rank == 1 {
            self.heads.clear();
        }
        if rank != self.heads.len() + 1 {
            return broken("multipv-order", format!("{rank} after {}", self.heads.len()));
        }
        self.any = true;
        match info.pv.first() {
            Some(head) if self.heads.contains(head) => broken("multipv-twice", format!("{head}")),
            Some(head) => {
                self.heads.push(*head);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn rate(&mut self, now: Time, info: &Info) -> Result<(), Broken> {
        let second = Duration::from_secs(now.as_secs());
        if second != self.second {
            (self.second, self.count) = (second, 0);
        }
        self.count += usize::from(info.multipv.unwrap_or(1) == 1);
        if self.count > MOST { broken("too-many-infos", format!("{} at {now:?}", self.count)) } else { Ok(()) }
    }

    /// Checks that the answer is the first move of the best line in the last block.
    pub fn answered(&mut self, owed: &OwedAnswer, best: &BestMove) -> Result<(), Broken> {
        self.count = 0;
        let (heads, any) = (std::mem::take(&mut self.heads), std::mem::take(&mut self.any));
        let BestMove::Move { best, .. } = best else { return Ok(()) };
        let found = || format!("{best} after {heads:?} in {}", owed.root.to_text());
        match heads.first() {
            Some(head) if head == best => Ok(()),
            _ if any => broken("bestmove-not-in-last-info", found()),
            _ => broken("no-info-before-bestmove", found()),
        }
    }

    /// Forgets the last block; called after an answer to `go mate`.
    pub fn forget(&mut self) {
        self.heads.clear();
        self.any = false;
        self.count = 0;
    }
}

/// The position at the end of a variation; `None` if the variation is empty.
fn follow(root: &Toy, pv: &[MoveText]) -> Result<Option<Toy>, Broken> {
    let mut game = root.clone();
    for (ply, text) in pv.iter().enumerate() {
        if ply > 0 && game.verdict() != Verdict::Open {
            return broken("pv-past-the-end", format!("{text} of {pv:?} in {}", root.to_text()));
        }
        let Ok(m) = game.parse_move(text) else {
            return broken("illegal-pv", format!("{text} of {pv:?} in {}", root.to_text()));
        };
        game.make(m);
    }
    Ok(Some(game).filter(|_| !pv.is_empty()))
}

/// Checks that a mate score agrees with the length of its variation, if the variation ends in mate.
fn mate_length(info: &Info, end: &Toy) -> Result<(), Broken> {
    let mated = end.count_moves() == 0 && end.verdict_without_moves() == Verdict::Loss;
    let plies = info.pv.len() as i32;
    let expected = if plies % 2 == 1 { plies } else { -plies };
    match info.score.kind() {
        ScoreKind::Mate(found) if mated && found != expected => {
            broken("mate-length", format!("mate {found} for {plies} plies: {:?}", info.pv))
        }
        _ => Ok(()),
    }
}
