//! Tests `hasami verify --certificate` from the command line.

use crate::solve::Folder;
use std::fs;
use std::path::Path;

/// Returns the bytes of the certificate `name` in `tests/data/brinkmates/certificates.tsv`.
fn sample(name: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/brinkmates/certificates.tsv");
    let text = fs::read_to_string(file).unwrap();
    let line = text.lines().find(|line| line.starts_with(&format!("{name}\t"))).unwrap();
    let digits = line.rsplit('\t').next().unwrap();
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}

#[test]
fn certificates_are_reported_as_right_or_wrong() {
    let folder = Folder::new();
    for name in ["mate", "three", "threat-1", "three, dropped"] {
        folder.file(&format!("{name}.cert"), sample(name));
    }
    let right = folder.stdout_of(0, &["verify", "--certificate", "mate.cert", "three.cert", "threat-1.cert"]);
    let lines: Vec<&str> = right.lines().collect();
    assert!(lines[0].starts_with("mate\tright\ta mate, ") && lines[0].contains(" positions, of 4k4/"), "{right}");
    assert!(lines[1].starts_with("three\tright\ta brinkmate within 3 plies, "), "{right}");
    assert!(lines[2].starts_with("threat-1\tright\tno brinkmate within 1 ply, "), "{right}");
    assert_eq!(lines[3..], ["# right 3, wrong 0"]);
    folder.file("short.cert", &sample("mate")[..40]);
    let wrong = ["verify", "--game", "shogi", "--certificate", "short.cert", "--certificate", "mate.cert"];
    let printed = folder.stdout_of(1, &wrong);
    assert!(printed.starts_with("short\twrong\texpected the CRC-32 "), "{printed}");
    assert!(printed.contains(" positions, of ") && printed.ends_with("\n# right 1, wrong 1\n"), "{printed}");
    let complaint = folder.complaint(1, &wrong);
    assert_eq!(complaint, "hasami: wrong certificates: 1\n");
}

#[test]
fn a_folder_stands_for_all_certificates_in_it() {
    let folder = Folder::new();
    fs::create_dir(folder.path("proofs")).unwrap();
    fs::create_dir(folder.path("empty")).unwrap();
    for name in ["three", "mate"] {
        folder.file(&format!("proofs/{name}.cert"), sample(name));
    }
    folder.file("proofs/notes.txt", "no certificate");
    let printed = folder.stdout_of(0, &["verify", "--certificate", "proofs"]);
    let names: Vec<&str> = printed.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(names, ["mate", "three", "# right 2, wrong 0"]);
    let complaint = folder.complaint(2, &["verify", "--certificate", "empty"]);
    assert_eq!(complaint, "hasami: empty: the folder has no certificates (*.cert)\n");
}

/// The position has no brinkmate, but the node limit leaves too few nodes to examine the replies that prove this.
#[test]
fn the_limit_that_prevents_a_certificate_is_reported() {
    let folder = Folder::new();
    let position = "4pnk1l/6l2/9/5P3/9/9/9/9/9 b PG 1";
    let printed = |code, nodes| {
        folder.stdout_of(code, &["brinkmate", "--sfen", position, "--nodes", nodes, "--certificate", "x.cert"])
    };
    let cut = printed(0, "30000");
    assert!(
        cut.contains(
            "# sfen: no certificate, because the proof could not be written: node limit of 30000 reached (--nodes)\n"
        ),
        "{cut}"
    );
    let whole = printed(0, "100000");
    assert!(!whole.contains("no certificate") && whole.contains("x.cert"), "{whole}");
}

#[test]
fn the_public_problem_set_is_proved() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/brinkmates");
    let printed = Folder::new().stdout_of(0, &["verify", "--certificate", data.join("certificates").to_str().unwrap()]);
    let set = fs::read_to_string(data.join("set.tsv")).unwrap();
    let mut lines = printed.lines();
    for problem in set.lines() {
        let fields: Vec<&str> = problem.split('\t').collect();
        let ply = if fields[2] == "1" { "ply" } else { "plies" };
        let line = lines.next().unwrap();
        let expected = format!("{}\tright\ta brinkmate within {} {ply}, ", fields[1], fields[2]);
        assert!(line.starts_with(&expected) && line.ends_with(&format!(", of {}", fields[0])), "{line}: {expected}");
    }
    assert_eq!(lines.next(), Some(format!("# right {}, wrong 0", set.lines().count()).as_str()));
}

#[test]
fn an_unreadable_file_is_wrong_and_the_next_one_is_checked() {
    let folder = Folder::new();
    folder.file("mate.cert", sample("mate"));
    let arguments = ["verify", "--certificate", "none.cert", "mate.cert"];
    let printed = folder.stdout_of(1, &arguments);
    assert!(printed.starts_with("none\twrong\tcannot read the file: ") && printed.contains("\nmate\tright\t"));
}

#[test]
fn verification_has_a_limit_and_needs_a_game_with_brinkmates() {
    let folder = Folder::new();
    folder.file("three.cert", sample("three"));
    let printed = folder.stdout_of(1, &["verify", "--certificate", "three.cert", "--positions", "100"]);
    // The certificate is correct, but the limit on positions ended its replay.
    let reason = "more than 100 positions would have to be visited (--positions)";
    assert_eq!(printed, format!("three\tundecided\t{reason}\n# right 0, wrong 0, undecided 1\n"));
    let complaint = folder.complaint(1, &["verify", "--certificate", "three.cert", "--positions", "100"]);
    let expected = "certificates that cannot be replayed within the limits: 1";
    assert_eq!(complaint, format!("hasami: {expected}\n"));
    let printed = folder.stdout_of(1, &["verify", "--certificate", "three.cert", "--game", "chess"]);
    let word = "chess has no brinkmates";
    assert!(printed.starts_with(&format!("three\twrong\t{word}\n")), "{printed}");
    for (arguments, expected) in [
        (&["verify", "--certificate"][..], "a value is required for '--certificate <FILE>...'"),
        (&["verify", "--certificate", "x", "--rules", "tsume"], "cannot be used with"),
        (
            &["verify", "--certificate", "x", "--positions", "0"],
            "expected a number of positions from 1 to 18446744073709551615",
        ),
        (&["verify"], "the following required arguments were not provided: <PROBLEMS>"),
    ] {
        let complaint = folder.complaint(2, arguments);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
}
