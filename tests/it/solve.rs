//! Tests `hasami solve` and `hasami verify` from the command line.

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Positions with a mate in one (`GOLD`), with a mate in three, and without a mate. Solving the fourth position
/// (`HARD`) would take longer than any test.
const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
const THREE: &str = "9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
const NONE: &str = "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1";
const HARD: &str = "9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1";
/// Shogi Muso 11 (Ito Sokan, 1734), which takes about 400,000 nodes to solve.
const SLOW: &str = "1s2g4/Pk2p4/n1p1n4/BP1s5/2P1Ps3/1g2Br3/G8/2N6/1L7 b S3Prgn3l9p 1";
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hasami"));
        command.args(arguments).current_dir(self.0.path()).env("LC_ALL", "C");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs the program, which must exit with `code`, and returns its output.
    pub fn stdout_of(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the program and returns the line that it prints on stderr.
    pub fn complaint(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text.lines().count()), (Some(code), 1), "{arguments:?}: {text}");
        text
    }
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_list_is_solved_line_by_line() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("# comment\n{GOLD}\tgold\t1\n{THREE}\tthree\t3\n{NONE}\tnone\t-\n{GOLD}\n"));
    let printed = folder.stdout_of(0, &["solve", "list.tsv", "--hash", "1", "--expect"]);
    let rows: Vec<Vec<&str>> = printed.lines().map(|line| line.split('\t').collect()).collect();
    let begins: Vec<&[&str]> = rows[..4].iter().map(|row| &row[..3]).collect();
    let expected = [["gold", "mate", "1"], ["three", "mate", "3"], ["none", "nomate", "-"], ["list:5", "mate", "1"]];
    assert_eq!(begins, expected, "{printed}");
    assert_eq!((rows[0].len(), rows[0][5], rows[2][5]), (6, "G*5b", "-"), "{printed}");
    assert!(rows[0][3].parse::<u64>().unwrap() > 0 && rows[0][4].parse::<f64>().unwrap() > 0.0, "{printed}");
    assert!(
        printed.lines().last().unwrap().starts_with("# 4 problems: 3 with a mate, 1 without a mate, 0 unknown; "),
        "{printed}"
    );
    assert_eq!(printed.lines().count(), 5, "{printed}");
}

/// A rook mates; interposing either of two pawns in hand is futile.
#[test]
fn futile_interpositions_do_not_count_in_problems() {
    let folder = Folder::new();
    folder.file("list.tsv", "8k/9/6NG1/9/9/9/R8/9/9 b 2p 1\tx\t1\n");
    let solve = |arguments: &[&str]| {
        folder.stdout_of(0, &[&["solve", "list.tsv", "--hash", "1", "--expect"], arguments].concat())
    };
    let strict = solve(&["--shortest"]);
    assert!(strict.starts_with("x\tmate\t5\t") && strict.contains("found a mate in 5 plies"), "{strict}");
    for shortest in [&[][..], &["--shortest"]] {
        let printed = solve(&[&["--rules", "tsume"], shortest].concat());
        assert!(printed.starts_with("x\tmate\t1\t") && !printed.contains("expected"), "{printed}");
        folder.file("solved", printed);
        let printed = folder.stdout_of(0, &["verify", "list.tsv", "solved", "--rules", "tsume"]);
        assert!(printed.starts_with("x\tright\ta mate in 1 ply\n"), "{printed}");
        let strict = folder.stdout_of(1, &["verify", "list.tsv", "solved"]);
        assert!(strict.starts_with("x\twrong\tply 1: expected mate at the end, found "), "{strict}");
        assert!(strict.contains("; right with --rules tsume, "), "{strict}");
    }
}

/// The list includes positions with several mating moves, with one, and with none.
#[test]
fn other_solutions_and_pieces_left_are_shown() {
    let folder = Folder::new();
    folder.file(
        "list.tsv",
        format!("4k4/9/4P4/9/9/9/9/9/9 b 2G2P 1\tgolds\n{GOLD}\tgold\n{NONE}\tnone\n{THREE}\tthree\n"),
    );
    let arguments = ["solve", "list.tsv", "--hash", "1", "--shortest", "--all", "--pieces-left"];
    let printed = folder.stdout_of(0, &arguments);
    let notes: Vec<&str> = printed.lines().filter(|line| line.starts_with("# ") && line.contains(": ")).collect();
    assert!(
        notes.contains(&"# gold: no other move mates") && notes.contains(&"# gold: left in hand: nothing"),
        "{printed}"
    );
    assert!(notes.contains(&"# golds: left in hand: 金 歩2") && !printed.contains("# none:"), "{printed}");
    let objects: Vec<Value> = folder
        .stdout_of(0, &[&arguments[..], &["--json"]].concat())
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects[1]["others"], serde_json::json!([]));
    assert_eq!(objects[0]["left"], serde_json::json!({"金": 1, "歩": 2}));
    assert!(objects[2].get("left").is_none() && objects[2]["others"] == serde_json::json!([]), "{objects:?}");
    let three = objects[3]["others"].as_array().unwrap();
    let sentences = notes.iter().filter(|note| note.starts_with("# three: ply ")).count();
    assert!(!three.is_empty() && three.len() == sentences, "{printed}");
    for other in three {
        assert!(other["answer"] == "mate" && other["plies"].as_u64().is_some() && other["move"].is_string(), "{other}");
    }
}

#[test]
fn the_output_does_not_depend_on_the_number_of_jobs() {
    let folder = Folder::new();
    let list = format!("{HARD}\thard\n{GOLD}\tgold\n{THREE}\tthree\n{NONE}\tnone\n{HARD}\n{GOLD}\n");
    folder.file("list.tsv", list);
    let printed = |jobs| {
        let printed = folder.stdout_of(1, &["solve", "list.tsv", "--hash", "4", "--nodes", "3000", "--jobs", jobs]);
        let without_time = |row: &str| {
            row.split('\t')
                .enumerate()
                .filter(|(i, _)| *i != 4)
                .map(|(_, field)| format!("{field} "))
                .collect::<String>()
        };
        printed.lines().map(|row| without_time(row.split(" nodes in ").next().unwrap())).collect::<Vec<_>>()
    };
    let one = printed("1");
    assert_eq!(one.len(), 9, "{one:?}");
    for threads in ["2", "4"] {
        assert_eq!(printed(threads), one, "{threads} threads");
    }
}

/// The position comes from a game and has a mate in three, but also many longer mates.
#[test]
fn every_solver_can_find_a_shortest_mate() {
    let folder = Folder::new();
    let position = "lR5nl/5k1b1/2gp3p1/2s1p1P2/p4N2p/P3PpR2/1PPP1P2P/2G1K2s1/LN6L b GSN2Pbgs2p 83";
    let plies = |arguments: &[&str]| {
        let printed = folder.stdout_of(0, &[&["solve", "--sfen", position, "--hash", "1"], arguments].concat());
        let row: Vec<&str> = printed.lines().next().unwrap().split('\t').collect();
        (row[1].to_owned(), row[2].parse::<u32>().unwrap())
    };
    for name in ["dfpn", "pds", "id"] {
        assert_eq!(plies(&["--algorithm", name, "--shortest"]), ("mate".to_owned(), 3), "{name}");
    }
    assert_eq!(plies(&["--algorithm", "id"]).1, 3, "iterative deepening finds a shortest mate anyway");
    assert!(plies(&[]).1 > 3, "the first mate found is longer");
}

#[test]
fn json_objects_are_alone_on_stdout() {
    let folder = Folder::new();
    folder.file("chess.tsv", format!("{BACK_RANK}\tback rank\t1\n{START}\tstart\t-\n"));
    let output = folder.run(&["solve", "--json", "chess.tsv", "--expect", "--set", "checks"]);
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let found: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), 2, "{printed}");
    let fields = ["name", "sfen", "answer", "plies", "moves", "nodes", "ms"];
    assert!(fields.iter().all(|field| found[0].get(field).is_some()), "{printed}");
    assert_eq!(found[0]["sfen"], BACK_RANK);
    assert_eq!((&found[0]["moves"], &found[0]["plies"]), (&serde_json::json!(["d1d8"]), &serde_json::json!(1)));
    assert_eq!((&found[1]["answer"], &found[1]["plies"]), (&serde_json::json!("nomate"), &Value::Null));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("2 problems: "));
}

#[test]
fn positions_come_from_arguments_stdin_and_records() {
    let folder = Folder::new();
    let printed = folder.stdout_of(0, &["solve", "--sfen", GOLD, "--sfen", THREE]);
    assert!(printed.starts_with("sfen:1\tmate\t1\t") && printed.contains("\nsfen:2\tmate\t3\t"), "{printed}");
    let chess = folder.stdout_of(0, &["solve", "--fen", BACK_RANK]);
    assert!(chess.starts_with("fen\tmate\t1\t") && chess.contains("\td1d8\n"), "{chess}");
    let mut child = folder.command(&["solve", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{GOLD}\r\n").as_bytes()).unwrap();
    let printed = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(printed.starts_with("stdin:1\tmate\t1\t"), "{printed}");
    // The program must be able to read its own files, both in UTF-8 and in Shift JIS.
    folder.stdout_of(0, &["solve", "--sfen", GOLD, "--kif-out", "kif"]);
    let sjis = fs::read(folder.path("kif/sfen.kif")).unwrap();
    let kif = encoding_rs::SHIFT_JIS.decode_without_bom_handling_and_without_replacement(&sjis).unwrap();
    assert!(kif.contains("５二金打") && kif.contains("詰み"), "{kif}");
    folder.file("utf8.kif", kif.as_bytes());
    let csa = "V2.2\nP-51OU\nP+53FU00KI\n+\n+0052KI\n%TSUMI\n";
    folder.file("x.csa", csa);
    let printed = folder.stdout_of(0, &["solve", "kif/sfen.kif", "utf8.kif", "x.csa"]);
    let names: Vec<&str> = printed.lines().map(|line| line.split("\tmate\t1\t").next().unwrap()).collect();
    assert_eq!(names[..3], ["sfen", "utf8", "x"], "{printed}");
}

#[test]
fn pictures_and_records_have_one_file_per_problem() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{GOLD}\ta/b\n{THREE}\tthree\n{NONE}\tnone\n"));
    folder.stdout_of(0, &["solve", "list.tsv", "--svg", "deep/svg", "--kif-out", "kif"]);
    assert_eq!(
        files(&folder.path("deep/svg")),
        ["a_b-proof.svg", "a_b.svg", "none.svg", "three-proof.svg", "three.svg"]
    );
    assert_eq!(files(&folder.path("kif")), ["a_b.kif", "three.kif"], "there is no record without a solution");
    let picture = fs::read_to_string(folder.path("deep/svg/a_b.svg")).unwrap();
    for part in ["a/b", "1. ▲５二金", "a mate in 1 ply; "] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    let proof = |moves: &str| {
        folder.stdout_of(0, &["solve", "--sfen", THREE, "--svg", moves, "--set", &format!("proof-moves={moves}")]);
        fs::read_to_string(folder.path(moves).join("sfen-proof.svg")).unwrap()
    };
    let (one, many) = (proof("1"), proof("30"));
    assert!(one.contains("sfen: a mate in 3 plies") && one.contains("mate in 1") && !one.contains("mate\n"), "{one}");
    assert!(many.matches("<rect").count() > one.matches("<rect").count() && many.contains("mate\n"), "{many}");
}

#[test]
fn wrong_answers_fail_expect_and_lengths_are_remarked() {
    let folder = Folder::new();
    folder.file("longer.tsv", format!("{GOLD}\tgold\t3\n"));
    let printed = folder.stdout_of(0, &["solve", "longer.tsv", "--expect"]);
    assert!(printed.contains("\n# gold: expected a mate in 3 plies, found a mate in 1 ply\n"), "{printed}");
    assert!(!folder.stdout_of(0, &["solve", "longer.tsv"]).contains("expected"));
    folder.file("false.tsv", format!("{GOLD}\tgold\t-\n{NONE}\tnone\t5\n{THREE}\tthree\t3\n"));
    let complaint = folder.complaint(1, &["solve", "false.tsv", "--expect"]);
    assert_eq!(complaint, "hasami: --expect: wrong answers: 2\n");
    let printed = folder.stdout_of(1, &["solve", "false.tsv", "--expect"]);
    assert!(printed.contains("\n# none: expected a mate in 5 plies, found no mate\n"), "{printed}");
}

#[test]
fn a_limit_leaves_only_its_problem_open() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{HARD}\thard\t-\n{GOLD}\tgold\t1\n"));
    for limit in [["--nodes", "1000"], ["--time", "0.02"]] {
        let output = folder.run(&[&["solve", "list.tsv", "--hash", "1", "--expect"][..], &limit].concat());
        let (printed, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!((output.status.code(), said.as_str()), (Some(1), "hasami: 1 of 2 answers unknown\n"));
        let hard: Vec<&str> = printed.lines().next().unwrap().split('\t').collect();
        assert_eq!((hard[1], hard[2], hard[5]), ("unknown", "-", "-"), "{printed}");
        assert!(hard[3].parse::<u64>().unwrap() > 0, "{printed}");
        assert!(limit[0] == "--nodes" || hard[4].parse::<f64>().unwrap() >= 20.0, "{printed}");
        assert!(printed.contains("\ngold\tmate\t1\t"), "{printed}");
        let why = if limit[0] == "--nodes" {
            "node limit of 1000 reached (--nodes)"
        } else {
            "time limit of 0.02 s reached (--time)"
        };
        assert!(printed.contains(&format!("\n# hard: unknown: {why}\n")), "{printed}");
        let json = folder.stdout_of(1, &[&["solve", "list.tsv", "--hash", "1", "--json"][..], &limit].concat());
        let hard: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
        assert_eq!(hard["reason"].as_str(), Some(&limit[0][2..]), "{json}");
    }
}

#[test]
fn a_single_answer_is_reported_in_the_singular() {
    let complaint = Folder::new().complaint(1, &["solve", "--sfen", HARD, "--nodes", "1000", "--hash", "1"]);
    assert_eq!(complaint, "hasami: 1 of 1 answer unknown\n");
}

/// The answer and the summary must be printed even if a file cannot be written.
#[test]
fn an_unwritable_file_is_named_and_the_summary_is_printed() {
    let folder = Folder::new();
    // Writing must fail, because folders with the names of the files already exist.
    fs::create_dir_all(folder.path("pictures/sfen.svg")).unwrap();
    fs::create_dir_all(folder.path("records/sfen.kif")).unwrap();
    let mut cases = vec![
        (["solve", "--sfen", GOLD, "--svg", "pictures"], "--svg", "pictures"),
        (["solve", "--sfen", GOLD, "--kif-out", "records"], "--kif-out", "records"),
    ];
    if cfg!(target_os = "linux") {
        cases.push((["solve", "--sfen", GOLD, "--set", "trace=/dev/full"], "--set trace", "/dev/full"));
    }
    for (arguments, option, file) in cases {
        let more: &[&str] = if option == "--set trace" { &["--algorithm", "cells", "--virtual", "4"] } else { &[] };
        let output = folder.run(&[&arguments[..], more].concat());
        let (printed, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {printed}{said}");
        assert!(said.starts_with(&format!("hasami: {option}: cannot write '{file}")), "{said}");
        let lines: Vec<&str> = printed.lines().collect();
        assert!(lines[0].contains("mate\t"), "{printed}");
        assert!(lines[1..].iter().any(|line| line.starts_with("# 1 problem: ")), "{printed}");
    }
}

/// All algorithms that support `--rules tsume` must give the same answer.
#[test]
fn every_search_with_rules_tsume_gives_the_same_length() {
    let (folder, position) = (Folder::new(), "8k/9/6NG1/9/9/9/R8/9/9 b 2p 1");
    for algorithm in
        [&["dfpn"][..], &["pds"], &["aohpas"], &["aohpas", "--virtual", "3"], &["parallel", "--virtual", "3"]]
    {
        let arguments = ["solve", "--sfen", position, "--shortest", "--rules", "tsume", "--hash", "8", "--algorithm"];
        let printed = folder.stdout_of(0, &[&arguments[..], algorithm].concat());
        assert!(printed.starts_with("sfen\tmate\t1\t"), "{algorithm:?}: {printed}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_its_summary() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{GOLD}\tgold\n{HARD}\thard\n{HARD}\tother\n{GOLD}\tlast\n"));
    for jobs in [1, 2] {
        interrupt(&folder, jobs);
    }
}

/// Interrupts the program with Ctrl-C while it is solving a hard problem, and checks that it begins no other problem.
#[cfg(unix)]
fn interrupt(folder: &Folder, jobs: usize) {
    let arguments = ["solve", "list.tsv", "--hash", "2", "--time", "3600", "--jobs", &jobs.to_string()];
    let mut child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut printed = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    printed.read_line(&mut line).unwrap();
    assert!(line.starts_with("gold\tmate\t"), "{line}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    printed.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(rest.starts_with("hard\tunknown\t") && rest.contains("\n# hard: unknown: Ctrl-C\n"), "{rest}");
    // If there are two jobs, the one that solved the first problem may or may not have begun another problem.
    let both = rest.contains("other\tunknown\t");
    assert!(
        rest.contains(if both { "\n# 3 problems: 1 with a mate, " } else { "\n# 2 problems: 1 with a mate, " }),
        "{rest}"
    );
    assert!(jobs == 2 || !both, "{rest}");
    let complaint = format!("hasami: Ctrl-C after {} of 4 answers\n", if both { 3 } else { 2 });
    assert_eq!(String::from_utf8(output.stderr).unwrap(), complaint);
}

#[test]
fn the_remaining_pieces_go_to_the_defenders_hand() {
    let folder = Folder::new();
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    let diagram = |black: &str, white: &str| {
        let king = "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n";
        let pawn = "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n";
        format!("後手の持駒：{white}\n{king}{empty}{pawn}{}先手の持駒：{black}\n手数＝0  まで\n", empty.repeat(6))
    };
    folder.file("rest.kif", diagram("金", "残り全部"));
    folder.file("rest.csa", "P-51OU\nP+53FU00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n");
    // The moves in the record of a problem are ignored, so they may be illegal.
    folder.file("odd.kif", diagram("金", "残り") + "   1 ９九角打\n   2 ９九角打\n");
    let position = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    for file in ["rest.kif", "rest.csa", "odd.kif"] {
        let output = folder.run(&["solve", file, "--json"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let found: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(found["sfen"], position, "{file}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("warning"), "{file}");
    }
    folder.file("junk.kif", diagram("金", "なにか"));
    let complaint = folder.complaint(2, &["solve", "junk.kif"]);
    assert!(complaint.contains("line 1: expected a line of a record, found '後手の持駒：なにか'"), "{complaint}");
}

#[test]
fn invalid_input_gives_one_line_with_its_place() {
    let folder = Folder::new();
    folder.file("bad.tsv", format!("{GOLD}\tgold\t1\n\n4k4/9/9 b - 1\tshort\n"));
    folder.file("length.tsv", format!("{GOLD}\tgold\tlong\n"));
    folder.file("empty.tsv", "# nothing\n");
    folder.file("no.kif", "hello\n");
    folder.file("nothing.kif", "# nothing\n");
    folder.file("file", "");
    let cases: &[(&[&str], &str)] = &[
        (&["solve"], "no problem is named; name FILE, -, --sfen or --fen"),
        (&["solve", "missing.tsv"], "missing.tsv: cannot read the file: "),
        (&["solve", "bad.tsv"], "bad.tsv:3: expected a shogi position in SFEN, found '4k4/9/9 b - 1' ("),
        (
            &["solve", "length.tsv"],
            "length.tsv:1: expected a length in plies, or - for none, or a solution, found 'long'",
        ),
        (&["solve", "empty.tsv"], "empty.tsv: the file has no problems"),
        (&["solve", "--game", "chess", "--sfen", GOLD], "--sfen: expected a chess position in FEN, found"),
        (&["solve", "--fen", "rubbish"], "--fen: expected a chess position in FEN, found 'rubbish'"),
        (&["solve", "--sfen", GOLD, "--algorithm", "guess"], "invalid value 'guess' for '--algorithm <NAME>'"),
        (
            &["solve", "--sfen", GOLD, "--rules", "tsume", "--algorithm", "id"],
            "--rules tsume needs --algorithm dfpn, parallel, aohpas or pds, not id",
        ),
        (
            &["solve", "--sfen", GOLD, "--rules", "tsume", "--algorithm", "levels"],
            "--rules tsume needs --algorithm dfpn, parallel, aohpas or pds, not levels",
        ),
        (
            &["solve", "--sfen", GOLD, "--all", "--algorithm", "id"],
            "--all needs --algorithm dfpn, parallel, aohpas, pds or levels, not id",
        ),
        (&["solve", "--sfen", GOLD, "--threads", "0"], "expected a number of threads from 1 to 1024"),
        (
            &["solve", "--sfen", GOLD, "--jobs", "4", "--hash", "3"],
            "--hash: 3 MiB is too little for 4 jobs; each needs 1 MiB",
        ),
        (&["solve", "--sfen", GOLD, "--jobs", "0"], "expected a number of problems from 1 to 1024"),
        (
            &["solve", "--sfen", GOLD, "--algorithm", "pds", "--threads", "2"],
            "--threads needs --algorithm parallel, aohpas, cells or levels, not pds",
        ),
        (&["solve", "--sfen", GOLD, "--set", "step=0"], "expected a number from 1 to 4294967295"),
        (&["solve", "--sfen", GOLD, "--set", "turn=5"], "--set turn needs --virtual"),
        (&["solve", "--sfen", GOLD, "--threads", "2", "--set", "seed=5"], "--set seed needs --virtual"),
        (&["brinkmate", "--sfen", GOLD, "--set", "seed=5"], "--set seed needs --virtual"),
        (&["solve", "--sfen", GOLD, "--set", "seed=x"], "expected a number from 0 to 18446744073709551615"),
        (&["solve", "--sfen", GOLD, "--set", "step=3"], "--set step needs --algorithm aohpas, not dfpn"),
        (
            &["solve", "--sfen", GOLD, "--set", "core=pds", "--threads", "2"],
            "--set core needs --algorithm aohpas, not parallel",
        ),
        (&["solve", "--sfen", GOLD, "--set", "proof-moves=9"], "--set proof-moves needs --svg"),
        (
            &["solve", "--sfen", GOLD, "--set", "proof-moves=9", "--svg", "pictures", "--algorithm", "levels"],
            "--set proof-moves needs --algorithm dfpn, parallel, aohpas or pds, not levels",
        ),
        (&["solve", "--sfen", GOLD, "--virtual", "0"], "expected a number of processors from 1 to 10000"),
        (&["solve", "--sfen", GOLD, "--rules", "guess"], "invalid value 'guess' for '--rules <RULES>'"),
        (&["solve", "--sfen", GOLD, "--hash", "0"], "expected a number of MiB from 1 to 1048576"),
        (&["solve", "--sfen", GOLD, "--time", "0"], "expected seconds above 0"),
        (&["solve", "--sfen", GOLD, "--svg", "file"], "--svg: cannot make the folder 'file': "),
        (&["solve", "--fen", BACK_RANK, "--kif-out", "x"], "--kif-out: chess has no KIF records"),
        (&["solve", "no.kif"], "no.kif: line 1: expected a line of a record, found 'hello'"),
        (&["solve", "nothing.kif"], "nothing.kif: the file has no position and no moves"),
        (&["verify", "bad.tsv", "bad.tsv"], "SOLUTIONS: is the same file as PROBLEMS"),
        (&["verify", "length.tsv", "file"], "length.tsv:1: expected a length in plies"),
        (&["verify", "bad.tsv"], "PROBLEMS is a list, which needs SOLUTIONS beside it"),
    ];
    for (arguments, expected) in cases {
        let complaint = folder.complaint(2, arguments);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
}

#[test]
fn our_own_solutions_are_right() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{GOLD}\tgold\t1\n{THREE}\tthree\t5\n{NONE}\tnone\t-\n{NONE}\tnever\n"));
    let expected = "gold\tright\ta mate in 1 ply\n\
        three\tright\ta mate in 3 plies, recorded a mate in 5 plies\n\
        none\tright\tno mate, as recorded\n\
        never\topen\tno mate, which a line of moves cannot prove\n\
        # right 3, wrong 0, open 1\n";
    for how in [&["solve", "list.tsv"][..], &["solve", "list.tsv", "--json"]] {
        folder.file("solved", folder.stdout_of(0, how));
        assert_eq!(folder.stdout_of(0, &["verify", "list.tsv", "solved"]), expected);
    }
}

#[test]
fn wrong_solutions_are_reported_with_the_failing_ply() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{GOLD}\ta\n{GOLD}\tb\n{GOLD}\tc\n{GOLD}\td\n"));
    folder.file("names.txt", "d G*5b\na G*5c\nb G*6b\n");
    let printed = folder.stdout_of(1, &["verify", "list.tsv", "names.txt"]);
    assert!(
        printed.starts_with("a\twrong\tply 1: expected a legal move, found 'G*5c'\nb\twrong\tply 1: expected mate")
    );
    assert!(
        printed.ends_with("c\topen\tno solution\nd\tright\ta mate in 1 ply\n# right 1, wrong 2, open 1\n"),
        "{printed}"
    );
    let complaint = folder.complaint(1, &["verify", "list.tsv", "names.txt"]);
    assert_eq!(complaint, "hasami: wrong solutions: 2\n");
    folder.file("usi.log", "info string x\ncheckmate G*5b\ncheckmate G*5b 5a4a\n");
    let printed = folder.stdout_of(1, &["verify", "list.tsv", "usi.log"]);
    let second = "b\twrong\tply 2: expected no move after the end (checkmate), found '5a4a'\n";
    assert!(printed.starts_with(&format!("a\tright\ta mate in 1 ply\n{second}c\topen\tno solution\n")), "{printed}");
    folder.file("stranger.txt", "e G*5b\n");
    let complaint = folder.complaint(2, &["verify", "list.tsv", "stranger.txt"]);
    assert_eq!(complaint, "hasami: stranger.txt:1: expected the name of a problem, found 'e'\n");
    folder.file("chess.tsv", format!("{BACK_RANK}\tx\t1\n"));
    folder.file("chess.txt", "x Rd1d9\n");
    assert!(folder.stdout_of(1, &["verify", "chess.tsv", "chess.txt"]).starts_with("x\twrong\tply 1: expected a move"));
    folder.file("chess.txt", "x Rd8#\n");
    assert!(folder.stdout_of(0, &["verify", "chess.tsv", "chess.txt"]).starts_with("x\tright\ta mate in 1 ply\n"));
}

/// With two virtual processors, nodes and time must be the same in every run.
#[test]
fn virtual_processors_solve_the_same_and_are_reproducible() {
    let folder = Folder::new();
    let solve = |processors: &str, seed: &str| {
        let arguments = [
            "solve",
            "--sfen",
            SLOW,
            "--json",
            "--hash",
            "8",
            "--virtual",
            processors,
            "--set",
            &format!("seed={seed}"),
        ];
        let printed: serde_json::Value = serde_json::from_str(&folder.stdout_of(0, &arguments)).unwrap();
        assert_eq!(printed["answer"], "mate", "{printed}");
        printed
    };
    let (first, again) = (solve("3", "1"), solve("3", "1"));
    assert_eq!((&first["nodes"], &first["clock"]), (&again["nodes"], &again["clock"]));
    assert_eq!(first["processors"], 3);
    let (clock, nodes) = (first["clock"].as_u64().unwrap(), first["nodes"].as_u64().unwrap());
    assert!(clock < nodes && nodes < 4 * clock, "{first}");
    assert!(solve("1", "1")["clock"].is_null(), "one processor is no parallel search");
    let threads = folder.stdout_of(0, &["solve", "--sfen", SLOW, "--hash", "8", "--threads", "2"]);
    assert!(threads.contains("\tmate\t"), "{threads}");
}

/// In AOHPAS, one processor follows the smallest proof numbers, and the others begin with the largest.
#[test]
fn aohpas_solves_the_same_problems_and_is_reproducible_to_the_node() {
    let folder = Folder::new();
    let solve = |processors: &str, more: &[&str]| {
        let arguments = ["solve", "--sfen", THREE, "--json", "--hash", "1", "--algorithm", "aohpas"];
        let arguments = [&arguments[..], &["--virtual", processors], more].concat();
        let printed: serde_json::Value = serde_json::from_str(&folder.stdout_of(0, &arguments)).unwrap();
        assert_eq!(
            (&printed["answer"], printed["processors"].to_string().as_str()),
            (&"mate".into(), processors),
            "{printed}"
        );
        (printed["nodes"].as_u64().unwrap(), printed["clock"].as_u64().unwrap())
    };
    for core in ["pds", "dfpn"] {
        let (nodes, clock) = solve("1", &["--set", &format!("core={core}")]);
        assert_eq!(nodes, clock, "a single processor never waits");
        let (nodes, clock) = solve("4", &["--set", &format!("core={core}")]);
        assert!(nodes <= 4 * clock, "{core}: {nodes} nodes, clock {clock}");
        assert_eq!(solve("4", &["--set", &format!("core={core}")]), (nodes, clock), "{core}");
    }
    let (nodes, clock) = solve("4", &["--set", "core=pds", "--set", "step=5"]);
    assert!(clock < nodes, "{nodes} nodes, clock {clock}: the processors did not work simultaneously");
    assert_eq!(solve("4", &[]), (nodes, clock));
    assert_ne!(solve("4", &[]), solve("4", &["--set", "step=1"]));
}
