//! Fuzzes messages between a host and a solver of brinkmates: parsing never panics, and a parsed question survives
//! encoding.

use hasami_remote::cluster::brinkmates::{Question, encode, read_answer, read_question};

pub fn check(bytes: &[u8]) {
    if let Some(question) = read_question(bytes) {
        assert_eq!(read_question(&encode(&question)), Some(question.clone()));
        if let Question::Solve { number, .. } = question {
            // The bytes of a question may also be a valid answer.
            _ = read_answer(bytes, number);
        }
    }
    // Answers to other questions are ignored; every error has one line.
    if let Some(Err(why)) = read_answer(bytes, 0) {
        assert_eq!(why.lines().count(), 1, "{why}");
    }
}
