//! Runs the engine on stdin and stdout, by [`Driver`]. In a session, only this module writes to stdout.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod console;
mod lines;
mod live;
mod platform;
mod record;
mod turns;

use console::Console;
use crossbeam_channel::never;
use hasami_api::{Line, Rules, Start};
use hasami_catalog::{Catalog, Games};
use hasami_protocol::option::Effect;
use hasami_protocol::{Command, OptionError, Output, PositionError, Protocol, Settings, TypedLine};
use hasami_workers::driver::{Driver, WorkerNotice};
use live::LivePage;
use record::Record;
use std::io::{self, IsTerminal, Read, Write};
use std::time::{Duration, Instant};
use turns::{Outlook, Served};

/// `readyok` waits this long for child engines to start. GUIs wait for `readyok` for 10 s or more. For this program's
/// own threads, which prepare their memory, another limit applies.
const STAFFING: Duration = Duration::from_millis(1_000);

/// As long as no engine can play, `readyok` waits this long: a child engine that is still reading its network would
/// miss the first moves.
const STAFFING_ALONE: Duration = Duration::from_millis(8_000);

/// Commands that are understood before a game is chosen.
const KNOWN_BEFORE: [&str; 2] = ["setoption", "isready"];

/// Serves UCI or USI until `quit` or the end of `input`. The first greeting chooses the game; without a greeting, the
/// first game is used.
pub fn run(games: Games, input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    serve(Session::new(games, output), input)
}

fn serve(session: Session<impl Write + Send + 'static>, input: impl Read + Send + 'static) -> io::Result<()> {
    turns::serve(session, input, Session::end)
}

/// Runs a session on this process's stdin and stdout.
pub fn run_stdio(games: Games) -> io::Result<()> {
    if io::stdin().is_terminal() {
        let words = greetings(games).join(" or ");
        eprintln!("hasami: type {words}, 'quit' to leave; 'hasami help' shows what else there is");
    }
    platform::sharpen_timers();
    let session = Session { is_console: io::stdin().is_terminal(), ..Session::new(games, io::stdout()) };
    serve(session, io::stdin())
}

/// Lists each protocol's greeting and games, such as `'uci' for chess`.
fn greetings(games: Games) -> Vec<String> {
    let protocols = [Protocol::Uci, Protocol::Usi].into_iter();
    let by_protocol =
        protocols.map(|protocol| (protocol, games.speaking(protocol).map(|game| game.name()).collect::<Vec<_>>()));
    let spoken = by_protocol.filter(|(_, names)| !names.is_empty());
    spoken.map(|(protocol, names)| format!("'{protocol}' for {}", names.join(" and "))).collect()
}

/// State of a session after a game has been chosen.
struct ChosenGame {
    catalog: &'static dyn Catalog,
    driver: Driver,
}

struct Session<W: Write> {
    games: Games,
    output: OutputWriter<W>,
    game: Option<ChosenGame>,
    /// `setoption` lines that arrived before the game was chosen.
    early: Vec<String>,
    live: LivePage,
    /// Whether the input is a terminal.
    is_console: bool,
    /// Arrival time of an `isready` that has not been answered by `readyok` yet.
    owed: Option<Instant>,
    over: bool,
}

/// Writes to stdout, and copies the output to the log file.
struct OutputWriter<W: Write> {
    output: W,
    record: Record,
    /// Whether the reader of stdout has closed the pipe.
    broken: bool,
}

impl<W: Write> OutputWriter<W> {
    /// Writes lines and flushes them.
    fn say(&mut self, text: &str) {
        self.record.said(text);
        let written = self.output.write_all(format!("{text}\n").as_bytes()).and_then(|()| self.output.flush());
        self.broken |= written.is_err();
    }
}

impl<W: Write + Send + 'static> Served for Session<W> {
    type Notice = WorkerNotice;

    /// Handles an input line. The end of input is treated like `quit`.
    fn line(&mut self, line: Option<&str>) {
        match line {
            _ if self.over => {}
            Some(line) => self.on_line(line),
            None => self.over = true,
        }
    }

    fn notice(&mut self, notice: WorkerNotice) {
        self.drive(|driver, say| driver.notice(notice, say));
        self.conclude();
    }

    fn alarm(&mut self) {
        self.drive(Driver::tick);
        self.conclude();
    }

    fn outlook(&self) -> Option<Outlook<WorkerNotice>> {
        if self.over {
            return None;
        }
        let driver = self.game.as_ref().map(|game| &game.driver);
        let notices = driver.map_or_else(never, |driver| driver.notices().clone());
        let due = [driver.and_then(Driver::due), self.owed_by(), self.live.due()].into_iter().flatten().min();
        Some(Outlook { notices, due })
    }
}

impl<W: Write> Session<W> {
    fn new(games: Games, output: W) -> Self {
        let output = OutputWriter { output, record: Record::default(), broken: false };
        Self {
            games,
            output,
            game: None,
            early: Vec::new(),
            live: LivePage::default(),
            is_console: false,
            owed: None,
            over: false,
        }
    }

    fn on_line(&mut self, line: &str) {
        self.output.record.heard(line);
        if line == lines::TOO_LONG {
            return self.tell_too_long();
        }
        if self.answers_person(line) {
            return;
        }
        let first = line.split_ascii_whitespace().next().unwrap_or_default();
        if let Some(catalog) = self.games.greeted(first) {
            return self.greet(catalog);
        }
        if self.game.is_none() && !self.begin_without_greeting(line, first) {
            if !self.over && !KNOWN_BEFORE.contains(&first) {
                self.report_unknown_line(line);
            }
            return;
        }
        if let Some(game) = &self.game {
            let command = game.catalog.protocol().parse(line);
            if command == Command::Unknown {
                self.report_unknown_line(line);
            }
            self.command(command);
        }
    }

    /// Reports an input line that is too long; works before a game is chosen.
    fn tell_too_long(&mut self) {
        let why =
            format!("expected a line of at most {} bytes, found a longer one; ignored up to its end", lines::LONGEST);
        match &self.game {
            Some(_) => self.say(Output::Message(why)),
            None => self.output.say(&format!("info string {}", why)),
        }
    }

    /// Reports an unknown command if a person typed it; from a program, ignores it, as the protocols require.
    fn report_unknown_line(&mut self, line: &str) {
        if self.is_console && !line.trim().is_empty() {
            self.output.say(&console::unknown(line));
        }
    }

    /// Answers the commands for people: help, the position, and its evaluation.
    fn answers_person(&mut self, line: &str) -> bool {
        let settings = Settings::default();
        let (catalog, settings) = match &self.game {
            Some(game) => (game.catalog, game.driver.settings()),
            None => (self.games.first(), &settings),
        };
        let usual = Line::default();
        let position = self.game.as_ref().map_or(Some(&usual), |game| game.driver.position());
        let console = Console { games: self.games, catalog, settings, line: position };
        let answer = console.answer(line);
        if let Some(answer) = &answer {
            self.output.say(answer);
        }
        answer.is_some()
    }

    /// Handles a line before the greeting: keeps options until a game is chosen, answers `isready`; at a position or
    /// search command, chooses the first game.
    fn begin_without_greeting(&mut self, line: &str, first: &str) -> bool {
        match first {
            "setoption" => self.early.push(line.to_owned()),
            "isready" => self.output.say("readyok"),
            "quit" => self.over = true,
            "position" | "go" | "ucinewgame" => {
                self.choose(self.games.first(), Settings::default());
                return true;
            }
            _ => {}
        }
        false
    }

    fn greet(&mut self, catalog: &'static dyn Catalog) {
        let protocol = catalog.protocol();
        if self.game.as_ref().is_none_or(|game| game.catalog.protocol() != protocol) {
            self.choose(catalog, Settings::default());
        }
        if let Some(game) = &self.game {
            let text = self.games.introduce(game.catalog, game.driver.settings());
            self.output.say(&text);
        }
    }

    /// Writes all pending output of the current game, and switches to another game.
    fn choose(&mut self, catalog: &'static dyn Catalog, settings: Settings) {
        if self.owed.is_some() {
            self.ready();
        }
        if self.game.as_ref().is_some_and(|game| game.driver.is_searching()) {
            self.drive(|driver, say| driver.command(Command::Stop, say));
        }
        self.game = Some(ChosenGame {
            catalog,
            driver: Driver::new(catalog, settings).in_clusters(hasami_remote::cluster::join),
        });
        self.live.change_game(catalog);
        for line in std::mem::take(&mut self.early) {
            self.command(catalog.protocol().parse(&line));
        }
    }

    fn command(&mut self, command: Command) {
        if self.owed.is_some() && command != Command::Unknown {
            self.ready();
        }
        let command = self.in_protocol_notation(command);
        self.live.command(&command);
        match command {
            Command::Quit => self.over = true,
            Command::IsReady => self.is_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Bad(why) => self.say(Output::Message(why)),
            Command::Debug(on) => log::set_max_level(if on { log::LevelFilter::Debug } else { log::LevelFilter::Warn }),
            Command::Hello | Command::Unknown => {}
            command => self.drive(|driver, say| driver.command(command, say)),
        }
        self.conclude();
    }

    /// Converts moves that a person has typed to the protocol's notation. Leaves unreadable moves unchanged, so that
    /// the manager reports them.
    fn in_protocol_notation(&self, command: Command) -> Command {
        let Some(ChosenGame { catalog, driver }) = &self.game else { return command };
        match command {
            Command::TypedPosition(TypedLine { start, moves }) => {
                let start = Start { rules: driver.settings().rules, ..start };
                let read = catalog.typed_line(&Line { start, moves: Vec::new() }, &moves);
                read.map_or_else(|why| Command::BadPosition(PositionError::Rules(why.to_string())), Command::Position)
            }
            Command::Go(mut go) => {
                if let (Some(unread), Some(line)) = (&mut go.unread, driver.position()) {
                    let read = |text: &str| catalog.typed_line(line, text).ok()?.moves.get(line.moves.len()).copied();
                    unread.moves.retain(|text| {
                        let found = read(text);
                        go.search_moves.extend(found);
                        found.is_none()
                    });
                }
                Command::Go(go)
            }
            command => command,
        }
    }

    /// Handles `isready`. Sends `readyok` at once if a search is running or the workers are ready; otherwise, gives new
    /// workers time to start.
    fn is_ready(&mut self) {
        self.drive(Driver::staff);
        self.drive(|driver, _| driver.begin_game_of_children());
        self.owed = Some(Instant::now());
    }

    /// Returns when an owed `readyok` must be sent even if workers are missing. Returns `None` if no `readyok` is owed,
    /// or if threads must prepare their memory first.
    fn owed_by(&self) -> Option<Instant> {
        let (since, driver) = (self.owed?, &self.game.as_ref()?.driver);
        let timeout = if driver.has_ready_players() { STAFFING } else { STAFFING_ALONE };
        (!driver.is_preparing()).then_some(since + timeout)
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let Some(game) = &self.game else { return };
        let mut settings = game.driver.settings().clone();
        let catalog = game.catalog;
        let options = catalog.options();
        if let Some(chosen) = self.games.chosen(options.protocol, name, value) {
            return self.change_game(chosen, settings);
        }
        match options.apply(&mut settings, name, value) {
            Ok(Effect::Changed) => {
                if let Err(why) = self.output.record.reopen(settings.debug_log_file.as_deref()) {
                    self.say(Output::Message(why));
                }
                if let Some(message) = self.live.set(&settings.web_page, catalog) {
                    self.say(Output::Message(message));
                }
                self.drive(|driver, say| driver.configure(settings, say));
            }
            Ok(Effect::ClearHash) => self.drive(|driver, _| driver.clear_hash()),
            Ok(Effect::Same) => {}
            Err(why) => self.ignore(&why),
        }
    }

    /// Reports a `setoption` that is ignored.
    fn ignore(&mut self, why: &OptionError) {
        self.say(Output::Message(format!("setoption: {why}; ignored")));
    }

    /// Switches to another game of the same protocol, keeping all settings except the rules.
    fn change_game(&mut self, chosen: Result<&'static dyn Catalog, OptionError>, settings: Settings) {
        match chosen {
            Ok(catalog) if self.game.as_ref().is_some_and(|game| game.catalog.name() == catalog.name()) => {}
            Ok(catalog) => self.choose(catalog, Settings { rules: Rules::default(), ..settings }),
            Err(why) => self.ignore(&why),
        }
    }

    /// Called after every event: sends a `readyok` that has become due, and ends the session if stdout is closed.
    fn conclude(&mut self) {
        let is_due = |session: &Self| session.owed_by().is_some_and(|due| due <= Instant::now());
        if is_due(self) {
            self.drive(Driver::call_fallback_worker);
        }
        if let (Some(_), Some(ChosenGame { driver, .. })) = (self.owed, &self.game)
            && (driver.is_staffed() || driver.is_searching() || is_due(self))
        {
            self.ready();
        }
        if let Some(game) = &self.game {
            self.live.show_if_due(&game.driver);
        }
        self.over |= self.output.broken;
    }

    fn ready(&mut self) {
        self.owed = None;
        self.drive(|driver, _| driver.wait_no_longer());
        self.say(Output::ReadyOk);
    }

    fn say(&mut self, output: Output) {
        if let Some(game) = &self.game {
            let text = game.catalog.protocol().format(&output);
            self.output.say(&text);
        }
    }

    fn drive(&mut self, what: impl FnOnce(&mut Driver, &mut dyn FnMut(Output))) {
        let Some(ChosenGame { catalog, driver }) = &mut self.game else { return };
        let (writer, live) = (&mut self.output, &mut self.live);
        what(driver, &mut |output| {
            live.hear(&output);
            writer.say(&catalog.protocol().format(&output));
        });
    }

    fn end(&mut self) {
        if let Some(mut game) = self.game.take() {
            game.driver.end();
        }
    }
}
