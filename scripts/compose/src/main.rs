//! Makes brinkmate problems of shogi (hisshi) and chooses a set of them. Every run is said by its seed and its limits.
//!
//! `cargo run --release -p hasami-compose -- grow --seed 1 --tries 100000 > grown.tsv` finds problems at random, by taking
//! moves back and by small changes; `games` finds them in games of the engine; `graft` puts them on boards of such games;
//! `choose` makes a set of what there is;
//! `finish` takes superfluous men off, proves what is told of each problem and measures how hard it is; `rank` measures a
//! finished set anew; `certify` writes its proofs. `climb` makes long problems of what there is.
//! book/brinkmates/README.md has the commands that made the set there.

mod choose;
mod climb;
mod diagram;
mod finish;
mod games;
mod graft;
mod grow;
mod house;
mod judge;
mod random;
mod retro;
mod row;
mod scatter;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
mod vary;

use choose::Choice;
use clap::{Args, Parser, Subcommand};
use climb::Climb;
use diagram::Diagram;
use finish::Finisher;
use games::Games;
use graft::Grafts;
use grow::Population;
use row::Row;
use scatter::Scatter;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Makes brinkmate problems of shogi and chooses a set of them; they go to the standard output.
#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    task: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Few men scattered about a king
    Random {
        #[command(flatten)]
        run: Run,
        #[arg(long)]
        count: usize,
    },
    /// Few men at random, moves taken back, small changes
    Grow {
        #[command(flatten)]
        run: Run,
        /// Positions that are looked at
        #[arg(long)]
        tries: usize,
        /// Members that are found at random before others come of them
        #[arg(long, default_value_t = 20)]
        first: usize,
        /// Problems to begin with
        #[arg(long)]
        from: Vec<PathBuf>,
    },
    /// Longer ones from problems, every family in turn
    Climb {
        #[command(flatten)]
        run: Run,
        /// Positions that are looked at
        #[arg(long)]
        tries: usize,
        /// Problems to begin with
        #[arg(long, required = true)]
        from: Vec<PathBuf>,
    },
    /// The last moves of games of the engine against itself
    Games {
        #[command(flatten)]
        run: Run,
        #[arg(long)]
        games: usize,
    },
    /// Problems on the boards of games of the engine against itself
    Graft {
        #[command(flatten)]
        run: Run,
        problems: PathBuf,
        /// How many games
        #[arg(long)]
        games: usize,
        /// Boards that each problem is put on
        #[arg(long)]
        tries: usize,
    },
    /// Proves what is told of problems, each with a limit of nodes
    Finish {
        problems: PathBuf,
        #[arg(long, default_value_t = 50_000_000)]
        nodes: u64,
        #[arg(long, default_value_t = 128)]
        hash: usize,
    },
    /// Finished problems measured anew, sorted and named
    Rank {
        problems: PathBuf,
        #[arg(long, default_value_t = 50_000_000)]
        nodes: u64,
    },
    /// The certificates of finished problems, by their names
    Certify { problems: PathBuf, folder: PathBuf },
    /// So many of each length and kind, the best ones
    Choose {
        #[arg(required = true)]
        problems: Vec<PathBuf>,
        #[arg(long)]
        composed: usize,
        #[arg(long)]
        game: usize,
        /// Of one length with one ancestor
        #[arg(long, default_value_t = 2)]
        family: usize,
        /// With one end of the main line
        #[arg(long, default_value_t = 5)]
        end: usize,
        #[arg(long, default_value_t = 17)]
        longest: u16,
        /// Lists whose positions stay out
        #[arg(long)]
        except: Vec<PathBuf>,
    },
}

#[derive(Args)]
struct Run {
    #[arg(long)]
    seed: u64,
    /// Nodes for a short problem's length
    #[arg(long, default_value_t = 60_000)]
    nodes: u64,
    /// MiB
    #[arg(long, default_value_t = 64)]
    hash: usize,
}

fn main() -> ExitCode {
    match work(Options::parse().task, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("compose: {why}");
            ExitCode::FAILURE
        }
    }
}

fn work(task: Work, out: &mut impl Write) -> Result<(), String> {
    match task {
        Work::Random { run, count } => {
            let mut source = Scatter::new(run.seed, run.nodes, run.hash);
            (0..count).try_for_each(|_| tell(out, &source.next()))
        }
        Work::Grow { run, tries, first, from } => {
            let mut population = Population::new(run.seed, run.nodes, run.hash, first);
            for row in all_rows(&from)? {
                population.adopt(&row)?;
            }
            (0..tries).try_for_each(|_| population.try_one().map_or(Ok(()), |row| tell(out, &row)))
        }
        Work::Climb { run, tries, from } => {
            let mut climb = Climb::new(run.seed, run.nodes, run.hash);
            for row in all_rows(&from)? {
                climb.adopt(&row)?;
            }
            (0..tries).try_for_each(|_| climb.try_one().map_or(Ok(()), |row| tell(out, &row)))
        }
        Work::Games { run, games } => {
            let mut source = Games::new(run.seed, run.nodes, run.hash);
            (0..games).try_for_each(|_| source.play().iter().try_for_each(|row| tell(out, row)))
        }
        Work::Graft { run, problems, games, tries } => {
            let mut source = Grafts::new(run.seed, run.nodes, run.hash, games);
            let graft = |row: &Row| source.graft(row, tries)?.map_or(Ok(()), |row| tell(out, &row));
            rows(&problems)?.iter().try_for_each(graft)
        }
        Work::Finish { problems, nodes, hash } => {
            let mut finisher = Finisher::new(nodes, hash);
            for row in rows(&problems)? {
                match finisher.finish(&row)? {
                    Some(finished) => tell(out, &finished)?,
                    None => eprintln!("{}: not decided by {nodes} nodes", row.name),
                }
            }
            Ok(())
        }
        Work::Rank { problems, nodes } => {
            let mut finisher = Finisher::new(nodes, 1);
            let measured: Result<Vec<_>, _> = rows(&problems)?.iter().map(|row| finisher.measured(row)).collect();
            choose::named(measured?).iter().try_for_each(|row| tell(out, row))
        }
        Work::Certify { problems, folder } => certify(&problems, &folder),
        Work::Choose { problems, composed, game, family, end, longest, except } => {
            let choice = Choice { composed, game, of_family: family, of_end: end, longest };
            let mut known = Vec::new();
            for path in &except {
                for position in row::positions(&text(path)?) {
                    known.push(Diagram::parse(position)?);
                }
            }
            choice.choose(all_rows(&problems)?, &known)?.iter().try_for_each(|row| tell(out, row))
        }
    }
}

/// One file for each problem.
fn certify(problems: &Path, folder: &Path) -> Result<(), String> {
    let mut finisher = Finisher::new(50_000_000, 1);
    for row in rows(problems)? {
        let path = folder.join(format!("{}.cert", row.name));
        let certificate = finisher.certificate(&row)?;
        fs::write(&path, certificate).map_err(|e| format!("{}: expected to write, found {e}", path.display()))?;
    }
    Ok(())
}

fn tell(out: &mut impl Write, row: &Row) -> Result<(), String> {
    writeln!(out, "{row}").and_then(|()| out.flush()).map_err(|e| format!("expected to write, found {e}"))
}

fn all_rows(paths: &[PathBuf]) -> Result<Vec<Row>, String> {
    let lists: Result<Vec<_>, _> = paths.iter().map(|path| rows(path)).collect();
    Ok(lists?.into_iter().flatten().collect())
}

fn rows(path: &Path) -> Result<Vec<Row>, String> {
    row::parse(&text(path)?).map_err(|why| format!("{}: {why}", path.display()))
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: expected a list of problems, found {e}", path.display()))
}
