//! Reads the bytes of a file as a network.
//!
//! Descriptions and hashes in files are unreliable, because writers of shogi networks do not update them. The
//! architecture is therefore determined from sizes, and the description is used only where sizes are ambiguous.

mod classic;
mod head;
mod own;
mod products;

use crate::error::NetworkError;
use crate::network::Network;
pub use own::OwnNetwork;
use sha2::{Digest, Sha256};

/// Largest size of a file, in bytes.
const MOST_BYTES: usize = 1 << 30;

/// Reads a network of any known format. Reading takes about three times the size of the file in memory.
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

/// Returns the divisor that some trainers of shogi networks write into the description, as in `...,fv_scale=28`.
fn divisor(description: &str) -> Option<u32> {
    let (_, text) = description.split_once("fv_scale=")?;
    let digits = text.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok().filter(|divisor| (1..=128).contains(divisor))
}
