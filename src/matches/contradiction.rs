//! Checks whether a game record from another machine is possible: whether its opening is right, its moves are legal,
//! and the rules allow its end. Scores and times cannot be checked.

use super::adjudicate::{AdjudicationRules, Adjudicator, Moved};
use hasami_api::{Ending, GameRecord, Line, Outcome, Side, Verdict};
use hasami_catalog::{GameRules, Oracle, Referee};

/// What is known about a game before it is played.
pub struct ExpectedGame<'a> {
    pub catalog: &'static dyn GameRules,
    pub rules: AdjudicationRules,
    pub opening: &'a Line,
    /// Names of the two players, beginning with the one who moves first.
    pub players: [&'a str; 2],
    pub tables: Tables<'a>,
}

/// Endgame tables that may have ended a game.
#[derive(Clone, Copy)]
pub enum Tables<'a> {
    /// The match uses no tables.
    None,
    /// Tables that exist only on the machine that played the game.
    Elsewhere,
    /// Tables that can be probed on this machine.
    Here(&'a dyn Oracle),
}

/// Endgame tables exist for at most this many pieces, kings included.
const MOST_MEN: usize = 7;

impl Tables<'_> {
    /// Returns whether endgame tables may have ended a game in the current position with `outcome`.
    fn allow(self, referee: &mut dyn Referee, outcome: Outcome) -> bool {
        let (position, side) = (referee.to_text(), referee.side());
        let board = position.split(' ').next().unwrap_or_default();
        if board.chars().filter(char::is_ascii_alphabetic).count() > MOST_MEN {
            return false;
        }
        let by_tables = |verdict: Verdict| match verdict {
            Verdict::Win => Some(Outcome::Win(side)),
            Verdict::Loss => Some(Outcome::Win(side.other())),
            Verdict::Draw => Some(Outcome::Draw),
            Verdict::Open => None,
        };
        match self {
            Self::None => false,
            Self::Elsewhere => true,
            // The tables of another machine may contain more positions, so an unknown position is accepted.
            Self::Here(oracle) => oracle.probe(&position).and_then(by_tables).is_none_or(|found| found == outcome),
        }
    }
}

impl ExpectedGame<'_> {
    /// Explains why `record` cannot belong to the expected game; `None` if it can.
    pub fn contradiction(&self, record: &GameRecord) -> Option<String> {
        self.check(record).err()
    }

    fn check(&self, record: &GameRecord) -> Result<(), String> {
        let players = record.players.each_ref().map(String::as_str);
        if players != self.players {
            let [found, expected] = [players, self.players].map(|pair| pair.join(" against "));
            return Err(format!("played by {found}, not by {expected}"));
        }
        let count = self.opening.moves.len();
        let begins = record.moves.len() >= count
            && record.moves.iter().zip(&self.opening.moves).all(|(played, text)| played.text == *text);
        if record.start.text != self.opening.start.text || !begins {
            return Err("the game does not begin with the opening that it was given".to_owned());
        }
        let mut referee = self.catalog.referee(self.opening)?;
        let (mut judge, mut judged) = (Adjudicator::new(self.rules), None);
        for (index, played) in record.moves.iter().enumerate().skip(count) {
            if let Some((_, ending)) = referee.end() {
                return Err(format!("the game goes on after its end by {ending} before move {}", index + 1));
            }
            let (side, before) = (referee.side(), referee.plies_without_progress());
            referee.play(&played.text).map_err(|_| format!("illegal move {}: {}", index + 1, played.text))?;
            let progress = referee.plies_without_progress();
            judged = judge.after(&Moved {
                side,
                score: played.score,
                move_number: referee.ply() / self.catalog.plies_per_move(),
                irreversible: before.is_some() && progress == Some(0),
            });
        }
        check_end(&mut *referee, judged, (record, self.tables))
    }
}

/// Checks that the game may have ended as the record says. `judged` is the result by the match's adjudication rules.
fn check_end(
    referee: &mut dyn Referee,
    judged: Option<(Outcome, Ending)>,
    (record, tables): (&GameRecord, Tables<'_>),
) -> Result<(), String> {
    let GameRecord { outcome, ending, .. } = *record;
    let shown = |outcome: Outcome, ending: Ending| format!("{} by {ending}", outcome.text());
    let wrong = |expected: String| Err(format!("the result is {}, but {expected}", shown(outcome, ending)));
    let moves_give = |outcome: Outcome, ending: Ending| format!("the moves give {}", shown(outcome, ending));
    let by_rules = referee.end();
    if let Some((by_rules, why)) = by_rules {
        return if (by_rules, why) == (outcome, ending) { Ok(()) } else { wrong(moves_give(by_rules, why)) };
    }
    let (us, them) = (Outcome::Win(referee.side()), Outcome::Win(referee.side().other()));
    let is_right = match ending {
        Ending::Checkmate | Ending::Stalemate | Ending::Repetition | Ending::Own(_) => false,
        Ending::Declaration => outcome == us && referee.may_declare_win(),
        Ending::Resignation | Ending::TimeLoss | Ending::IllegalMove => outcome == them,
        // An engine may also hang while it ponders, so either side may have lost.
        Ending::Crash | Ending::Silence => [Side::First, Side::Second].map(Outcome::Win).contains(&outcome),
        Ending::Adjudication | Ending::MaxMoves => judged == Some((outcome, ending)),
        Ending::Table => tables.allow(referee, outcome),
        Ending::Interruption => false,
    };
    let by_match = judged.map_or_else(|| "the game is not over".to_owned(), |(outcome, why)| moves_give(outcome, why));
    if is_right { Ok(()) } else { wrong(by_match) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::adjudicate::ResignRule;
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
        let catalog = hasami_games::find("chess").unwrap();
        let (players, tables) = (["a", "b"], Tables::None);
        ExpectedGame { catalog, rules, opening: &line("f2f3"), players, tables }.contradiction(record)
    }

    const MATE: &str = "f2f3 e7e5 g2g4 d8h4";
    const BLACK: Outcome = Outcome::Win(Side::Second);
    const WHITE: Outcome = Outcome::Win(Side::First);

    #[test]
    fn legal_games_are_accepted() {
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
    fn impossible_games_are_rejected() {
        for (moves, outcome, ending, found) in [
            (MATE, WHITE, Ending::Checkmate, "the result is 1-0 by checkmate, but the moves give 0-1 by checkmate"),
            (
                MATE,
                Outcome::Draw,
                Ending::Adjudication,
                "the result is 1/2-1/2 by adjudication, but the moves give 0-1 by checkmate",
            ),
            (
                "f2f3 e7e5 g2g3 d8h4",
                BLACK,
                Ending::Checkmate,
                "the result is 0-1 by checkmate, but the game is not over",
            ),
            ("f2f3 e7e5 e1e5", BLACK, Ending::TimeLoss, "illegal move 3: e1e5"),
            (
                "f2f3 e7e5 g2g4 d8h4 a2a3",
                BLACK,
                Ending::TimeLoss,
                "the game goes on after its end by checkmate before move 5",
            ),
            ("f2f3 e7e5", WHITE, Ending::TimeLoss, "the result is 1-0 by time, but the game is not over"),
            ("f2f3 e7e5", WHITE, Ending::Adjudication, "the result is 1-0 by adjudication, but the game is not over"),
            ("f2f4 e7e5", BLACK, Ending::TimeLoss, "the game does not begin with the opening that it was given"),
            ("", BLACK, Ending::TimeLoss, "the game does not begin with the opening that it was given"),
            ("f2f3 e7e5", WHITE, Ending::Table, "the result is 1-0 by tablebase, but the game is not over"),
            (
                "f2f3",
                Outcome::Unfinished,
                Ending::Interruption,
                "the result is * by interruption, but the game is not over",
            ),
        ] {
            let reason = why(&record(moves, outcome, ending)).unwrap_or_default();
            assert!(reason.starts_with(found), "{moves}: {reason}");
        }
        let mut swapped = record(MATE, BLACK, Ending::Checkmate);
        swapped.players.swap(0, 1);
        assert_eq!(why(&swapped).as_deref(), Some("played by b against a, not by a against b"));
    }

    /// An oracle that always says that the side to move wins.
    struct Winning;

    impl Oracle for Winning {
        fn probe(&self, _: &str) -> Option<Verdict> {
            Some(Verdict::Win)
        }
    }

    #[test]
    fn tables_end_games_of_few_men_in_matches_with_tables_alone() {
        let catalog = hasami_games::find("chess").unwrap();
        let ended = |men: &str, outcome, tables| {
            let start = Start { text: Some(format!("{men} w - - 0 1").into()), ..Start::default() };
            let opening = Line { start: start.clone(), moves: Vec::new() };
            let record = GameRecord { start, ..record("", outcome, Ending::Table) };
            let rules = AdjudicationRules::default();
            ExpectedGame { catalog, rules, opening: &opening, players: ["a", "b"], tables }
                .contradiction(&record)
                .is_none()
        };
        let (few, many) = ("4k3/8/8/8/8/8/4P3/4K3", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        let allowed = |men, outcome| {
            [Tables::None, Tables::Elsewhere, Tables::Here(&Winning)].map(|tables| ended(men, outcome, tables))
        };
        assert_eq!(allowed(few, WHITE), [false, true, true]);
        assert_eq!(allowed(few, Outcome::Draw), [false, true, false], "local tables are probed again");
        assert_eq!(allowed(many, WHITE), [false; 3], "no tables have that many men");
    }
}
