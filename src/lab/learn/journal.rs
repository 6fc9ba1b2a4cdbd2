//! The journal, a file that records searches. The first line of the journal is a JSON object with the plan of the run;
//! every other line is a searched position or the engine's name. A later run with the same plan appends to the journal.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::positions::{GamePosition, LearningGames};
use super::ranking::Ranking;
use hasami_api::{MoveText, Score};
use hasami_words::files;
use hasami_words::text::{At, json_fault};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct LearningHeader {
    #[serde(rename = "hasami-learn")]
    version: u32,
    /// The conditions of the run, which must be the same in every run that continues the journal.
    plan: Value,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum LearningEntry {
    /// The name that the engine reports.
    Name { engine: String },
    Searched {
        game: u32,
        move_index: u32,
        played: String,
        depth: u16,
        /// Moves and raw scores ([`Score::raw`]), by rank.
        lines: Vec<(String, i32)>,
    },
}

/// Reads a journal's rankings of positions in `games`, whatever the journal's plan.
pub fn load(path: &Path, games: &LearningGames) -> Result<Rankings, String> {
    let failed = |why: &dyn Display| why.at(of_file(path));
    let text = files::read_input(path, "file").map_err(|why| failed(&why))?;
    let whole = whole_lines(&text);
    let (_, rankings) =
        read(&String::from_utf8_lossy(&text[..whole]), &Value::Null, games).map_err(|why| failed(&why))?;
    Ok(rankings)
}

/// Number of bytes up to and including the last newline; an incomplete line may follow if the writer was killed.
fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

pub struct LearningJournal {
    path: PathBuf,
    file: File,
    name: Option<String>,
    /// The header, which is written together with the first entry. If no engine starts, the journal stays empty, so
    /// that the user can correct the command and use the same journal.
    header: Option<LearningHeader>,
}

/// Rankings by index of the position in [`LearningGames::positions`].
pub type Rankings = BTreeMap<usize, Ranking>;

impl LearningJournal {
    /// Opens or creates a journal. If an earlier run was killed while writing the last line, that line is removed.
    pub fn open(path: &Path, plan: &Value, games: &LearningGames) -> Result<(Self, Rankings), String> {
        let failed = |why: &dyn Display| why.at(of_file(path));
        // A file that is not a journal is left unchanged.
        files::read_kept(path, "journal").map_err(|why| failed(&why))?;
        let file = OpenOptions::new().create(true).read(true).append(true).open(path);
        let mut file = file.map_err(|error| failed(&error))?;
        files::lock(&file).map_err(|why| failed(&why))?;
        let text = files::read_open(&mut file, "journal", files::MOST_INPUT).map_err(|why| failed(&why))?;
        let whole = whole_lines(&text);
        if whole == 0 && !text.is_empty() && !text.starts_with(b"{\"hasami-learn\"") {
            return Err(failed(&"expected the journal of hasami-lab learn, found another file"));
        }
        file.set_len(whole as u64).map_err(|error| failed(&error))?;
        let header = (whole == 0).then(|| LearningHeader { version: VERSION, plan: plan.clone() });
        let mut journal = Self { path: path.to_owned(), file, name: None, header };
        let mut rankings = Rankings::new();
        if whole > 0 {
            let text = String::from_utf8_lossy(&text[..whole]);
            (journal.name, rankings) = read(&text, plan, games).map_err(|why| failed(&why))?;
        }
        Ok((journal, rankings))
    }

    /// The name that the engine reported, in this run or an earlier one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn set_name(&mut self, name: &str) -> Result<(), String> {
        if self.name() == Some(name) {
            return Ok(());
        }
        self.name = Some(name.to_owned());
        self.write(&LearningEntry::Name { engine: name.to_owned() })
    }

    pub fn add(&mut self, position: &GamePosition, ranking: &Ranking) -> Result<(), String> {
        self.write(&LearningEntry::Searched {
            game: position.game,
            move_index: position.index,
            played: position.played.to_string(),
            depth: ranking.depth,
            lines: ranking.lines.iter().map(|(m, score)| (m.to_string(), score.raw())).collect(),
        })
    }

    /// Writes a line in a single write, so that only the last line can be incomplete if the process is killed.
    fn write(&mut self, line: &impl Serialize) -> Result<(), String> {
        let failed = |why: &dyn Display| why.at(of_file(&self.path));
        let mut text = serde_json::to_string(line).map_err(|error| failed(&error))?;
        if let Some(header) = self.header.take() {
            let first = serde_json::to_string(&header).map_err(|error| failed(&error))?;
            text = format!("{first}\n{text}");
        }
        self.file.write_all(format!("{text}\n").as_bytes()).map_err(|error| failed(&error))
    }
}

/// Parses a journal's rankings of positions in `games`; the journal's plan must equal `plan`.
pub fn rankings(text: &str, plan: &Value, games: &LearningGames) -> Result<Rankings, String> {
    read(text, plan, games).map(|(_, rankings)| rankings)
}

/// Reads the engine's name and the rankings of positions in `games`. The journal's plan must equal `plan`, unless
/// `plan` is null.
fn read(text: &str, plan: &Value, games: &LearningGames) -> Result<(Option<String>, Rankings), String> {
    let places: BTreeMap<(u32, u32), usize> =
        games.positions.iter().enumerate().map(|(at, position)| ((position.game, position.index), at)).collect();
    let mut lines = text.lines();
    check_header(lines.next().unwrap_or_default(), plan)?;
    let (mut name, mut rankings) = (None, Rankings::new());
    for (number, line) in (2_usize..).zip(lines) {
        let entry = serde_json::from_str(line)
            .map_err(|error| format!("expected a searched position, found {}", json_fault(&error)))
            .map_err(|why| why.at(format!("line {number}")))?;
        let LearningEntry::Searched { game, move_index, played, depth, lines } = entry else {
            let LearningEntry::Name { engine } = entry else { continue };
            name = Some(engine);
            continue;
        };
        // A run with a smaller `--skip` may have searched positions that this run leaves out.
        let Some(&at) = places.get(&(game, move_index)) else { continue };
        let expected = &games.positions[at].played;
        if **expected != *played {
            let (game, index) = (game + 1, move_index + 1);
            return Err(format!(
                "move {index} of game {game} is {played} here, but {expected} in --games: other games"
            )
            .at(format!("line {number}")));
        }
        rankings.insert(at, restore(depth, &lines).map_err(|why| why.at(format!("line {number}")))?);
    }
    Ok((name, rankings))
}

fn check_header(line: &str, plan: &Value) -> Result<(), String> {
    let header: LearningHeader = serde_json::from_str(line).map_err(|error| {
        format!("expected the journal of hasami-lab learn, found another file ({})", json_fault(&error))
    })?;
    if header.version != VERSION {
        return Err(format!("expected version {}, found {}", VERSION, header.version));
    }
    let empty = serde_json::Map::new();
    let keys = plan.as_object().unwrap_or(&empty).keys();
    match keys.into_iter().find(|key| header.plan[key.as_str()] != plan[key.as_str()]) {
        None => Ok(()),
        Some(key) => Err(format!(
            "the journal was made with {key} {}, but this command says {}; another --journal starts over",
            header.plan[key.as_str()],
            plan[key.as_str()]
        )),
    }
}

fn of_file(path: &Path) -> String {
    format!("journal {}", path.display())
}

fn restore(depth: u16, lines: &[(String, i32)]) -> Result<Ranking, String> {
    let line = |(text, raw): &(String, i32)| {
        let m: MoveText = text.parse().map_err(|_| format!("expected a move, found '{text}'"))?;
        Ok((m, Score::from_raw(*raw)))
    };
    Ok(Ranking { depth, lines: lines.iter().map(line).collect::<Result<_, String>>()? })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn games() -> LearningGames {
        let m = |text: &str| text.parse::<MoveText>().unwrap();
        let position = |index: u32, text: &str| GamePosition {
            game: 0,
            index,
            played: m(text),
            ply: index,
            moves: 20,
            phase: 0.0,
        };
        LearningGames {
            lines: Vec::new(),
            positions: vec![position(0, "e2e4"), position(1, "e7e5"), position(2, "g1f3")],
            warnings: Vec::new(),
        }
    }

    fn ranking(depth: u16) -> Ranking {
        let line = |text: &str, score| (text.parse().unwrap(), score);
        Ranking { depth, lines: vec![line("e2e4", Score::cp(30)), line("d2d4", Score::loss_in(4))] }
    }

    #[test]
    fn an_interrupted_run_continues_after_the_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let plan = json!({"nodes": 5, "multipv": 10});
        let games = games();
        let (mut journal, found) = LearningJournal::open(&path, &plan, &games).unwrap();
        assert!(found.is_empty());
        journal.set_name("mock").unwrap();
        journal.add(&games.positions[2], &ranking(7)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        journal.add(&games.positions[0], &ranking(8)).unwrap();
        let all = std::fs::read(&path).unwrap();
        let busy = LearningJournal::open(&path, &plan, &games).err().unwrap();
        assert!(busy.ends_with("x: cannot write the file: another run is using it"), "{busy}");
        drop(journal);
        for cut in whole.len()..all.len() {
            std::fs::write(&path, &all[..cut]).unwrap();
            let (mut journal, found) = LearningJournal::open(&path, &plan, &games).unwrap();
            assert_eq!(found.into_iter().collect::<Vec<_>>(), [(2, ranking(7))], "cut at {cut}");
            assert_eq!(journal.name(), Some("mock"));
            journal.add(&games.positions[0], &ranking(8)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), all);
        }
        // If the first line is incomplete, the journal counts as empty.
        std::fs::write(&path, &all[..20]).unwrap();
        assert!(LearningJournal::open(&path, &plan, &games).unwrap().1.is_empty());
    }

    #[test]
    fn other_plans_games_and_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let complaint = |plan: Value, games: &LearningGames| LearningJournal::open(&path, &plan, games).err().unwrap();
        let plan = json!({"nodes": 5});
        let mut games = games();
        let (mut journal, _) = LearningJournal::open(&path, &plan, &games).unwrap();
        journal.add(&games.positions[1], &ranking(7)).unwrap();
        drop(journal);
        assert!(
            complaint(json!({"nodes": 6}), &games)
                .contains("the journal was made with nodes 5, but this command says 6")
        );
        games.positions[1].played = "c7c5".parse().unwrap();
        assert!(complaint(plan.clone(), &games).contains("line 2: move 2 of game 1 is e7e5 here, but c7c5 in --games"));
        for text in ["hello", "hello\n", "{\"hasami_match\":1}\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(complaint(plan.clone(), &games).contains("expected the journal of hasami-lab learn"), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "it is not touched");
        }
    }
}
