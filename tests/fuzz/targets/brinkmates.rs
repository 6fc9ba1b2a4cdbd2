//! No message between a host and a solver of brinkmates panics; what is read is read again as it was.

use hasami_workers::cluster::brinkmates::{Question, encode, read_answer, read_question};

pub fn check(bytes: &[u8]) {
    if let Some(question) = read_question(bytes) {
        assert_eq!(read_question(&encode(&question)), Some(question.clone()));
        if let Question::Solve { number, .. } = question {
            // Bytes that are a question may be an answer, too.
            _ = read_answer(bytes, number);
        }
    }
    // Whoever waits for number 0 takes no answer to another one.
    if let Some(Err(why)) = read_answer(bytes, 0) {
        assert_eq!(why.lines().count(), 1, "{why}");
    }
}
