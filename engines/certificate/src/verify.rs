//! Whether a certificate proves what it claims.

use crate::certificate::{Certificate, WinningStrategy};
use crate::replay::{Verified, VerifyLimits, set_up};
use crate::{attack, defence};
use hasami_api::BrinkmateGame;

/// Replays the strategy against whatever the other side can do. Errors say in one line where it fails and why.
pub fn verify<G: BrinkmateGame>(certificate: &Certificate, limits: VerifyLimits) -> Result<Verified, String> {
    let game = set_up::<G>(&certificate.start).map_err(|error| error.to_string())?;
    match &certificate.strategy {
        WinningStrategy::Attack(graph) => attack::replay(game, certificate, graph, limits),
        WinningStrategy::Defence(graph) => defence::replay(game, certificate, graph, limits),
    }
}
