//! Manages engines in the object store: files that the cluster's owner uploads, identified by name and SHA-256.

use super::{AGE, Queue, text};
use crate::cluster::Access;
use crate::games::host::is_hash;
use async_nats::jetstream::object_store::{self, ObjectInfo, ObjectMetadata, ObjectStore};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE;
use futures_util::TryStreamExt;
use hasami_words::text::At;
use hasami_words::{files, heard};
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::runtime;

const BUCKET: &str = "hasami-1-engines";
const FILES: &str = "hasami-1-files";
/// Maximum size of a file in bytes.
const LARGEST: usize = 1 << 30;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredEngine {
    pub name: String,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    pub bytes: usize,
}

impl StoredEngine {
    fn of(info: &ObjectInfo) -> Option<Self> {
        let digest = info.digest.as_deref()?.strip_prefix("SHA-256=")?;
        let sha256 = files::hex(&BASE64_URL_SAFE.decode(digest).ok()?);
        (sha256.len() == 64).then(|| Self { name: info.name.clone(), sha256, bytes: info.size })
    }
}

/// Uploads a program as the engine `name`, and replaces an earlier program with the same name.
pub fn add(access: &Access, name: &str, mut bytes: &[u8]) -> Result<StoredEngine, String> {
    within(access, async |queue| {
        let store = store(&queue).await?;
        let data = ObjectMetadata { name: name.to_owned(), ..ObjectMetadata::default() };
        let info = store.put(data, &mut bytes).await.map_err(text)?;
        StoredEngine::of(&info).ok_or_else(|| "the object store has no hash of the engine".to_owned())
    })
}

/// Lists all engines in the object store.
pub fn list(access: &Access) -> Result<Vec<StoredEngine>, String> {
    within(access, async |queue| {
        let list = store(&queue).await?.list().await.map_err(text)?;
        let found: Vec<ObjectInfo> = list.try_collect().await.map_err(text)?;
        Ok(found.iter().filter_map(StoredEngine::of).collect())
    })
}

/// Removes an engine from the store and returns it.
pub fn remove(access: &Access, name: &str) -> Result<StoredEngine, String> {
    within(access, async |queue| {
        let store = store(&queue).await?;
        // The object store also keeps entries for deleted engines.
        let found = store.info(name).await.ok().filter(|info| !info.deleted);
        let found = found.as_ref().and_then(StoredEngine::of);
        let found =
            found.ok_or_else(|| format!("there is no engine '{name}'; 'hasami workers --engines' lists them"))?;
        store.delete(name).await.map_err(text)?;
        Ok(found)
    })
}

fn within<T>(access: &Access, act: impl AsyncFnOnce(Queue) -> Result<T, String>) -> Result<T, String> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(text)?;
    let done = runtime.block_on(async { act(Queue::open(access, "hasami workers", |_| {}).await?).await });
    runtime.shutdown_background();
    done
}

async fn store(queue: &Queue) -> Result<ObjectStore, String> {
    bucket(queue, BUCKET, Duration::ZERO).await
}

/// Opens the object store for callers' files, which expire later than the tasks that use them.
async fn files(queue: &Queue) -> Result<ObjectStore, String> {
    bucket(queue, FILES, 2 * AGE).await
}

async fn bucket(queue: &Queue, name: &str, max_age: Duration) -> Result<ObjectStore, String> {
    if let Ok(store) = queue.context.get_object_store(name).await {
        return Ok(store);
    }
    let config = object_store::Config { bucket: name.to_owned(), max_age, ..object_store::Config::default() };
    queue.context.create_object_store(config).await.map_err(text)
}

impl Queue {
    /// Downloads an engine's file unless the file already exists on this machine.
    pub async fn fetch_engine(&self, name: &str, sha256: &str, path: &Path) -> Result<(), String> {
        let fetched = async { self.fetch(store(self).await?, name, sha256, path).await };
        fetched.await.map_err(|why| why.at(format!("engine {}", heard(name))))
    }

    /// Downloads a caller's file, which is named by its hash, unless the file already exists on this machine.
    pub async fn fetch_file(&self, sha256: &str, path: &Path) -> Result<(), String> {
        self.fetch(files(self).await?, sha256, sha256, path).await
    }

    /// Downloads a file unless it already exists on this machine. The object store checks that the content matches the
    /// stored hash; this function checks that the stored hash is the requested one.
    async fn fetch(&self, store: ObjectStore, name: &str, sha256: &str, path: &Path) -> Result<(), String> {
        if !is_hash(sha256) {
            return Err("the hash of the file is not a SHA-256".to_owned());
        }
        if path.is_file() {
            return Ok(());
        }
        let mut object = store.get(name).await.map_err(text)?;
        let Some(found) = StoredEngine::of(object.info()) else {
            return Err(format!("the object store has no hash of the file {sha256}"));
        };
        if found.sha256 != sha256 {
            return Err(format!("the file in the object store has the hash {}, not {sha256}", found.sha256));
        }
        if found.bytes > LARGEST {
            return Err(format!("the file {sha256} is larger than {LARGEST} bytes"));
        }
        let mut bytes = Vec::new();
        object.read_to_end(&mut bytes).await.map_err(text)?;
        keep(path, &bytes).map_err(|error| error.at(path.display()))
    }
}

/// Uploads a caller's file under its hash unless the store already has it. Returns the hash.
pub fn add_file(access: &Access, bytes: &[u8]) -> Result<String, String> {
    let sha256 = files::sha256_of(std::iter::once(bytes));
    within(access, async |queue| {
        let store = files(&queue).await?;
        if store.info(&sha256).await.is_ok_and(|info| !info.deleted) {
            return Ok(sha256);
        }
        let data = ObjectMetadata { name: sha256.clone(), ..ObjectMetadata::default() };
        store.put(data, &mut &*bytes).await.map_err(text)?;
        Ok(sha256)
    })
}

/// Writes a program atomically.
fn keep(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = files::WholeFile::begin(path).map_err(std::io::Error::other)?;
    file.write_all(bytes)?;
    file.make_executable()?;
    file.finish()
}
