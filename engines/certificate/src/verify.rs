//! Checks whether a certificate proves its claim.

use crate::certificate::Certificate;
use crate::replay::{Verified, VerifyLimits, set_up};
use crate::unproved::Unproved;
use crate::{attack, defence};
use hasami_api::BrinkmateGame;

/// Replays the strategy against all moves of the other side. An error states where and why the replay failed, and
/// whether the certificate is wrong or a limit was reached.
pub fn verify<G: BrinkmateGame>(certificate: &Certificate, limits: VerifyLimits) -> Result<Verified, Unproved> {
    let game = set_up::<G>(&certificate.start).map_err(Unproved::of_position)?;
    match certificate.claim.is_of_attacker() {
        true => attack::replay(game, certificate, limits),
        false => defence::replay(game, certificate, limits),
    }
}
