//! A small UCI and USI engine that plays the first legal move and misbehaves on request. The command-line flags of the
//! mock engine are documented in `Faults`.

mod faults;
mod habits;
mod moves;
mod planted;

use faults::Faults;
use habits::Habits;
use planted::Planted;
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum depth for which the engine prints `info` lines.
const DEEPEST: u32 = 20;

fn main() {
    let faults = match Faults::read(std::env::args().skip(1)) {
        Ok(faults) => faults,
        Err(error) => {
            eprintln!("mock-engine: {error}");
            exit(2);
        }
    };
    let (position, mouth) = (String::new(), Mouth::default());
    let habits = Habits::new(&faults);
    Engine {
        faults,
        habits,
        shogi: false,
        lines: 1,
        position,
        search: None,
        searches: 0,
        mouth,
        planted: Planted::default(),
    }
    .run();
}

/// Stdout, which the main thread and the search thread share.
#[derive(Clone, Default)]
struct Mouth(Arc<Mutex<()>>);

impl Mouth {
    fn say(&self, text: &str) {
        self.raw(format!("{text}\n").as_bytes());
    }

    /// Writes bytes to stdout, and exits if stdout is closed.
    fn raw(&self, bytes: &[u8]) {
        let _one_at_a_time = self.0.lock();
        let mut out = io::stdout();
        if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
            exit(0);
        }
    }
}

struct Search {
    stop: Sender<()>,
    thread: thread::JoinHandle<()>,
}

struct Engine {
    faults: Faults,
    habits: Habits,
    shogi: bool,
    /// The value of the option `MultiPV`.
    lines: usize,
    position: String,
    search: Option<Search>,
    searches: u32,
    mouth: Mouth,
    planted: Planted,
}

impl Engine {
    fn run(mut self) {
        if self.faults.dead_at_start {
            exit(3);
        }
        self.chatter();
        for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).trim().to_owned();
            self.hear(&line);
        }
        // Never exits, like an engine whose main thread does not notice that the input thread has ended.
        if self.faults.deaf_to_eof {
            loop {
                thread::park();
            }
        }
        exit(0);
    }

    /// Starts threads that print noise or end the process, if flags ask for them.
    fn chatter(&self) {
        if self.faults.stderr_flood {
            thread::spawn(|| {
                let line = "x".repeat(1_000);
                loop {
                    eprintln!("{line}");
                }
            });
        }
        if let Some(life) = self.faults.dies_after {
            thread::spawn(move || {
                thread::sleep(life);
                exit(4);
            });
        }
    }

    fn hear(&mut self, line: &str) {
        self.habits.note(line);
        self.planted.hear(line);
        match line.split_whitespace().next().unwrap_or_default() {
            "usi" if self.faults.uci_only => self.mouth.say("Unknown command: 'usi'. Type help for more information."),
            word @ ("uci" | "usi") => self.greet(word),
            "isready" => {
                self.ready();
                if self.faults.isready_resets {
                    self.position = "position startpos".to_owned();
                }
            }
            "ucinewgame" | "usinewgame" => thread::sleep(self.faults.slow_new_game),
            "position" => self.position = line.to_owned(),
            "go" => self.go(line),
            "stop" => self.stop(),
            "quit" if !self.faults.deaf_to_eof => exit(0),
            "setoption" => self.set_option(line),
            "quit" | "gameover" | "ponderhit" | "" => {}
            word => self.mouth.say(&format!("Unknown command: {word}")),
        }
    }

    fn greet(&mut self, word: &str) {
        self.shogi = word == "usi";
        if self.faults.dead_before_ok {
            self.mouth.say("id name mock");
            exit(5);
        }
        if self.faults.silent {
            return;
        }
        thread::sleep(self.faults.slow_start);
        let name = if self.faults.rude_name { rude_name() } else { "mock engine".to_owned() };
        self.mouth.say(&format!("id name {name}\nid author nobody"));
        let hash = if self.shogi { "USI_Hash" } else { "Hash" };
        self.mouth.say(&format!("option name {hash} type spin default 1 min 1 max 64"));
        let multipv = if self.faults.usi_multipv { "USI_MultiPV" } else { "MultiPV" };
        self.mouth.say(&format!("option name {multipv} type spin default 1 min 1 max 500"));
        self.habits.options().iter().for_each(|line| self.mouth.say(line));
        if let Some(variants) = &self.faults.variants {
            let names: Vec<&str> = variants.split(',').collect();
            let option = if self.shogi { "USI_Variant" } else { "UCI_Variant" };
            self.mouth.say(&format!(
                "option name {option} type combo default {} var {}",
                names[0],
                names.join(" var ")
            ));
        }
        if self.faults.planted {
            self.mouth.say(Planted::OPTION);
        }
        if !self.faults.standard_only {
            self.mouth.say("option name UCI_Chess960 type check default false");
        }
        self.mouth.say(&format!("{word}ok"));
    }

    fn set_option(&mut self, line: &str) {
        if self.faults.fixed_options {
            return;
        }
        self.habits.set_option(line);
        if let Some((_, value)) = line.split_once("MultiPV value ")
            && !self.faults.one_line
        {
            self.lines = value.trim().parse().unwrap_or(1);
        }
    }

    fn ready(&mut self) {
        let until = Instant::now() + std::mem::take(&mut self.faults.loads);
        while Instant::now() < until {
            self.mouth.say("");
            thread::sleep(Duration::from_millis(20));
        }
        if self.faults.missing_book {
            self.mouth.say("info string Error! : can't read file : book/standard_book.db");
        }
        if !self.faults.never_ready {
            self.mouth.say("readyok");
        }
    }

    fn go(&mut self, line: &str) {
        self.stop();
        if self.faults.deaf_to_go {
            return;
        }
        self.searches += 1;
        if self.faults.planted && self.planted.resigns(&self.position) {
            return self.mouth.say("bestmove resign");
        }
        let is_limited = ["nodes", "depth"].iter().any(|word| line.contains(word));
        if self.faults.exits_on_go || self.faults.dies_of_limits && is_limited {
            exit(0);
        }
        let (stop, stopped) = channel();
        let job = Job {
            habits: self.habits.clone(),
            faults: self.faults.clone(),
            mouth: self.mouth.clone(),
            shogi: self.shogi,
            lines: self.lines,
            position: self.position.clone(),
            go: line.to_owned(),
            dies: self.faults.dead_mid_search && self.searches.is_multiple_of(2),
        };
        self.search = Some(Search { stop, thread: thread::spawn(move || job.run(&stopped)) });
    }

    fn stop(&mut self) {
        if self.faults.deaf_to_stop {
            return;
        }
        if let Some(search) = self.search.take() {
            let _ = search.stop.send(());
            let _ = search.thread.join();
        }
    }
}

/// The data of a search, which runs in a thread of its own.
struct Job {
    habits: Habits,
    faults: Faults,
    mouth: Mouth,
    shogi: bool,
    lines: usize,
    position: String,
    go: String,
    dies: bool,
}

impl Job {
    fn run(&self, stopped: &Receiver<()>) {
        if self.go.starts_with("go mate") && !self.faults.plays_mates {
            return self.solve(stopped);
        }
        let moves = moves::legal(self.shogi, &self.position, &self.go);
        if let Some(first) = moves.first().filter(|_| self.habits.knows(&self.position)) {
            return self.answer(Some(first));
        }
        if self.faults.garbage {
            self.mouth
                .raw(b"\xff\xfe\x00info score cp \x80\x81 pv \xc3\x28\nbestmove\n\x1b[31minfo depth depth depth\n");
        }
        if self.faults.huge_lines {
            self.mouth.say(&format!("info string {}", "y".repeat(3 << 20)));
            self.mouth.say(&format!("info depth 1 score cp 0 pv{}", " e2e4".repeat(50_000)));
        }
        if !moves.is_empty() {
            self.think(&moves, stopped);
        }
        self.answer(moves.first().map(String::as_str));
    }

    fn solve(&self, stopped: &Receiver<()>) {
        if self.faults.overstays {
            let _ = stopped.recv();
        }
        self.mouth.say(&format!("checkmate {}", self.faults.checkmate.as_deref().unwrap_or("notimplemented")));
    }

    /// Prints `info` lines until the search is stopped or reaches a limit of the `go`.
    fn think(&self, moves: &[String], stopped: &Receiver<()>) {
        let infinite = self.go.contains("infinite") || self.go.contains("mate") || self.faults.ignores_limits;
        let most = if self.faults.ignores_limits { None } else { number_after(&self.go, "nodes") };
        let deepest = if self.faults.ignores_limits { None } else { number_after(&self.go, "depth") };
        let pause = if self.faults.flood { Duration::from_micros(100) } else { Duration::from_millis(2) };
        let began = Instant::now();
        if self.faults.planted {
            return;
        }
        if self.faults.ends_early {
            return self.report(3, 100, began, moves);
        }
        for round in 0_u32.. {
            if self.dies && round == 3 {
                exit(6);
            }
            let depth = (round + 1).min(DEEPEST);
            let depth = deepest.map_or(depth, |most| depth.min(u32::try_from(most).unwrap_or(DEEPEST)));
            let talks_on = began.elapsed() < self.faults.talks;
            let is_heard = self.habits.reports_at(began.elapsed());
            if is_heard && (round < DEEPEST || self.faults.flood || self.faults.burns || talks_on) {
                let nodes = u64::from(round) * 1_000;
                self.report(depth, most.map_or(nodes, |most| nodes.min(most)), began, moves);
            }
            if !infinite && round > DEEPEST && !talks_on {
                return;
            }
            if self.faults.burns {
                burn();
                if stopped.try_recv().is_ok() {
                    return;
                }
                continue;
            }
            if stopped.recv_timeout(pause).is_ok() {
                return;
            }
        }
    }

    fn report(&self, depth: u32, nodes: u64, began: Instant, moves: &[String]) {
        let time = began.elapsed().as_millis();
        let depth = if self.faults.absurd_depths { 99_999_999 } else { depth };
        let pv = match &self.faults {
            faults if faults.illegal_pv => "a1a8 h1h8",
            faults if faults.null_pv => "0000",
            _ => &moves[0],
        };
        let score = match &self.faults {
            faults if faults.absurd_scores => "mate 1",
            faults if faults.mate_sign => "mate +",
            _ => "cp 10",
        };
        if self.lines > 1 {
            return self.report_lines(depth, nodes, moves);
        }
        let line =
            format!("info depth {depth} seldepth {depth} score {score} nodes {nodes} nps 1000 time {time} pv {pv}\n");
        if self.faults.half_lines {
            let (head, tail) = line.split_at(line.len() / 2);
            self.mouth.raw(head.as_bytes());
            thread::sleep(Duration::from_millis(1));
            self.mouth.raw(tail.as_bytes());
        } else {
            self.mouth.raw(line.as_bytes());
        }
    }

    /// Prints one `info` line for each of the `MultiPV` best moves, whose scores fall by 15 centipawns from one to the
    /// next.
    fn report_lines(&self, depth: u32, nodes: u64, moves: &[String]) {
        for (rank, text) in moves.iter().enumerate().take(self.lines) {
            let score =
                if self.faults.absurd_scores { "mate 1".to_owned() } else { format!("cp {}", 10 - 15 * rank as i32) };
            self.mouth.say(&format!("info depth {depth} multipv {} score {score} nodes {nodes} pv {text}", rank + 1));
        }
    }

    fn answer(&self, best: Option<&str>) {
        if self.faults.no_bestmove {
            return;
        }
        let odd = self.faults.odd_bestmove.as_deref();
        let line = format!("bestmove {}", odd.or(best).unwrap_or("(none)"));
        self.mouth.say(&line);
        if self.faults.two_bestmoves {
            self.mouth.say(&line);
        }
    }
}

fn rude_name() -> String {
    format!("rude \x1b[2J\x1b[1;1H\r{}", "n".repeat(20_000))
}

fn number_after(go: &str, word: &str) -> Option<u64> {
    go.split(' ').skip_while(|other| *other != word).nth(1)?.parse().ok()
}

/// Uses as much CPU time as a search of a thousand nodes.
fn burn() {
    let mut number = 1_u64;
    for _ in 0..500_000 {
        number = std::hint::black_box(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
}
