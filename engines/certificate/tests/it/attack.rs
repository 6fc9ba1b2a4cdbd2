//! The attacker's strategies.

use crate::brute::{BELLY, CORNER, GOLDS, THREE, certified, certified_mate};
use hasami_certificate::{Certificate, Limits, verify};
use hasami_shogi::Shogi;

#[test]
fn what_brute_force_finds_is_verified() {
    for (sfen, plies, mates) in [(BELLY, 1, 3), (CORNER, 1, 3), (THREE, 3, 3)] {
        let certificate = certified(sfen, plies, mates);
        let verified = verify::<Shogi>(&certificate, Limits::default()).unwrap();
        assert_eq!(verified.plies, Some(plies), "{sfen}");
        assert_eq!(Certificate::read(&certificate.write()), Ok(certificate.clone()));
        println!("{sfen}: {verified}, {} nodes, {} bytes", certificate.nodes(), certificate.write().len());
    }
    let mate = certified_mate(GOLDS, 3);
    assert_eq!(verify::<Shogi>(&mate, Limits::default()).unwrap().plies, Some(0));
}
