//! Draws figures 4 and 5 of Yokoyama et al. 2014 as SVG.

use super::models::{CLASSES, OUT_OF_RANK, class_name};
use super::study::{RANKS, Study};
use hasami_pictures::{anchored, bar, rule};
use svg::Document;
use svg::node::element::Text;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 120.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;
const COLOURS: [&str; 5] = ["#1b6ca8", "#c0392b", "#2e8b57", "#b8860b", "#6a4c93"];

/// Draws figures 4 and 5, and returns them with their file names.
pub fn all(study: &Study) -> Vec<(&'static str, String)> {
    vec![("figure4.svg", figure4(study)), ("figure5.svg", figure5(study))]
}

/// Draws the strength of each class.
fn figure4(study: &Study) -> String {
    let highest = study.gap.strengths.iter().copied().fold(1.0, f64::max);
    let frame = LearningAxes { top: (highest * 5.0).ceil() / 5.0, slots: CLASSES };
    let mut picture = frame.page(&format!("Strength by gap: {}", study.title), "strength");
    for (class, &strength) in study.gap.strengths.iter().enumerate() {
        let (x, y) = (frame.slot(class, 0.15), frame.y(strength));
        picture = picture.add(bar(x, y, frame.width(0.7), frame.y(0.0) - y, COLOURS[0]));
        picture = picture.add(anchored(&format!("{strength:.3}"), frame.slot(class, 0.5), y - 5.0, 11.0, "middle"));
        picture = picture.add(anchored(&class_name(class), frame.slot(class, 0.5), HEIGHT - 36.0, 11.0, "middle"));
    }
    picture.add(below("centipawns behind the best move")).to_string()
}

/// Draws the ranks of the played moves, by gap class.
fn figure5(study: &Study) -> String {
    let figure = &study.figure5;
    let frame = LearningAxes { top: 1.0, slots: OUT_OF_RANK };
    let mut picture =
        frame.page(&format!("Rank of the move played, by its gap: {}", study.title), "share of the class");
    for class in 0..OUT_OF_RANK {
        let mut height = 0.0;
        for (rank, colour) in RANKS.zip(COLOURS) {
            let share = figure.share(class, rank);
            let y = frame.y(height + share);
            picture = picture.add(bar(frame.slot(class, 0.15), y, frame.width(0.7), frame.y(height) - y, colour));
            height += share;
        }
        let middle = frame.slot(class, 0.5);
        let count = format!("n={}", figure.total(class));
        picture = picture.add(anchored(&count, middle, frame.y(height) - 5.0, 10.0, "middle"));
        picture = picture.add(anchored(&class_name(class), middle, HEIGHT - 36.0, 11.0, "middle"));
    }
    for (row, (rank, colour)) in RANKS.zip(COLOURS).enumerate() {
        picture = legend(picture, row, &format!("rank {}", rank + 1), colour);
    }
    picture.add(below("centipawns behind the best move")).to_string()
}

/// Maps data values to SVG coordinates.
struct LearningAxes {
    /// The value at the upper end of the vertical axis.
    top: f64,
    /// Number of columns.
    slots: usize,
}

impl LearningAxes {
    fn page(&self, title: &str, unit: &str) -> Document {
        let mut picture = hasami_pictures::page(WIDTH, HEIGHT);
        for fifth in 0..=5 {
            let value = self.top * f64::from(fifth) / 5.0;
            let y = self.y(value);
            picture = picture.add(rule(LEFT, y, WIDTH - RIGHT, y, if fifth == 0 { "#888" } else { "#ddd" }));
            picture = picture.add(anchored(&format!("{value:.2}"), LEFT - 8.0, y + 4.0, 11.0, "end"));
        }
        picture.add(anchored(title, 12.0, 20.0, 13.0, "start")).add(anchored(unit, 12.0, TOP - 10.0, 11.0, "start"))
    }

    fn x(&self, share: f64) -> f64 {
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - value.clamp(0.0, self.top) / self.top * (HEIGHT - TOP - BOTTOM)
    }

    /// The x coordinate of a point in the column `slot`, where `part` goes from 0 (left edge) to 1 (right edge).
    fn slot(&self, slot: usize, part: f64) -> f64 {
        self.x((slot as f64 + part) / self.slots as f64)
    }

    fn width(&self, part: f64) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.slots as f64 * part
    }
}

fn below(text: &str) -> Text {
    anchored(text, f64::midpoint(LEFT, WIDTH - RIGHT), HEIGHT - 14.0, 12.0, "middle")
}

fn legend(picture: Document, row: usize, text: &str, colour: &str) -> Document {
    let (x, y) = (WIDTH - RIGHT + 14.0, TOP + 18.0 * (row as f64 + 1.0));
    picture.add(bar(x, y - 9.0, 10.0, 10.0, colour)).add(anchored(text, x + 16.0, y, 12.0, "start"))
}
