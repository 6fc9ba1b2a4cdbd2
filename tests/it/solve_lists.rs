//! Tests `hasami solve` with recorded solutions, and with positions in which the defender moves first.

use crate::solve::Folder;
use serde_json::Value;

const THREE: &str = "9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";

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

/// The list contains a position after the first check of a mate in three, one that is already mate, and one from which
/// the king escapes.
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
