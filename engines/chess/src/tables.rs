//! What Syzygy endgame tables know about a position.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::setup;
use hasami_api::Verdict;
use shakmaty::{Chess as Standard, Position};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};
use std::path::PathBuf;

/// Tables read from folders.
pub struct Tables(Tablebase<Standard>);

impl Tables {
    /// Errors name the folder.
    pub fn open(folders: &[PathBuf]) -> Result<Self, String> {
        let mut tables = Tablebase::new();
        for folder in folders {
            let found = tables.add_directory(folder).map_err(|error| error.to_string());
            match found {
                Ok(0) => Err("no tables in it".to_owned()),
                other => other,
            }
            .map_err(|error| format!("expected Syzygy tables in '{}', found: {error}", folder.display()))?;
        }
        Ok(Self(tables))
    }

    /// The value of a FEN for the side to move; `None` if the tables do not have it, or if it depends on the fifty-move
    /// rule and they cannot tell.
    pub fn probe(&self, fen: &str) -> Option<Verdict> {
        let position = setup::parse(fen).ok()?;
        if position.board().occupied().count() > self.0.max_pieces() || position.castles().any() {
            return None;
        }
        match self.0.probe_wdl(&position).ok()? {
            AmbiguousWdl::Win => Some(Verdict::Win),
            AmbiguousWdl::Loss => Some(Verdict::Loss),
            AmbiguousWdl::Draw | AmbiguousWdl::CursedWin | AmbiguousWdl::BlessedLoss => Some(Verdict::Draw),
            AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_tables_is_named() {
        let error = Tables::open(&["/nonexistent/tables".into()]).err().unwrap();
        assert!(error.starts_with("expected Syzygy tables in '/nonexistent/tables', found: "), "{error}");
    }

    #[test]
    fn unknown_positions_have_no_value() {
        let tables = Tables::open(&[]).unwrap();
        assert_eq!(tables.probe("8/8/8/4k3/8/8/4K3/7Q w - - 0 1"), None);
        assert_eq!(tables.probe("rubbish"), None);
    }
}
