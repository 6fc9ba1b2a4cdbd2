//! Reads the network file that the engine options name.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::EvaluationError;
use hasami_nnue::OwnNetwork;
use hasami_nnue::{Network, NetworkGame, built_in};
use hasami_protocol::{Protocol, Settings};
use hasami_words::files;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum size of a network file, in bytes.
const MOST_BYTES: u64 = 1 << 30;
/// The name of the network file in the folder `EvalDir`, as in YaneuraOu.
const FILE_IN_FOLDER: &str = "nn.bin";

/// Reads a network file. Errors do not contain the path.
pub fn read(path: &Path) -> Result<Network, EvaluationError> {
    let bytes = files::read(path, "network file", MOST_BYTES)?;
    Ok(hasami_nnue::read(&bytes)?)
}

/// Reads a network file in the program's own format into the representation that the trainer uses.
pub fn read_own(path: &Path) -> Result<OwnNetwork, EvaluationError> {
    let bytes = files::read(path, "network file", MOST_BYTES)?;
    Ok(OwnNetwork::parse(&bytes)?)
}

/// Reads the network for `game` that `settings` name, or returns the built-in network.
pub fn named(settings: &Settings, game: NetworkGame, protocol: Protocol) -> Result<Arc<Network>, EvaluationError> {
    let meant = meant(settings, protocol).filter(|(path, _, is_needed)| *is_needed || path.exists());
    let Some((path, option, _)) = meant else { return Ok(built_in(game)) };
    let failed = |why| EvaluationError::Option { option, path: path.clone(), why: Box::new(why) };
    let mut network = read(&path).map_err(failed)?;
    let (wanted, found) = (game.name(), network.game.name());
    if network.game != game {
        return Err(failed(EvaluationError::OtherGame { wanted, found }));
    }
    if let Some(divisor) = settings.evaluation.fv_scale {
        network.set_fv_scale(divisor);
    }
    Ok(Arc::new(network))
}

/// Returns the path of the network file that the options name.
pub fn file(settings: &Settings, protocol: Protocol) -> Option<PathBuf> {
    meant(settings, protocol).map(|(path, ..)| path)
}

/// Returns the network file that the settings choose, the option that chooses it, and whether the file must exist.
fn meant(settings: &Settings, protocol: Protocol) -> Option<(PathBuf, &'static str, bool)> {
    let options = &settings.evaluation;
    match options.file.as_str() {
        "" if protocol == Protocol::Usi && !options.folder.is_empty() => {
            let folder = files::beside_program(Path::new(&options.folder));
            Some((folder.join(FILE_IN_FOLDER), "EvalDir", options.folder != Settings::default().evaluation.folder))
        }
        "" => None,
        file => {
            let here = PathBuf::from(file);
            let path = if here.exists() { here } else { files::beside_program(&here) };
            Some((path, "EvalFile", true))
        }
    }
}

/// Describes the network in use, in one line.
pub fn describe(network: &Network) -> String {
    let scale = network.fv_scale().map_or_else(String::new, |divisor| format!(", FV_SCALE {divisor}"));
    let sha256 = network.sha256_text();
    format!(
        "network {}: {}{scale}, {}",
        sha256.get(..12).unwrap_or_default(),
        network.name,
        network.instruction_set().name()
    )
}
