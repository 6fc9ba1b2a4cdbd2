//! The file of games, and the plan beside it.

use super::plan::SelfPlayPlan;
use crate::files;
use crate::words::Message;
use hasami_training::TrainingFormats;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that games are appended to.
pub struct GamesFile {
    file: File,
    path: PathBuf,
    /// Games in it.
    pub games: u64,
    /// Moves of these.
    pub moves: u64,
}

impl GamesFile {
    /// Begins a file, or goes on with one of the same plan, without what a broken run left unfinished at its end.
    pub fn open(path: &Path, plan: &SelfPlayPlan, formats: &TrainingFormats) -> Result<Self, Message> {
        let at = |why: Message| why.at(path.display().to_string());
        let failed = |error: std::io::Error| at(Message::of_system(&error));
        let beside = plan_path(path);
        let text = serde_json::to_string_pretty(plan).map_err(|error| error.to_string())?;
        let old = files::read_kept(&beside, "plan").map_err(|why| why.at(beside.display().to_string()))?;
        match old {
            Some(old) if old == text.as_bytes() => {}
            Some(_) => {
                let why = Message::new("expected-plan-beside").with("plan", beside.display().to_string());
                return Err(at(why));
            }
            None if path.exists() => {
                let why = Message::new("expected-file-beside").with("plan", beside.display().to_string());
                return Err(at(why));
            }
            None => {
                fs::write(&beside, text).map_err(|error| Message::of_system(&error).at(beside.display().to_string()))?
            }
        }
        files::is_free_or_regular(path).map_err(at)?;
        let mut options = OpenOptions::new();
        let mut file = options.create(true).truncate(false).read(true).write(true).open(path).map_err(failed)?;
        files::lock(&file).map_err(at)?;
        let (mut games, mut moves, mut used) = (0, 0, 0);
        let bytes = files::read_open(&mut file, "file of games", u64::MAX);
        let bytes = bytes.map_err(at)?;
        loop {
            let found = (formats.read_game)(&bytes[used..]);
            let number = Message::new("game-of-record").with("number", games + 1);
            let found = found.map_err(|error| at(Message::from(error.to_string()).at(number)))?;
            let Some((game, size)) = found else { break };
            (games, moves, used) = (games + 1, moves + game.moves.len() as u64, used + size);
        }
        file.set_len(used as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { file, path: path.to_path_buf(), games, moves })
    }

    /// Appends the next game, `bytes` long and of so many moves.
    pub fn append(&mut self, bytes: &[u8], moves: usize) -> Result<(), Message> {
        self.file.write_all(bytes).map_err(|error| Message::of_system(&error).at(self.path.display().to_string()))?;
        self.games += 1;
        self.moves += moves as u64;
        Ok(())
    }
}

/// `games.viri` has its plan in `games.viri.json`.
fn plan_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}
