//! `hasami workers`: lists the members of a cluster.

mod engines;

use super::cluster::NeededCluster;
use super::interrupt::Interrupt;
use super::language::tell;
use super::lent_games;
use super::web::{self, WebArgs};
use engines::EngineStore;
use hasami_matches::lender::LenderNews;
use hasami_remote::cluster::discovery;
use hasami_remote::cluster::names::Member;
use hasami_remote::cluster::wire::{DiscoveryReply, LostNodeSummary, SlotSummary};
use hasami_terminal::{Failure, values};
use hasami_web::{ClusterFacts, ClusterPage, MachineFacts, MasterFacts, SlotFacts, WebPage};
use hasami_words::text::{counted, span};
use serde_json::json;
use std::io::Write;
use std::time::Duration;

/// List the machines of a cluster, their engines or games, the masters that they serve, and lost workers; or manage the
/// engines that machines may fetch
#[derive(clap::Args)]
pub struct List {
    #[command(flatten)]
    connection: NeededCluster,

    /// Seconds to wait for answers
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, default_value = "1", allow_negative_numbers = true)]
    wait: Duration,

    /// Print one JSON object per line
    #[arg(long, conflicts_with = "web")]
    json: bool,

    #[command(flatten)]
    web: WebArgs,

    #[command(flatten)]
    store: EngineStore,
}

impl List {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        if self.store.is_wanted() {
            return self.store.run(&self.connection.access()?, out);
        }
        if let Some(page) = self.web.open()? {
            return self.watch(page);
        }
        let transport = self.connection.transport()?;
        let found = discovery::discover(&*transport, self.wait).map_err(Failure::no_answer)?;
        if let Some(line) = &found.others {
            tell(line);
        }
        if found.replies.is_empty() {
            let seconds = self.wait.as_secs_f64();
            return Err(Failure::no_answer(format!("nobody answered in {seconds} s")));
        }
        for (id, reply) in &found.replies {
            match self.json {
                true => writeln!(out, "{}", as_json(id, reply))?,
                false => write_lines(&lines(reply), out)?,
            }
        }
        Ok(())
    }

    /// Repeatedly discovers the members of the cluster, and shows them on the web page until Ctrl-C.
    fn watch(&self, page: WebPage) -> Result<(), Failure> {
        let transport = self.connection.transport()?;
        web::announce(&page, &mut std::io::stderr())?;
        let page = ClusterPage::new(page, transport.place().to_string());
        let interrupt = Interrupt::listen();
        let mut is_reached = true;
        while !interrupt.is_pressed() {
            match discovery::discover(&*transport, self.wait) {
                Ok(found) => {
                    is_reached = true;
                    page.update(as_facts(found.replies));
                }
                // If a server becomes unreachable later, the command waits until it is back.
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

/// Parses the report of a machine that lends games.
fn lender(news: &str) -> Option<LenderNews> {
    serde_json::from_str(news).ok()
}

/// Prints a line about a machine, and below it indented lines, such as one for each slot.
fn write_lines(lines: &[String], out: &mut impl Write) -> std::io::Result<()> {
    for (index, line) in lines.iter().enumerate() {
        writeln!(out, "{}{}", if index == 0 { "" } else { "  " }, line)?;
    }
    Ok(())
}

fn lines(reply: &DiscoveryReply) -> Vec<String> {
    match reply {
        DiscoveryReply::WorkerNode { name, version, seconds, slots } => {
            let slot = |(index, slot): (usize, &SlotSummary)| format!("{:>3}  {}", index + 1, slot_words(slot));
            let head = format!("machine {name}, hasami {version}, up {}", span(*seconds));
            std::iter::once(head).chain(slots.iter().enumerate().map(slot)).collect()
        }
        DiscoveryReply::Master { name, version, game, slots, lost } => {
            let workers = counted(u64::from(*slots), "worker");
            let head = format!("master {name}, hasami {version}, {game}, {workers}");
            let lost = lost.iter().map(|LostNodeSummary { name, seconds_ago, why }| {
                format!("lost {name} {} ago: {}", span(*seconds_ago), why)
            });
            std::iter::once(head).chain(lost).collect()
        }
        DiscoveryReply::Lender { news } => lender(news).as_ref().map(lent_games::lines).unwrap_or_default(),
    }
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
        DiscoveryReply::WorkerNode { name, version, seconds, slots } => {
            let slot = |slot: &SlotSummary| {
                let (master, game) = slot.owner.clone().unzip();
                json!({ "engine": slot.engine, "nodes_per_second": slot.speed, "master": master, "game": game, "busy_ms": slot.busy_ms, "network": slot.network.map(|id| id.to_string()) })
            };
            let slots: Vec<_> = slots.iter().map(slot).collect();
            json!({ "kind": "machine", "id": id.to_string(), "name": name, "version": version, "up_s": seconds, "slots": slots })
        }
        DiscoveryReply::Master { name, version, game, slots, lost } => {
            let shown =
                |lost: &LostNodeSummary| json!({ "name": lost.name, "seconds_ago": lost.seconds_ago, "why": lost.why });
            let lost: Vec<_> = lost.iter().map(shown).collect();
            json!({ "kind": "master", "name": name, "version": version, "game": game, "workers": slots, "lost": lost })
        }
        DiscoveryReply::Lender { news } => lender(news).as_ref().map(lent_games::as_json).unwrap_or_default(),
    }
}

/// Converts the cluster's answers to information for the web page.
fn as_facts(replies: Vec<(Member, DiscoveryReply)>) -> ClusterFacts {
    let mut facts = ClusterFacts::default();
    for (id, reply) in replies {
        match reply {
            DiscoveryReply::WorkerNode { name, version, seconds, slots, .. } => facts.machines.push(MachineFacts {
                id: id.to_string(),
                name,
                version,
                up: Duration::from_secs(seconds),
                slots: slots.into_iter().map(slot_facts).collect(),
            }),
            DiscoveryReply::Master { name, version, game, slots, lost } => {
                let lost = lost.into_iter().map(|lost| (lost.name, Duration::from_secs(lost.seconds_ago), lost.why));
                facts.masters.push(MasterFacts { name, version, game, slots, lost: lost.collect() });
            }
            DiscoveryReply::Lender { news } => facts.lenders.extend(lender(&news)),
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
