//! Curves of the page. Colours come from the style sheet, so that they fit light and dark.

use hasami_api::{Score, ScoreKind};
use maud::{Markup, html};

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 24.0;
/// More points than the curve has pixels are not drawn.
const POINTS: usize = 400;

/// A curve over a common axis.
pub struct Curve {
    /// Its class, and its name for those who cannot see it.
    pub class: &'static str,
    pub points: Vec<(f64, f64)>,
    /// The lower and upper end of an error bar at each point, or nothing.
    pub band: Vec<(f64, f64, f64)>,
}

impl Curve {
    pub const fn new(class: &'static str, points: Vec<(f64, f64)>) -> Self {
        Self { class, points, band: Vec::new() }
    }
}

/// Pawns, cut where nobody counts any more; a forced end is at the edge.
pub fn pawns(score: Score) -> f64 {
    const MOST: f64 = 10.0;
    match score.kind() {
        ScoreKind::Cp(cp) => (f64::from(cp) / 100.0).clamp(-MOST, MOST),
        ScoreKind::Mate(_) if score.is_win() => MOST,
        ScoreKind::Mate(_) => -MOST,
    }
}

/// `lines` are levels to be marked, `label` is read aloud.
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
            @for level in ticks(ys) {
                line class="grid" x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y(level)) y2=(y(level)) {}
                text class="tick" x=(LEFT - 6.0) y=(y(level) + 4.0) text-anchor="end" { (number(level)) }
            }
            @for level in lines { line class="level" x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y(*level)) y2=(y(*level)) {} }
            // The last ones would lie under the axis' name. There is no half of a game.
            @for level in ticks(xs).into_iter().filter(|&level| x(level) < WIDTH - RIGHT - 60.0 && (!counts || level.fract() == 0.0)) {
                text class="tick" x=(x(level)) y=(HEIGHT - 8.0) text-anchor="middle" { (number(level)) }
            }
            text class="tick" x=(WIDTH - RIGHT) y=(HEIGHT - 8.0) text-anchor="end" { (axis) }
            @for curve in curves {
                @if !curve.band.is_empty() { polygon class={ "band " (curve.class) } points=(area(&curve.band)) {} }
                @match curve.points.as_slice() {
                    [] => {}
                    [(a, b)] => {
                        // A band of one point has no area.
                        @if let [(_, low, high)] = curve.band[..] { line class={ "bar " (curve.class) } x1=(x(*a)) x2=(x(*a)) y1=(y(low)) y2=(y(high)) {} }
                        circle class={ "dot " (curve.class) } cx=(x(*a)) cy=(y(*b)) r="3" {}
                    }
                    points => { polyline class={ "curve " (curve.class) } points=(way(points)) {} }
                }
            }
        }
    }
}

/// Round values within a range, some four of them.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..).map(|n| n as f64 * step).take_while(|value| *value <= high).take(12).collect()
}

fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

/// Adds a point to a course of at most `most` points: of a longer one every other is forgotten.
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
    fn one_point_has_its_error_as_a_bar() {
        let curve = Curve { class: "first", points: vec![(4.0, 10.0)], band: vec![(4.0, -90.0, 110.0)] };
        let text = draw("a", "games", &[curve], &[0.0]).into_string();
        assert!(text.contains("<line class=\"bar first\"") && text.contains("<circle"), "{text}");
    }

    #[test]
    fn whole_numbers_have_no_halves_between_them() {
        let axis =
            |points: &[(f64, f64)]| draw("a", "games", &[Curve::new("first", points.to_vec())], &[]).into_string();
        assert!(!axis(&[(2.0, 1.0), (3.0, 2.0)]).contains(">2.5<"));
        assert!(axis(&[(2.0, 1.0), (2.7, 2.0)]).contains(">2.2<"));
    }

    #[test]
    fn ticks_are_round_and_scores_are_cut() {
        assert_eq!(ticks((-1.0, 1.0)), [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert_eq!(number(-0.5), "−0.5");
        assert_eq!((pawns(Score::cp(-2500)), pawns(Score::win_in(3)), pawns(Score::cp(35))), (-10.0, 10.0, 0.35));
    }
}
