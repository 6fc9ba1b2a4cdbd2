#![allow(clippy::unwrap_used, clippy::panic)]
//! Tests the web page over real connections, on ports that the operating system assigns.

use super::match_view::{MatchState, MatchView, ReplayGame};
use super::*;
use hasami_api::{
    Bound, GameRecord, GameReview, JudgedPosition, Judging, Line, MateUnit, MoveReview, MoveText, Outcome, PlayedMove,
    Score, Side, Start,
};
use hasami_catalog::GameRules;
use hasami_matches::events::MatchEvent;
use hasami_matches::report::MatchReport;
use hasami_matches::schedule::{Pairing, Schedule, Tournament};
use hasami_matches::stats::Sprt;
use hasami_protocol::{BestMove, Info, Output};
use hasami_tree::{NodeView, Snapshot};
use hasami_words::{Language, Words};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn game(name: &str) -> &'static dyn GameRules {
    hasami_games::find(name).unwrap()
}

fn open() -> WebPage {
    WebPage::open("127.0.0.1:0".parse().unwrap()).unwrap()
}

/// Extracts `127.0.0.1:PORT` from the page's URL.
fn host(url: &str) -> String {
    url.trim_start_matches("http://").trim_end_matches('/').to_owned()
}

fn connect(host: &str, path: &str, more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let named = if more.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
    write!(stream, "GET {path} HTTP/1.1\r\n{named}{more}Connection: close\r\n\r\n").unwrap();
    stream
}

/// Requests a path, and returns the head and the body of the response.
fn get(host: &str, path: &str, more: &str) -> (String, String) {
    let mut text = String::new();
    connect(host, path, more).read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

fn moves(text: &str) -> Vec<MoveText> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn node(path: &str, parent: Option<usize>, cp: i32, worker: Option<&str>) -> NodeView {
    NodeView {
        parent,
        path: moves(path),
        value: Some(Score::cp(cp)),
        bound: Bound::Exact,
        own_value: None,
        own_bound: hasami_api::Bound::Exact,
        depth: 7,
        nodes: 1234,
        probability: 0.9f64.powi(path.len() as i32),
        worker: worker.map(|name| (name.to_owned(), Duration::from_millis(1500))),
        joined: Vec::new(),
        solved: false,
        pv: Vec::new(),
    }
}

fn tree() -> Snapshot {
    let nodes = vec![
        node("", None, 30, Some("thread 1")),
        node("e2e4", Some(0), -30, Some("<b>&")),
        NodeView { bound: Bound::Upper, ..node("d2d4", Some(0), -25, None) },
        node("e2e4 e7e5", Some(1), 30, None),
    ];
    Snapshot { game: "chess", mate_unit: MateUnit::Moves, nodes, ..Snapshot::default() }
}

fn searched() -> SearchPage {
    let mut page = SearchPage::new(open(), game("chess"));
    page.position(&Line::default());
    page.begin();
    page.hear(&Output::Info(info(5000)));
    page.hear(&Output::Message("a <message>".into()));
    page.hear(&Output::Best(BestMove::Move { best: "e2e4".parse().unwrap(), ponder: None }));
    page.show(tree(), vec![Metric::gauge("master_queue", "Messages", 3).with("queue", "x")]);
    page
}

fn info(nodes: u64) -> Info {
    Info {
        depth: 7,
        seldepth: 9,
        multipv: None,
        score: Score::cp(30),
        bound: Bound::Exact,
        wdl: None,
        nodes,
        nps: 100_000,
        hashfull: 0,
        table_hits: 0,
        time: Duration::from_millis(50),
        pv: moves("e2e4 e7e5 g1f3"),
    }
}

#[test]
fn a_search_is_shown_without_scripts_in_both_languages() {
    let page = searched();
    let host = host(&page.url());
    let (head, body) = get(&host, "/", "");
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("default-src 'none'"), "{head}");
    for part in [
        "<html lang=\"en\"",
        "Answered: e4",
        "+0.30",
        "e4</a>",
        "Nf3",
        "&lt;b&gt;&amp;",
        "a &lt;message&gt;",
        "≥+0.25",
        "may be higher",
    ] {
        assert!(body.contains(part), "{part}: {body}");
    }
    assert!(!body.contains("<b>&"), "names are escaped");
    let (_, japanese) = get(&host, "/", "Accept-Language: ja,en;q=0.5\r\n");
    assert!(japanese.contains("<html lang=\"ja\"") && japanese.contains("マスター木"), "{japanese}");
    let (_, chosen) = get(&host, "/?lang=en&node=e2e4.e7e5", "Accept-Language: ja\r\n");
    assert!(chosen.contains("e4 e5") && chosen.contains("The board after 2 moves"), "{chosen}");
}

/// The review of the game 1. f3 e5 2. g4 Qh4#.
fn reviewed() -> GameReview {
    let line = Line { moves: moves("f2f3 e7e5 g2g4 d8h4"), ..Line::default() };
    let values = [Score::cp(30), Score::cp(60), Score::cp(-70), Score::win_in(1), Score::loss_in(0)];
    let position = |value| JudgedPosition { value, line: moves("d2d4"), depth: 9, nodes: 1 };
    let positions = values.map(position);
    let one = |(index, played): (usize, &MoveText)| {
        let side = if index % 2 == 0 { Side::First } else { Side::Second };
        MoveReview::new(*played, side, [&positions[index], &positions[index + 1]], Judging::CHESS)
    };
    GameReview { moves: line.moves.iter().enumerate().map(one).collect(), line }
}

#[test]
fn an_analysed_game_has_a_curve_and_replays_of_bad_moves() {
    let mut page = searched();
    let host = host(&page.url());
    // After a single search, which is not a game, the page's section `game` is empty.
    let (_, before) = get(&host, "/?lang=en", "");
    assert!(before.contains("<div id=\"game\"></div>"), "{before}");
    page.review(&reviewed());
    page.show(tree(), Vec::new());
    let (_, body) = get(&host, "/?lang=en", "");
    // On narrow screens, `data-name` shows the heading of each number.
    for part in ["winning chance, %", "average loss", "data-name=\"??\"", "href=\"?ply=3\"", "g4??"] {
        assert!(body.contains(part), "{part}: {body}");
    }
    let (_, replay) = get(&host, "/detail?ply=3&lang=en", "");
    assert!(replay.contains("3 / 4") && replay.contains("best move: <span class=\"move\">d4</span>"), "{replay}");
    assert!(replay.contains("review=1&amp;ply=4"), "{replay}");
}

#[test]
fn a_selected_item_is_shown_or_reported_as_gone() {
    let page = searched();
    let host = host(&page.url());
    for (path, status, part) in [
        ("/detail?node=d2d4", "200", "may be higher"),
        ("/detail?line=e2e4.e7e5.g1f3", "200", "Nf3"),
        ("/detail?node=a2a4", "404", "no longer exists"),
        ("/detail?line=e2e5", "404", "no longer exists"),
        ("/detail?node=%FF", "404", ""),
        ("/nothing", "404", ""),
    ] {
        let (head, body) = get(&host, path, "");
        assert!(head.starts_with(&format!("HTTP/1.1 {status}")) && body.contains(part), "{path}: {head} {body}");
    }
    let (_, figures) = get(&host, "/metrics", "");
    for figure in ["hasami_moves_total 1\n", "hasami_master_queue{queue=\"x\"} 3\n"] {
        assert!(figures.contains(figure), "{figure}: {figures}");
    }
}

#[test]
fn a_search_is_shown_twice_a_second_although_nobody_watches() {
    let mut page = SearchPage::new(open(), game("chess"));
    page.position(&Line::default());
    page.begin();
    page.show_if_due(|| (tree(), Vec::new()));
    let host = host(&page.url());
    for (path, nodes, shown) in [("/metrics", 6_000, "hasami_master_queue 6000\n"), ("/?lang=en", 7_000, "7,000")] {
        page.hear(&Output::Info(info(nodes)));
        page.show_if_due(|| panic!("the last view is new"));
        std::thread::sleep(page.due().unwrap().saturating_duration_since(Instant::now()));
        page.show_if_due(|| (tree(), vec![Metric::gauge("master_queue", "Messages", nodes)]));
        let (_, found) = get(&host, path, "");
        assert!(found.contains(shown), "{path}: {found}");
    }
}

#[test]
fn a_tree_of_an_earlier_position_is_not_shown_with_the_next_one() {
    let mut page = searched();
    page.position(&Line { start: Start::default(), moves: moves("d2d4") });
    page.hear(&Output::Info(Info { pv: moves("g8f6 c2c4"), ..info(7_000) }));
    page.show(tree(), Vec::new());
    let (_, body) = get(&host(&page.url()), "/?lang=en", "");
    assert!(body.contains("after one move") && body.contains(">Nf6</a>"), "{body}");
    assert!(!body.contains("may be higher"), "the reasons are those of the start position: {body}");
}

#[test]
fn missing_parts_are_described_in_words() {
    let mut page = SearchPage::new(open(), game("chess"));
    page.position(&Line::default());
    page.show(Snapshot::default(), Vec::new());
    let (_, body) = get(&host(&page.url()), "/?lang=en", "");
    for part in ["Chess, start position", "before the first move"] {
        assert!(body.contains(part), "{part}: {body}");
    }
    let given = Start { text: Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1".into()), ..Start::default() };
    page.position(&Line { start: given, moves: Vec::new() });
    page.show(Snapshot::default(), Vec::new());
    let (_, body) = get(&host(&page.url()), "/?lang=en", "");
    assert!(body.contains("Chess, a given position"), "{body}");
}

#[test]
fn games_in_progress_are_current_although_nobody_watches() {
    let report = MatchReport { names: vec!["a".into(), "b".into()], sprt: None, schedule: Schedule::default() };
    let mut state = MatchState::new(game("chess"), report, true);
    let pairing = Pairing { game: 0, round: 1, group: 0, engines: [0, 1], opening: None };
    state.see(&MatchEvent::Began { pairing });
    let mut record = GameRecord::default();
    let after = |state: &MatchState| state.live_games(Words::of(Language::English)).into_string();
    for (text, shown) in [("e2e4", "after one move"), ("e7e5", "after 2 moves"), ("g1f3", "after 3 moves")] {
        record.moves.push(PlayedMove { left: Some(Duration::from_secs(7)), ..PlayedMove::new(text.parse().unwrap()) });
        state.see(&MatchEvent::Moved { pairing, record: &record });
        assert!(after(&state).contains(shown) && after(&state).contains("7.0 s"), "{shown}: {}", after(&state));
    }
    // A second record, of a game that starts from another position, replaces the first.
    let start = Start { text: Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1".into()), ..Start::default() };
    let again = GameRecord { start, moves: vec![PlayedMove::new("e1d1".parse().unwrap())], ..GameRecord::default() };
    state.see(&MatchEvent::Moved { pairing, record: &again });
    assert!(after(&state).contains("after one move"), "{}", after(&state));
}

/// Returns the parts of the page about a match in which the first player won each of `games`.
fn match_parts(engines: usize, sprt: Option<Sprt>, tournament: Tournament, games: &[[usize; 2]]) -> Vec<PagePart> {
    let names = (0..engines).map(|engine| format!("e{engine}")).collect();
    let schedule = Schedule { tournament, engines, games: 2, repeats: 2, ..Schedule::default() };
    let mut state = MatchState::new(game("chess"), MatchReport { names, sprt, schedule }, true);
    let record = GameRecord { outcome: Outcome::Win(Side::First), ..GameRecord::default() };
    for (game, engines) in (0..).zip(games) {
        let pairing = Pairing { game, round: 1, group: game / 2, engines: *engines, opening: None };
        state.finish(ReplayGame::new(pairing, &record));
    }
    MatchView(Arc::new(Mutex::new(state))).parts(Words::of(Language::English))
}

fn part(parts: Vec<PagePart>, id: &str) -> Option<String> {
    parts.into_iter().find(|part| part.id == id).map(|part| part.content.into_string())
}

#[test]
fn a_match_without_an_elo_says_so() {
    let elo = |games: &[[usize; 2]]| part(match_parts(2, None, Tournament::Pair, games), "elo").unwrap();
    assert!(elo(&[]).contains("Nothing yet"));
    assert!(elo(&[[0, 1]]).contains("No Elo yet"), "{}", elo(&[[0, 1]]));
}

#[test]
fn a_match_has_the_parts_that_fit_it_and_no_empty_ones() {
    let ids = |engines, sprt, tournament| -> Vec<&str> {
        match_parts(engines, sprt, tournament, &[[0, 1]]).iter().map(|part| part.id).collect()
    };
    let both = |middle: &[&'static str]| [&["status", "table"][..], middle, &["live", "list", "messages"]].concat();
    assert_eq!(ids(2, Some(Sprt::default()), Tournament::Pair), both(&["elo", "sprt"]));
    assert_eq!(ids(2, None, Tournament::Pair), both(&["elo"]));
    assert_eq!(ids(3, None, Tournament::RoundRobin), both(&["crosstable"]));
}

#[test]
fn the_crosstable_lists_the_best_engine_first() {
    let games = [[1, 0], [1, 0], [2, 1], [1, 2]];
    let table = part(match_parts(3, None, Tournament::RoundRobin, &games), "crosstable").unwrap();
    let row = |name: &str| {
        let (_, row) = table.split_once(&format!("<span class=\"name\">{name}</span></th>")).unwrap();
        let row = row.split("</tr>").next().unwrap().replace("</td>", "").replace("<td class=\"number\">", "|");
        (1..=3)
            .fold(row, |row, place| row.replace(&format!("<td class=\"number against\" data-name=\"{place}\">"), "|"))
    };
    assert_eq!(row("e1"), "|<b>3.0</b><td class=\"number self\">|1.0/2|2.0/2");
    assert_eq!(row("e0"), "|<b>0.0</b>|0.0/2|−<td class=\"number self\">");
    let places = ["e1", "e2", "e0"].map(|name| table.find(&format!(">{name}</span>")).unwrap());
    assert!(places.is_sorted(), "{table}");
}

#[test]
fn requests_of_another_site_are_rejected() {
    let page = searched();
    let (head, body) = get(&host(&page.url()), "/", "Host: evil.example\r\n");
    assert!(head.starts_with("HTTP/1.1 421") && !body.contains("e4"), "{head}");
}

/// Reads the next server-sent event and parses its JSON.
fn event(reader: &mut impl BufRead) -> serde_json::Value {
    let mut line = String::new();
    while !line.starts_with("data: {") {
        line.clear();
        assert!(reader.read_line(&mut line).unwrap() > 0, "the stream has ended");
    }
    serde_json::from_str(line.trim_start_matches("data: ")).unwrap()
}

#[test]
fn followers_get_everything_first_and_then_changes() {
    let mut page = searched();
    let mut reader = BufReader::new(connect(&host(&page.url()), "/events?lang=en", ""));
    let first = event(&mut reader);
    assert_eq!(first["kind"], "analysis");
    assert_eq!(first["parts"].as_object().unwrap().len(), 8);
    let changed = Snapshot { nodes: tree().nodes.into_iter().take(2).collect(), ..tree() };
    page.show(changed, Vec::new());
    let second = event(&mut reader);
    let parts = second["parts"].as_object().unwrap();
    assert!(parts.contains_key("tree") && !parts.contains_key("messages"), "{parts:?}");
}

#[test]
fn a_taken_port_is_reported_or_the_next_one_is_used() {
    let page = open();
    let taken: WebAddress = host(&page.url()).parse().unwrap();
    let error = WebPage::open(taken).err().unwrap().to_string();
    assert!(error.starts_with("web page: cannot listen on 127.0.0.1:"), "{error}");
    let free = WebPage::open(WebAddress { is_exact: false, ..taken }).unwrap();
    assert_ne!(free.url(), page.url());
}

#[test]
fn closing_a_page_releases_its_port() {
    let page = open();
    let address = host(&page.url());
    drop(page);
    assert!(TcpStream::connect(&address).is_err());
}

#[test]
fn values_of_taken_back_moves_are_dropped() {
    let mut page = searched();
    let after = |text: &str| Line { start: Start::default(), moves: moves(text) };
    page.position(&after("e2e4 e7e5"));
    page.begin();
    page.position(&after("e2e4"));
    page.show(Snapshot::default(), Vec::new());
    let (_, body) = get(&host(&page.url()), "/", "");
    assert!(body.contains("after one move") && body.contains("Nothing yet"), "{body}");
}
