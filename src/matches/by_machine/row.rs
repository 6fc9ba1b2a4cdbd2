//! One machine compared with the others: a row of the table.

use hasami_words::text::padded;

/// One machine compared with the others.
#[derive(Clone, PartialEq, Debug)]
pub struct MachineRow {
    pub name: String,
    pub place: String,
    pub games: u32,
    pub busy: u32,
    pub late: u32,
    /// Pairs (or games) that the first engine has lost, drawn and won.
    pub counts: [u32; 3],
    /// Probability of this difference from the others, or a greater one, by chance.
    pub chance: f64,
    /// Nodes per second in the machine's games, divided by the median of the other machines; `None` if unknown.
    pub speed: Option<f64>,
    /// Reasons to inspect the machine.
    pub suspicions: Vec<String>,
}

impl MachineRow {
    /// All suspicions as one message; `None` if there is no suspicion.
    pub fn suspicion(&self) -> Option<String> {
        let moreover = |first: String, second| format!("{first}, and {second}");
        self.suspicions.iter().cloned().reduce(moreover)
    }

    /// The header of a table whose names have this width.
    pub(super) fn head(width: usize) -> String {
        format!("{}  Games    lost/level/won   chance  speed  busy  late  Processor", padded("Machine", width))
    }

    pub(super) fn line(&self, width: usize) -> String {
        let [lost, level, won] = self.counts;
        let speed = self.speed.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.2}"));
        let chance = if self.chance < 0.0001 { "<0.0001".to_owned() } else { format!("{:.4}", self.chance) };
        let counts = format!("{lost}/{level}/{won}");
        let Self { games, busy, late, place, .. } = self;
        let name = padded(&self.name, width);
        format!("{name} {games:>6} {counts:>16} {chance:>8} {speed:>6} {busy:>5} {late:>5}  {place}")
    }
}
