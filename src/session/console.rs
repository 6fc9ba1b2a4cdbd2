//! Answers commands that people type into the engine: `help`, and `d` and `eval` as in Stockfish.

use hasami_api::{Diagram, Line, RenderedPiece, Side};
use hasami_catalog::evaluation;
use hasami_catalog::{Catalog, Games, Notation, Speaker};
use hasami_protocol::{Protocol, Settings};
use hasami_words::text::wrapped;
use std::fmt::Write;

/// The commands that `help` lists, with explanations.
const WORDS: [(&str, &str); 7] = [
    ("uci, usi", "the first word of a program that drives this one; it chooses the game"),
    (
        "position startpos moves e4 e7e5",
        "a position: startpos, fen FEN, sfen SFEN, with moves after it in any notation",
    ),
    (
        "go depth 20, go movetime 5000, go infinite, stop",
        "searches; `go perft 4` counts leaves, `go mate 7` looks for a mate",
    ),
    ("d", "the position"),
    ("eval", "its evaluation without a search"),
    ("setoption name Threads value 4", "options; uci and usi list them"),
    ("quit", "the end; `hasami help` in a shell shows what else there is"),
];

/// Width of the help text in columns, for narrow terminals, and the indent of explanations.
const COLUMNS: usize = 74;
const INDENT: usize = 6;

/// The answer to `d` and `eval` if the last `position` command was rejected.
const NO_POSITION: &str = "No position: the last one was refused. Set another one.";

/// The session state that console commands use.
pub struct Console<'a> {
    pub games: Games,
    pub catalog: &'static dyn Catalog,
    pub settings: &'a Settings,
    /// The position that the last `position` command set; `None` if the command was rejected.
    pub line: Option<&'a Line>,
}

impl Console<'_> {
    /// Answers a console command (`help`, `d` or `eval`); returns `None` for any other line.
    pub fn answer(&self, line: &str) -> Option<String> {
        match line.split_ascii_whitespace().next()? {
            "help" | "--help" => Some(help(self.games)),
            "d" => Some(self.position()),
            "eval" => Some(self.evaluation()),
            _ => None,
        }
    }

    fn position(&self) -> String {
        let Some(line) = self.line else { return NO_POSITION.to_owned() };
        let text = match self.catalog.position(line) {
            Ok(text) => text,
            Err(why) => return why.to_string(),
        };
        let name = if self.catalog.protocol() == Protocol::Uci { "Fen" } else { "Sfen" };
        let drawn = self.catalog.diagram(line).map_or_else(|why| why, |diagram| draw(&diagram));
        let moves = match line.moves.as_slice() {
            [] => String::new(),
            moves => {
                let start = Line { start: line.start.clone(), moves: Vec::new() };
                format!("\nMoves: {}", Speaker::at(self.catalog, &start, Notation::Players).text(moves))
            }
        };
        format!("{drawn}\n{name}: {text}{moves}")
    }

    fn evaluation(&self) -> String {
        let Some(line) = self.line else { return NO_POSITION.to_owned() };
        // The driver has already read the network, or will report why the network cannot be read.
        let settings = self.catalog.with_network(self.settings);
        let by = match &settings.network {
            Some(network) => format!(", {}", evaluation::describe(network)),
            None => String::new(),
        };
        match self.catalog.evaluate(line, &settings) {
            Ok(value) => {
                let value = self.catalog.mate_unit().value(value);
                format!("Final evaluation: {value} for {}{by}", self.catalog.sides()[0])
            }
            Err(why) => why.to_string(),
        }
    }
}

/// Returns the answer to an unknown command.
pub fn unknown(line: &str) -> String {
    let word: String = line.split_ascii_whitespace().next().unwrap_or_default().chars().take(40).collect();
    format!("Unknown command: '{word}'. Type help for more information.")
}

fn help(games: Games) -> String {
    let names = games.names().join(" and ");
    let mut text = format!("Hasami {} plays {names}. At this prompt:\n", env!("CARGO_PKG_VERSION"));
    for (word, what) in WORDS {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {word}\n      {}", wrapped(what, COLUMNS, INDENT));
    }
    text.trim_end().to_owned()
}

/// Draws the board as text, with the first player at the bottom. Marks the second player's pieces as KIF does, in games
/// that rotate these pieces.
fn draw(diagram: &Diagram) -> String {
    let man = |column: usize, row: usize| {
        diagram.men.iter().find(|man| (usize::from(man.column), usize::from(man.row)) == (column, row))
    };
    let cell = |man: Option<&RenderedPiece>| match man {
        None => if diagram.is_turned { " ・" } else { " ." }.to_owned(),
        Some(man) if !diagram.is_turned => format!(" {}", man.glyph),
        Some(man) => format!("{}{}", if man.side == Side::Second { "v" } else { " " }, man.glyph),
    };
    let hand = |side: Side| {
        let held = &diagram.hands[side.index()];
        let counted =
            |(kind, count): &(&str, u32)| if *count > 1 { format!("{kind}{count}") } else { (*kind).to_owned() };
        held.iter().map(counted).collect::<Vec<_>>().join(" ")
    };
    let mut text = String::new();
    if diagram.is_turned {
        let _ = writeln!(text, "☖ {}", hand(Side::Second));
    }
    let names = diagram.columns.iter().map(|name| format!(" {name}")).collect::<String>();
    for row in 0..diagram.rows.len() {
        let cells = (0..diagram.columns.len()).map(|column| cell(man(column, row))).collect::<String>();
        let _ = writeln!(text, "{cells}  {}", diagram.rows[row]);
    }
    let _ = write!(text, "{names}");
    if diagram.is_turned {
        let _ = write!(text, "\n☗ {}", hand(Side::First));
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_games::GAMES;

    fn answer(game: &str, moves: &str, line: &str) -> Option<String> {
        let settings = Settings::default();
        let moves = moves.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let line_so_far = Line { moves, ..Line::default() };
        let catalog = GAMES.find(game).unwrap();
        Console { games: GAMES, catalog, settings: &settings, line: Some(&line_so_far) }.answer(line)
    }

    #[test]
    fn d_prints_the_board_the_position_and_the_moves() {
        let chess = answer("chess", "e2e4 e7e5", "d").unwrap();
        assert!(chess.starts_with(" ♜ ♞") && chess.contains("\n a b c d e f g h\n"), "{chess}");
        assert!(
            chess.contains("Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w") && chess.ends_with("Moves: e4 e5"),
            "{chess}"
        );
        let shogi = answer("shogi", "7g7f 3c3d 8h2b+", "d").unwrap();
        assert!(
            shogi.contains("v香v桂")
                && shogi.contains("☗ 角")
                && shogi.contains("Sfen: ")
                && shogi.contains("▲２二角成"),
            "{shogi}"
        );
    }

    #[test]
    fn eval_is_answered() {
        let eval = answer("chess", "", "eval").unwrap();
        assert!(eval.starts_with("Final evaluation: ") && eval.contains("for White, network "), "{eval}");
    }

    #[test]
    fn help_lists_every_command_and_others_are_not_answered() {
        let help = answer("chess", "", "help").unwrap();
        assert!(help.lines().all(|line| line.len() <= 80), "{help}");
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(WORDS.iter().all(|(word, what)| help.contains(word) && help.contains(what)));
        assert_eq!(answer("chess", "", "go depth 3"), None);
        assert_eq!(unknown("frobnicate now"), "Unknown command: 'frobnicate'. Type help for more information.");
    }
}
