//! Rules that determine the moves of a proof-number search, and when each move is considered.

use hasami_api::{MateGame, Moves, Zone};

/// The condition under which a stage of moves begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveStage {
    /// The stage begins when all moves considered so far have at least this number (the proof number for the attacker,
    /// the disproof number for the defender). With an infinite value, the stage begins when all moves considered so far
    /// have failed.
    pub from: u32,
    /// Amount by which the stage's moves are expected to increase the node's disproof number (attacker) or proof number
    /// (defender).
    pub adds: u32,
}

/// A related question about the same board, stored in the table under a different key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twin {
    /// Key of the related question.
    pub key: u64,
    /// Whether a proof of the related question also proves the original one. If `by_proof` is false, a disproof of the
    /// related question also disproves the original one.
    pub by_proof: bool,
}

/// The moves of a proof-number search, in stages, and prior knowledge about the moves. The default methods describe a
/// search for mates by checks, which has one stage.
pub trait AttackRules<G: MateGame> {
    /// Generates the moves of the first stage: the attacker's checks, or all answers of the defender.
    fn first_moves(game: &G, attacks: bool, out: &mut Moves<G::Move>) {
        if attacks { game.checking_moves(out) } else { game.legal_moves(out) }
    }

    /// Returns the condition under which the moves of a later stage are added, or `None` if the stage does not exist. The
    /// stages after the first are numbered from 1.
    fn stage(_game: &G, _attacks: bool, _stage: u8) -> Option<MoveStage> {
        None
    }

    /// Appends the moves of a stage.
    fn later_moves(_game: &G, _attacks: bool, _stage: u8, _out: &mut Moves<G::Move>) {}

    /// Returns the initial proof and disproof numbers, or `None` to compute them from the number of moves.
    fn first_numbers(_game: &G, _attacks: bool) -> Option<(u32, u32)> {
        None
    }

    /// Returns the amount added to the initial proof number of a position at the current depth.
    fn depth_cost(_game: &G) -> u32 {
        0
    }

    /// Returns the length in plies of a proof that begins with a move, given the length `after` the move.
    fn length_before(_game: &G, _m: G::Move, after: i16) -> i16 {
        after + 1
    }

    /// Whether the answer that refuted an attack is tried first when the same attack is made in another position.
    fn remembers_escapes(_game: &G) -> bool {
        false
    }

    /// Whether the proof against the given answer is also tried against the answers of later stages.
    fn is_sample(_game: &G, _answer: G::Move) -> bool {
        false
    }

    /// Returns the squares on which an additional defending piece could change the effect of an attacking move that has
    /// not been made yet.
    fn zone_of_attack(_game: &G, _m: G::Move) -> Zone {
        Zone::EVERYWHERE
    }

    /// Returns the squares on which an additional defending piece could change the available answers to a check.
    fn zone_of_answers(_game: &G) -> Zone {
        Zone::EVERYWHERE
    }

    /// Returns true if the answer may change the effect of an attack with the given zone. If the result is false, a
    /// proof of the attack without the answer also holds with the answer.
    fn is_within(_game: &G, _answer: G::Move, _zone: Zone) -> bool {
        true
    }

    /// Returns a related question about the same board, whose result may decide the position.
    fn twin(_game: &G) -> Option<Twin> {
        None
    }

    /// Returns the result of [`Self::twin`] after a legal move that leads to the board with the key `key`.
    fn twin_after(_game: &G, _m: G::Move, _key: u64) -> Option<Twin> {
        None
    }
}

/// Rules of a search in which every attack is a check.
pub struct ByChecks;

impl<G: MateGame> AttackRules<G> for ByChecks {}
