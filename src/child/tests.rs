#![allow(clippy::unwrap_used)]

use super::*;
use crossbeam_channel::Receiver;

/// Starts a shell script and collects its output.
fn shell(script: &str) -> (ChildProcess, Receiver<String>) {
    let launch = Launch::from_words(vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()]).unwrap();
    let (sender, said) = unbounded();
    let child = ChildProcess::spawn(&launch, move |what, _| {
        let text = match what {
            ProcessOutput::Said(line) => line.to_owned(),
            ProcessOutput::Absent(why) => format!("absent: {why}"),
            ProcessOutput::Gone(why) => format!("gone: {why}"),
        };
        let _ = sender.send(text);
    });
    (child, said)
}

fn next(said: &Receiver<String>) -> String {
    said.recv_timeout(Duration::from_secs(10)).unwrap()
}

fn exists(pid: &str) -> bool {
    // A zombie counts as ended, because it only waits for its parent to reap it.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim_start().starts_with('Z'))
}

#[test]
fn a_child_answers_and_ends_at_the_end_of_its_input() {
    let (child, said) = shell("while read -r line; do echo \"heard $line\"; done; exit 3");
    child.writer().write("one\ntwo");
    assert_eq!(next(&said), "heard one");
    assert_eq!(next(&said), "heard two");
    child.writer().close();
    assert_eq!(next(&said), "gone: ended with exit status: 3");
    child.wait_gone(Instant::now() + Duration::from_secs(5));
}

#[test]
fn a_missing_program_is_reported_at_once() {
    let launch = Launch::parse("/nonexistent/engine").unwrap();
    let (sender, said) = unbounded();
    let _child = ChildProcess::spawn(&launch, move |what, _| {
        drop(sender.send(if let ProcessOutput::Absent(why) = what { why.to_string() } else { format!("{what:?}") }));
    });
    let text = next(&said);
    assert!(text.starts_with("cannot start '/nonexistent/engine'"), "{text}");
}

#[test]
fn a_file_that_is_not_a_program_is_reported_as_absent() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for path in [file.path(), std::env::temp_dir().as_path()] {
        let (sender, said) = unbounded();
        let launch = Launch::from_words(vec![path.to_str().unwrap().to_owned()]).unwrap();
        let _child = ChildProcess::spawn(&launch, move |what, _| drop(sender.send(format!("{what:?}"))));
        let text = next(&said);
        assert!(text.starts_with("Absent("), "{text}");
    }
}

#[test]
fn last_line_of_stderr_is_reported() {
    let (_child, said) = shell("echo 'no such net' >&2; echo >&2; exec sleep 0.05");
    assert_eq!(next(&said), "gone: ended with exit status: 0, its last words: no such net");
}

#[test]
fn a_child_that_ignores_signals_is_killed_with_its_children() {
    let (child, said) =
        shell("trap '' TERM HUP; (trap '' HUP; echo $$; exec sleep 100) & echo $!; while :; do sleep 1; done");
    let pids = [next(&said), next(&said)];
    child.wait_gone(Instant::now());
    assert!(next(&said).starts_with("gone: killed"));
    let deadline = Instant::now() + Duration::from_secs(5);
    while pids.iter().any(|pid| exists(pid)) {
        assert!(Instant::now() < deadline, "{pids:?} still run");
        std::thread::yield_now();
    }
}

#[test]
fn writing_to_a_child_that_does_not_read_never_blocks() {
    let (child, said) = shell("echo up; exec sleep 100");
    assert_eq!(next(&said), "up");
    let began = Instant::now();
    (0..100).for_each(|_| child.writer().write("x".repeat(10_000)));
    assert!(began.elapsed() < Duration::from_secs(1));
    child.kill();
    assert!(next(&said).starts_with("gone"));
}

#[test]
fn an_orphaned_grandchild_ends_with_the_child() {
    let (_child, said) = shell("sleep 100 >/dev/null 2>&1 & echo $!");
    let pid = next(&said);
    assert!(next(&said).starts_with("gone"));
    let deadline = Instant::now() + Duration::from_secs(5);
    while exists(&pid) {
        assert!(Instant::now() < deadline, "{pid} still runs");
        std::thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_held_child_does_not_run_and_all_its_output_was_processed() {
    let script = "read -r line; i=0; while :; do i=$((i + 1)); echo $i; done";
    let launch = Launch::from_words(vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()]).unwrap();
    let (count, control) = (Arc::new(AtomicUsize::new(0)), ProcessControl::default());
    assert_eq!(control.cpu().unwrap_err().to_string(), "the process is not running");
    let (lines, (sender, gone)) = (Arc::clone(&count), unbounded());
    let child = ChildProcess::spawn_controlled(&launch, Some(control.clone()), move |what, _| match what {
        ProcessOutput::Said(_) => _ = lines.fetch_add(1, Ordering::SeqCst),
        ProcessOutput::Absent(why) | ProcessOutput::Gone(why) => _ = sender.send(why),
    });
    let deadline = Instant::now() + Duration::from_secs(10);
    let wait_for = |done: &dyn Fn() -> bool| {
        while !done() {
            assert!(Instant::now() < deadline);
            std::thread::yield_now();
        }
    };
    wait_for(&|| control.is_at_rest().unwrap_or(false));
    child.writer().write("go");
    for _ in 0..20 {
        let before = count.load(Ordering::SeqCst);
        control.release().unwrap();
        wait_for(&|| count.load(Ordering::SeqCst) > before);
        control.hold().unwrap();
        let (heard, used) = (count.load(Ordering::SeqCst), control.cpu().unwrap());
        assert!(control.cpu().unwrap() == used && !control.is_at_rest().unwrap() && !control.has_children().unwrap());
        std::thread::yield_now();
        assert_eq!(count.load(Ordering::SeqCst), heard);
    }
    let heard = count.load(Ordering::SeqCst);
    child.kill();
    assert_eq!(gone.recv_timeout(Duration::from_secs(10)).unwrap(), "killed");
    assert_eq!(count.load(Ordering::SeqCst), heard, "nothing was left in the pipe");
    assert!(control.hold().is_err() && control.release().is_err());
}
