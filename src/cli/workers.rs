//! `hasami workers`: who is in a cluster.

mod engines;

use super::cluster::NeededCluster;
use super::interrupt::Interrupt;
use super::language::tell;
use super::lent_games;
use super::web::{self, WebArgs};
use engines::EngineStore;
use hasami_remote::cluster::Transport;
use hasami_remote::cluster::discovery::{self, Discovered};
use hasami_remote::cluster::names::Member;
use hasami_remote::cluster::wire::{DiscoveryReply, LostNodeSummary, MachineSummary, SlotSummary};
use hasami_remote::games::{lender::LenderNews, queue::finding};
use hasami_terminal::{Failure, values};
use hasami_web::{ClusterFacts, ClusterPage, MachineFacts, MasterFacts, SlotFacts, WebPage};
use hasami_words::text::{counted, span};
use serde_json::json;
use std::io::Write;
use std::time::Duration;

/// List the machines of a cluster, their engines or games, the masters that they serve, and lost workers; or manage the
/// engines that they may fetch
#[derive(clap::Args)]
pub struct List {
    #[command(flatten)]
    connection: NeededCluster,

    /// Seconds to wait for answers
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, default_value = "1", allow_negative_numbers = true)]
    wait: Duration,

    /// Ask the machines of this name to take no new tasks and to exit when their tasks are done; lists only these
    /// machines
    #[arg(long, value_name = "NAME", value_parser = values::name, conflicts_with = "web")]
    drain: Option<String>,

    /// Print one JSON object per line
    #[arg(long, conflicts_with = "web")]
    json: bool,

    #[command(flatten)]
    web: WebArgs,

    #[command(flatten)]
    store: EngineStore,

    /// Accept any file as an engine, without starting it as a check
    #[arg(long, requires = "add_engine")]
    no_check: bool,
}

impl List {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        if self.store.is_wanted() {
            return self.store.run(&self.connection.access()?, self.no_check, out);
        }
        if let Some(page) = self.web.open()? {
            return self.watch(page);
        }
        let transport = self.connection.transport()?;
        let (found, lenders) = match &self.drain {
            Some(name) => (discovery::drain(&*transport, name, self.wait), Vec::new()),
            None => self.ask(&*transport),
        };
        let found = found.map_err(Failure::no_answer)?;
        if let Some(line) = &found.others {
            tell(line);
        }
        let replies = found.replies;
        if let Some(name) = self.drain.as_ref().filter(|_| replies.is_empty()) {
            if self.lends_games(name) {
                return Err(Failure::no_answer(format!(
                    "expected a machine {name} that searches for masters, found one that lends whole games: end it, and others play them"
                )));
            }
            return Err(Failure::no_answer(format!(
                "expected a machine {name} to answer in {} s, found none",
                self.wait.as_secs_f64()
            )));
        }
        if replies.is_empty() && lenders.is_empty() {
            return Err(Failure::no_answer(format!(
                "expected somebody to answer in {} s, found nobody",
                self.wait.as_secs_f64()
            )));
        }
        for (id, reply) in &replies {
            if self.json { writeln!(out, "{}", as_json(id, reply))? } else { write_reply(reply, out)? }
        }
        write_lenders(&lenders, self.json, out)
    }

    /// Both kinds of machines at the same time: those that search for masters, and those that play whole games.
    fn ask(&self, transport: &dyn Transport) -> (Result<Discovered, String>, Vec<LenderNews>) {
        let (found, lenders) = std::thread::scope(|scope| {
            let lenders = self.connection.access().ok().map(|access| {
                let wait = self.wait;
                scope.spawn(move || finding::lenders(&access, wait))
            });
            let found = discovery::discover(transport, self.wait);
            (found, lenders.and_then(|lenders| lenders.join().ok()))
        });
        // What is wrong with the server is told once, by the other question.
        let lenders = lenders.and_then(Result::ok).unwrap_or_default();
        match found {
            // Whoever has the rights for games alone sees machines that lend games.
            Err(_) if !lenders.is_empty() => (Ok(Discovered { replies: Vec::new(), others: None }), lenders),
            found => (found, lenders),
        }
    }

    /// A machine of this name lends whole games; such a one cannot be drained.
    fn lends_games(&self, name: &str) -> bool {
        let lenders = self.connection.access().ok().and_then(|access| finding::lenders(&access, self.wait).ok());
        lenders.is_some_and(|lenders| lenders.iter().any(|lender| lender.name == name))
    }

    /// Asks again and again, and shows who answers, until Ctrl-C.
    fn watch(&self, page: WebPage) -> Result<(), Failure> {
        let transport = self.connection.transport()?;
        web::announce(&page, &mut std::io::stderr())?;
        let mut page = ClusterPage::new(page, transport.place().to_string());
        let interrupt = Interrupt::listen();
        let mut is_reached = true;
        while !interrupt.is_pressed() {
            let (found, lenders) = self.ask(&*transport);
            match found {
                Ok(found) => {
                    is_reached = true;
                    page.update(as_facts(found.replies, &lenders));
                }
                // A server that is restarted is waited for.
                Err(why) if is_reached => {
                    is_reached = false;
                    writeln!(std::io::stderr(), "{why}")?;
                }
                Err(_) => {}
            }
        }
        Ok(())
    }
}

fn write_lenders(lenders: &[LenderNews], is_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    for lender in lenders {
        if is_json {
            writeln!(out, "{}", lent_games::as_json(lender))?;
        } else {
            write_lines(&lent_games::lines(lender), out)?;
        }
    }
    Ok(())
}

fn write_reply(reply: &DiscoveryReply, out: &mut impl Write) -> Result<(), Failure> {
    write_lines(&lines(reply), out)?;
    Ok(())
}

/// The first one is about the machine, the others, of what belongs to it, are indented.
fn write_lines(lines: &[String], out: &mut impl Write) -> std::io::Result<()> {
    for (index, line) in lines.iter().enumerate() {
        writeln!(out, "{}{}", if index == 0 { "" } else { "  " }, line)?;
    }
    Ok(())
}

fn lines(reply: &DiscoveryReply) -> Vec<String> {
    match reply {
        DiscoveryReply::WorkerNode { name, version, seconds, slots, is_drained, .. } => {
            let slot = |(index, slot): (usize, &SlotSummary)| format!("{:>3}  {}", index + 1, slot_words(slot));
            std::iter::once(
                if *is_drained {
                    format!("machine {name}, hasami {version}, up {}, is drained", span(*seconds))
                } else {
                    format!("machine {name}, hasami {version}, up {}", span(*seconds))
                }
                .to_string(),
            )
            .chain(slots.iter().enumerate().map(slot))
            .collect()
        }
        DiscoveryReply::Master { name, version, game, slots, lost, machines, .. } => {
            let workers = counted(u64::from(*slots), "worker");
            let head = format!("master {name}, hasami {version}, {game}, {workers}");
            let lost = lost.iter().map(|LostNodeSummary { name, seconds_ago, why }| {
                format!("lost {name} {} ago: {}", span(*seconds_ago), why)
            });
            std::iter::once(head).chain(lost).chain(machines.iter().map(record_words)).collect()
        }
    }
}

fn record_words(machine: &MachineSummary) -> String {
    let MachineSummary { name, confirmed, contradicted, unproved, is_set_aside, .. } = machine;
    let line = if *unproved > 0 {
        format!(
            "values of {name}: {confirmed} confirmed, {contradicted} contradicted, {} without a proof",
            counted(u64::from(*unproved), "mate")
        )
    } else {
        format!("values of {name}: {confirmed} confirmed, {contradicted} contradicted")
    }
    .to_string();
    if *is_set_aside { format!("{line}; set aside") } else { line }
}

fn slot_words(slot: &SlotSummary) -> String {
    let speed = |speed: u64| format!("{speed} nodes/s");
    let speed = slot.speed.map_or_else(|| "speed not known".to_owned(), speed);

    let work = match (&slot.owner, slot.busy_ms) {
        (None, _) => "free".to_owned(),
        (Some((master, game)), None) => format!("waits for {master} ({game})"),
        (Some((master, game)), Some(ms)) => {
            format!("has searched for {master} ({game}) for {:.1} s", ms as f64 / 1e3)
        }
    };
    let engine: String = match slot.network {
        Some(id) => format!("{} with network {id}", slot.engine),
        None => (&slot.engine).into(),
    };
    format!("{engine}, {speed}, {work}")
}

fn as_json(id: &Member, reply: &DiscoveryReply) -> serde_json::Value {
    match reply {
        DiscoveryReply::WorkerNode { name, version, seconds, slots, is_drained } => {
            let slot = |slot: &SlotSummary| {
                let (master, game) = slot.owner.clone().unzip();
                json!({ "engine": slot.engine, "nodes_per_second": slot.speed, "master": master, "game": game, "busy_ms": slot.busy_ms, "network": slot.network.map(|id| id.to_string()) })
            };
            let slots: Vec<_> = slots.iter().map(slot).collect();
            json!({ "kind": "machine", "id": id.to_string(), "name": name, "version": version, "up_s": seconds, "slots": slots, "drained": is_drained })
        }
        DiscoveryReply::Master { name, version, game, slots, lost, machines, .. } => {
            let shown =
                |lost: &LostNodeSummary| json!({ "name": lost.name, "seconds_ago": lost.seconds_ago, "why": lost.why });
            let lost: Vec<_> = lost.iter().map(shown).collect();
            let machine = |machine: &MachineSummary| json!({ "id": machine.id, "name": machine.name, "confirmed": machine.confirmed, "contradicted": machine.contradicted, "unproved_mates": machine.unproved, "set_aside": machine.is_set_aside });
            let values: Vec<_> = machines.iter().map(machine).collect();
            json!({ "kind": "master", "name": name, "version": version, "game": game, "workers": slots, "lost": lost, "values": values })
        }
    }
}

/// For the page.
fn as_facts(replies: Vec<(Member, DiscoveryReply)>, lenders: &[LenderNews]) -> ClusterFacts {
    let mut facts =
        ClusterFacts { lenders: lenders.iter().map(lent_games::facts).collect(), ..ClusterFacts::default() };
    for (id, reply) in replies {
        match reply {
            DiscoveryReply::WorkerNode { name, version, seconds, slots, .. } => facts.machines.push(MachineFacts {
                id: id.to_string(),
                name,
                version,
                up: Duration::from_secs(seconds),
                slots: slots.into_iter().map(slot_facts).collect(),
            }),
            DiscoveryReply::Master { name, version, game, slots, lost, machines, .. } => {
                let checked = machines.into_iter().map(|m| (m.name, [m.confirmed, m.contradicted], m.is_set_aside));
                let checked = checked.collect();
                let lost = lost.into_iter().map(|lost| (lost.name, Duration::from_secs(lost.seconds_ago), lost.why));
                facts.masters.push(MasterFacts { name, version, game, slots, checked, lost: lost.collect() });
            }
        }
    }
    facts
}

fn slot_facts(slot: SlotSummary) -> SlotFacts {
    SlotFacts {
        engine: slot.engine,
        network: slot.network.map(|id| id.to_string()),
        speed: slot.speed,
        owner: slot.owner,
        busy: slot.busy_ms.map(Duration::from_millis),
    }
}
