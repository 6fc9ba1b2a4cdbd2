//! Fuzzes messages between a host and a cell: parsing never panics, and encoding a parsed message loses nothing.

use hasami_workers::cells::{decode_order, decode_reply, encode_order, encode_reply};

fn read_again(message: &[u8]) {
    if let Ok(order) = decode_order(message) {
        let written = encode_order(&order);
        assert_eq!(decode_order(&written), Ok(order));
    }
    if let Ok(reply) = decode_reply(message) {
        let written = encode_reply(&reply);
        assert_eq!(decode_reply(&written), Ok(reply));
    }
}

pub fn check(bytes: &[u8]) {
    read_again(bytes);
}
