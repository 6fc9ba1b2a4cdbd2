//! The defender's strategies.

use crate::brute::{ALONE, ROOK, THREAT};
use crate::refute::refuted;
use hasami_certificate::{Certificate, Limits, verify};
use hasami_shogi::Shogi;

#[test]
fn what_brute_force_refutes_is_verified() {
    for (sfen, within) in [(ALONE, None), (ALONE, Some(1)), (THREAT, Some(0)), (THREAT, Some(1)), (ROOK, Some(0))] {
        let certificate = refuted(sfen, within).unwrap();
        let verified = verify::<Shogi>(&certificate, Limits::default()).unwrap();
        assert_eq!(Certificate::read(&certificate.write()), Ok(certificate.clone()));
        println!("{sfen}: {verified}, {} nodes, {} bytes", certificate.nodes(), certificate.write().len());
    }
}
