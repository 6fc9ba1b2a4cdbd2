//! The file of self-play games, and the file next to it with the plan for playing them.

use super::plan::SelfPlayPlan;
use hasami_training::TrainingFormats;
use hasami_words::files;
use hasami_words::text::At;
use hasami_words::text::difference::difference;
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The game file; new games are appended.
pub struct GamesFile {
    file: File,
    path: PathBuf,
    /// Number of games in the file.
    pub games: u64,
    /// Total number of moves in these games.
    pub moves: u64,
}

impl GamesFile {
    /// Creates a game file, or opens one with the same plan; if its last game is incomplete, removes that game.
    pub fn open(path: &Path, plan: &SelfPlayPlan, formats: &TrainingFormats) -> Result<Self, String> {
        let failed = |error: std::io::Error| error.at(path.display());
        files::is_free_or_regular(path).map_err(|why| why.at(path.display()))?;
        let is_new = !path.exists();
        let mut options = OpenOptions::new();
        let mut file = options.create(true).truncate(false).read(true).write(true).open(path).map_err(failed)?;
        // The lock keeps two processes from playing the same games for one file.
        files::lock(&file).map_err(|why| why.at(path.display()))?;
        if let Err(why) = agree(&file, path, plan) {
            if is_new {
                // If the new file cannot be removed, it remains empty.
                let _ = fs::remove_file(path);
            }
            return Err(why);
        }
        let (mut games, mut moves, mut used) = (0, 0, 0);
        let bytes = files::read_open(&mut file, "file of games", u64::MAX);
        let bytes = bytes.map_err(|why| why.at(path.display()))?;
        loop {
            let found = (formats.read_game)(&bytes[used..]);
            let found = found.map_err(|error| error.at(format!("game {}", games + 1)).at(path.display()))?;
            let Some((game, size)) = found else { break };
            (games, moves, used) = (games + 1, moves + game.moves.len() as u64, used + size);
        }
        file.set_len(used as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { file, path: path.to_path_buf(), games, moves })
    }

    /// Appends the next game: `bytes` is the encoded game, and `moves` its number of moves.
    pub fn append(&mut self, bytes: &[u8], moves: usize) -> Result<(), String> {
        self.file.write_all(bytes).map_err(|error| error.at(self.path.display()))?;
        self.games += 1;
        self.moves += moves as u64;
        Ok(())
    }
}

/// Checks that the plan stored next to the game file equals `plan`. If the game file is empty and no plan is stored,
/// stores `plan`.
fn agree(file: &File, path: &Path, plan: &SelfPlayPlan) -> Result<(), String> {
    let beside = files::beside(path, "json");
    let text = serde_json::to_string_pretty(plan).map_err(|error| error.to_string())?;
    let Some(old) = files::read_kept(&beside, "plan").map_err(|why| why.at(beside.display()))? else {
        if file.metadata().is_ok_and(|found| found.len() > 0) {
            return Err(format!("its conditions, {}, are missing", beside.display()).at(path.display()));
        }
        return files::write_whole(&beside, text.as_bytes()).map_err(|why| why.at(beside.display()));
    };
    if old == text.as_bytes() {
        return Ok(());
    }
    let now = serde_json::to_value(plan).map_err(|error| error.to_string())?;
    let Ok(before @ Value::Object(_)) = serde_json::from_slice::<Value>(&old) else {
        let found = if old.is_empty() { "an empty file" } else { "a file that is cut off or holds something else" };
        return Err(format!("expected the conditions of self-play, found {found}").at(beside.display()));
    };
    let Some((name, before, now)) = difference(&before, &now) else { return Ok(()) };
    Err(format!("was begun with {name} {before} ({}), but this command says {now}", beside.display())
        .at(path.display()))
}
