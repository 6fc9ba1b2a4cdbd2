//! Whether a certificate proves what it claims.

use crate::certificate::{Certificate, WinningStrategy};
use crate::replay::{Unproved, Verified, VerifyLimits, set_up};
use crate::{attack, defence};
use hasami_api::BrinkmateGame;

/// Replays the strategy against whatever the other side can do. Errors say in one line where it fails and why.
pub fn verify<G: BrinkmateGame>(certificate: &Certificate, limits: VerifyLimits) -> Result<Verified, String> {
    judge::<G>(certificate, limits).map_err(|unproved| unproved.why)
}

/// The same; errors also say whether the certificate is wrong or only a limit ended the replay.
pub fn judge<G: BrinkmateGame>(certificate: &Certificate, limits: VerifyLimits) -> Result<Verified, Unproved> {
    let set_up = set_up::<G>(&certificate.start);
    let game = set_up.map_err(|error| Unproved { why: error.to_string(), limit: None })?;
    match &certificate.strategy {
        WinningStrategy::Attack(graph) => attack::replay(game, certificate, graph, limits),
        WinningStrategy::Defence(graph) => defence::replay(game, certificate, graph, limits),
    }
}
