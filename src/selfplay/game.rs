//! Plays a game of the engine against itself.

use super::plan::SelfPlayPlan;
use super::soft_limit::SoftLimit;
use hasami_api::{Answer, Ending, Line, MoveText, Outcome, Score, ScoreKind, Searcher, Side, Start, Task};
use hasami_catalog::{Catalog, Referee};
use hasami_training::{LabelledMove, SelfPlayGame};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// After this many rejected openings for one game, the plan counts as impossible.
const MOST_DRAWS: u32 = 1_000;

/// A mate is stored as this score minus the number of plies to mate.
const MATE_SCORE: i32 = 31_000;

/// The outcome of one attempt to play a game from an opening.
enum Played {
    Game(SelfPlayGame),
    /// The opening was rejected, because its first score is too high or too low.
    Unfit,
    GivenUp,
}

/// Plays the self-play game with the number `number`. Returns `None` if `is_over` returned true before the game ended.
pub fn play(
    catalog: &dyn Catalog,
    plan: &SelfPlayPlan,
    number: u64,
    engine: &mut dyn Searcher,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<SelfPlayGame>, String> {
    let mut random = StdRng::seed_from_u64(plan.seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    for _ in 0..MOST_DRAWS {
        let Some(start) = opening(catalog, plan, &mut random)? else { continue };
        engine.new_game();
        match play_from(catalog, plan, start, engine, is_over)? {
            Played::Game(game) => return Ok(Some(game)),
            Played::GivenUp => return Ok(None),
            Played::Unfit => {}
        }
    }
    Err(format!("none of {} openings is within {} centipawns", MOST_DRAWS, plan.most_opening_score))
}

/// Draws an opening: returns the position after its random moves, or `None` if these moves end the game.
fn opening(catalog: &dyn Catalog, plan: &SelfPlayPlan, random: &mut StdRng) -> Result<Option<String>, String> {
    let line = match plan.openings.len() {
        0 => Line::default(),
        count => plan.openings[random.random_range(0..count)].clone(),
    };
    let mut referee = catalog.referee(&line)?;
    // Half of the games have one more random ply, so that the first searched move belongs to each side equally often.
    let plies = plan.random_plies + u16::from(plan.random_plies > 0 && random.random());
    for _ in 0..plies {
        let start = Start { text: Some(referee.to_text().into()), ..line.start.clone() };
        let moves = catalog.perft(&start, 1).map_err(|error| error.to_string())?;
        if moves.is_empty() {
            return Ok(None);
        }
        referee.play(&moves[random.random_range(0..moves.len())].0).map_err(|error| error.to_string())?;
    }
    Ok(referee.end().is_none().then(|| referee.to_text()))
}

fn play_from(
    catalog: &dyn Catalog,
    plan: &SelfPlayPlan,
    start: String,
    engine: &mut dyn Searcher,
    is_over: &dyn Fn() -> bool,
) -> Result<Played, String> {
    let mut line = Line { start: Start { text: Some(start.as_str().into()), ..Start::default() }, ..Line::default() };
    let mut referee = catalog.referee(&line)?;
    let mut moves: Vec<LabelledMove> = Vec::new();
    let mut judge = Judge::default();
    let (outcome, ending) = loop {
        if let Some(end) = ended(referee.as_mut(), plan, moves.len()) {
            break end;
        }
        if is_over() {
            return Ok(Played::GivenUp);
        }
        let (best, score) = search(engine, &line, plan.nodes)?;
        let Some(best) = best else { return Err(format!("the engine has no move in {}", referee.to_text())) };
        if moves.is_empty() && score.unsigned_abs() > plan.most_opening_score {
            return Ok(Played::Unfit);
        }
        let side = referee.side();
        let text = referee.play(&best).map_err(|error| error.to_string())?;
        moves.push(LabelledMove { text, score });
        line.moves.push(text);
        if let Some(outcome) = judge.see(plan, side, score, referee.ply()) {
            break (outcome, Ending::Adjudication);
        }
    };
    Ok(Played::Game(SelfPlayGame { start, moves, outcome, ending }))
}

fn ended(referee: &mut dyn Referee, plan: &SelfPlayPlan, played: usize) -> Option<(Outcome, Ending)> {
    if let Some(end) = referee.end() {
        return Some(end);
    }
    if referee.may_declare_win() {
        return Some((Outcome::Win(referee.side()), Ending::Declaration));
    }
    (played >= usize::from(plan.adjudication.most_plies)).then_some((Outcome::Draw, Ending::MaxMoves))
}

/// Searches whole iterations, until the soft limit of `nodes` is exceeded at the end of one. Returns the move and its
/// score for the side to move.
pub fn search(engine: &mut dyn Searcher, line: &Line, nodes: u64) -> Result<(Option<MoveText>, i16), String> {
    let (limit, mut score) = (SoftLimit::new(nodes), Score::DRAW);
    let task = Task { line: line.clone(), ..Task::default() };
    let answer = engine.search(&task, &limit.stop(), &mut |report| {
        if limit.is_finding(&report) {
            score = report.score;
        }
    });
    match answer.map_err(|error| error.to_string())? {
        Answer::Best { best, .. } => Ok((best, centipawns(score))),
        Answer::Mate(_) => Err("the engine answers about mates, not with a move".into()),
    }
}

fn centipawns(score: Score) -> i16 {
    let number = match score.kind() {
        ScoreKind::Cp(cp) => cp.clamp(-MATE_SCORE + 1_000, MATE_SCORE - 1_000),
        ScoreKind::Mate(plies) if plies > 0 => MATE_SCORE - plies.min(999),
        ScoreKind::Mate(plies) => -MATE_SCORE - plies.max(-999),
    };
    number as i16
}

/// Decides when a game is adjudicated, by counting consecutive plies whose scores indicate the same result.
#[derive(Default)]
struct Judge {
    leader: Option<Side>,
    won: u16,
    level: u16,
}

impl Judge {
    fn see(&mut self, plan: &SelfPlayPlan, side: Side, score: i16, ply: u32) -> Option<Outcome> {
        let rules = &plan.adjudication;
        let leader = if score > 0 { side } else { side.other() };
        let is_decided = rules.win_score > 0 && score.unsigned_abs() >= rules.win_score;
        self.won = match is_decided {
            true if self.leader == Some(leader) => self.won + 1,
            true => 1,
            false => 0,
        };
        self.leader = is_decided.then_some(leader);
        if is_decided && self.won >= rules.win_plies {
            return Some(Outcome::Win(leader));
        }
        let is_level = ply >= u32::from(rules.draw_from) && score.unsigned_abs() <= rules.draw_score;
        self.level = if is_level { self.level + 1 } else { 0 };
        (rules.draw_plies > 0 && self.level >= rules.draw_plies).then_some(Outcome::Draw)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::{Limits, Stop};
    use hasami_games::GAMES;
    use hasami_protocol::Settings;

    /// The first iteration always ends, however low the limit, because it provides the score.
    #[test]
    fn every_move_is_searched_to_depth_one_at_least() {
        for (game, moves) in [("chess", "e2e4 e7e5 g1f3"), ("shogi", "7g7f 3c3d 2g2f")] {
            let catalog = GAMES.find(game).unwrap();
            let settings = Settings { hash_mb: 1, threads: 1, ..Settings::default() };
            let line = Line { moves: moves.split(' ').map(|m| m.parse().unwrap()).collect(), ..Line::default() };
            let mut reported = None;
            let limits = Limits { depth: Some(1), ..Limits::default() };
            let task = Task { line: line.clone(), limits, ..Task::default() };
            let mut engine = catalog.engines(&settings)();
            engine.search(&task, &Stop::new(), &mut |report| reported = Some((report.pv[0], report.score))).unwrap();
            let (best, score) = reported.unwrap();
            assert_ne!(score, Score::DRAW, "{game}");
            let found = search(catalog.engines(&settings)().as_mut(), &line, 1);
            assert_eq!(found, Ok((Some(best), centipawns(score))), "{game}");
        }
    }
}
