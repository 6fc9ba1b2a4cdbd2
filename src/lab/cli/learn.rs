//! The subcommand `hasami-lab learn`: its arguments and its progress bar.

use hasami_catalog::{Catalog, Games};
use hasami_lab::learn::positions::Pick;
use hasami_lab::learn::run::{self, LearningEvent};
use hasami_lab::learn::study::Study;
use hasami_lab::learn::{LearningPlan, chart, report, tables};
use hasami_matches::control::TimeControl;
use hasami_matches::openings::OpeningFormat;
use hasami_matches::record;
use hasami_matches::spec::{EngineDraft, EngineSpec};
use hasami_terminal::bar::Bar;
use hasami_terminal::{Failure, place, values};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Learn from games how likely each move is to be played
///
/// The engine starts a new game for every position and ranks several moves. The tree models `rank` and `gap` and a
/// conditional logit are fitted to the ranks of the played moves. A journal records every search, so repeating the
/// command resumes an interrupted run.
#[derive(clap::Args)]
pub struct Learn {
    /// Files of games: .pgn, .csa, .kif, .sfen
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,

    /// The game [default: that of the first file]
    #[arg(long)]
    game: Option<String>,

    /// The engine, in words as in `hasami match`: cmd=stockfish option.Hash=16
    #[arg(long, value_name = "WORDS", num_args = 1.., required = true)]
    engine: Vec<String>,

    /// Number of moves in a ranking; all others are "out of rank"
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..=500))]
    multipv: u16,

    /// Nodes to search for each position
    #[arg(long, value_name = "N", default_value = "100000", value_parser = values::nodes)]
    nodes: u64,

    /// Number of engines at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    /// Leave out this many plies at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    skip: usize,

    /// Search only every Nth position, with a different offset in each game
    #[arg(long, value_name = "N", default_value = "1", value_parser = values::every)]
    every: usize,

    /// File that records the searches, so that they can be continued
    #[arg(long, value_name = "FILE", default_value = "learn.jsonl")]
    journal: PathBuf,

    /// Write the tables of the `rank` and `gap` models (TOML)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the weights of the conditional logit (TOML)
    #[arg(long, value_name = "FILE")]
    logit: Option<PathBuf>,

    /// Write the figures into a folder: figure4.svg, figure5.svg
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

impl Learn {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let plan = self.plan(games)?;
        let bar = Bar::of_positions();
        let found = run::run(&plan, &mut |event| see(&bar, event));
        bar.clear();
        let found = found.map_err(Failure::bad_input)?;
        let study = Study::new(&plan, found);
        for line in report::text(&study) {
            writeln!(out, "{line}")?;
        }
        self.write(&study)
    }

    fn plan(&self, games: Games) -> Result<LearningPlan, Failure> {
        let catalog = match &self.game {
            Some(name) => place::catalog(games, name)?,
            None => self.games.first().and_then(|file| game_of(games, file)).unwrap_or(games.first()),
        };
        Ok(LearningPlan {
            catalog,
            files: self.games.clone(),
            pick: Pick { skip: self.skip, every: self.every },
            engine: one_engine(&self.engine, &EngineDraft::default())
                .map_err(|error| Failure::at("--engine", error))?,
            multipv: self.multipv,
            nodes: self.nodes,
            concurrency: usize::from(self.concurrency),
            journal: self.journal.clone(),
        })
    }

    fn write(&self, study: &Study) -> Result<(), Failure> {
        if let Some(path) = &self.out {
            replace("out", path, &tables::transitions(study))?;
        }
        if let Some(path) = &self.logit {
            replace("logit", path, &tables::logit(study))?;
        }
        if let Some(folder) = &self.svg {
            let created = std::fs::create_dir_all(folder);
            created.map_err(|error| {
                Failure::at("--svg", format!("cannot make the folder '{}': {}", folder.display(), error))
            })?;
            for (name, picture) in chart::all(study) {
                replace("svg", &folder.join(name), &picture)?;
            }
        }
        Ok(())
    }
}

fn replace(option: &str, path: &Path, text: &str) -> Result<(), Failure> {
    record::replace(path, text).map_err(|error| Failure::unwritable(&format!("--{option}"), path, &error))
}

/// Returns the game (chess or shogi) whose records use the extension of `file`.
fn game_of(games: Games, file: &Path) -> Option<&'static dyn Catalog> {
    let ending = file.extension()?.to_str()?;
    // EPD files contain positions but no games.
    let has = |game: &&'static dyn Catalog| {
        OpeningFormat::from_word(*game, ending).is_some_and(|format| format != OpeningFormat::Epd)
    };
    games.iter().find(has)
}

/// Parses the words that describe an engine; `each` contains the settings that apply to all engines. A search limit
/// among the words is an error, because `--nodes` sets the limit.
pub(super) fn one_engine(words: &[String], each: &EngineDraft) -> Result<EngineSpec, String> {
    let mut draft = each.clone();
    let spec = draft.read(words).and_then(|()| draft.finish()).map_err(|error| error.to_string())?;
    if spec.control != TimeControl::default() {
        return Err(format!("limits are set by --nodes, not by '{}'", spec.control));
    }
    Ok(spec)
}

fn see(bar: &Bar, event: &LearningEvent<'_>) {
    match event {
        LearningEvent::Opened { done, total } => bar.begin(*done, *total),
        LearningEvent::Searched => bar.advance(),
        // A failed write to stderr is ignored, because nobody can be reading it.
        LearningEvent::Note(text) => bar.suspend(|| _ = writeln!(io::stderr(), "warning: {text}")),
    }
}
