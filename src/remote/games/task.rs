//! What a machine is asked to play, and what it answers. Each message is complete and encoded as JSON.

use hasami_api::{Line, MoveText, Rules, Start};
use hasami_matches::control::TimeControl;
use hasami_matches::faults::FaultKind;
use hasami_matches::machine::MachineStamp;
use hasami_matches::record::stored::Stored;
use hasami_matches::schedule::Pairing;
use hasami_matches::settings::{MatchSettings, OnCrash};
use hasami_matches::{Adjudication, Patience};
use hasami_protocol::Protocol;
use hasami_words::heard_field;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::time::Duration;

/// The version of the messages. A machine with another version leaves the tasks to others.
pub const VERSION: u32 = 1;

/// Longest card in bytes: the server does not accept longer descriptions of its consumers.
const LONGEST_CARD: usize = 4_096;

/// The card of a match, from which a machine knows whether it can take part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchCard {
    pub version: u32,
    /// Title to be shown to users.
    #[serde(deserialize_with = "heard_field")]
    pub title: String,
    /// The name of the game.
    pub game: String,
    /// The match's share of the machines if there are several matches.
    pub weight: u32,
    pub engines: Vec<EngineName>,
    /// Whether machines need endgame tables.
    pub tables: bool,
    /// Files in the object store that the tasks refer to by their hashes: networks, and openings of self-play.
    #[serde(default)]
    pub files: Vec<String>,
    /// Machines whose games are not wanted.
    #[serde(default)]
    pub without: Vec<String>,
    /// The machine of the caller, to be shown to users.
    #[serde(default, deserialize_with = "heard_field")]
    pub caller: String,
}

/// An engine, named such that the owner of a machine may allow it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct EngineName {
    pub name: String,
    /// The hash of the file in the object store, in hexadecimal; `None` if the machine must have the engine itself.
    pub sha256: Option<String>,
    /// Whether it must be that file. Otherwise, an engine that the machine's owner allows by this name takes
    /// precedence.
    #[serde(default)]
    pub is_exact: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Task {
    Games(Box<GamesTask>),
    SelfPlay(Box<SelfPlayTask>),
}

/// Games from one opening, usually the two of a pair. If there are none, the machine reports which options its engines
/// declare.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GamesTask {
    pub conditions: Conditions,
    pub opening: OpeningText,
    pub games: Vec<GameOrder>,
}

/// See [`Pairing`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameOrder {
    pub game: u32,
    pub round: u32,
    pub group: u32,
    pub engines: [usize; 2],
}

/// What all games of a match have in common. A machine keeps its engines while the conditions stay the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    pub game: String,
    pub chess960: bool,
    /// [`Rules::own`].
    pub own_rule: u8,
    pub engines: Vec<EngineOrder>,
    pub adjudication: Adjudication,
    pub tables: bool,
    pub restart_on_crash: bool,
    /// The first fields of [`Patience`] in milliseconds, in their order.
    pub patience_ms: [u64; 5],
    /// [`Patience::search`] in milliseconds. Earlier versions do not send it.
    #[serde(default)]
    pub search_ms: Option<u64>,
    pub variations: bool,
    /// The speed, in nodes per second, for which times are meant; they are scaled for faster and slower machines.
    pub reference_speed: Option<u64>,
}

/// One engine of the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineOrder {
    /// The engine's name in the match.
    pub name: String,
    pub engine: EngineName,
    pub usi: Option<bool>,
    pub control: ControlOrder,
    pub ponder: bool,
    pub options: Vec<(String, String)>,
    pub restart: bool,
}

/// See [`TimeControl`]; times in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ControlOrder {
    main: u64,
    moves: u32,
    increment: u64,
    byoyomi: u64,
    move_time: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u16>,
    margin: u64,
}

/// Games of self-play from the first of these numbers up to, but not including, the second.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfPlayTask {
    /// The plan that is stored next to the file of games.
    pub plan: serde_json::Value,
    pub numbers: [u64; 2],
    /// The hash of the network's file; `None` for a built-in network or the hand-crafted evaluation.
    pub network: Option<String>,
    /// The hash of a file of openings ([`OpeningText`]).
    pub openings: Option<String>,
}

/// An opening as text: its initial position and its moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OpeningText {
    pub start: Option<String>,
    pub moves: Vec<String>,
    /// Whether it is an opening of Chess960, whatever the rules of the match are.
    #[serde(default, skip_serializing_if = "is_false")]
    pub chess960: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl OpeningText {
    pub fn of(line: &Line) -> Self {
        let start = line.start.text.as_deref().map(str::to_owned);
        let moves = line.moves.iter().map(ToString::to_string).collect();
        Self { start, moves, chess960: line.start.rules.chess960 }
    }

    /// Returns `None` if a move cannot be parsed.
    pub fn line(&self, rules: Rules) -> Option<Line> {
        let moves = self.moves.iter().map(|text| text.parse::<MoveText>().ok()).collect::<Option<_>>()?;
        let rules = Rules { chess960: rules.chess960 || self.chess960, ..rules };
        Some(Line { start: Start { text: self.start.as_deref().map(Into::into), rules }, moves })
    }
}

/// The answer to a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    pub machine: MachineStamp,
    pub content: AnswerContent,
}

/// The content of an [`Answer`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum AnswerContent {
    Games {
        games: Vec<(u32, Stored)>,
        /// Faults of engines that did not end a game.
        faults: Vec<(usize, FaultKind, String)>,
        notes: Vec<String>,
    },
    /// Games in the training format, one after the other, in base64, and the number of moves of each.
    SelfPlay { bytes: String, moves: Vec<u32> },
    /// The machine cannot play the task and leaves it to others, for this reason.
    Refused(String),
}

impl MatchCard {
    /// Excludes a machine, as long as the card stays short enough for the server.
    pub fn leave_out(&mut self, name: String) {
        if self.without.contains(&name) {
            return;
        }
        self.without.push(name);
        if serde_json::to_string(self).is_ok_and(|text| text.len() > LONGEST_CARD) {
            self.without.pop();
        }
    }
}

impl Answer {
    pub fn new(machine: MachineStamp, content: AnswerContent) -> Self {
        Self { machine, content }
    }

    pub fn refusal(machine: MachineStamp, why: impl Display) -> Self {
        Self::new(machine, AnswerContent::Refused(why.to_string()))
    }

    /// Number of games that were played.
    pub fn games(&self) -> usize {
        match &self.content {
            AnswerContent::Games { games, .. } => games.len(),
            AnswerContent::SelfPlay { moves, .. } => moves.len(),
            AnswerContent::Refused(_) => 0,
        }
    }
}

impl GameOrder {
    pub fn of(pairing: Pairing) -> Self {
        let Pairing { game, round, group, engines, .. } = pairing;
        Self { game, round, group, engines }
    }

    pub fn pairing(self) -> Pairing {
        let Self { game, round, group, engines } = self;
        Pairing { game, round, group, engines, opening: None }
    }
}

impl Conditions {
    /// The conditions of a match. `names` are the names by which machines know its engines.
    pub fn of(settings: &MatchSettings, names: &[EngineName], reference_speed: Option<u64>) -> Self {
        let engines = settings.engines.iter().zip(names).map(|(spec, engine)| EngineOrder {
            name: spec.name.clone(),
            engine: engine.clone(),
            usi: spec.protocol.map(|protocol| protocol == Protocol::Usi),
            control: ControlOrder::of(&spec.control),
            ponder: spec.ponder,
            options: spec.options.clone(),
            restart: spec.restart,
        });
        let patience = settings.patience;
        let waits = [patience.start, patience.new_game, patience.ping, patience.stop, patience.silence];
        Self {
            game: settings.catalog.name().to_owned(),
            chess960: settings.rules.chess960,
            own_rule: settings.rules.own,
            engines: engines.collect(),
            adjudication: settings.adjudication,
            tables: !settings.tables.is_empty(),
            restart_on_crash: settings.on_crash == OnCrash::Restart,
            patience_ms: waits.map(|wait| wait.as_millis() as u64),
            search_ms: Some(patience.search.as_millis() as u64),
            variations: settings.keeps_variations(),
            reference_speed,
        }
    }

    pub fn patience(&self) -> Patience {
        let [start, new_game, ping, stop, silence] = self.patience_ms.map(Duration::from_millis);
        let search = self.search_ms.map_or(Patience::default().search, Duration::from_millis);
        Patience { start, new_game, ping, stop, silence, search }
    }

    pub const fn rules(&self) -> Rules {
        Rules { chess960: self.chess960, own: self.own_rule, max_moves: 0 }
    }

    pub const fn on_crash(&self) -> OnCrash {
        if self.restart_on_crash { OnCrash::Restart } else { OnCrash::Forfeit }
    }
}

impl ControlOrder {
    pub fn of(control: &TimeControl) -> Self {
        let micros = |time: Duration| time.as_micros() as u64;
        Self {
            main: micros(control.main),
            moves: control.moves,
            increment: micros(control.increment),
            byoyomi: micros(control.byoyomi),
            move_time: control.move_time.map(micros),
            nodes: control.nodes,
            depth: control.depth,
            margin: micros(control.margin()),
        }
    }

    /// The time control with all times multiplied by `scale`; nodes and depths stay unchanged.
    pub fn control(&self, scale: f64) -> TimeControl {
        let time = |micros: u64| Duration::from_micros((micros as f64 * scale).round() as u64);
        TimeControl {
            main: time(self.main),
            moves: self.moves,
            increment: time(self.increment),
            byoyomi: time(self.byoyomi),
            move_time: self.move_time.map(time),
            nodes: self.nodes,
            depth: self.depth,
            margin: Some(time(self.margin)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn machines_are_left_out_while_the_card_is_short_enough() {
        let (title, game) = ("a vs b".to_owned(), "chess".to_owned());
        let mut card = MatchCard {
            version: VERSION,
            title,
            game,
            weight: 1,
            engines: Vec::new(),
            tables: false,
            files: Vec::new(),
            without: Vec::new(),
            caller: String::new(),
        };
        card.leave_out("barn".to_owned());
        card.leave_out("barn".to_owned());
        assert_eq!(card.without, ["barn"]);
        (0..1_000).for_each(|number| card.leave_out(format!("machine {number}")));
        let length = serde_json::to_string(&card).unwrap().len();
        assert!((4_000..=LONGEST_CARD).contains(&length), "{length}");
    }

    #[test]
    fn times_are_scaled_but_nodes_are_not() {
        let mut control = TimeControl { nodes: Some(1_000), depth: Some(9), ..TimeControl::default() };
        control.set_clock("40/10+0.1").unwrap();
        let order = ControlOrder::of(&control);
        assert_eq!(order.control(1.0), TimeControl { margin: Some(control.margin()), ..control });
        assert_eq!(order.control(1.5).to_string(), "40/15+0.15, 1000 nodes, 9 plies");
    }

    #[test]
    fn game_orders_convert_back_to_the_same_pairing() {
        let pairing = Pairing { game: 7, round: 4, group: 3, engines: [1, 0], opening: None };
        assert_eq!(GameOrder::of(pairing).pairing(), pairing);
    }
}
