//! The machine on which a game was played, as records tell it.

use hasami_words::heard_field;
use serde::{Deserialize, Serialize};
use std::fmt;

/// See the module.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MachineStamp {
    /// Its name, as its owner gave it.
    #[serde(deserialize_with = "heard_field")]
    pub name: String,
    /// Drawn at its start: two machines of one name have two.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub instance: u64,
    /// The kind of its processor.
    #[serde(deserialize_with = "heard_field")]
    pub processor: String,
    /// The version of this program there.
    #[serde(deserialize_with = "heard_field")]
    pub version: String,
    /// Nodes a second of this program's own search, on one of the cores that it lends.
    pub speed: u64,
    /// Times were multiplied by this.
    pub scale: f64,
    /// What else the machine did meanwhile; none: nothing that was noticed.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "heard_field")]
    pub busy: Option<String>,
    /// The engines' own names and versions, in the order of the match.
    #[serde(deserialize_with = "heard_field")]
    pub engines: Vec<String>,
    /// Beginnings of the SHA-256 of their programs, empty where it is not known; in the same order.
    #[serde(skip_serializing_if = "Vec::is_empty", default, deserialize_with = "heard_field")]
    pub programs: Vec<String>,
}

const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The place of a game: `attic (AMD Ryzen 9 7950X, hasami 0.1.0)`.
impl fmt::Display for MachineStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, hasami {}", self.name, self.processor, self.version)?;
        if self.scale != 1.0 {
            write!(f, ", times x {:.2}", self.scale)?;
        }
        if let Some(busy) = &self.busy {
            write!(f, ", busy: {busy}")?;
        }
        f.write_str(")")
    }
}
