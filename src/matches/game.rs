//! The state of one game: the side to move, the clocks, and the end of the game. A game receives the engines' answers,
//! and returns requests to the engines and a game record.

use super::adjudicate::{AdjudicationRules, Adjudicator, Moved};
use super::clock::{self, GameClock};
use super::schedule::Pairing;
use super::search;
use super::spec::EngineSpec;
use super::talk::OpponentRequest;
use hasami_api::{Bound, Ending, GameRecord, Line, MoveText, Outcome, PlayedMove, Side, Verdict};
use hasami_catalog::{GameRules, Oracle, PvFault, Referee};
use hasami_protocol::client::ChildInfo;
use hasami_protocol::{BestMove, Protocol};
use hasami_words::heard;
use std::sync::Arc;
use std::time::Duration;

/// The conditions shared by the games of a match.
pub struct Terms {
    pub catalog: &'static dyn GameRules,
    pub rules: AdjudicationRules,
    pub oracle: Option<Arc<dyn Oracle>>,
    /// Whether game records contain the engines' variations.
    pub variations: bool,
}

pub struct MatchGame {
    pub pairing: Pairing,
    seats: [EngineSpec; 2],
    clocks: [GameClock; 2],
    terms: Arc<Terms>,
    referee: Box<dyn Referee>,
    judge: Adjudicator,
    line: Line,
    record: GameRecord,
    /// For each player, the opponent's move that the player predicts and ponders on.
    expected: [Option<MoveText>; 2],
    /// Faults that did not end the game, collected by [`Self::take_warnings`].
    warnings: Vec<(Side, String)>,
}

impl MatchGame {
    /// Sets up the opening. If a move of the opening is illegal, the error names that move.
    pub fn new(pairing: Pairing, seats: [EngineSpec; 2], opening: &Line, terms: Arc<Terms>) -> Result<Self, String> {
        let referee = terms.catalog.referee(opening)?;
        let book = |text: &MoveText| PlayedMove { book: true, ..PlayedMove::new(*text) };
        let record = GameRecord {
            round: pairing.round.to_string(),
            players: [seats[0].name.clone(), seats[1].name.clone()],
            clocks: [seats[0].control.to_string(), seats[1].control.to_string()],
            start: opening.start.clone(),
            moves: opening.moves.iter().map(book).collect(),
            ..GameRecord::default()
        };
        Ok(Self {
            clocks: [GameClock::new(&seats[0].control), GameClock::new(&seats[1].control)],
            judge: Adjudicator::new(terms.rules),
            line: opening.clone(),
            pairing,
            seats,
            terms,
            referee,
            record,
            expected: [None; 2],
            warnings: Vec::new(),
        })
    }

    pub fn side(&mut self) -> Side {
        self.referee.side()
    }

    fn protocol_of(&self, side: Side) -> Protocol {
        self.seats[side.index()].protocol.unwrap_or(self.terms.catalog.protocol())
    }

    /// Returns the index of the engine that plays `side`.
    pub fn engine_of(&self, side: Side) -> usize {
        self.pairing.engines[side.index()]
    }

    pub fn take_warnings(&mut self) -> Vec<(Side, String)> {
        std::mem::take(&mut self.warnings)
    }

    pub fn record(&mut self) -> &mut GameRecord {
        &mut self.record
    }

    /// Ends the game if it is already over after the opening. The caller must call this function once, before the first
    /// request.
    pub fn begin(&mut self) -> bool {
        self.end_by_rules()
    }

    /// Returns the request for a move to the side to move.
    pub fn question(&mut self) -> OpponentRequest {
        let side = self.referee.side();
        let clock = &self.clocks[side.index()];
        let go = clock::go(&self.clocks, side, self.protocol_of(side));
        let is_real = !self.seats[side.index()].virtual_clock;
        let limit = clock.allowance().filter(|_| is_real).map(|time| time + clock.control().margin());
        OpponentRequest { line: self.line.clone(), go, limit }
    }

    /// Returns the ponder request for the side that is not to move, if its engine ponders.
    pub fn ponder_question(&mut self) -> Option<OpponentRequest> {
        let side = self.referee.side().other();
        let expected = self.expected[side.index()].filter(|_| self.seats[side.index()].ponder)?;
        let mut go = clock::go(&self.clocks, side, self.protocol_of(side));
        go.ponder = true;
        Some(OpponentRequest { line: self.line.with(expected), go, limit: None })
    }

    /// Returns whether the side to move was pondering on the move that was just played.
    pub fn is_hit(&mut self) -> bool {
        let side = self.referee.side().index();
        let last = self.line.moves.last().copied();
        let expected = self.expected[side].take().filter(|_| self.seats[side].ponder);
        expected.is_some() && expected == last
    }

    /// Handles the answer of the side to move, which took the time `used`. Returns whether the game is over.
    pub fn answer(&mut self, best: Result<BestMove, String>, used: Duration, infos: &[ChildInfo]) -> bool {
        let side = self.referee.side();
        let used = if self.seats[side.index()].virtual_clock { reported_time(infos) } else { used };
        self.check_lines(side, infos, best.as_ref().ok());
        let clock = self.clocks[side.index()].spend(used);
        let (best, ponder) = match best {
            Ok(BestMove::Move { best, ponder }) => (best, ponder),
            Ok(BestMove::Resign) => return self.lose(side, Ending::Resignation, "resigns"),
            Ok(BestMove::Win) if self.referee.may_declare_win() => {
                let remark = format!("{} declares a win", self.name_of(side));
                return self.finish(Outcome::Win(side), Ending::Declaration, remark);
            }
            Ok(BestMove::Win) => return self.lose(side, Ending::IllegalMove, "declares a win without the right to"),
            Ok(BestMove::None) => return self.lose(side, Ending::IllegalMove, "makes no move"),
            Err(why) => return self.lose(side, Ending::IllegalMove, &format!("makes an illegal move ({why})")),
        };
        if let Err(overrun) = clock {
            return self.lose_on_time(side, overrun.0, true);
        }
        let before = self.referee.plies_without_progress();
        let Ok(text) = self.referee.play(&best) else {
            return self.lose(side, Ending::IllegalMove, &format!("makes an illegal move: {best}"));
        };
        self.line.moves.push(text);
        self.expected[side.index()] = ponder;
        self.note(side, text, used, infos);
        self.end_by_rules() || self.end_by_tables() || self.end_by_scores(side, before)
    }

    /// Handles a time limit that expires before the side to move answers.
    pub fn flag(&mut self, used: Duration) -> bool {
        let side = self.referee.side();
        let allowance = self.clocks[side.index()].allowance().unwrap_or_default();
        self.lose_on_time(side, used.saturating_sub(allowance), false)
    }

    /// Ends the game because a player's process failed.
    pub fn forfeit(&mut self, side: Side, ending: Ending, why: &str) -> bool {
        let remark = if ending == Ending::Crash { "'s engine crashes" } else { "'s engine does not answer" };
        let remark = format!("{}{remark} ({why})", self.name_of(side));
        self.finish(Outcome::Win(side.other()), ending, remark)
    }

    fn name_of(&self, side: Side) -> &'static str {
        self.terms.catalog.sides()[side.index()]
    }

    fn lose(&mut self, side: Side, ending: Ending, why: &str) -> bool {
        let remark = format!("{} {why}", self.name_of(side));
        self.finish(Outcome::Win(side.other()), ending, remark)
    }

    /// Ends the game as a loss on time. `is_known` states that the answer has arrived, so the overrun is exact and not
    /// just a lower bound.
    fn lose_on_time(&mut self, side: Side, overrun: Duration, is_known: bool) -> bool {
        let by = if is_known { "by" } else { "by more than" };
        self.record.overrun = Some(overrun);
        self.lose(side, Ending::TimeLoss, &format!("loses on time ({by} {} ms)", overrun.as_millis()))
    }

    fn finish(&mut self, outcome: Outcome, ending: Ending, remark: String) -> bool {
        (self.record.outcome, self.record.ending, self.record.remark) = (outcome, ending, remark);
        true
    }

    fn end_by_rules(&mut self) -> bool {
        self.referee.end().is_some_and(|(outcome, ending)| self.decide(outcome, ending))
    }

    fn end_by_tables(&mut self) -> bool {
        let Some(oracle) = self.terms.oracle.clone() else { return false };
        let side = self.referee.side();
        let outcome = match oracle.probe(&self.referee.to_text()) {
            None | Some(Verdict::Open) => return false,
            Some(Verdict::Win) => Outcome::Win(side),
            Some(Verdict::Loss) => Outcome::Win(side.other()),
            Some(Verdict::Draw) => Outcome::Draw,
        };
        self.decide(outcome, Ending::Table)
    }

    fn end_by_scores(&mut self, side: Side, before: Option<u32>) -> bool {
        let played = self.record.moves.last();
        let progress = self.referee.plies_without_progress();
        let moved = Moved {
            side,
            score: played.and_then(|played| played.score),
            move_number: self.referee.ply() / self.terms.catalog.plies_per_move(),
            irreversible: before.is_some() && progress == Some(0),
        };
        self.judge.after(&moved).is_some_and(|(outcome, ending)| self.decide(outcome, ending))
    }

    fn decide(&mut self, outcome: Outcome, ending: Ending) -> bool {
        let remark = match outcome {
            Outcome::Win(side) if ending == Ending::Checkmate => format!("{} mates", self.name_of(side)),
            Outcome::Win(side) => format!("{} wins by {ending}", self.name_of(side)),
            _ => format!("draw by {ending}"),
        };
        self.finish(outcome, ending, remark)
    }

    fn note(&mut self, side: Side, text: MoveText, used: Duration, infos: &[ChildInfo]) {
        // Times are rounded as in the journal, so that a record does not change when it is stored and read again.
        let exact = |time: Duration| Duration::from_micros(time.as_micros() as u64);
        let left = self.clocks[side.index()].left().map(exact);
        let mut played = PlayedMove { time: Some(exact(used)), left, ..PlayedMove::new(text) };
        if let Some(info) = search::verdict(infos) {
            played.score = info.score;
            played.bound = info.bound;
            (played.depth, played.seldepth, played.nodes) = (info.depth, info.seldepth, info.nodes);
            if self.terms.variations {
                played.pv.clone_from(&info.pv);
            }
        }
        self.record.moves.push(played);
    }

    /// Checks that all variations are legal and the last one begins with the engine's move. At most one fault per move
    /// is reported.
    fn check_lines(&mut self, side: Side, infos: &[ChildInfo], best: Option<&BestMove>) {
        let mut fault = None;
        for info in infos {
            fault = fault.or_else(|| self.referee.check_pv(&info.pv).map(|fault| describe(fault, &info.pv)));
        }
        if fault.is_none()
            && let Some(BestMove::Move { best, .. }) = best
            && let Some(info) = search::verdict(infos).filter(|info| info.bound == Bound::Exact)
            && let Some(first) = info.pv.first().filter(|first| *first != best)
        {
            fault = Some(format!("its last variation begins with {first}, but it plays {best}"));
        }
        self.warnings.extend(fault.map(|fault| (side, fault)));
    }
}

fn describe(fault: PvFault, pv: &[MoveText]) -> String {
    let line = pv.iter().map(|m| &**m).collect::<Vec<_>>().join(" ");
    let line = heard(&line);
    match fault {
        PvFault::Illegal(at) => {
            format!("illegal move {} at ply {} of its variation '{line}'", pv[at], at + 1)
        }
        PvFault::PastEnd(at) => format!("its variation goes on after the end of the game at ply {at}: '{line}'"),
    }
    .to_string()
}

/// Returns the time that the engine reports; zero if the engine reports none.
fn reported_time(infos: &[ChildInfo]) -> Duration {
    infos.iter().rev().find_map(|info| info.time).unwrap_or_default()
}

#[cfg(test)]
mod tests;
