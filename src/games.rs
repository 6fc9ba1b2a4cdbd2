//! THE table: the games and their engines. The only file that names concrete games and solvers; a further game is one
//! crate and one entry here.

use crate::book::{self, Book};
use crate::catalog::{Arbiter, Catalog, Oracle, Referee};
use crate::manager::{Glance, Manage, Manager, Opening};
use crate::protocol::{Dialect, Settings, UCI, USI};
use crate::tree::{Knowledge, Transitions};
use hasami_alphabeta::{Common, Engine, Table};
use hasami_api::perft;
use hasami_api::{
    BrinkmateGame, BrinkmateSearch, BrinkmateSolver, Cell, Diagram, Evaluator, Examiner, Format, Game, GameRecord,
    InvalidPosition, Limits, Line, Machine, MateGame, MoveText, RecordError, Records, SearchGame, Searcher, Shown,
    SolverOptions, Start, Stop, Task, Verdict,
};
use hasami_brinkmate::{FloatingSolver, ProofSolver, TacoSolver};
use hasami_certificate::{Certificate, Limits as CertificateLimits, verify};
use hasami_chess::{Chess, ChessEval, Tables};
use hasami_mate::{Algorithm, MateCell, MateSolver};
use hasami_shogi::{Shogi, ShogiEval};
use std::marker::PhantomData;
use std::path::PathBuf;

static CHESS: Entry<Chess, ChessEval> = Entry {
    dialect: &UCI,
    evaluator: ChessEval::new,
    transitions: include_str!("tree/data/chess.toml"),
    own_transitions: include_str!("tree/data/hasami_chess.toml"),
    opening: || Some(Box::new(Book::polyglot(book::CHESS, Chess::polyglot_key))),
    oracle: Some(|folders| Ok(Box::new(Syzygy(Tables::open(folders)?)))),
    by_checks: false,
    brinkmates: None,
    floating: None,
    certificates: None,
    game: PhantomData,
};

static SHOGI: Entry<Shogi, ShogiEval> = Entry {
    dialect: &USI,
    evaluator: ShogiEval::new,
    transitions: include_str!("tree/data/shogi.toml"),
    own_transitions: include_str!("tree/data/hasami_shogi.toml"),
    opening: || Some(Box::new(Book::<Shogi>::yaneuraou(book::SHOGI))),
    oracle: None,
    by_checks: true,
    brinkmates: Some(brinkmate_solver::<Shogi>),
    floating: Some(|options| Box::new(FloatingSolver::<Shogi>::new(Algorithm::Parallel, options))),
    certificates: Some(verify_certificate::<Shogi>),
    game: PhantomData,
};

/// Every game, the default one first.
pub static GAMES: [&dyn Catalog; 2] = [&CHESS, &SHOGI];

/// The words of `--game`.
pub fn names() -> [&'static str; GAMES.len()] {
    GAMES.map(Catalog::name)
}

pub fn find(name: &str) -> Option<&'static dyn Catalog> {
    GAMES.into_iter().find(|game| game.name() == name)
}

/// The solvers of mates by checks that can be asked for, the default one first.
pub const SOLVERS: [&str; Algorithm::ALL.len()] = words(Algorithm::ALL);
/// Those that use several processors, the default one first.
pub const PARALLEL_SOLVERS: [&str; Algorithm::PARALLEL.len()] = words(Algorithm::PARALLEL);

const fn words<const N: usize>(algorithms: [Algorithm; N]) -> [&'static str; N] {
    let (mut words, mut at) = ([""; N], 0);
    while at < N {
        words[at] = algorithms[at].name();
        at += 1;
    }
    words
}

/// The position of a certificate.
pub fn certified_position(file: &[u8]) -> Result<String, String> {
    Ok(Certificate::read(file)?.start().to_owned())
}

fn verify_certificate<G: BrinkmateGame>(file: &[u8], positions: u64) -> Result<String, String> {
    let limits = CertificateLimits { positions, ..CertificateLimits::default() };
    let certificate = Certificate::read(file)?;
    let verified = verify::<G>(&certificate, limits)?;
    Ok(format!("{verified}, of {}", certificate.start()))
}

/// Replays certificates.
type VerifyCertificate = fn(&[u8], u64) -> Result<String, String>;

/// Opens endgame tables.
type OpenOracle = fn(&[PathBuf]) -> Result<Box<dyn Oracle>, String>;

/// Makes a solver that looks at the leaves of a game's tree.
type NewFloatingSolver = fn(&SolverOptions) -> Box<dyn Searcher>;

/// Makes a solver of brinkmates.
type NewBrinkmateSolver = fn(BrinkmateSearch, &SolverOptions) -> Box<dyn BrinkmateSolver>;

fn brinkmate_solver<G: BrinkmateGame>(search: BrinkmateSearch, options: &SolverOptions) -> Box<dyn BrinkmateSolver> {
    match search {
        BrinkmateSearch::Proof => Box::new(ProofSolver::<G>::new(options)),
        BrinkmateSearch::TacoH(inner) => Box::new(TacoSolver::<G>::new(inner, options.hash_mb)),
    }
}

/// The endgame tables of chess.
struct Syzygy(Tables);

impl Oracle for Syzygy {
    fn probe(&self, position: &str) -> Option<Verdict> {
        self.0.probe(position)
    }
}

/// One game: its rules, its evaluation, and the data that belong to it.
struct Entry<G, E> {
    dialect: &'static dyn Dialect,
    evaluator: fn() -> E,
    /// TOML: tables for any engine, and those of ours.
    transitions: &'static str,
    own_transitions: &'static str,
    opening: fn() -> Option<Box<dyn Opening>>,
    oracle: Option<OpenOracle>,
    /// Its mate problems are.
    by_checks: bool,
    brinkmates: Option<NewBrinkmateSolver>,
    /// A solver of mates that knows of brinkmates, too.
    floating: Option<NewFloatingSolver>,
    /// Where there are brinkmates.
    certificates: Option<VerifyCertificate>,
    game: PhantomData<fn() -> G>,
}

impl<G, E> Catalog for Entry<G, E>
where
    G: SearchGame + MateGame + Records + Shown,
    E: Evaluator<G>,
{
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    fn manager(&self, settings: &Settings) -> Box<dyn Manage> {
        let table = |text| Transitions::parse(text).expect("a test reads every table of the program");
        let knowledge = Knowledge { any: table(self.transitions), own: table(self.own_transitions) };
        let manager = Manager::<G>::new(settings.clone(), knowledge, (self.opening)());
        Box::new(manager.with_glance(glance::<G, E>(self.evaluator)))
    }

    fn engines(&self, settings: &Settings) -> Box<dyn FnMut() -> Box<dyn Searcher> + Send> {
        let (all, evaluator) = (settings.hash_mb as usize, self.evaluator);
        let common = settings.shared_hash.then(|| Common::new(Table::new(all)));
        let size = all / settings.threads.max(1) as usize;
        Box::new(move || {
            Box::new(match &common {
                Some(common) => Engine::<G, E>::sharing(evaluator(), common),
                None => Engine::new(evaluator(), Table::new(size)),
            })
        })
    }

    fn mate_solver(&self, settings: &Settings) -> Box<dyn Searcher> {
        let machine = Machine::Threads(settings.threads.max(1) as usize);
        let hash_mb = settings.hash_mb as usize;
        let options = SolverOptions { hash_mb, machine, is_guest: true, ..SolverOptions::default() };
        match self.floating.filter(|_| settings.brinkmates) {
            Some(new) => new(&options),
            None => Box::new(MateSolver::<G>::with_options(Algorithm::Parallel, &options)),
        }
    }

    fn solver(&self, name: &str, options: &SolverOptions) -> Option<Box<dyn Examiner>> {
        Some(Box::new(MateSolver::<G>::with_options(name.parse().ok()?, options)))
    }

    fn brinkmate_solver(&self, search: BrinkmateSearch, options: &SolverOptions) -> Option<Box<dyn BrinkmateSolver>> {
        self.brinkmates.map(|new| new(search, options))
    }

    fn cell(&self, hash_mb: usize) -> Box<dyn Cell> {
        Box::new(MateCell::<G>::new(hash_mb))
    }

    fn mates_by_checks(&self) -> bool {
        self.by_checks
    }

    fn perft(&self, start: &Start, depth: u32) -> Result<Vec<(MoveText, u64)>, InvalidPosition> {
        Ok(perft::divide(&mut G::new(start)?, depth))
    }

    fn check(&self, line: &Line) -> Result<(), String> {
        let mut game = G::new(&line.start).map_err(|e| e.to_string())?;
        play(&mut game, line, |_, _| {})
    }

    fn check_play(&self, line: &Line) -> Result<(), String> {
        let mut game = G::new(&line.start).map_err(|e| e.to_string())?;
        game.check_play()?;
        play(&mut game, line, |_, _| {})
    }

    fn referee(&self, line: &Line) -> Result<Box<dyn Referee>, String> {
        Ok(Box::new(Arbiter::<G>::new(line)?))
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

    fn write_record(&self, record: &GameRecord, format: Format) -> Result<String, RecordError> {
        G::write_record(record, format)
    }

    fn read_records(&self, text: &str, format: Format) -> Result<Vec<Line>, RecordError> {
        G::read_records(text, format)
    }

    fn diagram(&self, line: &Line) -> Result<Diagram, String> {
        let mut game = G::new(&line.start).map_err(|e| e.to_string())?;
        play(&mut game, line, |_, _| {})?;
        Ok(game.diagram())
    }

    fn notation(&self, line: &Line) -> Result<Vec<String>, String> {
        let mut game = G::new(&line.start).map_err(|e| e.to_string())?;
        let mut written = Vec::new();
        play(&mut game, line, |game, m| written.push(game.notation(m)))?;
        Ok(written)
    }

    fn verify_certificate(&self, file: &[u8], positions: u64) -> Result<String, String> {
        let verify = self
            .certificates
            .ok_or_else(|| format!("expected a shogi position, found {}, which has no brinkmates", G::NAME))?;
        verify(file, positions)
    }

    fn oracle(&self, folders: &[PathBuf]) -> Result<Box<dyn Oracle>, String> {
        let open =
            self.oracle.ok_or_else(|| format!("expected endgame tables for chess, found them for {}", G::NAME))?;
        open(folders)
    }
}

/// Makes the moves of a line, each shown to `before` first; errors name the move.
fn play<G: Game>(game: &mut G, line: &Line, mut before: impl FnMut(&G, G::Move)) -> Result<(), String> {
    for (ply, text) in line.moves.iter().enumerate() {
        let m = game.parse_move(text).map_err(|e| format!("move {}: {e}", ply + 1))?;
        before(game, m);
        game.make(m);
    }
    Ok(())
}

/// Nodes of a glance: a millisecond or two.
const GLANCE: u64 = 2_000;

/// The sequential engine with next to no nodes, on a small table of its own, built when it is first needed.
fn glance<G: SearchGame, E: Evaluator<G>>(evaluator: fn() -> E) -> Glance {
    let mut engine = None;
    Box::new(move |line, only| {
        let engine = engine.get_or_insert_with(|| Engine::<G, E>::new(evaluator(), Table::new(1)));
        let limits = Limits { nodes: Some(GLANCE), ..Limits::default() };
        let task = Task { line: line.clone(), only: only.to_vec(), limits, ..Task::default() };
        let mut last = None;
        engine.search(&task, &Stop::new(), &mut |report| last = Some(report)).ok()?;
        last
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_the_program_is_readable() {
        for game in GAMES {
            let tree = game.manager(&Settings::default()).snapshot(crate::event::Time::ZERO);
            assert_eq!(tree.nodes.len(), 1, "{}", game.name());
        }
    }

    #[test]
    fn a_line_is_checked_move_by_move() {
        let line = |words: &str| Line {
            start: Start::default(),
            moves: words.split(' ').map(|m| m.parse().expect("a move")).collect(),
        };
        assert_eq!(CHESS.check(&line("e2e4 e7e5")), Ok(()));
        let error = CHESS.check(&line("e2e4 e2e4")).expect_err("no piece there");
        assert_eq!(error, "move 2: expected a legal move, found 'e2e4'");
        assert!(SHOGI.check(&line("7g7f e7e5")).is_err());
    }

    #[test]
    fn every_solver_has_its_name() {
        for game in GAMES {
            assert!(
                SOLVERS.iter().all(|name| game.solver(name, &SolverOptions::default()).is_some()),
                "{}",
                game.name()
            );
            assert!(game.solver("guess", &SolverOptions::default()).is_none());
        }
    }

    #[test]
    fn a_search_never_counts_long_in_silence() {
        let mut engine = CHESS.engines(&Settings { hash_mb: 1, ..Settings::default() })();
        let limits = Limits { nodes: Some(400_000), ..Limits::default() };
        let mut counts = vec![0];
        let task = Task { limits, ..Task::default() };
        engine.search(&task, &Stop::new(), &mut |report| counts.push(report.nodes)).expect("a legal position");
        let gaps = counts.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.max().is_some_and(|gap| gap <= 1 << 16), "a tenth of a second: {counts:?}");
    }

    #[test]
    fn a_glance_sees_what_hangs() {
        // Only the exchange of queens by a pawn does not lose one.
        let text = "rnb1kbnr/pppp1ppp/8/4p1q1/3P1P2/8/PPP1P1PP/RNBQKBNR w KQkq - 0 1";
        let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
        let mut look = glance::<Chess, ChessEval>(ChessEval::new);
        let report = look(&line, &[]).expect("a legal move");
        assert_eq!(&*report.pv[0], "f4g5", "{report:?}");
        assert!(report.score.raw() > 500 && report.nodes <= GLANCE, "{report:?}");
        let only = ["a2a3".parse().expect("a move")];
        assert_eq!(look(&line, &only).expect("a legal move").pv[0], only[0]);
    }
}
