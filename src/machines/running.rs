//! Games that a machine plays at the moment, as it tells of them.

use super::task::{GamesTask, MatchCard, Task};
use crate::matches::events::MatchEvent;
use hasami_api::MoveText;
use hasami_words::heard_field;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Games whose moves a machine tells; of the others it tells how many there are.
pub const TOLD_WITH_MOVES: usize = 8;

/// A game of somebody's match, or self-play.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunningGame {
    /// The match in the queue, and the key of the task there.
    pub of: String,
    pub key: u64,
    /// What the match is called, and the machine of its caller; empty: an older program, which does not tell.
    #[serde(deserialize_with = "heard_field")]
    pub title: String,
    #[serde(deserialize_with = "heard_field")]
    pub caller: String,
    /// Its number in the match, from 0; of self-play that of the first of its games.
    pub game: u32,
    /// `None`: self-play.
    #[serde(deserialize_with = "heard_field", default)]
    pub players: Option<[String; 2]>,
    /// Since its first move was asked for; `None`: the engines are still coming up.
    pub seconds: Option<u64>,
    pub plies: u32,
    /// With blanks between them, those of the opening too; `None`: not told.
    pub moves: Option<String>,
}

/// What a slot does, kept by its thread and read by the loop that tells of it.
#[derive(Clone, Default)]
pub struct SlotWatch(Arc<Mutex<Option<Watched>>>);

#[derive(Default)]
struct Watched {
    names: Vec<String>,
    game: u32,
    engines: Option<[usize; 2]>,
    began: Option<Instant>,
    moves: Vec<MoveText>,
}

impl SlotWatch {
    fn with(&self, change: impl FnOnce(&mut Option<Watched>)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// It has got this task.
    pub fn begin(&self, task: &Task) {
        match task {
            Task::Games(task) => self.begin_games(task),
            Task::SelfPlay(task) => {
                let (game, began) = (u32::try_from(task.numbers[0]).unwrap_or(u32::MAX), Some(Instant::now()));
                self.with(|slot| *slot = Some(Watched { game, began, ..Watched::default() }));
            }
        }
    }

    pub fn begin_games(&self, task: &GamesTask) {
        self.with(|slot| *slot = Some(Watched::of_games(task)));
    }

    /// The task is over.
    pub fn end(&self) {
        self.with(|slot| *slot = None);
    }

    pub fn see(&self, event: &MatchEvent<'_>) {
        self.with(|slot| _ = slot.as_mut().map(|slot| slot.see(event)));
    }

    /// `None`: no task.
    pub fn told(&self, with_moves: bool) -> Option<RunningGame> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.as_ref().map(|slot| slot.told(with_moves))
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
            moves: Vec::new(),
        }
    }

    fn see(&mut self, event: &MatchEvent<'_>) {
        match event {
            MatchEvent::Began { pairing } => {
                (self.game, self.engines) = (pairing.game, Some(pairing.engines));
                self.began = Some(Instant::now());
                self.moves.clear();
            }
            MatchEvent::Moved { record, .. } => {
                let known = self.moves.len().min(record.moves.len());
                self.moves.extend(record.moves[known..].iter().map(|played| played.text));
            }
            _ => {}
        }
    }

    fn told(&self, with_moves: bool) -> RunningGame {
        let name = |engine: usize| self.names.get(engine).cloned().unwrap_or_default();
        let moves = || self.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        RunningGame {
            game: self.game,
            players: self.engines.map(|engines| engines.map(name)),
            seconds: self.began.map(|began| began.elapsed().as_secs()),
            plies: self.moves.len() as u32,
            moves: with_moves.then(moves),
            ..RunningGame::default()
        }
    }
}

impl RunningGame {
    /// The game of this task, which belongs to a match with this card.
    #[must_use]
    pub fn of_task(self, of: &str, key: u64, card: &MatchCard) -> Self {
        Self { of: of.to_owned(), key, title: card.title.clone(), caller: card.caller.clone(), ..self }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::machines::task::{Conditions, GameOrder, OpeningText};
    use crate::matches::schedule::Pairing;
    use hasami_api::{GameRecord, PlayedMove};

    fn task() -> Task {
        let conditions = serde_json::json!({
            "game": "chess", "chess960": false, "own_rule": 0, "engines": [], "adjudication": crate::matches::Adjudication::default(),
            "tables": false, "restart_on_crash": true, "patience_ms": [1, 1, 1, 1, 1], "variations": false, "reference_speed": null
        });
        let conditions: Conditions = serde_json::from_value(conditions).unwrap();
        let opening = OpeningText { start: None, moves: Vec::new(), chess960: false };
        let games = vec![GameOrder { game: 4, round: 2, group: 2, engines: [1, 0] }];
        Task::Games(Box::new(GamesTask { conditions, opening, games }))
    }

    #[test]
    fn a_slot_tells_its_game_as_it_stands() {
        let watch = SlotWatch::default();
        assert_eq!(watch.told(true), None);
        watch.begin(&task());
        let told = watch.told(true).unwrap();
        assert_eq!((told.game, told.seconds, told.plies), (4, None, 0));
        let pairing = Pairing { game: 5, round: 2, group: 2, engines: [0, 1], opening: None };
        watch.see(&MatchEvent::Began { pairing });
        let mut record = GameRecord::default();
        for text in ["e2e4", "e7e5", "g1f3"] {
            record.moves.push(PlayedMove::new(text.parse().unwrap()));
            watch.see(&MatchEvent::Moved { pairing, record: &record });
        }
        let told = watch.told(true).unwrap();
        assert_eq!((told.game, told.plies, told.moves.as_deref()), (5, 3, Some("e2e4 e7e5 g1f3")));
        assert_eq!((told.seconds, watch.told(false).unwrap().moves), (Some(0), None));
        watch.end();
        assert_eq!(watch.told(true), None);
    }
}
