//! Changes to a match after its journal was begun. Each change is a line between the games, which readers apply to the
//! header. The header itself is never rewritten, so nothing is lost if the program is killed.

use super::MatchHeader;
use crate::identity::Identities;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The text with which every amendment line begins.
const MARK: &str = "{\"amended\":";

/// Changes to a header.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Amendment {
    /// The new number of games per pairing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    #[serde(default, skip_serializing_if = "Identities::is_empty")]
    pub identities: Identities,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AmendmentLine {
    pub amended: Amendment,
}

pub(super) fn is_amendment(line: &str) -> bool {
    line.starts_with(MARK)
}

impl MatchHeader {
    pub fn games(&self) -> Option<u32> {
        u32::try_from(self.plan["schedule"]["games"].as_u64()?).ok()
    }

    pub(super) fn amend_by(&mut self, line: &str) -> serde_json::Result<()> {
        self.amend(serde_json::from_str::<AmendmentLine>(line)?.amended);
        Ok(())
    }

    pub fn amend(&mut self, amendment: Amendment) {
        if let Some(games) = amendment.games
            && let Some(place) = self.plan.get_mut("schedule").and_then(|schedule| schedule.get_mut("games"))
        {
            *place = Value::from(games);
        }
        self.identities.absorb(amendment.identities);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{MatchJournal, read_header};
    use super::*;
    use crate::schedule::Schedule;
    use hasami_api::{GameRecord, Outcome};

    fn header(games: u32) -> MatchHeader {
        let schedule = Schedule { games, ..Schedule::default() };
        MatchHeader::new(serde_json::json!({"game": "chess", "schedule": schedule}), vec!["--games".into()], vec![])
    }

    fn record() -> GameRecord {
        GameRecord { outcome: Outcome::Draw, ..GameRecord::default() }
    }

    #[test]
    fn an_extended_match_records_its_new_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let mut journal = MatchJournal::create(&path, &header(2)).unwrap();
        journal.add([(0, &record(), None)]).unwrap();
        let before = std::fs::read(&path).unwrap();
        journal.amend(&Amendment { games: Some(8), ..Amendment::default() }).unwrap();
        drop(journal);
        let all = std::fs::read(&path).unwrap();
        assert_eq!((read_header(&path).unwrap().games(), read_header(&path).unwrap().arguments.len()), (Some(8), 1));
        // The file may be cut off anywhere: the amendment is then complete or ignored.
        for cut in before.len()..=all.len() {
            std::fs::write(&path, &all[..cut]).unwrap();
            let wanted = if cut == all.len() { 8 } else { 2 };
            assert_eq!(read_header(&path).unwrap().games(), Some(wanted), "cut at {cut}");
            let (journal, found, games) = MatchJournal::resume(&path, &[]).unwrap();
            assert_eq!((found.games(), games.len()), (Some(wanted), 1), "cut at {cut}");
            drop(journal);
        }
    }

    #[test]
    fn a_plan_without_a_schedule_is_not_changed() {
        let mut odd = MatchHeader::new(serde_json::json!(7), Vec::new(), Vec::new());
        odd.amend(Amendment { games: Some(8), ..Amendment::default() });
        assert_eq!((odd.plan.clone(), odd.games()), (serde_json::json!(7), None));
        assert!(odd.amend_by("{\"amended\":{\"games\":\"x\"}}").is_err());
    }
}
