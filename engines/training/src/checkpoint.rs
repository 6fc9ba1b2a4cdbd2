//! The state of a training in a file: a word, the step, the number of parameters, then three lists of 32-bit numbers.

use crate::train::State;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

const WORD: &[u8; 8] = b"HASAMITR";
const HEAD: usize = 24;

impl State {
    /// Writes beside the file first, so that a killed process leaves the old or the new one.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let beside = path.with_extension("part");
        let mut file = BufWriter::new(File::create(&beside)?);
        file.write_all(WORD)?;
        file.write_all(&self.step.to_le_bytes())?;
        file.write_all(&(self.parameters.len() as u64).to_le_bytes())?;
        for list in [&self.parameters, &self.means, &self.squares] {
            for number in list {
                file.write_all(&number.to_le_bytes())?;
            }
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(beside, path)
    }

    /// Reads what [`Self::write`] wrote.
    ///
    /// # Errors
    /// What the system says, or that the file is no checkpoint.
    pub fn read(path: &Path) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let refused = |found: String| {
            let text = format!("{}: expected a checkpoint of a training, found {found}", path.display());
            io::Error::new(io::ErrorKind::InvalidData, text)
        };
        if bytes.len() < HEAD || bytes[..8] != WORD[..] {
            return Err(refused("another file".into()));
        }
        let number = |from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"));
        let (step, count) = (number(8), number(16));
        if count.checked_mul(12).and_then(|size| size.checked_add(HEAD as u64)) != Some(bytes.len() as u64) {
            return Err(refused(format!("{} bytes for {count} parameters", bytes.len())));
        }
        let size = 4 * count as usize;
        let list = |index: usize| {
            let numbers = bytes[HEAD + index * size..][..size].as_chunks::<4>().0;
            numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()
        };
        Ok(Self { step, parameters: list(0), means: list(1), squares: list(2) })
    }
}
