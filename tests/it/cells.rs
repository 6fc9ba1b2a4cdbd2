//! Tests of cells in child processes that are killed, are silent, send garbage, or do not start. The remaining cells
//! must find the answers.

use hasami_api::{Line, Rules, Start};
use hasami_mate::{CellOrder, CellProblem, CellReply, CellResult, CellSearch};
use hasami_workers::cells::frames::{FrameReader, GREETING, frame};
use hasami_workers::cells::wire::{decode_reply, encode_order};
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
    command.args(["solve", "--algorithm", "cells", "--hash", "8", "--set", "cell-nodes=100"]).args(arguments);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Writes a list of problems, alternately with and without a mate.
fn list(folder: &Path, problems: usize) {
    let rows =
        (0..problems).map(|n| if n % 2 == 0 { format!("{FIFTEEN}\tmate\t15\n") } else { format!("{NONE}\tnone\t-\n") });
    fs::write(folder.join("list.tsv"), rows.collect::<String>()).unwrap();
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}

/// Returns the remarks about lost cells. All answers must be right, and no remark may be repeated.
fn losses(output: &Output, problems: usize) -> Vec<String> {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = lines(&output.stdout);
    let is_right = |line: &String| line.starts_with("mate\tmate\t15\t") || line.starts_with("none\tnomate\t");
    assert_eq!(printed.iter().filter(|line| is_right(line)).count(), problems, "{printed:?}");
    lines(&output.stderr)
}

#[test]
fn cell_processes_solve_one_problem_after_another() {
    let folder = TempDir::new().unwrap();
    list(folder.path(), 10);
    let child = format!("\"{PROGRAM}\" cell --hash 1");
    for arguments in
        [vec!["--cells", "2"], vec!["--child", &child, "--child", &child], vec!["--cells", "1", "--child", &child]]
    {
        for search in ["dfpn", "best-first"] {
            let output = solve(
                folder.path(),
                &["list.tsv", "--expect", "--set", "patience=600", "--set", &format!("cell-search={search}")],
            )
            .args(&arguments)
            .output();
            assert_eq!(losses(&output.unwrap(), 10), [""; 0], "{arguments:?}, {search}");
        }
    }
    let chess = ["--fen", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "--cells", "2"];
    let printed = lines(&solve(folder.path(), &chess).output().unwrap().stdout);
    assert!(printed[0].starts_with("fen\tmate\t1\t") && printed[0].ends_with("\td1d8"), "{printed:?}");
}

#[test]
fn a_faulty_cell_is_reported_once_and_replaced() {
    let folder = TempDir::new().unwrap();
    list(folder.path(), 6);
    let good = format!("\"{PROGRAM}\" cell --hash 1");
    let cut = format!("sh -c '\"{PROGRAM}\" cell --hash 1 | head -c 90'");
    let noise = format!("sh -c '\"{PROGRAM}\" cell --hash 1 | (head -c 40; yes)'");
    for (bad, why) in [
        ("yes", "(yes) is lost: expected 'hasami cell' and messages, found 'y\\ny\\n"),
        ("/no/such/cell", "(cell) is lost: cannot start '/no/such/cell': No such file or directory (os error 2)"),
        ("sh -c 'cat > /dev/null'", "(sh) is lost: expected a word within 0.5 s, found none"),
        ("sh -c 'exit 3'", "(sh) is lost: ended with exit status: 3"),
        (&cut, "(sh) is lost: ended with exit status: 0"),
        (&noise, "(sh) is lost: expected "),
    ] {
        // Only the test of the silent cell has a short time limit, because any cell may be silent for a while on a busy
        // machine.
        let is_silent = why.contains("within 0.5 s");
        let patience = if is_silent { "0.5" } else { "600" };
        for cells in
            [vec!["--child", bad], vec!["--child", bad, "--child", &good]].into_iter().take(2 - usize::from(is_silent))
        {
            let output = solve(folder.path(), &["list.tsv", "--set", &format!("patience={patience}")])
                .args(&cells)
                .output()
                .unwrap();
            let printed = losses(&output, 6);
            assert!(printed.len() == 1 && printed[0].starts_with(&format!("hasami: cell 1 {why}")), "{printed:?}");
        }
    }
}

/// The cells write their process IDs to a file.
#[cfg(unix)]
#[test]
fn the_host_continues_alone_when_all_cells_are_killed() {
    const PROBLEMS: usize = 400;
    let folder = TempDir::new().unwrap();
    list(folder.path(), PROBLEMS);
    let child = format!("sh -c 'echo $$ >> pids; exec \"{PROGRAM}\" cell --hash 1'");
    let children = ["--child", &child, "--child", &child, "--child", &child];
    let host = solve(folder.path(), &["list.tsv", "--set", "patience=600"]).args(children).spawn().unwrap();
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
    let printed = losses(&host.wait_with_output().unwrap(), PROBLEMS);
    assert_eq!(printed.len(), 3, "{printed:?}");
    for (cell, line) in printed.iter().enumerate() {
        let is_one =
            |cell: usize| line.starts_with(&format!("hasami: cell {} (sh) is lost: ended with signal: 9", cell + 1));
        assert!((0..3).any(is_one), "{cell}: {line}");
    }
}

#[test]
fn options_for_cells_require_the_cells_algorithm() {
    let folder = TempDir::new().unwrap();
    let complaint = |arguments: &[&str]| {
        let output =
            Command::new(PROGRAM).args(["solve", "--sfen", NONE]).args(arguments).current_dir(folder.path()).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        lines(&output.stderr)[0].clone()
    };
    let expect = |arguments: &[&str], line: &str| assert_eq!(complaint(arguments), format!("hasami: {line}"));
    expect(&["--set", "ns=5", "--algorithm", "dfpn"], "--ns needs --algorithm cells, not dfpn");
    for option in [&["--set", "delay=5"][..], &["--set", "trace=file"]] {
        for algorithm in ["parallel", "aohpas", "levels"] {
            let arguments = [&["--virtual", "2", "--algorithm", algorithm], option].concat();
            let expected =
                format!("--{} needs --algorithm cells, not {algorithm}", option[1].split('=').next().unwrap());
            expect(&arguments, &expected);
        }
    }
    expect(&["--virtual", "2", "--set", "delay=5"], "--delay needs --algorithm cells, not parallel");
    for option in [["--set", "delay=5"], ["--set", "trace=file"]] {
        let expected = format!("--{} needs --virtual", option[1].split('=').next().unwrap());
        expect(&[&["--algorithm", "cells"], &option[..]].concat(), &expected);
        expect(&[&["--algorithm", "cells", "--threads", "3"], &option[..]].concat(), &expected);
    }
    assert!(!folder.path().join("file").exists(), "no trace is written if the options are rejected");
    let patience = "--patience needs --cells or --child";
    expect(&["--set", "patience=5"], patience);
    expect(&["--set", "patience=5", "--algorithm", "cells", "--threads", "2"], patience);
    expect(&["--child", "\"open"], "--child: expected a command line with closed quotes, found '\"open'");
    expect(
        &["--cells", "2", "--shortest"],
        "--shortest needs --algorithm dfpn, parallel, aohpas, pds, id or levels, not cells",
    );
    expect(&["--cells", "0"], "invalid value '0' for '--cells <C>': expected a number of cells from 1 to 1024");
}

/// Runs a cell with these bytes as its input.
fn run_cell(bytes: &[u8]) -> Output {
    let mut cell = Command::new(PROGRAM);
    cell.args(["cell", "--hash", "1"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut cell = cell.spawn().unwrap();
    cell.stdin.take().unwrap().write_all(bytes).unwrap();
    cell.wait_with_output().unwrap()
}

#[test]
fn a_cell_answers_a_host() {
    let search = CellOrder::Search { task: 1 << 32 | 1, size: 10_000, moves: Vec::new() };
    let start = Start { text: Some("4k4/9/4P4/9/9/9/9/9/9 b G 1".into()), rules: Rules::OF_PROBLEMS };
    let line = Line { start, moves: Vec::new() };
    let (game, search_by) = ("shogi".to_owned(), CellSearch::Dfpn);
    let begin =
        CellOrder::Begin(CellProblem { number: 1, game, search: search_by, any_moves: false, longest: 99, line });
    let written = [encode_order(&search), b"hello".to_vec(), encode_order(&begin), encode_order(&search)];
    let frames = written.iter().flat_map(|message| frame(message));
    let output = run_cell(&GREETING.iter().copied().chain(frames).collect::<Vec<u8>>());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = FrameReader::default().read(&output.stdout).unwrap();
    let printed = printed.iter().filter(|message| !message.is_empty()).map(|message| decode_reply(message).unwrap());
    let mut printed: Vec<_> = printed.filter(|reply| !matches!(reply, CellReply::Facts { .. })).collect();
    let Some(CellReply::Done { found, .. }) = printed.pop() else { panic!("{printed:?}") };
    assert_eq!(found, CellResult::Mate(vec!["G*5b".parse().unwrap()]));
    let fault = |why: &str| CellReply::Fault(why.into());
    let expected = [
        fault("expected begin before search 4294967297, found none"),
        fault("expected messages of cells of version 3, found version 104"),
        CellReply::Ready { problem: 1 },
    ];
    assert_eq!(printed, expected);
}

#[test]
fn a_cell_rejects_text_input() {
    let output = run_cell(b"begin 1 1 shogi\n");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let expected = "hasami: expected 'hasami cell' and messages, found 'begin 1 1 shogi\\n'";
    assert_eq!(lines(&output.stderr), [expected]);
}
