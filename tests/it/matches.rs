//! Tests matches between mock engines, healthy and faulty, in both games, including matches that are killed and
//! resumed.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::program::mock;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rustix::process::{Pid, Signal};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::{Deref, RangeInclusive};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

/// A match in its own folder.
struct Contest(Job);

impl Deref for Contest {
    type Target = Job;

    fn deref(&self) -> &Job {
        &self.0
    }
}

impl Contest {
    fn new() -> Self {
        Self(Job::new("match"))
    }

    /// Writes a match file with `options`, in which all games begin at the initial position.
    fn describe(&self, options: &str) -> [&'static str; 2] {
        fs::write(self.path("file.toml"), format!("openings = 'startpos'\n{options}\n")).unwrap();
        ["--file", "file.toml"]
    }

    /// Returns the journal in the default folder; if there are several, the one with the most games.
    fn journal(&self) -> PathBuf {
        let folder = self.path("state/hasami/matches");
        let files = fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        files.max_by_key(|path| fs::metadata(path).unwrap().len()).unwrap_or_else(|| folder.join("none"))
    }

    /// Plays a match between a mock engine with `flags` and a healthy one, and returns the JSON summary.
    fn against_a_healthy_one(&self, flags: &str, more: &[&str]) -> Value {
        let (faulty, healthy) = (words("faulty", flags), words("healthy", ""));
        let mut arguments =
            vec!["--engine", &faulty, "--engine", &healthy, "--each", "movetime=2000", "--json", "x.json"];
        arguments.extend(["--maxmoves", "2", "--startup-ms", "5000", "--quiet"]);
        arguments.extend(self.describe("silence-ms = 1000"));
        arguments.extend(more);
        let output = self.run(&arguments);
        assert!(output.status.success(), "{flags}: {output:?}");
        self.json()
    }
}

fn words(name: &str, flags: &str) -> String {
    format!("name={name} cmd=\"{}\"", mock(flags))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns how many games the first engine lost, for each ending.
fn lost(summary: &Value) -> Vec<(String, u64)> {
    let endings = summary["engines"][0]["endings"]["lost"].as_object().unwrap();
    endings.iter().map(|(ending, count)| (ending.clone(), count.as_u64().unwrap())).collect()
}

const TWO_BOOKS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
                         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n";

#[test]
fn a_match_of_chess_writes_all_its_files() {
    let contest = Contest::new();
    fs::write(contest.path("book.epd"), TWO_BOOKS).unwrap();
    let (a, b) = (words("A", ""), words("B", ""));
    let output = contest.run(&[
        "-engine",
        &a,
        "-engine",
        &b,
        "-each",
        "st=2",
        "-games",
        "2",
        "-rounds",
        "2",
        "-repeat",
        "-concurrency",
        "2",
        "-openings",
        "file=book.epd",
        "format=epd",
        "order=sequential",
        "-maxmoves",
        "2",
        "-pgnout",
        "file=x.pgn",
        "-sprt",
        "elo0=0",
        "elo1=5",
        "-ratinginterval",
        "2",
        "--json",
        "x.json",
        "--svg",
        "x.svg",
        "-log",
        "file=x.log",
    ]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Finished game 4 (B vs A): 1/2-1/2 {draw by maximum of moves}"), "{text}");
    assert!(
        text.contains("Games: 4, Wins: 0, Losses: 0, Draws: 4, Points: 2.0 (50.00 %)\nPtnml(0-2): [0, 0, 2, 0, 0]"),
        "{text}"
    );
    assert!(text.contains("LLR: "), "{text}");
    assert!(text.contains("Started game 4 of 4 (B vs A)\n"), "{text}");
    // Results must be printed after two games and, together with the conditions, at the end.
    assert_eq!(text.matches("Results of A vs B:").count(), 2, "{text}");
    let (_, report) = text.rsplit_once("A: 2/move timemargin=50 (mock engine, ").unwrap();
    assert!(report.contains("\nTotal time: 0:0") && report.contains("\nResults of A vs B:\n"), "{text}");
    let summary = contest.json();
    assert_eq!(summary["games_played"], 4);
    assert_eq!(summary["engines"][0]["endings"]["drawn"]["maximum of moves"], 4);
    let pgn = contest.text("x.pgn");
    assert_eq!((pgn.matches("[Event ").count(), pgn.matches("fmvn").count()), (4, 0));
    assert!(pgn.contains("2. ") && pgn.contains("+0.10/20"), "{pgn}");
    assert!(contest.text("x.svg").starts_with("<svg"));
    assert!(contest.text("x.log").contains("> go movetime 2000"));
    assert_eq!(fs::read_to_string(contest.journal()).unwrap().matches("\n{\"game\":").count(), 4);
}

#[test]
fn a_match_of_shogi_writes_all_its_files() {
    let contest = Contest::new();
    fs::write(contest.path("book.sfen"), "startpos moves 7g7f 3c3d\n").unwrap();
    let (a, b) = (words("A", ""), words("B", ""));
    let output = contest.run(&[
        "--game",
        "shogi",
        "--engine",
        &a,
        "--engine",
        &b,
        "--each",
        "tc=2 byoyomi=3",
        "--openings",
        "book.sfen",
        "--maxmoves",
        "3",
        "--record",
        "x.csa",
        "--record",
        "x.kif",
        "--json",
        "x.json",
        "--log",
        "x.log",
    ]);
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("\nshogi, entering king CSARule27, openings book.sfen "), "{printed}");
    assert_eq!(contest.json()["engines"][0]["draws"], 2);
    let (csa, kif) = (contest.text("x.csa"), contest.bytes("x.kif"));
    let kif = encoding_rs::SHIFT_JIS.decode_without_bom_handling_and_without_replacement(&kif).unwrap();
    assert!(csa.contains("N+A\nN-B") && csa.contains("%MAX_MOVES") && csa.matches("\n/\n").count() == 1, "{csa}");
    assert!(csa.contains("'** 10") && csa.contains("\nT0."), "{csa}");
    assert!(kif.contains("先手：A") && kif.contains("最大手数"), "{kif}");
    let log = contest.text("x.log");
    assert!(log.contains("> usinewgame") && log.contains("byoyomi 3000") && log.contains("> gameover draw"), "{log}");
}

#[test]
fn all_engines_play_each_other_in_a_round_robin() {
    let contest = Contest::new();
    let engines: Vec<String> = ["A", "B", "C"].iter().map(|name| words(name, "")).collect();
    let more = ["--maxmoves", "1", "--concurrency", "3", "--json", "x.json"];
    let names: Vec<&str> = engines.iter().flat_map(|words| ["--engine", words]).collect();
    let output = contest.run(&[names.as_slice(), &["--each", "movetime=3000"], &more].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(contest.json()["encounters"].as_array().unwrap().len(), 3);
    assert!(String::from_utf8(output.stdout).unwrap().contains("Rank Name"));

    let output = contest.run(&[names.as_slice(), &["--each", "st=3", "--tournament", "gauntlet"], &more].concat());
    assert!(output.status.success(), "{output:?}");
    let pairs = contest.json()["encounters"].as_array().unwrap().clone();
    assert_eq!(pairs.iter().map(|pair| pair["engines"][0].as_str().unwrap()).collect::<Vec<_>>(), ["A", "A"]);
}

/// Checks that a mock engine with `flags` loses both games by `ending`. If `ending` is `None`, the engine must lose no
/// game.
fn costs(flags: &str, ending: Option<&str>, more: &[&str]) -> Value {
    let contest = Contest::new();
    let summary = contest.against_a_healthy_one(flags, more);
    let wanted: Vec<_> = ending.iter().map(|ending| (ending.to_string(), 2)).collect();
    assert_eq!(lost(&summary), wanted, "{flags}");
    assert_eq!(summary["games_played"], 2);
    summary
}

macro_rules! each_fault {
    ($($name:ident: $flags:expr => $ending:expr;)*) => { $(
        #[test]
        fn $name() { costs($flags, $ending, &[]); }
    )* };
}

each_fault! {
    exits_on_go_is_a_crash: "--exits-on-go" => Some("crash");
    an_illegal_move_loses: "--bestmove a1a8" => Some("illegal move");
    an_unreadable_move_loses: "--bestmove xyz" => Some("illegal move");
    no_move_loses: "--bestmove (none)" => Some("illegal move");
    a_deaf_engine_is_ended: "--deaf-to-stop --deaf-to-eof" => None;
    floods_do_no_harm: "--flood --stderr-flood" => None;
    half_lines_do_no_harm: "--half-lines" => None;
    a_bestmove_without_a_move_loses: "--garbage" => Some("illegal move");
    huge_lines_do_no_harm: "--huge-lines" => None;
    slow_preparations_cost_no_time: "--slow-new-game 300 --slow-start 300" => None;
}

/// Checks that an engine that never answers loses by `ending`, given its own options, options for both engines, and an
/// option for the time limit.
fn check_loss_without_answer(own: &str, each: &str, timeout: &str, ending: &str) {
    let contest = Contest::new();
    let faulty = format!("{} {own}", words("faulty", "--no-bestmove --deaf-to-stop"));
    let healthy = words("healthy", "");
    let engines = ["--engine", &faulty, "--engine", &healthy, "--each", each];
    let output =
        contest.run(&[&engines[..], &contest.describe(timeout), &["--json", "x.json", "--maxmoves", "2"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lost(&contest.json()), [(ending.to_owned(), 2)]);
}

#[test]
fn no_answer_loses_on_time() {
    check_loss_without_answer("movetime=300", "movetime=3000", "ping-ms = 1500", "time");
}

#[test]
fn silence_without_a_clock_loses() {
    check_loss_without_answer("", "depth=5", "silence-ms = 2000", "silence");
}

#[test]
fn an_engine_that_prints_is_not_silent() {
    let contest = Contest::new();
    let (talker, healthy) = (words("talker", "--talks 900"), words("healthy", ""));
    let engines = ["--engine", &talker, "--engine", &healthy, "--each", "depth=5"];
    let game = ["--games", "1", "--maxmoves", "1", "--json", "x.json"];
    let output = contest.run(&[&engines[..], &game, &contest.describe("silence-ms = 300")].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lost(&contest.json()), []);
}

#[test]
fn a_value_outside_the_declared_range_is_a_fault() {
    let contest = Contest::new();
    let cmd = format!("cmd={} nodes=10", env!("CARGO_BIN_EXE_hasami"));
    let odd = format!("name=odd {cmd} option.TreeModel=foo option.Hash=-1");
    let output =
        contest.run(&["--engine", &odd, "--engine", &cmd, "--games", "1", "--maxmoves", "1", "--log", "x.log"]);
    assert!(output.status.success(), "{output:?}");
    let log = contest.text("x.log");
    assert!(log.contains("odd: option TreeModel: expected one of rank, gap, hasami, found 'foo'"), "{log}");
    assert!(log.contains("odd: option Hash: expected a number of at least 1, found '-1'"), "{log}");
}

#[test]
fn this_program_is_not_played_with_another_network() {
    let contest = Contest::new();
    fs::write(contest.path("cut.nn"), "hasami").unwrap();
    let cmd = format!("cmd={} nodes=10", env!("CARGO_BIN_EXE_hasami"));
    for file in ["nosuch.nn", "cut.nn", "/dev/null"] {
        let new = format!("name=new {cmd} option.EvalFile={file}");
        let output = contest.run(&["--engine", &new, "--engine", &cmd, "--games", "2", "--maxmoves", "1"]);
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{file}: {printed}");
        let why = "hasami: new: the engine does not use a file of its options; it says: EvalFile ";
        assert!(printed.lines().any(|line| line.starts_with(why) && line.contains(file)), "{printed}");
        assert!(printed.contains("warning: new says: EvalFile "), "{printed}");
    }
}

#[test]
fn complaints_of_engines_are_warnings_of_the_match() {
    let summary = Contest::new().against_a_healthy_one("--missing-book", &[]);
    let warnings = summary["warnings"].as_array().unwrap();
    let wanted = "faulty says: Error! : can't read file : book/standard_book.db";
    assert!(warnings.iter().any(|text| text == wanted), "{warnings:?}");
}

#[test]
fn a_match_that_cannot_begin_keeps_the_earlier_journal() {
    let contest = Contest::new();
    let (a, b) = (words("A", ""), words("B", ""));
    let good = ["--engine", &a, "--engine", &b, "--each", "nodes=10", "--maxmoves", "1"];
    let good = [&good[..], &["--journal", "match.jsonl"]].concat();
    assert!(contest.run(&good).status.success());
    let journal = contest.text("match.jsonl");
    let missing = ["--engine", "cmd=/no/such/engine", "--engine", &b, "--each", "nodes=10", "--journal", "match.jsonl"];
    for bad in [&missing[..], &[&good[..], &["--pgn", "/no/such/folder/x.pgn"]].concat()] {
        assert_eq!(contest.run(bad).status.code(), Some(2));
        assert_eq!(contest.text("match.jsonl"), journal, "{bad:?}");
    }
    assert!(!contest.path("match.jsonl.1").exists());
}

#[test]
fn harmless_faults_are_counted() {
    for flags in ["--two-bestmoves", "--illegal-pv"] {
        let summary = costs(flags, None, &[]);
        assert!(summary["engines"][0]["faults"]["breaches"].as_u64().unwrap() > 0, "{flags}: {summary}");
        assert_eq!(summary["engines"][1]["faults"]["breaches"], 0);
    }
}

#[test]
fn a_crash_costs_the_game_or_ends_the_match() {
    costs("--dead-mid-search", Some("crash"), &["--on-crash", "forfeit"]);
    let contest = Contest::new();
    let faulty = words("faulty", "--exits-on-go");
    let output =
        contest.run(&["--engine", &faulty, "--engine", &words("B", ""), "--each", "st=1", "--on-crash", "stop"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("faulty: the engine failed during a game: "));
    // If no game was finished, the program must neither create nor announce a journal.
    assert!(!contest.journal().exists() && !String::from_utf8_lossy(&output.stdout).contains("journal: "));
}

#[test]
fn engines_that_never_start_end_the_match_with_one_line() {
    let ended = "faulty: the engine is not usable: ended with ";
    for (flags, ms, why) in [
        ("--dead-at-start", "5000", ended),
        ("--dead-before-ok", "5000", ended),
        ("--silent", "200", "faulty: no uciok within "),
        ("--never-ready", "200", "faulty: no readyok within "),
    ] {
        let contest = Contest::new();
        let faulty = words("faulty", flags);
        let output =
            contest.run(&["--engine", &faulty, "--engine", &words("B", ""), "--each", "st=1", "--startup-ms", ms]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{flags}: {text}");
        assert!(text.lines().count() == 1 && text.contains(why), "{flags}: {text}");
    }
    let contest = Contest::new();
    let missing = ["--engine", "name=faulty cmd=/no/such/engine", "--engine", "cmd=x", "--each", "st=1"];
    assert_eq!(contest.run(&missing).status.code(), Some(2));
}

/// Returns the numbers of the games in a journal, counted from 0.
fn numbers(journal: &Path) -> Vec<u64> {
    let text = fs::read_to_string(journal).unwrap_or_default();
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let game = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].as_u64();
    whole.lines().skip(1).filter_map(game).collect()
}

/// Concatenates the PGN files of the games with the given numbers, and checks that no other PGN files exist.
fn joined(contest: &Contest, numbers: RangeInclusive<u32>) -> String {
    let names: Vec<_> = numbers.map(|number| format!("games/{number:05}.pgn")).collect();
    let files = fs::read_dir(contest.path("games")).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(files.filter(|name| name.to_string_lossy().ends_with(".pgn")).count(), names.len());
    names.iter().map(|name| contest.text(name)).collect()
}

#[test]
fn a_killed_match_continues_without_lost_or_repeated_games() {
    const GAMES: usize = 10;
    for seed in 0..3 {
        println!("seed {seed}");
        let mut random = StdRng::seed_from_u64(seed);
        let contest = Contest::new();
        fs::create_dir(contest.path("games")).unwrap();
        for file in ["x.pgn", "games/00007.pgn"] {
            fs::write(contest.path(file), "[Event \"of another match\"]\n\n*\n\n").unwrap();
        }
        let (a, b) = (words("A", ""), words("B", "--deaf-to-eof"));
        let arguments = ["--engine", &a, "--engine", &b, "--each", "st=5", "--games", "10", "--concurrency", "2"];
        // Depending on the seed, the games are written to one file each or all to the same file.
        let records = if seed == 2 { "games/" } else { "x.pgn" };
        let arguments = [&arguments[..], &["--maxmoves", "1", "--pgn", records, "--json", "x.json"]].concat();
        let mut seen: Vec<u64> = Vec::new();
        for round in 0..6 {
            let line = if round % 2 == 0 { [&arguments[..], &["--resume"]].concat() } else { vec!["--resume"] };
            // As long as no journal exists, the match can be continued only with its full command line.
            let line = if seen.is_empty() { [&arguments[..], &["--resume"]].concat() } else { line };
            let mut process = contest.start(&line);
            std::thread::park_timeout(Duration::from_millis(random.random_range(0..400)));
            process.kill().unwrap();
            process.wait().unwrap();
            contest.expect_nobody();
            let now = numbers(&contest.journal());
            assert!(now.starts_with(&seen), "a game was lost: {seen:?}, {now:?}");
            seen = now;
        }
        let output = contest.run(&[&arguments[..], &["--resume"]].concat());
        assert!(output.status.success(), "{output:?}");
        let numbers = numbers(&contest.journal());
        assert_eq!((numbers.len(), numbers.iter().collect::<BTreeSet<_>>().len()), (GAMES, GAMES));
        let pgn = if seed == 2 { joined(&contest, 7..=17) } else { contest.text("x.pgn") };
        assert_eq!(pgn.matches("[Event \"hasami match\"]").count(), GAMES);
        assert!(pgn.starts_with("[Event \"of another match\"]"));
        assert_eq!(contest.json()["games_played"], GAMES);
    }
}

#[test]
fn ctrl_c_ends_a_match_with_its_report() {
    ends_with_its_report(Signal::INT, "Ctrl-C");
}

#[test]
fn sigterm_ends_a_match_with_its_report() {
    ends_with_its_report(Signal::TERM, "SIGTERM");
}

fn ends_with_its_report(signal: Signal, name: &str) {
    let contest = Contest::new();
    let (a, b) = (words("A", ""), words("B", ""));
    let arguments = ["--engine", &a, "--engine", &b, "--each", "st=5", "--games", "1000000", "--maxmoves", "1"];
    let arguments = [&arguments[..], &["--json", "x.json", "--pgn", "x.pgn"]].concat();
    let mut process = contest.start(&arguments);
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("Finished game 2 ")), "no game was finished");
    // The signal is sent twice, because the tool `timeout` signals first the program and then its process group.
    rustix::process::kill_process(Pid::from_child(&process), signal).unwrap();
    rustix::process::kill_process(Pid::from_child(&process), signal).unwrap();
    let printed: Vec<String> = lines.collect();
    let output = process.wait_with_output().unwrap();
    contest.expect_nobody();
    assert_eq!(output.status.code(), Some(1));
    assert!(printed.iter().any(|line| line == "Results of A vs B:"), "{printed:?}");
    let last = stderr(&output);
    assert!(last.contains(&format!("ended by {name} after ")), "{last}");
    assert!(last.contains(&format!("hasami match --resume {}", contest.journal().display())), "{last}");
    let games = numbers(&contest.journal()).len() as u64;
    assert_eq!(contest.json()["games_played"], games);
    assert_eq!(contest.text("x.pgn").matches("[Event ").count() as u64, games);
}

#[test]
fn rejected_options_are_listed_with_the_conditions() {
    let contest = Contest::new();
    let (a, b) = (words("A", "--family"), words("B", ""));
    let a = format!("{a} option.hash=8 option.Bogus=3 option.MultiPV=900");
    let each = ["--each", "tc=60+1", "--games", "2", "--maxmoves", "2", "--quiet", "--journal", "x.jsonl"];
    let output = contest.run(&[&["--engine", &a, "--engine", &b][..], &each].concat());
    assert!(output.status.success(), "{output:?}");
    let results = Job::run_as(&contest, "results", &["x.jsonl"]);
    let results = String::from_utf8(results.stdout).unwrap();
    // Because turns are short, `hasami match` must lower the engines' delays and report the changed options.
    for wanted in [
        "\nA: 60+1 hash=8 Bogus=3 MultiPV=900 (mock engine, ",
        "\nA: options of this program: NetworkDelay2=120 MinimumThinkingTime=20 RoundUpToFullSecond=false, \
         not set: Bogus, beyond what the engine declares: MultiPV\n",
        "\nB: 60+1 (mock engine, ",
    ] {
        assert!(results.contains(wanted), "{wanted}: {results}");
    }
    for wanted in [
        "the engine has no option Bogus; not set\n",
        "option MultiPV: expected ",
        "has little time for a move: NetworkDelay2 1120 -> 120, ",
        "may play from its own opening book; option.USI_OwnBook=false turns the book off\n",
    ] {
        assert!(stderr(&output).contains(wanted), "{output:?}");
    }
}

#[test]
fn a_match_continues_only_with_the_same_plan() {
    let contest = Contest::new();
    let (a, b, c) = (words("A", ""), words("B", ""), words("C", ""));
    let play = |second: &str, games: &str| {
        contest.run(&[
            "--engine",
            &a,
            "--engine",
            second,
            "--each",
            "st=5",
            "--games",
            games,
            "--maxmoves",
            "1",
            "--resume",
        ])
    };
    assert!(play(&b, "2").status.success());
    let other = stderr(&play(&c, "2"));
    assert!(
        other.contains("--resume: the journal was made with engines[2].name B, but this command says C")
            && other.lines().count() == 1,
        "{other}"
    );
    assert!(play(&b, "4").status.success());
    assert_eq!(numbers(&contest.journal()), [0, 1, 2, 3]);
}

#[test]
fn invalid_arguments_give_one_line_and_exit_code_2() {
    let contest = Contest::new();
    let (a, b) = (words("A", ""), words("B", ""));
    let cases: &[(&[&str], &str)] = &[
        (&[], "a match needs at least two engines, not 0"),
        (&["--engine", &a, "--engine", &a, "--each", "st=1"], "two engines are named 'A'"),
        (&["--engine", &a, "--engine", &b], "A: no limit is set"),
        (&["--engine", &a, "--engine", &b, "--each", "st=1", "--openings", "no.epd"], "no.epd: cannot read the file"),
        (&["--engine", &a, "--engine", &b, "--each", "st=1", "--record", "x.kif"], "a chess format (pgn)"),
        (
            &["--engine", &a, "--engine", &b, "--each", "st=1", "--tb", "/none"],
            "--tb: cannot use Syzygy tables in '/none'",
        ),
        (&["--engine", &a, "--engine", &b, "--each", "st=1", "--sprt", "elo0=9"], "--sprt: expected elo0 below elo1"),
        (&["--engine", &a, "--engine", &b, "--each", "byoyomi=1"], "byoyomi exists only in USI games"),
        (&["--engine", "words without sense"], "--engine: expected words"),
        (&["--resume", "none.jsonl"], "none.jsonl"),
        (
            &["--engine", &a, "--engine", &b, "--engine", "cmd=c", "--each", "st=1", "--tournament", "pair"],
            "--tournament pair: needs two engines, not 3",
        ),
    ];
    for (arguments, word) in cases {
        let output = contest.run(arguments);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.lines().count() == 1 && text.contains(word), "{arguments:?}: {text}");
    }
}
