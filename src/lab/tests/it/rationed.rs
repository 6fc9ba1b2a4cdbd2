//! Tests child engines under a virtual clock: their time, their output, and what happens when the child or its parent
//! process ends.

use crate::job::Job;
use crate::program::{ANSWER_LIMIT, children_file, mock};
use hasami_api::{Answer, Task};
use hasami_catalog::GameRules;
use hasami_games::CHESS;
use hasami_lab::virtual_cluster::{ClusterWorker, RationedWorker, Sent};
use hasami_tree::event::{TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use hasami_workers::children::ChildSpec;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

const SLICE: Duration = Duration::from_millis(10);

fn worker(flags: &str, share: f64) -> RationedWorker {
    let spec = ChildSpec::from_command(&mock(flags)).unwrap();
    let mut worker = RationedWorker::spawn(WorkerId(0), spec, share, CHESS.played());
    worker.come_up(ANSWER_LIMIT).unwrap();
    worker
}

/// Runs a worker for `slices` time slices from the time `from` on, and returns its events.
fn run(worker: &mut RationedWorker, from: Time, slices: u32) -> Vec<(Time, WorkerEvent)> {
    let mut sent = Vec::new();
    (1..=slices).for_each(|slice| worker.run_to(from + slice * SLICE, &mut sent));
    let event = |sent| match sent {
        Sent::Event(event) => event,
        Sent::News(_) => panic!("children tell one another nothing"),
    };
    sent.into_iter().map(|(at, sent)| (at, event(sent))).collect()
}

fn is_end(event: &WorkerEvent, id: TaskId) -> bool {
    matches!(event, WorkerEvent::Ended { task, end: TaskEnd::Answer(Answer::Best { best: Some(_), .. }), .. } if *task == id)
}

fn start(worker: &mut RationedWorker, at: Time, id: TaskId) {
    worker.start(at, id, Task::default(), &mut Vec::new());
    assert!(worker.is_busy());
}

#[test]
fn children_search_in_proportion_to_their_shares() {
    let nodes = |share: f64| {
        let mut worker = worker("--burns", share);
        start(&mut worker, SLICE, TaskId(1));
        let sent = run(&mut worker, SLICE, 40);
        let times: Vec<Time> = sent.iter().map(|(at, _)| *at).collect();
        assert!(times.is_sorted() && times[0] > SLICE, "{times:?}");
        // If a child that overran its slice did not get a shorter one next, the last event would come later than this.
        assert!(*times.last().unwrap() < 41 * SLICE + Duration::from_millis(100).div_f64(share), "{times:?}");
        assert_eq!(worker.idle(50 * SLICE), SLICE, "idle before the task");
        worker.nodes() as f64
    };
    let (whole, quarter) = (nodes(1.0), nodes(0.25));
    assert!((2.0..8.0).contains(&(whole / quarter)), "{whole} nodes by four times the time of {quarter}");
}

#[test]
fn a_suspended_child_answers_once_it_runs() {
    let mut worker = worker("--burns", 1.0);
    start(&mut worker, SLICE, TaskId(1));
    run(&mut worker, SLICE, 3);
    let before = worker.nodes();
    worker.cancel(4 * SLICE, TaskId(7), &mut Vec::new());
    assert!(!run(&mut worker, 4 * SLICE, 2).iter().any(|(_, event)| is_end(event, TaskId(1))), "another task");
    worker.cancel(6 * SLICE, TaskId(1), &mut Vec::new());
    assert!(worker.is_busy(), "the child has had no time to answer");
    let sent = run(&mut worker, 6 * SLICE, 100);
    let (at, last) = sent.last().unwrap();
    assert!(is_end(last, TaskId(1)) && *at > 6 * SLICE && !worker.is_busy(), "{last:?} at {at:?}");
    let after = worker.nodes();
    assert!(before < after);

    assert_eq!(run(&mut worker, 106 * SLICE, 10), [], "there are no events without a task");
    worker.new_game();
    start(&mut worker, 200 * SLICE, TaskId(2));
    assert!(run(&mut worker, 200 * SLICE, 10).iter().all(|(at, _)| *at > 200 * SLICE));
    assert!(worker.nodes() > after);
}

#[test]
fn time_passes_while_a_child_waits() {
    let mut worker = worker("", 1.0);
    start(&mut worker, SLICE, TaskId(1));
    let began = Instant::now();
    run(&mut worker, SLICE, 1_000);
    assert!(worker.waited() > 900 * SLICE && began.elapsed() < ANSWER_LIMIT, "{:?}", worker.waited());
    worker.cancel(1_001 * SLICE, TaskId(1), &mut Vec::new());
    // The child's search thread must be woken by another thread, so it does not answer in the first slice.
    let sent = run(&mut worker, 1_001 * SLICE, 1_000);
    assert!(is_end(&sent.last().unwrap().1, TaskId(1)), "{sent:?}");
}

#[test]
fn the_end_of_the_process_is_the_last_event() {
    for flags in ["--exits-on-go", "--burns --dies-after 500"] {
        let mut worker = worker(flags, 1.0);
        worker.start(SLICE, TaskId(1), Task::default(), &mut Vec::new());
        let began = Instant::now();
        let (mut sent, mut at) = (Vec::new(), SLICE);
        while sent.is_empty() || worker.is_busy() {
            assert!(began.elapsed() < ANSWER_LIMIT, "{sent:?}");
            sent.extend(run(&mut worker, at, 1));
            at += SLICE;
        }
        let lost: Vec<_> = sent.iter().filter(|(_, event)| matches!(event, WorkerEvent::Lost { .. })).collect();
        let [(_, WorkerEvent::Lost { why, .. })] = lost.as_slice() else { panic!("{sent:?}") };
        // The message depends on whether the child's exit status or the end of its process is noticed first.
        let ends =
            ["mock-engine: the engine has quit: ended with exit status", "mock-engine: the process is not running"];
        assert!(ends.iter().any(|end| why.to_string().starts_with(end)), "{why}");
    }
}

/// Runs `hasami-lab virtual` with `arguments` for the first search of a game, and returns its output.
fn ask(arguments: &[&str]) -> Output {
    Job::new("virtual").tell(arguments, "uci\nisready\nucinewgame\nposition startpos\ngo movetime 60\nquit\n")
}

fn complaint(output: &Output) -> String {
    assert!(matches!(output.status.code(), Some(1 | 2)), "{output:?}");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    complaint
}

#[test]
fn a_cluster_of_children_answers_by_the_virtual_clock() {
    let child = mock("--burns");
    let output = ask(&["--workers", "3", "--penalty", "10", "--cpu", "0.5", "--child", &child]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("\nbestmove "), "{said}");
    assert!(said.contains(" time 50 "), "the move time minus the penalty: {said}");
}

#[test]
fn faulty_children_are_named_and_end_the_program() {
    for (flags, expected) in [
        ("--dead-at-start", "hasami-lab: mock-engine#1: no uciok: ended with exit status: 3"),
        ("--exits-on-go", "the engine has quit: ended with exit status: 0"),
        ("--deaf-to-stop --burns", "no bestmove"),
        ("--deaf-to-go", "no bestmove"),
    ] {
        let (child, alone) = (mock(flags), expected.starts_with("no bestmove"));
        let kind: &[&str] = if alone { &["--alone"] } else { &["--workers", "2"] };
        let complaint = complaint(&ask(&[kind, &["--child", &child]].concat()));
        assert!(complaint.contains(expected), "{flags}: {complaint}");
    }
    let wrapped = format!("sh -c \"{}; true\"", mock(""));
    let complaint = complaint(&ask(&["--child", &wrapped]));
    assert!(complaint.contains("the command only starts the engine"), "{complaint}");
}

#[test]
fn the_children_file_serves_a_virtual_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let tell = |file: &Path| {
        let lines = format!("uci\nsetoption name Children value {}\nisready\nquit\n", file.display());
        Job::new("virtual").tell(&["--workers", "2"], &lines)
    };
    let output = tell(&children_file(folder.path(), &[mock("")]));
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("readyok"), "{output:?}");
    let silent = children_file(folder.path(), &[mock("--never-ready")]);
    let why = complaint(&tell(&silent));
    assert_eq!(why, "hasami-lab: mock-engine#1: no readyok within 2 s\n");
    let why = complaint(&tell(Path::new("/nonexistent.toml")));
    assert!(why.starts_with("hasami-lab: Children: /nonexistent.toml: cannot read the TOML file"), "{why}");
}

#[test]
fn a_single_child_is_timed_by_its_cpu_clock() {
    let child = mock("--burns");
    let output = ask(&["--alone", "--child", &child]);
    let said = String::from_utf8(output.stdout).unwrap();
    let times = said.lines().filter_map(|line| line.split_once(" time "));
    let times: Vec<u64> = times.map(|(_, rest)| rest.split(' ').next().unwrap().parse().unwrap()).collect();
    assert!(said.contains("\nbestmove a2a3") && times.is_sorted() && *times.last().unwrap() >= 60, "{said}");

    let lines = "uci\nposition startpos\ngo wtime 1000 btime 1000\n";
    let why = complaint(&Job::new("virtual").tell(&["--alone", "--child", &child], lines));
    assert!(why.contains("an engine that plays alone needs movetime, nodes or depth: with a clock"), "{why}");
    let why = complaint(&ask(&["--alone"]));
    assert_eq!(why, "hasami-lab: no child engine speaks uci\n");
}

#[test]
fn suspended_children_end_with_a_killed_master() {
    let job = Job::new("virtual");
    let child = mock("--burns --deaf-to-eof");
    let mut master = job.open(&["--workers", "3", "--child", &child]);
    let mut input = master.stdin.take().unwrap();
    writeln!(input, "uci\nposition startpos\ngo movetime 100000000").unwrap();
    let stands_still = |folder: &Path| {
        let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
    };
    let deadline = Instant::now() + ANSWER_LIMIT;
    while job.processes().iter().filter(|folder| stands_still(folder)).count() < 2 {
        assert!(Instant::now() < deadline, "no child process is suspended");
        std::thread::park_timeout(Duration::from_millis(2));
    }
    master.kill().unwrap();
    master.wait().unwrap();
    job.expect_nobody();
}
