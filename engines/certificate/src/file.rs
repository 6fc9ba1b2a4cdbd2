//! The file format of certificates (docs/design/certificate.md): a header, the deflated content, and a CRC-32 of both.

mod content;
mod ways;
mod words;

use crate::certificate::Certificate;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

const MAGIC: [u8; 4] = *b"HBMC";
const VERSION: u8 = 1;
/// Size of the header in bytes: magic number, version and size of the content.
const HEAD: usize = 9;
const CRC: usize = 4;
/// Maximum ratio of inflated to deflated size, which limits the memory that reading a small file can take.
const MOST_DEFLATED: usize = 16;

impl Certificate {
    /// Returns the bytes of a certificate file.
    pub fn write(&self) -> Vec<u8> {
        let content = content::write(self);
        let mut file = MAGIC.to_vec();
        file.push(VERSION);
        // A strategy has fewer than 2³² nodes and edges, but its encoded content may be longer than 2³² bytes.
        file.extend(u32::try_from(content.len()).unwrap_or(u32::MAX).to_le_bytes());
        let best = deflate(&content, Compression::best());
        let is_dense = content.len() > best.len() * MOST_DEFLATED;
        file.extend(if is_dense { deflate(&content, Compression::none()) } else { best });
        file.extend(crc32fast::hash(&file).to_le_bytes());
        file
    }

    /// Reads a certificate file.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() < HEAD + CRC {
            return Err(format!("expected a certificate of at least {} bytes, found {}", HEAD + CRC, bytes.len()));
        }
        let (head, rest) = bytes.split_at(HEAD);
        if head[..4] != MAGIC {
            return Err(format!("expected a certificate (HBMC), found '{}'", head[..4].escape_ascii()));
        }
        if head[4] != VERSION {
            return Err(format!("expected a certificate of version {VERSION}, found {}", head[4]));
        }
        let (deflated, crc) = rest.split_at(rest.len() - CRC);
        let expected = u32::from_le_bytes([crc[0], crc[1], crc[2], crc[3]]);
        let found = crc32fast::hash(&bytes[..bytes.len() - CRC]);
        if found != expected {
            return Err(format!("expected the CRC-32 {expected:08x}, found {found:08x}"));
        }
        let size = u32::from_le_bytes([head[5], head[6], head[7], head[8]]) as usize;
        if size > deflated.len().saturating_mul(MOST_DEFLATED) {
            return Err(format!("expected at most {MOST_DEFLATED} bytes for each deflated one, found {size} bytes"));
        }
        content::read(&inflate(deflated, size)?)
    }
}

fn deflate(content: &[u8], level: Compression) -> Vec<u8> {
    // The capacity has room for incompressible data, which grows by five bytes per block of at least 16 KiB.
    let mut deflated = Vec::with_capacity(content.len() + content.len() / 1_000 + 64);
    let mut state = Compress::new(level, false);
    loop {
        let from = (state.total_in() as usize).min(content.len());
        match state.compress_vec(&content[from..], &mut deflated, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => return deflated,
            _ => deflated.reserve(deflated.capacity() / 4 + 64),
        }
    }
}

fn inflate(deflated: &[u8], size: usize) -> Result<Vec<u8>, String> {
    // The capacity exceeds the expected size by one byte, so that longer content is detected.
    let mut content = Vec::with_capacity(size + 1);
    let mut state = Decompress::new(false);
    let status = state.decompress_vec(deflated, &mut content, FlushDecompress::Finish);
    let is_whole = matches!(status, Ok(Status::StreamEnd)) && state.total_in() == deflated.len() as u64;
    if !is_whole || content.len() != size {
        return Err(format!("expected deflated data of {size} bytes, found others"));
    }
    Ok(content)
}
