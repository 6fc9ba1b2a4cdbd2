//! From lines of moves to reports.

use crate::probe::is_decisive;
use crate::state::{RootMove, Search};
use hasami_api::{Bound, Evaluator, Game, MoveText, Moves, RankedMove, Report, Score, SearchGame, Verdict};

/// A root move's line, as last settled.
#[derive(Clone)]
pub(crate) struct RootLine<M> {
    pub(crate) pv: Vec<M>,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) seldepth: u16,
}

impl<M: Copy> RootLine<M> {
    pub(crate) fn of(root: &RootMove<M>, depth: i32) -> Self {
        Self { pv: root.pv.clone(), score: root.score, depth, seldepth: root.seldepth }
    }
}

impl<G: SearchGame, E: Evaluator<G>> Search<'_, G, E> {
    pub(crate) fn tell_lines(&mut self, lines: &[RootLine<G::Move>], tell: &mut dyn FnMut(Report)) {
        for (i, line) in lines.iter().enumerate() {
            let report = self.report(line, i, Bound::Exact);
            tell(report);
        }
    }

    pub(crate) fn tell_bound(
        &mut self,
        depth: i32,
        index: usize,
        value: i32,
        bound: Bound,
        tell: &mut dyn FnMut(Report),
    ) {
        let root = &self.roots[index];
        let line = RootLine { pv: root.pv.clone(), score: value, depth, seldepth: self.seldepth as u16 };
        let report = self.report(&line, index, bound);
        tell(report);
    }

    fn report(&mut self, line: &RootLine<G::Move>, index: usize, bound: Bound) -> Report {
        Report {
            depth: line.depth as u16,
            seldepth: line.seldepth.max(line.depth as u16),
            multipv: index as u16 + 1,
            score: Score::from_raw(line.score),
            bound,
            nodes: self.nodes,
            hashfull: self.table.full(self.generation),
            pv: self.texts(&line.pv),
            ranking: self.ranking(),
        }
    }

    /// The line in the notation of its game.
    pub(crate) fn texts(&mut self, pv: &[G::Move]) -> Vec<MoveText> {
        let mut texts = Vec::with_capacity(pv.len());
        for &m in pv {
            texts.push(self.game.format_move(m));
            self.game.make(m);
        }
        for _ in pv {
            self.game.unmake();
        }
        texts
    }

    fn ranking(&self) -> Vec<RankedMove> {
        let mut ranking: Vec<_> = self
            .roots
            .iter()
            .map(|root| RankedMove { text: self.game.format_move(root.mv), nodes: root.nodes })
            .collect();
        ranking.sort_by_key(|ranked| std::cmp::Reverse(ranked.nodes));
        ranking
    }

    /// What the table expects after `m`, if it is legal.
    pub(crate) fn expected_reply(&mut self, m: G::Move) -> Option<MoveText> {
        self.game.make(m);
        let reply = match self.game.verdict() {
            Verdict::Open => self.table_move().map(|reply| self.game.format_move(reply)),
            _ => None,
        };
        self.game.unmake();
        reply
    }

    /// The table's move here, checked against the legal ones.
    fn table_move(&self) -> Option<G::Move> {
        let packed = self.table.probe(self.game.key())?.mv;
        find_packed(&self.game, packed)
    }

    /// A forced end has a line of its exact length: where a cut-off shortened it, the table is followed as long as it
    /// agrees.
    pub(crate) fn complete_mates(&mut self, lines: &mut [RootLine<G::Move>]) {
        for line in lines.iter_mut().filter(|line| is_decisive(line.score)) {
            let length = (Score::MATE - line.score.abs()) as usize;
            let known = line.pv.len();
            for &m in &line.pv {
                self.game.make(m);
            }
            while line.pv.len() < length && self.game.verdict() == Verdict::Open {
                let Some(m) = self.table_move() else { break };
                self.game.make(m);
                line.pv.push(m);
            }
            let complete = line.pv.len() == length && is_over(&self.game);
            for _ in &line.pv {
                self.game.unmake();
            }
            if !complete {
                line.pv.truncate(known);
            }
        }
    }
}

fn is_over<G: Game>(game: &G) -> bool {
    game.verdict() != Verdict::Open || game.count_moves() == 0
}

fn find_packed<G: SearchGame>(game: &G, packed: u16) -> Option<G::Move> {
    let mut moves = Moves::new();
    game.search_moves(&mut moves);
    moves.iter().copied().find(|&m| G::pack(m) == packed)
}
