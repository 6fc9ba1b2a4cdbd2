//! The virtual GUI's deeds, as a script that can be cut down line by line.

use hasami_api::{Game, Line, MoveText, Moves, Start};
use hasami_protocol::{Clock, Command, Go, Settings};
use hasami_toy::{Toy, mix};
use std::time::Duration;

/// One deed of the GUI and when it does it.
#[derive(Clone, PartialEq, Debug)]
pub struct Deed {
    pub wait: Wait,
    pub what: GuiDeed,
}

/// When a deed follows the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    For(Duration),
    /// So long after the answer to the last `go`, if one is owed that comes by itself.
    Answered(Duration),
}

/// Deeds that mean something in every state, so that a script stays one when lines are dropped.
#[derive(Clone, PartialEq, Debug)]
pub enum GuiDeed {
    /// Another position: a node of the graph and `plies` moves drawn by `salt`.
    Jump {
        node: u32,
        plies: u32,
        salt: u64,
    },
    /// The last position, our answer to it, and a reply: the expected one, or one drawn by `salt`.
    Reply {
        expected: bool,
        salt: u64,
    },
    /// The last position, our answer and the expected reply; nothing changes if none is known.
    Expect,
    /// A position that the rules refuse.
    Nonsense,
    /// `go`, with so many `searchmoves` drawn from the legal ones.
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

/// The GUI's own knowledge of the game.
#[derive(Debug)]
pub struct Gui {
    graph: u64,
    pub line: Line,
    /// Last answer of the engine: its move and the reply that it expects.
    pub answer: Option<(MoveText, Option<MoveText>)>,
}

/// Events for the manager.
#[derive(Clone, PartialEq, Debug)]
pub enum GuiMessage {
    Command(Command),
    Settings(Box<Settings>),
}

impl Gui {
    pub fn new(graph: u64) -> Self {
        Self { graph, line: Line::default(), answer: None }
    }

    /// Turns a deed into the order that it means now.
    pub fn order(&mut self, what: &GuiDeed) -> GuiMessage {
        GuiMessage::Command(match what {
            GuiDeed::Jump { node, plies, salt } => {
                self.line = Line { start: Toy::start(self.graph, *node), ..Line::default() };
                self.wander(*plies, *salt);
                Command::Position(self.line.clone())
            }
            GuiDeed::Reply { expected, salt } => {
                self.follow(*expected, *salt);
                Command::Position(self.line.clone())
            }
            GuiDeed::Expect => {
                self.follow(true, 0);
                Command::Position(self.line.clone())
            }
            GuiDeed::Nonsense => Command::Position(nonsense(&self.line)),
            GuiDeed::Go { go, search_moves } => {
                Command::Go(Go { search_moves: self.some_moves(*search_moves), ..go.clone() })
            }
            GuiDeed::Stop => Command::Stop,
            GuiDeed::PonderHit(clock) => Command::PonderHit(*clock),
            GuiDeed::GameOver => Command::GameOver,
            GuiDeed::NewGame => {
                (self.line, self.answer) = (Line::default(), None);
                Command::NewGame
            }
            GuiDeed::Settings(settings) => return GuiMessage::Settings(settings.clone()),
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

/// The position of a line, if the rules accept it.
pub fn position(line: &Line) -> Option<Toy> {
    let mut game = Toy::new(&line.start).ok()?;
    for text in &line.moves {
        let m = game.parse_move(text).ok()?;
        game.make(m);
    }
    Some(game)
}

/// A bad start, or a good one with an illegal move, by turns.
fn nonsense(line: &Line) -> Line {
    if line.moves.len().is_multiple_of(2) {
        Line { start: Start { text: Some("toy nonsense".into()), ..Start::default() }, moves: Vec::new() }
    } else {
        line.with("z9999".parse().expect("short ASCII"))
    }
}
