//! Searches positions with engines in child processes, run by the match tool's code; each position is a new game.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::ranking::{RankedLine, Ranking};
use super::run::{Listener, RankingNotice, RankingRequest, SearchConditions, SearchedPosition};
use hasami_matches::Patience;
use hasami_matches::engine_pool::EnginePool;
use hasami_matches::log::Log;
use hasami_matches::notices::{Notices, Silence, notices};
use hasami_matches::player::{PlayerId, PlayerNotice};
use hasami_matches::search::SearchInfo;
use hasami_matches::spec::EngineSpec;
use hasami_matches::talk::{self, OpponentNews};
use hasami_protocol::client::{EngineConfig, Role};
use hasami_protocol::{BestMove, Go};
use hasami_words::text::At;
use std::collections::{BTreeMap, VecDeque};
use std::slice;
use std::time::Instant;

/// Number of consecutive engine failures after which the run ends with an error.
const FAILURES: u32 = 3;

/// Searches all positions and passes each ranking to `hear`.
pub fn search(
    conditions: &SearchConditions,
    spec: &EngineSpec,
    questions: Vec<RankingRequest>,
    hear: &mut Listener<'_>,
) -> Result<(), String> {
    let (notice_sender, notices) = notices();
    let configure = |spec: &EngineSpec| (config(conditions, spec), Patience::default());
    let pool = EnginePool::new(slice::from_ref(spec), Box::new(configure), notice_sender, Log::nowhere());
    let waiting: VecDeque<_> = questions.into();
    let seats = conditions.concurrency.min(waiting.len());
    let mut room = EngineQueue { spec, pool, go: conditions.go.clone(), waiting, seats: BTreeMap::new(), failures: 0 };
    (0..seats).for_each(|_| room.open());
    room.work(&notices, hear)
}

fn config(conditions: &SearchConditions, spec: &EngineSpec) -> EngineConfig {
    let protocol = spec.protocol.unwrap_or_else(|| conditions.catalog.protocol());
    let mut options = spec.options.clone();
    if conditions.multipv > 1 {
        options.push(("MultiPV".into(), conditions.multipv.to_string()));
    }
    let (variants, role) = (conditions.catalog.variants(), Role::Worker);
    EngineConfig { protocol, variants, role, options, offers: Vec::new(), ponder: false }
}

/// The position that an engine is searching.
#[derive(Default)]
struct Seat {
    question: Option<RankingRequest>,
    /// True once the engine's process has been given a position.
    used: bool,
}

struct EngineQueue<'a> {
    spec: &'a EngineSpec,
    pool: EnginePool<'a>,
    go: Go,
    waiting: VecDeque<RankingRequest>,
    seats: BTreeMap<PlayerId, Seat>,
    /// Number of consecutive failures.
    failures: u32,
}

impl EngineQueue<'_> {
    fn open(&mut self) {
        self.seats.insert(self.pool.start(0), Seat::default());
    }

    /// Runs the engines until all positions have been searched.
    fn work(&mut self, notices: &Notices, hear: &mut Listener<'_>) -> Result<(), String> {
        while !self.seats.is_empty() {
            let due = self.pool.deadline();
            let (id, news, search) = match (notices.next(due.map(|(at, _)| at)), due) {
                (Ok(PlayerNotice { from, at, what }), _) => {
                    let Some(player) = self.pool.get(from) else { continue };
                    let (news, search) = player.hear(what, at);
                    (from, news, search)
                }
                (Err(Silence::Late), Some((_, id))) => {
                    let Some(player) = self.pool.get(id) else { continue };
                    (id, player.expire(Instant::now()), SearchInfo::default())
                }
                _ => return Err("the threads of all engines have ended".to_owned()),
            };
            self.complain(id, hear)?;
            if let Some(news) = news {
                self.react(id, news, &search, hear)?;
            }
        }
        Ok(())
    }

    fn complain(&mut self, id: PlayerId, hear: &mut Listener<'_>) -> Result<(), String> {
        let odd = self.pool.get(id).map(|player| player.talk.take_odd()).unwrap_or_default();
        odd.into_iter().try_for_each(|text| hear(RankingNotice::Note(text)))
    }

    fn react(
        &mut self,
        id: PlayerId,
        news: OpponentNews,
        search: &SearchInfo,
        hear: &mut Listener<'_>,
    ) -> Result<(), String> {
        let (Some(seat), Some(player)) = (self.seats.get_mut(&id), self.pool.get(id)) else { return Ok(()) };
        match news {
            OpponentNews::Up => {
                let name = player.talk.client.name();
                hear(RankingNotice::Name(if name.is_empty() { self.spec.name.clone() } else { name.to_owned() }))?;
                self.assign(id);
            }
            OpponentNews::Ready => self.ask(id),
            OpponentNews::Best { best, used } => {
                if let Some(question) = seat.question.take() {
                    self.failures = 0;
                    player.rest("draw");
                    let infos = search.infos(player.talk.client.protocol());
                    let variations: Vec<RankedLine> = infos.iter().filter_map(RankedLine::of_info).collect();
                    let played = match best {
                        Ok(BestMove::Move { best, .. }) => Some(best),
                        _ => None,
                    };
                    let nodes = infos.iter().rev().find_map(|info| info.nodes).unwrap_or_default();
                    let (at, ranking) = (question.at, Ranking::of(&variations));
                    hear(RankingNotice::Searched(SearchedPosition { at, ranking, played, used, nodes }))?;
                }
                self.assign(id);
            }
            OpponentNews::Failed { why, .. } => self.replace(id, why, hear)?,
            OpponentNews::Odd(text) => hear(RankingNotice::Note(text))?,
            OpponentNews::Late { .. } => {}
        }
        Ok(())
    }

    /// Gives an engine the next position, in a new process if the engine must be restarted for each position. If no
    /// positions are left, the engine gets `quit`.
    fn assign(&mut self, id: PlayerId) {
        let (Some(seat), Some(player)) = (self.seats.get_mut(&id), self.pool.get(id)) else { return };
        match self.waiting.pop_front() {
            None => self.dismiss(id),
            Some(question) if self.spec.restart && seat.used => {
                self.waiting.push_front(question);
                self.dismiss(id);
                self.open();
            }
            Some(question) => {
                (seat.question, seat.used) = (Some(question), true);
                if player.new_game().is_some() {
                    self.ask(id);
                }
            }
        }
    }

    fn ask(&mut self, id: PlayerId) {
        let (Some(seat), Some(player)) = (self.seats.get(&id), self.pool.get(id)) else { return };
        if let Some(question) = &seat.question {
            let go = self.go.clone();
            player.ask(talk::OpponentRequest { line: question.line.clone(), go, limit: None });
        }
    }

    fn dismiss(&mut self, id: PlayerId) {
        self.seats.remove(&id);
        self.pool.dismiss(id);
    }

    /// Starts a new process for an engine that failed, and puts the engine's position at the end of the queue.
    fn replace(&mut self, id: PlayerId, why: String, hear: &mut Listener<'_>) -> Result<(), String> {
        self.waiting.extend(self.seats.get_mut(&id).and_then(|seat| seat.question.take()));
        self.dismiss(id);
        self.failures += 1;
        if self.failures >= FAILURES {
            let place = format!("--engine {}", self.spec.name);
            return Err(format!("failed {FAILURES} times, last: {why}").at(place));
        }
        hear(RankingNotice::Note(format!("the engine is started again: {why}")))?;
        self.open();
        Ok(())
    }
}
