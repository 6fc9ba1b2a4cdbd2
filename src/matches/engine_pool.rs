//! The pool of running engines: an engine is started when a game needs it, reused between games, and dismissed when no
//! game needs it.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::log::Log;
use super::notices::PlayerNoticeSender;
use super::player::{EnginePlayer, PlayerId};
use super::settings::MatchSettings;
use hasami_protocol::client::{EngineConfig, Role};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Time limit for all engines together to quit after the match.
const FAREWELL: Duration = Duration::from_secs(2);

pub struct EnginePool<'a> {
    settings: &'a MatchSettings,
    notice_sender: PlayerNoticeSender,
    log: Log,
    players: BTreeMap<PlayerId, EnginePlayer>,
    idle: Vec<PlayerId>,
    /// Engines that have been asked to quit.
    leaving: Vec<EnginePlayer>,
    next: u64,
}

impl<'a> EnginePool<'a> {
    pub fn new(settings: &'a MatchSettings, notice_sender: PlayerNoticeSender, log: Log) -> Self {
        Self { settings, notice_sender, log, players: BTreeMap::new(), idle: Vec::new(), leaving: Vec::new(), next: 1 }
    }

    pub fn get(&mut self, id: PlayerId) -> Option<&mut EnginePlayer> {
        self.players.get_mut(&id)
    }

    /// Returns an engine for a game, either a free one or a new process.
    pub fn take(&mut self, engine: usize) -> PlayerId {
        let free = self.idle.iter().position(|id| self.players.get(id).is_some_and(|player| player.engine == engine));
        match free {
            Some(at) => self.idle.remove(at),
            None => self.start(engine),
        }
    }

    pub fn start(&mut self, engine: usize) -> PlayerId {
        self.leaving.retain(|player| !player.child.has_ended());
        let id = PlayerId(self.next);
        self.next += 1;
        let MatchSettings { catalog, patience, .. } = self.settings;
        let spec = &self.settings.engines[engine];
        let config = EngineConfig {
            protocol: spec.protocol.unwrap_or(catalog.protocol()),
            variants: catalog.variants(),
            role: Role::Opponent { turn: spec.control.turn(), pace: spec.control.pace() },
            options: spec.options.clone(),
            offers: spec.offers.clone(),
            ponder: spec.ponder,
        };
        let patience = if spec.virtual_clock { patience.with_virtual_clock() } else { *patience };
        let player = EnginePlayer::start(id, (engine, spec), (config, patience), &self.notice_sender, &self.log);
        self.players.insert(id, player);
        id
    }

    /// Returns an engine to the pool after a game. At most `keep` engines stay in the pool.
    pub fn give_back(&mut self, id: PlayerId, keep: usize) {
        let Some(player) = self.players.get(&id) else { return };
        if player.talk.client.is_gone() || self.settings.engines[player.engine].restart {
            self.dismiss(id);
            return;
        }
        self.idle.push(id);
        while self.idle.len() > keep {
            let longest = self.idle[0];
            self.dismiss(longest);
        }
    }

    /// Asks an engine to quit, without waiting until it has ended.
    pub fn dismiss(&mut self, id: PlayerId) {
        self.idle.retain(|other| *other != id);
        if let Some(mut player) = self.players.remove(&id) {
            player.quit();
            self.leaving.push(player);
        }
    }

    /// Returns the next deadline of an engine, and the id of that engine.
    pub fn deadline(&self) -> Option<(Instant, PlayerId)> {
        let due = |(id, player): (&PlayerId, &EnginePlayer)| player.deadline().map(|at| (at, *id));
        self.players.iter().filter_map(due).min()
    }

    /// Dismisses all engines and waits until they have ended.
    pub fn close(&mut self) {
        let all: Vec<PlayerId> = self.players.keys().copied().collect();
        all.into_iter().for_each(|id| self.dismiss(id));
        let deadline = Instant::now() + FAREWELL;
        self.leaving.drain(..).for_each(|player| player.child.wait_gone(deadline));
    }
}

impl Drop for EnginePool<'_> {
    fn drop(&mut self) {
        self.close();
    }
}
