#![allow(clippy::unwrap_used)]

use super::*;
use hasami_api::Bound;

pub fn node(parent: Option<usize>, path: &str, cp: i32, probability: f64) -> NodeView {
    NodeView {
        parent,
        path: path.split_whitespace().map(|m| m.parse().unwrap()).collect(),
        value: Some(Score::cp(cp)),
        bound: Bound::Exact,
        own_value: None,
        own_bound: hasami_api::Bound::Exact,
        depth: 9,
        nodes: 1_234_567,
        probability,
        worker: Some(("thread 1".into(), Duration::from_secs(2))),
        joined: Vec::new(),
        solved: false,
        pv: Vec::new(),
    }
}

fn tree() -> Snapshot {
    let nodes = vec![
        node(None, "", 30, 1.0),
        node(Some(0), "e2e4", -30, 0.6),
        node(Some(1), "e2e4 e7e5", 30, 0.4),
        node(Some(0), "d2d4", 10, 0.3),
    ];
    Snapshot { mate_unit: MateUnit::Moves, nodes, free: vec!["thread 5".into()], ..Snapshot::default() }
}

fn status() -> Status {
    Status {
        game: "chess",
        mate_unit: MateUnit::Moves,
        elapsed: Duration::from_millis(1500),
        limit: Some(Duration::from_secs(5)),
        lines: Vec::new(),
        speaker: Speaker::of_protocol(),
        words: Words::english(),
    }
}

#[test]
fn the_tree_is_drawn_with_scores_seen_from_the_root() {
    let lines = picture(&status(), &tree(), 100, 30);
    assert_eq!(lines[0].text, "chess   1.5 of 5.0 s   5 workers, 1 free");
    let drawn: Vec<Vec<&str>> = lines[3..].iter().map(|line| line.text.split_whitespace().collect()).collect();
    let heads: Vec<&[&str]> = drawn.iter().map(|words| &words[..3]).collect();
    assert_eq!(heads[0], ["root", "+0.30", "9"]);
    assert_eq!(heads[1], ["|-", "e2e4", "+0.30"]);
    assert_eq!(heads[2], ["|", "`-", "e7e5"]);
    assert_eq!(heads[3], ["`-", "d2d4", "-0.10"]);
    assert!(lines[3].text.contains("1,234,567"), "{}", lines[3].text);
}

pub fn info() -> Info {
    Info {
        depth: 9,
        seldepth: 9,
        multipv: None,
        score: Score::cp(30),
        bound: Bound::Exact,
        wdl: None,
        nodes: 1_000,
        nps: 1_000,
        hashfull: 0,
        table_hits: 0,
        time: Duration::ZERO,
        pv: ["e2e4", "c7c5"].map(|m| m.parse().unwrap()).to_vec(),
    }
}

#[test]
fn the_best_line_and_bounds_are_marked() {
    let info = info();
    let mut tree = tree();
    tree.nodes[1].bound = Bound::Upper;
    tree.nodes[2].bound = Bound::Upper;
    let lines = picture(&Status { lines: vec![info.clone()], ..status() }, &tree, 80, 30);
    let drawn: Vec<String> = lines[5..].iter().map(|line| words_of(&line.text)).collect();
    assert!(drawn[0].starts_with("root +0.30 9"), "{drawn:?}");
    assert!(drawn[1].starts_with("|- e2e4 * >=+0.30 9"), "{drawn:?}");
    assert!(drawn[2].starts_with("| `- e7e5 <=+0.30 9"), "not of the line: {drawn:?}");
    assert!(drawn[3].starts_with("`- d2d4 -0.10 9"), "{drawn:?}");
    let whole = picture(&Status { lines: vec![info.clone()], ..status() }, &tree, 100, 30);
    assert_eq!(lines, whole, "80 columns are enough");
    let tones: Vec<Tone> = lines.iter().map(|line| line.tone).collect();
    assert_eq!(tones[4..], [Tone::Head, Tone::Plain, Tone::Best, Tone::Plain, Tone::Plain]);
    let log = progress(&Status { lines: vec![info.clone()], ..status() }, &info, 61);
    assert_eq!(log, "  1.50 s  depth 9/9      +0.30       1,000 nodes  e2e4 ..");
}

#[test]
fn the_best_line_is_cut_between_two_moves() {
    let moves = "e2e4 c7c5 g1f3";
    assert_eq!(whole_moves(moves, 14), moves);
    assert_eq!(whole_moves(moves, 13), "e2e4 c7c5 ..");
    assert_eq!(whole_moves(moves, 11), "e2e4 ..");
    let texts = moves.split(' ').map(|m| m.parse().unwrap()).collect();
    let best = Info { pv: texts, ..info() };
    let lines = picture(&Status { lines: vec![best.clone()], ..status() }, &tree(), 12, 30);
    assert_eq!(lines[2].text, "e2e4 c7c5 ..");
}

#[test]
fn a_team_is_no_free_time() {
    let mut tree = tree();
    tree.nodes[0].joined = vec!["thread 5".into(), "thread 6".into()];
    tree.free.clear();
    let lines = picture(&status(), &tree, 100, 30);
    assert_eq!(lines[0].text, "chess   1.5 of 5.0 s   6 workers, 2 joined");
    assert!(lines[3].text.ends_with("thread 1 +2, 2.0 s"), "{}", lines[3].text);
}

#[test]
fn workers_that_search_the_root_together_are_shown_one_by_one() {
    let mut tree = tree();
    tree.nodes.truncate(1);
    tree.busy =
        (1..=4).map(|n| Progress { name: format!("thread {n}"), depth: 10 + n, nodes: 1_000 * u64::from(n) }).collect();
    let drawn = |rows| {
        let lines = picture(&status(), &tree, 100, rows);
        lines[4..].iter().map(|line| words_of(&line.text)).collect::<Vec<_>>()
    };
    assert_eq!(drawn(30), ["11 1,000 thread 1", "12 2,000 thread 2", "13 3,000 thread 3", "14 4,000 thread 4"]);
    assert_eq!(drawn(6), ["11 1,000 thread 1", "... and 3 more workers"]);
}

fn words_of(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn deep_nodes_and_large_teams_fit_into_80_columns() {
    let stem = "|  ".repeat(9);
    let mut deep = node(None, "e2e4", 12_345, 1.0);
    deep.joined = vec!["thread 2".into(); 7];
    deep.worker = Some(("stockfish#12".into(), Duration::from_secs(10)));
    deep.nodes = 999_999_999;
    deep.bound = Bound::Lower;
    let row = node_line(&deep, "Nbxd7+ *", MateUnit::Moves, &stem, Words::english());
    assert!(row.starts_with("..") && row.contains("Nbxd7+ * ") && row.width() <= 80, "{} {row}", row.width());
    assert_eq!(wrapped_line("line Rf1 h3 a3 Rxf1+ Kxf1", 14), "line Rf1 h3 a3\n     Rxf1+\n     Kxf1");
}

#[test]
fn a_picture_never_exceeds_its_frame() {
    for rows in 0..12 {
        for columns in [0, 10, 40, 100] {
            let lines = picture(&status(), &tree(), columns, rows);
            assert!(
                lines.len() <= rows && lines.iter().all(|line| line.text.chars().count() <= columns),
                "{columns}x{rows}"
            );
        }
    }
}

#[test]
fn what_does_not_fit_is_counted_and_the_likeliest_stay() {
    let lines = picture(&status(), &tree(), 100, 6);
    assert!(lines[4].text.contains("e2e4"), "{lines:?}");
    assert_eq!(lines[5].text, "... and 2 more nodes");
}

#[test]
fn scores_in_words() {
    assert_eq!(value(Score::cp(-5), Bound::Exact, MateUnit::Moves), "-0.05");
    assert_eq!(value(Score::win_in(5), Bound::Lower, MateUnit::Moves), ">=+#3");
    assert_eq!(value(Score::loss_in(4), Bound::Upper, MateUnit::Plies), "<=-#4");
    let text_of = |score, unit| mate_words(score, unit, Words::english()).unwrap_or_default();
    assert_eq!(text_of(Score::win_in(5), MateUnit::Moves), "mate in 3 moves");
    assert_eq!(text_of(Score::win_in(1), MateUnit::Plies), "mate in 1 ply");
    assert_eq!(text_of(Score::loss_in(2), MateUnit::Moves), "mated in 1 move");
    assert_eq!(text_of(Score::cp(3), MateUnit::Moves), "");
    assert_eq!(grouped(1_000), "1,000");
}

#[test]
fn several_lines_are_shown_while_they_change() {
    let (best, other) = (info(), Info { score: Score::cp(-12), pv: vec!["d2d4".parse().unwrap()], ..info() });
    let lines = [best, other];
    let drawn = picture(&Status { lines: lines.to_vec(), ..status() }, &tree(), 80, 30);
    assert!(drawn.iter().any(|line| line.text == "2. -0.12  d2d4"), "{drawn:?}");
    // Even on a terminal with few rows, the tree keeps the rows reserved for it.
    let short = picture(&Status { lines: lines.to_vec(), ..status() }, &tree(), 80, 9);
    assert!(short.iter().all(|line| !line.text.starts_with("2.")) && short.len() == 9, "{short:?}");
}
