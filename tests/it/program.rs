//! Runs the real executable, connected by pipes, so that tests can check its behaviour.

use crossbeam_channel::{Receiver, unbounded};
use hasami_api::{Game, Moves, Start};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Time limit for every answer, which only a broken program reaches, even under load.
pub const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// The environment variable that identifies the descendants of a program under test.
const TAG: &str = "HASAMI_TEST_TAG";

pub struct Program {
    pub process: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    deaf: Arc<AtomicBool>,
    /// All lines that the program has printed so far.
    pub said: Vec<String>,
    tag: String,
}

impl Program {
    pub fn start() -> Self {
        let (variable, tag) = new_tag();
        let mut process = Command::new(crate::program_for(""))
            .env(variable, &tag)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (sender, lines) = unbounded();
        let stdout = BufReader::new(process.stdout.take().unwrap());
        let deaf = Arc::new(AtomicBool::new(false));
        let reads = Arc::clone(&deaf);
        std::thread::spawn(move || {
            let lines = stdout.lines().map_while(Result::ok);
            lines.take_while(|_| !reads.load(Ordering::Relaxed)).try_for_each(|line| sender.send(line))
        });
        Self { stdin: process.stdin.take(), process, lines, deaf, said: Vec::new(), tag }
    }

    /// Starts the program, sends the greeting, and sets the number of threads and the children file.
    pub fn with_children(greeting: &str, children: &Path, threads: u32) -> Self {
        let mut program = Self::start();
        program.tell(greeting);
        program.expect(&format!("{greeting}ok"));
        program.tell(&format!("setoption name Threads value {threads}"));
        program.tell(&format!("setoption name Children value {}", children.display()));
        program
    }

    /// Sends a line, which is ignored if the program has ended.
    pub fn tell(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        let _ = writeln!(stdin, "{line}").and_then(|()| stdin.flush());
    }

    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Stops reading the program's output after the next line and closes the pipe.
    pub fn close_stdout(&mut self) {
        self.deaf.store(true, Ordering::Relaxed);
    }

    /// Waits for a line that begins with `start`. All lines up to the one that is found are kept in `said`.
    pub fn expect(&mut self, start: &str) -> String {
        let deadline = Instant::now() + ANSWER_LIMIT;
        loop {
            let Ok(line) = self.lines.recv_deadline(deadline) else {
                panic!("expected '{start}', found nothing; before: {:#?}", self.said);
            };
            self.said.push(line.clone());
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Searches a position. Returns the move and the time until it was printed, after checking that only one `bestmove`
    /// was printed.
    pub fn best_move(&mut self, position: &str, go: &str) -> (String, Duration) {
        self.tell(position);
        self.tell("isready");
        self.expect("readyok");
        let before = self.said.len();
        let began = Instant::now();
        self.tell(go);
        let line = self.expect("bestmove ");
        let took = began.elapsed();
        self.tell("isready");
        self.expect("readyok");
        let count = self.said[before..].iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(count, 1, "expected exactly one bestmove: {:#?}", &self.said[before..]);
        (line.split_whitespace().nth(1).unwrap().to_owned(), took)
    }

    /// Sends `quit`. The program must end by itself and leave no process behind.
    pub fn quit(mut self) {
        self.tell("quit");
        self.wait_gone();
    }

    /// Waits until the program and all processes that it has started have ended.
    pub fn wait_gone(&mut self) {
        let deadline = Instant::now() + ANSWER_LIMIT;
        while self.process.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "the program is still running");
            std::thread::park_timeout(Duration::from_millis(2));
        }
        loop {
            let left = self.descendants();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "left behind: {left:#?}");
            std::thread::park_timeout(Duration::from_millis(2));
        }
    }

    /// Returns the command lines of the running processes that belong to this program. (Zombies have no environment.)
    pub fn descendants(&self) -> Vec<String> {
        tagged(&self.tag)
    }

    /// Returns the `/proc` folders of running processes that belong to this program.
    pub fn processes(&self) -> Vec<PathBuf> {
        folders(&self.tag)
    }
}

/// Returns an environment variable with a unique value, to mark a program and its descendants.
pub fn new_tag() -> (&'static str, String) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    (TAG, format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
}

/// Returns the command lines of the running processes whose environment contains `tag`.
pub fn tagged(tag: &str) -> Vec<String> {
    let command = |folder: PathBuf| std::fs::read_to_string(folder.join("cmdline")).unwrap_or_default();
    folders(tag).into_iter().map(command).map(|line| line.replace('\0', " ")).collect()
}

/// Returns the `/proc` folders of running processes whose environment contains `tag`. (Zombies have no environment.)
pub fn folders(tag: &str) -> Vec<PathBuf> {
    let wanted = format!("{TAG}={tag}");
    let is_tagged = |folder: &PathBuf| {
        let environment = std::fs::read(folder.join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    folders.filter(is_tagged).collect()
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub fn mock(flags: &str) -> String {
    format!("'{}' {flags}", crate::mock_engine())
}

pub fn children_file(folder: &Path, commands: &[String]) -> PathBuf {
    let entry = |command: &String| format!("[[engine]]\ncommand = \"\"\"{command}\"\"\"\nstart_seconds = 2\n");
    let path = folder.join("children.toml");
    std::fs::write(&path, commands.iter().map(entry).collect::<String>()).unwrap();
    path
}

/// A game between the program and the test, which answers the program's moves.
pub struct Board<G: Game> {
    game: G,
    moves: Vec<String>,
}

impl<G: Game> Board<G> {
    pub fn new() -> Self {
        Self { game: G::new(&Start::default()).unwrap(), moves: Vec::new() }
    }

    pub fn position(&self) -> String {
        let moves = self.moves.join(" ");
        if moves.is_empty() { "position startpos".to_owned() } else { format!("position startpos moves {moves}") }
    }

    /// Plays a move; fails if the move is illegal.
    pub fn play(&mut self, text: &str) {
        let m = self.game.parse_move(text).unwrap_or_else(|error| panic!("{}: {error}", self.position()));
        self.game.make(m);
        self.moves.push(text.to_owned());
    }

    /// Plays the last move in the list of legal moves. Returns false if the game is over after this move.
    pub fn reply(&mut self) -> bool {
        let mut legal = Moves::new();
        self.game.legal_moves(&mut legal);
        let Some(&m) = legal.last() else { return false };
        let text = self.game.format_move(m).to_string();
        self.play(&text);
        self.game.count_moves() > 0
    }
}
