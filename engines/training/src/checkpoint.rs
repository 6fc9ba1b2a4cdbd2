//! Stores the state of a training run in a file: a marker, the step number, the length of the conditions in bytes, the
//! number of parameters, the conditions, and three lists of 32-bit floating-point numbers.

use crate::train::State;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

const WORD: &[u8; 8] = b"HASAMIT2";
const HEAD: usize = 32;

impl State {
    /// Writes the state, together with free text that describes the conditions of the training run.
    ///
    /// # Errors
    /// Returns an error if the operating system reports one.
    pub fn write(&self, conditions: &str, file: &mut impl Write) -> io::Result<()> {
        file.write_all(WORD)?;
        for number in [self.step, conditions.len() as u64, self.parameters.len() as u64] {
            file.write_all(&number.to_le_bytes())?;
        }
        file.write_all(conditions.as_bytes())?;
        for list in [&self.parameters, &self.means, &self.squares] {
            for number in list {
                file.write_all(&number.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Reads a state and the conditions from a file that [`Self::write`] has written.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a checkpoint.
    pub fn read(path: &Path) -> io::Result<(Self, String)> {
        let refused = |found: String| {
            let text = format!("expected a checkpoint of a training, found {found}");
            io::Error::new(io::ErrorKind::InvalidData, text)
        };
        // Only regular files are opened, because opening a pipe would block.
        if !path.metadata().map_err(|error| refused(error.to_string()))?.is_file() {
            return Err(refused("no regular file".into()));
        }
        Self::parse(&fs::read(path)?).map_err(refused)
    }

    /// Parses the bytes of a checkpoint, or returns a text that states what was found instead.
    fn parse(bytes: &[u8]) -> Result<(Self, String), String> {
        let number = |from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"));
        if bytes.len() < HEAD || !bytes.starts_with(WORD) {
            return Err("another file".into());
        }
        let (text, count) = (number(16), number(24));
        let size = count.checked_mul(12).and_then(|size| size.checked_add(HEAD as u64)?.checked_add(text));
        if size != Some(bytes.len() as u64) {
            return Err(format!("{} bytes for {count} parameters", bytes.len()));
        }
        let (conditions, lists) = bytes[HEAD..].split_at(text as usize);
        let conditions =
            String::from_utf8(conditions.to_vec()).map_err(|_| "conditions that are no text".to_owned())?;
        let list = |index: usize| {
            let numbers = lists[index * lists.len() / 3..(index + 1) * lists.len() / 3].as_chunks::<4>().0;
            numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()
        };
        let state = Self { step: number(8), parameters: list(0), means: list(1), squares: list(2) };
        Ok((state, conditions))
    }
}
