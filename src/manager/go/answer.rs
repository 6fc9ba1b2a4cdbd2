//! The answer to `go`. Each `go` gets exactly one answer, which is legal and cannot be delayed by a worker.

use super::MoveSearch;
use crate::core::{Manager, Phase};
use hasami_api::{Bound, Game, MateAnswer, MoveText, Report, Score, Verdict};
use hasami_protocol::{BestMove, Go, Info, Output};
use hasami_tree::event::Time;
use hasami_tree::manage::BookNote;
use hasami_tree::{NodeValue, Source, legal_beginning, legal_moves, shows_end};
use std::time::Duration;

/// The answer: a variation that begins with the chosen move, and its value.
#[derive(Clone)]
pub(crate) struct ChosenLine {
    pub line: Vec<MoveText>,
    pub value: NodeValue,
}

/// The value of a move that nothing is known about.
pub(crate) const UNKNOWN: NodeValue =
    NodeValue { score: Score::DRAW, bound: Bound::Exact, depth: 1, seldepth: 1, effort: 0, source: Source::Own };

/// A bound refutes an earlier exact value if it lies beyond that value by this many centipawns.
const FAR: i32 = 100;

/// The number of centipawns by which the bound contradicts an earlier exact value; 0 if there is no contradiction.
fn contradiction(bound: &NodeValue, exact: Score) -> i32 {
    let beyond = bound.score.raw().saturating_sub(exact.raw());
    match bound.bound {
        Bound::Lower => beyond.max(0),
        Bound::Upper => (-beyond).max(0),
        Bound::Exact => 0,
    }
}

impl MoveSearch {
    /// The value that decides whether to resign. If the search ended with only a bound for the move, the move's last
    /// exact value decides, unless the bound refutes that value.
    fn judged(&self, ChosenLine { line, value }: &ChosenLine) -> NodeValue {
        let value = *value;
        let is_bare = value.bound != Bound::Exact && !value.score.is_decisive();
        let is_near = |known: &ChosenLine| contradiction(&value, known.value.score) < FAR;
        let is_same = |known: &&ChosenLine| is_bare && known.line.first() == line.first() && is_near(known);
        self.exact_choice.as_ref().filter(is_same).map_or(value, |known| known.value)
    }
}

impl<G: Game> Manager<G> {
    /// Ends the current search, if any, and sends its answer.
    pub(crate) fn finish(&mut self, now: Time) {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Thinking(search) => {
                // The mate solver is stopped, because its result is no longer needed.
                if let Some(task) = search.question.as_ref().and_then(|question| question.task) {
                    self.assignment.cancel_task(now, task);
                }
                self.drop_claims(now);
                self.answer(now, &search);
                self.assignment.tree.keep_open(false);
            }
            Phase::Mating(search) => self.end_mate(now, search, MateAnswer::Unknown),
            Phase::Unplaced(_) => self.say(Output::Best(BestMove::None)),
            other => self.phase = other,
        }
        self.position.take_next();
    }

    fn answer(&mut self, now: Time, search: &MoveSearch) {
        self.fallback.note_end(now, search, &self.assignment);
        if let Some(best) = self.end_of_game() {
            self.assignment.cancel_all(now);
            return self.say(Output::Best(best));
        }
        let Some(found) = self.choice(search) else {
            self.assignment.cancel_all(now);
            return self.say(Output::Best(BestMove::None));
        };
        let judged = search.judged(&found);
        let found = self.weaker_choice(now, search).unwrap_or(found);
        let (line, value) = self.best_reported(search, found.line, found.value);
        self.show_lines(now, search, &line, value);
        if self.resigns(search, judged) {
            self.assignment.cancel_all(now);
            return self.say(Output::Best(BestMove::Resign));
        }
        self.say(Output::Best(BestMove::Move { best: line[0], ponder: line.get(1).copied() }));
        self.after_move(now, search, line[0]);
    }

    /// The answer if there is no legal move, or if a win may be declared. An info line with the result of the game
    /// precedes the answer.
    fn end_of_game(&mut self) -> Option<BestMove> {
        let (best, score) = if self.position.game.count_moves() == 0 {
            let is_lost = self.position.game.verdict_without_moves() == Verdict::Loss;
            (BestMove::None, if is_lost { Score::loss_in(0) } else { Score::DRAW })
        } else if self.position.game.may_declare_win() {
            (BestMove::Win, Score::win_in(1))
        } else {
            return None;
        };
        self.show_end(score);
        Some(best)
    }

    /// Sends the info line that precedes an answer dictated by the rules; its score is the result of the game.
    fn show_end(&mut self, score: Score) {
        let value = NodeValue { score, ..UNKNOWN };
        let info = self.info(Duration::ZERO, 0, value, Vec::new());
        self.say(Output::Info(Info { depth: 0, seldepth: 0, ..info }));
    }

    /// If the game is over, a win may be declared, or the book has a move, answers without a search. Returns whether an
    /// answer was sent.
    pub(super) fn answer_without_search(&mut self, now: Time, go: &Go) -> bool {
        let best = self.end_of_game().or_else(|| self.book_move(now, go));
        let is_known = best.is_some();
        if let Some(best) = best {
            self.say(Output::Best(best));
        }
        is_known
    }

    /// Returns a book move, after sending the info line that GUIs expect before every move.
    fn book_move(&mut self, now: Time, go: &Go) -> Option<BestMove> {
        if !self.options.valid.own_book || self.options.valid.analyse_mode || !go.search_moves.is_empty() {
            return None;
        }
        let moves = self.book.as_ref()?.moves(&self.position.line);
        let best = self.position.game.format_move(self.position.draw_move(now, &moves)?);
        let before = self.assignment.roster.nodes;
        let note = self.book.as_ref()?.note(&self.position.line, best);
        let ChosenLine { line, value } = self.line_of_book(best, note);
        self.message("a move of the book");
        let info = self.info(Duration::ZERO, self.assignment.roster.nodes - before, value, line);
        let ponder = info.pv.get(1).copied();
        self.say(Output::Info(Info { multipv: (self.options.valid.multi_pv > 1).then_some(1), ..info }));
        Some(BestMove::Move { best, ponder })
    }

    /// The line and value of a book move, from the book's note or, if the note lacks them, from an emergency search.
    fn line_of_book(&mut self, best: MoveText, note: BookNote) -> ChosenLine {
        let bare = |value| ChosenLine { line: vec![best], value };
        let valued = |(score, depth)| bare(NodeValue { score, depth, seldepth: depth, ..UNKNOWN });
        let found = note.value.map(valued).or_else(|| self.search_emergency(&[best]));
        let found = found.unwrap_or_else(|| bare(UNKNOWN));
        let expected = note.reply.map(|reply| legal_beginning(&mut self.position.game, &[best, reply]));
        ChosenLine { line: expected.filter(|line| line.len() > 1).unwrap_or(found.line), ..found }
    }

    /// The best move and the expected continuation; `None` without a legal move.
    fn choice(&mut self, search: &MoveSearch) -> Option<ChosenLine> {
        let found = self.assignment.tree.node(search.request.focus).value;
        if let Some(best) = self.block(search, found).first().filter(|best| search.request.allows(best.pv[0])) {
            return Some(ChosenLine {
                line: self.assignment.line_of_report(&search.request, best),
                value: NodeValue::of_report(best),
            });
        }
        let line = self.assignment.tree.variation(search.request.focus);
        if line.first().is_some_and(|&text| search.request.allows(text)) {
            let value = found.unwrap_or(UNKNOWN);
            return Some(ChosenLine { line, value });
        }
        let serious = self.suggestion(search);
        let only = serious.map_or_else(|| search.request.only.clone(), |text| vec![text]);
        if let Some(choice) = self.search_emergency(&only) {
            return Some(choice);
        }
        let text = serious.or_else(|| self.makeshift(search))?;
        Some(ChosenLine { line: legal_beginning(&mut self.position.game, &[text]), value: UNKNOWN })
    }

    /// Returns the line and the value to report with the answer, exact if possible. An interrupted search may have only
    /// a bound, which GUIs ignore or mistake for an exact score.
    ///
    /// - A bound counts as exact if its line shows the whole mate that it announces.
    /// - A bound that shows no whole mate is replaced by the move's last exact value, even if that value has less depth
    ///   or comes from the previous search. The bound is kept if there is no exact value, or if it contradicts that
    ///   value: by any amount in an analysis, by at least a pawn in a game (an adjudicator might read an old 0.00 as a
    ///   draw).
    /// - A mate whose variation breaks off early, which match runners warn about, is replaced by the last mate that was
    ///   reported for the same move with a complete variation.
    pub(crate) fn best_reported(
        &mut self,
        search: &MoveSearch,
        line: Vec<MoveText>,
        value: NodeValue,
    ) -> (Vec<MoveText>, NodeValue) {
        let NodeValue { score, bound, .. } = value;
        if bound == Bound::Exact && !score.is_decisive() {
            return (line, value);
        }
        let is_mate = match bound {
            Bound::Exact => true,
            Bound::Lower => score.is_win(),
            Bound::Upper => score.is_loss(),
        };
        if is_mate && self.assignment.tree.at(search.request.focus, |game| shows_end(game, &line, score)) {
            return (line, NodeValue { bound: Bound::Exact, ..value });
        }
        let known = line.first().and_then(|&first| self.assignment.tree.last_exact(search.request.focus, first));
        // An exact mate score is never replaced by a score that is not a mate.
        let is_as_much =
            |known: &Report| (known.score.is_win(), known.score.is_loss()) == (score.is_win(), score.is_loss());
        let is_analysis = self.options.valid.analyse_mode || search.request.is_endless();
        let near = if is_analysis { 1 } else { FAR };
        let known = known.filter(|known| match bound {
            Bound::Exact => is_as_much(known),
            _ => contradiction(&value, known.score) < near,
        });
        let reported =
            known.map(|known| (self.assignment.line_of_report(&search.request, &known), NodeValue::of_report(&known)));
        reported.filter(|(reported_line, _)| reported_line.first() == line.first()).unwrap_or((line, value))
    }

    /// The last complete MultiPV block, whose best line is the answer. Unfinished iterations are not used, because
    /// their scores cannot be compared with the scores of moves that they have not reached. The slice is empty if there
    /// is no block, or if the block lacks a win that was found.
    pub(crate) fn block<'a>(&self, search: &'a MoveSearch, found: Option<NodeValue>) -> &'a [Report] {
        let block = search.blocks.whole.as_slice();
        let win = found.filter(|value| value.score.is_win() && value.bound != Bound::Upper);
        let knows_best = block.first().is_some_and(|best| win.is_none_or(|win| win.score <= best.score));
        if knows_best && self.assignment.lines_of_one_worker(self.demand()) == Some(block.len()) { block } else { &[] }
    }

    /// The result of an emergency search of the position that `go` searches.
    pub(crate) fn search_emergency(&mut self, only: &[MoveText]) -> Option<ChosenLine> {
        let report = self.emergency.as_mut()?(&self.position.line, only)?;
        let line = legal_beginning(&mut self.position.game, &report.pv);
        let first = line.first()?;
        self.assignment.roster.nodes = self.assignment.roster.nodes.saturating_add(report.nodes);
        (only.is_empty() || only.contains(first)).then_some(ChosenLine { line, value: NodeValue::of_report(&report) })
    }

    /// Returns a move to play if the root has no value: the first move of the root's finding, or a move with its own
    /// node.
    fn suggestion(&mut self, search: &MoveSearch) -> Option<MoveText> {
        let root = self.assignment.tree.node(self.assignment.tree.searched(search.request.focus));
        let children = root.children.iter().filter_map(|&child| self.assignment.tree.node(child).text());
        let own = root.own.iter().flat_map(|own| own.pv.first().copied());
        let mut known = own.chain(children);
        known.find(|text| search.request.allows(*text) && self.position.game.parse_move(text).is_ok())
    }

    /// Returns a legal move to play if nothing is known about any move: if possible, one that does not lose or draw at
    /// once.
    fn makeshift(&mut self, search: &MoveSearch) -> Option<MoveText> {
        let moves = legal_moves(&self.position.game);
        let allowed = |m: &G::Move| search.request.allows(self.position.game.format_move(*m));
        let moves: Vec<G::Move> = moves.iter().copied().filter(allowed).collect();
        let rating = |game: &mut G, m: G::Move| {
            game.make(m);
            let verdict = if game.count_moves() == 0 { game.verdict_without_moves() } else { game.verdict() };
            game.unmake();
            // The opponent is to move, so the opponent's loss is our win.
            match verdict {
                Verdict::Loss => 3,
                Verdict::Open => 2,
                Verdict::Draw => 1,
                Verdict::Win => 0,
            }
        };
        let mut best: Option<(i32, G::Move)> = None;
        for m in moves {
            let rating = rating(&mut self.position.game, m);
            if best.is_none_or(|(top, _)| rating > top) {
                best = Some((rating, m));
            }
        }
        best.map(|(_, m)| self.position.game.format_move(m))
    }

    /// Returns whether to resign according to the option `ResignValue`. A search without a clock never resigns, because
    /// it is not part of a game.
    fn resigns(&self, search: &MoveSearch, judged: NodeValue) -> bool {
        let settings = self.options.newest();
        if search.request.plan.hard().is_none() {
            return false;
        }
        let Some(limit) = settings.resign_value.filter(|_| !settings.analyse_mode) else { return false };
        let limit = Score::cp(-i32::try_from(limit).unwrap_or(i32::MAX));
        // A lower bound justifies resignation only together with an equally bad exact value.
        let was_lost = search.exact_choice.as_ref().is_some_and(|known| known.value.score <= limit);
        let is_sure = judged.bound != Bound::Lower || was_lost;
        self.assignment.tree.node(search.request.focus).value.is_some() && is_sure && judged.score <= limit
    }
}
