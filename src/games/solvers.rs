//! The solvers of mates and brinkmates of any game.

use hasami_api::BrinkmateGame;
use hasami_brinkmate::{BrinkmateSearch, BrinkmateSolver, ProofSolver, TacoSolver};
use hasami_certificate::{Certificate, VerifyLimits, verify};
use hasami_mate::SolverOptions;

/// The position of a certificate.
pub fn certified_position(file: &[u8]) -> Result<String, String> {
    Ok(Certificate::read(file)?.start().to_owned())
}

/// Replays the certificate of a brinkmate, visiting at most so many positions.
pub fn verify_certificate<G: BrinkmateGame>(file: &[u8], positions: u64) -> Result<String, String> {
    let limits = VerifyLimits { positions, ..VerifyLimits::default() };
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
        BrinkmateSearch::ProofTree => Box::new(ProofSolver::<G>::new(options)),
        BrinkmateSearch::TacoH(inner) => Box::new(TacoSolver::<G>::new(inner, options.hash_mb)),
    }
}
