//! Plays self-play games on a machine for a caller. The games depend only on the plan and on their numbers.

use super::host::{Host, no_game};
use super::slot::SlotAnswer;
use super::task::{Answer, AnswerContent, OpeningText, SelfPlayTask};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hasami_api::{Line, Rules};
use hasami_catalog::Catalog;
use hasami_catalog::evaluation;
use hasami_protocol::Settings;
use hasami_selfplay::SelfPlayPlan;
use hasami_words::text::At;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Plays the games one after another. Returns `None` if it is stopped.
pub fn answer(host: &Host, task: &SelfPlayTask, stop: &AtomicBool) -> SlotAnswer {
    match play(host, task, stop) {
        Ok(content) => content.map(|content| Answer { machine: host.stamp(), content }),
        Err(why) => Some(Answer::refusal(host.stamp(), &why)),
    }
}

fn play(host: &Host, task: &SelfPlayTask, stop: &AtomicBool) -> Result<Option<AnswerContent>, String> {
    let game = task.plan["game"].as_str().unwrap_or_default();
    let catalog = host.games.find(game).ok_or_else(|| no_game(game))?;
    let formats = catalog.training().ok_or_else(|| format!("expected a game that is trained for, found {game}"))?;
    let plan = SelfPlayPlan::read(catalog.name(), &task.plan, openings(host, task)?)?;
    let settings = settings(host, catalog, task, &plan)?;
    let mut engine = catalog.engines(&settings)();
    let (mut bytes, mut moves) = (Vec::new(), Vec::new());
    let [first, end] = task.numbers;
    for number in first..end {
        let game = hasami_selfplay::play(catalog, &plan, number, engine.as_mut(), &|| stop.load(Relaxed))?;
        let Some(game) = game else { return Ok(None) };
        (formats.write_game)(&game, &mut bytes).map_err(|error| error.to_string())?;
        moves.push(game.moves.len() as u32);
    }
    Ok(Some(AnswerContent::SelfPlay { bytes: BASE64_STANDARD.encode(bytes), moves }))
}

fn openings(host: &Host, task: &SelfPlayTask) -> Result<Vec<Line>, String> {
    let Some(sha256) = &task.openings else { return Ok(Vec::new()) };
    let text = std::fs::read_to_string(host.file(sha256)?).map_err(|error| error.at("openings"))?;
    let spoiled = |error: serde_json::Error| error.at("openings");
    let openings: Vec<OpeningText> = serde_json::from_str(&text).map_err(spoiled)?;
    let lines: Option<Vec<Line>> = openings.iter().map(|opening| opening.line(Rules::default())).collect();
    lines.ok_or_else(|| "expected moves, found other words".at("openings"))
}

/// Returns settings with the network that the plan names: the built-in one, or one that was fetched.
fn settings(host: &Host, catalog: &dyn Catalog, task: &SelfPlayTask, plan: &SelfPlayPlan) -> Result<Settings, String> {
    let network = match &task.network {
        Some(sha256) => {
            let network = evaluation::read(Path::new(&host.file(sha256)?)).map_err(|error| error.to_string())?;
            Some(Arc::new(network))
        }
        None => catalog.built_in_network(),
    };
    let settings = Settings { hash_mb: plan.hash_mb, threads: 1, network, ..Settings::default() };
    let found = settings.network.as_ref().map(|network| network.sha256_text()).unwrap_or_default();
    if found == plan.evaluation {
        return Ok(settings);
    }
    Err(format!("expected the evaluation {}, found {found}: another version of the program?", plan.evaluation))
}
