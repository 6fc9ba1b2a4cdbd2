//! Checks how the engine answers USI's `go mate`. The answer to `go mate` must always be a `checkmate`, because the GUI
//! would otherwise wait forever.

use super::conversation::shown;
use super::subject::Subject;
use super::{Check, Verdict, verdict};
use hasami_protocol::{Command, Protocol};
use std::time::Duration;

const ASKED: Duration = Duration::from_millis(500);

pub const CHECKS: &[Check] = &[
    Check::must("answers go mate with checkmate", |subject| verdict(mate(subject, "go mate 500", false)))
        .only(Protocol::Usi),
    Check::must("answers go mate infinite after stop", |subject| verdict(mate(subject, "go mate infinite", true)))
        .only(Protocol::Usi),
    Check::must("is ready for a game after gameover", after_a_game).only(Protocol::Usi),
    Check::must("owes its move after gameover, once", gameover_before_the_move).only(Protocol::Usi),
];

fn mate(subject: &mut Subject<'_>, go: &str, stops: bool) -> Result<(), String> {
    let line = subject.positions.middle.clone();
    subject.new_game()?;
    subject.say(&Command::Position(line.clone()));
    subject.engine().tell(go);
    let mut asked = go.to_owned();
    if stops {
        // The engine may have answered before it receives `stop`.
        subject.say(&Command::Stop);
        asked += ", stop";
    }
    let answer = subject.answer(&line, &asked, ASKED)?;
    if answer.is_of_a_mate() {
        return Ok(());
    }
    Err(format!("expected 'checkmate ...' after '{go}', found '{}'", answer.last_line()))
}

fn after_a_game(subject: &mut Subject<'_>) -> Verdict {
    let line = subject.positions.start.clone();
    verdict(subject.new_game().and_then(|()| {
        subject.search(&line, "go movetime 100", Duration::from_millis(100))?;
        subject.engine().tell("gameover win");
        subject.new_game()?;
        let answer = subject.search(&line, "go movetime 100", Duration::from_millis(100))?;
        answer.legal_move(subject.examination.catalog).map(drop)
    }))
}

/// Checks that only one move is sent even if `gameover` immediately follows `stop`: GUIs send `stop` and `gameover`
/// together with the next `isready`, and ignore only one move.
fn gameover_before_the_move(subject: &mut Subject<'_>) -> Verdict {
    let line = subject.positions.start.clone();
    verdict(subject.new_game().and_then(|()| {
        subject.say(&Command::Position(line.clone()));
        for command in ["go infinite", "stop", "gameover lose"] {
            subject.engine().tell(command);
        }
        subject.answer(&line, "go infinite, stop, gameover lose", ASKED)?;
        let more = subject.listen()?;
        let second = more.iter().find(|line| line.starts_with("bestmove"));
        second.map_or(Ok(()), |line| Err(format!("a second move: '{}'", shown(line))))
    }))
}
