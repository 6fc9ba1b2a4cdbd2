//! `hasami analyse game.pgn`: lists every move of a game with its value, the best move and the loss, and summarizes the
//! play of each player.

mod formatter;
mod record_file;

use super::super::interrupt::Interrupt;
use super::super::web;
use super::files::{self, OutputFile};
use super::search;
use super::watch::SearchWatch;
use super::{Analyse, Displays};
use formatter::GameFormatter;
use hasami_api::{GameReview, JudgedPosition, Line, MateUnit, MoveReview, Outcome, Score, Side};
use hasami_catalog::{Catalog, Games, Referee, Speaker};
use hasami_matches::record;
use hasami_pictures::line_chart::{self, NamedCurve};
use hasami_protocol::{Command, Go, Settings};
use hasami_terminal::Failure;
use hasami_tree::Snapshot;
use hasami_words::Words;
use hasami_words::text::encoded_for;
use hasami_workers::driver::Driver;
use record_file::RecordFile;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Default time limit per position, in seconds.
const SECONDS: u64 = 1;

/// Options for the analysis of a whole game.
#[derive(clap::Args)]
pub struct GameArgs {
    /// A record of games (PGN, KIF, CSA, SFEN lines): prints the value, the best move and the loss of every move, then
    /// a summary of both players; --time, --nodes and --depth limit the search of each position
    #[arg(value_name = "RECORD", conflicts_with_all = ["fen", "sfen", "moves", "tree", "json"])]
    file: Option<PathBuf>,

    /// Analyse only game N of the record
    #[arg(long, value_name = "N", requires = "file", value_parser = clap::value_parser!(u32).range(1..))]
    record: Option<u32>,

    /// Write a copy of the record with values, judgements and better lines; FILE may be the record itself; `-`: to
    /// stdout
    #[arg(long, value_name = "FILE", requires = "file")]
    annotate: Option<PathBuf>,
}

impl GameArgs {
    pub const fn is_given(&self) -> bool {
        self.file.is_some()
    }

    pub fn fills_stdout(&self) -> bool {
        self.annotate.as_ref().is_some_and(|path| files::is_stdout(path))
    }
}

/// A game, with the reviews of the moves that have been analysed so far.
pub struct ReviewedGame {
    pub players: [String; 2],
    pub review: GameReview,
}

impl Analyse {
    pub(super) fn run_game(&self, games: Games, words: &'static Words, out: &mut impl Write) -> Result<(), Failure> {
        let Some(path) = &self.game.file else { return Ok(()) };
        let file = RecordFile::read(path, &self.place, games)?;
        let chosen = file.chosen(self.game.record)?;
        if chosen.len() > 1 && self.svg.is_some() {
            return Err(Failure::at(
                "--svg",
                format!("the file has several games; choose one, --record 1 to --record {}", chosen.len()),
            ));
        }
        let settings = self.settings(file.catalog)?;
        self.check_workers(file.catalog, &settings)?;
        let (svg, _) = self.targets()?;
        self.check_annotated(&file)?;
        let mut driver = Driver::new(file.catalog, settings).in_clusters(hasami_remote::cluster::join);
        let mut err = io::stderr();
        let mut text_out: &mut dyn Write = if self.fills_stdout() { &mut err } else { &mut *out };
        let interrupt = Interrupt::listen();
        let displays = self.displays(file.catalog, words, text_out)?;
        let found = self.review(&file, &chosen, &mut driver, displays, &interrupt, &mut text_out);
        driver.end();
        let (reviewed, page) = found?;
        self.write(&file, &chosen, &reviewed, svg, words, out)?;
        Ok(web::stay(page, &interrupt, out)?)
    }

    /// Analyses the games, and prints each game with its summary.
    fn review(
        &self,
        file: &RecordFile,
        chosen: &[usize],
        driver: &mut Driver,
        (screen, page, words): Displays,
        interrupt: &Interrupt,
        out: &mut impl Write,
    ) -> Result<(Vec<ReviewedGame>, Option<hasami_web::SearchPage>), Failure> {
        let tree = driver.snapshot();
        let speaker = Speaker::at(file.catalog, &Line::default(), self.notation.notation());
        let go = self.go(Duration::from_secs(SECONDS));
        let mut watch = SearchWatch::new(tree.game, tree.mate_unit, go.move_time, (screen, page), speaker, words);
        search::gather(driver, &mut watch, interrupt, out)?;
        if let Some(why) = &file.warning {
            watch.say(&format!("warning: {why}"), out)?;
        }
        let mut reviewed = Vec::new();
        for &index in chosen {
            if interrupt.is_pressed() {
                break;
            }
            let line = &file.lines[index];
            let settings = Settings { rules: line.start.rules, ..driver.settings().clone() };
            driver.configure(settings, &mut |said| watch.hear(said));
            let players = file.players.get(index).cloned().unwrap_or_default();
            let formatter = GameFormatter { catalog: file.catalog, players: &players, unit: tree.mate_unit, words };
            watch.say(&formatter.head(index, file.lines.len(), line), out)?;
            let review = review_line(driver, &mut watch, (line, &go), self, &formatter, interrupt, out)?;
            formatter.conclude(&review, out)?;
            reviewed.push(ReviewedGame { players, review });
        }
        Ok((reviewed, watch.into_page()))
    }

    /// Checks that the record's format can hold annotations and that the file named by `--annotate` can be written.
    fn check_annotated(&self, file: &RecordFile) -> Result<(), Failure> {
        let Some(path) = &self.game.annotate else { return Ok(()) };
        let level = JudgedPosition { value: Score::DRAW, line: Vec::new(), depth: 0, nodes: 0 };
        let unjudged = |line: &Line| {
            let review = |&m| MoveReview::new(m, Side::First, [&level, &level], file.catalog.judging());
            GameReview { moves: line.moves.iter().map(review).collect(), line: line.clone() }
        };
        let reviews: Vec<GameReview> = file.lines.iter().map(unjudged).collect();
        file.annotated(&reviews).map_err(|why| Failure::at("--annotate", why))?;
        if files::is_stdout(path) {
            return Ok(());
        }
        record::try_replace(path).map_err(|error| Failure::unwritable("--annotate", path, &error))
    }

    fn write(
        &self,
        file: &RecordFile,
        chosen: &[usize],
        reviewed: &[ReviewedGame],
        svg: Option<OutputFile>,
        words: &'static Words,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        if let Some(path) = &self.game.annotate {
            let mut reviews = vec![GameReview::default(); file.lines.len()];
            for (&index, game) in chosen.iter().zip(reviewed) {
                reviews[index].clone_from(&game.review);
            }
            let text = file.annotated(&reviews).map_err(|why| Failure::at("--annotate", why))?;
            let written = match files::is_stdout(path) {
                true => out.write_all(text.as_bytes()).and_then(|()| out.flush()),
                false => record::replace(
                    path,
                    file.format().map_or_else(|| text.clone().into(), |format| encoded_for(format, path, &text)),
                ),
            };
            written.map_err(|error| Failure::unwritable("--annotate", path, &error))?;
        }
        svg.zip(reviewed.first())
            .map_or(Ok(()), |(target, game)| target.write(&picture(file.catalog, game, words), out))
    }
}

/// Searches the position before each move and the final position. A move is judged and shown when the positions before
/// and after the move have been searched.
fn review_line(
    driver: &mut Driver,
    watch: &mut SearchWatch,
    (line, go): (&Line, &Go),
    analyse: &Analyse,
    formatter: &GameFormatter,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<GameReview, Failure> {
    let judging = formatter.catalog.judging();
    let mut review = GameReview { line: line.clone(), moves: Vec::with_capacity(line.moves.len()) };
    driver.command(Command::NewGame, &mut |said| watch.hear(said));
    let mut before: Option<(JudgedPosition, Side)> = None;
    let mut tree = Snapshot::default();
    for ply in 0..=line.moves.len() {
        let position = Line { start: line.start.clone(), moves: line.moves[..ply].to_vec() };
        let mut referee = formatter.catalog.referee(&position).map_err(Failure::bad_input)?;
        let ended = ended(referee.as_mut());
        let found = match ended.clone().filter(|_| ply == line.moves.len()) {
            Some(known) => known,
            None => {
                watch.turn_to(Speaker::at(formatter.catalog, &position, analyse.notation.notation()));
                tree = search::search(driver, watch, &position, go, interrupt, out)?;
                if interrupt.is_pressed() {
                    break;
                }
                watch.found().or(ended).ok_or_else(|| Failure::no_answer("no legal move: the game is over here"))?
            }
        };
        let side = referee.side();
        if let Some((before, mover)) = before.replace((found.clone(), side)) {
            let one = MoveReview::new(line.moves[ply - 1], mover, [&before, &found], judging);
            let speaker = Speaker::at(
                formatter.catalog,
                &Line { moves: line.moves[..ply - 1].to_vec(), ..position },
                analyse.notation.notation(),
            );
            watch.say(&formatter.row(ply, &one, &speaker, watch.colours()), out)?;
            review.moves.push(one);
            watch.show_review(&review, &tree);
        }
    }
    watch.clear(out)?;
    Ok(review)
}

/// Returns the value of a position after which the game is over by the rules.
fn ended(referee: &mut dyn Referee) -> Option<JudgedPosition> {
    let side = referee.side();
    let (outcome, _) = referee.end()?;
    let value = match outcome {
        Outcome::Win(winner) if winner == side => Score::win_in(1),
        Outcome::Win(_) => Score::loss_in(0),
        Outcome::Draw | Outcome::Unfinished => Score::DRAW,
    };
    Some(JudgedPosition { value, line: Vec::new(), depth: 0, nodes: 0 })
}

/// Draws the winning chances over the course of a game as an SVG curve.
fn picture(catalog: &'static dyn Catalog, game: &ReviewedGame, words: &'static Words) -> String {
    let formatter = GameFormatter { catalog, players: &game.players, unit: MateUnit::default(), words };
    let points = game.review.chances(catalog.judging());
    let curves = [NamedCurve { name: formatter.player(Side::First), points }];
    let up = words.get("review-chance-percent");
    line_chart::draw_between(&formatter.title(), [&words.get("axis-plies"), &up], &curves, Some((0.0, 100.0)))
}
