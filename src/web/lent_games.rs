//! Renders the machines that lend whole games, and the games that they are playing.

use super::cells;
use hasami_matches::lender::{LenderNews, RunningGame};
use hasami_words::text::grouped;
use hasami_words::{Message, Words};
use maud::{Markup, html};
use std::time::Duration;

/// Maximum number of games or machines to list; the totals include all of them.
const ROWS: usize = 200;

/// Formats a duration as one number with its unit.
pub fn span(time: Duration, words: &Words) -> String {
    Message::span(time.as_secs()).said(words)
}

fn engines(machine: &LenderNews, words: &Words) -> String {
    let fetched = machine.fetches.then(|| words.get("fetched-engines"));
    machine.engines.iter().cloned().chain(fetched).collect::<Vec<_>>().join(", ")
}

/// Renders the table rows that describe one machine.
pub fn rows(machine: &LenderNews, words: &Words) -> Markup {
    let rows = [
        ("processor", machine.processor.clone()),
        ("speed-a-game", words.with("per-second", &[("count", (&grouped(machine.speed)).into())])),
        ("games-at-a-time", machine.games.to_string()),
        ("running-games", machine.busy.to_string()),
        ("finished-games", grouped(machine.finished)),
        ("engines-lent", engines(machine, words)),
        ("up", span(Duration::from_secs(machine.seconds), words)),
    ];
    html! { @for (name, text) in rows { tr { th scope="row" { (words.get(name)) } td { (text) } } } }
}

/// Renders a table of the games in progress, one game per row.
pub fn running(games: &[RunningGame], words: &Words) -> Markup {
    let more = games.len().saturating_sub(ROWS);
    html! {
        @if games.is_empty() { p class="quiet" { (words.get("nothing-yet")) } }
        @else {
            table class="stack" {
                (cells::thead(&["match-caller", "game-number", "players", "plies", "elapsed"], &["plies", "elapsed"], words))
                tbody { @for game in games.iter().take(ROWS) { (row(game, words)) } }
            }
            @if more > 0 { p class="quiet" { (words.with("running-more", &[("count", (more as u64).into())])) } }
        }
    }
}

fn row(game: &RunningGame, words: &Words) -> Markup {
    let caller =
        html! { (game.title) @if !game.caller.is_empty() { " " span class="quiet" { "(" (game.caller) ")" } } };
    html! { tr {
        (cells::text("match-caller", caller, words))
        (cells::text("game-number", u64::from(game.game) + 1, words))
        (cells::text("players", game.players.join(" - "), words))
        (cells::number("plies", game.plies, words))
        (cells::number("elapsed", elapsed(game.seconds.map(Duration::from_secs), words), words))
    } }
}

/// Formats the time since a game began, or says that its engines are still starting.
pub fn elapsed(since: Option<Duration>, words: &Words) -> String {
    since.map_or_else(|| words.get("coming-up"), |since| span(since, words))
}

/// Renders a table of the machines that lend games.
pub fn table(machines: &[LenderNews], words: &Words) -> Markup {
    html! {
        @if machines.is_empty() { p class="quiet" { (words.get("nobody-there")) } }
        @else {
            table class="stack" {
                (cells::thead(&["machine", "games", "finished-games", "speed-a-game", "up", "engines-lent", "version"], &["games", "finished-games", "speed-a-game", "up"], words))
                tbody { @for machine in machines.iter().take(ROWS) { tr {
                    @let link = html! { a data-detail id={ "loan-" (machine.shown_id()) } href={ "?loan=" (machine.shown_id()) } { (machine.name) } };
                    (cells::text("machine", link, words))
                    (cells::number("games", format!("{}/{}", machine.busy, machine.games), words))
                    (cells::number("finished-games", grouped(machine.finished), words))
                    (cells::number("speed-a-game", grouped(machine.speed), words))
                    (cells::number("up", span(Duration::from_secs(machine.seconds), words), words))
                    (cells::text("engines-lent", engines(machine, words), words))
                    (cells::text("version", &machine.version, words))
                } } }
            }
            @if machines.len() > ROWS { p class="quiet" { (words.with("machines-more", &[("count", ((machines.len() - ROWS) as u64).into())])) } }
        }
    }
}
