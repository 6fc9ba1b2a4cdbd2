//! Reads little-endian integers from a file that may be truncated or corrupt.

use crate::aligned::Aligned;
use crate::error::NetworkError;

/// The marker with which a compressed array begins.
const COMPRESSED: &[u8; 17] = b"COMPRESSED_LEB128";

/// The part of a file that has not been read yet. Reading allocates memory only in proportion to the file's size.
#[derive(Clone)]
pub struct Bytes<'a> {
    whole: usize,
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { whole: bytes.len(), rest: bytes }
    }

    pub const fn left(&self) -> usize {
        self.rest.len()
    }

    pub fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], NetworkError> {
        if count > self.rest.len() {
            let at = self.whole - self.rest.len();
            let left = self.rest.len();
            return Err(NetworkError::new(format!("expected {count} bytes of {what} at byte {at}, found {left}")));
        }
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self, what: &str) -> Result<&'a [u8; N], NetworkError> {
        let taken = self.take(N, what)?;
        taken.try_into().map_err(|_| NetworkError::new(format!("expected {N} bytes of {what}")))
    }

    pub fn u32(&mut self, what: &str) -> Result<u32, NetworkError> {
        let b = self.take(4, what)?;
        Ok(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }

    pub fn i16s(&mut self, count: usize, what: &str) -> Result<Aligned<i16>, NetworkError> {
        let bytes = self.take(count.saturating_mul(2), what)?;
        let mut values = Aligned::zeroed(count);
        for (value, b) in values.iter_mut().zip(bytes.chunks_exact(2)) {
            *value = i16::from_le_bytes([b[0], b[1]]);
        }
        Ok(values)
    }

    pub fn i32s(&mut self, count: usize, what: &str) -> Result<Aligned<i32>, NetworkError> {
        let bytes = self.take(count.saturating_mul(4), what)?;
        let mut values = Aligned::zeroed(count);
        for (value, b) in values.iter_mut().zip(bytes.chunks_exact(4)) {
            *value = i32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        }
        Ok(values)
    }

    pub fn i8s(&mut self, count: usize, what: &str) -> Result<Vec<i8>, NetworkError> {
        Ok(self.take(count, what)?.iter().map(|&b| b as i8).collect())
    }

    /// Returns whether a compressed array begins at the current position. Some programs write an underscore before the
    /// marker.
    pub fn is_compressed(&self) -> bool {
        self.rest.starts_with(COMPRESSED) || self.rest.strip_prefix(b"_").is_some_and(|b| b.starts_with(COMPRESSED))
    }

    /// Reads a compressed array of signed LEB128 numbers.
    pub fn compressed(&mut self, what: &str) -> Result<Vec<i32>, NetworkError> {
        if self.rest.first() == Some(&b'_') {
            self.take(1, what)?;
        }
        let word = self.take(COMPRESSED.len(), what)?;
        if word != COMPRESSED {
            return Err(NetworkError::new(format!("expected the word COMPRESSED_LEB128 before {what}, found none")));
        }
        let length = self.u32(what)? as usize;
        let bytes = self.take(length, what)?;
        let count = bytes.iter().filter(|&&b| b < 0x80).count();
        let mut numbers = Vec::with_capacity(count);
        let (mut number, mut shift) = (0_i64, 0);
        for &byte in bytes {
            number |= i64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                if byte & 0x40 != 0 {
                    number |= -1 << shift;
                }
                numbers.push(number as i32);
                (number, shift) = (0, 0);
            } else if shift > 28 {
                return Err(NetworkError::new(format!(
                    "expected numbers of at most 32 bits in {what}, found longer ones"
                )));
            }
        }
        if shift != 0 {
            return Err(NetworkError::new(format!(
                "expected the end of a number at the end of {what}, found more to come"
            )));
        }
        Ok(numbers)
    }
}

/// Appends an array of numbers in the format that [`Bytes::compressed`] reads.
pub fn compress(numbers: &[i16], to: &mut Vec<u8>) {
    to.extend(COMPRESSED);
    let length_at = to.len();
    to.extend([0; 4]);
    for &number in numbers {
        let mut rest = number;
        while !(-64..64).contains(&rest) {
            to.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        to.push(rest as u8 & 0x7f);
    }
    let length = (to.len() - length_at - 4) as u32;
    to[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
}

/// Converts numbers to 16 bits, or returns an error if one does not fit.
pub fn narrow(numbers: &[i32], what: &str) -> Result<Aligned<i16>, NetworkError> {
    let mut values = Aligned::zeroed(numbers.len());
    for (value, &number) in values.iter_mut().zip(numbers) {
        *value = i16::try_from(number)
            .map_err(|_| NetworkError::new(format!("expected numbers of 16 bits in {what}, found {number}")))?;
    }
    Ok(values)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_16_bits_is_compressed_and_read_again() {
        let numbers: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let mut file = Vec::new();
        compress(&numbers, &mut file);
        let mut bytes = Bytes::new(&file);
        assert_eq!(narrow(&bytes.compressed("numbers").unwrap(), "numbers").unwrap()[..], numbers);
        assert_eq!(bytes.left(), 0);
    }
}
