//! Builds the driver's workers when they are first needed, and rebuilds them when a changed option requires it.
//!
//! When only options of this program's threads change, child engines keep their tables and the manager keeps its tree.

use super::{Driver, SHUTDOWN, Say};
use crate::Bus;
use crate::children::{self, ChildSpec, Children};
use crate::membership::Membership;
use crate::memory::{self, Shares};
use crate::outside::{Cluster, Joining};
use crate::pool::WorkerPool;
use hasami_catalog::evaluation;
use hasami_protocol::option::{Options, Rebuild};
use hasami_protocol::{Output, Settings};
use hasami_tree::event::WorkerId;
use std::time::Instant;

/// Decides which workers to rebuild when the settings change from `before` to `after`. The comparison includes the
/// child engines named on the command line, which are not options.
pub(super) fn rebuild(options: Options, before: &Settings, after: &Settings) -> Rebuild {
    match before.child_commands == after.child_commands {
        true => options.rebuild(before, after),
        false => Rebuild::All,
    }
}

impl Driver {
    /// Builds the workers if they have not been built yet. If no search is running, rebuilds the workers whose settings
    /// have changed.
    pub fn staff(&mut self, say: Say) {
        match (&self.pool, self.stale) {
            (Some(_), Rebuild::Nobody) => return,
            (Some(_), _) if self.is_searching() => return,
            _ => {
                self.read_network(say);
                self.try_tables(say);
            }
        }
        match (&self.pool, self.stale) {
            (Some(_), Rebuild::Solver) => self.renew_solver(say),
            (Some(pool), Rebuild::Own) if pool.has_others() => self.renew_own(say),
            _ => self.renew_all(say),
        }
        self.stale = Rebuild::Nobody;
    }

    /// Reads the network that the options name, unless it has already been read.
    fn read_network(&mut self, say: Say) {
        if self.evaluation.as_ref() == Some(&self.settings.evaluation) {
            return;
        }
        self.evaluation = Some(self.settings.evaluation.clone());
        self.network = self.catalog.read_network(&self.settings).unwrap_or_else(|why| {
            warn(why.to_string(), say);
            self.catalog.built_in_network()
        });
        if let Some(network) = &self.network {
            say(Output::Message(evaluation::describe(network)));
        }
        // A master announces its network only once, when it joins.
        if self.is_in_cluster() {
            self.stale = Rebuild::All;
        }
    }

    /// Reports endgame tables that were added to the options and cannot be read.
    fn try_tables(&mut self, say: Say) {
        if self.endgames != self.settings.endgames {
            self.endgames = self.settings.endgames.clone();
            if let Err(why) = self.catalog.check_tables(&self.endgames) {
                say(Output::Message(format!("SyzygyPath: {why}")));
            }
        }
    }

    /// The settings for the threads of this program.
    fn pool_settings(&self) -> Settings {
        Settings { network: self.network.clone(), ..self.settings.clone() }
    }

    fn renew_all(&mut self, say: Say) {
        let first_id = self.pool.as_ref().map_or(0, |pool| pool.next_id);
        if let Some(old) = self.pool.take() {
            // The old workers are ended first, because the new ones may need their memory.
            old.dismiss(Instant::now() + SHUTDOWN);
            // The new workers know nothing of the old tree.
            self.manager.on_dismissal(&self.settings);
            self.alarm = None;
        }
        let (children, membership) = self.children(say);
        let memory = self.memory(say);
        let bus = Bus::default();
        let cluster = membership.and_then(|membership| self.join_cluster(&membership, &bus, say));
        let (workers, news) = ((children.as_slice(), cluster), (self.inbox.events(), bus));
        let pool = WorkerPool::new(self.catalog, &self.pool_settings(), memory, workers, news, first_id);
        self.awaited = pool.players().collect();
        self.renewing.clear();
        self.preparing.clone_from(&pool.threads);
        self.absent.clear();
        self.crashes.clear();
        self.pool = Some(pool);
        self.tell_names();
    }

    /// Rebuilds only the threads of this program and the solver.
    fn renew_own(&mut self, say: Say) {
        let Some(pool) = &self.pool else { return };
        let old: Vec<WorkerId> = pool.threads.iter().copied().chain(pool.solver).collect();
        self.dismiss(&old, say);
        // Free memory is measured after the old workers have released their tables.
        let memory = self.memory(say);
        let settings = self.pool_settings();
        let Some(pool) = &mut self.pool else { return };
        pool.add_own(&settings, memory);
        self.awaited.extend(&pool.threads);
        self.preparing.extend(&pool.threads);
        self.tell_names();
    }

    fn renew_solver(&mut self, say: Say) {
        let old: Vec<WorkerId> = self.pool.iter().filter_map(|pool| pool.solver).collect();
        self.dismiss(&old, say);
        let settings = self.pool_settings();
        if let Some(pool) = &mut self.pool {
            pool.add_solver(&settings);
        }
        self.tell_names();
    }

    /// Ends `workers`, which no running search may use.
    fn dismiss(&mut self, workers: &[WorkerId], say: Say) {
        for &worker in workers {
            self.release(worker, say);
        }
        if let Some(pool) = &mut self.pool {
            pool.end(workers, Instant::now() + SHUTDOWN);
        }
    }

    /// Removes a worker from the manager and from the set of workers that `readyok` waits for.
    pub(super) fn release(&mut self, worker: WorkerId, say: Say) {
        self.awaited.remove(&worker);
        self.renewing.remove(&worker);
        self.preparing.retain(|&id| id != worker);
        let actions = self.manager.on_released(self.now(), worker);
        self.execute(actions, say);
    }

    fn tell_names(&mut self) {
        if let Some(pool) = &self.pool {
            pool.names().for_each(|(id, name)| self.manager.on_worker_added(id, name));
        }
    }

    fn memory(&self, say: Say) -> Shares {
        let (shares, warning) = memory::share(&self.settings, (self.room)(), memory::gives);
        if let Some(text) = warning {
            warn(text, say);
        }
        shares
    }

    /// Returns the children from the children file and the command line, and the cluster to join. Skips engines and
    /// clusters that cannot be used, and reports them.
    fn children(&self, say: Say) -> (Vec<ChildSpec>, Option<Membership>) {
        let one = |child| Children { engines: vec![child], cluster: None };
        let named = self.settings.child_commands.iter();
        let named = named.map(|command| ChildSpec::from_command(command).map(one).map_err(|error| error.to_string()));
        let filed = self.settings.children.as_deref().map(children::read);
        let (mut all, mut membership) = (Vec::new(), None);
        for found in named.chain(filed) {
            match found {
                Ok(mut children) => {
                    all.append(&mut children.engines);
                    membership = children.cluster.or(membership);
                }
                Err(error) => warn(format!("Children: {error}"), say),
            }
        }
        children::tell_apart(&mut all);
        self.tell_strangers(&all, say);
        // The option `Cluster` takes precedence over the server in the children file, but the credentials may still
        // come from the file.
        if !self.settings.cluster.is_empty() {
            let joined = membership.get_or_insert_with(|| Membership::of(""));
            joined.servers.clone_from(&self.settings.cluster);
            joined.creds = self.settings.cluster_creds.clone().or(joined.creds.take());
            joined.tls_ca = self.settings.cluster_tls_ca.clone().or(joined.tls_ca.take());
        }
        (all, membership)
    }

    /// Joins a cluster, or reports why joining failed.
    fn join_cluster(&self, membership: &Membership, bus: &Bus, say: Say) -> Option<Box<dyn Cluster>> {
        let file = evaluation::file(&self.settings, self.catalog.protocol());
        let joining = Joining {
            membership,
            catalog: self.catalog,
            network: self.network.as_deref(),
            file: file.as_deref(),
            events: self.inbox.events(),
            bus: bus.clone(),
        };
        let joined = match (membership.servers.trim(), self.join) {
            ("", _) => {
                Err("no server is named; set servers = \"nats://HOST\" in [cluster], or the option Cluster".into())
            }
            (_, None) => Err("this program was built without the feature 'cluster'".to_owned()),
            (_, Some(join)) => join(joining),
        };
        joined.map_err(|why| warn(format!("Cluster: cannot join: {why}"), say)).ok()
    }

    /// Warns the user if no child speaks the protocol of the game. If only some children do not speak the game's
    /// protocol, their names are just logged, since one children file may serve several games.
    fn tell_strangers(&self, children: &[ChildSpec], say: Say) {
        let protocol = self.catalog.protocol();
        let strangers: Vec<&ChildSpec> = children.iter().filter(|child| !child.speaks(protocol)).collect();
        strangers.iter().for_each(|child| log::info!("{}: not asked, it does not speak {protocol}", child.name));
        if let Some(first) = strangers.first().filter(|_| strangers.len() == children.len()) {
            let more = strangers.len() - 1;
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let name = &first.name;
            warn(format!("warning: Children: no engine speaks {protocol}: {name}{more}"), say);
        }
    }
}

/// Logs a warning and shows it to the user.
fn warn(text: String, say: Say) {
    log::warn!("{text}");
    say(Output::Message(text));
}
