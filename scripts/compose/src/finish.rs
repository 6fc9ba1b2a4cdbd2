//! What is told of a problem that is finished: superfluous men are off, the length is proved, and how hard it is has been
//! measured.

use crate::diagram::Diagram;
use crate::judge::{Judge, Unique};
use crate::row::Row;
use crate::vary::with_one_less;
use hasami_api::{
    BrinkmateAnswer, BrinkmateFound, BrinkmateSolver, BrinkmateWish, EnteringKingRule, Limits, Line, MoveText, Rules,
    SolverOptions, Start, Stop, Task,
};
use hasami_brinkmate::ProofSolver;
use hasami_shogi::Shogi;

/// MiB of the solver by whose nodes difficulty is measured.
const HASH: usize = 256;

/// What of the limit one man less may cost.
const REDUCED: u64 = 60;

pub struct Finisher {
    judge: Judge,
    solver: ProofSolver<Shogi>,
    nodes: u64,
}

impl Finisher {
    /// All that is asked of a problem has this limit of nodes each.
    pub fn new(nodes: u64, hash_mb: usize) -> Self {
        let options = SolverOptions { hash_mb: HASH, ..SolverOptions::default() };
        Self { judge: Judge::new(hash_mb), solver: ProofSolver::new(&options), nodes }
    }

    /// `None`: the limit was too low, or it is no problem.
    pub fn finish(&mut self, row: &Row) -> Result<Option<Row>, String> {
        let mut diagram = Diagram::parse(&row.position)?;
        let game = diagram.game().ok_or_else(|| format!("expected a legal position, found '{}'", row.position))?;
        let Some(plies) = self.judge.length(&game, row.plies, self.nodes).filter(|&plies| plies > 0) else {
            return Ok(None);
        };
        if row.note("kind") == "composed" {
            diagram = self.reduced(diagram, plies);
        }
        let mut row = row.clone();
        (row.position, row.plies) = (diagram.text(), plies);
        self.describe(row, &diagram)
    }

    /// Without the men that change neither the length nor, if it is alone, that the first move is.
    fn reduced(&mut self, mut diagram: Diagram, plies: u16) -> Diagram {
        let unique = self.unique(&diagram, plies);
        while let Some(less) = with_one_less(&diagram).into_iter().find(|less| self.is_as_good(less, plies, unique)) {
            diagram = less;
        }
        diagram
    }

    fn is_as_good(&mut self, less: &Diagram, plies: u16, unique: Option<Unique>) -> bool {
        let Some(game) = less.game() else { return false };
        // Many are tried, and most are no problem any more.
        self.judge.length(&game, plies, self.nodes / REDUCED) == Some(plies) && self.unique(less, plies) <= unique
    }

    fn unique(&mut self, diagram: &Diagram, plies: u16) -> Option<Unique> {
        Some(self.judge.keys(&diagram.game()?, plies, self.nodes / REDUCED * 4).unique())
    }

    fn describe(&mut self, row: Row, diagram: &Diagram) -> Result<Option<Row>, String> {
        let Some(game) = diagram.game() else { return Ok(None) };
        let any = self.solve(&row, BrinkmateWish::default())?;
        let shortest = self.solve(&row, BrinkmateWish { shortest: true, ..BrinkmateWish::default() })?;
        let BrinkmateAnswer::Brinkmate(line) = shortest.answer else { return Ok(None) };
        let is_as_long = shortest.is_shortest && line.len() == usize::from(row.plies);
        if !is_as_long || !matches!(any.answer, BrinkmateAnswer::Brinkmate(_)) {
            return Ok(None);
        }
        let keys = self.judge.keys(&game, row.plies, self.nodes);
        let first = line[0].to_string();
        if !keys.moves.contains(&first) {
            return Ok(None);
        }
        let others: Vec<&str> = keys.moves.iter().map(String::as_str).filter(|&other| other != first).collect();
        let line: Vec<&str> = line.iter().map(|m: &MoveText| &**m).collect();
        let row = row.with("first", &first).with("line", line.join(" ")).with("unique", keys.unique().word());
        let row = row.with("others", words(&others)).with("undecided", keys.undecided.len());
        let row = row.with("nodes", any.nodes).with("shortest", shortest.nodes);
        Ok(Some(row))
    }

    /// A finished problem with its difficulty by the solver as it is now. What the limit does not let it find out stays as
    /// it was.
    pub fn measured(&mut self, row: &Row) -> Result<Row, String> {
        let any = self.solve(row, BrinkmateWish::default())?;
        let shortest = self.solve(row, BrinkmateWish { shortest: true, ..BrinkmateWish::default() })?;
        match (&any.answer, &shortest.answer) {
            (BrinkmateAnswer::Brinkmate(_), BrinkmateAnswer::Brinkmate(line))
                if shortest.is_shortest && line.len() == usize::from(row.plies) =>
            {
                Ok(row.clone().with("nodes", any.nodes).with("shortest", shortest.nodes))
            }
            (BrinkmateAnswer::Brinkmate(_), BrinkmateAnswer::Unknown) => Ok(row.clone().with("nodes", any.nodes)),
            (_, answer) => Err(format!("{}: expected a brinkmate of {} plies, found {answer:?}", row.name, row.plies)),
        }
    }

    /// The proof of a brinkmate that is no longer than what is told. That none is shorter needs no search here.
    pub fn certificate(&mut self, row: &Row) -> Result<Vec<u8>, String> {
        let wish = BrinkmateWish { within: Some(row.plies), certificate: true, ..BrinkmateWish::default() };
        let found = self.solve(row, wish)?;
        match (&found.answer, found.certificate) {
            (BrinkmateAnswer::Brinkmate(line), Some(certificate)) if line.len() == usize::from(row.plies) => {
                Ok(certificate)
            }
            (answer, _) => Err(format!("{}: expected a brinkmate of {} plies, found {answer:?}", row.name, row.plies)),
        }
    }

    fn solve(&mut self, row: &Row, wish: BrinkmateWish) -> Result<BrinkmateFound, String> {
        let rules = Rules { entering_king: EnteringKingRule::None, ..Rules::default() };
        let start = Start { text: Some(row.position.as_str().into()), rules };
        let line = Line { start, moves: Vec::new() };
        let task = Task { line, limits: Limits { nodes: Some(self.nodes), ..Limits::default() }, ..Task::default() };
        self.solver.solve(&task, wish, &Stop::new(), &mut |_| {}).map_err(|e| e.to_string())
    }
}

fn words(texts: &[&str]) -> String {
    if texts.is_empty() { "-".to_owned() } else { texts.join(",") }
}
