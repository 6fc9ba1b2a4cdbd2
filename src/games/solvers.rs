//! Constructs brinkmate solvers and verifies brinkmate certificates, for any game that has brinkmates.

use hasami_api::BrinkmateGame;
use hasami_brinkmate::{BrinkmateSearch, BrinkmateSolver, ProofSolver, TacoH, TacoOptions};
use hasami_catalog::CertificateFault;
use hasami_certificate::{Certificate, Claim, ReplayFault, Verified, VerifyLimits, verify};
use hasami_mate::SolverOptions;
use hasami_words::Message;

/// Reads the start position from a certificate.
pub fn certified_position(file: &[u8]) -> Result<String, CertificateFault> {
    Ok(read(file)?.start)
}

fn read(file: &[u8]) -> Result<Certificate, CertificateFault> {
    Certificate::read(file).map_err(refused)
}

fn refused(why: String) -> CertificateFault {
    CertificateFault::Wrong(Message::new("certificate-refused").with("why", why))
}

/// Verifies the certificate of a brinkmate by replaying it. At most `positions` positions are visited.
pub fn verify_certificate<G: BrinkmateGame>(file: &[u8], positions: u64) -> Result<Message, CertificateFault> {
    let limits = VerifyLimits { positions, ..VerifyLimits::default() };
    let certificate = read(file)?;
    let verified = verify::<G>(&certificate, limits).map_err(|fault| match fault.why {
        ReplayFault::TooManyPositions(_) => {
            CertificateFault::Undecided(Message::new("certificate-of-more-positions").with("positions", positions))
        }
        ReplayFault::TooDeep(_) => {
            CertificateFault::Undecided(Message::new("certificate-too-deep").with("why", fault.to_string()))
        }
        ReplayFault::Position(_) | ReplayFault::Wrong(_) => refused(fault.to_string()),
    })?;
    Ok(proved(&verified, &certificate.start))
}

/// Describes what a certificate proves about the position `start`.
fn proved(verified: &Verified, start: &str) -> Message {
    let claim = match verified.claim {
        Claim::Mate => Message::new("claim-mate"),
        Claim::Brinkmate { plies } => Message::new("claim-brinkmate").with("plies", u64::from(plies)),
        Claim::None { within: None } => Message::new("claim-no-brinkmate"),
        Claim::None { within: Some(0) } => Message::new("claim-no-mate"),
        Claim::None { within: Some(plies) } => Message::new("claim-none-within").with("plies", u64::from(plies)),
    };
    let claim = match (verified.claim, verified.plies) {
        (Claim::Brinkmate { .. }, Some(0)) => Message::new("claim-is-mate").with("claim", claim),
        (Claim::Brinkmate { plies: claimed }, Some(plies)) if plies < claimed => {
            Message::new("claim-is-shorter").with("claim", claim).with("plies", u64::from(plies))
        }
        _ => claim,
    };
    Message::new("claim-proved").with("claim", claim).with("positions", verified.positions).with("start", start)
}

/// Creates a solver of brinkmates for any game that has them.
pub fn brinkmate_solver<G: BrinkmateGame>(
    search: BrinkmateSearch,
    options: &SolverOptions,
) -> Box<dyn BrinkmateSolver> {
    match search {
        BrinkmateSearch::ProofTree => Box::new(ProofSolver::<G>::new(options)),
        BrinkmateSearch::TacoH(inner) => {
            let options = TacoOptions { inner, hash_mb: options.hash_mb, ..TacoOptions::default() };
            Box::new(TacoH::<G>::new(options))
        }
    }
}
