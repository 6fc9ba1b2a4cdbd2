//! The subcommand `hasami-lab waste`: reports how the workers' time was spent.

use hasami_lab::waste::Waste;
use hasami_matches::record;
use hasami_terminal::Failure;
use hasami_words::files;
use hasami_words::text::padded;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

/// Show how the workers of a virtual cluster spent their time, by cause
///
/// The logs are written by `hasami-lab virtual --log` (in a match: args="virtual --log FILE"). The table has one column per log.
#[derive(clap::Args)]
pub struct Spending {
    /// Log files
    #[arg(value_name = "DIARY", required = true)]
    diaries: Vec<PathBuf>,

    /// Also write the figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Spending {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let read = |path: &PathBuf| read(path);
        let found = self.diaries.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mut rows: Vec<(String, Vec<String>)> = vec![
            row("workers".to_owned(), &found, |waste| waste.workers.to_string()),
            row("moves".to_owned(), &found, |waste| waste.moves.to_string()),
        ];
        for cause in 0..Waste::default().shares().len() {
            let name = Waste::default().shares()[cause].0;
            let name = name.to_string();
            rows.push(row(name, &found, |waste| format!("{:.1} %", 100.0 * waste.shares()[cause].1)));
        }
        for (name, share) in QUANTILES {
            let name = format!("news a worker and move, {name}");
            rows.push(row(name, &found, |waste| format!("{:.1} KiB", waste.told_at(share) as f64 / 1024.0)));
        }
        let width = rows.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
        for (name, cells) in rows {
            let cells: String = cells.iter().map(|cell| format!("{cell:>12}")).collect();
            writeln!(out, "{}{cells}", padded(&name, width))?;
        }
        let Some(path) = &self.json else { return Ok(()) };
        let entries = self.diaries.iter().zip(&found).map(|(path, waste)| entry(path, waste));
        let text = json!({ "diaries": entries.collect::<Vec<_>>() });
        record::replace(path, format!("{text:#}\n")).map_err(|error| Failure::unwritable("--json", path, &error))
    }
}

const QUANTILES: [(&str, f64); 3] = [("median", 0.5), ("90 %", 0.9), ("most", 1.0)];

fn read(path: &Path) -> Result<Waste, Failure> {
    let place = format!("'{}'", path.display());
    let text = files::read_text(path, "diary").map_err(|why| Failure::at(&place, why))?;
    Waste::read(&text).map_err(|why| Failure::at(&place, why))
}

fn row(name: String, found: &[Waste], cell: impl Fn(&Waste) -> String) -> (String, Vec<String>) {
    (name, found.iter().map(cell).collect())
}

fn entry(path: &Path, waste: &Waste) -> Value {
    let shares: Map<String, Value> =
        waste.shares().into_iter().map(|(cause, share)| (cause.to_owned(), json!(share))).collect();
    let told: Map<String, Value> =
        QUANTILES.into_iter().map(|(name, share)| (name.to_owned(), json!(waste.told_at(share)))).collect();
    json!({
        "diary": path.display().to_string(),
        "workers": waste.workers,
        "moves": waste.moves,
        "shares": shares,
        "milliseconds": waste.spent,
        "bytes": told,
    })
}
