//! The pool of running engines: an engine is started when a game needs it, reused between games, and dismissed when no
//! game needs it.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::log::Log;
use super::notices::PlayerNoticeSender;
use super::player::{EnginePlayer, PlayerId};
use super::settings::MatchSettings;
use super::spec::EngineSpec;
use super::talk::Patience;
use hasami_protocol::client::{EngineConfig, Role};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Time limit for all engines together to quit after the match.
const SHUTDOWN: Duration = Duration::from_secs(2);

/// Engine processes for a match or another series of searches.
pub struct EnginePool<'a> {
    engines: &'a [EngineSpec],
    configure: Configure<'a>,
    notice_sender: PlayerNoticeSender,
    log: Log,
    players: BTreeMap<PlayerId, EnginePlayer>,
    idle: Vec<PlayerId>,
    /// Engines that have been asked to quit.
    leaving: Vec<EnginePlayer>,
    next: u64,
}

/// Returns the configuration and the time limits for an engine.
type Configure<'a> = Box<dyn Fn(&EngineSpec) -> (EngineConfig, Patience) + 'a>;

impl<'a> EnginePool<'a> {
    pub fn new(
        engines: &'a [EngineSpec],
        configure: Configure<'a>,
        notice_sender: PlayerNoticeSender,
        log: Log,
    ) -> Self {
        let (players, idle, leaving) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { engines, configure, notice_sender, log, players, idle, leaving, next: 1 }
    }

    /// Creates the pool of a match.
    pub fn of_match(settings: &'a MatchSettings, notice_sender: PlayerNoticeSender, log: Log) -> Self {
        let MatchSettings { catalog, patience, .. } = settings;
        let configure = move |spec: &EngineSpec| {
            let config = EngineConfig {
                protocol: spec.protocol.unwrap_or(catalog.protocol()),
                variants: catalog.variants(),
                role: Role::Opponent { turn: spec.control.turn(), pace: spec.control.pace() },
                options: spec.options.clone(),
                offers: spec.offers.clone(),
                ponder: spec.ponder,
            };
            (config, if spec.virtual_clock { patience.with_virtual_clock() } else { *patience })
        };
        Self::new(&settings.engines, Box::new(configure), notice_sender, log)
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
        let spec = &self.engines[engine];
        let player = EnginePlayer::start(id, (engine, spec), (self.configure)(spec), &self.notice_sender, &self.log);
        self.players.insert(id, player);
        id
    }

    /// Returns an engine to the pool after a game. At most `keep` engines stay in the pool.
    pub fn give_back(&mut self, id: PlayerId, keep: usize) {
        let Some(player) = self.players.get(&id) else { return };
        if player.talk.client.is_gone() || self.engines[player.engine].restart {
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

    /// Returns the earliest deadline, and the engine that it applies to.
    pub fn deadline(&self) -> Option<(Instant, PlayerId)> {
        let due = |(id, player): (&PlayerId, &EnginePlayer)| player.deadline().map(|at| (at, *id));
        self.players.iter().filter_map(due).min()
    }

    /// Dismisses all engines and waits until they have ended.
    pub fn close(&mut self) {
        let all: Vec<PlayerId> = self.players.keys().copied().collect();
        all.into_iter().for_each(|id| self.dismiss(id));
        let deadline = Instant::now() + SHUTDOWN;
        self.leaving.drain(..).for_each(|player| player.child.wait_gone(deadline));
    }
}

impl Drop for EnginePool<'_> {
    fn drop(&mut self) {
        self.close();
    }
}
