//! Collects the games of a match that other machines are playing at the moment, to be shown on the caller's page.

use super::known_machines::KnownMachines;
use super::running::RunningGame;
use hasami_api::{Line, MoveText};
use hasami_matches::events::GameElsewhere;
use hasami_matches::schedule::Pairing;
use hasami_matches::settings::MatchSettings;
use std::collections::BTreeMap;
use std::time::Duration;

/// Largest number of games whose moves are parsed. The page draws only a few boards, but there may be thousands of
/// machines.
const MOST_LINES: usize = 64;

/// The games of this match that are in progress and not in the journal yet. `missing` holds the games that are not in
/// the journal, by their keys in the queue.
pub fn games(
    known: &KnownMachines,
    missing: &BTreeMap<u64, Vec<Pairing>>,
    settings: &MatchSettings,
    openings: &[Line],
) -> Vec<GameElsewhere> {
    let mut games = Vec::new();
    for (machine, running) in known.running() {
        let pairings = missing.get(&running.key).map_or(&[][..], Vec::as_slice);
        let Some(&pairing) = pairings.iter().find(|pairing| pairing.game == running.game) else { continue };
        let line = if games.len() < MOST_LINES { line(running, pairing, settings, openings) } else { None };
        games.push(GameElsewhere {
            pairing,
            machine: machine.to_owned(),
            since: running.seconds.map(Duration::from_secs),
            plies: running.plies,
            line,
        });
    }
    games
}

/// Parses the moves of a game. Returns `None` if the machine does not report the moves, or reports illegal moves.
fn line(running: &RunningGame, pairing: Pairing, settings: &MatchSettings, openings: &[Line]) -> Option<Line> {
    let moves = running.moves.as_ref()?.split_whitespace();
    let moves = moves.map(|text| text.parse::<MoveText>().ok()).collect::<Option<Vec<_>>>()?;
    let opening = openings.get(pairing.opening.unwrap_or(0))?;
    let line = Line { start: opening.start.clone(), moves };
    settings.catalog.check(&line).ok().map(|_| line)
}
