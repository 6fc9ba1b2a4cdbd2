#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use hasami_protocol::Protocol;
use hasami_protocol::client::{self, Role};

fn config(protocol: Protocol) -> EngineConfig {
    let options = vec![("hash".into(), "16".into()), ("Missing".into(), "1".into())];
    let offers = vec![("Offered".into(), "x".into())];
    EngineConfig {
        protocol,
        variants: &[],
        role: Role::Opponent { turn: None, pace: None },
        options,
        offers,
        ponder: true,
    }
}

/// A conversation with a simulated engine, whose lines the test provides.
struct Stage {
    talk: OpponentClient,
    now: Instant,
}

impl Stage {
    fn new(protocol: Protocol) -> Self {
        let now = Instant::now();
        Self { talk: OpponentClient::new(config(protocol), Patience::default(), now), now }
    }

    /// Creates an engine that has started and is ready for a game.
    fn ready(protocol: Protocol) -> Self {
        let mut stage = Self::new(protocol);
        stage.hear("option name Hash type spin default 1 min 1 max 64");
        stage.hear("option name Ponder type check default false");
        stage.hear(&format!("{protocol}ok"));
        assert_eq!(stage.hear("readyok"), Some(OpponentNews::Up));
        if stage.talk.new_game(stage.now).is_none() {
            assert_eq!(stage.hear("readyok"), Some(OpponentNews::Ready));
        }
        stage.lines();
        stage
    }

    fn hear(&mut self, line: &str) -> Option<OpponentNews> {
        self.talk.hear(client::parse(self.talk.client.protocol(), line), false, self.now)
    }

    fn lines(&mut self) -> Vec<String> {
        self.talk.client.take_lines()
    }

    fn pass(&mut self, millis: u64) {
        self.now = self.now.max(self.talk.since) + Duration::from_millis(millis);
    }

    fn ask(&mut self, limit: Option<u64>) {
        self.talk.ask(question(limit), self.now);
    }
}

fn question(limit: Option<u64>) -> OpponentRequest {
    let limit = limit.map(Duration::from_millis);
    OpponentRequest { line: Line::default(), go: Go { move_time: limit, ..Go::default() }, limit }
}

fn best(text: &str) -> Result<BestMove, String> {
    Ok(BestMove::Move { best: text.parse().unwrap(), ponder: None })
}

#[test]
fn an_engine_is_greeted_and_set_up() {
    let mut stage = Stage::new(Protocol::Uci);
    assert_eq!(stage.lines(), ["uci"]);
    stage.hear("id name Test 1");
    stage.hear("option name Hash type spin default 1 min 1 max 64");
    stage.hear("option name Ponder type check default false");
    assert_eq!(stage.hear("uciok"), None);
    assert_eq!(stage.lines(), ["setoption name Hash value 16", "setoption name Ponder value true", "isready"]);
    assert_eq!(stage.hear("readyok"), Some(OpponentNews::Up));
    assert_eq!(stage.talk.client.name(), "Test 1");
    assert_eq!(stage.talk.take_odd(), ["the engine has no option Missing; not set"]);
    assert_eq!(stage.talk.take_notes(), ["has no option Offered and plays without"]);
}

#[test]
fn new_games_are_announced_in_each_protocol() {
    let mut stage = Stage::ready(Protocol::Uci);
    assert_eq!(stage.talk.new_game(stage.now), None);
    assert_eq!(stage.lines(), ["ucinewgame", "isready"]);
    let mut stage = Stage::ready(Protocol::Usi);
    stage.ask(None);
    assert_eq!(stage.lines(), ["position startpos", "go"], "`isready` would begin another game");
    stage.hear("bestmove 7g7f");
    stage.talk.rest("win", stage.now);
    assert_eq!(stage.lines(), ["gameover win"]);
    assert_eq!(stage.talk.new_game(stage.now), None);
    assert_eq!(stage.lines(), ["isready"]);
    assert_eq!(stage.hear("readyok"), Some(OpponentNews::Ready));
    assert_eq!(stage.lines(), ["usinewgame"]);
}

#[test]
fn the_first_game_needs_no_second_isready_in_usi() {
    let mut stage = Stage::new(Protocol::Usi);
    stage.hear("usiok");
    assert_eq!(stage.hear("readyok"), Some(OpponentNews::Up));
    stage.lines();
    assert_eq!(stage.talk.new_game(stage.now), Some(OpponentNews::Ready));
    assert_eq!(stage.lines(), ["usinewgame"]);
}

#[test]
fn a_silent_engine_of_the_other_protocol_is_named_when_it_answers_to_that() {
    let mut stage = Stage::new(Protocol::Usi);
    assert_eq!(stage.lines(), ["usi"]);
    stage.pass(2_000);
    assert!(stage.talk.deadline(stage.now - Duration::from_secs(2)).unwrap() <= stage.now);
    assert_eq!((stage.talk.expire(stage.now), stage.lines()), (None, vec!["uci".to_owned()]));
    stage.hear("id name Mute 1");
    let Some(OpponentNews::Failed { why, .. }) = stage.hear("uciok") else { panic!("it is of the other protocol") };
    assert_eq!(why, "the engine does not speak USI; it answers 'uci' with: uciok");
    // If a slow engine that supports UCI and USI answers `usiok`, it is greeted with `usi` again.
    let mut slow = Stage::new(Protocol::Usi);
    slow.pass(2_000);
    slow.talk.expire(slow.now);
    slow.lines();
    assert_eq!(slow.hear("usiok"), None);
    assert_eq!(slow.lines().first().map(String::as_str), Some("usi"));
    slow.hear("uciok");
    assert!(!slow.talk.client.is_gone());
}

#[test]
fn an_engine_that_reports_loading_gets_more_time() {
    let mut stage = Stage::new(Protocol::Usi);
    stage.hear("usiok");
    stage.pass(29_000);
    assert_eq!(stage.talk.expire(stage.now), None, "first there is a note about the wait");
    let heard = stage.now;
    stage.pass(29_000);
    assert!(stage.talk.deadline(heard).unwrap() > stage.now);
    stage.pass(600_000);
    assert!(stage.talk.deadline(stage.now).unwrap() <= stage.now, "loading is limited");
}

#[test]
fn complaints_are_reported_and_explain_the_end() {
    let mut stage = Stage::new(Protocol::Usi);
    stage.hear("usiok");
    stage.hear("info string Error! : can't read eval/nn.bin");
    stage.hear("info string Error! : can't read eval/nn.bin");
    assert_eq!(
        stage.talk.take_notes(),
        ["has no option Offered and plays without", "says: Error! : can't read eval/nn.bin"]
    );
    let failed = stage.talk.gone("ended with exit status: 1".into());
    let Some(OpponentNews::Failed { ending: Ending::Crash, why }) = failed else { panic!("{failed:?}") };
    assert_eq!(why, "ended with exit status: 1; it said: Error! : can't read eval/nn.bin");
}

#[test]
fn complaints_count_only_before_the_engine_is_ready() {
    let mut stage = Stage::new(Protocol::Usi);
    stage.hear("usiok");
    stage.talk.take_notes();
    // YaneuraOu prints an error line without `info string` and exits.
    stage.hear("Error! : failed to read nn.bin : FileNotFound");
    stage.hear("info string could not load x.nn");
    stage.hear("readyok");
    stage.hear("info string aspiration failed high");
    let notes = ["says: Error! : failed to read nn.bin : FileNotFound", "says: could not load x.nn"];
    assert_eq!(stage.talk.take_notes(), notes);
}

#[test]
fn own_message_about_an_unusable_file_is_understood() {
    for (name, refused) in [("Hasami 0.1.0", true), ("Hasamistic 3", false)] {
        let mut config = config(Protocol::Uci);
        config.options = vec![("evalfile".into(), "x.nn".into()), ("WebPage".into(), "127.0.0.1:1".into())];
        let now = Instant::now();
        let mut stage = Stage { talk: OpponentClient::new(config, Patience::default(), now), now };
        stage.hear(&format!("id name {name}"));
        stage.hear("uciok");
        stage.hear("info string WebPage: expected a free port, found one in use");
        assert_eq!(stage.talk.client.unused_file(), None);
        let why = "EvalFile x.nn: cannot read the network file: No such file or directory";
        stage.hear(&format!("info string {why}"));
        assert_eq!(stage.talk.client.unused_file(), refused.then_some(why), "{name}");
    }
}

#[test]
fn the_clock_runs_from_go_to_bestmove() {
    let mut stage = Stage::ready(Protocol::Uci);
    stage.ask(Some(100));
    assert_eq!(stage.lines(), ["position startpos", "isready"]);
    stage.pass(5_000);
    assert_eq!(stage.hear("readyok"), None);
    assert_eq!(stage.lines(), ["go movetime 100"]);
    stage.pass(70);
    let used = Duration::from_millis(70);
    assert_eq!(stage.hear("bestmove e2e4"), Some(OpponentNews::Best { best: best("e2e4"), used }));
    assert!(matches!(stage.hear("bestmove e2e4"), Some(OpponentNews::Odd(_))));
}

#[test]
fn late_answers_are_dropped() {
    let mut stage = Stage::ready(Protocol::Uci);
    stage.ask(Some(100));
    assert!(matches!(stage.hear("bestmove a2a3"), Some(OpponentNews::Odd(_))));
    stage.hear("readyok");
    assert!(matches!(stage.hear("bestmove e2e4"), Some(OpponentNews::Best { .. })));
}

#[test]
fn a_late_engine_is_stopped_and_can_continue() {
    let mut stage = Stage::ready(Protocol::Uci);
    stage.ask(Some(100));
    stage.hear("readyok");
    stage.lines();
    stage.pass(200);
    assert_eq!(stage.talk.deadline(stage.now), Some(stage.now));
    assert!(matches!(stage.talk.expire(stage.now), Some(OpponentNews::Late { .. })));
    assert_eq!(stage.lines(), ["stop"]);
    assert_eq!(stage.talk.new_game(stage.now), None);
    assert!(stage.lines().is_empty());
    assert_eq!(stage.hear("bestmove e2e4"), None);
    assert_eq!(stage.lines(), ["ucinewgame", "isready"]);
}

#[test]
fn a_silent_engine_has_failed() {
    let mut stage = Stage::new(Protocol::Usi);
    let began = stage.now;
    assert_eq!(stage.talk.expire(began + Duration::from_secs(10)), None, "first there is a note about the wait");
    stage.pass(119_000);
    assert!(stage.talk.deadline(began).unwrap() > stage.now, "there is time for a large network on a slow machine");
    stage.pass(1_000);
    assert!(stage.talk.deadline(began).unwrap() <= stage.now);
    let failed = stage.talk.expire(stage.now).unwrap();
    let OpponentNews::Failed { ending: Ending::Silence, why } = failed else { panic!("{failed:?}") };
    assert_eq!(why, "no usiok within 120 s (--startup-ms 120000); given up after 120.0 s");
    assert!(stage.talk.client.is_gone() && stage.talk.deadline(stage.now).is_none());
    assert_eq!(stage.talk.gone("late".into()), None);
}

#[test]
fn a_search_without_a_clock_may_last_while_it_prints() {
    let mut stage = Stage::ready(Protocol::Uci);
    stage.ask(None);
    stage.hear("readyok");
    stage.pass(119_000);
    let heard = stage.now;
    stage.pass(10_000);
    assert!(stage.talk.deadline(heard).unwrap() > stage.now);
}

#[test]
fn a_hit_starts_the_clock_and_a_miss_stops_the_search() {
    let mut stage = Stage::ready(Protocol::Uci);
    let pondering = || OpponentRequest { go: Go { ponder: true, ..Go::default() }, ..question(None) };
    stage.talk.ask(pondering(), stage.now);
    stage.hear("readyok");
    assert_eq!(stage.lines(), ["position startpos", "isready", "go ponder"]);
    stage.pass(60_000);
    assert_eq!(stage.talk.ponder_hit(question(Some(100)), stage.now), None);
    assert_eq!(stage.lines(), ["ponderhit"]);
    stage.pass(30);
    let used = Duration::from_millis(30);
    assert_eq!(stage.hear("bestmove e2e4"), Some(OpponentNews::Best { best: best("e2e4"), used }));

    stage.talk.ask(pondering(), stage.now);
    stage.hear("readyok");
    stage.lines();
    stage.ask(Some(100));
    assert_eq!(stage.lines(), ["stop"]);
    assert_eq!(stage.hear("bestmove d2d4"), None);
    assert_eq!(stage.lines(), ["position startpos", "isready"]);
}

#[test]
fn an_answer_before_the_hit_is_kept_for_it() {
    let mut stage = Stage::ready(Protocol::Uci);
    stage.talk.ask(OpponentRequest { go: Go { ponder: true, ..Go::default() }, ..question(None) }, stage.now);
    stage.hear("readyok");
    assert!(matches!(stage.hear("bestmove e2e4"), Some(OpponentNews::Odd(_))));
    let news = stage.talk.ponder_hit(question(Some(100)), stage.now);
    assert_eq!(news, Some(OpponentNews::Best { best: best("e2e4"), used: Duration::ZERO }));
}

#[test]
fn a_hit_before_the_ponder_search_makes_it_a_normal_search() {
    let mut stage = Stage::ready(Protocol::Uci);
    stage.talk.ask(OpponentRequest { go: Go { ponder: true, ..Go::default() }, ..question(None) }, stage.now);
    assert_eq!(stage.talk.ponder_hit(question(Some(100)), stage.now), None);
    stage.hear("readyok");
    assert_eq!(stage.lines(), ["position startpos", "isready", "go movetime 100"]);
}

#[test]
fn an_offered_option_is_set_if_declared() {
    for (declared, expected) in [("option name offered type string default <empty>", 1), ("id name x", 0)] {
        let mut stage = Stage::new(Protocol::Uci);
        stage.hear(declared);
        stage.hear("uciok");
        let lines = stage.lines();
        let set = lines.iter().filter(|line| *line == "setoption name offered value x").count();
        assert_eq!(set, expected, "{lines:?}");
        assert!(!stage.talk.take_notes().iter().any(|note| note.contains("Offered") && expected == 1));
    }
}

#[test]
fn an_engine_that_does_not_start_is_noted_and_then_given_up() {
    let mut stage = Stage::new(Protocol::Usi);
    let begun = stage.now;
    assert_eq!(stage.talk.deadline(begun), Some(begun + Duration::from_secs(2)), "it may be of the other protocol");
    assert_eq!(stage.talk.expire(begun + Duration::from_secs(2)), None);
    assert_eq!(stage.talk.deadline(begun), Some(begun + Duration::from_secs(10)));
    assert_eq!(stage.talk.expire(begun + Duration::from_secs(10)), None);
    let note = "has not said usiok for 10 s; it is given up after 120 s (--startup-ms 120000)";
    assert_eq!(stage.talk.take_notes(), [note]);
    assert_eq!(stage.talk.deadline(begun), Some(begun + Duration::from_secs(120)));
    let news = stage.talk.expire(begun + Duration::from_secs(120));
    assert!(matches!(news, Some(OpponentNews::Failed { ending: Ending::Silence, .. })), "{news:?}");
}

#[test]
fn a_silent_search_without_a_clock_is_given_up() {
    let mut stage = Stage::ready(Protocol::Usi);
    stage.ask(None);
    stage.pass(0);
    let asked = stage.now;
    assert_eq!(stage.talk.deadline(asked), Some(asked + Duration::from_secs(120)));
    let news = stage.talk.expire(asked + Duration::from_secs(120));
    assert!(matches!(news, Some(OpponentNews::Failed { ending: Ending::Silence, .. })), "{news:?}");
}

#[test]
fn an_endless_search_is_given_up_whatever_it_prints() {
    let mut stage = Stage::ready(Protocol::Uci);
    stage.ask(None);
    assert_eq!(stage.hear("readyok"), None, "the barrier before go");
    stage.pass(0);
    let (asked, longest) = (stage.now, Patience::default().search);
    // `last` is the time of a line printed one second before the limit.
    let last = asked + longest - Duration::from_secs(1);
    assert_eq!(stage.talk.deadline(last), Some(asked + longest));
    let news = stage.talk.expire(asked + longest);
    let Some(OpponentNews::Failed { ending: Ending::Silence, why }) = news else { panic!("{news:?}") };
    let expected = "no bestmove within 3600 s (search-ms 3600000); given up after 3600.0 s";
    assert_eq!(why.to_string(), expected);
}
