//! `hasami workers`: who is in a cluster.

use super::cluster::NeededCluster;
use super::failure::tell;
use super::interrupt::Interrupt;
#[cfg(feature = "cluster")]
use super::lent_games;
use super::web::{self, WebArgs};
use super::{Failure, values};
#[cfg(feature = "cluster")]
use crate::machines::{lender::LenderNews, queue::finding};
use crate::text::{counted, span};
use crate::web::{ClusterFacts, ClusterPage, MachineFacts, MasterFacts, SlotFacts, WebPage};
use crate::workers::cluster::Transport;
use crate::workers::cluster::discovery::{self, Discovered};
use crate::workers::cluster::wire::{DiscoveryReply, LostNodeSummary, MachineSummary, SlotSummary};
use serde_json::json;
use std::io::Write;
use std::time::Duration;

/// Machines that lend whole games.
#[cfg(not(feature = "cluster"))]
type LenderNews = std::convert::Infallible;

/// List a cluster: machines, their engines or games, the masters that they serve, and workers that were lost
#[derive(clap::Args)]
pub struct List {
    #[command(flatten)]
    connection: NeededCluster,

    /// Seconds to wait for answers
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, default_value = "1", allow_negative_numbers = true)]
    wait: Duration,

    /// Tell the machines of this name to take nothing more, and to end when their tasks have; lists them alone
    #[arg(long, value_name = "NAME", value_parser = values::name, conflicts_with = "web")]
    drain: Option<String>,

    /// One JSON object a line
    #[arg(long, conflicts_with = "web")]
    json: bool,

    #[command(flatten)]
    web: WebArgs,
}

impl List {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
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
                let found = "found one that lends whole games: end it, and others play them";
                let expected = format!("expected a machine {name} that searches for masters, {found}");
                return Err(Failure::no_answer(expected));
            }
            let wait = self.wait.as_secs_f64();
            return Err(Failure::no_answer(format!("expected a machine {name} to answer in {wait} s, found none")));
        }
        if replies.is_empty() && lenders.is_empty() {
            return Err(Failure::no_answer(format!(
                "expected somebody to answer in {} s, found nobody",
                self.wait.as_secs_f64()
            )));
        }
        for reply in &replies {
            if self.json { writeln!(out, "{}", as_json(reply))? } else { write_reply(reply, out)? }
        }
        write_lenders(&lenders, self.json, out)
    }

    /// Both kinds of machines at the same time: those that search for masters, and those that play whole games.
    #[cfg(feature = "cluster")]
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
    #[cfg(feature = "cluster")]
    fn lends_games(&self, name: &str) -> bool {
        let lenders = self.connection.access().ok().and_then(|access| finding::lenders(&access, self.wait).ok());
        lenders.is_some_and(|lenders| lenders.iter().any(|lender| lender.name == name))
    }

    #[cfg(not(feature = "cluster"))]
    fn lends_games(&self, _: &str) -> bool {
        false
    }

    #[cfg(not(feature = "cluster"))]
    fn ask(&self, transport: &dyn Transport) -> (Result<Discovered, String>, Vec<LenderNews>) {
        (discovery::discover(transport, self.wait), Vec::new())
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

#[cfg(feature = "cluster")]
fn write_lenders(lenders: &[LenderNews], is_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    for lender in lenders {
        if is_json {
            writeln!(out, "{}", lent_games::as_json(lender))?;
        } else {
            lent_games::lines(lender).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
    }
    Ok(())
}

/// There are none without the cluster.
#[cfg(not(feature = "cluster"))]
fn write_lenders(_: &[LenderNews], _: bool, _: &mut impl Write) -> Result<(), Failure> {
    Ok(())
}

fn write_reply(reply: &DiscoveryReply, out: &mut impl Write) -> Result<(), Failure> {
    match reply {
        DiscoveryReply::WorkerNode { name, version, seconds, slots, is_drained, .. } => {
            let drained = if *is_drained { ", is drained" } else { "" };
            writeln!(out, "machine {name}, hasami {version}, up {}{drained}", span(*seconds))?;
            for (index, slot) in slots.iter().enumerate() {
                writeln!(out, "  {:>3}  {}", index + 1, slot_words(slot))?;
            }
        }
        DiscoveryReply::Master { name, version, game, slots, lost, machines, .. } => {
            writeln!(out, "master {name}, hasami {version}, {game}, {}", counted((*slots).into(), "worker"))?;
            for LostNodeSummary { name, seconds_ago, why } in lost {
                writeln!(out, "  lost {name} {} ago: {why}", span(*seconds_ago))?;
            }
            for machine in machines {
                writeln!(out, "  {}", record_words(machine))?;
            }
        }
    }
    Ok(())
}

fn record_words(machine: &MachineSummary) -> String {
    let MachineSummary { name, confirmed, contradicted, unproved, is_set_aside, .. } = machine;
    let mates = if *unproved > 0 {
        format!(", {} without a proof", counted((*unproved).into(), "mate"))
    } else {
        String::new()
    };
    let fate = if *is_set_aside { "; set aside" } else { "" };
    format!("values of {name}: {confirmed} confirmed, {contradicted} contradicted{mates}{fate}")
}

fn slot_words(slot: &SlotSummary) -> String {
    let speed = slot.speed.map_or("speed not known".to_owned(), |speed| format!("{speed} nodes/s"));
    let work = match (&slot.owner, slot.busy_ms) {
        (None, _) => "free".to_owned(),
        (Some((name, game)), None) => format!("waits for {name} ({game})"),
        (Some((name, game)), Some(ms)) => format!("searches for {name} ({game}) since {:.1} s", ms as f64 / 1e3),
    };
    let network = slot.network.map_or_else(String::new, |id| format!(" with network {id}"));
    format!("{}{network}, {speed}, {work}", slot.engine)
}

fn as_json(reply: &DiscoveryReply) -> serde_json::Value {
    match reply {
        DiscoveryReply::WorkerNode { node, name, version, seconds, slots, is_drained } => {
            let slot = |slot: &SlotSummary| {
                let (master, game) = slot.owner.clone().unzip();
                json!({ "engine": slot.engine, "nodes_per_second": slot.speed, "master": master, "game": game, "busy_ms": slot.busy_ms, "network": slot.network.map(|id| id.to_string()) })
            };
            let slots: Vec<_> = slots.iter().map(slot).collect();
            json!({ "kind": "machine", "id": node.to_string(), "name": name, "version": version, "up_s": seconds, "slots": slots, "drained": is_drained })
        }
        DiscoveryReply::Master { name, version, game, slots, lost, machines, .. } => {
            let shown =
                |lost: &LostNodeSummary| json!({ "name": lost.name, "seconds_ago": lost.seconds_ago, "why": lost.why });
            let lost: Vec<_> = lost.iter().map(shown).collect();
            let machine = |machine: &MachineSummary| json!({ "id": machine.node.to_string(), "name": machine.name, "confirmed": machine.confirmed, "contradicted": machine.contradicted, "unproved_mates": machine.unproved, "set_aside": machine.is_set_aside });
            let values: Vec<_> = machines.iter().map(machine).collect();
            json!({ "kind": "master", "name": name, "version": version, "game": game, "workers": slots, "lost": lost, "values": values })
        }
    }
}

/// For the page.
fn as_facts(replies: Vec<DiscoveryReply>, lenders: &[LenderNews]) -> ClusterFacts {
    #[cfg(feature = "cluster")]
    let mut facts =
        ClusterFacts { lenders: lenders.iter().map(lent_games::facts).collect(), ..ClusterFacts::default() };
    #[cfg(not(feature = "cluster"))]
    let (mut facts, _) = (ClusterFacts::default(), lenders);
    for reply in replies {
        match reply {
            DiscoveryReply::WorkerNode { node, name, version, seconds, slots, .. } => {
                facts.machines.push(MachineFacts {
                    id: node.to_string(),
                    name,
                    version,
                    up: Duration::from_secs(seconds),
                    slots: slots.into_iter().map(slot_facts).collect(),
                })
            }
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
