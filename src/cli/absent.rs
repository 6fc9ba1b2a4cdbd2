//! Subcommands of features that this program was built without: each says so.

use super::Failure;
use crate::words::Message;
use std::ffi::OsString;

/// Whatever its arguments are, they are not looked at.
#[derive(clap::Args)]
#[command(hide = true, disable_help_flag = true)]
pub struct Absent {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _words: Vec<OsString>,
}

impl Absent {
    pub fn refuse(&self, subcommand: &str, feature: &str) -> Failure {
        Failure::at(subcommand, Message::new("expected-feature").with("feature", feature))
    }
}

#[cfg(not(feature = "lab"))]
pub mod lab {
    use super::{Absent, Failure};
    use crate::catalog::Games;
    use crate::words::Words;
    use clap::Subcommand;
    use std::io::Write;

    /// Those that measure the program.
    #[derive(Subcommand)]
    pub enum Lab {
        Learn(Absent),
        Speedup(Absent),
        Virtual(Absent),
        Waste(Absent),
        Worth(Absent),
    }

    impl Lab {
        pub fn run(&self, _: Games, _: &'static Words, _: &mut impl Write) -> Result<(), Failure> {
            let (name, job) = match self {
                Self::Learn(job) => ("learn", job),
                Self::Speedup(job) => ("speedup", job),
                Self::Virtual(job) => ("virtual", job),
                Self::Waste(job) => ("waste", job),
                Self::Worth(job) => ("worth", job),
            };
            Err(job.refuse(name, "lab"))
        }
    }
}

#[cfg(not(feature = "terminal"))]
pub mod completions {
    use super::{Absent, Failure};
    use crate::catalog::Games;
    use std::io::Write;

    /// Those for a shell.
    #[derive(clap::Args)]
    #[command(hide = true, disable_help_flag = true)]
    pub struct Completions {
        #[command(flatten)]
        absent: Absent,
    }

    impl Completions {
        pub fn run(&self, _: Games, _: &mut dyn Write) -> Result<(), Failure> {
            Err(self.absent.refuse("completions", "terminal"))
        }
    }
}

#[cfg(not(feature = "terminal"))]
pub mod manual {
    use super::{Absent, Failure};
    use crate::catalog::Games;
    use std::io::Write;

    /// Those for a package.
    #[derive(clap::Args)]
    #[command(hide = true, disable_help_flag = true)]
    pub struct Manual {
        #[command(flatten)]
        absent: Absent,
    }

    impl Manual {
        pub fn run(&self, _: Games, _: &mut dyn Write) -> Result<(), Failure> {
            Err(self.absent.refuse("manual", "terminal"))
        }
    }
}
