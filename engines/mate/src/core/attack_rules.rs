//! What a search by proof numbers looks at in a position, and when.

use hasami_api::{MateGame, Moves, Zone};

/// When a stage of moves begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveStage {
    /// The number that the side to move wants small has become so large in all moves looked at so far; without limit: all of
    /// them have failed.
    pub from: u32,
    /// Expected addition of the stage's moves to the other number.
    pub adds: u32,
}

/// A position in the table under another key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twin {
    /// The other key.
    pub key: u64,
    /// A proof there is a proof here; otherwise, a disproof is.
    pub by_proof: bool,
}

/// The moves that a search by proof numbers looks at, in stages, and what is known of them beforehand. All is as in a search
/// for mates by checks, which has one stage, unless another kind of problem says otherwise.
pub trait AttackRules<G: MateGame> {
    /// What is looked at first: the checks of the attacker, all answers of the defender.
    fn first_moves(game: &G, attacks: bool, out: &mut Moves<G::Move>) {
        if attacks { game.checking_moves(out) } else { game.legal_moves(out) }
    }

    /// When the moves of a stage, from 1 on, are looked at, too; `None`: there is no such stage.
    fn stage(_game: &G, _attacks: bool, _stage: u8) -> Option<MoveStage> {
        None
    }

    /// Appends the moves of a stage.
    fn later_moves(_game: &G, _attacks: bool, _stage: u8, _out: &mut Moves<G::Move>) {}

    /// Proof and disproof number at first sight, where they are not those of the moves.
    fn first_numbers(_game: &G, _attacks: bool) -> Option<(u32, u32)> {
        None
    }

    /// Addition to the first proof number of a position at this depth.
    fn depth_cost(_game: &G) -> u32 {
        0
    }

    /// A proof of so many plies after this move is one of so many before it.
    fn length_before(_game: &G, _m: G::Move, after: i16) -> i16 {
        after + 1
    }

    /// The refutation of an attack is tried first where the same attack is made elsewhere.
    fn remembers_escapes(_game: &G) -> bool {
        false
    }

    /// The proof of the attack against this answer is tried against the answers of later stages.
    fn is_sample(_game: &G, _answer: G::Move) -> bool {
        false
    }

    /// Where another piece of the defender could change what this move of the attacker does; before it is made.
    fn zone_of_attack(_game: &G, _m: G::Move) -> Zone {
        Zone::EVERYWHERE
    }

    /// Where another piece of the defender, who is in check, could change what there is to answer.
    fn zone_of_answers(_game: &G) -> Zone {
        Zone::EVERYWHERE
    }

    /// The answer may change something within the zone. Otherwise what proves an attack without it proves it with it.
    fn is_within(_game: &G, _answer: G::Move, _zone: Zone) -> bool {
        true
    }

    /// The same board with more or less asked: knowledge of that may hold here.
    fn twin(_game: &G) -> Option<Twin> {
        None
    }

    /// [`Self::twin`] of the position after a legal move, whose board key is `key`.
    fn twin_after(_game: &G, _m: G::Move, _key: u64) -> Option<Twin> {
        None
    }
}

/// The attacker checks.
pub struct ByChecks;

impl<G: MateGame> AttackRules<G> for ByChecks {}
