//! Tests that malformed and unsupported network files are rejected.

use crate::generated;

fn refused(bytes: &[u8]) -> String {
    hasami_nnue::read(bytes).unwrap_err().to_string()
}

#[test]
fn invalid_files_are_rejected_with_one_clear_line() {
    assert_eq!(refused(b""), "expected 4 bytes of the version at byte 0, found 0");
    let other = "expected a network of Stockfish 12 to 17.1 or of shogi (version 7af32f16, 7af32f17 or 7af32f20), found version ";
    assert_eq!(refused(b"junk and more"), format!("{other}6b6e756a"));
    let head = |version: u32, length: u32| [version.to_le_bytes(), [0; 4], length.to_le_bytes()].concat();
    let long = "expected a description of at most 65536 bytes, found a length of 4294967295";
    assert_eq!(refused(&head(0x7AF3_2F20, u32::MAX)), long);
    // Unsupported networks: those of Stockfish since 2026, and those of Stockfish 14, whose first layer has another
    // width.
    assert_eq!(refused(&head(0x6A44_8AFA, 0)), format!("{other}6a448afa"));
    let of_14 = [head(0x7AF3_2F20, 0), (0x5F23_4CB8_u32 ^ 1_024).to_le_bytes().to_vec()].concat();
    assert!(refused(&of_14).starts_with("expected a network of a known size (shogi: "), "{}", refused(&of_14));
}

#[test]
fn truncated_files_are_rejected() {
    for file in [generated::stockfish(128, true, 1), generated::classic("KP", 0x3F57_17FF, 1_710, [256, 32, 32], 1)] {
        for end in (0..file.len()).step_by(file.len() / 97) {
            assert_eq!(refused(&file[..end]).lines().count(), 1);
        }
        assert!(refused(&[&file[..], &[0; 65]].concat()).starts_with("expected "));
        assert!(hasami_nnue::read(&[&file[..], b"bullet-----"].concat()).is_ok(), "the end mark of a trainer");
    }
}

#[test]
fn own_files_must_have_the_exact_length() {
    let file = generated::own(1);
    for end in (0..file.len()).step_by(file.len() / 97) {
        assert_eq!(refused(&file[..end]).lines().count(), 1);
    }
    assert!(refused(&[&file[..], b"x"].concat()).starts_with("expected the end of the file"));
}
