//! Tests matches between virtual clusters, with virtual game clocks.

use crate::job::Job;
use crate::program::mock;

#[test]
fn a_virtual_cluster_plays_by_its_virtual_clock() {
    let contest = Job::new("match");
    let cmd = format!("cmd={} clock=virtual", env!("CARGO_BIN_EXE_hasami-lab"));
    let cluster =
        "name=cluster args=\"virtual --workers 3 --speed 1000 --penalty 100 --log=x.diary\" tc=2+0.5 option.Hash=1";
    let lonely = "name=lonely args=\"virtual --workers 1 --speed 1000\" st=0.5 option.Ponder=false option.Hash=1";
    let game = ["--games", "2", "--maxmoves", "4", "--json", "x.json", "--pgn", "x.pgn"];
    // The 1 ms limits must not be enforced, because a virtual cluster may ponder for longer before it answers
    // `isready`.
    let game = [&game[..], &["--ping-ms", "1", "--ucinewgame-ms", "1", "--file", "file.toml"]].concat();
    std::fs::write(contest.path("file.toml"), "silence-ms = 1\nopenings = 'startpos'\n").unwrap();
    let engines = ["--engine", cluster, &cmd, "--engine", lonely, &cmd];
    let output = contest.run(&[&engines[..], &game[..]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(contest.json()["games"].as_array().unwrap().len(), 2);
    let json = contest.json();
    assert!(json["engines"][0]["endings"]["lost"].as_object().unwrap().is_empty(), "{json}");
    // Every move of `lonely` takes exactly half a second of virtual time minus the default overhead.
    let games = contest.text("x.pgn").replace('\n', " ");
    assert_eq!(games.matches(" 0.470s, n=").count(), 8, "{games}");
    let diary = contest.text("x.diary");
    let of_reply = |reply: bool| diary.lines().filter(|line| line.contains(&format!("\"reply\":{reply}"))).count();
    // In each game, the diary has one entry fewer for replies than for moves, because the last move has no reply.
    assert_eq!((of_reply(false), of_reply(true)), (8, 6), "{diary}");
}

#[test]
fn children_of_a_virtual_cluster_play_by_its_virtual_clock() {
    let contest = Job::new("match");
    let cmd = format!("cmd={} clock=virtual", env!("CARGO_BIN_EXE_hasami-lab"));
    let child = format!("--child \"{}\"", mock("--burns"));
    let cluster = format!("args=virtual {child} --workers 2 --penalty 5");
    let lonely = format!("args=virtual {child} --alone --cpu 0.5");
    let engines = ["--engine", "name=cluster", "option.Ponder=false", &cluster, "--engine", "name=lonely", &lonely];
    let game = ["--games", "2", "--maxmoves", "3", "--json", "x.json", "--pgn", "x.pgn"];
    let output = contest.run(&[&engines[..], &["--each", &cmd, "movetime=50 timemargin=1000"], &game].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(contest.json()["games_played"], 2);
    let pgn = contest.text("x.pgn");
    let (first, second) = pgn.split_once("[White \"lonely\"]").unwrap();
    for (game, number) in [(first, "."), (second, "...")] {
        assert_eq!(times(game, number), ["0.045s,"; 3], "50 ms minus 5 ms of overhead, to the millisecond: {pgn}");
    }
}

/// Returns the times of White's moves if `number` is `.`, or of Black's moves if it is `...`.
fn times<'a>(game: &'a str, number: &str) -> Vec<&'a str> {
    let words: Vec<&str> = game.split_whitespace().collect();
    let is_number =
        |word: &str| word.find('.').is_some_and(|dot| word[dot..] == *number && word[..dot].parse::<u32>().is_ok());
    let places = (0..words.len()).filter(|&at| is_number(words[at]));
    places.filter_map(|at| words[at..].iter().copied().find(|word| word.ends_with("s,"))).collect()
}
