//! A game that turns a search for brinkmates into a search for mates: besides checks, the attacker has quiet attacking
//! moves, and the defender may pass, after which only checks are allowed (Nagai, "An algorithm for hard brinkmate
//! problems and its implementation", GPW 2011).
//!
//! If quiet attacks are allowed, each check is searched twice: with only checks allowed after it, and with quiet
//! attacks allowed after it. The search with only checks is a search for a mate, which is preferred as long as its
//! proof numbers are smaller.

use hasami_api::{
    BrinkmateGame, Game, Hand, InvalidPosition, MateGame, MoveText, Moves, ParseMoveError, PositionKey, Side, Start,
    Verdict, Zone,
};
use hasami_mate::{AttackRules, MoveStage, Prover, Twin};

/// The proof-number search for brinkmates.
pub type BrinkProver<G> = Prover<Brink<G>, ThreatRules>;

/// A move or a pass, with the kinds of attacks that are allowed after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act<M> {
    /// A move that does not change which attacks are allowed.
    Play(M),
    /// A check after which only checks are allowed.
    Only(M),
    /// A pass of the defender, after which only checks are allowed.
    Pass,
}

impl<M: Copy> Act<M> {
    pub const fn played(self) -> Option<M> {
        match self {
            Self::Play(m) | Self::Only(m) => Some(m),
            Self::Pass => None,
        }
    }
}

/// The kinds of attacking moves that are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Only checks are allowed.
    Checks,
    /// Checks and quiet attacks are allowed for this many plies.
    All(u16),
}

impl Mode {
    /// Returns a value that is XORed into the key of the board, so that keys of different modes differ.
    const fn salt(self) -> u64 {
        match self {
            Self::Checks => 0,
            Self::All(ENDLESS) => ALL,
            Self::All(plies) => ALL ^ PLIES.wrapping_mul(plies as u64 + 1),
        }
    }
}

/// The number of plies that stands for no limit.
pub const ENDLESS: u16 = u16::MAX;

/// XORed into a position's key if quiet attacks are allowed.
const ALL: u64 = 0x6a09_e667_f3bc_c909;
/// If the number of plies left is limited, this times the number plus one is XORed into the position's key.
const PLIES: u64 = 0xbb67_ae85_84ca_a73b;

/// Quiet attacks are searched once the proof number of every check has reached this value.
const QUIET: u32 = 4;
/// Amount added to [`QUIET`] and to the proof number of [`THREAT`] for each earlier attacking move, so that short
/// brinkmates are found before long brinkmates.
const DEEPER: u32 = 8;
/// Amount by which the quiet attacks are expected to increase the disproof number.
const QUIETS: u32 = 16;
/// Amount by which the defender's moves other than a pass are expected to increase the proof number.
const ANSWERS: u32 = 8;
/// Initial proof and disproof numbers of a position after a quiet attack.
const THREAT: (u32, u32) = (4, 1);
/// Amount added to initial proof numbers for every two plies of a line of checks, because most threats are short, and
/// proving a long mate may cost more than trying another attack (Song, Iida and van den Herik, "Deep df-pn and its
/// efficient implementations", ACG 2017).
const DEEP: u32 = 4;
/// Threshold for a stage of moves that begins only when all moves of the previous stages have failed.
const ALL_FAILED: u32 = u32::MAX / 2;

/// A position in a brinkmate search, presented to the mate solver as a game, with the attacking side, the allowed
/// attacks, and the number of plies left.
#[derive(Clone)]
pub struct Brink<G> {
    game: G,
    attacker: Side,
    mode: Mode,
    /// The mode before each move made so far, to be restored when the move is taken back.
    before: Vec<Mode>,
    /// Number of plies for which only checks have been allowed; 0 if only checks were allowed from the start.
    deep: u32,
}

impl<G: BrinkmateGame> Brink<G> {
    /// Creates a search for a brinkmate of at most `plies` plies by the side to move.
    pub fn of(game: G, plies: u16) -> Self {
        Self { attacker: game.side(), game, mode: Mode::All(plies), before: Vec::new(), deep: 0 }
    }

    /// Creates a search for a mate by the side to move, with only checks allowed.
    pub fn by_checks(game: G) -> Self {
        Self { attacker: game.side(), game, mode: Mode::Checks, before: Vec::new(), deep: 0 }
    }

    /// Returns all moves of the side to move, including a pass. The list is heap-allocated and the function is not
    /// inlined, because the callers recurse deeply and need small stack frames.
    #[inline(never)]
    pub fn acts(&self) -> Vec<Act<G::Move>> {
        let mut acts = Moves::new();
        self.legal_moves(&mut acts);
        acts.to_vec()
    }

    /// Returns, in a heap-allocated list, the checks after which only checks are allowed.
    #[inline(never)]
    pub fn mating_attempts(&self) -> Vec<Act<G::Move>> {
        self.with_checks(|checks| checks.iter().map(|&m| Act::Only(m)).collect())
    }

    /// Returns all attacking moves in a heap-allocated list.
    #[inline(never)]
    pub fn attacks_of_any_kind(&self) -> Vec<Act<G::Move>> {
        self.with_all(|all| all.iter().map(|&m| Act::Play(m)).collect())
    }

    /// Returns the table key of the position.
    pub fn place(&self) -> PositionKey {
        (self.board_key(), self.hand(self.attacker))
    }

    /// The underlying game.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The side that tries to force a brinkmate.
    pub const fn attacker(&self) -> Side {
        self.attacker
    }

    /// Returns whether only checks are allowed from this position on.
    pub const fn is_by_checks(&self) -> bool {
        matches!(self.mode, Mode::Checks)
    }

    /// Returns the number of attacking moves so far; not used once only checks are allowed.
    fn level(&self) -> u32 {
        self.before.len() as u32 / 2
    }

    /// Returns the amount by which the last move increases `deep`.
    fn step(&self) -> u32 {
        u32::from(self.is_by_checks() && !matches!(self.before.first(), Some(Mode::Checks)))
    }

    /// Returns the table key of the same board under the other mode (with or without quiet attacks).
    const fn twin_of(key: u64, mode: Mode) -> Twin {
        match mode {
            Mode::All(_) => Twin { key: key ^ Mode::Checks.salt(), by_proof: true },
            Mode::Checks => Twin { key: key ^ ALL, by_proof: false },
        }
    }

    fn attacks(&self) -> bool {
        self.game.side() == self.attacker
    }

    /// Returns whether the defender may pass in this position.
    fn may_pass(&self) -> bool {
        !self.is_by_checks() && !self.attacks() && !self.game.in_check()
    }

    fn after(&self, act: Act<G::Move>) -> Mode {
        match (act, self.mode) {
            (_, Mode::Checks) | (Act::Only(_) | Act::Pass, _) => Mode::Checks,
            (Act::Play(_), Mode::All(ENDLESS)) => self.mode,
            // With fewer than two plies left, the attacker's next quiet attack would exceed the ply limit.
            (Act::Play(_), Mode::All(plies)) if !self.attacks() && plies < 2 => Mode::Checks,
            (Act::Play(_), Mode::All(plies)) => Mode::All(plies.saturating_sub(1)),
        }
    }

    /// Calls `look` with the checks of the side to move. The checks are not returned as a list, because a list takes
    /// several KB and copying it at every position would take 5 % of the time.
    fn with_checks<T>(&self, look: impl FnOnce(&[G::Move]) -> T) -> T {
        let mut checks = Moves::new();
        self.game.checking_moves(&mut checks);
        look(&checks)
    }

    /// Calls `look` with all legal moves.
    fn with_all<T>(&self, look: impl FnOnce(&[G::Move]) -> T) -> T {
        let mut all = Moves::new();
        self.game.legal_moves(&mut all);
        look(&all)
    }
}

impl<G: BrinkmateGame> Game for Brink<G> {
    type Move = Act<G::Move>;

    const NAME: &'static str = G::NAME;

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        Ok(Self::of(G::new(start)?, ENDLESS))
    }

    fn to_text(&self) -> String {
        self.game.to_text()
    }

    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError> {
        self.game.parse_move(text).map(Act::Play)
    }

    fn format_move(&self, act: Self::Move) -> MoveText {
        match act.played() {
            Some(m) => self.game.format_move(m),
            None => "pass".parse().expect("four letters"),
        }
    }

    fn side(&self) -> Side {
        self.game.side()
    }

    fn ply(&self) -> u32 {
        self.game.ply()
    }

    fn key(&self) -> u64 {
        self.game.key() ^ self.mode.salt()
    }

    fn in_check(&self) -> bool {
        self.game.in_check()
    }

    /// Appends all legal moves, and a pass if the defender may pass.
    fn legal_moves(&self, out: &mut Moves<Self::Move>) {
        if self.may_pass() {
            out.push(Act::Pass);
        }
        self.with_all(|all| out.extend(all.iter().map(|&m| Act::Play(m))));
    }

    fn count_moves(&self) -> usize {
        self.game.count_moves()
    }

    fn make(&mut self, act: Self::Move) {
        self.before.push(self.mode);
        self.mode = self.after(act);
        self.deep += self.step();
        match act.played() {
            Some(m) => self.game.make(m),
            None => self.game.pass(),
        }
    }

    fn unmake(&mut self) {
        self.game.unmake();
        self.deep -= self.step();
        self.mode = self.before.pop().expect("a move was made");
    }

    fn verdict(&self) -> Verdict {
        self.game.verdict()
    }

    fn verdict_in_search(&self, plies: usize) -> Verdict {
        self.game.verdict_in_search(plies)
    }

    fn verdict_without_moves(&self) -> Verdict {
        self.game.verdict_without_moves()
    }
}

impl<G: BrinkmateGame> MateGame for Brink<G> {
    /// Appends every check as [`Act::Only`] and, if quiet attacks are allowed, every legal move as [`Act::Play`].
    fn checking_moves(&self, out: &mut Moves<Self::Move>) {
        self.with_checks(|checks| out.extend(checks.iter().map(|&m| Act::Only(m))));
        if !self.is_by_checks() {
            self.with_all(|all| out.extend(all.iter().map(|&m| Act::Play(m))));
        }
    }

    fn count_answers(&self) -> usize {
        self.game.count_answers()
    }

    fn board_key(&self) -> u64 {
        self.game.board_key() ^ self.mode.salt()
    }

    fn board_key_after(&self, act: Self::Move) -> Option<u64> {
        Some(self.game.board_key_after(act.played()?)? ^ self.after(act).salt())
    }

    fn hand(&self, side: Side) -> Hand {
        self.game.hand(side)
    }

    fn dropped(&self, act: Self::Move) -> Option<(usize, u8)> {
        self.game.dropped(act.played()?)
    }

    fn won(&self, act: Self::Move) -> Option<usize> {
        self.game.won(act.played()?)
    }

    /// Returns whether the side to move could drop a piece to block a check or a threat. If the side to move is not in
    /// check, the result is true, because the defender may drop any piece in hand.
    fn could_block(&self) -> bool {
        if self.game.in_check() { self.game.could_block() } else { true }
    }
}

/// The rules of attack for brinkmates: threats of mate are allowed besides checks, and the defender may pass.
pub struct ThreatRules;

impl<G: BrinkmateGame> AttackRules<Brink<G>> for ThreatRules {
    fn first_moves(brink: &Brink<G>, attacks: bool, out: &mut Moves<Act<G::Move>>) {
        if attacks {
            brink.with_checks(|checks| out.extend(checks.iter().map(|&m| Act::Only(m))));
        } else if brink.may_pass() {
            out.push(Act::Pass);
        } else {
            brink.with_all(|all| out.extend(all.iter().map(|&m| Act::Play(m))));
        }
    }

    fn stage(brink: &Brink<G>, attacks: bool, stage: u8) -> Option<MoveStage> {
        match (attacks, stage) {
            _ if brink.is_by_checks() => None,
            (true, 1) => Some(MoveStage { from: QUIET + DEEPER * brink.level(), adds: QUIETS }),
            (true, 2) => Some(MoveStage { from: ALL_FAILED, adds: QUIETS }),
            (false, 1) if brink.may_pass() => Some(MoveStage { from: ALL_FAILED, adds: ANSWERS }),
            (false, 2) if brink.may_pass() => Some(MoveStage { from: ALL_FAILED, adds: 0 }),
            _ => None,
        }
    }

    fn later_moves(brink: &Brink<G>, _attacks: bool, stage: u8, out: &mut Moves<Act<G::Move>>) {
        let king = brink.attacker.other();
        let is_wanted = |m: &&G::Move| brink.game.is_far(**m, king) == (stage == 2);
        brink.with_all(|all| out.extend(all.iter().filter(is_wanted).map(|&m| Act::Play(m))));
    }

    fn first_numbers(brink: &Brink<G>, attacks: bool) -> Option<(u32, u32)> {
        if brink.is_by_checks() {
            return None;
        }
        if !attacks {
            // A stalemated defender has not lost, unless the rules make a stalemate a loss.
            if brink.game.verdict_without_moves() != Verdict::Loss && brink.game.count_moves() == 0 {
                return None;
            }
            return brink.may_pass().then_some((THREAT.0 + DEEPER * brink.level(), THREAT.1));
        }
        let checks = brink.with_checks(<[_]>::len) as u32;
        match checks {
            // The attacker has no moves.
            0 if brink.game.count_moves() == 0 => None,
            0 => Some((QUIET + DEEPER * brink.level(), QUIETS)),
            _ => Some((1, checks + QUIETS)),
        }
    }

    fn depth_cost(brink: &Brink<G>) -> u32 {
        brink.deep * DEEP / 2
    }

    fn length_before(brink: &Brink<G>, act: Act<G::Move>, after: i16) -> i16 {
        match act {
            _ if brink.is_by_checks() => after + 1,
            // The mates after a brinkmate do not count towards its length.
            _ if matches!(brink.after(act), Mode::Checks) => 0,
            Act::Play(_) if !brink.attacks() && after == 0 => 0,
            // If every reply to a check is met by mate, the check is part of a mate.
            Act::Play(m) if after == 0 && brink.with_checks(|checks| checks.contains(&m)) => 0,
            _ => after + 1,
        }
    }

    fn remembers_escapes(_: &Brink<G>) -> bool {
        true
    }

    fn is_sample(_: &Brink<G>, answer: Act<G::Move>) -> bool {
        answer == Act::Pass
    }

    fn zone_of_attack(brink: &Brink<G>, act: Act<G::Move>) -> Zone {
        act.played().map_or(Zone::EVERYWHERE, |m| brink.game.check_zone(m))
    }

    fn zone_of_answers(brink: &Brink<G>) -> Zone {
        brink.game.evasion_zone()
    }

    fn is_within(brink: &Brink<G>, act: Act<G::Move>, zone: Zone) -> bool {
        act.played().is_none_or(|m| brink.game.meets(m, zone))
    }

    fn twin(brink: &Brink<G>) -> Option<Twin> {
        Some(Brink::<G>::twin_of(brink.game.board_key(), brink.mode))
    }

    fn twin_after(brink: &Brink<G>, act: Act<G::Move>, key: u64) -> Option<Twin> {
        let mode = brink.after(act);
        Some(Brink::<G>::twin_of(key ^ mode.salt(), mode))
    }
}
