//! An option of an engine that is tuned.

use hasami_words::Message;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// See the module.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunedOption {
    pub name: String,
    /// Where the tuning begins.
    pub start: f64,
    pub low: f64,
    pub high: f64,
    /// The last iteration compares values so far on either side of the current one.
    pub step: f64,
    /// Only whole numbers are set.
    pub is_whole: bool,
}

impl FromStr for TunedOption {
    type Err = Message;

    /// `NAME=START,LOW,HIGH[,STEP]`; without a step a twentieth of the range. Whole numbers throughout make a whole option.
    fn from_str(text: &str) -> Result<Self, Message> {
        let refused = || Message::new("expected-tuned-option").with("found", text);
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
            return Err(Message::new("expected-start-in-range").with("found", text));
        }
        let step = if is_whole { step.max(0.5) } else { step };
        Ok(Self { name: name.trim().to_owned(), start, low, high, step, is_whole })
    }
}

impl TunedOption {
    /// The text that the engine is sent; `draw` (0 to 1) rounds up or down, so that whole numbers are right on average.
    pub fn text(&self, value: f64, draw: f64) -> String {
        let value = value.clamp(self.low, self.high);
        if self.is_whole {
            format!("{}", (value + draw).floor().clamp(self.low, self.high))
        } else {
            format!("{value:.6}")
        }
    }
}
