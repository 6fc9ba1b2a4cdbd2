//! The table of losses in a training run.

use std::fs;
use std::path::Path;

/// Rows of step, training loss, and held-out loss if it was measured at this step.
#[derive(Default)]
pub struct LossLog {
    rows: Vec<(u64, f64, Option<f32>)>,
}

impl LossLog {
    /// Reads the log of an earlier run, or returns an empty log if there is no file.
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
        // If an interrupted run repeats steps, their old rows are removed.
        self.rows.retain(|row| row.0 < step);
        self.rows.push((step, loss, held_out));
    }

    /// Formats the losses as a table: a header line, and fields separated by tabs.
    pub fn table(&self) -> String {
        let mut text = String::from("step\tloss\theld out\n");
        for (step, loss, held_out) in &self.rows {
            text += &format!("{step}\t{loss:.7}\t{}\n", held_out.map_or_else(String::new, |loss| format!("{loss:.7}")));
        }
        text
    }
}
