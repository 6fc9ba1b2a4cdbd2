//! Tests chess problems whose keys (first moves) are quiet. The positions and keys were found by a simple search with
//! python-chess; each problem has a single key.

use super::solve::Folder;
use serde_json::Value;

/// The FEN, the number of moves to mate, and the key of each problem.
const PROBLEMS: [(&str, u64, &str); 11] = [
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
    ("4R3/8/4R3/2k5/4K3/8/8/7N w - - 0 1", 2, "e8b8"),
    ("N7/6R1/8/1K6/3k4/6R1/8/8 w - - 0 1", 2, "g7e7"),
    ("B3K3/8/3R4/6p1/6p1/1N6/8/1k6 w - - 0 1", 2, "d6d2"),
    ("8/8/k7/2K5/Np1R4/2p5/8/7B w - - 0 1", 2, "d4d8"),
    ("k7/6N1/3K4/8/1Q6/8/7p/8 w - - 0 1", 2, "d6c7"),
    ("8/3K4/8/2k5/8/8/1R6/1Q6 w - - 0 1", 2, "b2b4"),
    ("QR6/8/7K/5k2/8/8/8/8 w - - 0 1", 3, "b8e8"),
    ("4k3/7K/8/6R1/8/8/8/4N2R w - - 0 1", 3, "g5g7"),
    ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1, "d1d8"),
    ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1", 2, "b3b8"),
];

fn list() -> String {
    PROBLEMS.map(|(fen, moves, key)| format!("{fen}\t{key}\t{}\n", 2 * moves - 1)).concat()
}

fn solved(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let printed =
        folder.stdout_of(0, &[&["solve", "list.tsv", "--json", "--hash", "16", "--expect"], arguments].concat());
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn quiet_keys_are_found_and_verified() {
    let folder = Folder::new();
    folder.file("list.tsv", list());
    for found in solved(&folder, &["--nodes", "3000000"]) {
        assert_eq!(found["answer"], "mate", "{found}");
    }
    let shortest = solved(&folder, &["--nodes", "3000000", "--shortest"]);
    for (found, (fen, moves, key)) in shortest.iter().zip(PROBLEMS) {
        assert_eq!(
            (&found["plies"], &found["moves"][0]),
            (&Value::from(2 * moves - 1), &Value::from(key)),
            "{fen}: {found}"
        );
    }
    let lines = shortest.iter().map(|found| format!("{found}\n")).collect::<String>();
    folder.file("solved", lines);
    assert!(folder.stdout_of(0, &["verify", "list.tsv", "solved"]).ends_with("# right 11, wrong 0, open 0\n"));
    let printed = folder.stdout_of(1, &["verify", "list.tsv", "solved", "--checks"]);
    assert!(printed.starts_with("a1a6\twrong\tply 1: expected a check, found 'a1a6'\n"), "{printed}");
}

#[test]
fn by_checks_only_there_is_no_mate_or_a_different_one() {
    let folder = Folder::new();
    let [morphy, back_rank] = [PROBLEMS[0].0, PROBLEMS[9].0];
    folder.file("list.tsv", format!("{morphy}\tmorphy\t-\n{back_rank}\tback rank\t1\n"));
    let found = solved(&folder, &["--set", "checks"]);
    assert_eq!((&found[0]["answer"], &found[1]["answer"]), (&Value::from("nomate"), &Value::from("mate")));
}
