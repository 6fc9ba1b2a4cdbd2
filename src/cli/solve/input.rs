//! Reads mate problems from lists, positions and game records.

use encoding_rs::SHIFT_JIS;
use hasami_api::{Format, ReadGame};
use hasami_catalog::{Catalog, Games};
use hasami_mate::MateRules;
use hasami_protocol::Protocol;
use hasami_solve::problem::{self, MateProblem, Recorded};
use hasami_solve::replay::{Standard, replay};
use hasami_solve::stipulation;
use hasami_terminal::{Failure, place};
use hasami_words::Words;
use hasami_words::files;
use hasami_words::text::decoded;
use std::fmt::Display;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct ProblemSource {
    /// Lists of problems, or records (KIF, CSA) whose start positions are the problems; `-` is stdin
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// A shogi position, in quotes (may be repeated)
    #[arg(long, value_name = "SFEN")]
    sfen: Vec<String>,

    /// A chess position, in quotes (may be repeated)
    #[arg(long, value_name = "FEN")]
    fen: Vec<String>,

    /// The game [default: by the options, or by the first position of the first list]
    #[arg(long)]
    game: Option<String>,
}

/// The text and the name of an input file.
pub struct Named {
    /// The path of the file, as shown in messages.
    pub shown: String,
    /// The file name without folder and extension, for the names of problems.
    pub stem: String,
    pub text: String,
}

/// Reads a file; `-` is stdin. Text that is not valid UTF-8 is decoded as Shift JIS, the encoding of most KIF files.
pub fn read(path: &Path) -> Result<Named, Failure> {
    let is_stdin = path.as_os_str() == "-";
    let shown = if is_stdin { "stdin".to_owned() } else { path.display().to_string() };
    let stdin = || files::read_all(&mut std::io::stdin(), "file");
    let read = if is_stdin { stdin() } else { files::read_input(path, "file") };
    let text = decoded(read.map_err(|why| Failure::at(shown.as_str(), why))?, SHIFT_JIS);
    let stem = if is_stdin { None } else { path.file_stem().map(|stem| stem.to_string_lossy().into_owned()) };
    Ok(Named { stem: stem.unwrap_or_else(|| shown.clone()), shown, text })
}

/// An input file: game records or a list of mate problems.
pub struct GivenFile {
    pub named: Named,
    /// The names of game and format, if the file is a game record.
    pub record: Option<(&'static str, &'static str)>,
}

impl GivenFile {
    pub fn read(path: &Path, games: Games) -> Result<Self, Failure> {
        let named = read(path)?;
        let by_ending = games.iter().find_map(|game| Some((game, format_of(path, game)?)));
        let record = by_ending.or_else(|| format_in(&named.text, games));
        Ok(Self { named, record: record.map(|(game, format)| (game.name(), format.word)) })
    }

    pub fn problems(&self, catalog: &dyn Catalog) -> Result<Vec<MateProblem>, Failure> {
        let Named { shown, stem, text } = &self.named;
        if let Some((_, word)) = self.record {
            let format = catalog.format(word).ok_or_else(|| other_game(shown, catalog))?;
            return records(&self.named, format, catalog);
        }
        match problem::parse(text, shown, stem, catalog).map_err(Failure::bad_input)? {
            found if found.is_empty() => Err(Failure::at(shown, "the file has no problems")),
            found => Ok(found),
        }
    }

    /// Returns the games of a record, or `None` for a list.
    pub fn games(&self, catalog: &dyn Catalog) -> Result<Option<Vec<ReadGame>>, Failure> {
        let Named { shown, text, .. } = &self.named;
        let Some((_, word)) = self.record else { return Ok(None) };
        let format = catalog.format(word).ok_or_else(|| other_game(shown, catalog))?;
        let read = catalog.read_records(text, format);
        read.map(Some).map_err(|error| Failure::at(shown.as_str(), error))
    }
}

/// Returns the game of a list: the first game that accepts the first position of the list, or else the first game whose
/// mate problems require checks.
pub fn choose<'a>(
    games: Games,
    game: Option<&str>,
    lists: impl IntoIterator<Item = &'a Named>,
) -> Result<&'static dyn Catalog, Failure> {
    if let Some(name) = game {
        return place::catalog(games, name);
    }
    let first = lists.into_iter().find_map(|list| problem::first_position(&list.text));
    let accepts = |game: &&'static dyn Catalog| first.is_some_and(|text| MateProblem::new("", text, *game).is_ok());
    let by_checks = |game: &&'static dyn Catalog| game.mates_by_checks();
    let found = games.iter().find(accepts).or_else(|| games.iter().find(by_checks));
    found.ok_or_else(|| Failure::at("--game", "no game has such problems"))
}

impl ProblemSource {
    /// Reads all problems. `defender_first` states that the side to move is the one to be mated.
    pub fn problems(
        &self,
        games: Games,
        defender_first: bool,
    ) -> Result<(&'static dyn Catalog, Vec<MateProblem>), Failure> {
        let (catalog, problems) = self.all_problems(games)?;
        let other = problems.iter().find_map(|problem| Some((&problem.name, stipulation::refusal(&problem.name)?)));
        if let Some((name, why)) = other {
            return Err(Failure::at(name.as_str(), why));
        }
        let wrong = problems.iter().find_map(|problem| Some((&problem.name, problem.defender_first.as_ref()?)));
        match wrong.filter(|_| !defender_first) {
            Some((name, why)) => Err(Failure::at(name.as_str(), format!("{why}; --defender-first?"))),
            None => Ok((catalog, problems)),
        }
    }

    fn all_problems(&self, games: Games) -> Result<(&'static dyn Catalog, Vec<MateProblem>), Failure> {
        self.check_quotes()?;
        self.check_positions(games)?;
        let files = self.files.iter().map(|path| GivenFile::read(path, games)).collect::<Result<Vec<_>, _>>()?;
        if self.files.is_empty() && self.sfen.is_empty() && self.fen.is_empty() {
            return Err(Failure::bad_input("no problem is named; name FILE, -, --sfen or --fen"));
        }
        let catalog = self.catalog(games, &files)?;
        let mut problems = Vec::new();
        for file in &files {
            problems.extend(file.problems(catalog)?);
        }
        for (option, positions) in [("sfen", &self.sfen), ("fen", &self.fen)] {
            for (position, number) in positions.iter().zip(1..) {
                let name = if positions.len() == 1 { option.to_owned() } else { format!("{option}:{number}") };
                let found = MateProblem::new(&name, position, catalog);
                let option = format!("--{option}");
                problems.push(found.map_err(|why| {
                    let why = place::misplaced(games, &option, position, &why);
                    Failure::at(option, why)
                })?);
            }
        }
        Ok((catalog, problems))
    }

    /// If a position was typed without quotes, so that its fields look like files, returns an error with advice.
    fn check_quotes(&self) -> Result<(), Failure> {
        let words: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
        for (option, positions) in [("--sfen", &self.sfen), ("--fen", &self.fen)] {
            let bare = positions.iter().find(|position| position.contains('/') && !position.contains(' '));
            if let (Some(board), Some("w" | "b")) = (bare, words.first().map(String::as_str)) {
                let whole = format!("{board} {}", words.join(" "));
                return Err(Failure::bad_input(format!("a position needs quotes: {option} \"{whole}\"")));
            }
        }
        Ok(())
    }

    /// If a position was given instead of a file, returns an error with advice.
    fn check_positions(&self, games: Games) -> Result<(), Failure> {
        let Some(at) = self.files.iter().position(|file| !file.exists() && file.as_os_str() != "-") else {
            return Ok(());
        };
        let words: Vec<String> = self.files[at..].iter().map(|file| file.display().to_string()).collect();
        // All fields of the position are joined, because the board field alone would also be accepted as a position.
        let is_parted = matches!(words.get(1).map(String::as_str), Some("w" | "b"));
        let position = if is_parted { words.join(" ") } else { words[0].clone() };
        place::not_a_position(games, &position, "a list of problems")
    }

    /// Returns the game that `--game` names; otherwise, the game that other options or the lists imply.
    fn catalog(&self, games: Games, files: &[GivenFile]) -> Result<&'static dyn Catalog, Failure> {
        let of_protocol = |protocol| games.speaking(protocol).next().map(|game| game.name());
        let said = [
            files.iter().find_map(|file| file.record).map(|(game, _)| Some(game)),
            (!self.sfen.is_empty()).then(|| of_protocol(Protocol::Usi)),
            (!self.fen.is_empty()).then(|| of_protocol(Protocol::Uci)),
        ];
        let game = said.into_iter().flatten().flatten().next();
        let lists = files.iter().filter(|file| file.record.is_none()).map(|file| &file.named);
        choose(games, self.game.as_deref().or(game), lists)
    }
}

/// Returns the format that the extension of a file name indicates.
fn format_of(path: &Path, game: &dyn Catalog) -> Option<Format> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    game.formats().iter().copied().find(|format| format.is_named(&ending))
}

/// Recognizes the format of a record by its content, if the file name does not tell. Text that begins with a position
/// is a list of problems, not a record.
fn format_in(text: &str, games: Games) -> Option<(&'static dyn Catalog, Format)> {
    let first = problem::first_position(text)?;
    if games.iter().any(|game| MateProblem::new("", first, game).is_ok()) {
        return None;
    }
    let mut formats = games.iter().flat_map(|game| game.formats().iter().map(move |&format| (game, format)));
    formats.find(|(game, format)| {
        let found = game.read_records(text, *format).unwrap_or_default();
        found.iter().any(|read| read.line != Default::default())
    })
}

/// Returns the error for a file that is no record of the problems' game.
fn other_game(shown: &str, catalog: &dyn Catalog) -> Failure {
    let known: Vec<_> = catalog.formats().iter().map(|format| format.word).collect();
    Failure::at(shown, format!("not a record of {}, whose formats are {}", catalog.name(), known.join(", ")))
}

/// Returns the start positions of the games in a file as problems.
fn records(file: &Named, format: Format, catalog: &dyn Catalog) -> Result<Vec<MateProblem>, Failure> {
    let wrong = |why: &dyn Display| Failure::at(file.shown.as_str(), why);
    if let Some((line, why)) = stipulation::refusal_of_record(&file.text) {
        return Err(Failure::at(format!("{}:{line}", file.shown), why));
    }
    let games = catalog.read_records(&file.text, format).map_err(|error| wrong(&error))?;
    // A file without a position or a move is read as empty games from the usual start position.
    let is_empty = |game: &ReadGame| game.line == Default::default() && game.fault.is_none();
    if games.iter().all(is_empty) {
        return Err(wrong(&"the file has no position and no moves".to_owned()));
    }
    let name = |number: usize| if games.len() == 1 { file.stem.clone() } else { format!("{}:{number}", file.stem) };
    let standard = Standard::of(catalog, MateRules::Tsume, false);
    let problems = games.iter().zip(1..).map(|(ReadGame { line, .. }, number)| {
        let usual = || catalog.referee(&Default::default()).map(|mut referee| referee.to_text());
        let position =
            line.start.text.as_deref().map_or_else(usual, |text| Ok(text.to_owned())).map_err(|why| wrong(&why))?;
        let problem = MateProblem::new(&name(number), &position, catalog).map_err(|why| wrong(&why))?;
        // A main line that ends with a mate is the recorded solution; any other line is ignored.
        let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        let is_mate = !moves.is_empty() && replay(catalog, &problem, &moves, standard, Words::english()).is_ok();
        if !is_mate {
            return Ok(problem);
        }
        let recorded = u32::try_from(moves.len()).ok().map(Recorded::Mate);
        Ok(MateProblem { recorded, solutions: vec![moves], ..problem })
    });
    problems.collect()
}
