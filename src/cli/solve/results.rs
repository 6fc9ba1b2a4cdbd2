//! The file of `--results`, with which an interrupted list can be continued.

use hasami_solve::problem::MateProblem;
use hasami_solve::recorded;
use hasami_solve::solution::Solution;
use hasami_terminal::Failure;
use hasami_words::files;
use hasami_words::text::At;
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct ResultsArgs {
    /// Also write each answer to this file as soon as it is found, one JSON object per line
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,

    /// Continue the file of --results; problems that it answers are not solved again
    #[arg(long, requires = "results")]
    resume: bool,
}

/// An open results file: an object with the question, then the answers in the order of the list.
pub struct ResultsFile {
    file: File,
    path: PathBuf,
    /// Whether an answer is missing, so that further answers would be on the wrong lines and are not written.
    has_gap: bool,
}

impl ResultsArgs {
    /// Opens the file and returns the answers that it contains. `asked` is the question, which must be the same as in
    /// the file.
    pub fn open(&self, asked: &str, problems: &[MateProblem]) -> Result<Option<(ResultsFile, Vec<Solution>)>, Failure> {
        let Some(path) = &self.results else { return Ok(None) };
        if self.resume {
            files::is_free_or_regular(path).map_err(|why| refused(path, why))?;
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        let file = if self.resume { options.create(true).open(path) } else { options.create_new(true).open(path) };
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                let shown = path.display().to_string();
                Failure::at("--results", format!("expected a new file (or --resume), found '{shown}'"))
            }
            _ => Failure::unwritable("--results", path, &error),
        })?;
        let mut results = ResultsFile { file, path: path.clone(), has_gap: false };
        let known = results.begin(asked, problems)?;
        Ok(Some((results, known)))
    }

    pub fn path(&self) -> Option<&Path> {
        self.results.as_deref()
    }
}

fn refused(path: &Path, why: impl Display) -> Failure {
    Failure::at("--results", format!("{}: {why}", path.display()))
}

impl ResultsFile {
    /// Reads the content without a last line that was cut off when the program was killed. An empty file gets its first
    /// line.
    fn begin(&mut self, asked: &str, problems: &[MateProblem]) -> Result<Vec<Solution>, Failure> {
        self.lock()?;
        let bytes =
            files::read_open(&mut self.file, "file", files::MOST_INPUT).map_err(|why| refused(&self.path, why))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        self.file.set_len(whole as u64).map_err(|error| self.failed(&error))?;
        let text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
        let mut lines = text.lines();
        let first = serde_json::json!({ "command": format!("hasami {asked}") }).to_string();
        match lines.next() {
            None => self.write(&first)?,
            Some(found) if found == first => {}
            Some(found) => {
                return Err(self.other(1, format!("expected '{first}', found '{found}'")));
            }
        }
        let mut known = Vec::new();
        for (line, number) in lines.zip(2..) {
            let problem = problems.get(known.len());
            let problem =
                problem.ok_or_else(|| self.other(number, "expected no more answers than problems".to_owned()))?;
            known.push(recorded::read(line, problem).map_err(|why| self.other(number, why))?);
        }
        Ok(known)
    }

    /// Locks the file, because two runs that write to it would solve the same problems.
    fn lock(&self) -> Result<(), Failure> {
        match self.file.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => {
                let shown = self.path.display().to_string();
                Err(Failure::at("--results", format!("expected a file for this run alone, found '{shown}' in use")))
            }
            // On a system that cannot lock files, the user must not start two runs.
            _ => Ok(()),
        }
    }

    fn other(&self, line: usize, why: impl Into<String>) -> Failure {
        Failure::at("--results", why.into().at(format!("{}:{line}", self.path.display())))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::unwritable("--results", &self.path, error)
    }

    /// Appends an answer. `None` means that the run ends without an answer to this problem.
    pub fn add(&mut self, answer: Option<&str>) -> Result<(), Failure> {
        match answer {
            Some(answer) if !self.has_gap => self.write(answer),
            Some(_) => Ok(()),
            None => {
                self.has_gap = true;
                Ok(())
            }
        }
    }

    /// Writes a line in one call, so that a killed program leaves the whole line, or a part of it without a line break.
    fn write(&mut self, line: &str) -> Result<(), Failure> {
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(|error| self.failed(&error))
    }
}
