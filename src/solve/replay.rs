//! Checks by the rules alone whether a claimed line is a mate.

use super::problem::MateProblem;
use hasami_api::{Ending, Outcome};
use hasami_catalog::Catalog;
use hasami_mate::MateRules;
use hasami_words::{Message, Words};

/// The rules for checking a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standard {
    /// The rules that decide whether the last move mates.
    pub rules: MateRules,
    /// Whether every move of the attacker must be a check.
    pub checks: bool,
    /// Whether the side to be mated moves first.
    pub defender_first: bool,
}

impl Standard {
    /// Returns the rules for problems of the game. If `checks` is set, every attacking move must be a check, even in
    /// games that do not require it.
    pub fn of(game: &dyn Catalog, rules: MateRules, checks: bool) -> Self {
        Self { rules, checks: checks || game.mates_by_checks(), defender_first: false }
    }
}

/// Checks that every move is legal, that the attacker's moves are checks if required, and that the line ends with its
/// first mate. The error names the ply of the first fault, counted from 1.
pub fn replay(
    game: &dyn Catalog,
    problem: &MateProblem,
    moves: &[String],
    standard: Standard,
    words: &Words,
) -> Result<(), String> {
    let found = |name: &str, text: &str| words.with(name, &[("found", text.into())]);
    let fault = |ply: usize, why: String| words.with("fault-at", &[("ply", ply.into()), ("why", (&why).into())]);
    let mut referee = game.referee(&problem.line).map_err(|why| fault(1, Message::from(why).said(words)))?;
    let attacker = if standard.defender_first { referee.side().other() } else { referee.side() };
    let first_attack = usize::from(standard.defender_first);
    for (index, text) in moves.iter().enumerate() {
        let end = if index > 0 { referee.end() } else { None };
        if let Some((_, ending)) = end {
            let ending = ended(ending, game, words);
            let values = [("ending", (&ending).into()), ("found", text.into())];
            return Err(fault(index + 1, words.with("expected-no-move", &values)));
        }
        let played = referee.read(text).and_then(|m| Ok(referee.play(&m)?));
        played.map_err(|why| fault(index + 1, Message::from(why).said(words)))?;
        if standard.checks && index % 2 == first_attack && !referee.in_check() {
            return Err(fault(index + 1, found("expected-check", text)));
        }
    }
    let has_moved = referee.side() != attacker;
    if standard.rules == MateRules::Tsume && has_moved && referee.is_mated(MateRules::Tsume) {
        return Ok(());
    }
    let at_end = match referee.end() {
        Some((Outcome::Win(winner), Ending::Checkmate)) if winner == attacker && referee.in_check() => {
            return Ok(());
        }
        Some((_, ending)) if referee.count_moves() == 0 || ending != Ending::Checkmate => ended(ending, game, words),
        _ => words.count("counted-legal-moves", referee.count_moves() as u64),
    };
    Err(fault(moves.len(), found("expected-mate", &at_end)))
}

fn ended(ending: Ending, game: &dyn Catalog, words: &Words) -> String {
    match ending {
        Ending::Checkmate => words.get("ending-checkmate"),
        Ending::Stalemate => words.get("ending-stalemate"),
        Ending::Repetition => words.with("ending-repetition", &[("game", game.name().into())]),
        // Endings that are specific to one game have their own names.
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_words::Language;

    fn fault(game: &str, position: &str, moves: &str) -> Option<String> {
        judged(game, position, moves, true)
    }

    fn judged(game: &str, position: &str, moves: &str, checks: bool) -> Option<String> {
        let game = hasami_games::find(game).unwrap();
        let problem = MateProblem::new("x", position, game).unwrap();
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        replay(game, &problem, &moves, Standard::of(game, MateRules::Strict, checks), Words::english()).err()
    }

    #[test]
    fn a_shogi_line_mates_or_its_fault_is_named() {
        let gold = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1";
        let expect = |moves, expected: &str| assert_eq!(fault("shogi", gold, moves).as_deref(), Some(expected));
        assert_eq!(fault("shogi", gold, "G*5b"), None);
        expect("", "ply 0: expected mate at the end, found 81 legal moves");
        expect("5c5b+", "ply 1: expected mate at the end, found a legal move");
        expect("G*5b 5a4a", "ply 2: expected no move after the end (checkmate), found '5a4a'");
        expect("G*9i", "ply 1: expected a check, found 'G*9i'");
        expect("G*5c", "ply 1: expected a legal move, found 'G*5c'");
        expect("G*6b 5a5b", "ply 2: expected a legal move, found '5a5b' (the king would be in check)");
        expect("G*4b 5a6a nonsense", "ply 3: expected a move, found 'nonsense'");
        // In shogi, it is illegal to mate by dropping a pawn.
        let pawn = "8k/6G2/7G1/9/9/9/9/9/K8 b P 1";
        assert_eq!(
            fault("shogi", pawn, "P*1b").as_deref(),
            Some("ply 1: expected a legal move, found 'P*1b' (uchifuzume: mate by dropping a pawn)")
        );
        assert_eq!(
            fault("shogi", pawn, "▲１二歩"),
            fault("shogi", pawn, "P*1b").map(|why| why.replace("P*1b", "▲１二歩"))
        );
        let two = "ply 1: expected a legal move, found 'P*5e' (nifu: a second pawn of that side on the file)";
        assert_eq!(fault("shogi", "4k4/9/4P4/9/9/9/9/9/9 b P 1", "P*5e").as_deref(), Some(two));
    }

    #[test]
    fn a_chess_line_mates_or_its_fault_is_named() {
        let back_rank = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
        assert_eq!(fault("chess", back_rank, "d1d8"), None);
        assert_eq!(
            fault("chess", back_rank, "d1d7").as_deref(),
            Some("ply 1: expected a check, found 'd1d7'"),
            "a mate on another move is none on this one"
        );
        let stalemate = "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1";
        assert_eq!(fault("chess", stalemate, "c1c7").as_deref(), Some("ply 1: expected a check, found 'c1c7'"));
        let escapes = "6k1/5pp1/8/8/8/8/8/K2R4 w - - 0 1";
        assert_eq!(
            fault("chess", escapes, "d1d8").as_deref(),
            Some("ply 1: expected mate at the end, found a legal move")
        );
    }

    #[test]
    fn a_repetition_has_the_word_of_its_game() {
        let said =
            |game: &str| ended(Ending::Repetition, hasami_games::find(game).unwrap(), Words::of(Language::Japanese));
        assert_eq!([said("chess"), said("shogi")], ["同形反復", "千日手"]);
    }

    #[test]
    fn quiet_moves_may_be_allowed_in_chess() {
        let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        assert_eq!(judged("chess", morphy, "a1a6 b7a6 b6b7", false), None);
        let refused = Some("ply 1: expected a check, found 'a1a6'".to_owned());
        assert_eq!(judged("chess", morphy, "a1a6 b7a6 b6b7", true), refused);
        let gold = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1";
        assert_eq!(judged("shogi", gold, "G*9i", false).as_deref(), Some("ply 1: expected a check, found 'G*9i'"));
    }
}
