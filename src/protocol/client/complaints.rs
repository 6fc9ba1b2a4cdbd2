//! Collects errors that an engine reports about itself. An engine that cannot read a file usually reports this in an
//! `info string` and continues without the file.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

/// Notes that quote a complaint begin with this text.
pub const SAYS: &str = "says: ";

/// The first word of the engine name that this program reports.
const OWN_NAME: &str = "Hasami";
/// Options of this program that name files and engines. If a file or engine is unusable, the program plays without the
/// option.
const FILES: [&str; 5] = ["EvalFile", "EvalDir", "BookFile", "SyzygyPath", "Children"];

/// Maximum number of complaints kept per engine.
const MOST: usize = 8;
/// Complaints are cut off after this many characters.
const LONGEST: usize = 200;
/// Before their first `readyok`, engines begin complaints about settings with these words.
const HEADS: [&str; 3] = ["warning", "invalid", "unknown"];
/// Before the first `readyok`, any text with one of these words is a complaint about settings.
const WORDS: [&str; 10] = [
    "could not",
    "couldn't",
    "cannot",
    "can't",
    "unable to",
    "fail",
    "not found",
    "no such",
    // Parts of the complaints of this program about wrong values and about its child engines.
    ", found",
    "is lost and started again",
];

#[derive(Default)]
pub struct Complaints(Vec<String>);

impl Complaints {
    /// Handles an `info string`; `early` means that the engine has not sent its first `readyok` yet. Returns the text
    /// of a complaint that the engine has not made before in the same words.
    pub fn hear(&mut self, text: &str, early: bool) -> Option<&str> {
        let text = text.trim().chars().take(LONGEST).collect::<String>();
        if !is_complaint(&text, early) || self.0.len() >= MOST || self.0.contains(&text) {
            return None;
        }
        self.0.push(text);
        self.last()
    }

    pub fn last(&self) -> Option<&str> {
        self.0.last().map(String::as_str)
    }

    /// Returns the complaint by the engine named `engine` about an unusable file that one of the `options` names.
    /// Complaints by engines other than this program are ignored.
    pub fn unused_file(&self, engine: &str, options: &[(String, String)]) -> Option<&str> {
        let is_own = engine.split(' ').next() == Some(OWN_NAME);
        let names_file = |name: &str| FILES.iter().any(|file| file.eq_ignore_ascii_case(name));
        options.iter().filter(|(name, _)| is_own && names_file(name)).find_map(|(name, _)| self.about(name))
    }

    /// Finds the complaint about an option; complaints of this program begin with the option's name.
    fn about(&self, option: &str) -> Option<&str> {
        let is_about = |text: &str| {
            let head = text.get(..option.len()).is_some_and(|head| head.eq_ignore_ascii_case(option));
            head && text[option.len()..].starts_with([' ', ':'])
        };
        self.0.iter().map(String::as_str).find(|text| is_about(text))
    }
}

/// Returns whether the text of an `info string` is a complaint. `early` means that the engine has not sent its first
/// `readyok` yet. Before `readyok`, engines report problems with their settings, often without the word "error", so
/// this function also searches for other words.
pub fn is_complaint(text: &str, early: bool) -> bool {
    let text = text.trim_start().to_ascii_lowercase();
    text.starts_with("error")
        || early && (HEADS.iter().any(|head| text.starts_with(head)) || WORDS.iter().any(|word| text.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_about_missing_files_are_complaints() {
        for text in [
            "EvalFile x.nn: cannot read the network file: No such file or directory (os error 2); the built-in evaluation is used",
            "Could not load weights x.nn",
            "Warning: couldn't open x.bin",
            "Failed to open network x.nnue",
            "x.nn: file not found",
            "Unable to load NNUE from: x",
            "x#1 is lost and started again: no uciok: ended with exit status: 0",
        ] {
            assert!(is_complaint(text, true), "{text}");
            assert!(!is_complaint(text, false), "{text}: a search may say such things");
        }
        for text in ["ERROR: The network file x.nnue was not loaded successfully.", "Error! : failed to read nn.bin"] {
            assert!(is_complaint(text, true) && is_complaint(text, false), "{text}");
        }
        for text in [
            "NNUE evaluation using nn-ad9b42354671.nnue enabled",
            "network d31c696c79e1: 768 512x2, 8 outputs, AVX-512 VNNI",
            "loading eval file : /x/nn.bin",
            "Found 510 tablebases",
            "Using 4 threads",
        ] {
            assert!(!is_complaint(text, true), "{text}");
        }
    }

    #[test]
    fn the_complaint_about_an_option_names_it_first() {
        let mut complaints = Complaints::default();
        assert_eq!(complaints.hear("EvalFile x.nn: expected a network, found none", true).map(str::len), Some(45));
        assert_eq!(complaints.about("evalfile"), Some("EvalFile x.nn: expected a network, found none"));
        assert_eq!((complaints.about("Eval"), complaints.about("Hash")), (None, None));
    }
}
