//! Checks the properties that every dialogue must have, in addition to what its file requires.

use hasami_api::{Line, MoveText, Rules};
use hasami_catalog::Catalog;
use hasami_protocol::client::{self, Reply};
use hasami_protocol::{BestMove, Command, Go, Protocol};

/// Follows the lines that both sides of a dialogue send.
#[derive(Default)]
pub struct Judge {
    game: Option<&'static dyn Catalog>,
    rules: Rules,
    position: Line,
    /// The position at the last `go`. A `position` that arrives during a search applies only to the next search.
    asked: Line,
    /// Whether the program rejected the last `position`, so that it must not answer with a move.
    refused: bool,
    /// The `go` that the program has not answered yet, and whether it may answer now.
    pending: Option<(Go, bool)>,
    /// First move of the last variation printed for the pending `go`.
    shown: Option<MoveText>,
}

impl Judge {
    /// Records a line sent to the program.
    pub fn sent(&mut self, line: &str) {
        if self.game.is_none() {
            self.game = hasami_games::GAMES.greeted(line.trim());
        }
        let Some(game) = self.game else { return };
        match game.protocol().parse(line) {
            Command::Position(mut line) => {
                line.start.rules = self.rules;
                self.refused = game.check(&line).is_err();
                if !self.refused {
                    self.position = line;
                }
            }
            Command::BadPosition(_) => self.refused = true,
            Command::NewGame => (self.position, self.refused) = (Line::default(), false),
            Command::SetOption { name, value } if name.eq_ignore_ascii_case("UCI_Chess960") => {
                self.rules.chess960 = value.as_deref() == Some("true");
            }
            Command::Go(go) => {
                let free = !go.infinite && !go.ponder;
                self.pending = Some((go, free));
                self.asked = self.position.clone();
                self.shown = None;
            }
            Command::Stop | Command::GameOver | Command::PonderHit(_) => {
                if let Some((go, free)) = &mut self.pending {
                    *free |= !go.infinite || line.trim() != "ponderhit";
                }
            }
            _ => {}
        }
    }

    pub fn said(&mut self, line: &str) -> Result<(), String> {
        let is_clean =
            line.bytes().all(|b| b == b' ' || b.is_ascii_graphic()) && line.trim() == line && !line.is_empty();
        if !is_clean || line.starts_with("error") {
            return Err("expected printable ASCII without blanks around it and no 'error'".into());
        }
        let Some(game) = self.game else { return Ok(()) };
        match client::parse(game.protocol(), line) {
            Reply::Info(info) => self.info(&info.pv, info.multipv.unwrap_or(1)),
            Reply::Best(best) => self.best(&best),
            Reply::Checkmate(hasami_api::MateAnswer::Mate(moves)) => {
                self.end(true)?;
                self.legal(&moves)
            }
            Reply::Checkmate(_) => self.end(true).map(drop),
            Reply::NoAnswer(_) if self.refused && line == "checkmate notimplemented" => self.end(true),
            Reply::NoAnswer(why) => Err(why),
            _ => Ok(()),
        }
    }

    fn info(&mut self, pv: &[MoveText], multipv: u16) -> Result<(), String> {
        if multipv == 1 && !pv.is_empty() {
            self.shown = pv.first().copied();
        }
        self.legal(pv)
    }

    fn best(&mut self, best: &BestMove) -> Result<(), String> {
        self.end(false)?;
        let BestMove::Move { best, ponder } = best else { return Ok(()) };
        if self.refused {
            return Err("a move after a position that was refused".into());
        }
        if self.shown.is_some_and(|shown| shown != *best) {
            return Err(format!("the last variation begins with {}", self.shown.unwrap()));
        }
        self.legal(&[Some(*best), *ponder].into_iter().flatten().collect::<Vec<_>>())
    }

    fn end(&mut self, mate: bool) -> Result<(), String> {
        let Some((go, free)) = self.pending.take() else { return Err("an answer without a 'go'".into()) };
        let protocol = self.game.map(|game| game.protocol());
        if mate != (go.mate.is_some() && protocol == Some(Protocol::Usi)) {
            return Err("the wrong kind of answer to this 'go'".into());
        }
        if free || go.mate.is_some() { Ok(()) } else { Err("an answer that is not allowed yet".into()) }
    }

    fn legal(&self, moves: &[MoveText]) -> Result<(), String> {
        let mut line = self.asked.clone();
        line.moves.extend_from_slice(moves);
        self.game.map_or(Ok(()), |game| Ok(game.check(&line)?))
    }
}
