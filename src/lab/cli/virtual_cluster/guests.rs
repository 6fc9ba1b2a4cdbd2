//! The child engines of a virtual cluster, given by `--child` or the option `Children`.

use hasami_lab::virtual_cluster::{ClusterPlan, VirtualMachine};
use hasami_protocol::{Protocol, Settings};
use hasami_terminal::{Failure, values};
use hasami_workers::children::{self, ChildSpec};

/// The arguments that select child engines and their share of CPU time.
#[derive(clap::Args)]
pub struct Guests {
    /// Command line of a child engine that replaces our workers, as with the option Children; several are assigned in
    /// turn (Linux)
    #[arg(long, value_name = "COMMAND")]
    child: Vec<String>,

    /// CPU seconds that a child gets per virtual second
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = values::share)]
    cpu: f64,

    /// Let the child play by itself with the same clock, without a tree and other workers; for `go movetime`, nodes or
    /// depth
    #[arg(long)]
    alone: bool,
}

impl Guests {
    /// Returns the engines given by `--child`, followed by those of the option `Children`.
    fn named(&self, settings: &Settings, protocol: Protocol) -> Result<Vec<ChildSpec>, Failure> {
        let mut named = Vec::new();
        for command in &self.child {
            named.push(ChildSpec::from_command(command).map_err(|why| Failure::at("--child", why))?);
        }
        if let Some(file) = &settings.children {
            let found = children::read(file).map_err(|why| Failure::at("Children", why))?;
            named.extend(found.engines);
        }
        let found = named.len();
        named.retain(|child| child.speaks(protocol));
        if named.is_empty() && (found > 0 || self.alone) {
            let why = format!("no child engine speaks {protocol}");
            return Err(Failure::bad_input(why));
        }
        Ok(named)
    }

    /// The engine that plays alone (`--alone`) and its share of CPU time; `None` without `--alone`.
    pub fn lonely(&self, settings: &Settings, protocol: Protocol) -> Result<Option<(ChildSpec, f64)>, Failure> {
        match self.alone {
            true => Ok(self.named(settings, protocol)?.into_iter().next().map(|child| (child, self.cpu))),
            false => Ok(None),
        }
    }

    /// If child engines were given, replaces every worker of the plan with a child engine.
    pub fn join(&self, plan: ClusterPlan, settings: &Settings, protocol: Protocol) -> Result<ClusterPlan, Failure> {
        let named = self.named(settings, protocol)?;
        if named.is_empty() {
            return Ok(plan);
        }
        let mut children: Vec<ChildSpec> = named.into_iter().cycle().take(plan.workers.len()).collect();
        children::tell_apart(&mut children);
        let workers = children.into_iter().map(|spec| VirtualMachine::Child { spec, share: self.cpu }).collect();
        Ok(ClusterPlan { workers, ..plan })
    }
}
