//! Whether a record that came from elsewhere can be the game that it should be: its opening, legal moves, and an end that
//! the rules give. Scores and times are its maker's words.

use super::adjudicate::{AdjudicationRules, Adjudicator, Moved};
use crate::catalog::{Catalog, Referee};
use hasami_api::{Ending, GameRecord, Line, Outcome, Side};

/// What is known of a game before it is played.
pub struct ExpectedGame<'a> {
    pub catalog: &'static dyn Catalog,
    pub rules: AdjudicationRules,
    pub opening: &'a Line,
    /// Names of the players, the first one first.
    pub players: [&'a str; 2],
}

impl ExpectedGame<'_> {
    /// Why a record is not that of such a game; `None`: it may be.
    pub fn contradiction(&self, record: &GameRecord) -> Option<String> {
        self.check(record).err()
    }

    fn check(&self, record: &GameRecord) -> Result<(), String> {
        let found = |expected: &str, found: &str| Err(format!("expected {expected}, found {found}"));
        if record.players.each_ref().map(String::as_str) != self.players {
            return found(&self.players.join(" against "), &record.players.join(" against "));
        }
        let count = self.opening.moves.len();
        let begins = record.moves.len() >= count
            && record.moves.iter().zip(&self.opening.moves).all(|(played, text)| played.text == *text);
        if record.start.text != self.opening.start.text || !begins {
            return found("the opening that it was given", "another one");
        }
        let mut referee = self.catalog.referee(self.opening)?;
        let (mut judge, mut judged) = (Adjudicator::new(self.rules), None);
        for (index, played) in record.moves.iter().enumerate().skip(count) {
            if let Some((_, ending)) = referee.end() {
                return found(&format!("the end by {ending} before move {}", index + 1), "further moves");
            }
            let (side, before) = (referee.side(), referee.plies_without_progress());
            let legal = referee.play(&played.text).map_err(|_| format!("move {}: {}", index + 1, played.text));
            legal.or_else(|text| found("legal moves", &text).map(|()| played.text))?;
            let progress = referee.plies_without_progress();
            judged = judge.after(&Moved {
                side,
                score: played.score,
                move_number: referee.ply() / self.catalog.plies_per_move(),
                irreversible: before.is_some() && progress == Some(0),
            });
        }
        check_end(&mut *referee, judged, record)
    }
}

/// The end of a record behind its last move; `judged`: how the match's own rules end the game there.
fn check_end(referee: &mut dyn Referee, judged: Option<(Outcome, Ending)>, record: &GameRecord) -> Result<(), String> {
    let GameRecord { outcome, ending, .. } = *record;
    let shown = |outcome: Outcome, ending: Ending| format!("{} by {ending}", outcome.text());
    let wrong = |expected: String| Err(format!("expected {expected}, found {}", shown(outcome, ending)));
    let by_rules = referee.end();
    if let Some((by_rules, why)) = by_rules {
        return if (by_rules, why) == (outcome, ending) { Ok(()) } else { wrong(shown(by_rules, why)) };
    }
    let (us, them) = (Outcome::Win(referee.side()), Outcome::Win(referee.side().other()));
    let is_right = match ending {
        Ending::Checkmate | Ending::Stalemate | Ending::Repetition | Ending::Own(_) => false,
        Ending::Declaration => outcome == us && referee.may_declare_win(),
        Ending::Resignation | Ending::TimeLoss | Ending::IllegalMove => outcome == them,
        // Who ponders may fall silent, too.
        Ending::Crash | Ending::Silence => [Side::First, Side::Second].map(Outcome::Win).contains(&outcome),
        Ending::Adjudication | Ending::MaxMoves => judged == Some((outcome, ending)),
        // The tables are there, not here.
        Ending::Table => true,
        Ending::Interruption => false,
    };
    let by_match = judged.map_or_else(|| "a game that is not over".to_owned(), |(outcome, why)| shown(outcome, why));
    if is_right { Ok(()) } else { wrong(by_match) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::games;
    use crate::matches::adjudicate::ResignRule;
    use hasami_api::{PlayedMove, Score, Start};

    fn line(moves: &str) -> Line {
        Line { start: Start::default(), moves: moves.split_whitespace().map(|m| m.parse().unwrap()).collect() }
    }

    fn record(moves: &str, outcome: Outcome, ending: Ending) -> GameRecord {
        let moves = line(moves).moves.into_iter().map(PlayedMove::new).collect();
        GameRecord { moves, outcome, ending, players: ["a".into(), "b".into()], ..GameRecord::default() }
    }

    fn why(record: &GameRecord) -> Option<String> {
        let resign = Some(ResignRule { move_count: 1, score: 500, two_sided: false });
        let rules = AdjudicationRules { resign, ..AdjudicationRules::default() };
        let catalog = games::find("chess").unwrap();
        ExpectedGame { catalog, rules, opening: &line("f2f3"), players: ["a", "b"] }.contradiction(record)
    }

    const MATE: &str = "f2f3 e7e5 g2g4 d8h4";
    const BLACK: Outcome = Outcome::Win(Side::Second);
    const WHITE: Outcome = Outcome::Win(Side::First);

    #[test]
    fn games_by_the_rules_are_taken() {
        for (moves, outcome, ending) in [
            (MATE, BLACK, Ending::Checkmate),
            ("f2f3 e7e5", BLACK, Ending::TimeLoss),
            ("f2f3 e7e5", BLACK, Ending::IllegalMove),
            ("f2f3 e7e5 g2g4", WHITE, Ending::Resignation),
            ("f2f3 e7e5 g2g4", BLACK, Ending::Crash),
            ("f2f3 g8f6 g1h3 f6g8 h3g1 g8f6 g1h3 f6g8 h3g1", Outcome::Draw, Ending::Repetition),
        ] {
            assert_eq!(why(&record(moves, outcome, ending)), None, "{moves} {ending}");
        }
        let mut lost = record("f2f3 e7e5", WHITE, Ending::Adjudication);
        lost.moves[1].score = Some(Score::cp(-600));
        assert_eq!(why(&lost), None);
    }

    #[test]
    fn others_are_not() {
        for (moves, outcome, ending, found) in [
            (MATE, WHITE, Ending::Checkmate, "expected 0-1 by checkmate, found 1-0 by checkmate"),
            (MATE, Outcome::Draw, Ending::Adjudication, "expected 0-1 by checkmate, found 1/2-1/2 by adjudication"),
            (
                "f2f3 e7e5 g2g3 d8h4",
                BLACK,
                Ending::Checkmate,
                "expected a game that is not over, found 0-1 by checkmate",
            ),
            ("f2f3 e7e5 e1e5", BLACK, Ending::TimeLoss, "expected legal moves, found move 3: e1e5"),
            ("f2f3 e7e5 g2g4 d8h4 a2a3", BLACK, Ending::TimeLoss, "expected the end by checkmate before move 5"),
            ("f2f3 e7e5", WHITE, Ending::TimeLoss, "expected a game that is not over, found 1-0 by time"),
            ("f2f3 e7e5", WHITE, Ending::Adjudication, "expected a game that is not over, found 1-0 by adjudication"),
            ("f2f4 e7e5", BLACK, Ending::TimeLoss, "expected the opening that it was given, found another one"),
            ("", BLACK, Ending::TimeLoss, "expected the opening that it was given, found another one"),
            ("f2f3", Outcome::Unfinished, Ending::Interruption, "expected a game that is not over, found * by"),
        ] {
            let told = why(&record(moves, outcome, ending)).unwrap_or_default();
            assert!(told.starts_with(found), "{moves}: {told}");
        }
        let mut swapped = record(MATE, BLACK, Ending::Checkmate);
        swapped.players.swap(0, 1);
        assert_eq!(why(&swapped).as_deref(), Some("expected a against b, found b against a"));
    }
}
