//! Formats results as fastchess does, so that tools for fastchess can read the output.

use super::faults::{self, OpenFaults};
use super::names;
use super::schedule::Schedule;
use super::scores::Scores;
use super::settings::MatchSettings;
use super::stats::{EloEstimate, ResultTally, Sprt, SprtVerdict, number};
use hasami_api::Ending;
use hasami_words::Message;
use hasami_words::text::padded;
use unicode_width::UnicodeWidthStr;

/// Estimates the strength from a tally, using pairs of games if `pairs` is set.
pub fn estimate(tally: &ResultTally, pairs: bool) -> EloEstimate {
    if pairs { EloEstimate::pentanomial(tally) } else { EloEstimate::trinomial(tally) }
}

/// Formats Elo, likelihood of superiority, games and pairs of one player against another.
pub fn figures(tally: &ResultTally, pairs: bool) -> Vec<String> {
    let estimate = estimate(tally, pairs);
    let (elo, nelo) = (format!("{:.2}", estimate.elo), format!("{:.2}", estimate.nelo));
    let draws = number(if pairs { tally.pair_draw_ratio() } else { tally.draw_ratio() }, 2);
    let ratio = if pairs { format!(", PairsRatio: {}", number(tally.pairs_ratio(), 2)) } else { String::new() };
    let chances = format!("LOS: {}, DrawRatio: {draws} %{ratio}", estimate.los_text());
    let mut lines = vec![
        format!("Elo: {elo}, nElo: {nelo}"),
        chances,
        format!(
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({} %)",
            tally.games(),
            tally.wins,
            tally.losses,
            tally.draws,
            tally.points(),
            number(tally.score() * 100.0, 2)
        ),
    ];
    if pairs {
        let counts = tally.pairs.map(|count| count.to_string()).join(", ");
        let ratio = number(tally.win_loss_ratio(), 2);
        lines.push(format!("Ptnml(0-2): [{counts}], WL/DD Ratio: {ratio}"));
    }
    lines
}

/// What a report needs to know about a match.
#[derive(Clone)]
pub struct MatchReport {
    pub names: Vec<String>,
    pub sprt: Option<Sprt>,
    pub schedule: Schedule,
}

impl MatchReport {
    pub fn new(settings: &MatchSettings) -> Self {
        let names = settings.engines.iter().map(|spec| spec.name.clone()).collect();
        Self { names, sprt: settings.sprt, schedule: settings.schedule.clone() }
    }

    /// Returns the verdict of the SPRT; `None` without an SPRT.
    pub fn verdict(&self, scores: &Scores) -> Option<SprtVerdict> {
        let sprt = self.sprt.as_ref()?;
        Some(sprt.verdict(sprt.llr(&scores.between(0, 1), scores.has_pairs())))
    }

    /// Formats the result and the faults of all engines; `open` lists faults that did not end a game.
    pub fn block(&self, scores: &Scores, open: &[OpenFaults]) -> Vec<String> {
        let mut lines = self.results(scores);
        let faults = faults::lines(&self.names, scores, open);
        lines.extend(if faults.is_empty() { vec!["Faults: none".to_owned()] } else { faults });
        lines
    }

    /// Returns detailed figures for two engines, or a table for more than two.
    pub fn results(&self, scores: &Scores) -> Vec<String> {
        let pairs = scores.has_pairs();
        let names = names::shown(&self.names);
        let [first, second] = &names[..] else { return table(&names, scores) };
        let tally = scores.between(0, 1);
        let head = format!("Results of {first} vs {second}:");
        if tally.games() == 0 {
            return vec![format!("{head} no games")];
        }
        let mut lines = vec![head];
        lines.extend(figures(&tally, pairs));
        lines.extend(self.sprt.map(|sprt| sprt.line(sprt.llr(&tally, pairs))));
        lines
    }

    /// Returns one short line for a progress bar, such as `+12 =5 -3 | Elo 12.3 +/- 40.1 | LLR 0.52`.
    pub fn short(&self, scores: &Scores) -> String {
        let names = &self.names;
        if names.len() != 2 {
            let leader = (0..names.len()).max_by(|&a, &b| scores.of(a).points().total_cmp(&scores.of(b).points()));
            let leads = |best: usize| {
                let points = format!("{:.1}", scores.of(best).points());
                format!("{} leads with {points}", names::fitting(&names[best]).into_owned())
            };
            return leader.map_or_else(String::new, leads);
        }
        let tally = scores.between(0, 1);
        if tally.games() == 0 {
            return "no games".to_owned();
        }
        let mut text = format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
        let pairs = scores.has_pairs();
        let estimate = estimate(&tally, pairs);
        // If one side has won every game, Elo is infinite and left out.
        if estimate.elo.value.is_finite() && estimate.elo.error.is_finite() {
            text += &format!(" | Elo {:.1}", estimate.elo);
        }
        if estimate.los.is_finite() {
            text += &format!(" | LOS {}", estimate.los_text());
        }
        if let Some(sprt) = self.sprt {
            text += &format!(" | LLR {}", number(sprt.llr(&tally, pairs), 2));
        }
        text
    }
}

/// Creates a message about the end of a game; `remark` is the explanation from the game record.
pub fn end(ending: Ending, remark: &str, game: &str) -> Message {
    let word = ending.word().replace(' ', "-");
    // The word for a repetition depends on the game.
    let word = if ending == Ending::Repetition { format!("{game}-{word}") } else { word };
    Message::new("game-end").with("ending", word).with("remark", remark)
}

/// Returns a table with one row per engine, from the best engine to the worst.
fn table(names: &[String], scores: &Scores) -> Vec<String> {
    let pairs = scores.has_pairs();
    let mut rows: Vec<_> = names.iter().enumerate().map(|(index, name)| (name, scores.of(index))).collect();
    // Engines without games have no score and are listed last.
    let rank = |tally: &ResultTally| if tally.games() == 0 { -1.0 } else { tally.score() };
    rows.sort_by(|(_, a), (_, b)| rank(b).total_cmp(&rank(a)));
    let width = names.iter().map(|name| name.width()).max().unwrap_or(0).max(20);

    let mut lines = vec![format!(
        "{} {} {:>9} {:>9} {:>9} {:>9} {} {} {}  {}",
        "Rank",
        padded("Name", width),
        "Elo",
        "+/-",
        "nElo",
        "+/-",
        "  Games",
        "   Score",
        "    Draw",
        "Ptnml(0-2)"
    )];
    for (index, (name, tally)) in rows.iter().enumerate() {
        let estimate = estimate(tally, pairs);
        let share = |value: f64| format!("{}%", number(value, 1));
        let pairs = if pairs { format!("{:?}", tally.pairs) } else { String::new() };
        lines.push(format!(
            "{:>4} {} {:>9} {:>9} {:>9} {:>9} {:>7} {:>8} {:>8}  {pairs}",
            index + 1,
            padded(name, width),
            number(estimate.elo.value, 2),
            number(estimate.elo.error, 2),
            number(estimate.nelo.value, 2),
            number(estimate.nelo.error, 2),
            tally.games(),
            share(tally.score() * 100.0),
            share(tally.draw_ratio()),
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Pairing;
    use crate::scores::FinishedGame;
    use hasami_api::{Outcome, Side};

    fn scores(engines: usize) -> Scores {
        let mut scores = Scores::new(true);
        for group in 0..8 {
            let [a, b] = [(group as usize) % engines, (group as usize + 1) % engines];
            for (turn, engines) in [[a, b], [b, a]].into_iter().enumerate() {
                let pairing = Pairing { game: 2 * group + turn as u32, round: group, group, engines, opening: None };
                let outcome = if group % 3 == 0 { Outcome::Draw } else { Outcome::Win(Side::First) };
                scores.add(FinishedGame { pairing, outcome, ending: Ending::Checkmate });
            }
        }
        scores
    }

    #[test]
    fn two_engines_get_figures_and_more_get_a_table() {
        let report = |count: usize, sprt| {
            let names = (0..count).map(|index| format!("engine {index}")).collect();
            MatchReport { names, sprt, schedule: Schedule::default() }
        };
        let tested = report(2, Some(Sprt::default()));
        let lines = tested.results(&scores(2));
        assert_eq!(lines[0], "Results of engine 0 vs engine 1:");
        assert!(lines[4].starts_with("Ptnml(0-2): [0, 0, 8, 0, 0]") && lines[5].starts_with("LLR: "), "{lines:?}");
        let none = Scores::new(true);
        assert_eq!(tested.short(&none), "no games");
        assert_eq!(report(2, None).results(&none), ["Results of engine 0 vs engine 1: no games"]);
        let lines = report(3, None).results(&scores(3));
        assert_eq!(lines.len(), 4);
        assert!(lines[1].starts_with("   1 engine"), "{lines:?}");
        let line = report(2, None).short(&scores(2));
        assert!(line.starts_with("+5 =6 -5 | Elo "), "{line}");
    }

    #[test]
    fn long_names_leave_reports_within_their_columns() {
        let names = |count| (0..count).map(|index| format!("{}{index}", "engine".repeat(11))).collect::<Vec<_>>();
        let report = |count| MatchReport { names: names(count), sprt: None, schedule: Schedule::default() };
        let lines = report(2).block(&scores(2), &[]);
        assert_eq!(lines[0], "Results of engineengineeng…eengineengine0 vs engineengineeng…eengineengine1:");
        assert!(lines.iter().all(|line| line.width() <= 80), "{lines:#?}");
        let table = report(3).block(&scores(3), &[]);
        assert!(
            table[1].contains(" engineengineeng…eengineengine")
                && table.iter().all(|line| !line.contains(&names(1)[0]))
        );
        let names = ["将棋", "b", "c"].map(str::to_owned).into();
        let rows = MatchReport { names, ..report(3) }.results(&scores(3));
        let columns: Vec<usize> =
            rows[1..].iter().map(|row| row.split('[').next().unwrap_or_default().width()).collect();
        assert!(columns.iter().all(|width| *width == columns[0]), "{rows:#?}");
    }
}
