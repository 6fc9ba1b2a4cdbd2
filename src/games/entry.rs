//! An entry in the table of games: connects one game with Hasami's engines and solvers.

use super::solvers::{brinkmate_solver, verify_certificate};
use hasami_alphabeta::{Engine, GroupMemory, TranspositionTable};
use hasami_api::perft;
use hasami_api::{
    BrinkmateGame, Diagram, EndgameTables, Ending, Evaluator, Format, Game, GameRecord, GameReview, InvalidPosition,
    Judging, Limits, Line, MateGame, MateUnit, MovePlaces, MoveText, ReadGame, RecordError, Records, Render, Rules,
    SearchGame, Searcher, Side, Start, Stop, Task,
};
use hasami_brinkmate::{BrinkmateSearch, BrinkmateSolver, FloatingSolver};
use hasami_catalog::evaluation;
use hasami_catalog::{
    Arbiter, BuiltInOpenings, Catalog, CertificateFault, EvaluationError, GameError, GameRules, MoveError, Oracle,
    Referee,
};
use hasami_manager::Manager;
use hasami_mate::{
    Algorithm, CellWorker, MateCell, MateEngine, MateSolver, SearchMachine, SolverOptions, is_proved_line,
};
use hasami_nnue::{Network, NetworkGame, built_in};
#[cfg(feature = "tunable")]
use hasami_protocol::option::SearchNumber;
use hasami_protocol::option::{Declared, Options};
use hasami_protocol::settings::EndgameSettings;
use hasami_protocol::{Protocol, Settings};
use hasami_training::TrainingFormats;
use hasami_tree::manage::{EmergencySearch, Manage, Opening};
use hasami_tree::{Knowledge, Transitions};
use hasami_words::Message;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

/// Opens the endgame tables that the settings name, if any.
type OpenTables<G> = fn(&EndgameSettings) -> Result<Option<Arc<dyn EndgameTables<G>>>, GameError>;

/// Opens the endgame tables used to adjudicate matches.
type OpenOracle = fn(&[PathBuf]) -> Result<Box<dyn Oracle>, GameError>;

/// Functions for a game with brinkmates: they create solvers and verify certificates.
pub struct Brinkmates {
    /// Creates a solver of brinkmate problems.
    solver: fn(BrinkmateSearch, &SolverOptions) -> Box<dyn BrinkmateSolver>,
    /// Creates a solver that looks for mates and brinkmates at leaves of the master tree.
    floating: fn(&SolverOptions) -> Box<dyn Searcher>,
    /// Verifies a certificate by replaying it.
    verify: fn(&[u8], u64) -> Result<Message, CertificateFault>,
}

impl Brinkmates {
    pub const fn of<G: BrinkmateGame>() -> Self {
        Self {
            solver: brinkmate_solver::<G>,
            floating: |options| Box::new(FloatingSolver::<G>::new(Algorithm::Parallel, options)),
            verify: verify_certificate::<G>,
        }
    }
}

/// A game: its rules (`G`), its evaluation (`E`), and its data. [`Entry::new`] sets the required fields and gives the
/// optional ones a default.
pub struct Entry<G: Game, E> {
    pub protocol: Protocol,
    /// Names that other engines use for the game; see `GameRules::variants`.
    pub variants: &'static [&'static str],
    /// The options that only this game has.
    pub options: &'static [Declared],
    /// Creates the evaluator from a network; `None` selects the built-in one.
    pub evaluator: fn(Option<Arc<Network>>) -> E,
    /// The game that a network file must name; `None` if networks cannot evaluate this game.
    pub networks: Option<NetworkGame>,
    /// The tree model's transition probabilities for other engines, as TOML.
    pub transitions: &'static str,
    /// The tree model's transition probabilities for Hasami's own engine, as TOML.
    pub own_transitions: &'static str,
    /// Creates the game's opening book without reading its file; `None` if the game has no book.
    pub opening: fn() -> Option<Box<dyn Opening>>,
    /// The openings for matches that are built into Hasami.
    pub match_openings: Option<BuiltInOpenings>,
    pub endgames: Option<OpenTables<G>>,
    pub oracle: Option<OpenOracle>,
    /// Whether mate problems in this game allow only checks.
    pub by_checks: bool,
    pub brinkmates: Option<Brinkmates>,
    /// The file formats of labelled positions.
    pub training: Option<&'static TrainingFormats>,
    /// Ties the entry to the type `G`.
    pub game: PhantomData<fn() -> G>,
}

impl<G: Game, E> Entry<G, E> {
    /// Creates the entry of a game without an opening book, endgame tables and brinkmates. By default, mate problems
    /// allow quiet moves, and other engines use the name `G::NAME`.
    pub const fn new(protocol: Protocol, evaluator: fn(Option<Arc<Network>>) -> E, transitions: &'static str) -> Self {
        Self {
            protocol,
            variants: const { &[G::NAME] },
            options: &[],
            evaluator,
            networks: None,
            transitions,
            own_transitions: transitions,
            opening: || None,
            match_openings: None,
            endgames: None,
            oracle: None,
            by_checks: false,
            brinkmates: None,
            training: None,
            game: PhantomData,
        }
    }

    /// Creates the evaluator with the network that the settings name, if it is a network for this game.
    fn evaluation(&self, settings: &Settings) -> E {
        (self.evaluator)(settings.network.clone().filter(|network| self.networks == Some(network.game)))
    }
}

/// Returns the numeric parameters of the search, which are options in a build with the feature `tunable`.
#[cfg(feature = "tunable")]
fn numbers<G: SearchGame>() -> Vec<SearchNumber> {
    let number = |p: &hasami_alphabeta::Parameter| SearchNumber {
        name: p.name,
        value: p.value,
        range: (p.low, p.high),
        set: hasami_alphabeta::set_parameter,
    };
    hasami_alphabeta::parameters::<G>().iter().map(number).collect()
}

impl<G, E> GameRules for Entry<G, E>
where
    G: SearchGame + MateGame + Records + Render,
    E: Evaluator<G>,
{
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn protocol(&self) -> Protocol {
        self.protocol
    }

    fn variants(&self) -> &'static [&'static str] {
        self.variants
    }

    fn built_in_openings(&self) -> Option<BuiltInOpenings> {
        self.match_openings
    }

    fn mates_by_checks(&self) -> bool {
        self.by_checks
    }

    fn perft(&self, start: &Start, depth: u32) -> Result<Vec<(MoveText, u64)>, InvalidPosition> {
        Ok(perft::divide(&mut G::new(start)?, depth))
    }

    fn check(&self, line: &Line) -> Result<(), GameError> {
        played::<G>(line, |_, _| {}).map(drop)
    }

    fn check_play(&self, line: &Line) -> Result<(), GameError> {
        let mut game = G::new(&line.start)?;
        game.check_play()?;
        play(&mut game, line, |_, _| {})
    }

    fn rules_of(&self, start: &Start) -> Rules {
        G::rules_of(start)
    }

    fn referee(&self, line: &Line) -> Result<Box<dyn Referee>, GameError> {
        Ok(Box::new(Arbiter::<G>::new(line)?))
    }

    fn mate_unit(&self) -> MateUnit {
        G::MATE_UNIT
    }

    fn sides(&self) -> [&'static str; 2] {
        G::SIDES
    }

    fn plies_per_move(&self) -> u32 {
        G::PLIES_PER_MOVE
    }

    fn formats(&self) -> &'static [Format] {
        G::FORMATS
    }

    fn endings(&self) -> &'static [Ending] {
        G::ENDINGS
    }

    fn own_rule(&self, rules: Rules) -> Option<(&'static str, String)> {
        G::own_rule(rules)
    }

    fn write_record(&self, record: &GameRecord, format: Format) -> Result<String, RecordError> {
        G::write_record(record, format)
    }

    fn read_records(&self, text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError> {
        let ruled = |line: Line| Line { start: self.ruled(line.start), ..line };
        let games = G::read_records(text, format)?;
        Ok(games.into_iter().map(|game| ReadGame { line: ruled(game.line), ..game }).collect())
    }

    fn players(&self, text: &str, format: Format) -> Vec<[String; 2]> {
        G::players(text, format)
    }

    fn annotate(&self, text: &str, format: Format, reviews: &[GameReview]) -> Result<String, RecordError> {
        G::annotate(text, format, reviews)
    }

    fn judging(&self) -> Judging {
        G::JUDGING
    }

    fn diagram(&self, line: &Line) -> Result<Diagram, String> {
        Ok(played::<G>(line, |_, _| {})?.diagram())
    }

    fn places(&self, line: &Line) -> Result<Vec<MovePlaces>, String> {
        let mut places = Vec::new();
        played::<G>(line, |game, m| places.push(game.places(m)))?;
        Ok(places)
    }

    fn notation(&self, line: &Line) -> Result<Vec<String>, String> {
        let mut written = Vec::new();
        played::<G>(line, |game, m| written.push(game.notation(m)))?;
        Ok(written)
    }

    fn western(&self, line: &Line) -> Result<Vec<String>, String> {
        let mut written = Vec::new();
        played::<G>(line, |game, m| written.push(game.western(m)))?;
        Ok(written)
    }

    fn oracle(&self, folders: &[PathBuf]) -> Result<Box<dyn Oracle>, GameError> {
        self.oracle.ok_or(GameError::WithoutTables(G::NAME))?(folders)
    }
}

impl<G, E> Catalog for Entry<G, E>
where
    G: SearchGame + MateGame + Records + Render,
    E: Evaluator<G>,
{
    fn options(&self) -> Options {
        #[cfg(feature = "tunable")]
        let numbers = numbers::<G>;
        #[cfg(not(feature = "tunable"))]
        let numbers = Vec::new;
        Options { protocol: self.protocol, own: self.options, numbers }
    }

    fn manager(&self, settings: &Settings) -> Box<dyn Manage> {
        let table = |text| Transitions::parse(text).expect("a test reads every table of the program");
        let knowledge = Knowledge { any: table(self.transitions), own: table(self.own_transitions) };
        let mut manager = Manager::<G>::new(settings.clone(), knowledge, (self.opening)());
        manager.emergency = Some(emergency_search::<G, E>(self.evaluator));
        manager.mate_proof = Some(Box::new(is_proved_line::<G>));
        Box::new(manager.with_quiet_mates(!self.by_checks))
    }

    fn engines(&self, settings: &Settings) -> Box<dyn FnMut() -> Box<dyn Searcher> + Send> {
        let (all, prototype) = (settings.hash_mb as usize, self.evaluation(settings));
        let common = settings.shared_hash.then(|| GroupMemory::new(TranspositionTable::new(all)));
        let size = all / settings.threads.max(1) as usize;
        // Errors are ignored here, because `check_tables` has reported them.
        let tables = self.endgames.and_then(|open| open(&settings.endgames).ok().flatten());
        let draws = settings.draw_values;
        Box::new(move || {
            let engine = match &common {
                Some(common) => Engine::<G, E>::sharing(prototype.clone(), common),
                None => Engine::new(prototype.clone(), TranspositionTable::new(size)),
            };
            Box::new(engine.with_tables(tables.clone()).valuing_draws(draws))
        })
    }

    fn built_in_network(&self) -> Option<Arc<Network>> {
        self.networks.map(built_in)
    }

    fn read_network(&self, settings: &Settings) -> Result<Option<Arc<Network>>, EvaluationError> {
        self.networks.map(|game| evaluation::named(settings, game, self.protocol)).transpose()
    }

    fn check_tables(&self, settings: &EndgameSettings) -> Result<(), GameError> {
        self.endgames.map_or(Ok(()), |open| open(settings).map(drop))
    }

    fn evaluate(&self, line: &Line, settings: &Settings) -> Result<i32, GameError> {
        let game = played::<G>(line, |_, _| {})?;
        let mut evaluator = self.evaluation(settings);
        evaluator.refresh(&game);
        let value = evaluator.evaluate(&game);
        Ok(if game.side() == Side::First { value } else { -value })
    }

    fn mate_solver(&self, settings: &Settings) -> Box<dyn Searcher> {
        let machine = SearchMachine::Threads(settings.threads.max(1) as usize);
        let hash_mb = settings.hash_mb as usize;
        let options = SolverOptions { hash_mb, machine, is_guest: true, ..SolverOptions::default() };
        match self.brinkmates.as_ref().filter(|_| settings.brinkmates) {
            Some(brinkmates) => (brinkmates.floating)(&options),
            None => Box::new(MateEngine::<G>::with_options(Algorithm::Parallel, &options)),
        }
    }

    fn solver(&self, algorithm: Algorithm, options: &SolverOptions) -> Box<dyn MateSolver> {
        Box::new(MateEngine::<G>::with_options(algorithm, options))
    }

    fn has_brinkmates(&self) -> bool {
        self.brinkmates.is_some()
    }

    fn brinkmate_solver(&self, search: BrinkmateSearch, options: &SolverOptions) -> Option<Box<dyn BrinkmateSolver>> {
        self.brinkmates.as_ref().map(|brinkmates| (brinkmates.solver)(search, options))
    }

    fn cell(&self, hash_mb: usize) -> Box<dyn CellWorker> {
        Box::new(MateCell::<G>::new(hash_mb))
    }

    fn training(&self) -> Option<&'static TrainingFormats> {
        self.training
    }

    fn verify_certificate(&self, file: &[u8], positions: u64) -> Result<Message, CertificateFault> {
        let Some(brinkmates) = &self.brinkmates else {
            return Err(CertificateFault::Wrong(Message::from(format!("{} has no brinkmates", G::NAME))));
        };
        (brinkmates.verify)(file, positions)
    }
}

/// Returns the game after the moves of a line, and calls `before` before each move is played.
fn played<G: Game>(line: &Line, before: impl FnMut(&G, G::Move)) -> Result<G, GameError> {
    let mut game = G::new(&line.start)?;
    play(&mut game, line, before)?;
    Ok(game)
}

/// Plays the moves of a line, and calls `before` before each of them. If a move is illegal, the error names it.
pub(super) fn play<G: Game>(game: &mut G, line: &Line, mut before: impl FnMut(&G, G::Move)) -> Result<(), GameError> {
    for (ply, text) in line.moves.iter().enumerate() {
        let m = game.parse_move(text).map_err(|error| MoveError::from(error).at(ply + 1))?;
        before(game, m);
        game.make(m);
    }
    Ok(())
}

/// Number of nodes of an emergency search, which takes a millisecond or two.
pub(super) const EMERGENCY_NODES: u64 = 2_000;

/// Creates an emergency search: very few nodes, and a small table that is allocated when it is first needed.
pub(super) fn emergency_search<G: SearchGame, E: Evaluator<G>>(
    evaluator: fn(Option<Arc<Network>>) -> E,
) -> EmergencySearch {
    let mut engine = None;
    Box::new(move |line, only| {
        let engine = engine.get_or_insert_with(|| Engine::<G, E>::new(evaluator(None), TranspositionTable::new(1)));
        let limits = Limits { nodes: Some(EMERGENCY_NODES), ..Limits::default() };
        let task = Task { line: line.clone(), only: only.to_vec(), limits, ..Task::default() };
        let mut last = None;
        engine.search(&task, &Stop::new(), &mut |report| last = Some(report)).ok()?;
        last
    })
}
