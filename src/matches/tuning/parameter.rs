//! An engine option that is being tuned.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunedOption {
    pub name: String,
    /// The initial value.
    pub start: f64,
    pub low: f64,
    pub high: f64,
    /// In the last iteration, each of the two points differs from the current value by this much.
    pub step: f64,
    /// Whether the option takes only integers.
    pub is_whole: bool,
}

impl FromStr for TunedOption {
    type Err = String;

    /// Parses `NAME=START,LOW,HIGH[,STEP]`. The default of STEP is a twentieth of the range. The option is an integer
    /// if all numbers in the text are integers.
    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("expected NAME=START,LOW,HIGH or NAME=START,LOW,HIGH,STEP, found '{text}'");
        let (name, numbers) = text.rsplit_once('=').ok_or_else(refused)?;
        let fields: Vec<_> = numbers.split(',').map(str::trim).collect();
        let values: Vec<f64> =
            fields.iter().map(|field| field.parse()).collect::<Result<_, _>>().map_err(|_| refused())?;
        let is_whole = fields.iter().take(3).all(|field| field.parse::<i64>().is_ok());
        let (start, low, high, step) = match values[..] {
            [start, low, high] => (start, low, high, (high - low) / 20.0),
            [start, low, high, step] => (start, low, high, step),
            _ => return Err(refused()),
        };
        if !values.iter().all(|value| value.is_finite()) || name.is_empty() {
            return Err(refused());
        }
        if low >= high || !(low..=high).contains(&start) || step <= 0.0 {
            return Err(format!("expected a start in the range and a step above 0, found '{text}'"));
        }
        let step = if is_whole { step.max(0.5) } else { step };
        Ok(Self { name: name.trim().to_owned(), start, low, high, step, is_whole })
    }
}

impl TunedOption {
    /// Formats the value for the engine. `draw` (0 to 1) decides whether an integer is rounded up or down, so that the
    /// mean of the rounded values is `value`.
    pub fn text(&self, value: f64, draw: f64) -> String {
        let value = value.clamp(self.low, self.high);
        if self.is_whole {
            format!("{}", (value + draw).floor().clamp(self.low, self.high))
        } else {
            format!("{value:.6}")
        }
    }
}
