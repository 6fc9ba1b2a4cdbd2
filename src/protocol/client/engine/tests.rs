#![allow(clippy::unwrap_used)]

use super::super::{Role, parse};
use super::*;
use crate::BestMove;

struct Stage {
    client: EngineClient,
}

impl Stage {
    /// Creates the client of a worker that has become ready.
    fn worker(protocol: Protocol) -> Self {
        let (options, offers) = (Vec::new(), Vec::new());
        let config = EngineConfig { protocol, variants: &[], role: Role::Worker, options, offers, ponder: false };
        let mut stage = Self { client: EngineClient::new(config) };
        stage.hear(protocol.greeting_ok());
        assert_eq!(stage.hear("readyok"), ClientEvent::Up);
        stage
    }

    fn hear(&mut self, line: &str) -> ClientEvent {
        self.client.hear(parse(self.client.protocol(), line))
    }

    fn lines(&mut self) -> Vec<String> {
        self.client.take_lines()
    }

    fn search(&mut self) -> SearchId {
        self.client.search(&Line::default(), Go { infinite: true, ..Go::default() })
    }

    /// Runs a search in which the engine prints an `info` line and answers.
    fn search_and_answer(&mut self, best: &str) -> ClientEvent {
        self.search();
        self.hear("info depth 1 score cp 1 pv 7g7f");
        self.hear(&format!("bestmove {best}"))
    }
}

fn is_answer(heard: &ClientEvent, id: SearchId, best: &str) -> bool {
    let ClientEvent::Answer(found, Reply::Best(BestMove::Move { best: text, .. })) = heard else { return false };
    *found == id && &**text == best
}

#[test]
fn isready_is_sent_where_each_protocol_needs_it() {
    let mut stage = Stage::worker(Protocol::Uci);
    assert_eq!(stage.lines(), ["uci", "ucinewgame", "isready"]);
    stage.search();
    assert_eq!(stage.lines(), ["position startpos", "isready", "go infinite"]);
    let mut stage = Stage::worker(Protocol::Usi);
    assert_eq!(stage.lines(), ["usi", "isready", "usinewgame"]);
    stage.search();
    assert_eq!(stage.lines(), ["position startpos", "go infinite"]);
}

#[test]
fn each_problem_of_a_solver_is_a_game() {
    let (options, offers) = (Vec::new(), Vec::new());
    let protocol = Protocol::Usi;
    let config = EngineConfig { protocol, variants: &[], role: Role::Solver, options, offers, ponder: false };
    let mut stage = Stage { client: EngineClient::new(config) };
    stage.hear("usiok");
    stage.hear("readyok");
    assert_eq!(stage.lines(), ["usi", "isready"]);
    for _ in 0..2 {
        stage.search();
        assert_eq!(stage.lines(), ["usinewgame", "position startpos", "go infinite"]);
        stage.hear("checkmate nomate");
    }
    assert!(!stage.client.new_game());
    stage.hear("readyok");
    stage.search();
    assert_eq!(stage.lines(), ["isready", "usinewgame", "position startpos", "go infinite"], "announced once");
}

#[test]
fn a_new_game_waits_for_the_answer_and_a_search_for_the_new_game() {
    let mut stage = Stage::worker(Protocol::Usi);
    let first = stage.search();
    stage.client.stop();
    assert!(!stage.client.new_game());
    stage.lines();
    assert_eq!(stage.client.owes(), Some(Owed::AnswerToStop(first)));
    assert!(is_answer(&stage.hear("bestmove 7g7f"), first, "7g7f"));
    assert_eq!(stage.lines(), ["isready"]);
    let second = stage.search();
    assert!(stage.lines().is_empty());
    assert_eq!(stage.hear("readyok"), ClientEvent::NewGame);
    assert_eq!(stage.lines(), ["usinewgame", "position startpos", "go infinite"]);
    assert_eq!(stage.client.searching(), Some(second));
}

#[test]
fn a_game_is_not_announced_twice() {
    let mut stage = Stage::worker(Protocol::Usi);
    stage.search_and_answer("7g7f");
    stage.lines();
    assert!(!stage.client.new_game());
    stage.hear("readyok");
    assert_eq!(stage.lines(), ["isready", "usinewgame"]);
    assert!(stage.client.new_game());
    assert!(stage.lines().is_empty());
}

#[test]
fn a_search_that_has_not_begun_is_dropped() {
    let mut stage = Stage::worker(Protocol::Usi);
    stage.search_and_answer("7g7f");
    stage.client.new_game();
    let waiting = stage.search();
    stage.client.stop();
    assert_ne!(stage.client.searching(), Some(waiting));
    stage.lines();
    stage.hear("readyok");
    assert_eq!(stage.lines(), ["usinewgame"]);
}

#[test]
fn in_uci_lines_before_readyok_are_ignored() {
    let mut stage = Stage::worker(Protocol::Uci);
    let id = stage.search();
    assert_eq!(stage.hear("bestmove e2e4"), ClientEvent::Stray);
    assert_eq!(stage.hear("info depth 3 score cp 5 pv e2e4"), ClientEvent::Nothing);
    stage.hear("readyok");
    assert!(matches!(stage.hear("info depth 3 score cp 5 pv e2e4"), ClientEvent::Info(found, _) if found == id));
    assert!(is_answer(&stage.hear("bestmove d2d4"), id, "d2d4"));
}

/// The engine's second answer passes for the answer to the next search, until `info` lines of that search arrive.
#[test]
fn an_engine_that_answers_twice_is_detected_in_usi() {
    let mut stage = Stage::worker(Protocol::Usi);
    assert!(matches!(stage.search_and_answer("7g7f"), ClientEvent::Answer(..)));
    let fooled = stage.search();
    assert!(is_answer(&stage.hear("bestmove 7g7f"), fooled, "7g7f"));
    stage.lines();
    assert_eq!(stage.hear("info depth 1 score cp 1 pv 7g7f"), ClientEvent::Nothing);
    assert_eq!(stage.lines(), ["stop"]);
    let next = stage.search();
    assert!(stage.lines().is_empty(), "the answer of the running search is awaited first");
    assert!(matches!(stage.hear("bestmove 2g2f"), ClientEvent::Answer(id, _) if id != next));
    assert_eq!(stage.lines(), ["position startpos", "go infinite"]);
    assert_eq!(stage.hear("bestmove 2g2f"), ClientEvent::Stray, "repeated answers are known by now");
    stage.hear("info depth 1 score cp 1 pv 7g7f");
    assert!(is_answer(&stage.hear("bestmove 2g2f"), next, "2g2f"));
}

#[test]
fn a_move_without_a_line_is_an_answer() {
    let mut stage = Stage::worker(Protocol::Usi);
    for _ in 0..3 {
        let id = stage.search();
        assert!(is_answer(&stage.hear("bestmove 7g7f"), id, "7g7f"));
    }
}

#[test]
fn a_ponder_search_can_be_hit_or_replaced_before_it_begins() {
    let (options, offers) = (Vec::new(), Vec::new());
    let role = Role::Opponent { turn: None, pace: None };
    let config = EngineConfig { protocol: Protocol::Uci, variants: &[], role, options, offers, ponder: true };
    let mut stage = Stage { client: EngineClient::new(config) };
    stage.hear("uciok");
    stage.hear("readyok");
    stage.client.search(&Line::default(), Go { ponder: true, ..Go::default() });
    assert!(!stage.client.ponder_hit() && stage.client.replace_go(Go { depth: Some(3), ..Go::default() }));
    stage.lines();
    stage.hear("readyok");
    assert_eq!(stage.lines(), ["go depth 3"]);
    assert!(stage.client.ponder_hit() && !stage.client.replace_go(Go::default()));
}
