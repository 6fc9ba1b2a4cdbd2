//! Draws curves in a common coordinate system as SVG, such as the losses of a training run or the parameters of a
//! tuning.

use super::{anchored, page, rule};
use svg::node::element::Polyline;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 44.0;
const COLOURS: [&str; 8] = ["#1b6ca8", "#c0392b", "#2e8b57", "#b8860b", "#6a4c93", "#008b8b", "#d2691e", "#555555"];

#[derive(Clone, PartialEq, Debug)]
pub struct NamedCurve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Draws curves. `axes` are the labels of the horizontal and the vertical axis.
pub fn draw(title: &str, axes: [&str; 2], curves: &[NamedCurve]) -> String {
    draw_between(title, axes, curves, None)
}

/// Draws curves; `bounds`, if given, is the range of the vertical axis.
pub fn draw_between(title: &str, axes: [&str; 2], curves: &[NamedCurve], bounds: Option<(f64, f64)>) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points).filter(|(x, y)| x.is_finite() && y.is_finite());
    let range = |value: fn(&(f64, f64)) -> f64| {
        let (low, high) = points().map(value).fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        if low < high { (low, high) } else { (low.min(0.0), low.max(0.0) + 1.0) }
    };
    let (xs, ys) = match points().next() {
        Some(_) => (range(|point| point.0), range(|point| point.1)),
        None => ((0.0, 1.0), (0.0, 1.0)),
    };
    let ys = bounds.unwrap_or(ys);
    let x = |value: f64| LEFT + (value - xs.0) / (xs.1 - xs.0) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - (value - ys.0) / (ys.1 - ys.0) * (HEIGHT - TOP - BOTTOM);
    let mut page = page(WIDTH, HEIGHT);
    page = page.add(anchored(title, LEFT, 22.0, 15.0, "start"));
    for value in ticks(ys) {
        page = page.add(rule(LEFT, y(value), WIDTH - RIGHT, y(value), "#ddd"));
        page = page.add(anchored(&number(value, ys), LEFT - 8.0, y(value) + 4.0, 11.0, "end"));
    }
    for value in ticks(xs) {
        page = page.add(anchored(&number(value, xs), x(value), HEIGHT - BOTTOM + 17.0, 11.0, "middle"));
    }
    page = page.add(anchored(axes[0], f64::midpoint(LEFT, WIDTH - RIGHT), HEIGHT - 10.0, 12.0, "middle"));
    page = page.add(anchored(axes[1], 12.0, TOP - 6.0, 12.0, "start"));
    for (index, curve) in curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let finite = curve.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
        let way: Vec<_> = finite.map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
        let line = Polyline::new().set("points", way.join(" ")).set("fill", "none");
        page = page.add(line.set("stroke", colour).set("stroke-width", 1.6));
        let row = TOP + 16.0 * (index as f64 + 1.0);
        page = page.add(anchored(&curve.name, WIDTH - RIGHT + 10.0, row, 12.0, "start").set("fill", colour));
    }
    page.to_string() + "\n"
}

/// Chooses the distance between ticks: 1, 2 or 5 times a power of ten.
fn step((low, high): (f64, f64)) -> f64 {
    let rough = (high - low) / 6.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    power * [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0)
}

fn ticks(range: (f64, f64)) -> Vec<f64> {
    let step = step(range);
    let first = (range.0 / step).ceil();
    (0..20).map(|n| (first + f64::from(n)) * step).take_while(|&value| value <= range.1 + step * 1e-9).collect()
}

fn number(value: f64, range: (f64, f64)) -> String {
    let digits = (-step(range).log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_spans_the_page_and_has_its_name() {
        let curve = NamedCurve { name: "loss <1>".into(), points: vec![(0.0, 0.5), (1.0, f64::NAN), (10.0, 0.25)] };
        let picture = draw("a title", ["steps", "loss"], &[curve]);
        assert!(picture.contains("points=\"70.0,40.0 790.0,376.0\""), "{picture}");
        assert!(picture.contains("loss &lt;1&gt;") && picture.contains("\n0.30\n"), "{picture}");
    }

    #[test]
    fn no_points_and_a_single_point_can_be_drawn() {
        let point = NamedCurve { name: "one".into(), points: vec![(3.0, 7.0)] };
        for picture in [draw("", ["", ""], &[]), draw("", ["", ""], &[point])] {
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        }
    }
}
