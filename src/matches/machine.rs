//! The description of a machine that played a game, for game records.

use hasami_words::heard_field;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Describes a machine and its engines.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MachineStamp {
    #[serde(deserialize_with = "heard_field")]
    pub name: String,
    /// A random number drawn when the machine's program was started, which distinguishes two machines of the same name.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub instance: u64,
    #[serde(deserialize_with = "heard_field")]
    pub processor: String,
    #[serde(deserialize_with = "heard_field")]
    pub version: String,
    /// Nodes per second of this program's own search on one of the cores that the machine lends.
    pub speed: u64,
    /// Times on the machine are multiplied by this factor.
    pub scale: f64,
    /// The names and versions that the engines report, in the match's engine order.
    #[serde(deserialize_with = "heard_field")]
    pub engines: Vec<String>,
    /// The first digits of the SHA-256 of each engine's program, in the match's engine order; empty if unknown.
    #[serde(skip_serializing_if = "Vec::is_empty", default, deserialize_with = "heard_field")]
    pub programs: Vec<String>,
}

const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Formats the machine as in `attic (AMD Ryzen 9 7950X, hasami 0.1.0)`.
impl fmt::Display for MachineStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, hasami {}", self.name, self.processor, self.version)?;
        if self.scale != 1.0 {
            write!(f, ", times x {:.2}", self.scale)?;
        }
        f.write_str(")")
    }
}
