//! `hasami data`: processes files of games and of labelled positions.

mod tally;

use super::selfplay::settings;
use hasami_catalog::{Catalog, Games};
use hasami_matches::report;
use hasami_selfplay::{in_order, rescorer, seed_of_game};
use hasami_terminal::{Failure, values};
use hasami_training::{
    Filter, FormatError, Positions, PositionsError, SelfPlayGame, TrainingFormats, parse_line, shuffle,
};
use hasami_words::files::{self, WholeFile};
use hasami_words::text::At;
use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Size in bytes of a part that is shuffled in memory.
const PART: usize = 2 << 30;

/// Number of bytes of a game file that are read at once.
const BLOCK: u64 = 1 << 20;
/// Maximum size of a game in bytes; a longer one is invalid.
const LONGEST_GAME: usize = 4 << 20;

/// Count, show, filter, shuffle and rescore the games and positions that networks learn from
///
/// The extension of a file decides its format: .viri for games of chess, .pack for games of shogi, .bullet for
/// positions of chess, .psv for positions of shogi.
#[derive(clap::Args)]
pub struct Data {
    #[command(subcommand)]
    job: Job,
}

#[derive(clap::Subcommand)]
enum Job {
    /// Count games, positions, results and scores
    ///
    /// Results of games are for the first player, those of positions for the side to move.
    Count {
        /// Files of games or positions
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print positions, or games with their scores, as text
    ///
    /// A position is a line that `import` reads, with score and result for the first player. Each move of a game has
    /// its score for the side that makes it.
    Show {
        /// A file of games or positions
        file: PathBuf,

        /// Index of the first game or position to show, counted from 0
        #[arg(long, value_name = "N", default_value_t = 0)]
        from: usize,

        /// Number of games or positions to show
        #[arg(long, value_name = "N", default_value_t = 10)]
        count: usize,
    },
    /// Extract positions from games; by default only quiet ones, without checks, captures and promotions
    Extract {
        /// Files of games
        #[arg(required = true, value_name = "FILE")]
        games: Vec<PathBuf>,

        /// The file of positions to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,

        /// Also extract positions in check
        #[arg(long)]
        checks: bool,

        /// Also extract positions whose move captures or promotes
        #[arg(long)]
        noisy: bool,

        /// Keep only positions whose score is within this many centipawns
        #[arg(long, value_name = "CP", default_value_t = Filter::default().most_score)]
        most_score: u16,

        /// Leave out the first plies of each game
        #[arg(long, value_name = "N", default_value_t = 0)]
        skip: u16,
    },
    /// Shuffle positions; the files may be larger than the memory
    Shuffle {
        /// Files of positions
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,

        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,

        /// Seed of the order
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// Replace the scores of games by new searches, with another network or more nodes
    Rescore {
        /// A file of games
        games: PathBuf,

        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,

        /// The network [default: the built-in one]
        #[arg(long, value_name = "FILE")]
        net: Option<PathBuf>,

        /// Search each position until an iteration ends with more than this many nodes
        #[arg(long, value_name = "N", default_value = "5000", value_parser = values::nodes)]
        nodes: u64,

        /// Number of games to process at the same time
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: u16,
    },
    /// Generate positions near those of games, and label them by an evaluation without a search
    Distil {
        /// Files of games
        #[arg(required = true, value_name = "FILE")]
        games: Vec<PathBuf>,

        /// The file of positions to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,

        /// The network [default: the built-in one]
        #[arg(long, value_name = "FILE")]
        net: Option<PathBuf>,

        /// Number of random lines, of one to three moves, from every position of a game
        #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
        ways: u32,

        /// Keep only positions whose score is within this many centipawns
        #[arg(long, value_name = "CP", default_value_t = Filter::default().most_score)]
        most_score: u16,

        /// Seed of the random moves
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,

        /// Number of games to process at the same time; it does not change the file
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: u16,
    },
    /// Read positions from text lines "FEN | CENTIPAWNS | RESULT", as `show` prints them, with score and result for the
    /// first player
    Import {
        /// Text files to read
        #[arg(required = true, value_name = "FILE")]
        texts: Vec<PathBuf>,

        /// The file of positions to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
}

/// The kind of a data file, which its extension determines.
struct Kind {
    catalog: &'static dyn Catalog,
    formats: &'static TrainingFormats,
    holds_games: bool,
}

fn kind(games: Games, path: &Path) -> Result<Kind, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    for catalog in games.iter() {
        if let Some(formats) = catalog.training()
            && (formats.games == ending || formats.positions == ending)
        {
            return Ok(Kind { catalog, formats, holds_games: formats.games == ending });
        }
    }
    let endings = games.iter().filter_map(|game| game.training()).flat_map(|f| [f.games, f.positions]);
    let endings = endings.map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
    Err(refused(path)(format!("expected a file of {endings}")))
}

/// Checks that all files are of the same kind as the first.
fn kinds(games: Games, paths: &[PathBuf], wants_games: bool) -> Result<Kind, Failure> {
    let first = kind(games, &paths[0])?;
    let wanted = if wants_games { first.formats.games } else { first.formats.positions };
    paths.iter().try_for_each(|path| ends_in(path, wanted))?;
    Ok(first)
}

/// Checks the extension of an output file, because a file with another one could not be read again.
pub(super) fn ends_in(path: &Path, wanted: &str) -> Result<(), Failure> {
    match path.extension() {
        Some(ending) if ending == wanted => Ok(()),
        _ => Err(refused(path)(format!("expected a file of .{wanted}"))),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn tell_positions(count: usize, path: &Path, out: &mut impl Write) -> Result<(), Failure> {
    Ok(writeln!(out, "{count} positions in {}", shown(path))?)
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Failure + '_ {
    move |error| Failure::at(path.display().to_string(), error)
}

fn refused<E: Display>(path: &Path) -> impl Fn(E) -> Failure + '_ {
    move |why| Failure::at(path.display().to_string(), why)
}

/// Creates a file, which must not be one of its own inputs.
fn create(path: &Path, from: &[PathBuf]) -> Result<WholeFile, Failure> {
    if let Some(input) = from.iter().find(|input| files::are_same(path, input)) {
        return Err(Failure::at(
            "--out",
            format!("expected another file than those that are read, found '{}'", input.display()),
        ));
    }
    WholeFile::begin(path).map_err(refused(path))
}

/// The message about positions that cannot be read.
pub fn unread_positions(broken: usize, all: usize) -> String {
    format!("{broken} of {all} positions cannot be read")
}

fn open(kind: &Kind, paths: &[PathBuf]) -> Result<Positions, Failure> {
    Positions::open(kind.formats.game, paths).map_err(unopened)
}

/// Converts an error about positions that cannot be read.
pub(super) fn unopened(error: PositionsError) -> Failure {
    match error {
        PositionsError::Io { path, error } => refused(&path)(error.to_string()),
        PositionsError::Size { path, size, found } => {
            refused(&path)(format!("expected a multiple of {size} bytes, found {found}"))
        }
    }
}

/// Text of an error of the training formats.
fn unreadable(error: &FormatError) -> String {
    error.to_string()
}

fn line_of(path: &Path, index: usize) -> String {
    format!("{}, line {}", path.display(), index + 1)
}

fn game_number(number: usize) -> String {
    format!("game {number}")
}

/// Reads the games of a file block by block; warns if the last one is cut off.
struct GamesOfFile<'a> {
    formats: &'static TrainingFormats,
    path: &'a Path,
    file: File,
    /// Bytes that have been read but not yet parsed, beginning at index `at`.
    bytes: Vec<u8>,
    at: usize,
    number: usize,
    /// The end of the file has been reached, or a fault has been reported.
    is_over: bool,
}

impl<'a> GamesOfFile<'a> {
    fn open(kind: &Kind, path: &'a Path) -> Result<Self, Failure> {
        let file = files::open(path, "file").map_err(refused(path))?;
        Ok(Self { formats: kind.formats, path, file, bytes: Vec::new(), at: 0, number: 1, is_over: false })
    }

    fn next_game(&mut self) -> Result<Option<SelfPlayGame>, String> {
        loop {
            let rest = &self.bytes[self.at..];
            let found = if rest.is_empty() { Ok(None) } else { (self.formats.read_game)(rest) };
            if let Some((game, size)) = found.map_err(|error| unreadable(&error).at(game_number(self.number)))? {
                self.at += size;
                self.number += 1;
                return Ok(Some(game));
            }
            if self.is_over {
                return Ok(None);
            }
            self.bytes.drain(..self.at);
            self.at = 0;
            if self.bytes.len() > LONGEST_GAME {
                return Err(format!("expected at most {} bytes, found more", LONGEST_GAME).at(game_number(self.number)));
            }
            let read = (&mut self.file).take(BLOCK).read_to_end(&mut self.bytes);
            self.is_over = read.map_err(|error| error.to_string())? == 0;
        }
    }
}

impl Iterator for GamesOfFile<'_> {
    type Item = Result<SelfPlayGame, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.next_game();
        if matches!(found, Ok(None)) && self.at < self.bytes.len() {
            let told = format!("game {} is cut off and left out", self.number).at(shown(self.path));
            eprintln!("{}", told);
            self.bytes.clear();
            self.at = 0;
        }
        if found.is_err() {
            (self.is_over, self.at) = (true, 0);
            self.bytes.clear();
        }
        found.map_err(refused(self.path)).transpose()
    }
}

/// Calls `each` for every game of a file.
fn for_each_game(
    kind: &Kind,
    path: &Path,
    mut each: impl FnMut(SelfPlayGame) -> Result<(), Failure>,
) -> Result<(), Failure> {
    GamesOfFile::open(kind, path)?.try_for_each(|game| each(game?))
}

impl Data {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        match &self.job {
            Job::Count { files } => files.iter().try_for_each(|file| tally::count(games, file, out)),
            Job::Show { file, from, count } => show(games, file, (*from, *count), out),
            Job::Extract { games: files, out: path, checks, noisy, most_score, skip } => {
                let filter = Filter { checks: *checks, noisy: *noisy, most_score: *most_score, skip: *skip };
                extract(games, files, path, &filter, out)
            }
            Job::Shuffle { files, out: path, seed } => {
                let kind = kinds(games, files, false)?;
                ends_in(path, kind.formats.positions)?;
                let positions = open(&kind, files)?;
                let mut new = create(path, files)?;
                let part = |number| files::beside(path, &format!("part{number}"));
                shuffle(&positions, &mut new, *seed, PART, part).map_err(failed(path))?;
                new.finish().map_err(failed(path))?;
                let broken = positions.unread(values::cores() as usize);
                if broken > 0 {
                    let told = unread_positions(broken, positions.len());
                    eprintln!("{}", told.at(path.display()));
                }
                tell_positions(positions.len(), path, out)
            }
            Job::Rescore { games: file, out: path, net, nodes, threads } => {
                let kind = kinds(games, std::slice::from_ref(file), true)?;
                ends_in(path, kind.formats.games)?;
                let settings = settings(kind.catalog, net.as_deref(), 8, 1)?;
                let mut new = create(path, std::slice::from_ref(file))?;
                let (mut bytes, mut written) = (Vec::new(), 0u64);
                let found = GamesOfFile::open(&kind, file)?;
                let worker = || {
                    let mut rescore = rescorer(kind.catalog, &settings, *nodes);
                    move |game: Result<SelfPlayGame, Failure>| rescore(game?).map_err(Failure::no_answer)
                };
                in_order(usize::from(*threads), found, worker, |game| {
                    let game = game?;
                    (kind.formats.write_game)(&game, &mut bytes)
                        .map_err(|error| Failure::no_answer(unreadable(&error)))?;
                    new.write_all(&bytes).map_err(failed(path))?;
                    bytes.clear();
                    written += 1;
                    Ok::<(), Failure>(())
                })?;
                new.finish().map_err(failed(path))?;
                Ok(writeln!(out, "{written} games in {}", shown(path))?)
            }
            Job::Distil { games: files, out: path, net, ways, most_score, seed, threads } => {
                let filter = Filter { most_score: *most_score, ..Filter::default() };
                let random = (*ways, *seed);
                distil(games, files, (path, net.as_deref()), random, &filter, usize::from(*threads), out)
            }
            Job::Import { texts, out: path } => import(games, texts, path, out),
        }
    }
}

fn import(games: Games, texts: &[PathBuf], path: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let kind = kinds(games, std::slice::from_ref(&path.to_path_buf()), false)?;
    let (mut new, mut bytes, mut kept) = (create(path, texts)?, Vec::new(), 0);
    for text in texts {
        let lines = files::read_lines(text, "file").map_err(refused(text))?;
        for (number, line) in lines.enumerate() {
            let line = line.map_err(|why| Failure::at(line_of(text, number), why))?;
            if line.trim().is_empty() {
                continue;
            }
            let read = parse_line(&line).and_then(|line| (kind.formats.write_text)(&line, &mut bytes));
            let read = read.map_err(|error| Failure::at(line_of(text, number), unreadable(&error)))?;
            kept += usize::from(read);
            new.write_all(&bytes).map_err(failed(path))?;
            bytes.clear();
        }
    }
    new.finish().map_err(failed(path))?;
    tell_positions(kept, path, out)
}

fn extract(games: Games, files: &[PathBuf], path: &Path, filter: &Filter, out: &mut impl Write) -> Result<(), Failure> {
    let kind = kinds(games, files, true)?;
    ends_in(path, kind.formats.positions)?;
    let (mut new, mut bytes, mut all, mut kept) = (create(path, files)?, Vec::new(), 0, 0);
    for file in files {
        for_each_game(&kind, file, |game| {
            all += game.moves.len();
            kept +=
                (kind.formats.extract)(&game, filter, &mut bytes).map_err(|error| refused(file)(unreadable(&error)))?;
            new.write_all(&bytes).map_err(failed(path))?;
            bytes.clear();
            Ok(())
        })?;
    }
    new.finish().map_err(failed(path))?;
    Ok(writeln!(out, "{kept} of {all} positions in {}", shown(path))?)
}

fn distil(
    games: Games,
    files: &[PathBuf],
    (path, net): (&Path, Option<&Path>),
    (ways, seed): (u32, u64),
    filter: &Filter,
    threads: usize,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let kind = kinds(games, files, true)?;
    ends_in(path, kind.formats.positions)?;
    let network = settings(kind.catalog, net, 1, 1)?.network;
    let (mut new, mut kept) = (create(path, files)?, 0);
    let worker = || {
        let mut evaluator = kind.formats.evaluator(network.as_ref());
        move |(number, (file, game)): (u64, (&Path, Result<SelfPlayGame, Failure>))| -> Result<_, Failure> {
            let (game, mut bytes) = (game?, Vec::new());
            let seed = seed_of_game(seed, number);
            let count = (kind.formats.distil)(&mut evaluator, &game, ways, seed, filter, &mut bytes);
            let count = count.map_err(|error| refused(file)(unreadable(&error)))?;
            Ok((bytes, count))
        }
    };
    let found = files.iter().flat_map(|file| {
        let (found, fault) = match GamesOfFile::open(&kind, file) {
            Ok(found) => (Some(found), None),
            Err(fault) => (None, Some(Err(fault))),
        };
        found.into_iter().flatten().chain(fault).map(move |game| (file.as_path(), game))
    });
    in_order(threads, (1..).zip(found), worker, |done| {
        let (bytes, count): (Vec<u8>, usize) = done?;
        kept += count;
        new.write_all(&bytes).map_err(failed(path))
    })?;
    new.finish().map_err(failed(path))?;
    tell_positions(kept, path, out)
}

fn show(games: Games, file: &Path, (from, count): (usize, usize), out: &mut impl Write) -> Result<(), Failure> {
    let kind = kind(games, file)?;
    if !kind.holds_games {
        let positions = open(&kind, &[file.to_path_buf()])?;
        for index in from..positions.len().min(from.saturating_add(count)) {
            let text = positions.to_text(index);
            writeln!(out, "{}", text.unwrap_or_else(|| "(no position)".to_owned()))?;
        }
        return Ok(());
    }
    let mut number = 0;
    for_each_game(&kind, file, |game| {
        if (from..from.saturating_add(count)).contains(&number) {
            let result = format!("{} {}", game.start, game.outcome.text());
            let end = || report::end(game.ending, game.ending.word(), kind.catalog.name());
            let result = match kind.formats.tells_endings {
                true => format!("{result} ({})", end()),
                false => result,
            };
            writeln!(out, "{}", result.at(game_number(number)))?;
            let moves: Vec<_> = game.moves.iter().map(|step| format!("{} {:+}", step.text, step.score)).collect();
            writeln!(out, "  {}", moves.join(", "))?;
        }
        number += 1;
        Ok(())
    })
}
