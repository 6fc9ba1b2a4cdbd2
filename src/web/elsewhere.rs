//! Games of a match that are played on other machines.

use super::cells;
use super::lent_games::elapsed;
use super::match_view::{LiveGame, MatchState};
use hasami_matches::events::GameElsewhere;
use hasami_words::Words;
use maud::{Markup, html};

/// Number of games to list.
const ROWS: usize = 200;

impl MatchState {
    /// Replaces the list of games that are played on other machines.
    pub fn set_elsewhere(&mut self, games: &[GameElsewhere]) {
        let mut games = games.to_vec();
        games.sort_by_key(|game| game.pairing.game);
        self.live.clear();
        for game in &games {
            if let Some(line) = &game.line {
                self.live.insert(game.pairing.game, LiveGame::of_line(game.pairing, line.clone()));
            }
        }
        self.elsewhere = Some(games);
    }

    /// The text to show when no game is known to be running. Machines report their games only from time to time, so
    /// short games may already be over while the next ones are being played.
    pub(super) fn idle_word(&self) -> &'static str {
        match self.done() {
            0 => "nothing-yet",
            done if self.elsewhere.is_some() && self.total.is_none_or(|total| done < total as usize) => "nothing-told",
            _ => "nothing-runs",
        }
    }

    /// The games on other machines; empty if games are played here.
    pub fn elsewhere_table(&self, words: &Words) -> Markup {
        let games = self.elsewhere.as_deref().unwrap_or_default();
        let more = games.len().saturating_sub(ROWS);
        html! { @if !games.is_empty() {
            table class="stack" {
                (cells::thead(&["game-number", "machine", "players", "opening", "plies", "elapsed"], &["plies", "elapsed"], words))
                tbody { @for game in games.iter().take(ROWS) { (self.elsewhere_row(game, words)) } }
            }
            @if more > 0 { p class="quiet" { (words.with("running-more", &[("count", (more as u64).into())])) } }
            @if games.iter().any(|game| game.line.is_none()) { p class="quiet" { (words.get("moves-not-told")) } }
        } }
    }

    fn elsewhere_row(&self, game: &GameElsewhere, words: &Words) -> Markup {
        let number = game.pairing.game + 1;
        let link = html! {
            @if game.line.is_some() { a data-detail href={ "?game=" (number) } { (number) } } @else { (number) }
        };
        html! { tr {
            (cells::text("game-number", link, words))
            (cells::text("machine", &game.machine, words))
            (cells::text("players", cells::players(self.players(&game.pairing)), words))
            (cells::text("opening", game.pairing.opening.map_or_else(String::new, |opening| (opening + 1).to_string()), words))
            (cells::number("plies", game.plies, words))
            (cells::number("elapsed", elapsed(game.since, words), words))
        } }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::view::Query;
    use hasami_api::{GameRecord, Line, Outcome};
    use hasami_matches::events::MatchEvent;
    use hasami_matches::report::MatchReport;
    use hasami_matches::schedule::{Pairing, Schedule};
    use hasami_words::{Language, Message};
    use std::time::Duration;

    fn game(number: u32, told: Option<&str>) -> GameElsewhere {
        let pairing = Pairing { game: number, round: 1, group: number / 2, engines: [0, 1], opening: Some(6) };
        let moves = |text: &str| text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let line = told.map(|text| Line { moves: moves(text), ..Line::default() });
        GameElsewhere { pairing, machine: "attic".into(), since: Some(Duration::from_secs(61)), plies: 3, line }
    }

    #[test]
    fn games_on_other_machines_are_listed() {
        let report = MatchReport { names: vec!["new".into(), "old".into()], sprt: None, schedule: Schedule::default() };
        let mut state = MatchState::new(hasami_games::find("chess").unwrap(), report, true);
        let words = Words::of(Language::English);
        state.set_elsewhere(&[game(2, Some("e2e4 e7e5 g1f3")), game(5, None)]);
        let text = state.live_games(words).into_string();
        for part in [
            "attic",
            ">new</span> - <span class=\"name\">old<",
            ">7</span>",
            "61 s",
            "?game=3",
            "<svg",
            &words.get("moves-not-told"),
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("?game=6") && !text.contains(&words.get("nothing-yet")), "{text}");
        assert!(state.detail(&Query::new(vec![("game".into(), "3".into())]), words).is_some());
        let queue = Message::new("queue-state").with("repeats", 2_u64).with("over", 3_u64).with("total", 8_u64);
        state.machines.0 = vec![queue.with("played", 1_u64).with("waiting", 4_u64)];
        let panel = |language| state.machine_lines(Words::of(language)).unwrap().into_string();
        assert!(panel(Language::English).contains("pairs of games: 3 of 8 finished, 1 being played, 4 waiting on"));
        assert!(panel(Language::Japanese).contains("対局のペア：全8組のうち、終了3、対局中1、サーバーで待機中4"));
        // A game without a board is listed, too.
        state.set_elsewhere(&[game(5, None)]);
        let text = state.live_games(words).into_string();
        assert!(text.contains("attic") && !text.contains("<svg"), "{text}");
        state.set_elsewhere(&[]);
        assert!(state.live_games(words).into_string().contains(&words.get("nothing-yet")));
        // The next games are already running when the results arrive.
        state.total = Some(12);
        for number in 0..2 {
            let pairing = game(number, None).pairing;
            let record = GameRecord { outcome: Outcome::Draw, ..GameRecord::default() };
            state.see(&MatchEvent::Finished { pairing, record: &record });
            state.set_elsewhere(&[]);
            let word = ["nothing-told", "nothing-runs"][number as usize];
            assert!(state.live_games(words).into_string().contains(&words.get(word)), "{word}");
            state.total = Some(2);
        }
    }
}
