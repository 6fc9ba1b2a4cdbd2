//! `hasami tune`: tunes an engine's options by playing games.

mod parameters;

use super::contest::{Groups, MatchArgs};
use super::interrupt::Interrupt;
use hasami_catalog::Games;
use hasami_matches::declared;
use hasami_matches::events::MatchEvent;
#[cfg(feature = "cluster")]
use hasami_matches::events::Watcher;
use hasami_matches::journal::{JournalPlace, TUNINGS};
#[cfg(feature = "cluster")]
use hasami_matches::run;
use hasami_matches::scores::Scores;
#[cfg(feature = "cluster")]
use hasami_matches::settings::MatchError;
use hasami_matches::settings::MatchSettings;
use hasami_matches::stats::WithError;
use hasami_matches::tuning::{Iteration, Spsa, SpsaPlan, TunedOption, TuningJournal};
#[cfg(feature = "cluster")]
use hasami_matches::{
    read_openings,
    recorder::{MatchRecorder, Outcomes},
};
use hasami_pictures::line_chart::{self, NamedCurve};
#[cfg(feature = "cluster")]
use hasami_remote::games::remote_match::{self, Machines, MatchPlace, RemoteGames};
use hasami_terminal::bar::Bar;
use hasami_terminal::{Failure, values};
use hasami_words::files;
use hasami_words::text::{At, counted};
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

/// Maximum number of warnings to print, because a faulty engine may cause one in every move.
const WARNINGS: usize = 20;

/// Tune options of an engine by games (SPSA)
///
/// Options describe one engine and the conditions of its games as for `hasami match`; --games is the number of games
/// per iteration. Two copies of the engine with different values play each other, and the values move towards the
/// winner. The journal stores every result, so that the command, repeated in the same folder, continues where it
/// stopped.
#[derive(clap::Args)]
pub struct Tune {
    /// An option to tune: NAME=START,LOW,HIGH or NAME=START,LOW,HIGH,STEP; the last iterations compare values one step
    /// below and above
    #[arg(long = "parameter", value_name = "OPTION", num_args = 1.., required = true, value_parser = |text: &str| text.parse::<TunedOption>())]
    parameters: Vec<TunedOption>,

    /// Total number of iterations
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations: u32,

    /// Size of the changes towards the winner, in squared steps
    #[arg(long, value_name = "RATE", default_value = "0.01", value_parser = values::tuning_rate)]
    rate: f64,

    /// Write the values and their errors as TOML
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    games: MatchArgs,
}

impl Tune {
    pub fn run(&self, games: Games, groups: &Groups, out: &mut impl Write) -> Result<(), Failure> {
        parameters::check_once(&self.parameters).map_err(|why| Failure::at("--parameter", why))?;
        let plan = SpsaPlan {
            options: self.parameters.clone(),
            iterations: self.iterations,
            rate: self.rate,
            seed: self.games.seed,
        };
        let player = thread::current();
        let interrupt = Interrupt::then(move || player.unpark());
        let mut first = self.games.tuning_settings(games, groups)?;
        first.stop = interrupt.flag();
        for path in self.out.iter().chain(&first.svg) {
            files::can_be_written(path).map_err(|why| Failure::at(path.display().to_string(), why))?;
        }
        let openings = count_openings(&first)?;
        let path = self.journal(&plan, &first, out)?;
        let (mut journal, mut spsa) = TuningJournal::open(&path, plan, first.plan()).map_err(Failure::bad_input)?;
        let mut printed = BTreeSet::new();
        #[cfg(feature = "cluster")]
        let mut remote = self.remote(&first, &path)?;
        let bar = Bar::of_games();
        let games_of_one = first.schedule.games as usize;
        bar.begin(spsa.done() as usize * games_of_one, self.iterations as usize * games_of_one);
        while !spsa.is_done() && !interrupt.is_pressed() {
            let next = spsa.next();
            let mut settings = self.iteration(self.games.tuning_settings(games, groups)?, &next, openings);
            settings.stop = interrupt.flag();
            let mut watch = |event: &MatchEvent<'_>, _: &Scores| {
                warn_once(&first, event, &mut printed, &bar);
                if matches!(event, MatchEvent::Finished { .. }) {
                    bar.advance();
                }
            };
            #[cfg(feature = "cluster")]
            let played = match &mut remote {
                None => run::play(&mut settings, &mut watch),
                Some(remote) => remote.play(&mut settings, next.number, &bar, &mut watch),
            };
            #[cfg(not(feature = "cluster"))]
            let played = self.games.machines.play(&mut settings, &mut watch);
            if let JournalPlace::Named(games) = &settings.journal {
                let _ = fs::remove_file(games);
            }
            let outcomes = played.map_err(Failure::bad_input)?;
            // An interrupted iteration is not counted.
            if interrupt.is_pressed() {
                break;
            }
            let tally = outcomes.scores.between(0, 1);
            let balance = f64::from(tally.wins) - f64::from(tally.losses);
            journal.add(next.number, balance, tally.games()).map_err(Failure::bad_input)?;
            spsa.learn(&next, balance);
            self.tell(&spsa, first.svg.as_deref(), &bar)?;
        }
        bar.clear();
        self.conclude(&spsa, first.svg.as_deref(), out)?;
        if interrupt.is_pressed() && !spsa.is_done() {
            return Err(Failure::no_answer(format!(
                "ended by {} after {} of {}; run the same command to continue; its journal is {}",
                interrupt.signal(),
                spsa.done(),
                counted(self.iterations, "iteration"),
                path.display()
            )));
        }
        Ok(())
    }

    /// Returns the journal of this tuning: the named file, or a file in the user's state folder whose name depends on
    /// the plan, the conditions and the working folder. A new journal is begun only after the engine's options have
    /// been checked.
    fn journal(&self, plan: &SpsaPlan, first: &MatchSettings, out: &mut impl Write) -> Result<PathBuf, Failure> {
        let conditions = first.plan();
        let name = first.engines[0].launch.short_name();
        let path = match (&self.games.journal, JournalPlace::usual()) {
            (Some(path), _) => path.clone(),
            (None, Some(JournalPlace::Usual(matches))) => {
                let mut hasher = DefaultHasher::new();
                let known = (serde_json::to_string(plan).unwrap_or_default(), conditions.to_string());
                (known, std::env::current_dir()?).hash(&mut hasher);
                let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
                let file = format!("{}-{:016x}.jsonl", name.chars().map(plain).collect::<String>(), hasher.finish());
                let path = matches.with_file_name(TUNINGS).join(file);
                writeln!(out, "journal: {}", path.display())?;
                path
            }
            _ => {
                return Err(Failure::at(
                    "tune",
                    "there is no home folder for the journal; name a journal with --journal FILE",
                ));
            }
        };
        TuningJournal::read(&path, plan, &conditions).map_err(Failure::bad_input)?;
        // If the games are played elsewhere, the other machines check their engines.
        if !self.games.machines.is_remote() {
            first.check().map_err(Failure::bad_input)?;
            let declared = declared::options(first, 0).map_err(Failure::bad_input)?;
            let is_stopped = first.stop.load(Relaxed);
            let fault = plan.options.iter().find_map(|option| parameters::fault(option, &declared));
            if let Some(why) = fault.filter(|_| !is_stopped) {
                return Err(Failure::at("--parameter", why.at(name)));
            }
        }
        out.flush()?;
        Ok(path)
    }

    /// Returns the settings for the games of an iteration, in which each engine plays with the values of one point.
    fn iteration(&self, mut settings: MatchSettings, next: &Iteration, openings: usize) -> MatchSettings {
        for (engine, texts) in settings.engines.iter_mut().zip(&next.texts) {
            let options = self.parameters.iter().map(|option| option.name.clone()).zip(texts.iter().cloned());
            engine.options.extend(options);
        }
        let rounds = settings.schedule.games.div_ceil(settings.schedule.repeats) as usize;
        settings.schedule.first_opening = next.number as usize * rounds % openings;
        let games = std::env::temp_dir().join(format!("hasami-tune-{}.jsonl", std::process::id()));
        settings.journal = JournalPlace::Named(games);
        settings.svg = None;
        settings
    }

    /// Prints the current values at regular intervals.
    fn tell(&self, spsa: &Spsa, picture: Option<&Path>, bar: &Bar) -> Result<(), Failure> {
        if !spsa.done().is_multiple_of(self.games.ratinginterval.max(1)) && !spsa.is_done() {
            return Ok(());
        }
        let (done, total, values) = (spsa.done(), self.iterations, shown(spsa).join(", "));
        bar.suspend(|| eprintln!("iteration {done}/{total}: {values}"));
        picture.map_or(Ok(()), |path| write(path, &draw(spsa)))
    }

    fn conclude(&self, spsa: &Spsa, picture: Option<&Path>, out: &mut impl Write) -> Result<(), Failure> {
        if spsa.done() == 0 {
            return Ok(writeln!(out, "no iteration has ended")?);
        }
        for line in shown(spsa) {
            writeln!(out, "{line}")?;
        }
        picture.map_or(Ok(()), |path| write(path, &draw(spsa)))?;
        self.out.as_ref().map_or(Ok(()), |path| write(path, &toml(spsa)))
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    files::write_whole(path, text.as_bytes()).map_err(|error| Failure::at(path.display().to_string(), error))
}

/// A tuning whose games are played on other machines; dropping it removes its games from the queue.
#[cfg(feature = "cluster")]
struct RemoteTuning {
    machines: Machines,
    games: RemoteGames,
}

#[cfg(feature = "cluster")]
impl Drop for RemoteTuning {
    fn drop(&mut self) {
        self.games.remove();
    }
}

#[cfg(feature = "cluster")]
impl Tune {
    /// Opens the queue of games for other machines; `None` if this machine plays the games. The name of the tuning in
    /// the queue depends only on the journal and the plan.
    fn remote(&self, settings: &MatchSettings, journal: &Path) -> Result<Option<RemoteTuning>, Failure> {
        let Some(machines) = self.games.machines.machines()? else { return Ok(None) };
        let failed = |why: MatchError| Failure::no_answer(why);
        let id = remote_match::queue_name(journal, &settings.plan().to_string());
        let place = MatchPlace::new(settings, &machines).map_err(failed)?;
        let tuned = self.parameters.iter().map(|option| option.name.clone()).collect();
        let games = RemoteGames::open(&machines, &id, place).map_err(failed)?.tuning(tuned);
        Ok(Some(RemoteTuning { machines, games }))
    }
}

#[cfg(feature = "cluster")]
impl RemoteTuning {
    fn play(
        &mut self,
        settings: &mut MatchSettings,
        iteration: u32,
        bar: &Bar,
        page: &mut Watcher<'_>,
    ) -> Result<Outcomes, MatchError> {
        settings.check()?;
        let openings = read_openings(settings)?;
        self.games.set_place(MatchPlace::new(settings, &self.machines)?);
        let settings = &*settings;
        let mut watch = |event: &MatchEvent<'_>, scores: &Scores| {
            if let MatchEvent::Note(text) = event {
                bar.suspend(|| eprintln!("{text}"));
            }
            page(event, scores);
        };
        let mut recorder = MatchRecorder::open(settings, &openings, None, &mut watch)?;
        let first = u64::from(iteration) * u64::from(settings.schedule.games);
        let played = self.games.play(settings, &openings, &mut recorder, first);
        recorder.close(played)
    }
}

/// Prints the faults of engines and other warnings. Each text is printed only once per tuning.
fn warn_once(settings: &MatchSettings, event: &MatchEvent<'_>, printed: &mut BTreeSet<String>, bar: &Bar) {
    let text = match event {
        MatchEvent::Fault { engine, text, .. } => text.at(settings.engines[*engine].launch.short_name()),
        MatchEvent::Warning(text) => (*text).to_owned(),
        _ => return,
    };
    if printed.len() < WARNINGS && printed.insert(text.clone()) {
        bar.suspend(|| eprintln!("warning: {text}"));
    }
}

fn count_openings(settings: &MatchSettings) -> Result<usize, Failure> {
    let Some(openings) = &settings.openings else { return Ok(1) };
    let read = openings.read(settings.catalog, settings.rules);
    Ok(read.map_err(|error| Failure::at("--openings", error.to_string()))?.lines.len())
}

/// Formats the options as in `Margin 143.2 +/- 4.1`: the mean value over the last half of the iterations, with its
/// standard error if known.
fn shown(spsa: &Spsa) -> Vec<String> {
    let options = spsa.plan().options.iter().zip(spsa.estimate());
    options.map(|(option, (value, error))| format!("{} {}", option.name, WithError { value, error })).collect()
}

fn toml(spsa: &Spsa) -> String {
    let options = spsa.plan().options.iter().zip(spsa.estimate());
    let rows = options.map(|(option, (value, error))| {
        let value = if option.is_whole { format!("{value:.0}") } else { format!("{value:.4}") };
        let error = if error.is_finite() { format!(", error = {error:.3}") } else { String::new() };
        format!("\"{}\" = {{ value = {value}{error} }}\n", option.name)
    });
    format!("iterations = {}\n\n[options]\n{}", spsa.done(), rows.collect::<String>())
}

/// Draws a curve for each option: its value, as a fraction of its range, after each iteration.
fn draw(spsa: &Spsa) -> String {
    let curve = |(index, option): (usize, &TunedOption)| {
        let share = |value: f64| (value - option.low) / (option.high - option.low);
        let every = spsa.path().len().div_ceil(1_000).max(1);
        let points = spsa.path().iter().enumerate().step_by(every);
        let points = points.map(|(number, values)| ((number + 1) as f64, share(values[index]))).collect();
        NamedCurve { name: option.name.clone(), points }
    };
    let curves: Vec<_> = spsa.plan().options.iter().enumerate().map(curve).collect();
    line_chart::draw("options during the tuning", ["iterations", "place in the range"], &curves)
}
