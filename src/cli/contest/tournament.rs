//! The pairings and openings of a tournament, as set on the command line.

use super::{MatchArgs, words};
use clap::ValueEnum;
use hasami_matches::lanes::Affinity;
use hasami_matches::schedule::{Schedule, Tournament, UNTIL_DECIDED};
use hasami_terminal::Failure;

#[derive(Clone, Copy, ValueEnum)]
pub enum TournamentKind {
    Pair,
    Gauntlet,
    #[value(alias = "round-robin")]
    Roundrobin,
}

impl MatchArgs {
    pub(super) fn affinity(&self) -> Result<Option<Affinity>, Failure> {
        let read = |list: &Option<String>| match list {
            None => Ok(Affinity::All),
            Some(text) => Affinity::parse(text).map_err(|why| Failure::at("--affinity", why)),
        };
        self.affinity.as_ref().map(read).transpose()
    }

    /// Returns an option that raises the games per pairing to `games`, the number in a journal (`--games=N` or
    /// `--rounds=N`); `None` if the command line requests as many.
    pub(super) fn lengthened(&self, games: u32) -> Option<String> {
        let Schedule { games: known, repeats, .. } = self.schedule(self.engines.len());
        match self.rounds {
            _ if games <= known => None,
            Some(_) => Some(format!("--rounds={}", games.div_ceil(repeats.max(1)))),
            None => Some(format!("--games={games}")),
        }
    }

    /// Returns the schedule. `--games` is the number of games per pairing and, with `--rounds`, per round, as in
    /// fastchess.
    pub(super) fn schedule(&self, engines: usize) -> Schedule {
        let tournament = match self.tournament {
            Some(TournamentKind::Pair) => Tournament::Pair,
            Some(TournamentKind::Gauntlet) => Tournament::Gauntlet,
            Some(TournamentKind::Roundrobin) => Tournament::RoundRobin,
            None if engines == 2 => Tournament::Pair,
            None => Tournament::RoundRobin,
        };
        let repeats = match (self.rounds, self.games) {
            _ if self.no_repeat => 1,
            _ if self.repeat.flatten().is_some() => self.repeat.flatten().unwrap_or(2),
            (Some(_), Some(games)) => games,
            _ => 2,
        };
        let games = match (self.rounds, self.games) {
            (Some(rounds), _) => rounds.saturating_mul(repeats),
            // With an SPRT and no number of games, the match ends at a bound of the SPRT.
            (None, None) if !self.sprt.is_empty() && tournament == Tournament::Pair => UNTIL_DECIDED,
            (None, games) => games.unwrap_or(2),
        };
        Schedule {
            tournament,
            engines,
            seeds: self.seeds,
            games,
            repeats,
            no_swap: self.noswap,
            reverse: self.reverse,
            openings: 0,
            first_opening: words::first_opening(&self.openings).unwrap_or(0),
        }
    }
}
