//! Fuzzes certificate files: reading never panics, whether the input is a whole file or the content of a file with a
//! correct header and CRC. A certificate is unchanged after being written and read again. Verifying a certificate twice
//! gives the same one-line verdict, within the limit on positions.

use hasami_certificate::{Certificate, VerifyLimits, verify};
use hasami_shogi::Shogi;

const LIMITS: VerifyLimits = VerifyLimits { positions: 2_000, depth: 50 };

/// Builds a certificate file that contains `content` in uncompressed blocks.
fn packed(content: &[u8]) -> Vec<u8> {
    let mut file = b"HBMC\x01".to_vec();
    file.extend((content.len() as u32).to_le_bytes());
    for block in content.chunks(u16::MAX.into()) {
        let length = block.len() as u16;
        file.push(0);
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
        file.extend(block);
    }
    file.extend([1, 0, 0, 0xff, 0xff]);
    file.extend(crc32fast::hash(&file).to_le_bytes());
    file
}

fn judge(file: &[u8]) {
    let Ok(certificate) = Certificate::read(file) else { return };
    let written = certificate.write();
    assert_eq!(Certificate::read(&written).as_ref(), Ok(&certificate));
    let found = verify::<Shogi>(&certificate, LIMITS);
    assert_eq!(verify::<Shogi>(&certificate, LIMITS), found);
    match found {
        Ok(verified) => assert!(verified.positions <= LIMITS.positions, "{verified:?}"),
        Err(why) => assert!(!why.to_string().contains('\n') && why.to_string().contains("expected "), "{why}"),
    }
}

pub fn check(bytes: &[u8]) {
    judge(bytes);
    judge(&packed(bytes));
}
