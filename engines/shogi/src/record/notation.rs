//! The two formats in which games of shogi are written.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    Csa,
    Kif,
}
