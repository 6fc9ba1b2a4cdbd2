//! Turns the bytes of a file into a network.
//!
//! Programs that write shogi networks do not update the descriptions and hashes in the files. The reader determines the
//! architecture from sizes, and from the description only where the sizes are ambiguous.

mod classic;
mod head;
mod own;
mod products;

use crate::error::NetworkError;
use crate::network::Network;
pub use own::OwnNetwork;
use sha2::{Digest, Sha256};

/// Maximum size of a network file, in bytes.
const MOST_BYTES: usize = 1 << 30;

/// Reads a network of any known format. Reading needs about three times as much memory as the size of the file.
pub fn read(file: &[u8]) -> Result<Network, NetworkError> {
    if file.len() > MOST_BYTES {
        return Err(NetworkError::new(format!(
            "expected a network of at most {MOST_BYTES} bytes, found {}",
            file.len()
        )));
    }
    let mut network = if file.starts_with(own::WORD) { own::read(file)? } else { read_foreign(file)? };
    (network.bytes, network.sha256) = (file.len(), Sha256::digest(file).into());
    Ok(network)
}

fn read_foreign(file: &[u8]) -> Result<Network, NetworkError> {
    let head = head::read(file)?;
    let network = match products::read(&head)? {
        Some(network) => network,
        None => classic::read(&head)?,
    };
    let mut network = Network { description: head.description, ..network };
    if let Some(divisor) = divisor(&network.description) {
        network.set_fv_scale(divisor);
    }
    Ok(network)
}

/// Returns the divisor that some shogi trainers write into the description, such as 28 in `...,fv_scale=28`.
fn divisor(description: &str) -> Option<u32> {
    let (_, text) = description.split_once("fv_scale=")?;
    let digits = text.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok().filter(|divisor| (1..=128).contains(divisor))
}
