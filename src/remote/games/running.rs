//! Tracks the games that a machine is playing, as the machine announces them.

use super::task::GamesTask;
use hasami_matches::events::MatchEvent;
use hasami_matches::lender::RunningGame;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The state of a slot, written by its thread and read by the loop that announces it.
#[derive(Clone, Default)]
pub struct SlotWatch(Arc<Mutex<Option<Watched>>>);

#[derive(Default)]
struct Watched {
    names: Vec<String>,
    game: u32,
    engines: Option<[usize; 2]>,
    began: Option<Instant>,
    plies: u32,
}

impl SlotWatch {
    fn with(&self, change: impl FnOnce(&mut Option<Watched>)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Notes that the slot has received `task`.
    pub fn begin(&self, task: &GamesTask) {
        self.with(|slot| *slot = Some(Watched::of_games(task)));
    }

    /// Notes that the slot's task is over.
    pub fn end(&self) {
        self.with(|slot| *slot = None);
    }

    pub fn see(&self, event: &MatchEvent<'_>) {
        self.with(|slot| _ = slot.as_mut().map(|slot| slot.see(event)));
    }

    /// The current game; `None` if the slot has no task.
    pub fn running_game(&self) -> Option<RunningGame> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.as_ref().map(|slot| slot.running_game())
    }
}

impl Watched {
    fn of_games(task: &GamesTask) -> Self {
        let first = task.games.first();
        Self {
            names: task.conditions.engines.iter().map(|engine| engine.name.clone()).collect(),
            game: first.map_or(0, |order| order.game),
            engines: first.map(|order| order.engines),
            began: None,
            plies: 0,
        }
    }

    fn see(&mut self, event: &MatchEvent<'_>) {
        match event {
            MatchEvent::Began { pairing } => {
                (self.game, self.engines) = (pairing.game, Some(pairing.engines));
                self.began = Some(Instant::now());
                self.plies = 0;
            }
            MatchEvent::Moved { record, .. } => self.plies = record.moves.len() as u32,
            _ => {}
        }
    }

    fn running_game(&self) -> RunningGame {
        let name = |engine: usize| self.names.get(engine).cloned().unwrap_or_default();
        RunningGame {
            game: self.game,
            players: self.engines.map(|engines| engines.map(name)).unwrap_or_default(),
            seconds: self.began.map(|began| began.elapsed().as_secs()),
            plies: self.plies,
            ..RunningGame::default()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::games::task::Conditions;
    use hasami_api::{GameRecord, PlayedMove};
    use hasami_matches::schedule::Pairing;

    fn task() -> GamesTask {
        let conditions = serde_json::json!({
            "game": "chess", "rules": hasami_api::Rules::default(), "engines": [], "adjudication": hasami_matches::Adjudication::default(),
            "tables": false, "patience": hasami_matches::Patience::default(), "variations": false, "reference_speed": null
        });
        let conditions: Conditions = serde_json::from_value(conditions).unwrap();
        let opening = hasami_api::Line::default();
        let games = vec![Pairing { game: 4, round: 2, group: 2, engines: [1, 0], opening: None }];
        GamesTask { conditions, opening, games }
    }

    #[test]
    fn a_slot_reports_the_current_state_of_its_game() {
        let watch = SlotWatch::default();
        assert_eq!(watch.running_game(), None);
        watch.begin(&task());
        let running = watch.running_game().unwrap();
        assert_eq!((running.game, running.seconds, running.plies), (4, None, 0));
        let pairing = Pairing { game: 5, round: 2, group: 2, engines: [0, 1], opening: None };
        watch.see(&MatchEvent::Began { pairing });
        let mut record = GameRecord::default();
        for text in ["e2e4", "e7e5", "g1f3"] {
            record.moves.push(PlayedMove::new(text.parse().unwrap()));
            watch.see(&MatchEvent::Moved { pairing, record: &record });
        }
        let running = watch.running_game().unwrap();
        assert_eq!((running.game, running.plies, running.seconds), (5, 3, Some(0)));
        watch.end();
        assert_eq!(watch.running_game(), None);
    }
}
