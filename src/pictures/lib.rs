//! Draws SVG pictures: boards, curves, and basic shapes.
//!
//! - [`board`]: a position as a diagram, for picture files, the web page and mate proofs
//! - [`line_chart`]: curves over a common axis
//! - here: pages, labels, bars and rules, for charts of other shapes
//!
//! ```
//! let picture = hasami_pictures::page(40.0, 20.0).add(hasami_pictures::label("mate in 3", 5.0, 15.0, 10.0));
//! assert!(picture.to_string().contains("mate in 3"));
//! ```
//!
//! This crate does not know the rules of any game.

pub mod board;
pub mod line_chart;

use svg::Document;
use svg::node::element::{Line, Rectangle, Text};

/// Font families with chess pieces and Japanese characters, for all common operating systems.
pub const FONTS: &str = "'Noto Sans CJK JP', 'Noto Sans JP', 'Hiragino Sans', 'Yu Gothic', 'IPAexGothic', 'IPAGothic', 'Noto Sans Symbols2', \
                     'DejaVu Sans', sans-serif";

/// Creates an empty white page.
pub fn page(width: f64, height: f64) -> Document {
    let page = Document::new().set("viewBox", (0.0, 0.0, width, height)).set("font-family", "sans-serif");
    page.add(Rectangle::new().set("width", width).set("height", height).set("fill", "white"))
}

pub fn label(text: &str, x: f64, y: f64, size: f64) -> Text {
    Text::new(text).set("x", x).set("y", y).set("font-size", size).set("fill", "#222")
}

/// Creates a label. `anchor` is the point of the text that lies at (x, y): start, middle or end.
pub fn anchored(text: &str, x: f64, y: f64, size: f64, anchor: &str) -> Text {
    label(text, x, y, size).set("text-anchor", anchor)
}

pub fn bar(x: f64, y: f64, width: f64, height: f64, colour: &str) -> Rectangle {
    Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height.max(0.0)).set("fill", colour)
}

pub fn rule(x1: f64, y1: f64, x2: f64, y2: f64, colour: &str) -> Line {
    Line::new().set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2).set("stroke", colour)
}
