//! Draws the result over the number of games: Elo with its error band for two engines, else the score of each engine.

use super::report::{MatchReport, estimate};
use super::scores::Scores;
use hasami_pictures::{label, page, rule};
use svg::Document;
use svg::node::element::{Polygon, Polyline};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 44.0;
const COLOURS: [&str; 8] = ["#1b6ca8", "#c0392b", "#2e8b57", "#b8860b", "#6a4c93", "#008b8b", "#d2691e", "#555555"];

/// Elo values beyond this are drawn at the edge. The first games say little, and an engine that wins all of them has no
/// finite Elo.
const MOST_ELO: f64 = 800.0;

/// Smallest range of the vertical axis.
const LEAST_RANGE: f64 = 20.0;

/// One curve of the chart.
struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
    /// Number of games, and lower and upper end of the error bar at that number.
    band: Vec<(f64, f64, f64)>,
    colour: &'static str,
}

/// Draws a match. Returns the text of an SVG file.
pub fn draw(report: &MatchReport, scores: &Scores) -> String {
    let (names, share) = (&report.names, "score, %".to_owned());
    let (curves, unit) = match &names[..] {
        [first, second] => (vec![elo_curve(&format!("{first} - {second}"), scores)], "Elo"),
        _ => (score_curves(names, scores), &*share),
    };
    let is_cut = names.len() == 2 && curves[0].points.last().is_some_and(|(_, value)| value.abs() >= MOST_ELO);
    let unit = if is_cut { format!("{unit} (cut at {MOST_ELO})") } else { unit.to_owned() };
    let frame = MatchAxes::around(&curves, scores.games().len());
    let mut picture = frame.axes(page(WIDTH, HEIGHT), &unit);
    for (row, curve) in curves.iter().enumerate() {
        picture = frame.curve(picture, curve, row);
    }
    let title = match &names[..] {
        [first, second] => format!("{first} vs {second}: {}", report.short(scores)),
        _ => format!("{} engines, {} games", names.len(), scores.games().len()),
    };
    picture.add(label(&title, LEFT, 22.0, 15.0)).to_string()
}

/// The Elo estimate after each game, or after each pair.
fn elo_curve(name: &str, scores: &Scores) -> Curve {
    let mut curve = Curve { name: name.to_owned(), points: Vec::new(), band: Vec::new(), colour: COLOURS[0] };
    let mut sheet = Scores::new(scores.has_pairs());
    for (index, &played) in scores.games().iter().enumerate() {
        sheet.add(played);
        let tally = sheet.between(0, 1);
        let x = (index + 1) as f64;
        if let Some([low, value, high]) = estimate(&tally, sheet.has_pairs()).within(MOST_ELO) {
            curve.points.push((x, value));
            curve.band.push((x, low, high));
        }
    }
    curve
}

fn score_curves(names: &[String], scores: &Scores) -> Vec<Curve> {
    let curve = |(index, name): (usize, &String)| {
        let mut sheet = Scores::new(false);
        let mut points = Vec::new();
        for (count, &played) in scores.games().iter().enumerate() {
            sheet.add(played);
            if played.pairing.engines.contains(&index) {
                points.push(((count + 1) as f64, sheet.of(index).score() * 100.0));
            }
        }
        Curve { name: name.clone(), points, band: Vec::new(), colour: COLOURS[index % COLOURS.len()] }
    };
    names.iter().enumerate().map(curve).collect()
}

/// Maps numbers of games and values to coordinates of the picture.
struct MatchAxes {
    games: f64,
    low: f64,
    high: f64,
}

impl MatchAxes {
    fn around(curves: &[Curve], games: usize) -> Self {
        // The error bands of the first few games would flatten the rest of the chart, so they do not affect the range.
        let settled = (games as f64 / 8.0).max(1.0);
        let bands = curves.iter().flat_map(|curve| &curve.band).filter(|(x, ..)| *x >= settled);
        let points = curves.iter().flat_map(|curve| &curve.points).filter(|(x, _)| *x >= settled);
        let values = bands.flat_map(|&(_, low, high)| [low, high]).chain(points.map(|&(_, value)| value));
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = match low <= high {
            // With a single value the axis includes 0.
            true if low == high => (low.min(0.0), high.max(0.0)),
            true => (low, high),
            false => (-50.0, 50.0),
        };
        // An even match is drawn in the middle, not on the frame.
        let missing = (LEAST_RANGE - (high - low)).max(0.0) / 2.0;
        let (low, high) = (low - missing, high + missing);
        let step = step_for(high - low);
        Self {
            games: games.max(1) as f64,
            low: (low / step).floor() * step,
            high: ((high / step).floor() + 1.0) * step,
        }
    }

    fn x(&self, games: f64) -> f64 {
        LEFT + games / self.games * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn axes(&self, mut picture: Document, unit: &str) -> Document {
        let step = step_for(self.high - self.low);
        let rows = ((self.high - self.low) / step).round() as usize;
        for row in 0..=rows {
            let value = self.low + row as f64 * step;
            let y = self.y(value);
            let colour = if value.abs() < step / 2.0 { "#888" } else { "#ddd" };
            picture = picture.add(rule(LEFT, y, WIDTH - RIGHT, y, colour));
            picture = picture.add(label(&format!("{value:.0}"), LEFT - 8.0, y + 4.0, 11.0).set("text-anchor", "end"));
        }
        let step = step_for(self.games).max(1.0);
        for column in 0..=(self.games / step) as usize {
            let x = self.x(column as f64 * step);
            picture = picture.add(rule(x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 4.0, "#888"));
            let text = format!("{:.0}", column as f64 * step);
            picture = picture.add(label(&text, x, HEIGHT - BOTTOM + 17.0, 11.0).set("text-anchor", "middle"));
        }
        let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
        picture = picture.add(label("games", middle, HEIGHT - 10.0, 12.0).set("text-anchor", "middle"));
        picture.add(label(unit, 12.0, TOP - 6.0, 12.0))
    }

    fn curve(&self, mut picture: Document, curve: &Curve, row: usize) -> Document {
        let text = |points: Vec<(f64, f64)>| {
            points.iter().map(|(x, y)| format!("{:.1},{:.1}", self.x(*x), self.y(*y))).collect::<Vec<_>>().join(" ")
        };
        if !curve.band.is_empty() {
            let upper = curve.band.iter().map(|&(x, _, high)| (x, high));
            let lower = curve.band.iter().rev().map(|&(x, low, _)| (x, low));
            let outline = text(upper.chain(lower).collect());
            picture = picture.add(Polygon::new().set("points", outline).set("fill", curve.colour).set("opacity", 0.18));
        }
        let line = Polyline::new().set("points", text(curve.points.clone())).set("fill", "none");
        picture = picture.add(line.set("stroke", curve.colour).set("stroke-width", 1.6));
        let y = TOP + 16.0 * (row as f64 + 1.0);
        picture.add(label(&curve.name, WIDTH - RIGHT + 10.0, y, 12.0).set("fill", curve.colour))
    }
}

/// The step of an axis: 1, 2 or 5 times a power of ten, so that about five to ten steps fit into `range`.
fn step_for(range: f64) -> f64 {
    let rough = (range / 6.0).max(1e-3);
    let power = 10.0_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
    factor * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Pairing, Schedule};
    use crate::scores::FinishedGame;
    use hasami_api::{Ending, Outcome, Side};

    fn scores(engines: usize, games: u32) -> Scores {
        let mut scores = Scores::new(true);
        for game in 0..games {
            let [a, b] = [(game / 2) as usize % engines, ((game / 2) as usize + 1) % engines];
            let engines = if game % 2 == 0 { [a, b] } else { [b, a] };
            let outcome = if game % 3 == 0 { Outcome::Draw } else { Outcome::Win(Side::First) };
            let pairing = Pairing { game, round: 1, group: game / 2, engines, opening: None };
            scores.add(FinishedGame { pairing, outcome, ending: Ending::Checkmate });
        }
        scores
    }

    #[test]
    fn every_number_of_games_and_engines_can_be_drawn() {
        for engines in [2, 3, 9] {
            let names = (0..engines).map(|index| format!("engine <{index}>")).collect();
            let report = MatchReport { names, sprt: None, schedule: Schedule::default() };
            for games in [0, 1, 2, 3, 40] {
                let text = draw(&report, &scores(engines, games));
                assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{text}");
                assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains("engine <"), "{text}");
            }
        }
    }

    #[test]
    fn an_even_match_is_a_line_in_the_middle() {
        let mut even = Scores::new(true);
        for game in 0..8 {
            let engines = if game % 2 == 0 { [0, 1] } else { [1, 0] };
            let pairing = Pairing { game, round: 1, group: game / 2, engines, opening: None };
            even.add(FinishedGame { pairing, outcome: Outcome::Draw, ending: Ending::Repetition });
        }
        let names = vec!["a".to_owned(), "b".to_owned()];
        let report = MatchReport { names, sprt: None, schedule: Schedule::default() };
        let text = draw(&report, &even);
        assert!(text.contains("a vs b: +0 =8 -0 | Elo 0.0 +/- 0.0 | LOS 50.00 %\n") && !text.contains("nan"), "{text}");
        assert!(text.contains("-10\n") && text.contains("10\n"), "an axis with values: {text}");
        let axes = MatchAxes::around(&[elo_curve("", &even)], 8);
        assert!(axes.low <= -10.0 && axes.high >= 10.0);
    }

    /// A match with few draws whose interval extends beyond all scores still has a curve.
    #[test]
    fn a_one_sided_match_has_a_curve() {
        for losses in [0, 1] {
            let mut scores = Scores::new(true);
            for game in 0..8 {
                let engines = if game % 2 == 0 { [0, 1] } else { [1, 0] };
                let pairing = Pairing { game, round: 1, group: game / 2, engines, opening: None };
                let winner = if (game % 2 == 0) == (game >= losses) { Side::First } else { Side::Second };
                scores.add(FinishedGame { pairing, outcome: Outcome::Win(winner), ending: Ending::Checkmate });
            }
            let curve = elo_curve("", &scores);
            assert_eq!(
                curve.points.iter().map(|point| point.0).collect::<Vec<_>>(),
                [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
            );
            let names = vec!["a".to_owned(), "b".to_owned()];
            let text = draw(&MatchReport { names, sprt: None, schedule: Schedule::default() }, &scores);
            assert_eq!(text.contains("Elo (cut at 800)"), losses == 0, "{text}");
            assert!(MatchAxes::around(&[elo_curve("", &scores)], 8).low <= 0.0);
            assert!(curve.band.iter().all(|(_, low, high)| low <= high && high.abs() <= MOST_ELO), "{:?}", curve.band);
        }
    }

    #[test]
    fn steps_are_round() {
        for (range, step) in [(100.0, 20.0), (7.0, 2.0), (300.0, 50.0), (60.0, 10.0)] {
            assert!((step_for(range) - step).abs() < 1e-9, "{range}: {}", step_for(range));
        }
    }
}
