//! Decides by proof numbers whether there is a mate within a given number of plies that count by the rules.
//!
//! Two kinds of questions are searched: "does the attacker, to move, mate within n plies?" and "is the defender, to
//! move, lost within n plies?". No question depends on itself: the question after a move has fewer plies, and whether a
//! drop is futile is asked about a position with the checking piece nearer to the king. For each question the table
//! stores an interval: the plies within which there is no mate, and the plies within which there is one.
//!
//! By strict rules every move counts. By composers' rules ([`MateRules::Tsume`]), whether drops on a square count
//! depends on *the rest*: the length of the mate without these drops and those on later squares (rules 2 and 3 of
//! docs/guide/solve.md), which is the answer to the same question with fewer squares. An answer may depend on the
//! negation of another answer, which is searched with proof and disproof numbers exchanged. The search asks whether
//! drops are futile only where one of the drops would refute the mate.
//!
//! A larger hand of the attacker may make a mate longer: if the mate without drops becomes shorter, a futile drop may
//! count. An answer for one hand is used for other hands only if it is *general*: a general proof holds for every
//! larger hand, and a general disproof for every smaller one. A proof is general unless it depends on the length of
//! another mate. A disproof is general if each drop that it uses counts however long the mate without drops is.

use super::Dfpn;
use super::limits::epsilon_limit;
use super::within_numbers::{Limits, Numbers};
use crate::core::attack_rules::AttackRules;
use crate::core::frame::DropSquares;
use crate::core::hands;
use crate::core::interrupt::Interrupted;
use crate::core::mix::mix;
use crate::core::numbers::ChildCount;
use crate::core::table::KnownMate;
use crate::core::value::INFINITE;
use crate::core::within_table::KnownWithin;
use crate::interface::request::MateRules;
use hasami_api::{Hand, MateGame, Verdict, is_mated_without_moves};
use std::mem;

/// Stands for an unlimited number of plies, because every question asks for fewer.
const MOST: usize = 1 << 13;
/// Values that are hashed into the keys of questions about lengths, for strict rules and for composers' rules, so that
/// the keys differ from all others.
const LENGTHS: [u64; 2] = [1 << 33, 1 << 34];

/// A move and the numbers of the position after it.
struct Branch<M> {
    mv: M,
    square: Option<u8>,
    value: Numbers,
}

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Returns true if the attacker, who is to move, mates within `plies` plies.
    pub(super) fn mates_within(&mut self, plies: usize) -> Result<bool, Interrupted> {
        self.length_of_attack(plies).map(|found| found.is_some())
    }

    /// Like [`Self::mates_within`], but returns the length of the known proof.
    pub(super) fn length_of_attack(&mut self, plies: usize) -> Result<Option<usize>, Interrupted> {
        self.search_without_limit();
        let value = self.attack_within(plies, Limits::NONE)?;
        Ok(value.is_yes().then_some(value.plies))
    }

    /// Returns the length of the known proof if the defender, who is to move, is lost within `plies` plies.
    pub(super) fn length_of_defence(&mut self, plies: usize) -> Result<Option<usize>, Interrupted> {
        self.search_without_limit();
        let value = self.defence_within(plies, None, Limits::NONE)?;
        Ok(value.is_yes().then_some(value.plies))
    }

    /// Returns the defender's answers that count as moves in a position that is lost within `plies` plies.
    pub(super) fn answers_that_count(&mut self, plies: usize) -> Result<Vec<G::Move>, Interrupted> {
        let (mut answers, between) = self.split_answers(None);
        for drops in between {
            if self.lengths == MateRules::Strict || !self.futile_within(plies, &drops, Limits::NONE)?.is_yes() {
                answers.extend(drops.drops);
            }
        }
        Ok(answers)
    }

    /// Returns true if the defender is known to be lost within `plies` plies after the check `m`.
    pub(super) fn is_known_lost(&mut self, m: G::Move, plies: usize) -> bool {
        self.known_after(m, plies).is_some_and(Numbers::is_yes)
    }

    /// Returns true if the attacker is known not to mate within `plies` plies after the answer `m`.
    pub(super) fn is_known_to_last(&mut self, m: G::Move, plies: usize) -> bool {
        self.known_after(m, plies).is_some_and(Numbers::is_no)
    }

    fn known_after(&mut self, m: G::Move, plies: usize) -> Option<Numbers> {
        self.game.make(m);
        let (key, hand) = (self.game.board_key(), self.game.hand(self.attacker));
        self.game.unmake();
        self.known_within(self.name_of(key, None), hand, plies).or_else(|| self.strictly(key, hand, plies))
    }

    /// Returns the table key of the questions about a board in which drops count on all squares between the king and
    /// the checking piece or, with `squares`, only on the first `squares` of them.
    const fn name_of(&self, board: u64, squares: Option<usize>) -> u64 {
        let squares = match squares {
            None => 0,
            Some(squares) => squares as u64 + 1,
        };
        let rules = match self.lengths {
            MateRules::Strict => LENGTHS[0],
            MateRules::Tsume => LENGTHS[1],
        };
        mix(board ^ mix(rules + squares))
    }

    /// Returns the answers other than drops, and the drops grouped by square, the square next to the king first. By
    /// composers' rules, squares on which nothing can be dropped are included, and drops occur only against distant
    /// checks.
    fn split_answers(&self, squares: Option<usize>) -> (Vec<G::Move>, Vec<DropsBetween<G::Move>>) {
        let (mut others, mut between) = (Vec::new(), Vec::new());
        if self.lengths == MateRules::Tsume {
            let mut squares_between = self.game.squares_between();
            squares_between.truncate(squares.unwrap_or(usize::MAX));
            between = squares_between.into_iter().map(DropsBetween::on).collect();
        }
        for mv in self.answers() {
            let Some((_, square)) = self.game.dropped(mv) else {
                others.push(mv);
                continue;
            };
            match between.iter_mut().find(|drops| drops.square == square) {
                Some(drops) => drops.drops.push(mv),
                None if self.lengths == MateRules::Strict => {
                    between.push(DropsBetween { drops: vec![mv], ..DropsBetween::on(square) });
                }
                None => {}
            }
        }
        between.iter_mut().enumerate().for_each(|(index, drops)| drops.index = index);
        (others, between)
    }

    fn hands(&self) -> (Hand, Hand) {
        (self.game.hand(self.attacker), self.game.hand(self.attacker.other()))
    }

    fn attack_within(&mut self, plies: usize, limits: Limits) -> Result<Numbers, Interrupted> {
        let name = self.name_of(self.game.board_key(), None);
        let (hand, other_hand) = self.hands();
        if let Some(known) = self.known_within(name, hand, plies).filter(|known| known.is_decided()) {
            return Ok(known);
        }
        let nodes = self.nodes;
        let mut branches = Vec::new();
        for mv in self.checks() {
            let value = self.look_at_defence(mv, plies - 1)?;
            let square = self.game.dropped(mv).map(|(_, square)| square);
            branches.push(Branch { mv, square, value });
            if value.is_yes() {
                break;
            }
        }
        let value = loop {
            let value = self.of_attack(&branches, hand, other_hand);
            if limits.are_reached_by(value) {
                break value;
            }
            let (chosen, child_limits) = choose_check(&branches, value, limits);
            let mv = branches[chosen].mv;
            branches[chosen].value = self.after(mv, |search| search.defence_within(plies - 1, None, child_limits))?;
        };
        self.keep_within(name, hand, plies, value, nodes);
        Ok(value)
    }

    /// Computes the numbers of a position in which the attacker is to move, from the numbers after the checks
    /// `branches`.
    fn of_attack(&self, branches: &[Branch<G::Move>], hand: Hand, other_hand: Hand) -> Numbers {
        let before = |branch: &Branch<G::Move>| {
            hands::before_attack(branch.value.hand, self.game.dropped(branch.mv), self.game.won(branch.mv))
        };
        if let Some(mate) = branches.iter().find(|branch| branch.value.is_yes()) {
            return Numbers::yes(before(mate), mate.value.is_general, mate.value.plies + 1).kept_for(hand);
        }
        let (mut pn, mut dn, mut squares) = (INFINITE, ChildCount::default(), DropSquares::default());
        for branch in branches.iter().filter(|branch| !branch.value.is_no()) {
            pn = pn.min(branch.value.pn);
            // Usually one answer refutes all drops on a square.
            if squares.insert(branch.square) {
                dn.add(branch.value.dn, 0);
            } else {
                dn.add_twin(branch.value.dn);
            }
        }
        if dn.open > 0 {
            return Numbers::open(pn, dn.total());
        }
        let largest = hands::without_checks(hand, other_hand);
        let general = branches.iter().all(|branch| branch.value.is_general);
        let refuted = branches.iter().fold(largest, |hand, branch| hand.intersection(before(branch)));
        let plies = branches.iter().map(|branch| branch.value.plies + 1).min().unwrap_or(MOST);
        let is_bound = branches.iter().any(|branch| branch.value.is_bound);
        Numbers { is_bound, ..Numbers::no(refuted, general, plies.min(MOST)).kept_for(hand) }
    }

    fn defence_within(&mut self, plies: usize, squares: Option<usize>, limits: Limits) -> Result<Numbers, Interrupted> {
        let name = self.name_of(self.game.board_key(), squares);
        let (hand, _) = self.hands();
        if let Some(known) = self.known_within(name, hand, plies).filter(|known| known.is_decided()) {
            return Ok(known);
        }
        let nodes = self.nodes;
        let value = self.answered_within(plies, squares, limits)?.kept_for(hand);
        self.keep_within(name, hand, plies, value, nodes);
        Ok(value)
    }

    fn answered_within(
        &mut self,
        plies: usize,
        squares: Option<usize>,
        limits: Limits,
    ) -> Result<Numbers, Interrupted> {
        self.check_limits()?;
        let (hand, other_hand) = self.hands();
        let (others, between) = self.split_answers(squares);
        if others.is_empty() && between.iter().all(|drops| drops.drops.is_empty()) && self.game.count_answers() == 0 {
            return Ok(match is_mated_without_moves(&self.game) {
                true => Numbers::yes(self.held_back(), true, 0),
                false => Numbers::no(hand, false, MOST),
            });
        }
        let counts_all = self.lengths == MateRules::Strict;
        if plies == 0 && (counts_all || !others.is_empty()) {
            return Ok(Numbers::no(all_of(hand, other_hand), true, 0));
        }
        let mut tries = Vec::with_capacity(others.len() + 8);
        for mv in others {
            let value = self.look_at_attack(mv, plies - 1)?;
            tries.push(Try { what: Answer::Move(mv), value, needs_all: false });
            if value.is_no() {
                return Ok(self.of_escape(mv, value).kept_for(hand));
            }
        }
        // Unless a drop is known to be futile, the proof requires the attacker to hold the pieces that the defender
        // lacks.
        let mut needs_all = counts_all;
        for drops in between {
            let Some(&first) = drops.drops.first() else {
                needs_all = true;
                continue;
            };
            let value = match plies {
                0 => Numbers::open(1, 1),
                _ => self.look_at_attack(first, plies - 1)?,
            };
            let value = if value.is_decided() { Numbers::open(1, 1) } else { value };
            tries.push(Try { what: Answer::Drops(drops), value, needs_all: false });
        }
        loop {
            if let Some(escape) = tries.iter().find(|answer| answer.value.is_no()) {
                let value = match escape.what {
                    Answer::Move(mv) => self.of_escape(mv, escape.value),
                    Answer::Drops(_) => escape.value,
                };
                return Ok(value.kept_for(hand));
            }
            let (mut pn, mut dn) = (0u32, INFINITE);
            for answer in &tries {
                pn = pn.saturating_add(answer.value.pn);
                dn = dn.min(answer.value.dn);
            }
            if pn == 0 {
                needs_all |= tries.iter().any(|answer| answer.needs_all);
                let least = if needs_all { self.held_back() } else { Hand::EMPTY };
                let proof = tries.iter().fold(least, |hand, answer| hand.union(answer.value.hand));
                let plies = tries.iter().map(|answer| match answer.what {
                    Answer::Move(_) => answer.value.plies + 1,
                    Answer::Drops(_) => answer.value.plies,
                });
                let is_general = tries.iter().all(|answer| answer.value.is_general);
                return Ok(Numbers::yes(proof, is_general, plies.max().unwrap_or(0)));
            }
            let value = Numbers::open(pn.min(INFINITE - 1), dn);
            if limits.are_reached_by(value) {
                return Ok(value);
            }
            let (chosen, child_limits) = choose_answer(&tries, limits);
            let chosen = &mut tries[chosen];
            match &chosen.what {
                &Answer::Move(mv) => {
                    chosen.value = self.after(mv, |search| search.attack_within(plies - 1, child_limits))?;
                }
                Answer::Drops(drops) => {
                    (chosen.value, chosen.needs_all) = self.drops_within(plies, drops, child_limits)?;
                }
            }
        }
    }

    /// Returns the result "no" for the current position, given the defender's move `mv` after which there is no mate.
    fn of_escape(&self, mv: G::Move, after: Numbers) -> Numbers {
        let (hand, other_hand) = self.hands();
        let before = hands::before_defence(after.hand, hand, other_hand, self.game.dropped(mv));
        Numbers { is_bound: after.is_bound, ..Numbers::no(before, after.is_general, (after.plies + 1).min(MOST)) }
    }

    /// Decides whether each of the drops in `between` is lost within `plies` plies or the drops are futile, and returns
    /// whether each drop had to be answered. All answers that precede the drops must already be known to be lost within
    /// `plies` plies.
    fn drops_within(
        &mut self,
        plies: usize,
        between: &DropsBetween<G::Move>,
        limits: Limits,
    ) -> Result<(Numbers, bool), Interrupted> {
        let (hand, other_hand) = self.hands();
        let each = match plies {
            // No mate is possible in 0 plies after a drop that counts, whatever the hand.
            0 => {
                let smallest = between.drops.iter().fold(Hand::FULL, |all, &m| {
                    all.intersection(hands::before_defence(Hand::FULL, hand, other_hand, self.game.dropped(m)))
                });
                Numbers::no(smallest, true, 0)
            }
            _ => self.each_lost(plies, &between.drops, limits)?,
        };
        if !each.is_no() || self.lengths == MateRules::Strict {
            return Ok((each, true));
        }
        let futile = self.futile_within(plies, between, limits)?;
        if !futile.is_no() {
            return Ok((futile, false));
        }
        let general = each.is_general && futile.is_general;
        let refuted = each.hand.intersection(futile.hand);
        let refuted = Numbers::no(refuted, general, each.plies.min(futile.plies)).kept_for(hand);
        Ok((Numbers { is_bound: each.is_bound || futile.is_bound, ..refuted }, false))
    }

    /// Decides whether each of `drops` is lost within `plies` plies, counting the drop. Drops are searched one after
    /// another, because the move that answers the first drop usually also answers the others.
    fn each_lost(&mut self, plies: usize, drops: &[G::Move], limits: Limits) -> Result<Numbers, Interrupted> {
        let (mut proof, mut is_general, mut most) = (Hand::EMPTY, true, 0);
        for &mv in drops {
            let mut value = self.look_at_attack(mv, plies - 1)?;
            if !limits.are_reached_by(value) {
                value = self.after(mv, |search| search.attack_within(plies - 1, limits))?;
            }
            if value.is_no() {
                return Ok(self.of_escape(mv, value));
            }
            if !value.is_yes() {
                return Ok(value);
            }
            (proof, is_general) = (proof.union(value.hand), is_general && value.is_general);
            most = most.max(value.plies + 1);
        }
        Ok(Numbers::yes(proof, is_general, most))
    }

    /// Decides whether the drops are futile. All answers that precede the drops must already be known to be lost within
    /// `plies` plies.
    fn futile_within(
        &mut self,
        plies: usize,
        between: &DropsBetween<G::Move>,
        limits: Limits,
    ) -> Result<Numbers, Interrupted> {
        let (hand, _) = self.hands();
        let nearer = self.nearer_within(between.square, plies, limits)?;
        if !nearer.is_yes() || plies == 0 {
            // With 0 plies left, the mate without drops need not be searched, whichever pieces are in hand.
            return Ok(nearer);
        }
        let sooner = self.defence_within(plies - 2, Some(between.index), limits.exchanged())?;
        if !sooner.is_decided() {
            return Ok(Numbers::open(sooner.dn, sooner.pn));
        }
        if sooner.is_no() {
            return Ok(Numbers::yes(hand, false, plies));
        }
        let found = self.futile_within(plies - 2, between, limits)?;
        // The length of the mate without the interposing drops is now known, so the result also holds for any larger
        // number of plies.
        let plies = if found.is_no() { MOST } else { found.plies };
        Ok(Numbers { is_general: false, hand, plies, ..found })
    }

    fn nearer_within(&mut self, square: u8, plies: usize, limits: Limits) -> Result<Numbers, Interrupted> {
        let (hand, other_hand) = self.hands();
        let (mut pn, mut dn, mut is_open) = (INFINITE, 0u32, false);
        let (mut refuted, mut is_general, mut most) = (all_of(hand, other_hand), true, MOST);
        let mut is_bound = false;
        for nearer in self.game.nearer(square) {
            let here = mem::replace(&mut self.game, nearer);
            let value = self.defence_within(plies, None, limits);
            self.game = here;
            let value = value?;
            if value.is_yes() {
                return Ok(value);
            }
            if value.is_no() {
                (refuted, is_general) = (refuted.intersection(value.hand), is_general && value.is_general);
                (most, is_bound) = (most.min(value.plies), is_bound || value.is_bound);
            } else {
                (pn, dn, is_open) = (pn.min(value.pn), dn.saturating_add(value.dn).min(INFINITE - 1), true);
            }
        }
        if is_open {
            return Ok(Numbers::open(pn, dn));
        }
        Ok(Numbers { is_bound, ..Numbers::no(refuted, is_general, most).kept_for(hand) })
    }

    /// Evaluates the position after the check `m`.
    fn look_at_defence(&mut self, m: G::Move, plies: usize) -> Result<Numbers, Interrupted> {
        self.check_limits()?;
        self.nodes += 1;
        if let Some(key) = self.game.board_key_after(m) {
            let hand = hands::after_attack(self.game.hand(self.attacker), self.game.dropped(m), self.game.won(m));
            if let Some(known) =
                self.known_within(self.name_of(key, None), hand, plies).or_else(|| self.strictly(key, hand, plies))
            {
                return Ok(known);
            }
        }
        self.game.make(m);
        let found = if plies == 0 {
            self.defence_within(0, None, Limits::NONE)
        } else {
            Ok(match self.game.count_answers() {
                0 if is_mated_without_moves(&self.game) => Numbers::yes(self.held_back(), true, 0),
                0 => Numbers::no(self.game.hand(self.attacker), false, MOST),
                // The game is drawn by the rules, or the defender may declare a win.
                _ if self.game.verdict() != Verdict::Open => self.by_the_rules(),
                answers => self.guess(answers as u32, 1),
            })
        };
        self.game.unmake();
        found
    }

    /// Evaluates the position after the defender's answer `m`.
    fn look_at_attack(&mut self, m: G::Move, plies: usize) -> Result<Numbers, Interrupted> {
        self.check_limits()?;
        self.nodes += 1;
        if let Some(key) = self.game.board_key_after(m) {
            let hand = self.game.hand(self.attacker);
            if let Some(known) =
                self.known_within(self.name_of(key, None), hand, plies).or_else(|| self.strictly(key, hand, plies))
            {
                return Ok(known);
            }
        }
        self.game.make(m);
        let (hand, other_hand) = self.hands();
        let mut squares = DropSquares::default();
        let checks = self.checks();
        let square = |&m: &G::Move| self.game.dropped(m).map(|(_, square)| square);
        let count: u32 = checks.iter().map(|m| u32::from(squares.insert(square(m)))).sum();
        let found = match count {
            _ if matches!(self.game.verdict(), Verdict::Draw | Verdict::Loss) => self.by_the_rules(),
            0 => Numbers::no(hands::without_checks(hand, other_hand), true, MOST),
            count => self.guess(1, count),
        };
        self.game.unmake();
        Ok(found)
    }

    /// Returns what the search for any mate has proved about a board: a mate within `plies` plies if every move counts,
    /// or no mate at all.
    fn strictly(&self, key: u64, hand: Hand, plies: usize) -> Option<Numbers> {
        match self.table.get(self.table_key(key, hand), hand) {
            KnownMate::Decided(value) if value.is_disproved() => Some(Numbers::no(value.hand, true, MOST)),
            KnownMate::Decided(value) if value.note as usize <= plies => {
                Some(Numbers::yes(value.hand, true, value.note as usize))
            }
            _ => None,
        }
    }

    /// Returns the answer "no mate", which holds on the current path only.
    fn by_the_rules(&self) -> Numbers {
        Numbers { is_bound: true, ..Numbers::no(self.game.hand(self.attacker), false, MOST) }
    }

    /// Returns an estimate, or the larger numbers that the search for any mate has stored for the position.
    fn guess(&self, pn: u32, dn: u32) -> Numbers {
        let (key, hand) = (self.game.board_key(), self.game.hand(self.attacker));
        match self.table.get(self.table_key(key, hand), hand) {
            KnownMate::Open { pn: known_pn, dn: known_dn } => Numbers::open(pn.max(known_pn), dn.max(known_dn)),
            _ => Numbers::open(pn, dn),
        }
    }

    fn known_within(&self, name: u64, hand: Hand, plies: usize) -> Option<Numbers> {
        Some(match self.table.get_within(name, hand, plies) {
            KnownWithin::Nothing => return None,
            KnownWithin::Open { pn, dn } => Numbers::open(pn, dn),
            KnownWithin::Yes { hand, is_general, plies } => Numbers::yes(hand, is_general, plies),
            KnownWithin::No { hand, is_general, plies } => Numbers::no(hand, is_general, plies),
        })
    }

    fn keep_within(&mut self, name: u64, hand: Hand, plies: usize, value: Numbers, nodes: u64) {
        let Numbers { pn, dn, is_general, hand: own, plies: holds, is_bound } = value;
        if is_bound && value.is_decided() {
            return;
        }
        let (known, plies) = match (value.is_yes(), value.is_no()) {
            (true, _) => (KnownWithin::Yes { hand: own, is_general, plies: holds }, holds),
            (_, true) => (KnownWithin::No { hand: own, is_general, plies: holds }, holds),
            _ => (KnownWithin::Open { pn, dn }, plies),
        };
        let work = (self.nodes - nodes).clamp(1, u64::from(u32::MAX)) as u32;
        self.table.put_within(name, hand, plies, known, work);
    }
}

/// An answer of the defender, or a group of drops that are searched as a unit.
enum Answer<M> {
    Move(M),
    Drops(DropsBetween<M>),
}

/// The drops on one of the squares between the king and the checking piece. `index` is the index of the square.
struct DropsBetween<M> {
    index: usize,
    square: u8,
    drops: Vec<M>,
}

impl<M> DropsBetween<M> {
    const fn on(square: u8) -> Self {
        Self { index: 0, square, drops: Vec::new() }
    }
}

struct Try<M> {
    what: Answer<M>,
    value: Numbers,
    /// True if a group of drops was decided drop by drop, and not by a proof that the drops are futile.
    needs_all: bool,
}

fn all_of(hand: Hand, other_hand: Hand) -> Hand {
    (0..Hand::KINDS).fold(hand, |all, kind| all.with(kind, hand.count(kind) + other_hand.count(kind)))
}

/// Returns the index of the check to be searched next, and the limits of its search.
fn choose_check<M>(branches: &[Branch<M>], value: Numbers, limits: Limits) -> (usize, Limits) {
    let open = |(_, branch): &(usize, &Branch<M>)| !branch.value.is_no();
    let rank = |(_, branch): &(usize, &Branch<M>)| (branch.value.pn, u32::MAX - branch.value.dn);
    let chosen = branches.iter().enumerate().filter(open).min_by_key(rank).map_or(0, |(index, _)| index);
    let others = branches.iter().enumerate().filter(open).filter(|&(index, _)| index != chosen);
    let rival = others.map(|(_, branch)| branch.value.pn).min().unwrap_or(INFINITE);
    let own = branches[chosen].value;
    let siblings = value.dn.saturating_sub(own.dn);
    let pn = epsilon_limit(rival).min(limits.pn).max(own.pn + 1);
    (chosen, Limits { pn, dn: limits.dn.saturating_sub(siblings).max(own.dn + 1) })
}

fn choose_answer<M>(branches: &[Try<M>], limits: Limits) -> (usize, Limits) {
    let open = |(_, branch): &(usize, &Try<M>)| !branch.value.is_yes();
    let chosen = branches.iter().enumerate().filter(open).min_by_key(|(_, branch)| branch.value.dn);
    let chosen = chosen.map_or(0, |(index, _)| index);
    let own = branches[chosen].value;
    let (mut rival, mut siblings) = (INFINITE, 0u32);
    for (_, branch) in branches.iter().enumerate().filter(open).filter(|&(index, _)| index != chosen) {
        rival = rival.min(branch.value.dn);
        siblings = siblings.saturating_add(branch.value.pn);
    }
    let dn = epsilon_limit(rival).min(limits.dn).max(own.dn + 1);
    (chosen, Limits { pn: limits.pn.saturating_sub(siblings).max(own.pn + 1), dn })
}
