//! The solvers of mates and brinkmates by their names, of any game.

use hasami_api::{BrinkmateGame, BrinkmateSearch, BrinkmateSolver, SolverOptions};
use hasami_brinkmate::{ProofSolver, TacoSolver};
use hasami_certificate::{Certificate, Limits, verify};
use hasami_mate::Algorithm;

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

/// Replays the certificate of a brinkmate, visiting at most so many positions.
pub fn verify_certificate<G: BrinkmateGame>(file: &[u8], positions: u64) -> Result<String, String> {
    let limits = Limits { positions, ..Limits::default() };
    let certificate = Certificate::read(file)?;
    let verified = verify::<G>(&certificate, limits)?;
    Ok(format!("{verified}, of {}", certificate.start()))
}

/// A solver of brinkmates of any game that has them.
pub fn brinkmate_solver<G: BrinkmateGame>(
    search: BrinkmateSearch,
    options: &SolverOptions,
) -> Box<dyn BrinkmateSolver> {
    match search {
        BrinkmateSearch::Proof => Box::new(ProofSolver::<G>::new(options)),
        BrinkmateSearch::TacoH(inner) => Box::new(TacoSolver::<G>::new(inner, options.hash_mb)),
    }
}
