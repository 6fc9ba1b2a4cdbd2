//! The network that the options name, read from its file.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::EvaluationError;
use hasami_nnue::OwnNetwork;
use hasami_nnue::{Network, NetworkGame, built_in};
use hasami_protocol::{Protocol, Settings};
use hasami_words::files;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;
/// The word of `EvalFile` for the evaluation made by hand.
pub const CLASSICAL: &str = "classical";
/// The file in the folder `EvalDir`, as YaneuraOu has it.
const FILE_IN_FOLDER: &str = "nn.bin";

/// Reads a network. The error says what was expected and what was found, without the path.
pub fn read(path: &Path) -> Result<Network, EvaluationError> {
    let bytes = files::read(path, "network file", MOST_BYTES)?;
    Ok(hasami_nnue::read(&bytes)?)
}

/// A file that begins as networks of our own format do.
pub fn is_own(path: &Path) -> bool {
    let mut word = [0; OwnNetwork::WORD.len()];
    files::open(path, "network file")
        .is_ok_and(|mut file| file.read_exact(&mut word).is_ok() && word == *OwnNetwork::WORD)
}

/// A network of our own format, as the trainer has it.
pub fn read_own(path: &Path) -> Result<OwnNetwork, EvaluationError> {
    let bytes = files::read(path, "network file", MOST_BYTES)?;
    Ok(OwnNetwork::parse(&bytes)?)
}

/// The network for `game` that `settings` name, or the built-in one; `None` for the evaluation made by hand. The error is a line
/// for the user.
pub fn named(
    settings: &Settings,
    game: NetworkGame,
    protocol: Protocol,
) -> Result<Option<Arc<Network>>, EvaluationError> {
    if settings.evaluation.file == CLASSICAL {
        return Ok(None);
    }
    let meant = meant(settings, protocol).filter(|(path, _, is_needed)| *is_needed || path.exists());
    let Some((path, option, _)) = meant else { return Ok(built_in(game)) };
    let failed = |why| EvaluationError::Option { option, path: path.clone(), why: Box::new(why) };
    let mut network = read(&path).map_err(failed)?;
    let (wanted, found) = (game.name(), network.game().name());
    if network.game() != game {
        return Err(failed(EvaluationError::OtherGame { wanted, found }));
    }
    if let Some(divisor) = settings.evaluation.fv_scale {
        network.set_fv_scale(divisor);
    }
    Ok(Some(Arc::new(network)))
}

/// The file of the network that the options name.
pub fn file(settings: &Settings, protocol: Protocol) -> Option<PathBuf> {
    meant(settings, protocol).map(|(path, ..)| path)
}

/// The file that is meant, the option that says so, and whether it must be there.
fn meant(settings: &Settings, protocol: Protocol) -> Option<(PathBuf, &'static str, bool)> {
    let options = &settings.evaluation;
    match options.file.as_str() {
        CLASSICAL => None,
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

/// A line about the network in use.
pub fn describe(network: &Network) -> String {
    let scale = network.fv_scale().map_or_else(String::new, |divisor| format!(", FV_SCALE {divisor}"));
    let sha256 = network.sha256_text();
    format!(
        "network {}: {}{scale}, {}",
        sha256.get(..12).unwrap_or_default(),
        network.name(),
        network.instruction_set().name()
    )
}
