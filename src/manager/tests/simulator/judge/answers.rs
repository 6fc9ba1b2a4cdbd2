//! Rules about answers: each `go` gets exactly one answer, which is legal and neither late nor premature.

use super::super::gui::{GuiMessage, position};
use super::{Broken, JITTER, JudgeInput, broken};
use hasami_api::{Game, Line, MateAnswer, MoveText, Verdict};
use hasami_protocol::{BestMove, Clock, Command, Go, MateLimit, Settings};
use hasami_toy::Toy;
use hasami_tree::event::Time;
use std::collections::VecDeque;
use std::time::Duration;

/// A `go` with a depth or node limit must be answered within this time. Healthy workers reach the limits in the
/// scenarios far sooner.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A `go` that has not been answered yet.
#[derive(Clone, Debug)]
pub struct OwedAnswer {
    pub go: Go,
    pub root: Toy,
    /// True if the last position before the `go` was invalid, which leaves nothing to search.
    refused: bool,
    pub since: Time,
    /// True if the search must wait for `ponderhit` or `stop`.
    pondering: bool,
    deadline: Option<Time>,
}

impl OwedAnswer {
    /// Returns whether only the GUI may end the search.
    fn open_ended(&self) -> bool {
        self.go.infinite || self.pondering
    }
}

#[derive(Debug)]
pub struct AnswerJudge {
    standing: Toy,
    /// True if the last position was rejected.
    refused: bool,
    owed: VecDeque<OwedAnswer>,
    /// True if all workers behave correctly, so that depth and node limits are reached.
    healthy: bool,
}

impl AnswerJudge {
    pub fn new(healthy: bool) -> Self {
        Self { standing: initial(), refused: false, owed: VecDeque::new(), healthy }
    }

    /// The `go` that must be answered next.
    pub fn current(&self) -> Option<&OwedAnswer> {
        self.owed.front()
    }

    /// Returns whether the clock or a limit of the pending `go` will end the search.
    pub fn awaits(&self) -> bool {
        self.owed.back().is_some_and(|owed| owed.deadline.is_some())
    }

    pub fn hear(&mut self, now: Time, command: &Command) {
        match command {
            Command::NewGame => (self.standing, self.refused) = (initial(), false),
            Command::Position(line) => {
                let found = position(line);
                self.refused = found.is_none();
                self.standing = found.unwrap_or_else(|| self.standing.clone());
            }
            Command::Go(go) => {
                let (root, pondering) = (self.standing.clone(), go.ponder);
                let deadline = self.deadline(now, go, &go.clock, &root).filter(|_| !pondering);
                self.owed.push_back(OwedAnswer {
                    go: go.clone(),
                    root,
                    refused: self.refused,
                    since: now,
                    pondering,
                    deadline,
                });
            }
            Command::PonderHit(clock) => {
                let Some(mut owed) = self.owed.pop_back() else { return };
                if owed.pondering {
                    owed.pondering = false;
                    owed.deadline = self.deadline(now, &owed.go, &clock.unwrap_or(owed.go.clock), &owed.root);
                }
                self.owed.push_back(owed);
            }
            _ => {}
        }
    }

    fn deadline(&self, now: Time, go: &Go, clock: &Clock, root: &Toy) -> Option<Time> {
        let limited = self.healthy && (go.depth.is_some() || go.nodes.is_some());
        let latest = (limited && go.mate.is_none()).then(|| now + TIMEOUT);
        if go.infinite { None } else { by_clock(now, go, clock, root).or(latest) }
    }

    pub fn best(
        &mut self,
        now: Time,
        input: &JudgeInput,
        best: &BestMove,
        settings: &Settings,
    ) -> Result<OwedAnswer, Broken> {
        let owed = self.pay(now, input, &format!("{best:?}"))?;
        if matches!(owed.go.mate, Some(MateLimit::Time(_) | MateLimit::Infinite)) {
            return broken("bestmove-for-mate", format!("{best:?}"));
        }
        match best {
            BestMove::None if owed.refused => {}
            _ if owed.refused => return broken("move-of-a-refused-position", format!("{best:?}")),
            _ => legal(&owed, best, settings)?,
        }
        Ok(owed)
    }

    pub fn checkmate(&mut self, now: Time, answer: &MateAnswer) -> Result<(), Broken> {
        let owed = self.pay_mate(now, &format!("{answer:?}"))?;
        if owed.refused {
            return broken("mate-of-a-refused-position", format!("{answer:?}"));
        }
        match answer {
            MateAnswer::Mate(moves) if !mates(&owed.root, moves) => broken("not-a-mate", format!("{moves:?}")),
            _ => Ok(()),
        }
    }

    /// Judges an answer to `go mate` that says there is no position to solve.
    pub fn mate_refused(&mut self, now: Time) -> Result<(), Broken> {
        let owed = self.pay_mate(now, "no position")?;
        if owed.refused { Ok(()) } else { broken("mate-refused", format!("{:?}", owed.go)) }
    }

    fn pay_mate(&mut self, now: Time, answer: &str) -> Result<OwedAnswer, Broken> {
        let owed = self.pay(now, &JudgeInput::Alarm, answer).or_else(|error| match error.rule {
            "answer-too-early" => broken("checkmate-too-early", error.found),
            _ => Err(error),
        })?;
        match owed.go.mate {
            Some(MateLimit::Time(_) | MateLimit::Infinite) => Ok(owed),
            _ => broken("checkmate-without-go-mate", answer),
        }
    }

    fn pay(&mut self, now: Time, input: &JudgeInput, answer: &str) -> Result<OwedAnswer, Broken> {
        let Some(owed) = self.owed.pop_front() else { return broken("answer-without-go", answer) };
        if owed.open_ended() && !ends_all(input) {
            return broken("answer-too-early", format!("{answer} to {:?}", owed.go));
        }
        if owed.deadline.is_some_and(|deadline| now > deadline) {
            return broken("too-late", format!("{answer} at {now:?}, expected by {:?}", owed.deadline));
        }
        Ok(owed)
    }

    pub fn nothing_owed(&self) -> Result<(), Broken> {
        self.owed.front().map_or(Ok(()), |owed| broken("no-answer", format!("to {:?} of {:?}", owed.go, owed.since)))
    }

    pub fn at_most_one(&self) -> Result<(), Broken> {
        if self.owed.len() <= 1 { Ok(()) } else { self.nothing_owed() }
    }

    pub fn in_time(&self, now: Time) -> Result<(), Broken> {
        let late = self.owed.iter().find(|owed| owed.deadline.is_some_and(|deadline| now > deadline));
        late.map_or(Ok(()), |owed| broken("too-late", format!("no answer to {:?} at {now:?}", owed.go)))
    }
}

fn initial() -> Toy {
    position(&Line::default()).expect("the game's own start")
}

/// Returns whether the input is a command that ends even an infinite search.
fn ends_all(input: &JudgeInput) -> bool {
    use Command::{GameOver, Go, NewGame, Stop};
    matches!(input, JudgeInput::Order(GuiMessage::Command(Stop | GameOver | NewGame | Go(_))))
}

/// The deadline by which an answer must reach the GUI.
fn by_clock(now: Time, go: &Go, clock: &Clock, root: &Toy) -> Option<Time> {
    let limit = match go.mate {
        Some(MateLimit::Infinite) => return None,
        Some(MateLimit::Time(limit)) => Some(limit),
        _ => go.move_time,
    };
    let own = clock.time_of(root.side()).or(clock.time_of(root.side().other()));
    let by_time = (!clock.is_empty()).then(|| own.unwrap_or_default() + clock.byoyomi);
    // Even if no time is left, the deadline allows for the delays of an alarm and a message.
    let least = 2 * JITTER + Duration::from_millis(1);
    limit.or(by_time).map(|time| now + time.max(least))
}

fn legal(owed: &OwedAnswer, best: &BestMove, settings: &Settings) -> Result<(), Broken> {
    let stuck = owed.root.count_moves() == 0;
    let found = || format!("{best:?} in {}", owed.root.to_text());
    match best {
        BestMove::Move { best, ponder } => {
            let Ok(m) = owed.root.parse_move(best) else { return broken("illegal-bestmove", found()) };
            if !owed.go.search_moves.is_empty() && !owed.go.search_moves.contains(best) {
                return broken("not-among-searchmoves", found());
            }
            let mut after = owed.root.clone();
            after.make(m);
            match ponder {
                Some(ponder) if after.parse_move(ponder).is_err() => broken("illegal-ponder-move", found()),
                _ => Ok(()),
            }
        }
        BestMove::None | BestMove::Resign if stuck => Ok(()),
        BestMove::Resign if settings.resign_value.is_some() => Ok(()),
        BestMove::Win if owed.root.may_declare_win() => Ok(()),
        _ => broken("gives-up", found()),
    }
}

/// Returns whether the line is a legal mate in which every move of the attacker gives check.
fn mates(root: &Toy, moves: &[MoveText]) -> bool {
    let mut game = root.clone();
    for (ply, text) in moves.iter().enumerate() {
        let Ok(m) = game.parse_move(text) else { return false };
        game.make(m);
        if ply % 2 == 0 && !game.in_check() {
            return false;
        }
    }
    moves.len() % 2 == 1 && game.count_moves() == 0 && game.verdict_without_moves() == Verdict::Loss
}
