//! An empty folder that goes with the program.

use std::io;
use std::path::{Path, PathBuf};

/// See the module.
pub struct OwnFolder(PathBuf);

impl OwnFolder {
    pub fn new() -> io::Result<Self> {
        let name = format!("hasami-games-{}-{:08x}", std::process::id(), rand::random::<u32>());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path)?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        // What is left in the folder for temporary files goes with that.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
