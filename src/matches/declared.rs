//! Starts an engine only to ask which options it declares.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::engine_pool::EnginePool;
use super::log::Log;
use super::notices::{Silence, notices};
use super::settings::{MatchError, MatchSettings};
use super::talk::OpponentNews;
use hasami_protocol::client::ChildOption;
use hasami_words::text::At;
use std::time::Instant;

/// Returns the options that an engine of the match declares; empty if the match is stopped in the meantime.
pub fn options(settings: &MatchSettings, engine: usize) -> Result<Vec<ChildOption>, MatchError> {
    let (notice_sender, notices) = notices();
    let mut pool = EnginePool::of_match(settings, notice_sender, Log::nowhere());
    let id = pool.start(engine);
    let name = &settings.engines[engine].name;
    loop {
        let deadline = pool.deadline().map(|(at, _)| at);
        let heard = notices.next_unless(&settings.stop, deadline);
        let Some(player) = pool.get(id) else { return Err("the engine is gone".at(name).into()) };
        let news = match heard {
            Ok(notice) => player.hear(notice.what, notice.at).0,
            Err(Silence::Late) => player.expire(Instant::now()),
            Err(Silence::Stopped) => return Ok(Vec::new()),
            Err(Silence::Over) => return Err("the threads of all engines have ended".to_owned().into()),
        };
        match news {
            Some(OpponentNews::Up) => return Ok(player.talk.client.options().to_vec()),
            Some(OpponentNews::Failed { why, .. }) => return Err(MatchError::unusable(name, &why)),
            _ => {}
        }
    }
}
