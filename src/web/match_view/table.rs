//! Tables of the results and the faults of each engine.

use super::MatchState;
use crate::cells;
use hasami_matches::faults::EngineFaults;
use hasami_matches::report;
use hasami_matches::stats::{ResultTally, number};
use hasami_words::Words;
use maud::{Markup, html};

impl MatchState {
    /// All engines with their results, the best engine first. Engines that have not finished a game are listed last.
    fn ranking(&self) -> Vec<(usize, ResultTally)> {
        let mut rows: Vec<_> = (0..self.report.names.len()).map(|engine| (engine, self.scores.of(engine))).collect();
        let rank = |tally: &ResultTally| if tally.games() == 0 { -1.0 } else { tally.score() };
        rows.sort_by(|(_, a), (_, b)| rank(b).total_cmp(&rank(a)));
        rows
    }

    /// Renders the points of each engine against every other engine, with rows and columns sorted by rank.
    pub(super) fn crosstable(&self, words: &Words) -> Markup {
        let rows = self.ranking();
        let against = |engine: usize, place: usize| {
            let other = rows[place].0;
            let tally = self.scores.between(engine, other);
            let result =
                if tally.games() > 0 { format!("{:.1}/{}", tally.points(), tally.games()) } else { "−".to_owned() };
            html! {
                @if engine == other { td class="number self" {} }
                @else { td class="number against" data-name=(place + 1) { (result) } }
            }
        };
        html! {
            table class="cross" {
                thead { tr {
                    th scope="col" class="number" { (words.get("column-rank")) }
                    th scope="col" { (words.get("engine")) }
                    th scope="col" class="number" { (words.get("points")) }
                    @for (place, (engine, _)) in rows.iter().enumerate() {
                        th scope="col" class="number" { abbr title=(self.report.names[*engine]) { (place + 1) } }
                    }
                } }
                tbody { @for (place, (engine, tally)) in rows.iter().enumerate() {
                    tr {
                        td class="number" { (place + 1) }
                        th scope="row" { (cells::name(&self.report.names[*engine])) }
                        td class="number" { b { (format!("{:.1}", tally.points())) } }
                        @for other in 0..rows.len() { (against(*engine, other)) }
                    }
                } }
            }
        }
    }

    pub(super) fn table(&self, words: &Words) -> Markup {
        let rows = self.ranking();
        let has_pairs = self.scores.has_pairs();
        html! {
            table class="stack wide" {
                thead { tr {
                    th scope="col" { (words.get("engine")) }
                    @for name in ["games", "won", "drawn", "lost-games", "points", "elo"] { th scope="col" class="number" { (words.get(name)) } }
                    @if has_pairs { th scope="col" class="number" { (words.get("pairs")) } }
                } }
                tbody { @for (engine, tally) in &rows {
                    @let elo = report::estimate(tally, has_pairs).elo;
                    @let cell = |name: &str, text: String| cells::number(name, text, words);
                    tr {
                        th scope="row" { (cells::name(&self.report.names[*engine])) }
                        (cell("games", tally.games().to_string()))
                        (cell("won", tally.wins.to_string()))
                        (cell("drawn", tally.draws.to_string()))
                        (cell("lost-games", tally.losses.to_string()))
                        (cell("points", points(tally)))
                        (cell("elo", if elo.value.is_finite() { format!("{} ± {}", number(elo.value, 0), number(elo.error, 0)).replace('-', "−") } else { "−".to_owned() }))
                        @if has_pairs { (cell("pairs", tally.pairs.map(|count| count.to_string()).join(" "))) }
                    }
                } }
            }
            (self.fault_table(rows.iter().map(|(engine, _)| *engine), words))
        }
    }

    /// Renders the faults in a separate table, because a single table with the results would be too wide for half a
    /// screen.
    fn fault_table(&self, engines: impl Iterator<Item = usize>, words: &Words) -> Markup {
        let names = ["time-losses", "crashes", "illegal-moves", "faults"];
        html! {
            table class="stack wide" {
                thead { tr { (cells::heads(&["engine"], &[], words)) (cells::heads(&names, &names, words)) } }
                tbody { @for engine in engines {
                    @let faults = EngineFaults::of(engine, &self.scores, self.faults[engine]);
                    @let counts = [faults.time, faults.crashes + faults.hangs, faults.illegal, faults.open.breaches];
                    tr {
                        th scope="row" { (cells::name(&self.report.names[engine])) }
                        @for (name, count) in names.into_iter().zip(counts) { (cells::number(name, count, words)) }
                    }
                } }
            }
        }
    }
}

/// Formats points with their percentage, such as `5.0 (83.3 %)`.
fn points(tally: &ResultTally) -> String {
    let share = if tally.games() > 0 { format!(" ({:.1} %)", 100.0 * tally.score()) } else { String::new() };
    format!("{:.1}{share}", tally.points())
}
