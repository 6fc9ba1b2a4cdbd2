//! A game as a search for brinkmates sees it: beside the checks there are quiet attacks, and the defender may pass, after
//! which only checks count (Nagai, "An algorithm for hard brinkmate problems and its implementation", GPW 2011).
//!
//! Where everything counts, a check is looked at twice: as one after which only checks count, and as one after which
//! everything does. The first is a search for a mate, and remains the cheaper way as long as its numbers are the smaller ones.

use hasami_api::{
    BrinkmateGame, Game, Hand, InvalidPosition, MateGame, MoveText, Moves, ParseMoveError, Side, Start, Verdict, Zone,
};
use hasami_mate::{AttackRules, MoveStage, Prover, Twin};

/// Decides positions in which threats count.
pub type BrinkProver<G> = Prover<Brink<G>, ThreatRules>;

/// A move, and what counts after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act<M> {
    /// As before.
    Play(M),
    /// A check after which only checks count.
    Only(M),
    /// The defender does nothing; after it only checks count.
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

/// The moves that count for the attacker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// For so many plies.
    Checks(u16),
    /// Everything, for so many plies.
    All(u16),
}

impl Mode {
    /// The part of an identity beside the board.
    const fn salt(self) -> u64 {
        match self {
            Self::Checks(ENDLESS) => 0,
            Self::Checks(plies) => CHECKS ^ PLIES.wrapping_mul(plies as u64 + 1),
            Self::All(ENDLESS) => ALL,
            Self::All(plies) => ALL ^ PLIES.wrapping_mul(plies as u64 + 1),
        }
    }
}

/// A ply less, where they are limited.
const fn less(plies: u16) -> u16 {
    if plies == ENDLESS { ENDLESS } else { plies.saturating_sub(1) }
}

/// Plies without a limit.
pub const ENDLESS: u16 = u16::MAX;

/// Told apart from the board where only checks count.
const ALL: u64 = 0x6a09_e667_f3bc_c909;
/// Where so many plies of them count.
const CHECKS: u64 = 0x3c6e_f372_fe94_f82b;
/// And by plies.
const PLIES: u64 = 0xbb67_ae85_84ca_a73b;

/// A proof number in all checks at which other attacks are worth a look; so much more for each attack before it that was no
/// search for a mate, so that short brinkmates are found before long ones.
const QUIET: u32 = 4;
const DEEPER: u32 = 8;
/// Their expected addition to the disproof number.
const QUIETS: u32 = 16;
/// Expected addition of the answers other than a pass to the proof number.
const ANSWERS: u32 = 8;
/// First numbers after a quiet attack; the proof number grows in the same way.
const THREAT: (u32, u32) = (4, 1);
/// Addition of two plies of checks to the first proof numbers: most threats are short, and a long mate may cost more than
/// another attack (Song, Iida and van den Herik, "Deep df-pn and its efficient implementations", ACG 2017).
const DEEP: u32 = 4;
/// No stage before all moves of the last one have failed.
const ALL_FAILED: u32 = u32::MAX / 2;

/// A board with what counts, and the attacker's hand.
pub type Place = (u64, Hand);

/// A position of the game for a brinkmate: attacker and defender, and the plies that are left, as a game for the mate solver.
#[derive(Clone)]
pub struct Brink<G> {
    game: G,
    attacker: Side,
    mode: Mode,
    /// The longest mate behind it that counts.
    mates: u16,
    /// Before each move made.
    before: Vec<Mode>,
    /// Plies since only checks count, where it was otherwise before: a mate that is all there is to find has no alternative.
    deep: u32,
}

impl<G: BrinkmateGame> Brink<G> {
    /// The side to move attacks, and has so many plies.
    pub fn of(game: G, plies: u16) -> Self {
        Self { attacker: game.side(), game, mode: Mode::All(plies), mates: ENDLESS, before: Vec::new(), deep: 0 }
    }

    /// The same, where only checks count.
    pub fn by_checks(game: G) -> Self {
        Self { attacker: game.side(), game, mode: Mode::Checks(ENDLESS), mates: ENDLESS, before: Vec::new(), deep: 0 }
    }

    /// The same with mates of at most so many plies only.
    #[must_use]
    pub fn with_mates(self, mates: u16) -> Self {
        let mode = if self.is_by_checks() { Mode::Checks(mates) } else { self.mode };
        Self { mode, mates, ..self }
    }

    /// All that the side to move may do, and nothing of it on the stack of whoever asks: strategies are found by calls
    /// within calls.
    #[inline(never)]
    pub fn acts(&self) -> Vec<Act<G::Move>> {
        let mut acts = Moves::new();
        self.legal_moves(&mut acts);
        acts.to_vec()
    }

    /// Checks after which only checks count, in the same way.
    #[inline(never)]
    pub fn mating_attempts(&self) -> Vec<Act<G::Move>> {
        self.with_checks(|checks| checks.iter().map(|&m| Act::Only(m)).collect())
    }

    /// All attacks, in the same way.
    #[inline(never)]
    pub fn attacks_of_any_kind(&self) -> Vec<Act<G::Move>> {
        self.with_all(|all| all.iter().map(|&m| Act::Play(m)).collect())
    }

    /// Where it stands in a table.
    pub fn place(&self) -> Place {
        (self.board_key(), self.hand(self.attacker))
    }

    /// The position on the board.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The side that looks for the brinkmate.
    pub const fn attacker(&self) -> Side {
        self.attacker
    }

    /// Only checks count from here on.
    pub const fn is_by_checks(&self) -> bool {
        matches!(self.mode, Mode::Checks(_))
    }

    /// Attacks so far, where everything counts.
    fn level(&self) -> u32 {
        self.before.len() as u32 / 2
    }

    /// Extension of the depth by a move that has just been made.
    fn step(&self) -> u32 {
        u32::from(self.is_by_checks() && !matches!(self.before.first(), Some(Mode::Checks(_))))
    }

    /// Where more or less counts on a board that has this key.
    const fn twin_of(&self, key: u64, mode: Mode) -> Twin {
        match mode {
            Mode::All(_) => Twin { key: key ^ Mode::Checks(self.mates).salt(), by_proof: true },
            Mode::Checks(_) => Twin { key: key ^ ALL, by_proof: false },
        }
    }

    fn attacks(&self) -> bool {
        self.game.side() == self.attacker
    }

    /// The defender may pass here.
    fn may_pass(&self) -> bool {
        !self.is_by_checks() && !self.attacks() && !self.game.in_check()
    }

    fn after(&self, act: Act<G::Move>) -> Mode {
        match (act, self.mode) {
            (_, Mode::Checks(plies)) => Mode::Checks(less(plies)),
            (Act::Only(_), _) => Mode::Checks(less(self.mates)),
            (Act::Pass, _) => Mode::Checks(self.mates),
            (Act::Play(_), Mode::All(ENDLESS)) => self.mode,
            // The defender is to move now: the attacker's next move would be one ply too many.
            (Act::Play(_), Mode::All(plies)) if !self.attacks() && plies < 2 => Mode::Checks(self.mates),
            (Act::Play(_), Mode::All(plies)) => Mode::All(plies.saturating_sub(1)),
        }
    }

    /// Shows the checks that count. They are not handed over, since a list is some KB, and copying it at every position
    /// takes a twentieth of the time.
    fn with_checks<T>(&self, look: impl FnOnce(&[G::Move]) -> T) -> T {
        let mut checks = Moves::new();
        if self.mode != Mode::Checks(0) {
            self.game.checking_moves(&mut checks);
        }
        look(&checks)
    }

    /// Shows all legal moves, in the same way.
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

    /// In all stages.
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
    /// In all stages.
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

    /// Out of check the defender may drop whatever is in hand.
    fn could_block(&self) -> bool {
        if self.game.in_check() { self.game.could_block() } else { true }
    }
}

/// Threats count, too, and the defender may pass: what a search by proof numbers looks at where the attacker need not check.
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
            // Who cannot move, and has not lost by that, is not beaten.
            if brink.game.verdict_without_moves() != Verdict::Loss && brink.game.count_moves() == 0 {
                return None;
            }
            return brink.may_pass().then_some((THREAT.0 + DEEPER * brink.level(), THREAT.1));
        }
        let checks = brink.with_checks(<[_]>::len) as u32;
        match checks {
            // The attacker is mated.
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
            // Mate is no part of a brinkmate.
            _ if matches!(brink.after(act), Mode::Checks(_)) => 0,
            Act::Play(_) if !brink.attacks() && after == 0 => 0,
            // The same, if all that follows is mate.
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
        Some(brink.twin_of(brink.game.board_key(), brink.mode))
    }

    fn twin_after(brink: &Brink<G>, act: Act<G::Move>, key: u64) -> Option<Twin> {
        let mode = brink.after(act);
        Some(brink.twin_of(key ^ mode.salt(), mode))
    }
}
