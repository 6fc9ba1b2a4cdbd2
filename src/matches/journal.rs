//! The journal of a match: one JSON line for the match, one for every finished game, and lines that amend the first
//! line. The journal alone decides what happened in the match; records, scores and pictures are derived from it.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod amendment;
mod place;

use super::identity::Identities;
use super::machine::MachineStamp;
use super::record::stored::Stored;
pub use amendment::Amendment;
use amendment::{AmendmentLine, is_amendment};
use hasami_api::{Ending, GameRecord};
use hasami_words::files;
use hasami_words::text::{At, json_fault, redacted, whole_lines};
pub use place::{JournalPlace, TUNINGS};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The version of the journal format.
const VERSION: u32 = 1;

/// The first line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchHeader {
    #[serde(rename = "hasami-match")]
    pub(crate) version: u32,
    /// The settings that must not change when the match continues.
    pub plan: Value,
    /// The command line that started the match.
    pub arguments: Vec<String>,
    /// Lengths of the record files before the match, in command-line order: the size of a file in bytes, or the highest
    /// game number in a folder.
    pub lengths: Vec<u64>,
    /// A random number drawn when the match began, which identifies the match in a queue of games for other machines.
    #[serde(default)]
    pub id: u64,
    /// The working directory when the match was started; missing in journals of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// The name of the event in the records. The fields `event` and `site` are missing in journals of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// The identities of the engines and files that the plan names; missing in journals of earlier versions.
    #[serde(default, skip_serializing_if = "Identities::is_empty")]
    pub identities: Identities,
}

impl MatchHeader {
    /// Creates a header, in which passwords of the command line are redacted.
    pub fn new(plan: Value, arguments: Vec<String>, lengths: Vec<u64>) -> Self {
        let arguments = arguments.iter().map(|word| redacted(word).into_owned()).collect();
        Self {
            version: VERSION,
            plan,
            arguments,
            lengths,
            id: rand::random(),
            folder: String::new(),
            event: String::new(),
            site: String::new(),
            identities: Identities::default(),
        }
    }
}

/// The line of a finished game.
#[derive(Serialize, Deserialize)]
struct MatchEntry {
    game: u32,
    record: Stored,
    /// The machine that played the game; `None` for the machine that runs the match.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    machine: Option<MachineStamp>,
}

impl MatchEntry {
    fn new(game: u32, record: &GameRecord, machine: Option<&MachineStamp>) -> Self {
        Self { game, record: Stored::from(record), machine: machine.cloned() }
    }
}

/// An error message for an unusable journal, with its path.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(pub String);

fn shown(path: &Path) -> String {
    format!("journal {}", path.display())
}

fn failed(path: &Path, why: impl Display) -> JournalError {
    JournalError(why.at(shown(path)))
}

#[derive(Clone, PartialEq, Debug)]
pub struct JournalGame {
    pub game: u32,
    pub record: GameRecord,
    /// The machine that played the game; `None` for the machine that runs the match.
    pub machine: Option<MachineStamp>,
}

/// Finished games, the earliest to end first.
pub type Games = Vec<JournalGame>;

pub struct MatchJournal {
    pub path: PathBuf,
    /// The journal file, which is locked so that no other match writes to it.
    file: File,
    /// The new name of an earlier journal that was renamed.
    pub kept: Option<PathBuf>,
    /// Whether the journal was created by this run.
    pub is_new: bool,
}

impl MatchJournal {
    /// Creates a journal. An existing journal is renamed and kept.
    pub fn create(path: &Path, header: &MatchHeader) -> Result<Self, JournalError> {
        // Only a regular file may be renamed.
        files::is_free_or_regular(path).map_err(|why| failed(path, why))?;
        if path.exists() {
            // The journal of a running match must not be replaced.
            let file = File::open(path).map_err(|error| failed(path, error))?;
            lock(path, &file)?;
        }
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| failed(path, error))?;
        }
        let kept = keep(path).map_err(|error| failed(path, error))?;
        let file = OpenOptions::new().create_new(true).append(true).open(path).map_err(|error| failed(path, error))?;
        lock(path, &file)?;
        let mut journal = Self { path: path.to_owned(), file, kept, is_new: true };
        journal.write([header])?;
        Ok(journal)
    }

    /// Undoes [`Self::create`] if the match does not take place: an earlier journal gets its old name back, and a new
    /// journal without games is removed.
    pub fn withdraw(&self) -> Result<(), JournalError> {
        let undone = match &self.kept {
            Some(kept) => std::fs::rename(kept, &self.path),
            None if self.is_new => std::fs::remove_file(&self.path),
            None => Ok(()),
        };
        undone.map_err(|error| failed(&self.path, error))
    }

    /// Opens a journal to continue its match, and returns its games. `own` lists the endings that are specific to the
    /// journal's game. If the program was killed, an incomplete last line is removed.
    pub fn resume(path: &Path, own: &[Ending]) -> Result<(Self, MatchHeader, Games), JournalError> {
        files::is_free_or_regular(path).map_err(|why| failed(path, why))?;
        let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(|error| failed(path, error))?;
        lock(path, &file)?;
        let text = files::read_open(&mut file, "journal", files::MOST_INPUT).map_err(|why| failed(path, why))?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (header, games) = parse(&String::from_utf8_lossy(&text[..whole]), own).map_err(|why| failed(path, why))?;
        file.set_len(whole as u64).map_err(|error| failed(path, error))?;
        Ok((Self { path: path.to_owned(), file, kept: None, is_new: false }, header, games))
    }

    /// Adds games with their machines in a single write, so that either both games of a pair are added or none. When
    /// this function returns, the games are on disk.
    pub fn add<'a>(
        &mut self,
        games: impl IntoIterator<Item = (u32, &'a GameRecord, Option<&'a MachineStamp>)>,
    ) -> Result<(), JournalError> {
        self.write(games.into_iter().map(|(game, record, machine)| MatchEntry::new(game, record, machine)))
    }

    /// Records a change to the header.
    pub fn amend(&mut self, amended: &Amendment) -> Result<(), JournalError> {
        self.write([AmendmentLine { amended: amended.clone() }])
    }

    fn write(&mut self, lines: impl IntoIterator<Item = impl Serialize>) -> Result<(), JournalError> {
        let text = json_lines(lines).map_err(|error| failed(&self.path, error.to_string()))?;
        // All lines are written in a single call, so a kill may cut off the last line but never leaves a gap.
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| failed(&self.path, error))
    }
}

/// Reads only the header of a journal, with all amendments applied.
pub fn read_header(path: &Path) -> Result<MatchHeader, JournalError> {
    let text = files::read_regular_text(path, "journal").map_err(|why| failed(path, why))?;
    let whole = whole_lines(&text);
    let mut header = parse_header(text.lines().next()).map_err(|why| failed(path, why))?;
    for (line, number) in whole.lines().zip(1..).filter(|(line, _)| is_amendment(line)) {
        amend(&mut header, line, number).map_err(|why| failed(path, why))?;
    }
    Ok(header)
}

fn amend(header: &mut MatchHeader, line: &str, number: usize) -> Result<(), String> {
    header.amend_by(line).map_err(|error| {
        format!("expected an amendment of the match, found {}", json_fault(&error)).at(format!("line {number}"))
    })
}

/// Reads a whole journal. An incomplete last line is ignored, because another process may be writing it. `own` returns
/// the endings that are specific to a game; `None` if the game is unknown.
pub fn read(
    path: &Path,
    own: &dyn Fn(&MatchHeader) -> Option<&'static [Ending]>,
) -> Result<(MatchHeader, Games), JournalError> {
    let text = files::read_regular_text(path, "journal").map_err(|why| failed(path, why))?;
    let whole = whole_lines(&text);
    let header = parse_header(whole.lines().next()).map_err(|why| failed(path, why))?;
    let own =
        own(&header).ok_or_else(|| failed(path, "this program does not know the game of the match".to_owned()))?;
    parse(whole, own).map_err(|why| failed(path, why))
}

fn parse_header(line: Option<&str>) -> Result<MatchHeader, String> {
    let expected = |found: &str| format!("expected the journal of a match, found {found}");
    let line = line.ok_or_else(|| expected("an empty file"))?;
    let header: MatchHeader =
        serde_json::from_str(line).map_err(|error| expected(&format!("another file ({})", json_fault(&error))))?;
    match header.version {
        VERSION => Ok(header),
        other => Err(format!("expected version {}, found {other}", VERSION)),
    }
}

/// Parses a journal. `own` lists the endings that are specific to the journal's game.
pub fn parse(text: &str, own: &[Ending]) -> Result<(MatchHeader, Games), String> {
    let mut lines = text.lines();
    let mut header = parse_header(lines.next())?;
    let (mut games, mut seen) = (Games::new(), BTreeSet::new());
    for (index, line) in lines.enumerate() {
        let at_line = |why: String| why.at(format!("line {}", index + 2));
        if is_amendment(line) {
            amend(&mut header, line, index + 2)?;
            continue;
        }
        let entry: MatchEntry = serde_json::from_str(line)
            .map_err(|error| at_line(format!("expected a game of the match, found {}", json_fault(&error))))?;
        let record = entry.record.restore(own);
        let record = record.ok_or_else(|| at_line("expected a game, found unknown words".to_owned()))?;
        if !seen.insert(entry.game) {
            return Err(at_line(format!("game {} for the second time", u64::from(entry.game) + 1)));
        }
        games.push(JournalGame { game: entry.game, record, machine: entry.machine });
    }
    Ok((header, games))
}

/// Returns the text of a journal with these games, identical to a journal written line by line.
pub fn text(header: &MatchHeader, games: &[JournalGame]) -> Result<String, JournalError> {
    let entries = games.iter().map(|game| MatchEntry::new(game.game, &game.record, game.machine.as_ref()));
    let text = json_lines([header]).and_then(|first| Ok(first + &json_lines(entries)?));
    text.map_err(|error| JournalError(error.to_string()))
}

fn json_lines(lines: impl IntoIterator<Item = impl Serialize>) -> serde_json::Result<String> {
    let line = |line| serde_json::to_string(&line).map(|text| text + "\n");
    lines.into_iter().map(line).collect()
}

/// Locks a journal, because two matches with the same journal would play the same games.
fn lock(path: &Path, file: &File) -> Result<(), JournalError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => failed(path, "in use by another match".to_owned()),
        TryLockError::Error(error) => failed(path, error),
    })
}

/// Renames a file to the first free name of `x.1`, `x.2`, ...
fn keep(path: &Path) -> io::Result<Option<PathBuf>> {
    if !path.exists() {
        return Ok(None);
    }
    let named = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    let free = (1..).map(named).find(|name| !name.exists()).ok_or(io::ErrorKind::AlreadyExists)?;
    std::fs::rename(path, &free)?;
    Ok(Some(free))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::Outcome;

    fn header() -> MatchHeader {
        MatchHeader { id: 7, ..MatchHeader::new(serde_json::json!({"game": "chess"}), vec!["--games".into()], vec![5]) }
    }

    fn record(remark: &str) -> GameRecord {
        GameRecord { outcome: Outcome::Draw, remark: remark.into(), ..GameRecord::default() }
    }

    #[test]
    fn complete_games_are_restored_and_a_cut_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let mut journal = MatchJournal::create(&path, &header()).unwrap();
        assert_eq!(journal.kept, None);
        journal.add([(1, &record("one"), None)]).unwrap();
        journal.add([(0, &record("zero"), None)]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        journal.add([(2, &record("two"), None)]).unwrap();
        let all = std::fs::read(&path).unwrap();
        drop(journal);
        // The last line may be cut off anywhere: the earlier games remain, and the next game follows them.
        for cut in whole.len()..all.len() {
            std::fs::write(&path, &all[..cut]).unwrap();
            let (mut journal, read, games) = MatchJournal::resume(&path, &[]).unwrap();
            assert_eq!((read, games.len()), (header(), 2), "cut at {cut}");
            journal.add([(2, &record("two"), None)]).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), all);
        }
        let (_, _, games) = MatchJournal::resume(&path, &[]).unwrap();
        assert_eq!(
            games.iter().map(|played| (played.game, played.record.remark.as_str())).collect::<Vec<_>>(),
            [(1, "one"), (0, "zero"), (2, "two")]
        );
    }

    #[test]
    fn passwords_are_not_written_to_the_journal() {
        let arguments =
            ["--machines", "nats://me:secret@pc2", "--engine", "name=a option.Cluster=tls://token@pc3:4333"];
        let header = MatchHeader::new(serde_json::json!({}), arguments.map(str::to_owned).into(), Vec::new());
        let shown = ["--machines", "nats://...@pc2", "--engine", "name=a option.Cluster=tls://...@pc3:4333"];
        assert_eq!(header.arguments, shown);
    }

    #[test]
    fn an_earlier_journal_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        for number in 0..3 {
            let journal = MatchJournal::create(&path, &header()).unwrap();
            let wanted = (number > 0).then(|| folder.path().join(format!("x.jsonl.{number}")));
            assert_eq!(journal.kept, wanted);
        }
    }

    #[test]
    fn a_journal_in_use_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let mut journal = MatchJournal::create(&path, &header()).unwrap();
        for error in [MatchJournal::resume(&path, &[]).err(), MatchJournal::create(&path, &header()).err()] {
            let text = error.unwrap().to_string();
            assert!(text.ends_with("in use by another match"), "{text}");
        }
        journal.add([(0, &record("zero"), None)]).unwrap();
        drop(journal);
        assert_eq!(MatchJournal::resume(&path, &[]).unwrap().2.len(), 1);
    }

    #[test]
    fn a_withdrawn_match_restores_the_earlier_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        MatchJournal::create(&path, &header()).unwrap().add([(0, &record("zero"), None)]).unwrap();
        MatchJournal::create(&path, &header()).unwrap().withdraw().unwrap();
        assert_eq!(MatchJournal::resume(&path, &[]).unwrap().2.len(), 1);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        for (text, word) in [
            ("", "empty"),
            ("hello\n", "journal of a match"),
            (
                "{\"hasami-match\":1,\"plan\":1,\"arguments\":[],\"lengths\":[]}\n{\"game\":\"x\"}\n",
                "line 2: expected a game of the match, found invalid type: string \"x\", expected u32 at column 11",
            ),
            ("{\"hasami-match\":9,\"plan\":1,\"arguments\":[],\"lengths\":[]}\n", "version 1"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = MatchJournal::resume(&path, &[]).err().unwrap().to_string();
            assert!(error.contains(word), "{error}");
        }
        assert!(MatchJournal::resume(&folder.path().join("none"), &[]).is_err());
    }
}
