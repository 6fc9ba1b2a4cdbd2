//! The subcommand `hasami-lab losses`: compares engines by the points that their moves lose.

use super::learn::one_engine;
use hasami_catalog::Games;
use hasami_lab::learn::run::SearchConditions;
use hasami_lab::worth::curve;
use hasami_lab::worth::judged::{JudgedMoves, JudgedPosition};
use hasami_lab::worth::played;
use hasami_matches::spec::{EngineDraft, EngineSpec};
use hasami_protocol::Go;
use hasami_terminal::bar::Bar;
use hasami_terminal::{Failure, place, values};
use hasami_words::text::counted;
use std::io::{self, Write};
use std::path::PathBuf;

/// Compare an engine with variants of itself by the points that their moves lose
///
/// The judge is an engine whose long searches have ranked the moves of many positions, in a journal of `hasami-lab
/// learn`. The engine and each variant choose a move in every position of the journal, starting a new game each time.
/// Losses are compared position by position, so small differences become significant in far less time than in a match.
#[derive(clap::Args)]
pub struct Losses {
    /// Files of the games from which the judge's journal was made
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,

    /// The judge's journal
    #[arg(long, value_name = "FILE", default_value = "learn.jsonl")]
    journal: PathBuf,

    /// The game
    #[arg(long, default_value = place::ANY_GAME)]
    game: String,

    /// The engine, in words as in `hasami match`: cmd=hasami option.Hash=16
    #[arg(long, value_name = "WORDS", num_args = 1.., required = true)]
    engine: Vec<String>,

    /// A variant: words that replace some of the engine's, in one argument: "option.Hash=32 name=more" (may be repeated)
    #[arg(long = "variant", value_name = "WORDS")]
    variants: Vec<String>,

    /// Nodes to search for each move
    #[arg(long, value_name = "N", default_value = "10000", value_parser = values::nodes)]
    nodes: u64,

    /// Use only the first N positions of the journal
    #[arg(long, value_name = "N")]
    positions: Option<usize>,

    /// Number of engines at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
}

impl Losses {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let catalog = place::catalog(games, &self.game)?;
        let engines = self.engines()?;
        let judged = JudgedPosition::read(catalog, &self.games, &self.journal);
        let mut judged = judged.map_err(Failure::bad_input)?;
        judged.truncate(self.positions.unwrap_or(usize::MAX));
        let concurrency = usize::from(self.concurrency);
        let go = Go { nodes: Some(self.nodes), ..Go::default() };
        let conditions = SearchConditions { catalog, multipv: 1, go, concurrency };
        let bar = Bar::of_positions();
        bar.begin(0, judged.len() * engines.len());
        let mut warn = |text: String| {
            // A failed write to stderr is ignored, because nobody can be reading it.
            bar.suspend(|| _ = writeln!(io::stderr(), "warning: {text}"));
        };
        let mut found: Vec<JudgedMoves> = Vec::new();
        for spec in &engines {
            let moves = played::play(&conditions, spec, &judged, &mut || bar.advance(), &mut warn);
            let moves = moves.map_err(Failure::no_answer);
            let moves = moves.inspect_err(|_| bar.clear())?;
            let line = match found.first() {
                None => format!("{}: {moves}", spec.name),
                Some(base) => format!("{}: {moves}; {}", spec.name, compared(base, &moves)),
            };
            bar.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
            found.push(moves);
        }
        bar.clear();
        writeln!(out, "{}, {} nodes per move", counted(judged.len(), "position"), self.nodes)?;
        Ok(())
    }

    /// Returns the engine and its variants. A variant without `name=` is named after its words.
    fn engines(&self) -> Result<Vec<EngineSpec>, Failure> {
        let refused = |option: &'static str| move |why: String| Failure::at(option, why);
        let engine = one_engine(&self.engine, &EngineDraft::default()).map_err(refused("--engine"))?;
        let mut base = EngineDraft::default();
        base.read(&self.engine).map_err(|why| Failure::at("--engine", why))?;
        let variant = |words: &String| {
            let mut variant = one_engine(std::slice::from_ref(words), &base).map_err(refused("--variant"))?;
            if variant.name == engine.name {
                variant.name.clone_from(words);
            }
            Ok(variant)
        };
        let variants = self.variants.iter().map(variant).collect::<Result<Vec<_>, Failure>>()?;
        Ok(std::iter::once(engine).chain(variants).collect())
    }
}

/// Formats the mean difference in loss between `moves` and `base`, and the number of positions where their moves
/// differ.
fn compared(base: &JudgedMoves, moves: &JudgedMoves) -> String {
    let differences: Vec<f64> = base.losses.iter().zip(&moves.losses).map(|(base, own)| own - base).collect();
    let (mean, error) = curve::mean(&differences);
    let others = base.moves.iter().zip(&moves.moves).filter(|(base, own)| base != own).count();
    format!("{:+.2} ± {:.2} % against the first engine, another move in {others}", 100.0 * mean, 100.0 * error)
}
