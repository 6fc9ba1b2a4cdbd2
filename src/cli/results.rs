//! `hasami results`: prints past matches from their journals.

use hasami_catalog::Games;
use hasami_matches::archive;
use hasami_matches::journal::JournalPlace;
use hasami_matches::spec;
use hasami_terminal::Failure;
use hasami_words::text::At;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

/// Print the results of matches from their journals: one line per journal, or all results and conditions of
/// a single journal
///
/// The output for a single journal suits the message of the commit that the match tested.
#[derive(clap::Args)]
pub struct Results {
    /// A journal (match.jsonl), or a folder of journals [default: the default folder]
    path: Option<PathBuf>,

    /// Leave out the games that this machine has played (may be repeated)
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,

    /// Print the record of game N, in a format of the game (--format)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    record: Option<u32>,

    /// Format of the record [default: the first one of the game]
    #[arg(long, value_name = "FORMAT", requires = "record")]
    format: Option<String>,
}

impl Results {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let path = self.path()?;
        // Before the first match, the default folder does not exist.
        let is_missing = self.path.is_none() && !path.exists();
        let found = if is_missing { Ok(Vec::new()) } else { archive::find(&path, games) };
        let found = found.map_err(Failure::bad_input)?;
        if found.is_empty() {
            return Err(Failure::no_answer(format!("no journals in {}", path.display())));
        }
        self.check_machines(&found)?;
        if let ([only], Some(number)) = (&found[..], self.record) {
            return self.write_record(only, number, out);
        }
        if let [only] = &found[..] {
            only.block(&self.without).iter().try_for_each(|line| writeln!(out, "{line}"))?;
            return Ok(());
        }
        for one in &found {
            let line = one.short(&self.without).at(one.title()).at(one.path.display());
            writeln!(out, "{}", line)?;
        }
        Ok(())
    }

    /// Returns the path from the command line, or the default folder for journals.
    fn path(&self) -> Result<PathBuf, Failure> {
        match (&self.path, JournalPlace::usual()) {
            (Some(path), _) => Ok(path.clone()),
            (None, Some(JournalPlace::Usual(folder))) => Ok(folder),
            (None, _) => Ok(PathBuf::from(".")),
        }
    }

    /// Checks that every machine named by `--without` has played in at least one match.
    fn check_machines(&self, found: &[archive::ArchivedMatch]) -> Result<(), Failure> {
        let known: BTreeSet<&str> = found.iter().flat_map(archive::ArchivedMatch::machines).collect();
        let Some(name) = self.without.iter().find(|name| !known.contains(name.as_str())) else { return Ok(()) };
        let known: Vec<&str> = known.into_iter().collect();
        let name = hasami_words::text::visible(name);
        let why = match &known[..] {
            [] => format!("'{name}' has no games: no games were played on other machines"),
            known => format!("'{name}' is not a machine of the journal ({})", known.join(", ")),
        };
        Err(Failure::at("--without", why))
    }

    fn write_record(&self, found: &archive::ArchivedMatch, number: u32, out: &mut impl Write) -> Result<(), Failure> {
        let game = found.games.iter().find(|played| played.game + 1 == number);
        let missing = || format!("there is no finished game {number}");
        let game = game.ok_or_else(|| Failure::at("--record", missing()))?;
        let formats = found.catalog.formats();
        let format = match &self.format {
            None => formats.first().copied(),
            Some(word) => found.catalog.format(word),
        };
        let known = || formats.iter().map(|format| format.word).collect::<Vec<_>>().join(", ");
        let wanted = self.format.as_deref().unwrap_or_default();
        let format = format.ok_or_else(|| Failure::at("--format", spec::unknown_word(known(), wanted)))?;
        let text = found.catalog.write_record(&game.record, format);
        let text = text.map_err(|error| Failure::bad_input(error.to_string()))?;
        Ok(write!(out, "{text}")?)
    }
}
