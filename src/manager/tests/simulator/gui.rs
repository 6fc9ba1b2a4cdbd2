//! The actions of the virtual GUI, in the form of a script whose lines may be removed.

use hasami_api::{Game, Line, MoveText, Moves, Start};
use hasami_protocol::{Clock, Command, Go, Settings};
use hasami_toy::{Toy, mix};
use std::time::Duration;

/// An action of the virtual GUI, and how long the GUI waits before it.
#[derive(Clone, PartialEq, Debug)]
pub struct ScriptStep {
    pub wait: Wait,
    pub what: GuiAction,
}

/// When an action takes place, relative to the previous action or to an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    For(Duration),
    /// The action follows this long after the answer to the last `go`. If no answer will come without `stop`, the
    /// action follows this long after the previous action.
    Answered(Duration),
}

/// An action of the virtual GUI. Every action is valid in every state, so scripts stay valid when lines are removed.
#[derive(Clone, PartialEq, Debug)]
pub enum GuiAction {
    /// Sends another position: a node of the toy game's graph, and `plies` random moves drawn with `salt`.
    Jump {
        node: u32,
        plies: u32,
        salt: u64,
    },
    /// Sends the last position, the manager's answer and a reply to it: the expected reply, or one drawn with `salt`.
    Reply {
        expected: bool,
        salt: u64,
    },
    /// Sends the last position, the manager's answer and the expected reply or, if none is expected, a random one.
    Expect,
    /// Sends an invalid position.
    Nonsense,
    /// Sends `go` with this number of `searchmoves`, drawn from the legal moves.
    Go {
        go: Go,
        search_moves: u8,
    },
    Stop,
    PonderHit(Option<Clock>),
    GameOver,
    NewGame,
    Settings(Box<Settings>),
}

/// What the virtual GUI knows about the game.
#[derive(Debug)]
pub struct Gui {
    graph: u64,
    pub line: Line,
    /// The manager's last answer: the best move, and the expected reply.
    pub answer: Option<(MoveText, Option<MoveText>)>,
}

/// Input that the GUI sends to the manager.
#[derive(Clone, PartialEq, Debug)]
pub enum GuiMessage {
    Command(Command),
    Settings(Box<Settings>),
}

impl Gui {
    pub fn new(graph: u64) -> Self {
        Self { graph, line: Line::default(), answer: None }
    }

    /// Turns an action into the message that the GUI sends in the current state.
    pub fn order(&mut self, what: &GuiAction) -> GuiMessage {
        GuiMessage::Command(match what {
            GuiAction::Jump { node, plies, salt } => {
                self.line = Line { start: Toy::start(self.graph, *node), ..Line::default() };
                self.wander(*plies, *salt);
                Command::Position(self.line.clone())
            }
            GuiAction::Reply { expected, salt } => {
                self.follow(*expected, *salt);
                Command::Position(self.line.clone())
            }
            GuiAction::Expect => {
                self.follow(true, 0);
                Command::Position(self.line.clone())
            }
            GuiAction::Nonsense => Command::Position(nonsense(&self.line)),
            GuiAction::Go { go, search_moves } => {
                Command::Go(Go { search_moves: self.some_moves(*search_moves), ..go.clone() })
            }
            GuiAction::Stop => Command::Stop,
            GuiAction::PonderHit(clock) => Command::PonderHit(*clock),
            GuiAction::GameOver => Command::GameOver,
            GuiAction::NewGame => {
                (self.line, self.answer) = (Line::default(), None);
                Command::NewGame
            }
            GuiAction::Settings(settings) => return GuiMessage::Settings(settings.clone()),
        })
    }

    fn follow(&mut self, expected: bool, salt: u64) {
        let Some((best, ponder)) = self.answer.take() else { return };
        let after = self.line.with(best);
        if position(&after).is_none() {
            return;
        }
        self.line = after;
        match ponder.map(|ponder| self.line.with(ponder)).filter(|line| expected && position(line).is_some()) {
            Some(line) => self.line = line,
            None => self.wander(1, salt),
        }
    }

    fn wander(&mut self, plies: u32, salt: u64) {
        let Some(mut game) = position(&self.line) else { return };
        for ply in 0..plies {
            let mut legal = Moves::new();
            game.legal_moves(&mut legal);
            if legal.is_empty() {
                return;
            }
            let m = legal[mix(salt ^ u64::from(ply)) as usize % legal.len()];
            self.line.moves.push(game.format_move(m));
            game.make(m);
        }
    }

    fn some_moves(&self, count: u8) -> Vec<MoveText> {
        let Some(game) = position(&self.line) else { return Vec::new() };
        let mut legal = Moves::new();
        game.legal_moves(&mut legal);
        legal.iter().rev().take(count.into()).map(|&m| game.format_move(m)).collect()
    }
}

/// Returns the position after the moves of `line`; `None` if `line` is illegal.
pub fn position(line: &Line) -> Option<Toy> {
    let mut game = Toy::new(&line.start).ok()?;
    for text in &line.moves {
        let m = game.parse_move(text).ok()?;
        game.make(m);
    }
    Some(game)
}

/// Returns an invalid line: with an invalid start position if `line` has an even length, or else with an illegal move.
fn nonsense(line: &Line) -> Line {
    if line.moves.len().is_multiple_of(2) {
        Line { start: Start { text: Some("toy nonsense".into()), ..Start::default() }, moves: Vec::new() }
    } else {
        line.with("z9999".parse().expect("short ASCII"))
    }
}
