//! Which moves a search by proof numbers considers in a position, and when.

use hasami_api::{MateGame, Moves, Zone};

/// When a stage of moves begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveStage {
    /// The stage begins when the number that the side to move wants small is at least this large in all moves
    /// considered so far; with no limit, when all of them have failed.
    pub from: u32,
    /// Expected addition of the stage's moves to the other number.
    pub adds: u32,
}

/// A related position in the table under another key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twin {
    /// The other key.
    pub key: u64,
    /// Whether a proof there is a proof here; otherwise a disproof there is a disproof here.
    pub by_proof: bool,
}

/// The moves that a search by proof numbers considers, in stages, and what is known about them beforehand. The defaults
/// are those of a search for mates by checks, which has one stage.
pub trait AttackRules<G: MateGame> {
    /// Generates the moves considered first: the checks of the attacker, all answers of the defender.
    fn first_moves(game: &G, attacks: bool, out: &mut Moves<G::Move>) {
        if attacks { game.checking_moves(out) } else { game.legal_moves(out) }
    }

    /// Returns when the moves of a stage, counted from 1, are added, or `None` if there is no such stage.
    fn stage(_game: &G, _attacks: bool, _stage: u8) -> Option<MoveStage> {
        None
    }

    /// Appends the moves of a stage.
    fn later_moves(_game: &G, _attacks: bool, _stage: u8, _out: &mut Moves<G::Move>) {}

    /// Initial proof and disproof numbers, if they do not come from the number of moves.
    fn first_numbers(_game: &G, _attacks: bool) -> Option<(u32, u32)> {
        None
    }

    /// Addition to the initial proof number of a position at this depth.
    fn depth_cost(_game: &G) -> u32 {
        0
    }

    /// Length in plies of a proof before a move, given its length after the move.
    fn length_before(_game: &G, _m: G::Move, after: i16) -> i16 {
        after + 1
    }

    /// Is the answer that refuted an attack tried first when the same attack is made elsewhere?
    fn remembers_escapes(_game: &G) -> bool {
        false
    }

    /// Is the proof of the attack against this answer tried against the answers of later stages?
    fn is_sample(_game: &G, _answer: G::Move) -> bool {
        false
    }

    /// Squares on which another piece of the defender could change the effect of this move of the attacker. Called
    /// before the move is made.
    fn zone_of_attack(_game: &G, _m: G::Move) -> Zone {
        Zone::EVERYWHERE
    }

    /// Squares on which another piece of the defender, who is in check, could change the available answers.
    fn zone_of_answers(_game: &G) -> Zone {
        Zone::EVERYWHERE
    }

    /// Can the answer change anything within the zone? If not, a proof of the attack without the answer also holds with
    /// it.
    fn is_within(_game: &G, _answer: G::Move, _zone: Zone) -> bool {
        true
    }

    /// Returns the same board with a stronger or weaker question, whose result may hold here.
    fn twin(_game: &G) -> Option<Twin> {
        None
    }

    /// [`Self::twin`] of the position after a legal move, whose board key is `key`.
    fn twin_after(_game: &G, _m: G::Move, _key: u64) -> Option<Twin> {
        None
    }
}

/// Attacks by checks only.
pub struct ByChecks;

impl<G: MateGame> AttackRules<G> for ByChecks {}
