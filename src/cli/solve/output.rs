//! The output of `solve` and `brinkmate`.

use super::super::notation::NotationArgs;
use super::super::web::WebArgs;
use super::files::{CertificateOutput, Folder, ProofArgs, TraceFile};
use super::rows::AnswerRows;
use hasami_api::{Ending, Format, GameRecord, Line, MateAnswer, MoveText, Outcome, PlayedMove, Side};
use hasami_catalog::{Catalog, Notation, Speaker};
use hasami_mate::OtherMove;
use hasami_solve::extras::{PiecesInHand, sentences, side_lines};
use hasami_solve::levels;
use hasami_solve::picture::{self, Legend};
use hasami_solve::problem::{MateProblem, Recorded};
use hasami_solve::proof_picture;
use hasami_solve::solution::{OfBrinkmate, ProblemKind, Solution};
use hasami_terminal::Failure;
use hasami_web::WebPage;
use hasami_words::Words;
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct OutputArgs {
    /// Print one JSON object per problem; everything else goes to stderr
    #[arg(long)]
    json: bool,

    /// Write pictures of each problem with its main line, and of each proof, into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Write each solution as a KIF file into this folder
    #[arg(long, value_name = "DIR")]
    pub kif_out: Option<PathBuf>,

    /// Compare with the recorded answers; a false answer sets the exit code to 1, and a different length is reported:
    /// with --shortest, an earlier mate or a longer variation
    #[arg(long)]
    pub expect: bool,

    #[command(flatten)]
    pub notation: NotationArgs,

    #[command(flatten)]
    pub web: WebArgs,
}

/// Output options for mates only, not for brinkmates.
#[derive(clap::Args, Default)]
pub struct OfMates {
    /// Report the attacker's hand at the end of each mate
    #[arg(long)]
    pieces_left: bool,

    /// Write the idle times of each virtual cell into this file, one JSON object per problem; with --virtual
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

impl OutputArgs {
    /// Returns whether proofs are drawn, in picture files or on the web page.
    pub const fn draws_proofs(&self) -> bool {
        self.svg.is_some() || self.web.is_wanted()
    }
}

/// Writes the answers of one run to stdout, files and the web page.
pub struct SolutionWriter<'a> {
    output: &'a OutputArgs,
    pieces_left: bool,
    pub game: &'static dyn Catalog,
    pub words: &'static Words,
    /// The web page, if `--web` requests one.
    pub page: Option<WebPage>,
    svg: Option<Folder<'a>>,
    kif: Option<Folder<'a>>,
    trace: Option<TraceFile<'a>>,
    certificates: Option<CertificateOutput<'a>>,
    /// The table of answers, if stdout is a terminal.
    rows: Option<AnswerRows>,
}

impl<'a> SolutionWriter<'a> {
    /// Opens the web page and the output files for the answers to `problems`. On a terminal, answers are printed in
    /// columns unless the output is JSON.
    pub fn new(
        output: &'a OutputArgs,
        of_mates: &'a OfMates,
        proofs: &'a ProofArgs,
        problems: &[MateProblem],
        game: &'static dyn Catalog,
        words: &'static Words,
    ) -> Result<Self, Failure> {
        if output.kif_out.is_some() && game.format(KIF).is_none() {
            return Err(Failure::at("--kif-out", format!("{} has no KIF records", game.name())));
        }
        let page = output.web.open()?;
        let open =
            |option, path: &'a Option<PathBuf>| path.as_deref().map(|path| Folder::open(option, path)).transpose();
        let trace = of_mates.trace.as_deref().map(TraceFile::create).transpose()?;
        let pieces_left = of_mates.pieces_left;
        let (svg, kif) = (open("--svg", &output.svg)?, open("--kif-out", &output.kif_out)?);
        let certificates = proofs.open()?;
        let rows = if output.json { None } else { AnswerRows::new(problems, words) };
        Ok(Self { output, pieces_left, game, words, page, svg, kif, trace, certificates, rows })
    }

    pub fn tell(
        &mut self,
        problem: &MateProblem,
        solution: &mut Solution,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        // The certificate is written first, because the answer names its file; the answer is printed even if the
        // certificate cannot be written.
        let certified = match (&mut self.certificates, &mut solution.brinkmate) {
            (Some(certificates), Some(more)) => certificates.write(&problem.name, more),
            _ => Ok(()),
        };
        let line = Line { moves: solution.mate().unwrap_or_default().to_vec(), ..problem.line.clone() };
        let wants_left = self.pieces_left && solution.mate().is_some();
        let left =
            wants_left.then(|| PiecesInHand::at_the_end(self.game, &line)).transpose().map_err(Failure::bad_input)?;
        let speaker = self.speaker(problem);
        if self.output.json {
            writeln!(out, "{}", solution.to_json(problem, left.as_ref()))?;
            self.tell_of_levels(problem, solution, out)?;
        } else {
            match &mut self.rows {
                Some(rows) => {
                    let moves = speaker.moves(&line.moves);
                    rows.lines(&problem.name, solution, &moves).iter().try_for_each(|line| writeln!(out, "{line}"))?
                }
                None => writeln!(out, "{}", solution.to_line(&problem.name))?,
            }
            self.tell_extras(problem, solution, left.as_ref(), out)?;
        }
        if let Some(escape) = solution.defended.as_ref().and_then(|defended| defended.escape) {
            let escape = self.words.with("escape", &[("move", (&speaker.last(&[escape])).into())]);
            self.remark(problem, &escape, out)?;
        }
        if let Some(question) = solution.open_question(self.words) {
            self.remark(problem, &question, out)?;
        }
        certified?;
        self.tell_of_brinkmate(problem, solution, out)?;
        if let Some(trace) = &mut self.trace {
            trace.write(&solution.to_trace(&problem.name))?;
        }
        self.write_files(problem, solution)
    }

    /// Writes the pictures and the record that were requested for a problem.
    fn write_files(&mut self, problem: &MateProblem, solution: &Solution) -> Result<(), Failure> {
        let line = Line { moves: solution.mate().unwrap_or_default().to_vec(), ..problem.line.clone() };
        if let Some(folder) = &mut self.svg {
            let written = Speaker::at(self.game, &problem.line, self.output.notation.notation()).moves(&line.moves);
            let picture = drawn(self.game, problem, solution, &written, self.words).map_err(Failure::bad_input)?;
            let stem = folder.unused(&problem.name);
            folder.write(&stem, "svg", &picture)?;
            let title = format!("{}: {}", problem.name, mate_in(solution.kind, line.moves.len(), self.words));
            let (game, start, words) = (self.game, &problem.line, self.words);
            let defences = solution.defended.as_ref().map(|defended| &defended.defences);
            let defences = defences.filter(|defences| !defences.is_empty());
            let defences = defences.map(|defences| proof_picture::draw_defences(game, start, defences, &title, words));
            let proof = solution.proof.as_ref().map(|proof| proof_picture::draw(game, start, proof, &title, words));
            for picture in [defences, proof].into_iter().flatten() {
                let stem = folder.unused(&format!("{stem}-proof"));
                folder.write(&stem, "svg", &picture.map_err(Failure::bad_input)?)?;
            }
        }
        if let (Some(folder), Some(format)) = (&mut self.kif, self.game.format(KIF))
            && solution.mate().is_some()
        {
            let stem = folder.unused(&problem.name);
            let text = record(self.game, format, problem, &line, solution).map_err(Failure::bad_input)?;
            folder.write_record(&stem, format, &text)?;
        }
        Ok(())
    }

    /// Formats moves that begin at a problem's position, for the notes below its answer.
    pub fn moves(&self, problem: &MateProblem, moves: &[MoveText]) -> String {
        self.speaker(problem).moves(moves).join(" ")
    }

    /// Returns the speaker for moves: in the chosen notation on a terminal, and in the protocol's notation in a pipe,
    /// where a program reads the moves.
    fn speaker(&self, problem: &MateProblem) -> Speaker {
        let notation = if self.rows.is_some() { self.output.notation.notation() } else { Notation::Protocol };
        Speaker::at(self.game, &problem.line, notation)
    }

    /// Prints facts about a brinkmate that its main line does not show.
    fn tell_of_brinkmate(
        &self,
        problem: &MateProblem,
        solution: &Solution,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let lacks = |is: fn(&OfBrinkmate) -> bool| solution.brinkmate.as_ref().is_some_and(is);
        let unwritten = solution.brinkmate.as_ref().and_then(|more| more.unwritten);
        let because = unwritten.map(|because| because.text(self.words)).unwrap_or_default();
        let sentence = |name: &str| self.words.with(name, &[("open", (&because).into())]);
        if lacks(|more| more.lacks_certificate) {
            self.remark(problem, &sentence("no-certificate-of-proof"), out)?;
        } else if self.certificates.is_some() && solution.word() == "unknown" {
            self.remark(problem, &self.words.get("no-certificate"), out)?;
        }
        if lacks(|more| more.lacks_below) {
            self.remark(problem, &sentence("one-certificate-only"), out)?;
        }
        if let Some(none) = solution.bounded_none(self.words) {
            self.remark(problem, &none, out)?;
        }
        Ok(())
    }

    /// Prints additional facts below the answer, unless the output is JSON, which already contains them.
    fn tell_extras(
        &self,
        problem: &MateProblem,
        solution: &Solution,
        left: Option<&PiecesInHand>,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        if let (Some(line), Some(others)) = (solution.mate(), &solution.others) {
            let speaker = self.speaker(problem);
            let write = |other: &OtherMove| speaker.last(&[&line[..other.ply - 1], &[other.mv]].concat());
            for sentence in sentences(others, line.len(), write, self.words) {
                self.remark(problem, &sentence, out)?;
            }
            if others.is_empty() {
                let name = if solution.levels.is_some() { "no-other-as-soon" } else { "no-other-mates" };
                self.remark(problem, &self.words.get(name), out)?;
            }
        }
        self.tell_of_levels(problem, solution, out)?;
        let Some(left) = left.map(|left| left.text(self.words)) else { return Ok(()) };
        self.remark(problem, &self.words.with("left-in-hand", &[("pieces", (&left).into())]), out)
    }

    /// Prints the optimal lines, unless the JSON object contains them, and the reason why the search ended.
    fn tell_of_levels(&self, problem: &MateProblem, solution: &Solution, out: &mut impl Write) -> Result<(), Failure> {
        let Some(levels) = &solution.levels else { return Ok(()) };
        let is_open = solution.answer == MateAnswer::Unknown;
        let all = solution.others.is_some() && !self.output.json;
        for sentence in levels::sentences(levels, is_open, all, self.words) {
            self.remark(problem, &sentence, out)?;
        }
        Ok(())
    }

    /// Prints a note that begins with the problem's name.
    pub fn remark(&self, problem: &MateProblem, text: &str, out: &mut impl Write) -> Result<(), Failure> {
        self.note(&format!("{}: {text}", problem.name), out)
    }

    /// Prints a comment line, or a line on stderr if stdout carries JSON.
    pub fn note(&self, text: &str, out: &mut impl Write) -> Result<(), Failure> {
        match &self.rows {
            _ if self.output.json => writeln!(std::io::stderr(), "{text}")?,
            Some(rows) => rows.note(text).iter().try_for_each(|line| writeln!(out, "{line}"))?,
            None => writeln!(out, "# {text}")?,
        }
        Ok(())
    }
}

fn mate_in(kind: ProblemKind, plies: usize, words: &Words) -> String {
    Recorded::Mate(u32::try_from(plies).unwrap_or(u32::MAX)).of(kind, words)
}

fn drawn(
    game: &dyn Catalog,
    problem: &MateProblem,
    solution: &Solution,
    written: &[String],
    words: &Words,
) -> Result<String, String> {
    let side = game.referee(&problem.line)?.side();
    let result = match &solution.answer {
        MateAnswer::Mate(moves) => mate_in(solution.kind, moves.len(), words),
        MateAnswer::NoMate => solution.bounded_none(words).unwrap_or_else(|| Recorded::NoMate.of(solution.kind, words)),
        MateAnswer::Unknown => words.get("answer-unknown"),
    };
    let moves = numbered(written, game.plies_per_move(), side);
    let values = [("result", (&result).into()), ("nodes", solution.nodes.into())];
    let result = words.with("picture-result", &values);
    let legend = Legend { title: &problem.name, result: &result, moves: &moves, side };
    Ok(picture::draw(&game.diagram(&problem.line)?, &legend))
}

/// Numbers moves in a game that counts two plies as one move, and plies in any other game.
fn numbered(written: &[String], plies_per_move: u32, side: Side) -> Vec<String> {
    let per_move = plies_per_move.max(1) as usize;
    let first = if side == Side::Second { per_move - 1 } else { 0 };
    let number = |(index, text): (usize, &String)| match ((index + first) / per_move + 1, (index + first) % per_move) {
        (number, 0) => format!("{number}. {text}"),
        (number, _) if index == 0 => format!("{number}... {text}"),
        _ => text.clone(),
    };
    written.iter().enumerate().map(number).collect()
}

fn record(
    game: &dyn Catalog,
    format: Format,
    problem: &MateProblem,
    line: &Line,
    solution: &Solution,
) -> Result<String, String> {
    let (kind, side) = (solution.kind, game.referee(&problem.line)?.side());
    let winner = if solution.is_defender_first() { side.other() } else { side };
    let record = GameRecord {
        event: problem.name.clone(),
        start: line.start.clone(),
        moves: line.moves.iter().map(|&text| PlayedMove::new(text)).collect(),
        outcome: Outcome::Win(winner),
        // The defender is assumed to resign after a brinkmate.
        ending: if kind == ProblemKind::Brinkmate { Ending::Resignation } else { Ending::Checkmate },
        side_lines: side_lines(solution, line.moves.len()),
        ..GameRecord::default()
    };
    game.write_record(&record, format).map_err(|error| error.to_string())
}

const KIF: &str = "kif";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn moves_are_numbered_as_players_do() {
        let moves = ["Qxh7+", "Kxh7", "Rh3#"].map(str::to_owned);
        assert_eq!(numbered(&moves, 2, Side::First), ["1. Qxh7+", "Kxh7", "2. Rh3#"]);
        assert_eq!(numbered(&moves, 2, Side::Second), ["1... Qxh7+", "2. Kxh7", "Rh3#"]);
        assert_eq!(numbered(&moves, 1, Side::Second), ["1. Qxh7+", "2. Kxh7", "3. Rh3#"]);
    }
}
