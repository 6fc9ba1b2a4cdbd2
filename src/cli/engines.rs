//! `hasami engines`: engines that machines may fetch.

use super::Failure;
use super::cluster::NeededCluster;
use crate::machines::host::check_name;
use crate::machines::queue::objects;
use clap::Subcommand;
use std::io::Write;
use std::path::PathBuf;

/// Engines in the object store of a NATS server, for machines that fetch them (`hasami worker --allow-fetched`)
#[derive(clap::Args)]
pub struct Engines {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Put an engine into the store: an executable file that needs no other one
    Add {
        /// Its name, for cmd=NAME
        name: String,
        file: PathBuf,
        #[command(flatten)]
        connection: NeededCluster,
    },
    /// Take an engine out of the store
    Remove {
        name: String,
        #[command(flatten)]
        connection: NeededCluster,
    },
    /// List the engines of the store
    List {
        #[command(flatten)]
        connection: NeededCluster,
    },
}

impl Engines {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        match &self.job {
            Job::Add { name, file, connection } => {
                check_name(name).map_err(Failure::bad_input)?;
                let added = objects::add(&connection.access()?, name, file).map_err(Failure::no_answer)?;
                writeln!(out, "{} {} ({} bytes)", added.name, added.sha256, added.bytes)?;
            }
            Job::Remove { name, connection } => {
                objects::remove(&connection.access()?, name).map_err(Failure::no_answer)?;
            }
            Job::List { connection } => {
                for engine in objects::list(&connection.access()?).map_err(Failure::no_answer)? {
                    writeln!(out, "{} {} ({} bytes)", engine.name, engine.sha256, engine.bytes)?;
                }
            }
        }
        Ok(())
    }
}
