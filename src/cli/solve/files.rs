//! Output files of `hasami solve`: traces, certificates and folders.

use hasami_api::Format;
use hasami_solve::solution::OfBrinkmate;
use hasami_terminal::Failure;
use hasami_words::text::encoded_for;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A trace file, which grows with every solved problem.
pub(super) struct TraceFile<'a> {
    file: File,
    path: &'a Path,
}

impl<'a> TraceFile<'a> {
    pub(super) fn create(path: &'a Path) -> Result<Self, Failure> {
        let file = File::create(path).map_err(|error| Failure::unwritable("--set trace", path, &error))?;
        Ok(Self { file, path })
    }

    pub(super) fn write(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.file, "{line}").map_err(|error| Failure::unwritable("--set trace", self.path, &error))
    }
}

/// Options for writing proofs.
#[derive(clap::Args)]
pub struct ProofArgs {
    /// Write the proof of a single problem into this file, for `hasami verify --certificate`; or the proof of each problem
    /// into a FOLDER/
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
}

impl ProofArgs {
    /// Rejects a single certificate file for several problems.
    pub fn check(&self, problems: usize) -> Result<(), Failure> {
        match &self.certificate {
            Some(path) if !is_folder(path) && problems != 1 => {
                let why = format!(
                    "a file holds the proof of one problem, not of {problems}; a folder, as in proofs/, holds several"
                );
                Err(Failure::at("--certificate", why))
            }
            _ => Ok(()),
        }
    }

    /// Creates the folder for certificates, if one was requested.
    pub fn open(&self) -> Result<Option<CertificateOutput<'_>>, Failure> {
        Ok(match &self.certificate {
            Some(path) if is_folder(path) => Some(CertificateOutput::Folder(Folder::open("--certificate", path)?)),
            file => file.as_deref().map(CertificateOutput::File),
        })
    }
}

/// Returns whether the path of an output is a folder: it exists as one, or ends with a separator.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator)
}

pub enum CertificateOutput<'a> {
    /// The certificate file of the only problem.
    File(&'a Path),
    Folder(Folder<'a>),
}

impl CertificateOutput<'_> {
    /// Writes the certificate of a problem and records the name of its file.
    pub(super) fn write(&mut self, name: &str, more: &mut OfBrinkmate) -> Result<(), Failure> {
        let Some(bytes) = &more.certificate else { return Ok(()) };
        let path = match self {
            Self::File(path) => path.to_path_buf(),
            Self::Folder(folder) => folder.path.join(format!("{}.cert", folder.unused(name))),
        };
        more.certificate_file = Some(write_certificate(&path, bytes)?);
        if let Some(bytes) = &more.below {
            more.below_file = Some(write_certificate(&path.with_extension("below.cert"), bytes)?);
        }
        Ok(())
    }
}

fn write_certificate(path: &Path, bytes: &[u8]) -> Result<String, Failure> {
    std::fs::write(path, bytes).map_err(|error| Failure::unwritable("--certificate", path, &error))?;
    Ok(path.display().to_string())
}

/// A folder with one file per problem.
pub struct Folder<'a> {
    option: &'static str,
    path: &'a Path,
    used: HashSet<String>,
}

impl<'a> Folder<'a> {
    pub(super) fn open(option: &'static str, path: &'a Path) -> Result<Self, Failure> {
        let made = std::fs::create_dir_all(path);
        made.map_err(|error| Failure::at(option, format!("cannot make the folder '{}': {}", path.display(), error)))?;
        Ok(Self { option, path, used: HashSet::new() })
    }

    pub(super) fn write(&self, stem: &str, ending: &str, text: &str) -> Result<(), Failure> {
        self.put(&self.path.join(format!("{stem}.{ending}")), text.as_bytes())
    }

    pub(super) fn write_record(&self, stem: &str, format: Format, text: &str) -> Result<(), Failure> {
        let path = self.path.join(format!("{stem}.{}", format.word));
        self.put(&path, &encoded_for(format, &path, text))
    }

    fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        std::fs::write(path, bytes).map_err(|error| Failure::unwritable(self.option, path, &error))
    }

    /// Returns a file name for a problem, without path separators, and unique even on file systems that ignore case.
    pub(super) fn unused(&mut self, name: &str) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
        let stem: String = name.chars().take(100).map(plain).collect();
        let mut unused = stem.clone();
        for number in 2.. {
            if self.used.insert(unused.to_lowercase()) {
                break;
            }
            unused = format!("{stem}-{number}");
        }
        unused
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_problem_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut folder = Folder::open("--svg", folder.path()).unwrap();
        let names = ["a", "A", "../x/y", "詰将棋 1", "a", "..."].map(|name| folder.unused(name));
        assert_eq!(names, ["a", "A-2", "___x_y", "詰将棋_1", "a-3", "___"]);
    }
}
