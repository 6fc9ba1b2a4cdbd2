//! Calibration of probabilities: do events predicted with a probability of 30 % happen in 30 % of the cases? (DeGroot
//! and Fienberg 1983)

/// Number of bins; all have the same width.
const BINS: usize = 10;

/// Events grouped by their predicted probability.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calibration {
    bins: [Bin; BINS],
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Bin {
    events: u64,
    happened: u64,
    probability: f64,
}

/// The figures of one non-empty bin.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Point {
    pub events: u64,
    /// Mean predicted probability.
    pub said: f64,
    /// Share of the events that happened.
    pub seen: f64,
    /// Lower and upper end of the 95 % interval of that share (Wilson 1927).
    pub low: f64,
    pub high: f64,
}

impl Calibration {
    pub fn add(&mut self, probability: f64, happened: bool) {
        let bin = &mut self.bins[((probability * BINS as f64) as usize).min(BINS - 1)];
        bin.events += 1;
        bin.happened += u64::from(happened);
        bin.probability += probability;
    }

    pub fn points(&self) -> Vec<Point> {
        let held = self.bins.iter().filter(|bin| bin.events > 0);
        held.map(|bin| {
            let events = bin.events as f64;
            let seen = bin.happened as f64 / events;
            let (low, high) = wilson(seen, events);
            Point { events: bin.events, said: bin.probability / events, seen, low, high }
        })
        .collect()
    }

    /// Expected calibration error: the mean absolute difference between predicted and observed shares, weighted by
    /// events.
    pub fn error(&self) -> f64 {
        let points = self.points();
        let events: f64 = points.iter().map(|point| point.events as f64).sum();
        let off: f64 = points.iter().map(|point| point.events as f64 * (point.said - point.seen).abs()).sum();
        off / events.max(1.0)
    }
}

fn wilson(share: f64, events: f64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let spread = Z * (share * (1.0 - share) / events + Z * Z / (4.0 * events * events)).sqrt();
    let (centre, scale) = (share + Z * Z / (2.0 * events), 1.0 + Z * Z / events);
    ((centre - spread) / scale, (centre + spread) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn true_probabilities_have_no_error_but_wrong_ones_do() {
        let (mut fair, mut bold) = (Calibration::default(), Calibration::default());
        for event in 0..1_000 {
            fair.add(0.25, event % 4 == 0);
            bold.add(0.75, event % 4 == 0);
        }
        assert!(fair.error() < 1e-9 && (bold.error() - 0.5).abs() < 1e-9);
        let point = fair.points()[0];
        assert_eq!((point.events, point.seen), (1_000, 0.25));
        assert!(point.low < 0.25 && point.high > 0.25 && point.high - point.low < 0.06, "{point:?}");
    }

    #[test]
    fn probabilities_0_and_1_have_bins_and_valid_intervals() {
        let mut ends = Calibration::default();
        ends.add(1.0, true);
        ends.add(0.0, false);
        let points = ends.points();
        assert_eq!(points.len(), 2);
        assert!(points.iter().all(|point| point.low >= -1e-12 && point.high <= 1.0 + 1e-12), "{points:?}");
    }
}
