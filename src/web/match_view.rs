//! The view of a match: the table of results, a chart of Elo with its error band, the log-likelihood ratio of the SPRT,
//! the games in progress, and replays of games.

mod table;

use super::cells;
use super::chart::{self, Curve};
use super::replay::{Replay, position};
use super::view::{PagePart, Query, View};
use hasami_api::{Ending, GameRecord, Line, Outcome, Score};
use hasami_catalog::GameRules;
use hasami_matches::by_machine::MachineResults;
use hasami_matches::faults::{FaultKind, OpenFaults};
use hasami_matches::report::{self, MatchReport};
use hasami_matches::schedule::Pairing;
use hasami_matches::scores::{FinishedGame, Scores};
use hasami_matches::stats::Sprt;
use hasami_words::{Message, Words};
use maud::{Markup, html};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of games that the page can replay; the oldest games of a longer match are only in the journal.
const GAMES: usize = 20_000;
/// Maximum number of games in the list; other games can be reached by a link below the list.
const ROWS: usize = 60;
/// Number of games per page when browsing all games.
const LOOKED_UP: u32 = 100;
/// Maximum number of games in progress whose boards are shown.
const BOARDS: usize = 6;
/// Maximum number of messages to show.
const MESSAGES: usize = 30;
/// Largest Elo difference in the chart; larger differences are meaningless and are drawn at the edge.
const MOST_ELO: f64 = 800.0;

/// A game in progress, with its moves so far.
pub struct LiveGame {
    pairing: Pairing,
    line: Line,
    /// The scores by ply, each for the player who made the move.
    scores: Vec<Option<Score>>,
    /// Time left on each player's clock.
    left: [Option<Duration>; 2],
}

impl LiveGame {
    pub fn new(pairing: Pairing, record: &GameRecord) -> Self {
        let line = Line { start: record.start.clone(), moves: record.moves.iter().map(|played| played.text).collect() };
        let scores = record.moves.iter().map(|played| played.score).collect();
        Self { pairing, line, scores, left: left(record) }
    }

    /// Updates the game from its record, and copies only the moves that are new.
    pub fn follow(&mut self, record: &GameRecord) {
        let known = self.line.moves.len();
        let is_longer = known > 0 && known <= record.moves.len() && self.line.start == record.start;
        if !is_longer {
            *self = Self::new(self.pairing, record);
            return;
        }
        self.line.moves.extend(record.moves[known..].iter().map(|played| played.text));
        self.scores.extend(record.moves[known..].iter().map(|played| played.score));
        self.left = left(record);
    }
}

/// The time left to each player after the last two moves.
fn left(record: &GameRecord) -> [Option<Duration>; 2] {
    let left = |last: usize| record.moves.iter().rev().nth(last).and_then(|played| played.left);
    [left(1), left(0)]
}

/// A finished game.
pub struct ReplayGame {
    pub game: LiveGame,
    pub outcome: Outcome,
    pub ending: Ending,
    pub remark: String,
}

impl ReplayGame {
    fn end(&self, game: &str, words: &Words) -> String {
        report::end(self.ending, &self.remark, game).said(words)
    }
}

/// Formats the number of finished games, and the number of all games if it is known.
pub(super) fn games_of(done: u64, total: Option<u32>, words: &Words) -> String {
    match total {
        Some(total) => words.with("games-of", &[("done", done.into()), ("count", u64::from(total).into())]),
        None => words.count("counted-games", done),
    }
}

/// The state of a match, as the web page shows it.
pub struct MatchState {
    catalog: &'static dyn GameRules,
    report: MatchReport,
    pub live: BTreeMap<u32, LiveGame>,
    games: BTreeMap<u32, ReplayGame>,
    /// Numbers of the finished games, in the order of their ends.
    order: VecDeque<u32>,
    scores: Scores,
    /// Each entry holds a number of games and the bounds of the Elo confidence interval after that many games. The
    /// fields `llr` and `points` hold the log-likelihood ratio and Elo by number of games.
    elo: Vec<(f64, f64, f64)>,
    llr: Vec<(f64, f64)>,
    points: Vec<(f64, f64)>,
    faults: Vec<OpenFaults>,
    messages: VecDeque<String>,
    /// Lines about the queue, and the results by machine; both are empty if no games are played on other machines.
    pub machines: (Vec<Message>, MachineResults),
}

impl MatchState {
    pub fn new(catalog: &'static dyn GameRules, report: MatchReport, pairs: bool) -> Self {
        Self {
            faults: vec![OpenFaults::default(); report.names.len()],
            catalog,
            report,
            live: BTreeMap::new(),
            games: BTreeMap::new(),
            order: VecDeque::new(),
            scores: Scores::new(pairs),
            elo: Vec::new(),
            llr: Vec::new(),
            points: Vec::new(),
            messages: VecDeque::new(),
            machines: Default::default(),
        }
    }

    pub fn begin(&mut self, pairing: Pairing) {
        let record = GameRecord::default();
        self.live.insert(pairing.game, LiveGame::new(pairing, &record));
    }

    pub fn finish(&mut self, game: ReplayGame) {
        let number = game.game.pairing.game;
        let (pairing, outcome, ending) = (game.game.pairing, game.outcome, game.ending);
        self.scores.add(FinishedGame { pairing, outcome, ending });
        self.live.remove(&number);
        self.games.insert(number, game);
        self.order.push_back(number);
        if self.order.len() > GAMES
            && let Some(oldest) = self.order.pop_front()
        {
            self.games.remove(&oldest);
        }
        let games = self.done() as f64;
        if self.report.names.len() == 2 {
            let (tally, pairs) = (self.scores.between(0, 1), self.scores.has_pairs());
            if let Some([low, value, high]) = report::estimate(&tally, pairs).within(MOST_ELO) {
                self.points.push((games, value));
                self.elo.push((games, low, high));
            }
            if let Some(sprt) = &self.report.sprt {
                self.llr.push((games, sprt.llr(&tally, pairs)));
            }
        }
    }

    pub fn fault(&mut self, engine: usize, kind: FaultKind, text: &str) {
        self.faults[engine].count(kind);
        self.note(format!("{}: {text}", self.report.names[engine]));
    }

    pub fn note(&mut self, text: String) {
        self.messages.push_back(text);
        if self.messages.len() > MESSAGES {
            self.messages.pop_front();
        }
    }

    pub fn game(&self) -> &'static str {
        self.catalog.name()
    }

    pub fn messages(&self) -> Markup {
        html! { ul { @for text in &self.messages { li { (text) } } } }
    }

    pub(super) fn done(&self) -> usize {
        self.scores.games().len()
    }

    pub fn players(&self, pairing: &Pairing) -> [&str; 2] {
        pairing.engines.map(|engine| self.report.names[engine].as_str())
    }

    fn status(&self, words: &Words) -> Markup {
        let of = games_of(self.done() as u64, self.report.schedule.wanted(), words);
        // For more than two engines, the crosstable shows the results.
        let block = || self.report.block(&self.scores, &self.faults);
        let result = if self.report.names.len() == 2 { block() } else { Vec::new() };
        html! {
            p class="state" { (of) }
            @if self.done() > 0 {
                @if !result.is_empty() { pre class="result" { (result.join("\n")) } }
            }
        }
    }

    fn elo_chart(&self, words: &Words) -> Markup {
        let quiet = |name: &str| html! { p class="quiet" { (words.get(name)) } };
        match (self.done(), self.points.is_empty()) {
            (_, false) => {}
            (0, true) => return quiet("nothing-yet"),
            (_, true) => return quiet("no-elo-yet"),
        }
        let curve = Curve { class: "first", points: self.points.clone(), band: self.elo.clone() };
        chart::draw(&words.get("elo-over-games"), &words.get("axis-games"), &[curve], &[0.0])
    }

    fn llr_chart(&self, sprt: &Sprt, words: &Words) -> Markup {
        if self.llr.is_empty() {
            return html! { p class="quiet" { (words.get("nothing-yet")) } };
        }
        let curve = Curve::new("first", self.llr.clone());
        chart::draw(&words.get("sprt-way"), &words.get("axis-games"), &[curve], &sprt.bounds())
    }

    /// Renders charts of the results of two engines, or a crosstable for more engines.
    fn results(&self, words: &Words) -> Vec<PagePart> {
        if self.report.names.len() != 2 {
            return vec![PagePart::new("crosstable", "crosstable", self.crosstable(words))];
        }
        let mut parts = vec![PagePart::new("elo", "elo-over-games", self.elo_chart(words))];
        parts.extend(
            self.report.sprt.as_ref().map(|sprt| PagePart::new("sprt", "sprt-way", self.llr_chart(sprt, words))),
        );
        parts
    }

    pub fn live_games(&self, words: &Words) -> Markup {
        html! {
            @if self.live.is_empty() { p class="quiet" { (words.get("nothing-runs")) } }
            div class="boards" { @for game in self.live.values().take(BOARDS) {
                figure {
                    (position(self.catalog, &game.line, &[], words))
                    figcaption {
                        a data-detail href={ "?game=" (game.pairing.game + 1) } { (game.pairing.game + 1) ": " (cells::players(self.players(&game.pairing))) }
                        @for left in game.left.iter().flatten() { " " span class="quiet" { (format!("{:.1} s", left.as_secs_f64())) } }
                    }
                }
            } }
            @if self.live.len() > BOARDS { p class="quiet" { (words.with("boards-of", &[("shown", (BOARDS as u64).into()), ("all", (self.live.len() as u64).into())])) } }
        }
    }

    pub fn list(&self, words: &Words) -> Markup {
        let newest = self.order.iter().rev().take(ROWS).filter_map(|number| self.games.get_key_value(number));
        html! {
            (self.rows(newest, words))
            @if self.order.len() > ROWS {
                p { a data-detail href="?list=1" { (words.with("games-more", &[("count", ((self.order.len() - ROWS) as u64).into())])) } }
            }
        }
    }

    /// Formats the result as players of the game write it, such as `1-0` or `先手勝ち`.
    fn result(&self, outcome: Outcome, words: &Words) -> String {
        let name = match outcome {
            Outcome::Win(side) => format!("{}-{}", self.catalog.name(), side.index()),
            Outcome::Draw => format!("{}-draw", self.catalog.name()),
            Outcome::Unfinished => String::new(),
        };
        words.with("game-result", &[("result", (&name).into()), ("text", outcome.text().into())])
    }

    fn rows<'a>(&self, games: impl Iterator<Item = (&'a u32, &'a ReplayGame)>, words: &Words) -> Markup {
        html! {
            table class="games" {
                thead { tr { (cells::heads(&["game-number", "players", "result", "why-ended", "plies"], &["plies"], words)) } }
                tbody { @for (number, over) in games {
                    tr {
                        td { a data-detail id={ "game-" (number + 1) } href={ "?game=" (number + 1) } { (number + 1) } }
                        td { (cells::players(self.players(&over.game.pairing))) }
                        td { (self.result(over.outcome, words)) }
                        td { (over.end(self.game(), words)) }
                        (cells::number("plies", over.game.line.moves.len(), words))
                    }
                } }
            }
        }
    }

    /// Renders a page of games in numerical order, beginning with game `first`.
    fn looked_up(&self, first: u32, words: &Words) -> Markup {
        let from = first.saturating_sub(1);
        let shown = self.games.range(from..from.saturating_add(LOOKED_UP));
        let next = self.games.range(from.saturating_add(LOOKED_UP)..).next().map(|(number, _)| number + 1);
        let link = |rel: &str, first: u32, name: &str, sign: &str| html! { a data-detail rel=(rel) href={ "?list=" (first) } aria-label=(words.get(name)) { (sign) } };
        html! {
            p class="replay" {
                @if first > 1 { (link("prev", first.saturating_sub(LOOKED_UP).max(1), "back", "◀")) }
                span { (first) "-" }
                @if let Some(next) = next { (link("next", next, "forward", "▶")) }
            }
            (self.rows(shown, words))
        }
    }

    pub fn machine_lines(&self, words: &Words) -> Option<Markup> {
        let (queue, results) = &self.machines;
        let lines: Vec<String> = queue.iter().map(|line| line.said(words)).chain(results.lines()).collect();
        let (table, text): (Vec<&str>, Vec<&str>) =
            lines.iter().map(String::as_str).partition(|line| line.contains("  "));
        let markup = || {
            html! {
                @if !text.is_empty() { pre class="result" { (text.join("\n")) } }
                @if !table.is_empty() { (cells::columns(&table)) }
            }
        };
        (!lines.is_empty()).then(markup)
    }

    /// The detail that the query selects: one game, or a page of the list of games.
    pub fn detail(&self, query: &Query, words: &Words) -> Option<Markup> {
        if let Some(first) = query.get("list") {
            return Some(self.looked_up(first.parse::<u32>().ok()?.max(1), words));
        }
        let number = query.get("game")?.parse::<u32>().ok()?.checked_sub(1)?;
        let over = self.games.get(&number);
        let game = over.map(|over| &over.game).or_else(|| self.live.get(&number))?;
        let all = game.line.moves.len();
        let ply = query.get("ply").and_then(|ply| ply.parse().ok()).unwrap_or(all);
        Some(self.replay(game, over, ply.min(all), words))
    }

    /// Renders a game with its moves and the board after `ply` moves.
    fn replay(&self, game: &LiveGame, over: Option<&ReplayGame>, ply: usize, words: &Words) -> Markup {
        let number = game.pairing.game + 1;
        let (players, name) = (Some(self.players(&game.pairing)), format!("game={number}"));
        let replay =
            Replay { catalog: self.catalog, line: &game.line, scores: &game.scores, marks: &[], players, name };
        html! {
            h2 { (number) ": " (self.players(&game.pairing).join(" - ")) @if let Some(over) = over { " " (self.result(over.outcome, words)) } }
            @if let Some(over) = over { p class="quiet" { (over.end(self.game(), words)) } }
            (replay.draw(ply, words))
        }
    }
}

pub struct MatchView(pub Arc<Mutex<MatchState>>);

impl MatchView {
    fn state(&self) -> MutexGuard<'_, MatchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl View for MatchView {
    fn kind(&self) -> &'static str {
        "match"
    }

    fn title(&self, words: &Words) -> String {
        let state = self.state();
        let game = words.get(state.catalog.name());
        match &state.report.names[..] {
            [a, b] => {
                words.with("match-of-two", &[("game", (&game).into()), ("first", a.into()), ("second", b.into())])
            }
            names => words.with("match-of-many", &[("game", (&game).into()), ("count", (names.len() as u64).into())]),
        }
    }

    fn parts(&self, words: &Words) -> Vec<PagePart> {
        let state = self.state();
        let mut parts =
            vec![PagePart::new("status", "", state.status(words)), PagePart::new("table", "table", state.table(words))];
        parts.extend(state.machine_lines(words).map(|machines| PagePart::new("machines", "machines", machines)));
        parts.extend(state.results(words));
        parts.push(PagePart::new("live", "running-games", state.live_games(words)));
        parts.push(PagePart::new("list", "finished-games", state.list(words)));
        parts.push(PagePart::new("messages", "messages", state.messages()));
        parts
    }

    fn detail(&self, query: &Query, words: &Words) -> Option<Markup> {
        self.state().detail(query, words)
    }
}
