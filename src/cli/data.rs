//! `hasami data`: processes files of games and of labelled positions.

mod tally;

use hasami_catalog::{Catalog, Games};
use hasami_matches::report;
use hasami_terminal::Failure;
use hasami_training::{Filter, Positions, SelfPlayGame, TrainingFormats, parse_line};
use hasami_words::files::{self, WholeFile};
use hasami_words::text::{At, counted};
use std::fmt::Display;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Game files are read in blocks of this many bytes.
const BLOCK: u64 = 1 << 20;
/// Maximum size of a game in bytes; a larger game is invalid.
const LONGEST_GAME: usize = 4 << 20;

/// Count, show and filter the games and positions that networks learn from
///
/// The extension of a file determines its format: .viri for games of chess, .pack for games of shogi, .bullet for
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
    /// Game results are from the first player's point of view, and position results from that of the side to move.
    Count {
        /// Files of games or positions
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print positions, or games with their scores, as text
    ///
    /// Positions are printed as lines that `import` can read, with score and result for the first player. Games are
    /// printed with the score of each move, for the side that makes the move.
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

/// What a data file contains, according to its extension.
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

/// Checks that all files contain the same kind of data for the same game.
fn kinds(games: Games, paths: &[PathBuf], wants_games: bool) -> Result<Kind, Failure> {
    let first = kind(games, &paths[0])?;
    let wanted = if wants_games { first.formats.games } else { first.formats.positions };
    paths.iter().try_for_each(|path| ends_in(path, wanted))?;
    Ok(first)
}

/// Checks the extension of an output file: with another extension, the program could not read the file.
pub(super) fn ends_in(path: &Path, wanted: &str) -> Result<(), Failure> {
    match path.extension() {
        Some(ending) if ending == wanted => Ok(()),
        _ => Err(refused(path)(format!("expected a file of .{wanted}"))),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn refused<E: Display>(path: &Path) -> impl Fn(E) -> Failure + '_ {
    move |why| Failure::at(shown(path), why)
}

/// Creates a file, which must not be one of the inputs.
fn create(path: &Path, from: &[PathBuf]) -> Result<WholeFile, Failure> {
    if let Some(input) = from.iter().find(|input| files::are_same(path, input)) {
        return Err(Failure::at("--out", format!("'{}' is also an input; name another file", input.display())));
    }
    WholeFile::begin(path).map_err(refused(path))
}

/// Returns a message with the number of unreadable positions.
pub fn unread_positions(broken: usize, all: usize) -> String {
    format!("{broken} of {} cannot be read", counted(all, "position"))
}

fn open(kind: &Kind, paths: &[PathBuf]) -> Result<Positions, Failure> {
    Positions::open(kind.formats.game, paths).map_err(Failure::bad_input)
}

fn line_of(path: &Path, index: usize) -> String {
    format!("{}, line {}", path.display(), index + 1)
}

fn game_number(number: usize) -> String {
    format!("game {number}")
}

/// Reads the games of a file block by block, and calls `each` for every game. Prints a warning if the last game is
/// incomplete.
fn for_each_game(
    kind: &Kind,
    path: &Path,
    mut each: impl FnMut(SelfPlayGame) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut file = files::open(path, "file").map_err(refused(path))?;
    // Bytes that have been read but not parsed yet.
    let (mut bytes, mut number) = (Vec::new(), 1);
    loop {
        let read = (&mut file).take(BLOCK).read_to_end(&mut bytes).map_err(refused(path))?;
        let mut at = 0;
        while at < bytes.len() {
            let found = (kind.formats.read_game)(&bytes[at..]);
            let found = found.map_err(|error| refused(path)(error.at(game_number(number))))?;
            let Some((game, size)) = found else { break };
            each(game)?;
            (at, number) = (at + size, number + 1);
        }
        bytes.drain(..at);
        if read == 0 {
            break;
        }
        if bytes.len() > LONGEST_GAME {
            return Err(refused(path)(
                format!("expected at most {LONGEST_GAME} bytes, found more").at(game_number(number)),
            ));
        }
    }
    if !bytes.is_empty() {
        eprintln!("{}", format!("{} is cut off and left out", game_number(number)).at(shown(path)));
    }
    Ok(())
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
            let read = read.map_err(|error| Failure::at(line_of(text, number), error))?;
            kept += usize::from(read);
            new.write_all(&bytes).map_err(refused(path))?;
            bytes.clear();
        }
    }
    new.finish().map_err(refused(path))?;
    Ok(writeln!(out, "{} in {}", counted(kept, "position"), shown(path))?)
}

fn extract(games: Games, files: &[PathBuf], path: &Path, filter: &Filter, out: &mut impl Write) -> Result<(), Failure> {
    let kind = kinds(games, files, true)?;
    ends_in(path, kind.formats.positions)?;
    let (mut new, mut bytes, mut all, mut kept) = (create(path, files)?, Vec::new(), 0, 0);
    for file in files {
        for_each_game(&kind, file, |game| {
            all += game.moves.len();
            kept += (kind.formats.extract)(&game, filter, &mut bytes).map_err(refused(file))?;
            new.write_all(&bytes).map_err(refused(path))?;
            bytes.clear();
            Ok(())
        })?;
    }
    new.finish().map_err(refused(path))?;
    Ok(writeln!(out, "{kept} of {} in {}", counted(all, "position"), shown(path))?)
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
