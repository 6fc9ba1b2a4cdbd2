//! Checks certificates of mates and brinkmates, which are files that contain a whole proof.

use hasami_catalog::{Catalog, CertificateFault, Games};
use hasami_games::certified_position;
use hasami_solve::problem::MateProblem;
use hasami_terminal::{Failure, place, values};
use hasami_words::files::{self, FileError};
use hasami_words::{Message, Words};
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct CertificateArgs {
    /// Certificates of mates and brinkmates (docs/design/certificate.md), or folders of them (*.cert); `-` is stdin
    #[arg(
        id = "certificates", long = "certificate", value_name = "FILE", num_args = 1..,
        conflicts_with_all = ["problems", "solutions", "rules", "checks"]
    )]
    files: Vec<PathBuf>,

    /// Limit of the positions visited in replaying a certificate; each takes 60 to 200 bytes
    #[arg(long, value_name = "N", requires = "certificates", value_parser = values::positions, default_value = "50000000")]
    positions: u64,
}

type Judged = Result<Message, CertificateFault>;

impl CertificateArgs {
    /// Prints a line for each certificate: its name, whether it is valid, and what it proves or why it proves nothing.
    /// A certificate is undecided if a limit ended its replay.
    pub fn verify(&self, games: Games, game: Option<&str>, words: &Words, out: &mut impl Write) -> Result<(), Failure> {
        let (mut right, mut wrong, mut undecided) = (0_u64, 0_u64, 0_u64);
        for path in &self.paths()? {
            let name = name_of(path);
            let unread = |why: FileError| Ok(Err(CertificateFault::Wrong(why.into())));
            let judged = read(path).map_or_else(unread, |file| self.judge(&file, games, game))?;
            let (verdict, count, word) = match judged {
                Ok(word) => ("right", &mut right, word),
                Err(CertificateFault::Wrong(word)) => ("wrong", &mut wrong, word),
                Err(CertificateFault::Undecided(word)) => ("undecided", &mut undecided, word),
            };
            *count += 1;
            writeln!(out, "{name}\t{verdict}\t{}", word.said(words))?;
            out.flush()?;
        }
        let sum = [("right", right.into()), ("wrong", wrong.into()), ("undecided", undecided.into())];
        writeln!(out, "# {}", words.with("sum-certificates", &sum))?;
        out.flush()?;
        match (wrong, undecided) {
            (0, 0) => Ok(()),
            (0, _) => {
                Err(Failure::no_answer(format!("certificates that cannot be replayed within the limits: {undecided}")))
            }
            _ => Err(Failure::no_answer(format!("wrong certificates: {wrong}"))),
        }
    }

    /// Returns the paths of the certificates, sorted by name within each folder.
    fn paths(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut paths = Vec::new();
        for path in &self.files {
            if path.is_dir() {
                paths.extend(inside(path)?);
            } else {
                paths.push(path.clone());
            }
        }
        Ok(paths)
    }

    fn judge(&self, file: &[u8], games: Games, game: Option<&str>) -> Result<Judged, Failure> {
        let position = match certified_position(file) {
            Ok(position) => position,
            Err(fault) => return Ok(Err(fault)),
        };
        let catalog = match game {
            Some(name) => place::catalog(games, name)?,
            None => game_of(games, &position),
        };
        Ok(catalog.verify_certificate(file, self.positions))
    }
}

/// Returns the first game that accepts the position; if none does, a game with brinkmates, whose error explains why.
fn game_of(games: Games, position: &str) -> &'static dyn Catalog {
    let accepts = |game: &&'static dyn Catalog| MateProblem::new("", position, *game).is_ok();
    let has = |game: &&'static dyn Catalog| game.has_brinkmates();
    games.iter().find(accepts).or_else(|| games.iter().find(has)).unwrap_or(games.first())
}

fn inside(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let wrong = |why: &dyn Display| Failure::at(folder.display().to_string(), why);
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder).and_then(Iterator::collect);
    let mut paths: Vec<PathBuf> = entries
        .map_err(|e| wrong(&format!("cannot read the folder: {e}")))?
        .iter()
        .map(std::fs::DirEntry::path)
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cert"));
    paths.sort();
    if paths.is_empty() { Err(wrong(&"the folder has no certificates (*.cert)")) } else { Ok(paths) }
}

/// Returns the name of a file without its folder and extension.
fn name_of(path: &Path) -> String {
    let name = path.file_stem().filter(|_| path.as_os_str() != "-");
    name.map_or_else(|| "stdin".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    match path.as_os_str() == "-" {
        true => files::read_all(&mut std::io::stdin(), "file"),
        // Files must not be pipes; another program's output is read from stdin.
        false => files::read(path, "file", files::MOST_INPUT),
    }
}
