//! Encodes and decodes the numbers and byte strings in the content of a certificate.

use std::fmt::Display;

/// Appends a number with seven bits per byte, low bits first. The highest bit of a byte is set if more bytes follow.
pub fn put(out: &mut Vec<u8>, mut number: u32) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads the content of a certificate from front to back.
pub struct CertificateReader<'a> {
    rest: &'a [u8],
    read: usize,
}

impl<'a> CertificateReader<'a> {
    pub fn new(content: &'a [u8]) -> Self {
        Self { rest: content, read: 0 }
    }

    pub fn left(&self) -> usize {
        self.rest.len()
    }

    pub fn bytes(&mut self, count: usize, what: &str) -> Result<&'a [u8], String> {
        let bytes = self.rest.get(..count).ok_or_else(|| self.wrong(what, "the end"))?;
        self.rest = &self.rest[count..];
        self.read += count;
        Ok(bytes)
    }

    pub fn byte(&mut self, what: &str) -> Result<u8, String> {
        Ok(self.bytes(1, what)?[0])
    }

    pub fn number(&mut self, what: &str) -> Result<u32, String> {
        const LARGE: &str = "a number of more than 32 bits";
        let mut number = 0u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte(what)?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(number).map_err(|_| self.wrong(what, LARGE));
            }
        }
        Err(self.wrong(what, LARGE))
    }

    /// Reads a count of items of at least `bytes` bytes each; fails if the remaining content is too short.
    pub fn count(&mut self, what: &str, bytes: usize) -> Result<usize, String> {
        let count = self.number(what)? as usize;
        match count.checked_mul(bytes) {
            Some(size) if size <= self.left() => Ok(count),
            _ => Err(self.wrong(what, format!("{count}, more than there are bytes for"))),
        }
    }

    /// Creates an error that states at which byte of the content the fault was found.
    pub fn wrong(&self, expected: impl Display, found: impl Display) -> String {
        format!("byte {} of the content: expected {expected}, found {found}", self.read)
    }
}
