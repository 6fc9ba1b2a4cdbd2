//! One machine beside the others: a line of the table.

/// See the module.
#[derive(Clone, PartialEq, Debug)]
pub struct MachineRow {
    pub name: String,
    pub place: String,
    pub games: u32,
    pub busy: u32,
    pub late: u32,
    /// Pairs (or games) that the first engine has lost, levelled and won.
    pub counts: [u32; 3],
    /// The probability of such a difference to the others, or a greater one, by chance.
    pub chance: f64,
    /// Nodes a second in its games, by the median of the other machines; `None`: not known.
    pub speed: Option<f64>,
    /// Why somebody should look at it.
    pub suspicions: Vec<String>,
}

impl MachineRow {
    /// `None`: nothing is strange.
    pub fn suspicion(&self) -> Option<String> {
        (!self.suspicions.is_empty()).then(|| self.suspicions.join(", and "))
    }

    /// The first line of a table whose names have this width.
    pub(super) fn head(width: usize) -> String {
        format!(
            "{:width$} {:>6} {:>16} {:>8} {:>6} {:>5} {:>5}  Processor",
            "Machine", "Games", "lost/level/won", "chance", "speed", "busy", "late"
        )
    }

    pub(super) fn line(&self, width: usize) -> String {
        let [lost, level, won] = self.counts;
        let speed = self.speed.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.2}"));
        let chance = if self.chance < 0.0001 { "<0.0001".to_owned() } else { format!("{:.4}", self.chance) };
        let counts = format!("{lost}/{level}/{won}");
        let Self { name, games, busy, late, place, .. } = self;
        format!("{name:width$} {games:>6} {counts:>16} {chance:>8} {speed:>6} {busy:>5} {late:>5}  {place}")
    }
}
