//! Machines that lend whole games, with their current games.

use super::cells;
use super::facts::{LoanFacts, RunningFacts};
use hasami_words::text::grouped;
use hasami_words::{Message, Words};
use maud::{Markup, html};
use std::time::Duration;

/// Number of games to list; the figures count all of them.
const ROWS: usize = 200;

/// A duration in a single unit.
pub fn span(time: Duration, words: &Words) -> String {
    Message::span(time.as_secs()).said(words)
}

impl LoanFacts {
    fn engines(&self, words: &Words) -> String {
        let fetched = self.fetches.then(|| words.get("fetched-engines"));
        self.engines.iter().cloned().chain(fetched).collect::<Vec<_>>().join(", ")
    }

    fn speed(&self, words: &Words) -> String {
        words.with("per-second", &[("count", (&grouped(self.speed)).into())])
    }

    /// The rows of the table of facts.
    pub fn rows(&self, words: &Words) -> Markup {
        let rows = [
            ("processor", self.processor.clone()),
            ("speed-a-game", self.speed(words)),
            ("games-at-a-time", self.games.to_string()),
            ("running-games", self.busy.to_string()),
            ("finished-games", grouped(self.finished)),
            ("engines-lent", self.engines(words)),
            ("up", span(self.up, words)),
        ];
        html! { @for (name, text) in rows { tr { th scope="row" { (words.get(name)) } td { (text) } } } }
    }

    /// The games in progress, one per row.
    pub fn running(&self, words: &Words) -> Markup {
        let games = &self.running;
        let more = games.len().saturating_sub(ROWS);
        html! {
            @if games.is_empty() { p class="quiet" { (words.get("nothing-yet")) } }
            @else {
                table class="stack" {
                    (cells::thead(&["match-caller", "game-number", "players", "plies", "elapsed"], &["plies", "elapsed"], words))
                    tbody { @for game in games.iter().take(ROWS) { (game.row(words)) } }
                }
                @if more > 0 { p class="quiet" { (words.with("running-more", &[("count", (more as u64).into())])) } }
            }
        }
    }
}

impl RunningFacts {
    fn row(&self, words: &Words) -> Markup {
        let caller =
            html! { (self.title) @if !self.caller.is_empty() { " " span class="quiet" { "(" (self.caller) ")" } } };
        html! { tr {
            (cells::text("match-caller", caller, words))
            (cells::text("game-number", self.game, words))
            (cells::text("players", self.players.join(" - "), words))
            (cells::number("plies", self.plies, words))
            (cells::number("elapsed", elapsed(self.since, words), words))
        } }
    }
}

/// The duration of a game so far, or the message that its engines are starting.
pub fn elapsed(since: Option<Duration>, words: &Words) -> String {
    since.map_or_else(|| words.get("coming-up"), |since| span(since, words))
}

/// The machines of a cluster that lend games.
pub fn table(machines: &[LoanFacts], words: &Words) -> Markup {
    html! {
        @if machines.is_empty() { p class="quiet" { (words.get("nobody-there")) } }
        @else {
            table class="stack" {
                (cells::thead(&["machine", "games", "finished-games", "speed-a-game", "up", "engines-lent", "version"], &["games", "finished-games", "speed-a-game", "up"], words))
                tbody { @for machine in machines.iter().take(ROWS) { tr {
                    @let link = html! { a data-detail id={ "loan-" (machine.id) } href={ "?loan=" (machine.id) } { (machine.name) } };
                    (cells::text("machine", link, words))
                    (cells::number("games", format!("{}/{}", machine.busy, machine.games), words))
                    (cells::number("finished-games", grouped(machine.finished), words))
                    (cells::number("speed-a-game", grouped(machine.speed), words))
                    (cells::number("up", span(machine.up, words), words))
                    (cells::text("engines-lent", machine.engines(words), words))
                    (cells::text("version", &machine.version, words))
                } } }
            }
            @if machines.len() > ROWS { p class="quiet" { (words.with("machines-more", &[("count", ((machines.len() - ROWS) as u64).into())])) } }
        }
    }
}
