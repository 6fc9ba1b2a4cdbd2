//! Finds mates and brinkmates by brute force over all moves, and builds their strategies.

use hasami_api::{BrinkmateGame, Game, MateGame, Moves, Rules, Start};
use hasami_certificate::{AttackBuilder, AttackNode, Certificate, Claim, StrategyNodeId};
use hasami_shogi::{Move, Shogi};
use std::collections::HashMap;

/// A position with a brinkmate of one ply.
pub const BELLY: &str = "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b S2rb4g3s3n3l15p 1";
/// A position with a brinkmate of three plies: a check, then [`BELLY`].
pub const THREE: &str = "5+B1nl/8k/6pp1/8p/9/9/9/9/9 b GS2rb3g3s3n3l15p 1";
/// A position with a brinkmate of one ply.
pub const CORNER: &str = "6+P1p/8k/9/6+Pg1/9/9/9/9/9 b B2rb3g4s4n4l15p 1";
/// A position with neither mate nor brinkmate.
pub const ALONE: &str = "4k4/9/9/4G4/9/9/9/9/9 b 2r2b3g4s4n4l18p 1";
/// A position with a threat, but no brinkmate of one ply.
pub const THREAT: &str = "4k4/9/9/4P4/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
/// A position with endless checks.
pub const ROOK: &str = "4k4/9/9/9/3R5/9/9/9/9 b r2b4g4s4n4l18p 1";
/// A position with a mate by checks.
pub const GOLDS: &str = "4k4/9/4P4/9/9/9/9/9/9 b 2Gr2b2g4s4n4l17p 1";

pub fn at(sfen: &str) -> Shogi {
    let rules = Rules { own: Rules::NONE, ..Rules::default() };
    Shogi::new(&Start { text: Some(sfen.into()), rules }).unwrap()
}

pub fn legal(game: &Shogi) -> Vec<Move> {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    moves.to_vec()
}

pub fn checks(game: &Shogi) -> Vec<Move> {
    let mut moves = Moves::new();
    game.checking_moves(&mut moves);
    moves.to_vec()
}

/// A brute-force search for the attacker, with the strategies that it has found.
pub struct Brute {
    pub game: Shogi,
    pub builder: AttackBuilder,
    mates: HashMap<(String, u16), Option<StrategyNodeId>>,
}

impl Brute {
    pub fn new(sfen: &str) -> Self {
        Self { game: at(sfen), builder: AttackBuilder::default(), mates: HashMap::new() }
    }

    /// Finds a mate by checks of at most `plies` plies.
    pub fn mate(&mut self, plies: u16) -> Option<StrategyNodeId> {
        let text = self.game.to_text();
        let key = (text.rsplit_once(' ').unwrap().0.to_owned(), plies);
        if let Some(&known) = self.mates.get(&key) {
            return known;
        }
        let shorter = if plies > 1 { self.mate(plies - 2) } else { None };
        let found = shorter.or_else(|| checks(&self.game).into_iter().find_map(|m| self.mate_by(m, plies)));
        self.mates.insert(key, found);
        found
    }

    fn mate_by(&mut self, m: Move, plies: u16) -> Option<StrategyNodeId> {
        let mv = self.game.format_move(m);
        self.game.make(m);
        let defences = legal(&self.game);
        let mut answers = (defences.is_empty() || plies > 1).then(Vec::new);
        for defence in defences {
            let Some(found) = &mut answers else { break };
            let text = self.game.format_move(defence);
            self.game.make(defence);
            match self.mate(plies - 2) {
                Some(node) => found.push((text, node)),
                None => answers = None,
            }
            self.game.unmake();
        }
        self.game.unmake();
        Some(self.builder.add(&AttackNode::new(mv, None, answers?)))
    }

    /// Finds a brinkmate of at most `plies` plies, whose mates have at most `mates` plies.
    pub fn brinkmate(&mut self, plies: u16, mates: u16) -> Option<StrategyNodeId> {
        if plies == 0 {
            return None;
        }
        legal(&self.game).into_iter().find_map(|m| self.brinkmate_by(m, plies, mates))
    }

    fn brinkmate_by(&mut self, m: Move, plies: u16, mates: u16) -> Option<StrategyNodeId> {
        let mv = self.game.format_move(m);
        self.game.make(m);
        let node = self.all_fail(plies, mates).map(|(pass, answers)| AttackNode::new(mv, pass, answers));
        self.game.unmake();
        node.map(|node| self.builder.add(&node))
    }

    #[allow(clippy::type_complexity)]
    fn all_fail(
        &mut self,
        plies: u16,
        mates: u16,
    ) -> Option<(Option<StrategyNodeId>, Vec<(hasami_api::MoveText, StrategyNodeId)>)> {
        let mut pass = None;
        if !self.game.in_check() {
            self.game.pass();
            pass = self.mate(mates);
            self.game.unmake();
            pass?;
        }
        let mut answers = Vec::new();
        for defence in legal(&self.game) {
            let text = self.game.format_move(defence);
            self.game.make(defence);
            let node = self.mate(mates).or_else(|| self.brinkmate(plies - plies.min(2), mates));
            self.game.unmake();
            answers.push((text, node?));
        }
        Some((pass, answers))
    }
}

/// Builds the certificate for a brinkmate of `plies` plies.
pub fn certified(sfen: &str, plies: u16, mates: u16) -> Certificate {
    let mut brute = Brute::new(sfen);
    let root = brute.brinkmate(plies, mates).expect("a brinkmate");
    brute.builder.finish(sfen, Claim::Brinkmate { plies }, root).unwrap()
}

pub fn certified_mate(sfen: &str, plies: u16) -> Certificate {
    let mut brute = Brute::new(sfen);
    let root = brute.mate(plies).expect("a mate");
    brute.builder.finish(sfen, Claim::Mate, root).unwrap()
}
