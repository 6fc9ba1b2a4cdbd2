//! Labelled positions, one per line: `POSITION;CENTIPAWNS;RESULT`. Score and result are for the first player; the
//! result is `-` if it is unknown.

use crate::tunable::Tunable;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A labelled position. The feature counts of a sample are a range of [`Data::counts`].
#[derive(Clone, Copy)]
pub struct Sample {
    first: usize,
    last: usize,
    pub phase: f32,
    pub scale: f32,
    pub fixed: f32,
    /// Expected result for the first player, from 0 to 1.
    pub target: f32,
}

/// All samples, with their feature counts in one list.
#[derive(Default)]
pub struct Data {
    pub samples: Vec<Sample>,
    counts: Vec<(u16, i16)>,
}

/// How a label is converted to a target.
#[derive(Clone, Copy)]
pub struct Labels {
    /// Scale of the logistic curve: a score of this number of centipawns has an expected result of 73 %.
    pub curve: f32,
    /// Weight of the game's result in the target, if the result is known.
    pub result_share: f32,
}

impl Labels {
    /// The expected result at `centipawns`.
    pub fn expectation(self, centipawns: f32) -> f32 {
        1.0 / (1.0 + (-centipawns / self.curve).exp())
    }

    fn target(self, centipawns: f32, result: Option<f32>) -> f32 {
        let by_score = self.expectation(centipawns);
        result.map_or(by_score, |result| by_score + self.result_share * (result - by_score))
    }
}

impl Data {
    pub fn counts(&self, sample: &Sample) -> &[(u16, i16)] {
        &self.counts[sample.first..sample.last]
    }

    /// Reads a whole file. An error names the line.
    pub fn read<T: Tunable>(&mut self, path: &Path, labels: Labels) -> Result<(), String> {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        for (number, line) in BufReader::new(file).lines().enumerate() {
            let place = |error: String| format!("{}:{}: {error}", path.display(), number + 1);
            let line = line.map_err(|error| place(error.to_string()))?;
            self.add::<T>(&line, labels).map_err(place)?;
        }
        Ok(())
    }

    fn add<T: Tunable>(&mut self, line: &str, labels: Labels) -> Result<(), String> {
        let fields: Vec<&str> = line.split(';').collect();
        let [position, score, result] = fields[..] else {
            return Err(format!("expected POSITION;CENTIPAWNS;RESULT, found '{line}'"));
        };
        let score: f32 = score.parse().map_err(|_| format!("expected centipawns, found '{score}'"))?;
        let result = match result {
            "-" => None,
            _ => Some(result.parse::<f32>().map_err(|_| format!("expected a result or '-', found '{result}'"))?),
        };
        let terms = T::terms(position)?;
        let first = self.counts.len();
        self.counts.extend(terms.counts);
        self.samples.push(Sample {
            first,
            last: self.counts.len(),
            phase: terms.phase,
            scale: terms.scale,
            fixed: terms.fixed,
            target: labels.target(score, result),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tunable::Terms;
    use hasami_api::Group;

    struct Ones;

    impl Tunable for Ones {
        const NAME: &'static str = "ones";

        fn groups() -> Vec<Group> {
            vec![("one", 2)]
        }

        fn initial() -> Vec<i32> {
            vec![0, 0]
        }

        fn terms(position: &str) -> Result<Terms, String> {
            let count = position.parse().map_err(|_| format!("expected a number, found '{position}'"))?;
            Ok(Terms { counts: vec![(0, count)], phase: 1.0, scale: 1.0, fixed: 0.0 })
        }
    }

    const LABELS: Labels = Labels { curve: 100.0, result_share: 0.5 };

    #[test]
    fn lines_become_samples() {
        let mut data = Data::default();
        data.add::<Ones>("3;0;-", LABELS).expect("well formed");
        data.add::<Ones>("-1;0;1", LABELS).expect("well formed");
        assert_eq!(data.counts(&data.samples[0]), [(0, 3)]);
        assert_eq!(data.counts(&data.samples[1]), [(0, -1)]);
        assert_eq!(data.samples[0].target, 0.5);
        assert_eq!(data.samples[1].target, 0.75);
    }

    #[test]
    fn errors_say_what_was_found() {
        let mut data = Data::default();
        for (line, part) in [("1;2", "'1;2'"), ("1;x;-", "'x'"), ("1;2;won", "'won'"), ("z;2;1", "'z'")] {
            let error = data.add::<Ones>(line, LABELS).expect_err("malformed");
            assert!(error.contains(part), "{error}");
        }
    }
}
