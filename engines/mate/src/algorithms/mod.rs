//! The registry of algorithms. A new algorithm needs a file in this folder, a `mod` item and a line in the table below;
//! the command line, its help and its messages use the algorithm's description.

pub(crate) mod aohpas;
pub(crate) mod cells;
pub(crate) mod dfpn;
pub(crate) mod id;
pub(crate) mod levels;
pub(crate) mod parallel;
mod proof_numbers;

pub use cells::MateCell;

use crate::algorithm::{Capabilities, Description, MateAlgorithm, Registered};
use crate::interface::options::SolverOptions;
use hasami_api::MateGame;
use std::fmt;
use std::str::FromStr;

/// Creates [`Algorithm`] from lines with the name of an algorithm and the struct that implements it.
macro_rules! registry {
    ($($name:ident = $implementation:ty;)*) => {
        /// An algorithm for mates by checks; see [`Algorithm::description`].
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        pub enum Algorithm {
            $($name,)*
        }

        impl Algorithm {
            /// All algorithms, the default first.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name, the summary and the capabilities of the algorithm.
            pub const fn description(self) -> &'static Description {
                match self {
                    $(Self::$name => &<$implementation as Registered>::DESCRIPTION,)*
                }
            }

            /// Creates the algorithm with at most `bytes` bytes for its tables.
            pub(crate) fn create<G: MateGame>(
                self,
                options: &SolverOptions,
                bytes: usize,
            ) -> Box<dyn MateAlgorithm<G>> {
                match self {
                    $(Self::$name => Box::new(<$implementation as Registered>::new(options, bytes)),)*
                }
            }
        }
    };
}

registry! {
    Dfpn = dfpn::Sequential<false>;
    Parallel = parallel::ParallelSearch;
    Aohpas = aohpas::AohpasAlgorithm;
    Cells = cells::HostAndCells;
    Pds = dfpn::Sequential<true>;
    Id = id::Deepening;
    Levels = levels::LevelSynchronous;
}

impl Algorithm {
    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        self.description().name
    }

    /// Returns the algorithms with a capability, in registry order.
    pub fn with(can: impl Fn(&Capabilities) -> bool) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |algorithm| can(&algorithm.description().capabilities))
    }

    /// Returns the first algorithm with a capability, or the default algorithm if none has it.
    pub fn first_with(can: impl Fn(&Capabilities) -> bool) -> Self {
        Self::with(can).next().unwrap_or_default()
    }
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().copied().find(|algorithm| algorithm.name() == text);
        let names = || Self::ALL.iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>().join(", ");
        found.ok_or_else(|| format!("expected one of {}, found '{text}'", names()))
    }
}
