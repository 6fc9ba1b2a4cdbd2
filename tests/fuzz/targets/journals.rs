//! Fuzzes the journals of matches, tunings and learning runs: reading never panics. The games of a match are unchanged
//! after being written and read again.

use hasami_games::GAMES;
use hasami_lab::learn::journal::rankings;
use hasami_lab::learn::positions::{GamePosition, LearningGames};
use hasami_matches::journal;
use hasami_matches::tuning::{SpsaPlan, replay};
use std::sync::LazyLock;

static GAMES_LEARNED: LazyLock<LearningGames> = LazyLock::new(|| {
    let position = |(index, text): (u32, &str)| GamePosition {
        game: 0,
        index,
        played: text.parse().expect("a move"),
        ply: index,
        moves: 20,
        phase: 0.0,
    };
    let positions = [(0, "e2e4"), (1, "e7e5"), (2, "g1f3")].map(position);
    LearningGames { positions: positions.into(), ..LearningGames::default() }
});

fn tuning_plan() -> SpsaPlan {
    SpsaPlan { options: vec!["A=5,0,10,1".parse().expect("an option")], iterations: 20, rate: 0.5, seed: 3 }
}

fn one_line<T>(read: Result<T, impl ToString>) -> Option<T> {
    let read = read.map_err(|why| why.to_string());
    if let Err(why) = &read {
        assert_eq!(why.lines().count(), 1, "{why:?}");
    }
    read.ok()
}

pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for game in GAMES.iter() {
        let Some((header, games)) = one_line(journal::parse(&text, game.endings())) else { continue };
        let written = journal::text(&header, &games).expect("a journal in JSON");
        let (_, again) = journal::parse(&written, game.endings()).expect("what was written");
        let records =
            |games: journal::Games| games.into_iter().map(|game| (game.game, game.record)).collect::<Vec<_>>();
        assert_eq!(records(again), records(games));
    }
    if let Some(walk) = one_line(replay(&text, &tuning_plan(), &serde_json::json!({"tc": "1+0"}))) {
        assert!(walk.path().iter().flatten().all(|value| (0.0..=10.0).contains(value)), "{:?}", walk.path());
    }
    one_line(rankings(&text, &serde_json::json!({"nodes": 5}), &GAMES_LEARNED));
}
