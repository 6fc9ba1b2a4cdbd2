//! Tests of interrupted lists of problems, and of positions in which the side to be mated moves first.

use crate::solve::Folder;
use serde_json::Value;
use std::fs;

const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
const THREE: &str = "9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
const NONE: &str = "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1";
const HARD: &str = "9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1";

const ASKED: [&str; 8] = ["solve", "list.tsv", "--set", "any-set", "--nodes", "5000", "--hash", "1"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{GOLD}\tgold\t1\n{HARD}\thard\n{NONE}\tnone\t-\n{THREE}\tthree\t3\n"));
    folder
}

fn run(folder: &Folder, code: i32, more: &[&str]) -> String {
    folder.stdout_of(code, &[&ASKED[..], &["--results", "answers"], more].concat())
}

/// Returns the contents of a results file, without times.
fn answers(folder: &Folder) -> Vec<String> {
    let text = fs::read_to_string(folder.path("answers")).unwrap();
    let word = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        format!("{} {} {}", object["name"], object["answer"], object["nodes"])
    };
    let mut lines = text.lines();
    let question: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert!(question["command"].as_str().unwrap().starts_with("hasami solve --algorithm dfpn"), "{text}");
    lines.map(word).collect()
}

#[test]
fn a_killed_list_continues_where_it_stopped() {
    let folder = folder();
    let whole = run(&folder, 1, &[]);
    let (known, text) = (answers(&folder), fs::read_to_string(folder.path("answers")).unwrap());
    assert_eq!(known.len(), 4, "{text}");
    let sum = |printed: &str| printed.lines().last().unwrap().split(';').next().unwrap().to_owned();
    // The file is truncated as if the program had been killed between two answers, within an answer, or within the
    // first line.
    for length in [text.find("\n{").unwrap() + 1, text.find("\"hard\"").unwrap(), 5, text.len(), 0] {
        folder.file("answers", &text[..length]);
        let printed = run(&folder, 1, &["--resume"]);
        assert_eq!(answers(&folder), known, "cut at {length}");
        assert_eq!(sum(&printed), sum(&whole), "cut at {length}: {printed}");
        let solved_again = printed.lines().filter(|line| !line.starts_with('#')).count();
        let before = text[..length].matches("\n{").count() - usize::from(length > 5 && !text[..length].ends_with('\n'));
        assert_eq!(solved_again, 4 - before, "cut at {length}: {printed}");
        assert_eq!(printed.contains("answered before, in answers"), before > 0, "{printed}");
    }
    assert!(folder.stdout_of(0, &["verify", "list.tsv", "answers"]).contains("# right 3, wrong 0, open 1"));
}

#[test]
fn a_continued_list_writes_records_and_pictures_of_known_answers() {
    let folder = folder();
    run(&folder, 1, &[]);
    run(&folder, 1, &["--resume", "--kif-out", "kif", "--svg", "pictures"]);
    let names = |dir: &str| {
        let mut names: Vec<String> = fs::read_dir(folder.path(dir))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("kif"), ["gold.kif", "three.kif"]);
    assert_eq!(names("pictures"), ["gold.svg", "hard.svg", "none.svg", "three.svg"]);
    let again = folder.stdout_of(0, &["solve", "kif/three.kif", "--shortest"]);
    assert!(again.starts_with("three\tmate\t3\t"), "{again}");
}

#[test]
fn a_false_recorded_solution_is_reported() {
    let folder = Folder::new();
    let two = "4k4/9/4P4/9/9/9/9/9/9 b 2GP 1";
    folder.file(
        "list.tsv",
        format!(
            "{two}\tright\t▲５二金\n{two}\tquiet\t▲６九金\n{two}\tillegal\t▲６九銀\n{two}\tnifu\t▲５九歩\n{two}\tlong\t▲６二金△４一玉▲４九金\n"
        ),
    );
    folder.stdout_of(0, &["solve", "list.tsv"]);
    let printed = folder.stdout_of(1, &["solve", "list.tsv", "--expect"]);
    let remarks: Vec<&str> = printed.lines().filter(|line| line.starts_with("# ")).collect();
    let expected = [
        "# quiet: the recorded solution is wrong: ply 1: expected a check, found '▲６九金'",
        "# illegal: the recorded solution is wrong: ply 1: expected a legal move, found '▲６九銀'",
        "# nifu: the recorded solution is wrong: ply 1: expected a legal move, found '▲５九歩' (nifu: a second pawn of that side on the file)",
        "# long: the recorded solution is wrong: ply 3: expected a check, found '▲４九金'",
    ];
    assert_eq!(remarks[..4], expected, "{printed}");
}

#[test]
fn results_of_other_runs_are_not_continued() {
    let folder = folder();
    run(&folder, 1, &[]);
    let complaint =
        |arguments: &[&str]| folder.complaint(2, &[&ASKED[..], &["--results", "answers"], arguments].concat());
    assert!(complaint(&[]).contains("expected a new file (or --resume), found 'answers'"));
    assert!(
        complaint(&["--shortest", "--resume"])
            .contains("answers:1: expected '{\"command\":\"hasami solve --algorithm dfpn --shortest")
    );
    folder.file("list.tsv", format!("{THREE}\tthree\n{GOLD}\tgold\n"));
    assert!(complaint(&["--resume"]).contains("answers:2: expected the answer to 'three', found that to 'gold'"));
    let lonely = folder.complaint(2, &["solve", "list.tsv", "--resume"]);
    assert!(lonely.contains("--results"), "{lonely}");
}

/// The positions are one after the first check of a mate in three, and one from which the king escapes.
#[test]
fn the_side_to_be_mated_may_move_first() {
    let folder = Folder::new();
    let three = folder.stdout_of(0, &["solve", "--sfen", THREE, "--shortest"]);
    let first = three.split('\t').nth(5).unwrap().split(' ').next().unwrap();
    let after = format!("position sfen {THREE} moves {first}");
    folder.file(
        "list.tsv",
        format!("{after}\tlost\t2\n4k4/4G4/4P4/9/9/9/9/9/9 w - 1\tmated\n4k4/9/9/9/9/9/9/9/4K4 w - 1\tfree\t-\n"),
    );
    let asked =
        ["solve", "list.tsv", "--defender-first", "--shortest", "--expect", "--svg", "pictures", "--kif-out", "kif"];
    let printed = folder.stdout_of(0, &asked);
    let rows: Vec<Vec<&str>> = printed.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!((rows[0][1], rows[0][2], rows[1][1..3].to_vec()), ("mate", "2", vec!["mate", "0"]), "{printed}");
    assert!(printed.contains("free\tnomate\t-\t") && printed.contains("# free: after "), "{printed}");
    assert!(folder.path("pictures/lost-proof.svg").exists() && folder.path("kif/lost.kif").exists());
    folder.file("answers", &printed);
    let verified = folder.stdout_of(0, &["verify", "list.tsv", "answers", "--defender-first"]);
    assert!(verified.contains("# right 3, wrong 0, open 0"), "{verified}");
    assert!(folder.stdout_of(1, &["verify", "list.tsv", "answers"]).contains("lost\twrong\t"));
    let json = folder.stdout_of(0, &[&asked[..4], &["--json"]].concat());
    let objects: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(objects[0]["defences"].as_array().is_some_and(|all| !all.is_empty() && all[0]["plies"] == 1), "{json}");
    assert!(objects[2]["escape"].is_string(), "{json}");
}
