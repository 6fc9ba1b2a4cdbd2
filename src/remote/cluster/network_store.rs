//! Keeps a worker node's networks in memory while the program runs, and in a folder as files named by their hashes.

use super::names::NetworkId;
use hasami_nnue::{Network, all_built_in};
use hasami_words::files::{self, FileError};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of files to keep; older files are deleted.
const MOST_FILES: usize = 8;
/// Number of unused networks that stay in memory although they are also on disk.
const MOST_IDLE: usize = 2;

pub struct NetworkStore {
    /// The folder in which networks are stored; `None` if nothing is stored on disk.
    folder: Option<PathBuf>,
    networks: Mutex<BTreeMap<NetworkId, Arc<Network>>>,
}

impl NetworkStore {
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, networks: Mutex::default() }
    }

    /// Returns a network that was found or stored earlier. A network that was dropped from memory is read from the
    /// folder again.
    pub fn load(&self, id: &NetworkId) -> Option<Arc<Network>> {
        self.get(id).or_else(|| self.find(*id).ok().and_then(|_| self.get(id)))
    }

    fn get(&self, id: &NetworkId) -> Option<Arc<Network>> {
        self.networks.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Looks for a network among the built-in networks and in the folder, and loads it. Returns `Ok(false)` if the
    /// network was not found.
    pub fn find(&self, id: NetworkId) -> Result<bool, String> {
        if self.get(&id).is_some() {
            return Ok(true);
        }
        if let Some(network) = all_built_in().find(|network| network.sha256 == id.sha256) {
            self.networks.lock().unwrap_or_else(PoisonError::into_inner).insert(id, network);
            return Ok(true);
        }
        let Some(path) = self.path(&id).filter(|path| path.exists()) else { return Ok(false) };
        let bytes = files::read(&path, "network file", id.bytes.into())?;
        // If a file does not match the hash in its name, the network is fetched again.
        Ok(self.add(id, &bytes).is_ok())
    }

    /// Stores the bytes of a network if they have the requested hash.
    pub fn keep(&self, id: NetworkId, bytes: &[u8]) -> Result<(), String> {
        self.add(id, bytes)?;
        if let Some(path) = self.path(&id)
            && let Err(error) = write(&path, bytes)
        {
            log::warn!("{}: {error}", path.display());
        }
        Ok(())
    }

    fn add(&self, id: NetworkId, bytes: &[u8]) -> Result<(), String> {
        let mut network = hasami_nnue::read(bytes).map_err(|error| error.to_string())?;
        if network.sha256 != id.sha256 {
            return Err(format!("the file has the hash {}, not {id}", &network.sha256_text()[..12]));
        }
        if id.fv_scale > 0 {
            network.set_fv_scale(id.fv_scale);
        }
        let mut networks = self.networks.lock().unwrap_or_else(PoisonError::into_inner);
        let is_idle = |(id, network): (&NetworkId, &Arc<Network>)| {
            let is_kept = self.path(id).is_some_and(|path| path.exists());
            (Arc::strong_count(network) == 1 && is_kept).then_some(*id)
        };
        let idle: Vec<NetworkId> = networks.iter().filter_map(is_idle).collect();
        idle.iter().skip(MOST_IDLE).for_each(|id| _ = networks.remove(id));
        networks.insert(id, Arc::new(network));
        Ok(())
    }

    fn path(&self, id: &NetworkId) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(files::hex(&id.sha256)))
    }
}

/// Writes a file atomically, then deletes the oldest files.
fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(FileError::Unwritable)?;
    files::write_whole(path, bytes)?;
    let mut kept: Vec<_> =
        fs::read_dir(folder).map_err(FileError::Unwritable)?.flatten().map(|entry| entry.path()).collect();
    kept.retain(|file| file.file_name().is_some_and(|name| name.len() == 64));
    kept.sort_by_key(|file| file.metadata().and_then(|data| data.modified()).ok());
    let many = kept.len().saturating_sub(MOST_FILES);
    let mut old = kept.into_iter().take(many).filter(|file| file != path);
    old.try_for_each(fs::remove_file).map_err(FileError::Unwritable)
}

/// The default folder for networks.
pub fn usual_folder() -> Option<PathBuf> {
    let of = |variable: &str| std::env::var_os(variable).filter(|text| !text.is_empty()).map(PathBuf::from);
    let cache = of("XDG_CACHE_HOME").or_else(|| of("LOCALAPPDATA")).or_else(|| Some(of("HOME")?.join(".cache")));
    Some(cache?.join("hasami").join("networks"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_nnue::{NetworkGame, OwnNetwork};

    fn file(text: &str) -> (NetworkId, Vec<u8>) {
        let (game, buckets) = (NetworkGame::Chess, vec![0; 64]);
        let (biases, weights, stacks) = (vec![0; 128], vec![0; 128 * 768], vec![(0, vec![0; 256])]);
        let network =
            OwnNetwork { game, width: 128, scale: 100, description: text.into(), buckets, biases, weights, stacks };
        let bytes = network.to_bytes();
        let sha256 = hasami_nnue::read(&bytes).unwrap().sha256;
        (NetworkId { sha256, bytes: bytes.len() as u32, fv_scale: 0 }, bytes)
    }

    #[test]
    fn networks_are_stored_by_hash_and_the_oldest_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let store = || NetworkStore::new(Some(folder.path().to_owned()));
        let (id, bytes) = file("one");
        let (other, _) = file("two");
        assert_eq!(store().find(id), Ok(false));
        let why = store().keep(other, &bytes).unwrap_err();
        assert_eq!(why, format!("the file has the hash {id}, not {other}"));
        store().keep(id, &bytes).unwrap();
        let again = store();
        assert_eq!((again.find(id), again.get(&id).is_some()), (Ok(true), true));
        for n in 0..2 * MOST_FILES {
            let (id, bytes) = file(&n.to_string());
            store().keep(id, &bytes).unwrap();
        }
        assert!(fs::read_dir(folder.path()).unwrap().count() <= MOST_FILES);
        let last = file(&(2 * MOST_FILES - 1).to_string()).0;
        let all: Vec<_> = (MOST_FILES..2 * MOST_FILES).map(|n| file(&n.to_string()).0).collect();
        let one = store();
        let in_use = one.load(&all[0]).unwrap();
        all.iter().for_each(|id| assert!(one.load(id).is_some()));
        assert!(one.networks.lock().unwrap().len() <= MOST_IDLE + 2, "others were dropped");
        assert!(one.get(&all[0]).is_some_and(|network| Arc::ptr_eq(&network, &in_use)), "it is in use");
        assert_eq!(store().find(last), Ok(true));
        fs::write(store().path(&last).unwrap(), b"rubbish").unwrap();
        assert_eq!(store().find(last), Ok(false), "it is fetched again");
    }
}
