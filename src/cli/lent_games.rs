//! Formats reports, as lines or JSON, about machines that play games for other machines.

use hasami_matches::lender::{LenderNews, RunningGame};
use hasami_words::heard;
use hasami_words::text::{counted, span};
use serde_json::{Value, json};

/// Formats a line about the machine, a line about its engines, and a line for each running game.
pub fn lines(machine: &LenderNews) -> Vec<String> {
    let head = format!(
        "machine {}, hasami {}, up {}, lends {} at a time, {} running, {} finished, {} nodes/s a game",
        heard(&machine.name),
        heard(&machine.version),
        span(machine.seconds),
        counted(u64::from(machine.games), "game"),
        machine.busy,
        machine.finished,
        machine.speed
    );
    let mut lines = vec![
        head,
        format!(
            "{}; engines: {}{}",
            heard(&machine.processor),
            heard(&machine.engines.join(", ")),
            if machine.fetches { ", and fetches engines" } else { "" }
        ),
    ];
    lines.extend(machine.running.iter().map(line_of));
    lines
}

/// Formats the line of a running game, such as `game 17, a vs b for pc1: a - b, 23 plies, since 12 s`.
fn line_of(game: &RunningGame) -> String {
    let title = heard(&game.title);
    let title = match game.caller.as_str() {
        "" => title,
        caller => format!("{title} for {}", heard(caller)),
    };
    let since = |seconds| format!("since {}", span(seconds));
    let since = game.seconds.map_or_else(|| "its engines are starting".to_owned(), since);
    let number = u64::from(game.game) + 1;
    let [first, second] = game.players.each_ref().map(|name| heard(name));
    let plies = counted(game.plies, "ply");
    format!("game {number}, {title}: {first} - {second}, {plies}, {since}")
}

pub fn as_json(machine: &LenderNews) -> Value {
    let game = |game: &RunningGame| json!({ "match": game.title, "caller": game.caller, "game": u64::from(game.game) + 1, "players": game.players, "plies": game.plies, "seconds": game.seconds });
    json!({
        "kind": "game_machine", "id": machine.shown_id(), "name": machine.name, "version": machine.version,
        "processor": machine.processor, "up_s": machine.seconds, "games": machine.games,
        "games_running": machine.busy, "games_finished": machine.finished,
        "nodes_per_second": machine.speed, "engines": machine.engines, "fetches": machine.fetches,
        "running": machine.running.iter().map(game).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_listed_with_its_games() {
        let game = RunningGame {
            title: "a vs b".into(),
            caller: "desk".into(),
            game: 16,
            players: ["a".into(), "b\u{1b}[2J".into()],
            seconds: Some(12),
            plies: 23,
            ..RunningGame::default()
        };
        let coming = RunningGame { seconds: None, plies: 0, ..game.clone() };
        let mut machine = LenderNews {
            id: 7,
            name: "attic".into(),
            processor: "x".into(),
            version: "1".into(),
            speed: 5_000,
            engines: vec!["a".into(), "b".into()],
            fetches: true,
            games: 2,
            busy: 2,
            seconds: 300,
            finished: 40,
            running: vec![game, coming],
            objections: Default::default(),
        };
        let printed = lines(&machine);
        assert_eq!(
            printed[0],
            "machine attic, hasami 1, up 5 min, lends 2 games at a time, 2 running, 40 finished, 5000 nodes/s a game"
        );
        assert_eq!(printed[1], "x; engines: a, b, and fetches engines");
        assert!(
            printed[2].starts_with("game 17, a vs b for desk: a - b") && printed[2].ends_with("23 plies, since 12 s")
        );
        assert!(
            printed[3].ends_with("0 plies, its engines are starting") && !printed[2].contains('\u{1b}'),
            "{printed:?}"
        );
        let json = as_json(&machine);
        assert_eq!((&json["running"][0]["game"], &json["games_finished"]), (&json!(17), &json!(40)));
        machine.running.clear();
        assert_eq!(lines(&machine).len(), 2);
    }
}
