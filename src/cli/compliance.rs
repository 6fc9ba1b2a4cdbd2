//! `hasami compliance`: checks whether an engine follows its protocol.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use hasami_catalog::{Catalog, Games};
use hasami_compliance::{Duty, Examination, Finding, Launch, Verdict};
use hasami_protocol::Protocol;
use hasami_terminal::Failure;
use hasami_terminal::place;
use hasami_words::text::{counted, visible};
use std::io::{self, Write};
use std::time::Duration;

/// Check whether an engine follows UCI or USI, with one line per check
///
/// The exit code is 1 if the engine breaks a rule whose violation loses games, and 0 otherwise. Minor faults are
/// reported as notes.
///
/// Options for this command come before the engine; all words after the engine's name are passed to the engine.
#[derive(clap::Args)]
pub struct Compliance {
    /// Command line of the engine, in one argument or as the program and its arguments
    #[arg(value_name = "ENGINE", required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
    engine: Vec<String>,

    /// The protocol [default: that of the game]
    #[arg(long, value_parser = protocols())]
    protocol: Option<Protocol>,

    /// The game
    #[arg(long, default_value = place::ANY_GAME)]
    game: String,

    /// An engine option to set before the checks (may be repeated)
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// Longest time to wait for an answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    patience_ms: u64,

    /// Longest delay of an answer after its time limit, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500)]
    margin_ms: u64,

    /// Run only the checks whose names contain this text
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,

    /// Seed of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Show every line to and from the engine on stderr
    #[arg(long)]
    trace: bool,
}

fn protocols() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(["uci", "usi"]).map(|word| if word == "uci" { Protocol::Uci } else { Protocol::Usi })
}

impl Compliance {
    pub fn run(&self, games: Games, out: &mut dyn Write) -> Result<(), Failure> {
        let (launch, catalog) = (self.launch()?, self.catalog(games)?);
        let protocol = self.protocol.unwrap_or(catalog.protocol());
        let examination = Examination {
            catalog,
            protocol,
            options: self.options()?,
            limit: Duration::from_millis(self.patience_ms.max(1)),
            margin: Duration::from_millis(self.margin_ms),
            only: self.only.clone(),
            seed: self.seed,
            launch,
        };
        let (name, game) = (examination.launch.short_name(), catalog.name());
        let count = examination.count();
        if count == 0 {
            let only = self.only.as_deref().unwrap_or_default();
            return Err(Failure::at("--only", format!("no check has '{only}' in its name")));
        }
        writeln!(
            out,
            "{} of {name}, {} ({game}), seed {}",
            counted(count, "check"),
            protocol.to_string().to_uppercase(),
            self.seed
        )?;
        // A failure to write to stderr cannot be reported, so it is ignored.
        let mut trace = |line: &str| {
            if self.trace {
                _ = writeln!(io::stderr(), "{}", visible(line));
            }
        };
        let mut written = Ok(());
        let mut tell = |finding: &Finding| {
            let line = writeln!(out, "{}", line_of(finding)).and_then(|()| out.flush());
            if written.is_ok() {
                written = line;
            }
        };
        let findings = hasami_compliance::examine(&examination, &mut trace, &mut tell);
        written?;
        conclude(&name, &findings, count, out)
    }

    fn launch(&self) -> Result<Launch, Failure> {
        let launch = match self.engine.as_slice() {
            [one] => Launch::parse(one),
            words => Launch::from_words(words.to_vec()),
        };
        launch.map_err(|error| Failure::at("compliance", error))
    }

    /// Returns the game named by `--game`, or the first game that uses the named protocol.
    fn catalog(&self, games: Games) -> Result<&'static dyn Catalog, Failure> {
        let named = place::catalog(games, &self.game)?;
        let is_right = self.protocol.is_none_or(|protocol| named.protocol() == protocol);
        if is_right || self.game != games.first().name() {
            return Ok(named);
        }
        Ok(games.iter().find(|game| Some(game.protocol()) == self.protocol).unwrap_or(named))
    }

    fn options(&self) -> Result<Vec<(String, String)>, Failure> {
        let pair = |word: &String| {
            let pair = word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
            pair.ok_or_else(|| Failure::at("--option", format!("expected NAME=VALUE, found '{word}'")))
        };
        self.options.iter().map(pair).collect()
    }
}

/// Formats the result of a check, such as ` 7 pass  answers isready with readyok`.
fn line_of(finding: &Finding) -> String {
    let (word, why) = match (&finding.verdict, finding.duty) {
        (Verdict::Passed, _) => ("pass", None),
        (Verdict::Failed(why), Duty::Must) => ("FAIL", Some(why)),
        (Verdict::Failed(why), Duty::Should) => ("note", Some(why)),
        (Verdict::Skipped(why), _) => ("skip", Some(why)),
    };
    let name = finding.name;
    let text = why.map_or_else(|| name.to_owned(), |why| visible(&format!("{name}: {why}")));
    format!("{:>2} {word}  {text}", finding.number)
}

fn conclude(name: &str, findings: &[Finding], count: usize, out: &mut dyn Write) -> Result<(), Failure> {
    let of = |is: fn(&Finding) -> bool| findings.iter().filter(|finding| is(finding)).count();
    let passed = of(|finding| finding.verdict == Verdict::Passed);
    let failed = of(Finding::is_breach);
    let notes = of(|finding| !finding.is_breach() && matches!(finding.verdict, Verdict::Failed(_)));
    let skipped = of(|finding| matches!(finding.verdict, Verdict::Skipped(_))) + count - findings.len();
    writeln!(out, "{name}: {passed} passed, {failed} failed, {}, {skipped} not run", counted(notes, "note"))?;
    if failed > 0 {
        return Err(Failure::no_answer(format!("{name} failed {}", counted(failed, "check"))));
    }
    Ok(())
}
