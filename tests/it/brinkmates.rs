//! Tests `hasami brinkmate` from the command line.

use crate::solve::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;

const THREE: &str = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1";
const ONE: &str = "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b S2rb4g3s3n3l15p 1";
const MATE: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
const NONE: &str = "4k4/9/9/9/9/9/9/9/9 b P 1";

fn known() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/brinkmates/known.tsv")).unwrap()
}

fn objects(printed: &str) -> Vec<Value> {
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn known_problems_are_answered_as_recorded() {
    let folder = Folder::new();
    folder.file("known.tsv", known());
    let printed = folder.stdout_of(0, &["brinkmate", "known.tsv", "--shortest", "--expect", "--nodes", "20000000"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 12, "there are no remarks about differences: {printed}");
    assert!(
        lines[0].starts_with("suisho_bm_readme\tbrinkmate\t3\t") && lines[0].ends_with("\tS*2c 2b1c 2c3d+"),
        "{printed}"
    );
    assert!(
        lines[11].starts_with("# 11 problems: 11 with a brinkmate, 0 with a mate, 0 with neither, 0 unknown; "),
        "{printed}"
    );
}

#[test]
fn every_kind_of_answer_has_a_certificate() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{THREE}\tthree\t3\n{ONE}\tone\t1\n{MATE}\tmate\n{NONE}\tnone\t-\n"));
    let printed = folder
        .stdout_of(0, &["brinkmate", "list.tsv", "--json", "--certificate", "proofs/", "--expect", "--svg", "svg"]);
    let answers = objects(&printed);
    let words: Vec<&str> = answers.iter().map(|printed| printed["answer"].as_str().unwrap()).collect();
    assert_eq!(words, ["brinkmate", "brinkmate", "mate", "none"]);
    assert!(answers.iter().all(|printed| printed["proved"] == true), "{printed}");
    let plies: Vec<Option<u64>> = answers.iter().map(|printed| printed["plies"].as_u64()).collect();
    assert_eq!(plies, [Some(3), Some(1), Some(1), None]);
    let mut files = vec!["verify", "--certificate"];
    files.extend(answers.iter().map(|printed| printed["certificate"].as_str().unwrap()));
    assert!(folder.stdout_of(0, &files).ends_with("# right 4, wrong 0\n"));
    for (name, text) in
        [("three.svg", "a brinkmate in 3 plies"), ("three-proof.svg", "△１三玉"), ("none.svg", "no brinkmate")]
    {
        let picture = fs::read_to_string(folder.path("svg").join(name)).unwrap();
        assert!(picture.contains(text), "{name}");
    }
}

#[test]
fn a_limit_of_plies_is_part_of_the_answer() {
    let folder = Folder::new();
    let within = ["brinkmate", "--sfen", THREE, "--plies", "1", "--json", "--certificate", "no.cert"];
    let found = &objects(&folder.stdout_of(0, &within))[0];
    assert_eq!((found["answer"].as_str(), found["within"].as_u64()), (Some("none"), Some(1)));
    let verified = folder.stdout_of(0, &["verify", "--certificate", "no.cert"]);
    assert!(verified.starts_with("no\tright\tno brinkmate within 1 ply, "), "{verified}");
    let printed = folder.stdout_of(1, &["brinkmate", "--sfen", THREE, "--nodes", "100"]);
    assert!(printed.starts_with("sfen\tunknown\t-\t"), "{printed}");
}

#[test]
fn a_brinkmate_is_reported_even_if_its_length_is_open() {
    let folder = Folder::new();
    let asked = ["brinkmate", "--sfen", THREE, "--shortest", "--nodes", "15000"];
    let printed = folder.stdout_of(1, &asked);
    assert!(printed.starts_with("sfen\tbrinkmate\t3\t"), "{printed}");
    assert!(
        printed.contains("# sfen: there may be a shorter solution: node limit of 15000 reached (--nodes)\n"),
        "{printed}"
    );
    let object = &objects(&folder.stdout_of(1, &[&asked[..], &["--json", "--certificate", "three.cert"]].concat()))[0];
    assert_eq!((object["proved"].as_bool(), object["may_be_shorter"].as_bool()), (Some(true), Some(true)), "{object}");
    assert!(object["below"].is_null(), "{object}");
    assert!(folder.stdout_of(0, &["verify", "--certificate", "three.cert"]).contains("a brinkmate within 3 plies"));
}

#[test]
fn several_processors_give_the_answers_of_one() {
    let folder = Folder::new();
    // The list contains all problems of `known.tsv` except the two that take the longest to solve.
    let is_quick = |line: &&str| !line.contains("hisshi1_003") && !line.contains("hisshi1_006");
    folder.file("known.tsv", known().lines().filter(is_quick).collect::<Vec<_>>().join("\n"));
    for processors in [["--threads", "2"], ["--set", "virtual=8"]] {
        let arguments =
            [&["brinkmate", "known.tsv", "--shortest", "--expect", "--nodes", "30000000"], &processors[..]].concat();
        let printed = folder.stdout_of(0, &arguments);
        assert!(printed.contains("# 9 problems: 9 with a brinkmate,"), "{processors:?}: {printed}");
    }
}

/// One certificate proves that a brinkmate of the reported length exists, and the other proves that there is no shorter
/// one.
#[test]
fn a_shortest_length_has_two_certificates() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{THREE}\tthree\t3\n{ONE}\tone\t1\n{NONE}\tnone\t-\n"));
    let arguments = ["brinkmate", "list.tsv", "--shortest", "--json", "--certificate", "proofs/"];
    let answers = objects(&folder.stdout_of(0, &arguments));
    let file = |index: usize, which: &str| answers[index][which].as_str();
    let below: Vec<_> = (0..3).map(|index| file(index, "below").map(Path::new)).collect();
    let names: Vec<_> = below.iter().map(|path| (*path)?.file_name()?.to_str()).collect();
    assert_eq!(names, [Some("three.below.cert"), Some("one.below.cert"), None]);
    let files =
        [file(0, "certificate"), file(0, "below"), file(1, "certificate"), file(1, "below")].map(Option::unwrap);
    let verified = folder.stdout_of(0, &[&["verify", "--certificate"], &files[..]].concat());
    let lines: Vec<&str> = verified.lines().collect();
    for (line, proved) in lines.iter().zip([
        "three\tright\ta brinkmate within 3 plies, ",
        "three.below\tright\tno brinkmate within 1 ply, ",
        "one\tright\ta brinkmate within 1 ply, ",
        "one.below\tright\tno mate, ",
    ]) {
        assert!(line.starts_with(proved), "{line}");
    }
    let printed = folder.stdout_of(0, &["brinkmate", "--sfen", ONE, "--shortest", "--certificate", "x.cert"]);
    assert!(printed.lines().next().unwrap().ends_with("\tx.cert\tx.below.cert"), "{printed}");
}

#[test]
fn a_unique_first_move_is_compared() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{THREE}\tx\t3\tfirst=S*2b\tunique=yes\n"));
    let printed = folder.stdout_of(1, &["brinkmate", "list.tsv", "--shortest", "--expect"]);
    assert!(printed.contains("# x: the first move is S*2c; only S*2b is correct\n"), "{printed}");
    folder.stdout_of(0, &["brinkmate", "list.tsv", "--shortest"]);
}

#[test]
fn taco_h_reports_that_it_proves_nothing() {
    let folder = Folder::new();
    for inner in ["id", "pds"] {
        let printed = folder.stdout_of(
            0,
            &["brinkmate", "--sfen", ONE, "--set", "taco-h", "--set", &format!("inner={inner}"), "--json"],
        );
        let found = &objects(&printed)[0];
        assert_eq!((found["answer"].as_str(), found["proved"].as_bool()), (Some("brinkmate"), Some(false)));
        assert!(found["inner"]["calls"].as_u64().unwrap() > 0, "{printed}");
        let printed =
            folder.stdout_of(0, &["brinkmate", "--sfen", MATE, "--set", "taco-h", "--set", &format!("inner={inner}")]);
        assert!(printed.starts_with("sfen\tmate\t1\t") && printed.contains("\tG*5b\n"), "{printed}");
    }
}

#[test]
fn invalid_arguments_are_rejected_in_one_line() {
    let folder = Folder::new();
    folder.file("two.tsv", format!("{THREE}\n{ONE}\n"));
    for (arguments, expected) in [
        (&["brinkmate"][..], "no problem is named; name FILE, -, --sfen or --fen"),
        (&["brinkmate", "--set", "fen=8/8/8/8/8/8/8/K6k w - - 0 1"], "chess has no brinkmates"),
        (&["brinkmate", "--sfen", THREE, "--plies", "2"], "expected an odd number of plies"),
        (
            &["brinkmate", "two.tsv", "--certificate", "x"],
            "--certificate: a file holds the proof of one problem, not of 2; a folder, as in proofs/, holds several",
        ),
        (&["brinkmate", "--sfen", THREE, "--set", "taco-h", "--shortest"], "cannot be used with"),
        (&["brinkmate", "--sfen", THREE, "--set", "taco-h", "--threads", "2"], "cannot be used with"),
        (
            &["brinkmate", "--sfen", THREE, "--set", "taco-h", "--set", "inner=id", "--set", "inner-nodes=5"],
            "--set inner-nodes needs --set inner=pds",
        ),
        (&["brinkmate", "--sfen", THREE, "--set", "inner=id"], "--set inner needs --set taco-h"),
        (&["brinkmate", "--sfen", THREE, "--set", "inner-nodes=5"], "--set inner-nodes needs --set taco-h"),
        (&["brinkmate", "--sfen", THREE, "--set", "virtual=2", "--threads", "2"], "cannot be used with"),
        (&["brinkmate", "--sfen", THREE, "--set", "step=5"], "unexpected argument '--step'"),
        (
            &["brinkmate", "--sfen", THREE, "--plies", "1", "--plies", "3"],
            "the argument '--plies <N>' cannot be used multiple times",
        ),
    ] {
        let complaint = folder.complaint(2, arguments);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
    }
}
