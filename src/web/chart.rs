//! Draws charts as SVG, whose colours come from the style sheet, so that charts suit light and dark mode.

use hasami_api::{MateUnit, Score, ScoreKind};
use maud::{Markup, html};

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 24.0;
/// Width reserved for the name of the horizontal axis.
const AXIS: f64 = 60.0;
/// Approximate maximum number of points drawn per curve; more points would not be visible.
const POINTS: usize = 400;

pub struct Curve {
    /// The CSS class of the curve.
    pub class: &'static str,
    pub points: Vec<(f64, f64)>,
    /// The x coordinate, the lower end and the upper end of each error bar; empty for a curve without error bars.
    pub band: Vec<(f64, f64, f64)>,
}

impl Curve {
    pub const fn new(class: &'static str, points: Vec<(f64, f64)>) -> Self {
        Self { class, points, band: Vec::new() }
    }
}

/// The height at which a score is drawn: in pawns if the game counts mates in moves, and in centipawns if it counts
/// them in plies. Mates and very large scores are drawn at the edge.
pub fn level(score: Score, unit: MateUnit) -> f64 {
    let (centipawns, most) = match unit {
        MateUnit::Moves => (100.0, 10.0),
        MateUnit::Plies => (1.0, 3_000.0),
    };
    match score.kind() {
        ScoreKind::Cp(cp) => (f64::from(cp) / centipawns).clamp(-most, most),
        ScoreKind::Mate(_) if score.is_win() => most,
        ScoreKind::Mate(_) => -most,
    }
}

/// Draws a chart with a horizontal line at each of the levels `lines`; `label` is for screen readers.
pub fn draw(label: &str, axis: &str, curves: &[Curve], lines: &[f64]) -> Markup {
    let points = || curves.iter().flat_map(|curve| &curve.points).filter(|(x, y)| x.is_finite() && y.is_finite());
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        match low < high {
            true => (low, high),
            false if low == f64::MAX => (0.0, 1.0),
            false => (low - 0.5, high + 0.5),
        }
    };
    let ends = curves.iter().flat_map(|curve| &curve.band).flat_map(|band| [band.1, band.2]);
    let xs = range(&mut points().map(|point| point.0));
    let (low, high) = range(&mut points().map(|point| point.1).chain(lines.iter().copied()).chain(ends));
    let room = (high - low) * 0.08;
    let ys = (low - room, high + room);
    let counts = points().all(|(x, _)| x.fract() == 0.0);
    let x = |value: f64| LEFT + (value - xs.0) / (xs.1 - xs.0) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - (value - ys.0) / (ys.1 - ys.0) * (HEIGHT - TOP - BOTTOM);
    let way = |points: &[(f64, f64)]| {
        let step = points.len().div_ceil(POINTS).max(1);
        let last = points.len().saturating_sub(1);
        let finite = points.iter().enumerate().filter(|(_, (x, y))| x.is_finite() && y.is_finite());
        let kept = finite.filter(|(i, _)| i % step == 0 || *i == last).map(|(_, point)| point);
        kept.map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect::<Vec<_>>().join(" ")
    };
    let area = |band: &[(f64, f64, f64)]| {
        let upper: Vec<_> = band.iter().map(|&(x, _, high)| (x, high)).collect();
        let lower: Vec<_> = band.iter().rev().map(|&(x, low, _)| (x, low)).collect();
        format!("{} {}", way(&upper), way(&lower))
    };
    html! {
        svg class="chart" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
            rect class="frame" x=(LEFT) y=(TOP) width=(WIDTH - LEFT - RIGHT) height=(HEIGHT - TOP - BOTTOM) {}
            @for (level, text) in ticks(ys) {
                line class="grid" x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y(level)) y2=(y(level)) {}
                text class="tick" x=(LEFT - 6.0) y=(y(level) + 4.0) text-anchor="end" { (text) }
            }
            @for level in lines { line class="level" x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y(*level)) y2=(y(*level)) {} }
            // A tick label near the right end would overlap the axis's name, and an axis that counts games has no
            // fractional ticks.
            @for (level, text) in ticks(xs).into_iter().filter(|&(level, _)| x(level) < WIDTH - RIGHT - AXIS && (!counts || level.fract() == 0.0)) {
                text class="tick" x=(x(level)) y=(HEIGHT - 8.0) text-anchor="middle" { (text) }
            }
            text class="tick" x=(WIDTH - RIGHT) y=(HEIGHT - 8.0) text-anchor="end" { (axis) }
            @for curve in curves {
                @if !curve.band.is_empty() { polygon class={ "band " (curve.class) } points=(area(&curve.band)) {} }
                @match curve.points.as_slice() {
                    [] => {}
                    [(a, b)] => {
                        // The error band of a curve with a single point has no area, so it is drawn as a bar.
                        @if let [(_, low, high)] = curve.band[..] { line class={ "bar " (curve.class) } x1=(x(*a)) x2=(x(*a)) y1=(y(low)) y2=(y(high)) {} }
                        circle class={ "dot " (curve.class) } cx=(x(*a)) cy=(y(*b)) r="3" {}
                    }
                    points => { polyline class={ "curve " (curve.class) } points=(way(points)) {} }
                }
            }
        }
    }
}

/// Returns about four round values between `low` and `high`, each with its label.
fn ticks((low, high): (f64, f64)) -> Vec<(f64, String)> {
    let rough = (high - low) / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let values = (first..).map(|n| n as f64 * step).take_while(|value| *value <= high).take(12);
    values.map(|value| (value, number(value, step))).collect()
}

/// Formats a value with at most two decimals, or more if `step` is smaller than 0.01, and no trailing zeros.
fn number(value: f64, step: f64) -> String {
    let decimals = (-step.log10().floor()).clamp(2.0, 9.0) as usize;
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

/// Adds a point to a series. When the series has `most` points, every other point is dropped.
pub fn add_point<T>(course: &mut Vec<T>, point: T, most: usize) {
    if course.len() >= most {
        let mut index = 0;
        course.retain(|_| {
            index += 1;
            index % 2 == 0
        });
    }
    course.push(point);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_can_be_drawn() {
        for points in [
            vec![],
            vec![(1.0, 2.0)],
            vec![(0.0, 0.0), (1.0, f64::NAN)],
            (0..5000).map(|i| (f64::from(i), f64::from(i % 7))).collect(),
        ] {
            let text = draw("a", "games", &[Curve::new("first", points)], &[0.0]).into_string();
            assert!(!text.contains("NaN") && !text.contains("inf") && text.len() < 12_000, "{text}");
        }
    }

    #[test]
    fn a_single_point_has_an_error_bar() {
        let curve = Curve { class: "first", points: vec![(4.0, 10.0)], band: vec![(4.0, -90.0, 110.0)] };
        let text = draw("a", "games", &[curve], &[0.0]).into_string();
        assert!(text.contains("<line class=\"bar first\"") && text.contains("<circle"), "{text}");
    }

    #[test]
    fn axes_of_integers_have_no_fractions() {
        let axis =
            |points: &[(f64, f64)]| draw("a", "games", &[Curve::new("first", points.to_vec())], &[]).into_string();
        assert!(!axis(&[(2.0, 1.0), (3.0, 2.0)]).contains(">2.5<"));
        assert!(axis(&[(2.0, 1.0), (2.7, 2.0)]).contains(">2.2<"));
    }

    #[test]
    fn ticks_are_round_and_scores_are_clamped() {
        let written = |range| ticks(range).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(written((-1.0, 1.0)), ["−1", "−0.5", "0", "0.5", "1"]);
        assert_eq!(written((-0.011, 0.001)), ["−0.01", "−0.005", "0"], "neighbours differ");
        let levels = |unit| [Score::cp(-4_000), Score::win_in(3), Score::cp(35)].map(|score| level(score, unit));
        assert_eq!(levels(MateUnit::Moves), [-10.0, 10.0, 0.35]);
        assert_eq!(levels(MateUnit::Plies), [-3_000.0, 3_000.0, 35.0]);
    }
}
