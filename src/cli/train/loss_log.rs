//! The losses of a training run: a table and its picture.

use hasami_pictures::line_chart::{self, NamedCurve};
use std::fs;
use std::path::Path;

/// Rows of step, training loss, and held-out loss where it was measured.
#[derive(Default)]
pub struct LossLog {
    rows: Vec<(u64, f64, Option<f32>)>,
}

impl LossLog {
    /// Reads the log of an earlier run, which may not exist.
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        let row = |line: &str| {
            let mut fields = line.split('\t');
            let (step, loss) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
            Some((step, loss, fields.next().and_then(|field| field.parse().ok())))
        };
        Self { rows: text.lines().filter_map(row).collect() }
    }

    pub fn add(&mut self, step: u64, loss: f64, held_out: Option<f32>) {
        // After an interruption, some steps are repeated.
        self.rows.retain(|row| row.0 < step);
        self.rows.push((step, loss, held_out));
    }

    /// The losses separated by tabs, with a head.
    pub fn table(&self) -> String {
        let mut text = String::from("step\tloss\theld out\n");
        for (step, loss, held_out) in &self.rows {
            text += &format!("{step}\t{loss:.7}\t{}\n", held_out.map_or_else(String::new, |loss| format!("{loss:.7}")));
        }
        text
    }

    /// A picture of the losses, without the first steps, which would flatten the rest.
    pub fn picture(&self, title: &str) -> String {
        let last = self.rows.last().map_or(0, |row| row.0);
        let rows = || self.rows.iter().filter(move |row| row.0 >= last / 50);
        let learned = rows().map(|row| (row.0 as f64, row.1)).collect();
        let held_out = rows().filter_map(|row| Some((row.0 as f64, f64::from(row.2?)))).collect();
        let curves = [
            NamedCurve { name: "learned".to_owned(), points: learned },
            NamedCurve { name: "held out".to_owned(), points: held_out },
        ];
        line_chart::draw(title, ["steps", "mean squared error of expected points"], &curves)
    }
}
