//! Draws the result as a function of the number of games: Elo with its error band for two engines, and the score of
//! each engine for more than two.

use super::report::{MatchReport, estimate};
use super::scores::Scores;
use hasami_pictures::line_chart::{self, NamedCurve};
use hasami_words::text::counted;

/// Elo values beyond this limit are drawn at the edge, because an engine that wins all of its first games has no finite
/// Elo.
const MOST_ELO: f64 = 800.0;

/// Draws a match as the text of an SVG file.
pub fn draw(report: &MatchReport, scores: &Scores) -> String {
    match &report.names[..] {
        [first, second] => {
            let title = format!("{first} vs {second}: {}", report.short(scores));
            line_chart::draw(&title, ["games", "Elo"], &elo_curves(scores))
        }
        names => {
            let title = format!("{} engines, {}", names.len(), counted(scores.games().len(), "game"));
            line_chart::draw(&title, ["games", "score, %"], &score_curves(names, scores))
        }
    }
}

/// Returns the Elo estimate after each game or pair, and the ends of its error bar.
fn elo_curves(scores: &Scores) -> [NamedCurve; 3] {
    let mut curves = ["Elo", "lower end", "upper end"].map(|name| NamedCurve { name: name.into(), points: Vec::new() });
    let mut sheet = Scores::new(scores.has_pairs());
    for (count, &played) in (1..).zip(scores.games()) {
        sheet.add(played);
        if let Some([low, value, high]) = estimate(&sheet.between(0, 1), sheet.has_pairs()).within(MOST_ELO) {
            for (curve, value) in curves.iter_mut().zip([value, low, high]) {
                curve.points.push((f64::from(count), value));
            }
        }
    }
    curves
}

fn score_curves(names: &[String], scores: &Scores) -> Vec<NamedCurve> {
    let curve = |(index, name): (usize, &String)| {
        let mut sheet = Scores::new(false);
        let mut points = Vec::new();
        for (count, &played) in (1..).zip(scores.games()) {
            sheet.add(played);
            if played.pairing.engines.contains(&index) {
                points.push((f64::from(count), sheet.of(index).score() * 100.0));
            }
        }
        NamedCurve { name: name.clone(), points }
    };
    names.iter().enumerate().map(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Pairing, Schedule};
    use crate::scores::FinishedGame;
    use hasami_api::{Ending, Outcome, Side};

    fn report(engines: usize) -> MatchReport {
        let names = (0..engines).map(|index| format!("engine <{index}>")).collect();
        MatchReport { names, sprt: None, schedule: Schedule::default() }
    }

    fn scores(engines: usize, games: u32, outcome: fn(u32) -> Outcome) -> Scores {
        let mut scores = Scores::new(true);
        for game in 0..games {
            let [a, b] = [(game / 2) as usize % engines, ((game / 2) as usize + 1) % engines];
            let engines = if game % 2 == 0 { [a, b] } else { [b, a] };
            let pairing = Pairing { game, round: 1, group: game / 2, engines, opening: None };
            scores.add(FinishedGame { pairing, outcome: outcome(game), ending: Ending::Checkmate });
        }
        scores
    }

    #[test]
    fn every_number_of_games_and_engines_can_be_drawn() {
        let outcome = |game| if game % 3 == 0 { Outcome::Draw } else { Outcome::Win(Side::First) };
        for engines in [2, 3, 9] {
            for games in [0, 1, 2, 3, 40] {
                let text = draw(&report(engines), &scores(engines, games, outcome));
                assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{text}");
                assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains("engine <"), "{text}");
            }
        }
    }

    #[test]
    fn an_even_match_and_a_one_sided_one_have_curves() {
        let even = scores(2, 8, |_| Outcome::Draw);
        let text = draw(&report(2), &even);
        assert!(text.contains("+0 =8 -0 | Elo 0.0 +/- 0.0 | LOS 50.00 %") && !text.contains("NaN"), "{text}");
        // If one side has won every game, the interval extends beyond the range of possible scores.
        let won =
            scores(2, 8, |game| Outcome::Win(if game % 4 == 0 || game % 4 == 3 { Side::First } else { Side::Second }));
        let curves = elo_curves(&won);
        assert!(curves.iter().all(|curve| curve.points.len() == 7), "{curves:?}");
        assert!(curves.iter().flat_map(|curve| &curve.points).all(|(_, elo)| elo.abs() <= MOST_ELO), "{curves:?}");
    }
}
