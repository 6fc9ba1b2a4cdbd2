//! The answer to `go`: always one, always legal, never waiting for a worker.

use super::core::{Manager, Phase};
use super::think::Think;
use crate::event::Time;
use crate::protocol::{BestMove, Output};
use crate::tree::{Source, Value, legal_beginning, legal_moves, shows_end};
use hasami_api::{Bound, Game, MateAnswer, MoveText, Report, Score, Verdict};

/// What is answered: a variation that begins with the move, and what it is worth.
#[derive(Clone)]
pub(super) struct Choice {
    pub line: Vec<MoveText>,
    pub value: Value,
}

/// The value of a move of which nothing is known.
pub(super) const UNKNOWN: Value =
    Value { score: Score::DRAW, bound: Bound::Exact, depth: 1, seldepth: 1, effort: 0, source: Source::Own };

/// A bound so many centipawns beyond an exact value refutes it.
const FAR: i32 = 200;

impl Think {
    /// What a game is resigned by: where only a bound is known of the move at last, its last exact value says more, unless
    /// the bound shows that it is far from true.
    fn judged(&self, Choice { line, value }: &Choice) -> Value {
        let value = *value;
        let is_bare = value.bound != Bound::Exact && !value.score.is_decisive();
        let is_near = |known: &Choice| match value.bound {
            Bound::Lower => value.score.raw().saturating_sub(known.value.score.raw()) < FAR,
            _ => known.value.score.raw().saturating_sub(value.score.raw()) < FAR,
        };
        let is_same = |known: &&Choice| is_bare && known.line.first() == line.first() && is_near(known);
        self.exact_choice.as_ref().filter(is_same).map_or(value, |known| known.value)
    }
}

impl<G: Game> Manager<G> {
    /// Ends the search, if one runs, with its one answer.
    pub(super) fn finish(&mut self, now: Time) {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Thinking(think) => {
                self.drop_question(now, &think);
                self.answer(now, &think);
                self.tree.keep_open(false);
            }
            Phase::Mating(search) => self.end_mate(now, search, MateAnswer::Unknown),
            Phase::Unplaced(_) => self.answer_unplaced(),
            other => self.phase = other,
        }
        self.take_next_position();
    }

    fn answer(&mut self, now: Time, think: &Think) {
        self.note_waste(now, think);
        if let Some(best) = self.end_of_game() {
            self.leave_all(now);
            return self.say(Output::Best(best));
        }
        let Some(found) = self.choice(think) else {
            self.leave_all(now);
            return self.say(Output::Best(BestMove::None));
        };
        let judged = think.judged(&found);
        let Choice { line, value } = self.told(think, found);
        self.show_lines(now, think, &line, value);
        if self.resigns(think, judged) {
            self.leave_all(now);
            return self.say(Output::Best(BestMove::Resign));
        }
        self.say(Output::Best(BestMove::Move { best: line[0], ponder: line.get(1).copied() }));
        self.after_move(now, think, line[0]);
    }

    /// What is answered where there is nothing to choose, after the line that says what the rules say: no legal move, or
    /// a win that may be declared.
    pub(super) fn end_of_game(&mut self) -> Option<BestMove> {
        let (best, score) = if self.game.count_moves() == 0 {
            let is_lost = self.game.verdict_without_moves() == Verdict::Loss;
            (BestMove::None, if is_lost { Score::loss_in(0) } else { Score::DRAW })
        } else if self.game.may_declare_win() {
            (BestMove::Win, Score::win_in(1))
        } else {
            return None;
        };
        self.show_end(score);
        Some(best)
    }

    /// The best move and what is expected after it; `None` without a legal move.
    fn choice(&mut self, think: &Think) -> Option<Choice> {
        let found = self.tree.node(think.focus).value;
        if let Some(best) = self.block(think, found).first().filter(|best| think.allows(best.pv[0])) {
            return Some(Choice { line: self.line_of_report(think, best), value: Value::of_report(best) });
        }
        let line = self.tree.variation(think.focus);
        if line.first().is_some_and(|&text| think.allows(text)) {
            let value = found.unwrap_or(UNKNOWN);
            return Some(Choice { line, value });
        }
        let serious = self.suggestion(think);
        let only = serious.map_or_else(|| think.only.clone(), |text| vec![text]);
        if let Some(choice) = self.glance_at(&only) {
            return Some(choice);
        }
        let text = serious.or_else(|| self.makeshift(think))?;
        Some(Choice { line: legal_beginning(&mut self.game, &[text]), value: UNKNOWN })
    }

    /// What is said of the answer. Its last line is exact, if anything exact is known of the move: the score of a search
    /// that was cut short may be but a bound, which GUIs overlook or take for the value. A bound that shows a mate to its end
    /// is as good; of any other one the last exact value of the move is told instead, be it less deep or of the search before.
    /// Only where there is none does the bound stand, and is called one. The variation of a mate that another member of the
    /// team has found may break off, of which runners warn: then the last mate of the move that is shown to its end is told.
    pub(super) fn told(&mut self, think: &Think, found: Choice) -> Choice {
        let Choice { line, value } = &found;
        let Value { score, bound, .. } = *value;
        if bound == Bound::Exact && !score.is_decisive() {
            return found;
        }
        let is_mate = match bound {
            Bound::Exact => true,
            Bound::Lower => score.is_win(),
            Bound::Upper => score.is_loss(),
        };
        if is_mate && self.tree.at(think.focus, |game| shows_end(game, line, score)) {
            return Choice { value: Value { bound: Bound::Exact, ..*value }, ..found };
        }
        let known = line.first().and_then(|&first| self.tree.last_exact(think.focus, first));
        // A mate that is certain, and whose variation nobody has told to its end, gives way only to another mate.
        let is_as_much =
            |known: &Report| (known.score.is_win(), known.score.is_loss()) == (score.is_win(), score.is_loss());
        let known = known.filter(|known| bound != Bound::Exact || is_as_much(known));
        let told =
            known.map(|known| Choice { line: self.line_of_report(think, &known), value: Value::of_report(&known) });
        told.filter(|told| told.line.first() == found.line.first()).unwrap_or(found)
    }

    /// With MultiPV the last whole block, of which the best line is the answer: what an iteration has found before its end
    /// stands beside lines that it has not come to. Empty: there is none, or a win was found that it does not know.
    pub(super) fn block<'a>(&self, think: &'a Think, found: Option<Value>) -> &'a [Report] {
        let block = think.blocks.whole();
        let win = found.filter(|value| value.score.is_win() && value.bound != Bound::Upper);
        let knows_best = block.first().is_some_and(|best| win.is_none_or(|win| win.score <= best.score));
        if knows_best && self.block_size() == Some(block.len()) { block } else { &[] }
    }

    /// What a glance at the position of `go` shows.
    pub(super) fn glance_at(&mut self, only: &[MoveText]) -> Option<Choice> {
        let report = self.glance.as_mut()?(&self.line, only)?;
        let line = legal_beginning(&mut self.game, &report.pv);
        let first = line.first()?;
        self.crew.nodes = self.crew.nodes.saturating_add(report.nodes);
        (only.is_empty() || only.contains(first)).then_some(Choice { line, value: Value::of_report(&report) })
    }

    /// A move that the tree knows to be serious, although it has no value to show for it.
    fn suggestion(&mut self, think: &Think) -> Option<MoveText> {
        let root = self.tree.node(self.tree.searched(think.focus));
        let children = root.children.iter().filter_map(|&child| self.tree.node(child).text());
        let own = root.own.iter().flat_map(|own| own.pv.first().copied());
        let mut known = own.chain(children);
        known.find(|text| think.allows(*text) && self.game.parse_move(text).is_ok())
    }

    /// A legal move when nothing at all is known: one that does not end the game badly, if there is.
    fn makeshift(&mut self, think: &Think) -> Option<MoveText> {
        let moves = legal_moves(&self.game);
        let allowed = |m: &G::Move| think.allows(self.game.format_move(*m));
        let moves: Vec<G::Move> = moves.iter().copied().filter(allowed).collect();
        let rating = |game: &mut G, m: G::Move| {
            game.make(m);
            let verdict = if game.count_moves() == 0 { game.verdict_without_moves() } else { game.verdict() };
            game.unmake();
            // The verdict is the opponent's.
            match verdict {
                Verdict::Loss => 3,
                Verdict::Open => 2,
                Verdict::Draw => 1,
                Verdict::Win => 0,
            }
        };
        let mut best: Option<(i32, G::Move)> = None;
        for m in moves {
            let rating = rating(&mut self.game, m);
            if best.is_none_or(|(top, _)| rating > top) {
                best = Some((rating, m));
            }
        }
        best.map(|(_, m)| self.game.format_move(m))
    }

    /// The value is hopeless by the option `ResignValue`; a lower bound leaves hope. Who asks without a clock
    /// wants a move: only a game can be resigned.
    fn resigns(&self, think: &Think, judged: Value) -> bool {
        let settings = self.newest_settings();
        if think.plan.hard().is_none() {
            return false;
        }
        let Some(limit) = settings.resign_value.filter(|_| !settings.analyse_mode) else { return false };
        let limit = Score::cp(-i32::try_from(limit).unwrap_or(i32::MAX));
        // At least so bad says little alone, as in the midst of an iteration; with an exact value as bad it is enough.
        let was_lost = think.exact_choice.as_ref().is_some_and(|known| known.value.score <= limit);
        let is_sure = judged.bound != Bound::Lower || was_lost;
        self.tree.node(think.focus).value.is_some() && is_sure && judged.score <= limit
    }
}
