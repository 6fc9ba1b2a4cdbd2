//! `hasami analyse`: searches one position and shows the master tree, or judges every move of a game.

mod files;
mod game;
mod screen;
mod search;
mod view;
mod watch;

use super::cluster::ClusterArgs;
use super::interrupt::Interrupt;
use super::notation::NotationArgs;
use super::web::{self, WebArgs};
use files::OutputFile;
use game::GameArgs;
use hasami_api::Line;
use hasami_catalog::{Catalog, Games, Speaker};
use hasami_protocol::settings::Parallel;
use hasami_protocol::{Go, Settings};
use hasami_terminal::Failure;
use hasami_terminal::options;
use hasami_terminal::place::PositionArgs;
use hasami_terminal::values;
use hasami_tree::Snapshot;
use hasami_web::SearchPage;
use hasami_words::Words;
use hasami_workers::children::{self, ChildSpec};
use hasami_workers::driver::Driver;
use screen::Screen;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Analyse a position (show the master tree, then the answer) or a game record (judge every move)
///
/// By default, threads search the position together, and the terminal shows the root and the depth of each thread. With
/// child engines or `--tree`, the search grows a tree of positions.
///
/// Ctrl-C ends the search and prints the answer. Scores are in pawns (shogi: centipawns); `+#3` is a mate in 3, counted
/// in moves in chess and in plies in shogi. In the tree and in the picture, scores are for the side to move at the
/// root.
#[derive(clap::Args)]
pub struct Analyse {
    #[command(flatten)]
    game: GameArgs,

    #[command(flatten)]
    place: PositionArgs,

    /// Moves from the start position, as in `e2e4 e7e5` or `7g7f 3c3d`, or in the notation of players
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,

    /// Search time in seconds [default: 5, or 1 for each position of a game; no limit with --nodes or --depth]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    time: Option<Duration>,

    /// Stop after this many nodes of all workers together
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_negative_numbers = true)]
    nodes: Option<u64>,

    /// Stop at this depth, in plies
    #[arg(long, value_name = "N", value_parser = values::depth, allow_negative_numbers = true)]
    depth: Option<u16>,

    /// Number of lines to show, each with a different first move
    #[arg(long, value_name = "N", value_parser = values::lines, allow_negative_numbers = true)]
    multipv: Option<u32>,

    /// Number of search threads, at most 1024 [default: one per core; none with child engines or a cluster]
    #[arg(long, value_name = "N", value_parser = values::workers, allow_negative_numbers = true)]
    workers: Option<u32>,

    /// Grow a tree of positions, each searched by its own worker, and explain why moves that look as good as the answer
    /// were not chosen
    #[arg(long)]
    tree: bool,

    /// Command line of a child engine (may be repeated)
    #[arg(long = "child", value_name = "COMMAND")]
    commands: Vec<String>,

    /// TOML file that lists child engines
    #[arg(long, value_name = "FILE")]
    children: Option<PathBuf>,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// An engine option (may be repeated)
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,

    #[command(flatten)]
    notation: NotationArgs,

    #[command(flatten)]
    web: WebArgs,

    /// Write a picture of the tree, or the curve of winning chances of a game; `-`: to stdout, with everything else on
    /// stderr
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the tree as JSON; scores are for the side to move at each node; `-`: to stdout
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The terminal screen, the web page (if requested), and the messages in the user's language.
type Displays = (Screen, Option<SearchPage>, &'static Words);

/// Whether the answer could be printed, the search's last tree, and the web page (if requested).
type Searched = (Result<(), Failure>, Snapshot, Option<SearchPage>);

impl Analyse {
    /// Analyses the position or the game. The answer is printed before files are written, so that a full disk does not
    /// lose the answer.
    pub fn run(&self, games: Games, words: &'static Words, out: &mut impl Write) -> Result<(), Failure> {
        if self.game.is_given() {
            return self.run_game(games, words, out);
        }
        let (catalog, line) = self.place.line(games, &self.moves)?;
        let settings = self.settings(catalog)?;
        self.check_workers(catalog, &settings)?;
        let (svg, json) = self.targets()?;
        let mut driver = Driver::new(catalog, settings).in_clusters(hasami_remote::cluster::join);
        let mut err = io::stderr();
        // If a requested file goes to stdout, all other output goes to stderr, so that programs can read the file.
        let text_out: &mut dyn Write = if self.fills_stdout() { &mut err } else { &mut *out };
        let displays = self.displays(catalog, words, text_out)?;
        let interrupt = Interrupt::listen();
        let (concluded, tree, page) = self.search(&mut driver, &line, displays, &interrupt, text_out)?;
        let written = svg.map_or(Ok(()), |target| target.write(&tree.to_svg(words), out));
        let written = written.and(json.map_or(Ok(()), |target| target.write(&tree.to_json(), out)));
        concluded.and(written)?;
        Ok(web::stay(page, &interrupt, out)?)
    }

    fn search(
        &self,
        driver: &mut Driver,
        line: &Line,
        displays: Displays,
        interrupt: &Interrupt,
        mut out: &mut dyn Write,
    ) -> Result<Searched, Failure> {
        let speaker = Speaker::at(driver.catalog(), line, self.notation.notation());
        let go = self.go(Duration::from_secs(5));
        let outcome = search::run(driver, line, &go, interrupt, (displays, speaker), &mut out);
        driver.end();
        let (watch, tree) = outcome?;
        if self.tree {
            watch.show_tree(&tree, &mut out)?;
        }
        let concluded = watch.conclude(self.nodes, &mut out);
        let concluded = concluded.and_then(|()| if self.tree { Ok(watch.explain(&tree, &mut out)?) } else { Ok(()) });
        match concluded {
            Err(Failure::NoAnswer(why)) => Err(Failure::NoAnswer(why)),
            concluded => Ok((
                concluded,
                Snapshot { answer: watch.answer_line(), lines: watch.lines(), ..tree },
                watch.into_page(),
            )),
        }
    }

    /// Opens the screen and the web page, and prints the address of the page.
    fn displays(
        &self,
        catalog: &'static dyn Catalog,
        words: &'static Words,
        text_out: &mut dyn Write,
    ) -> Result<Displays, Failure> {
        let page = self.web.open()?;
        page.as_ref().map_or(Ok(()), |page| web::announce(page, text_out))?;
        let is_terminal = if self.fills_stdout() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
        let screen = if self.game.is_given() { Screen::of_many(is_terminal) } else { Screen::new(is_terminal) };
        Ok((screen, page.map(|page| SearchPage::new(page, catalog)), words))
    }

    fn fills_stdout(&self) -> bool {
        let has_record = self.game.fills_stdout();
        has_record || [&self.svg, &self.json].into_iter().flatten().any(|path| files::is_stdout(path))
    }

    fn settings(&self, catalog: &dyn Catalog) -> Result<Settings, Failure> {
        let mut settings = Settings {
            threads: self.threads(),
            child_commands: self.commands.clone(),
            children: self.children.clone(),
            analyse_mode: true,
            rules: self.place.rules(),
            ..Settings::default()
        };
        self.check_options()?;
        self.cluster.put_into(&mut settings)?;
        options::set(&mut settings, catalog, &self.options)?;
        if let Some(lines) = self.multipv {
            settings.multi_pv = lines as u16;
        }
        if self.tree {
            settings.parallel = Parallel::Tree;
        }
        Ok(settings)
    }

    /// Rejects `--option` for settings that also have a command-line argument, because they could be set twice.
    fn check_options(&self) -> Result<(), Failure> {
        let said = [
            ("Threads", "--workers", self.workers.is_some()),
            ("Children", "--children", self.children.is_some()),
            ("Parallel", "--tree", self.tree),
            ("MultiPV", "--multipv", self.multipv.is_some()),
        ];
        for (option, argument, _) in said.iter().filter(|said| said.2) {
            let is_same = |word: &&String| word.split('=').next().is_some_and(|name| name.eq_ignore_ascii_case(option));
            if let Some(word) = self.options.iter().find(is_same) {
                return Err(Failure::at("--option", format!("'{word}' cannot be combined with {argument}")));
            }
        }
        Ok(())
    }

    fn threads(&self) -> u32 {
        let cores = values::cores();
        let has_children = self.children.is_some() || !self.commands.is_empty() || self.cluster.membership().is_some();
        self.workers.unwrap_or(if has_children { 0 } else { cores })
    }

    /// Checks the settings of the workers without starting any.
    fn check_workers(&self, catalog: &dyn Catalog, settings: &Settings) -> Result<(), Failure> {
        let protocol = catalog.protocol();
        let mut players = settings.threads as usize;
        let mut has_cluster = !settings.cluster.is_empty();
        for command in &self.commands {
            ChildSpec::from_command(command).map_err(|e| Failure::at("--child", e))?;
            players += 1;
        }
        if let Some(file) = &settings.children {
            let found = children::read(file).map_err(|e| Failure::at("--children", e))?;
            has_cluster |= found.cluster.is_some();
            players += found.engines.iter().filter(|child| child.speaks(protocol)).count();
        }
        if players == 0 && !has_cluster {
            let found = match settings.children {
                Some(_) => "no child engine speaks this game's protocol",
                None => "--workers 0",
            };
            return Err(Failure::bad_input(format!("no thread and no child engine can search: {found}")));
        }
        Ok(())
    }

    fn targets(&self) -> Result<(Option<OutputFile>, Option<OutputFile>), Failure> {
        let open =
            |option, path: &Option<PathBuf>| path.as_ref().map(|path| OutputFile::open(option, path)).transpose();
        if self.svg.is_some() && self.svg == self.json {
            return Err(Failure::at("--svg, --json", "both name the same file"));
        }
        Ok((open("--svg", &self.svg)?, open("--json", &self.json)?))
    }

    /// Returns the limits of the search; `usual` is the default time limit.
    fn go(&self, usual: Duration) -> Go {
        let is_limited = self.nodes.is_some() || self.depth.is_some();
        let time = self.time.or((!is_limited).then_some(usual));
        Go { move_time: time, nodes: self.nodes, depth: self.depth, ..Go::default() }
    }
}
