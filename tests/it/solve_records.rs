//! Tests the game records that `hasami solve` reads and writes.

use super::solve::Folder;
use encoding_rs::SHIFT_JIS;
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// A position with a mate in three by two golds, in which the king has two answers to the first check.
const THREE: &str = "9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";

/// Solves a position with `--kif-out` and returns the record, decoded from Shift JIS.
fn written(folder: &Folder, position: &str, arguments: &[&str]) -> String {
    folder.stdout_of(0, &[&["solve", "--sfen", position, "--hash", "1", "--kif-out", "kif"], arguments].concat());
    let bytes = fs::read(folder.path("kif/sfen.kif")).unwrap();
    SHIFT_JIS.decode_without_bom_handling_and_without_replacement(&bytes).unwrap().into_owned()
}

/// Returns the text of each variation of a record: its moves, its comment and how it ends.
fn variations(kif: &str) -> Vec<String> {
    let plain = |line: &str| line.split('(').next().unwrap_or_default().trim().to_owned();
    let block = |text: &str| text.lines().map(plain).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    kif.split("変化：").skip(1).filter(|text| text.starts_with(|c: char| c.is_ascii_digit())).map(block).collect()
}

/// Variations from later plies must come first, as in published solutions.
#[test]
fn records_have_the_variations_of_the_main_line() {
    let folder = Folder::new();
    let kif = written(&folder, THREE, &["--shortest", "--rules", "tsume"]);
    let found = variations(&kif);
    assert!(found.contains(&"2手 2 ２一玉 *変化同手数：まで3手で詰み 3 ２二金打 4 詰み".to_owned()), "{kif}");
    assert!(found.iter().any(|text| text.starts_with("1手 1 ") && text.contains("*紛れ：不詰")), "{kif}");
    let heads: Vec<&str> = found.iter().map(|text| text.split('手').next().unwrap()).collect();
    assert!(heads.is_sorted_by(|one, next| one >= next), "{kif}");
    let cooked = variations(&written(&folder, "9/8k/9/7PP/9/9/9/9/9 b 2G 1", &["--shortest", "--all"]));
    assert!(cooked.iter().any(|text| text.starts_with("1手 1 ２三金打 *余詰：3手以内で詰み")), "{cooked:?}");
    let read = folder.stdout_of(0, &["solve", "kif/sfen.kif", "--shortest"]);
    assert!(read.starts_with("sfen\tmate\t3\t"), "{read}");
}

/// The summary of a list must count the sound and the cooked problems.
#[test]
fn other_moves_have_the_classes_of_composers() {
    let folder = Folder::new();
    // The mating move of the first problem is possible with and without promotion, the second can be solved by a drop
    // at several distances, and the third has two keys.
    let list = "8k/7pp/9/9/9/9/9/9/6R2 b - 1\tpromotion\n8k/7pp/9/9/9/9/9/9/9 b R 1\tdistance\n\
        9/8k/9/7PP/9/9/9/9/9 b 2G 1\tcooked\n";
    folder.file("list.tsv", list);
    let arguments = ["solve", "list.tsv", "--hash", "1", "--rules", "tsume", "--shortest", "--all", "--json"];
    let output = folder.run(&arguments);
    let printed = String::from_utf8(output.stdout).unwrap();
    let kinds = |line: &str| {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        let kind = |other: &serde_json::Value| other["kind"].as_str().unwrap().to_owned();
        let mut kinds: Vec<String> = found["others"].as_array().unwrap().iter().map(kind).collect();
        kinds.dedup();
        kinds
    };
    let found: Vec<Vec<String>> = printed.lines().map(kinds).collect();
    assert_eq!(found, [vec!["promotion"], vec!["distance"], vec!["key", "last"]], "{printed}");
    let sum = String::from_utf8(output.stderr).unwrap();
    assert!(sum.contains(" unknown, 2 sound, 1 cooked, 0 with open moves; "), "{sum}");
}

/// Even outside the main line, a check that only futile drops can answer must count as mate.
#[test]
fn other_moves_mate_where_futile_drops_are_left() {
    let folder = Folder::new();
    let sfen = "8k/9/6NG1/9/9/9/R8/9/9 b 2p 1";
    let solve = ["solve", "--sfen", sfen, "--hash", "1", "--rules", "tsume", "--shortest", "--all", "--json"];
    let found: serde_json::Value = serde_json::from_str(&folder.stdout_of(0, &solve)).unwrap();
    let other = |other: &serde_json::Value| {
        (other["move"].as_str().unwrap().to_owned(), other["kind"].as_str().unwrap().to_owned(), other["plies"].clone())
    };
    let others: Vec<_> = found["others"].as_array().unwrap().iter().map(other).collect();
    let expected = [("9g1g", "key"), ("9g9a", "promotion")];
    assert_eq!(
        others,
        expected.map(|(mv, kind)| (mv.to_owned(), kind.to_owned(), serde_json::Value::from(1))),
        "{found}"
    );
}

/// The recorded solution of the first problem is longer than the shortest mate, and that of the second shorter.
#[test]
fn early_mates_and_longer_variations_are_reported_next_to_the_record() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{THREE}\tearly\t5\n{THREE}\tlonger\t1\n{THREE}\tsound\t3\n"));
    let solve = ["solve", "list.tsv", "--hash", "1", "--rules", "tsume", "--shortest", "--expect"];
    let printed = folder.stdout_of(0, &solve);
    for expected in [
        "# early: early mate (hayazume): a mate in 3 plies, recorded a mate in 5 plies: G*1c 1b1a G*1b\n",
        "# longer: variation longer than the record (hencho): a mate in 3 plies, recorded a mate in 1 ply: G*1c 1b1a G*1b\n",
    ] {
        assert!(printed.contains(expected), "{printed}");
    }
    assert!(!printed.contains("# sound"), "{printed}");
    let japanese = folder.stdout_of(0, &[&solve[..], &["--lang", "ja"]].concat());
    assert!(japanese.contains("# early: 早詰：記録は5手詰、3手詰がある：G*1c 1b1a G*1b\n"), "{japanese}");
    assert!(japanese.contains("# longer: 変長：記録は1手詰、玉方最長の応手では3手詰：G*1c 1b1a G*1b\n"), "{japanese}");
    let json = folder.stdout_of(0, &[&solve[..], &["--json"]].concat());
    let differs = |line: &str| {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        (found["differs"].as_str().map(str::to_owned), found["recorded"].as_u64())
    };
    let found: Vec<_> = json.lines().map(differs).collect();
    assert_eq!(found, [(Some("early".into()), Some(5)), (Some("longer".into()), Some(1)), (None, None)], "{json}");
}

/// The main line of a record counts as its solution only if it ends in mate.
#[test]
fn the_solution_of_a_record_is_compared_with_the_answer() {
    let folder = Folder::new();
    let strict = "8k/9/6NG1/9/9/9/R8/9/9 b 2p 1";
    let kif = written(&folder, strict, &["--shortest"]);
    let solve = ["solve", "kif/sfen.kif", "--hash", "1", "--shortest", "--expect"];
    assert!(!folder.stdout_of(0, &solve).contains("# sfen"), "{kif}");
    let printed = folder.stdout_of(0, &[&solve[..], &["--rules", "tsume"]].concat());
    assert!(
        printed.starts_with("sfen\tmate\t1\t") && !printed.contains("# sfen"),
        "its interpositions are futile: {printed}"
    );
    let cut: String =
        kif.lines().take_while(|line| !line.starts_with("   3 ")).map(|line| format!("{line}\n")).collect();
    assert!(cut.len() < kif.len(), "{kif}");
    folder.file("cut.kif", cut);
    let printed = folder.stdout_of(0, &["solve", "cut.kif", "--shortest", "--expect"]);
    assert!(printed.starts_with("cut\tmate\t5\t") && !printed.contains("# cut"), "{printed}");
}

#[test]
fn records_are_recognised_by_their_text_wherever_it_comes_from() {
    let folder = Folder::new();
    written(&folder, THREE, &[]);
    for name in ["one.txt", "two", "three.kif"] {
        fs::copy(folder.path("kif/sfen.kif"), folder.path(name)).unwrap();
    }
    folder.file("list.tsv", format!("{THREE}\tlisted\n"));
    folder.file("four", "V2.2\nP-51OU\nP+53FU00KI\n+\n+0052KI\n%TSUMI\n");
    let names = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').next().unwrap().into()).collect()
    };
    let printed = folder.stdout_of(0, &["solve", "one.txt", "list.tsv", "four", "three.kif"]);
    assert_eq!(names(&printed), ["one", "listed", "four", "three"]);
    let printed = folder.stdout_of(0, &["solve", "three.kif", "one.txt", "two"]);
    assert_eq!(names(&printed), ["three", "one", "two"]);
    let mut child = folder.command(&["solve", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&fs::read(folder.path("two")).unwrap()).unwrap();
    let printed = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(names(&printed), ["stdin"]);
}

#[cfg(unix)]
#[test]
fn records_may_come_through_a_pipe_with_a_name() {
    let folder = Folder::new();
    written(&folder, THREE, &[]);
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap();
    assert!(made.success());
    let child = folder.command(&["solve", "pipe"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    fs::write(folder.path("pipe"), fs::read(folder.path("kif/sfen.kif")).unwrap()).unwrap();
    let printed = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(printed.starts_with("pipe\tmate\t3\t"), "{printed}");
}

#[test]
fn help_mates_are_refused_by_name() {
    let folder = Folder::new();
    let kif = written(&folder, THREE, &[]);
    folder.file("help.kif", kif.replace("棋戦：sfen", "棋戦：協力詰 3手"));
    folder.file("help.txt", kif.replace("棋戦：sfen", "作品名：ばか詰"));
    folder.file("list.tsv", format!("{THREE}\t協力自玉詰 1\n"));
    for (arguments, expected) in [
        (
            &["help.kif"][..],
            "help.kif:1: only mates against every defence are solved, not a problem of another kind (協力詰)",
        ),
        (
            &["help.txt"],
            "help.txt:1: only mates against every defence are solved, not a problem of another kind (ばか詰)",
        ),
        (
            &["list.tsv"],
            "協力自玉詰 1: only mates against every defence are solved, not a problem of another kind (自玉詰)",
        ),
    ] {
        for command in ["solve", "brinkmate"] {
            let complaint = folder.complaint(2, &[&[command], arguments].concat());
            assert_eq!(complaint, format!("hasami: {expected}\n"));
        }
    }
}

const NONE: &str = "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1";

/// `hasami solve` must write certificates for mates and for positions without a mate, like those for brinkmates.
#[test]
fn certificates_of_mates_are_written_and_verified() {
    let folder = Folder::new();
    folder.file("list.tsv", format!("{THREE}\tthree\n{NONE}\tnone\n"));
    let solve = ["solve", "list.tsv", "--hash", "2", "--shortest", "--certificate", "proofs/"];
    let printed = folder.stdout_of(0, &solve);
    assert!(printed.lines().next().unwrap().ends_with("\tG*1c 1b1a G*1b\tproofs/three.cert"), "{printed}");
    let verified = folder.stdout_of(0, &["verify", "--certificate", "proofs"]);
    assert!(verified.contains("none\tright\tno mate, ") && verified.contains("three\tright\ta mate, "), "{verified}");
    let json = folder.stdout_of(0, &["solve", "--sfen", THREE, "--certificate", "one.cert", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&found["certificate"], &found["proved"]), (&"one.cert".into(), &true.into()), "{json}");
    assert!(folder.stdout_of(0, &["verify", "--certificate", "one.cert"]).contains("right 1, wrong 0"));
    for (arguments, expected) in [
        (&["list.tsv", "--certificate", "x.cert"][..], "--certificate: a file holds the proof of one problem"),
        (&["--sfen", THREE, "--certificate", "x.cert", "--defender-first"], "--certificate"),
        (
            &["--fen", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "--certificate", "x.cert"],
            "--certificate: proofs cannot be written for chess",
        ),
    ] {
        let complaint = folder.complaint(2, &[&["solve"], arguments].concat());
        assert!(complaint.contains(expected), "{complaint}");
    }
}

#[test]
fn records_are_verified() {
    let folder = Folder::new();
    written(&folder, THREE, &["--shortest"]);
    let kif = "kif/sfen.kif";
    assert!(folder.stdout_of(0, &["verify", kif]).starts_with("sfen\tright\ta mate in 3 plies\n"));
    folder.file("list.tsv", format!("4k4/9/4P4/9/9/9/9/9/9 b G 1\tgold\tまで1手詰\n{THREE}\tthree\t3手詰\n"));
    let printed = folder.stdout_of(0, &["verify", "list.tsv", kif]);
    assert!(printed.contains("gold\topen\t") && printed.contains("three\tright\ta mate in 3 plies\n"), "{printed}");
    let text = SHIFT_JIS.decode(&fs::read(folder.path(kif)).unwrap()).0.replace("   3 １二金打", "   3 １二飛打");
    folder.file("wrong.kif", text);
    let printed = folder.stdout_of(1, &["verify", "wrong.kif"]);
    assert!(printed.starts_with("wrong\twrong\t") && printed.contains("１二飛打"), "{printed}");
    let complaint = folder.complaint(2, &["verify", "list.tsv"]);
    assert_eq!(complaint, "hasami: PROBLEMS is a list, which needs SOLUTIONS beside it; only a record holds both\n");
}
