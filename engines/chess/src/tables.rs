//! Probes Syzygy endgame tables.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::setup;
use hasami_api::Verdict;
use shakmaty::{Chess as Standard, Position};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase, Wdl};
use std::io;
use std::path::PathBuf;

/// The error for a folder that contains no endgame tables or cannot be read.
#[derive(Debug)]
pub struct NoTables {
    /// The folder that was requested.
    pub folder: PathBuf,
    /// The error of the operating system; `None` if the folder can be read but contains no tables.
    pub why: Option<io::Error>,
}

/// Syzygy endgame tables from one or more folders.
pub struct Tables(pub(crate) Tablebase<Standard>);

impl Tables {
    /// Opens the tables of all folders, each of which must contain at least one table.
    pub fn open(folders: &[PathBuf]) -> Result<Self, NoTables> {
        let mut tables = Tablebase::new();
        for folder in folders {
            let why = match tables.add_directory(folder) {
                Ok(0) => None,
                Ok(_) => continue,
                Err(error) => Some(error),
            };
            return Err(NoTables { folder: folder.clone(), why });
        }
        Ok(Self(tables))
    }

    /// Returns the value of the position in `fen` for the side to move. Returns `None` if no table contains the
    /// position, or if the value depends on the fifty-move rule in a way that the tables cannot decide. Unless the last
    /// move was a capture or a pawn move, a probe also requires DTZ tables.
    pub fn probe(&self, fen: &str) -> Option<Verdict> {
        let position = setup::parse(fen).ok()?;
        if position.board().occupied().count() > self.0.max_pieces() || position.castles().any() {
            return None;
        }
        if position.halfmoves() == 0 {
            // The WDL tables are sufficient if the halfmove clock is zero.
            return Some(match self.0.probe_wdl_after_zeroing(&position).ok()? {
                Wdl::Win => Verdict::Win,
                Wdl::Loss => Verdict::Loss,
                Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Verdict::Draw,
            });
        }
        match self.0.probe_wdl(&position).ok()? {
            AmbiguousWdl::Win => Some(Verdict::Win),
            AmbiguousWdl::Loss => Some(Verdict::Loss),
            AmbiguousWdl::Draw | AmbiguousWdl::CursedWin | AmbiguousWdl::BlessedLoss => Some(Verdict::Draw),
            AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
        }
    }
}

/// Creates test folders that contain the smallest Syzygy table.
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod test_files {
    use std::path::PathBuf;

    /// The table file `KRvK.rtbw` in hexadecimal.
    const ROOK: [&str; 4] = [
        "71e8235d3100ee664400800400060f00010000000501090009000800040000000a00011000077000000000022000066000033000",
        "05500000f0ff02f0ff044000000000000040637a0000000000000000000000000000000000000000000000000000000000000000",
        "000000000000000000000000000000000000000000000000ffffffffffffffffffffffe48356db6dd0c400bfffffff431882ac8d",
        "4000000000000000000000000000000000000000000000000000000000000000000000004fa676b49b6e40f8ee0bd5b2f1a1f719",
    ];

    /// A temporary folder; dropping it deletes the folder and its contents.
    pub(crate) struct Folder {
        pub(crate) path: PathBuf,
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.path).ok();
        }
    }

    pub(crate) fn rook(name: &str) -> Folder {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("hasami-tables-{}-{name}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let hex = ROOK.concat();
        let byte = |at: usize| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap();
        std::fs::write(path.join("KRvK.rtbw"), (0..hex.len() / 2).map(byte).collect::<Vec<_>>()).unwrap();
        Folder { path }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_rook_wins_and_a_lost_rook_draws() {
        let folder = test_files::rook("values");
        let tables = Tables::open(std::slice::from_ref(&folder.path)).unwrap();
        assert_eq!(tables.probe("8/8/8/3k4/8/8/8/R3K3 w - - 0 1"), Some(Verdict::Win));
        assert_eq!(tables.probe("8/8/8/3k4/8/8/8/R3K3 b - - 0 1"), Some(Verdict::Loss));
        assert_eq!(tables.probe("8/8/8/8/8/2k5/1R6/4K3 b - - 0 1"), Some(Verdict::Draw));
        // With a halfmove clock of 40, the value depends on a DTZ table, and the folder has no table with a bishop.
        assert_eq!(tables.probe("8/8/8/3k4/8/8/8/R3K3 w - - 40 1"), None);
        assert_eq!(tables.probe("8/8/8/3k4/8/8/8/R3K2B w - - 0 1"), None);
    }

    #[test]
    fn errors_name_the_missing_folder() {
        let refused = Tables::open(&["/nonexistent/tables".into()]).err().unwrap();
        assert_eq!(refused.folder, PathBuf::from("/nonexistent/tables"));
        assert_eq!(refused.why.map(|error| error.kind()), Some(io::ErrorKind::NotFound));
    }

    #[test]
    fn unknown_positions_have_no_value() {
        let tables = Tables::open(&[]).unwrap();
        assert_eq!(tables.probe("8/8/8/4k3/8/8/4K3/7Q w - - 0 1"), None);
        assert_eq!(tables.probe("rubbish"), None);
    }
}
