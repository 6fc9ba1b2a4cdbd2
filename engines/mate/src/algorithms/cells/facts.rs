//! Facts found by cells, as they tell them and as a host passes them on.

use crate::core::fact::Fact;
use hasami_api::Hand;
use std::fmt;
use std::str::FromStr;

/// Facts that a cell tells after a task: those that cost most.
const TOLD: usize = 32;
/// Facts that a host passes on at once.
const PASSED_ON: usize = 512;

/// The dearest, which are worth telling.
pub(crate) fn dearest(mut facts: Vec<Fact>) -> Vec<Fact> {
    facts.sort_unstable_by_key(|fact| (std::cmp::Reverse(fact.work), fact.key));
    facts.dedup_by_key(|fact| (fact.key, fact.hand.bits()));
    facts.truncate(TOLD);
    facts
}

/// `1f3a:201:17:512`: key and hand in hexadecimal, plies or `-`, and what it cost.
impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, hand, plies, work } = self;
        let plies = plies.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
        write!(f, "{key:x}:{:x}:{plies}:{work}", hand.bits())
    }
}

impl FromStr for Fact {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.split(':');
        let mut next = || parts.next().ok_or(());
        let key = u64::from_str_radix(next()?, 16).map_err(drop)?;
        let bits = u32::from_str_radix(next()?, 16).map_err(drop)?;
        let plies = match next()? {
            "-" => None,
            plies => Some(plies.parse::<u16>().ok().filter(|&plies| plies <= i16::MAX as u16).ok_or(())?),
        };
        let work = next()?.parse().map_err(drop)?;
        let hand = Hand::from_bits(bits);
        let is_whole = parts.next().is_none() && hand.bits() == bits;
        if is_whole { Ok(Self { key, hand, plies, work }) } else { Err(()) }
    }
}

/// Facts that a host has been told, and how far each cell has been told of them.
#[derive(Default)]
pub(crate) struct Facts {
    /// With the cell that told it.
    all: Vec<(usize, Fact)>,
    told: Vec<usize>,
}

impl Facts {
    pub(crate) fn add(&mut self, cell: usize, facts: Vec<Fact>) {
        self.all.extend(facts.into_iter().map(|fact| (cell, fact)));
    }

    /// Facts that others have found since this was asked for this cell.
    pub(crate) fn news_for(&mut self, cell: usize) -> Vec<Fact> {
        if self.told.len() <= cell {
            self.told.resize(cell + 1, 0);
        }
        let from = self.told[cell].max(self.all.len().saturating_sub(PASSED_ON));
        self.told[cell] = self.all.len();
        self.all[from..].iter().filter(|(other, _)| *other != cell).map(|&(_, fact)| fact).collect()
    }
}
