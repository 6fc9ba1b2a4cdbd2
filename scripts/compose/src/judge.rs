//! What a position is: how long its brinkmate takes, and which moves begin one.
//!
//! All by limits of nodes, so that a run can be repeated.

use crate::retro::Before;
use hasami_api::{BrinkmateGame, Game, Moves, Report, SolverOptions, Stop};
use hasami_brinkmate::{Brink, ENDLESS};
use hasami_mate::{Known, Prover};
use hasami_shogi::{Move, Shogi};

pub struct Judge {
    prover: Prover<Brink<Shogi>>,
    stop: Stop,
    left: u64,
    /// Of all that was judged.
    pub nodes: u64,
}

/// The first moves of brinkmates of at most so many plies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keys {
    pub moves: Vec<String>,
    /// Moves of which the limit let nothing be found out.
    pub undecided: Vec<String>,
}

/// How the first move is alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unique {
    Yes,
    /// It may be made with or without promotion.
    ButForPromotion,
    Undecided,
    No,
}

impl Unique {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::ButForPromotion => "but-for-promotion",
            Self::Undecided => "undecided",
            Self::No => "no",
        }
    }

    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Yes, Self::ButForPromotion, Self::Undecided, Self::No].into_iter().find(|unique| unique.word() == word)
    }
}

impl Keys {
    pub fn unique(&self) -> Unique {
        let plain = |text: &String| text.trim_end_matches('+').to_owned();
        let mut moves: Vec<String> = self.moves.iter().map(plain).collect();
        moves.dedup();
        match (moves.len(), self.moves.len()) {
            (2.., _) => Unique::No,
            _ if !self.undecided.is_empty() => Unique::Undecided,
            (_, 2..) => Unique::ButForPromotion,
            _ => Unique::Yes,
        }
    }
}

impl Judge {
    pub fn new(hash_mb: usize) -> Self {
        let options = SolverOptions { hash_mb, ..SolverOptions::default() };
        Self { prover: Prover::new(&options), stop: Stop::new(), left: 0, nodes: 0 }
    }

    /// Plies of the shortest brinkmate; 0 for a mate. `None`: there is neither, or the limit let it not be found out. The
    /// search begins with a length that is likely.
    pub fn length(&mut self, game: &Shogi, likely: u16, limit: u64) -> Option<u16> {
        if self.is_mate(game, limit / 3)? {
            return Some(0);
        }
        self.left = limit;
        // Short ones first: what is refuted at once need not be searched for its long ways.
        let mut refuted = None;
        let mut most = likely.max(1) | 1;
        let mut length = loop {
            match self.search(&Brink::of(game.clone(), most)) {
                Known::Proved(plies) => break plies,
                Known::Disproved => (refuted, most) = (Some(most), most + 2),
                Known::Open => return None,
            }
        };
        while length > 1 && refuted.is_none_or(|refuted| refuted + 2 < length) {
            match self.search(&Brink::of(game.clone(), length - 2)) {
                Known::Proved(plies) => length = plies,
                Known::Disproved => refuted = Some(length - 2),
                Known::Open => return None,
            }
        }
        Some(length)
    }

    /// Plies of a brinkmate and what it cost to find, if no mate is found before.
    pub fn any_length(&mut self, game: &Shogi, mate_limit: u64, limit: u64) -> Option<(u16, u64)> {
        self.prover.begin(limit);
        self.left = mate_limit;
        if let Known::Proved(_) = self.search(&Brink::by_checks(game.clone())) {
            return None;
        }
        self.left = limit;
        match self.search(&Brink::of(game.clone(), ENDLESS)) {
            Known::Proved(plies) if plies > 0 => Some((plies, limit - self.left)),
            _ => None,
        }
    }

    /// Checks alone win.
    pub fn is_mate(&mut self, game: &Shogi, limit: u64) -> Option<bool> {
        self.prover.begin(limit);
        self.left = limit;
        match self.search(&Brink::by_checks(game.clone())) {
            Known::Proved(_) => Some(true),
            Known::Disproved => Some(false),
            Known::Open => None,
        }
    }

    /// Every move that begins a brinkmate of at most so many plies, where there is no mate.
    pub fn keys(&mut self, game: &Shogi, plies: u16, limit: u64) -> Keys {
        self.prover.begin(limit);
        self.left = limit;
        self.search(&Brink::of(game.clone(), plies));
        let (mut keys, mut refutations) = (Keys { moves: Vec::new(), undecided: Vec::new() }, Vec::new());
        let mut moves: Vec<_> = legal(game).iter().map(|&m| (game.format_move(m).to_string(), m)).collect();
        moves.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (text, m) in moves {
            match self.first_move(game, m, plies, &mut refutations) {
                Known::Proved(_) => keys.moves.push(text),
                Known::Disproved => {}
                Known::Open => keys.undecided.push(text),
            }
        }
        keys
    }

    /// A brinkmate of at most so many plies begins with the move, and there is no mate.
    pub fn begins(&mut self, game: &Shogi, text: &str, plies: u16, limit: u64) -> bool {
        let Ok(m) = game.parse_move(text) else { return false };
        self.prover.begin(limit);
        self.left = limit;
        let found = self.first_move(game, m, plies, &mut Vec::new());
        matches!(found, Known::Proved(_)) && self.is_mate(game, limit) == Some(false)
    }

    /// All other defences against the attack that was taken back lead to a mate or a brinkmate of at most so many plies too,
    /// each found by so many nodes, and there are no more defences than that.
    pub fn answers(&mut self, game: &Shogi, before: &Before, plies: u16, most: usize, limit: u64) -> bool {
        self.prover.begin(limit);
        let mut after = game.clone();
        after.make(before.attack);
        let mut defences = legal(&after);
        if defences.len() > most {
            return false;
        }
        defences.retain(|&defence| defence != before.defence);
        defences.into_iter().all(|defence| {
            after.make(defence);
            let here = after.clone();
            after.unmake();
            self.left = limit;
            matches!(self.search(&Brink::of(here, plies)), Known::Proved(_))
        })
    }

    /// Whether a brinkmate begins with the move, by the definition: it checks or threatens, and nothing defends.
    fn first_move(&mut self, game: &Shogi, m: Move, plies: u16, refutations: &mut Vec<Move>) -> Known {
        if let known @ (Known::Proved(_) | Known::Disproved) = self.known_after(game, m, plies) {
            return known;
        }
        let mut after = game.clone();
        after.make(m);
        if !after.in_check() {
            after.pass();
            let threat = self.search(&Brink::by_checks(after.clone()));
            after.unmake();
            if !matches!(threat, Known::Proved(_)) {
                return threat;
            }
        }
        let mut defences = legal(&after);
        // What has refuted other moves first.
        defences.sort_by_key(|defence| !refutations.contains(defence));
        let mut known = Known::Proved(plies);
        for defence in defences {
            after.make(defence);
            let here = after.clone();
            after.unmake();
            let found = if plies > 1 { Brink::of(here, plies - 2) } else { Brink::by_checks(here) };
            match self.search(&found) {
                Known::Proved(_) => {}
                Known::Open => known = Known::Open,
                Known::Disproved => {
                    refutations.push(defence);
                    return Known::Disproved;
                }
            }
        }
        known
    }

    /// What the search has found out by the way.
    fn known_after(&self, game: &Shogi, m: Move, plies: u16) -> Known {
        let mut brink = Brink::of(game.clone(), plies);
        let attacker = brink.attacker();
        let Ok(act) = brink.parse_move(&game.format_move(m)) else { return Known::Open };
        brink.make(act);
        self.prover.known(&brink, attacker)
    }

    fn search(&mut self, brink: &Brink<Shogi>) -> Known {
        if self.left == 0 {
            return Known::Open;
        }
        let found = self.prover.search(brink, self.left, &self.stop, &mut |_: Report| {});
        self.left = self.left.saturating_sub(found.nodes.max(1));
        self.nodes += found.nodes;
        found.known
    }
}

fn legal(game: &Shogi) -> Vec<Move> {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    moves.to_vec()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::Diagram;

    fn game(text: &str) -> Shogi {
        Diagram::parse(text).unwrap().game().unwrap()
    }

    /// Lengths and first moves that were told by a search of all defences.
    const KNOWN: [(&str, u16, &str); 4] = [
        ("7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1", 3, "S*2c"),
        ("5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b S2rb4g3s3n3l15p 1", 1, "S*3b"),
        ("5p1k1/5+P3/8B/9/9/9/9/9/9 b S2P2rb4g3s4n4l14p 1", 1, "S*2c"),
        ("6+P1p/8k/9/6+Pg1/9/9/9/9/9 b B2rb3g4s4n4l15p 1", 1, "3d2d"),
    ];

    #[test]
    fn lengths_are_the_shortest_wherever_the_search_begins() {
        let mut judge = Judge::new(8);
        for (text, plies, _) in KNOWN {
            for likely in [1, 5] {
                assert_eq!(judge.length(&game(text), likely, 10_000_000), Some(plies), "{text} from {likely}");
            }
            assert!(judge.any_length(&game(text), 1_000_000, 10_000_000).unwrap().0 >= plies);
        }
        let mate = game("4k4/9/4P4/9/9/9/9/9/9 b G 1");
        assert_eq!((judge.length(&mate, 1, 1_000), judge.is_mate(&mate, 1_000)), (Some(0), Some(true)));
        assert_eq!(judge.any_length(&mate, 1_000, 1_000), None);
        assert_eq!(judge.length(&game(KNOWN[0].0), 1, 100), None, "the limit is too low");
    }

    #[test]
    fn all_first_moves_are_found() {
        let mut judge = Judge::new(8);
        let (text, plies) = ("3k5/9/3+B5/5g3/4B4/9/9/9/9 b 2r3g4s4n4l18p 1", 1);
        let keys = judge.keys(&game(text), plies, 5_000_000);
        assert_eq!(keys, Keys { moves: vec!["5e4d".to_owned()], undecided: Vec::new() });
        for m in legal(&game(text)) {
            let m = game(text).format_move(m).to_string();
            assert_eq!(judge.begins(&game(text), &m, plies, 5_000_000), m == "5e4d", "{m}");
        }
        assert!(!judge.begins(&game(KNOWN[0].0), "9i9h", 3, 1_000), "not legal");
        assert!(judge.keys(&game(KNOWN[0].0), 3, 1_000).unique() == Unique::Undecided, "the limit is too low");
    }

    #[test]
    fn one_move_is_alone_and_several_are_not() {
        let unique = |moves: &[&str], undecided: usize| {
            let moves = moves.iter().map(|&m| m.to_owned()).collect();
            Keys { moves, undecided: vec!["x".to_owned(); undecided] }.unique()
        };
        assert_eq!(unique(&["7g7f"], 0), Unique::Yes);
        assert_eq!(unique(&["7c7b", "7c7b+"], 0), Unique::ButForPromotion);
        assert_eq!(unique(&["7c7b"], 2), Unique::Undecided);
        assert_eq!(unique(&["7c7b", "S*7b"], 2), Unique::No);
        for unique in [Unique::Yes, Unique::ButForPromotion, Unique::Undecided, Unique::No] {
            assert_eq!(Unique::of_word(unique.word()), Some(unique));
        }
    }
}
