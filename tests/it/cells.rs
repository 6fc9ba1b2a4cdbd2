//! Cells that are processes: killed, silent, talking nonsense, or not there at all. The answers come from the rest.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const FIFTEEN: &str = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
const NONE: &str = "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1";
const PROGRAM: &str = env!("CARGO_BIN_EXE_hasami");

fn solve(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["solve", "--algorithm", "cells", "--hash", "8", "--cell-nodes", "100"]).args(arguments);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A list of so many problems, with a mate and without in turns.
fn list(folder: &Path, problems: usize) {
    let rows =
        (0..problems).map(|n| if n % 2 == 0 { format!("{FIFTEEN}\tmate\t15\n") } else { format!("{NONE}\tnone\t-\n") });
    fs::write(folder.join("list.tsv"), rows.collect::<String>()).unwrap();
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}

/// Notices of lost cells, each once, where all answers are right.
fn losses(output: &Output, problems: usize) -> Vec<String> {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = lines(&output.stdout);
    let is_right = |line: &String| line.starts_with("mate\tmate\t15\t") || line.starts_with("none\tnomate\t");
    assert_eq!(told.iter().filter(|line| is_right(line)).count(), problems, "{told:?}");
    lines(&output.stderr)
}

#[test]
fn processes_solve_problem_after_problem() {
    let folder = TempDir::new().unwrap();
    list(folder.path(), 10);
    let child = format!("\"{PROGRAM}\" cell --hash 1");
    for arguments in
        [vec!["--cells", "2"], vec!["--child", &child, "--child", &child], vec!["--cells", "1", "--child", &child]]
    {
        for search in ["dfpn", "best-first"] {
            let output =
                solve(folder.path(), &["list.tsv", "--expect", "--cell-search", search]).args(&arguments).output();
            assert_eq!(losses(&output.unwrap(), 10), [""; 0], "{arguments:?}, {search}");
        }
    }
    let chess = ["--fen", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "--cells", "2"];
    let told = lines(&solve(folder.path(), &chess).output().unwrap().stdout);
    assert!(told[0].starts_with("fen\tmate\t1\t") && told[0].ends_with("\td1d8"), "{told:?}");
}

#[test]
fn a_cell_that_makes_no_sense_is_told_of_once_and_replaced() {
    let folder = TempDir::new().unwrap();
    list(folder.path(), 6);
    let good = format!("\"{PROGRAM}\" cell --hash 1");
    let cut = format!("sh -c '\"{PROGRAM}\" cell --hash 1 | head -c 90'");
    let noise = format!("sh -c '\"{PROGRAM}\" cell --hash 1 | sed -u s/2/3/'");
    for (bad, why) in [
        ("yes", "(yes) is lost: expected a letter with its sum, found 'y'"),
        ("/no/such/cell", "(cell) is lost: cannot start '/no/such/cell': No such file or directory (os error 2)"),
        ("sh -c 'cat > /dev/null'", "(sh) is lost: expected a word within 0.5 s, found none"),
        ("sh -c 'exit 3'", "(sh) is lost: ended with exit status: 3"),
        (&cut, "(sh) is lost: ended with exit status: 0"),
        (&noise, "(sh) is lost: expected the sum "),
    ] {
        // Who is silent must be alone: a busy machine lets others be silent for as long.
        let is_silent = why.contains("within 0.5 s");
        let patience = if is_silent { "0.5" } else { "60" };
        for cells in
            [vec!["--child", bad], vec!["--child", bad, "--child", &good]].into_iter().take(2 - usize::from(is_silent))
        {
            let output = solve(folder.path(), &["list.tsv", "--patience", patience]).args(&cells).output().unwrap();
            let told = losses(&output, 6);
            assert!(told.len() == 1 && told[0].starts_with(&format!("hasami: cell 1 {why}")), "{told:?}");
        }
    }
}

/// Cells that write the number of their process into a file.
#[cfg(unix)]
#[test]
fn cells_that_are_killed_one_after_another_leave_the_rest_to_the_host() {
    const PROBLEMS: usize = 400;
    let folder = TempDir::new().unwrap();
    list(folder.path(), PROBLEMS);
    let child = format!("sh -c 'echo $$ >> pids; exec \"{PROGRAM}\" cell --hash 1'");
    let children = ["--child", &child, "--child", &child, "--child", &child];
    let host = solve(folder.path(), &["list.tsv", "--patience", "60"]).args(children).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    let mut killed = 0;
    while killed < 3 {
        assert!(Instant::now() < patience, "expected three processes, found {killed}");
        let pids = fs::read_to_string(folder.path().join("pids")).unwrap_or_default();
        for pid in pids.lines().skip(killed) {
            let end = Command::new("kill").args(["-9", pid]).status().unwrap();
            assert!(end.success(), "{pid}");
            killed += 1;
        }
        std::thread::yield_now();
    }
    let told = losses(&host.wait_with_output().unwrap(), PROBLEMS);
    assert_eq!(told.len(), 3, "{told:?}");
    for (cell, line) in told.iter().enumerate() {
        let is_one =
            |cell: usize| line.starts_with(&format!("hasami: cell {} (sh) is lost: ended with signal: 9", cell + 1));
        assert!((0..3).any(is_one), "{cell}: {line}");
    }
}

#[test]
fn options_that_need_cells_say_so() {
    let folder = TempDir::new().unwrap();
    let complaint = |arguments: &[&str]| {
        let output =
            Command::new(PROGRAM).args(["solve", "--sfen", NONE]).args(arguments).current_dir(folder.path()).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        lines(&output.stderr)[0].clone()
    };
    let expect = |arguments: &[&str], line: &str| assert_eq!(complaint(arguments), format!("hasami: {line}"));
    expect(&["--ns", "5", "--algorithm", "dfpn"], "--ns needs --algorithm cells, not dfpn");
    for option in [&["--delay", "5"][..], &["--trace", "file"]] {
        for algorithm in ["parallel", "aohpas", "levels"] {
            let arguments = [&["--virtual", "2", "--algorithm", algorithm], option].concat();
            let expected = format!("{} needs --algorithm cells, not {algorithm}", option[0]);
            expect(&arguments, &expected);
        }
    }
    expect(&["--virtual", "2", "--delay", "5"], "--delay needs --algorithm cells, not parallel");
    for option in [["--delay", "5"], ["--trace", "file"]] {
        let expected = format!("{} needs --virtual", option[0]);
        expect(&[&["--algorithm", "cells"], &option[..]].concat(), &expected);
        expect(&[&["--algorithm", "cells", "--threads", "3"], &option[..]].concat(), &expected);
    }
    assert!(!folder.path().join("file").exists(), "no file of what is not traced");
    let patience = "--patience needs --cells or --child";
    expect(&["--patience", "5"], patience);
    expect(&["--patience", "5", "--algorithm", "cells", "--threads", "2"], patience);
    expect(&["--child", "\"open"], "--child: expected a command line with closed quotes, found '\"open'");
    expect(
        &["--cells", "2", "--shortest"],
        "--shortest needs --algorithm dfpn, parallel, aohpas, pds, id or levels, not cells",
    );
    expect(&["--cells", "0"], "--cells: expected a number of cells from 1 to 1024, found '0' (see `hasami help`)");
}

/// Lines typed into a cell, and its answers; `~` says only that it is there.
#[test]
fn a_cell_answers_what_is_typed() {
    let mut cell = Command::new(PROGRAM);
    cell.args(["cell", "--hash", "1"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut cell = cell.spawn().unwrap();
    let typed = "search 4294967297 10000 #537e8759\n\
        hello\n\
        =hello\n\
        +begin 1 1 shogi dfpn checks 99 0 none 0 position\n\
        = 4k4/9/4P4/9/9/9/9/9/9 b G 1 moves #37bd7314\n\
        search 4294967297 10000 #537e8759\n";
    cell.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let told = lines(&cell.wait_with_output().unwrap().stdout);
    let told: Vec<&str> =
        told.iter().filter(|line| *line != "~").map(|line| line.rsplit_once(" #").unwrap().0).collect();
    let told: Vec<&str> = told.into_iter().filter(|line| !line.starts_with("=facts ")).collect();
    let no_letter = "=fault expected a letter with its sum, found 'hello'";
    // A letter that cannot be read is told of at once, orders wait for their turn.
    let told: BTreeSet<&str> = told.into_iter().collect();
    let expected = [
        no_letter,
        "=fault expected begin before search 4294967297, found none",
        "=ready 1 1",
        "=mate 4294967297 7 G*5b",
    ];
    assert_eq!(told, BTreeSet::from(expected));
}
