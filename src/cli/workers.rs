//! `hasami workers`: who is in a cluster.

use super::cluster::NeededCluster;
use super::{Failure, values};
use crate::text::counted;
use crate::workers::cluster::discovery;
use crate::workers::cluster::wire::{DiscoveryReply, LostNodeSummary, SlotSummary};
use serde_json::json;
use std::io::Write;
use std::time::Duration;

/// List a cluster: machines, their engines, the masters that they serve, and workers that were lost
#[derive(clap::Args)]
pub struct List {
    #[command(flatten)]
    connection: NeededCluster,

    /// Seconds to wait for answers
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, default_value = "1", allow_negative_numbers = true)]
    wait: Duration,

    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

impl List {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let replies = discovery::discover(&*self.connection.transport()?, self.wait).map_err(Failure::NoAnswer)?;
        if replies.is_empty() {
            return Err(Failure::NoAnswer(format!(
                "expected somebody to answer in {} s, found nobody",
                self.wait.as_secs_f64()
            )));
        }
        for reply in &replies {
            if self.json { writeln!(out, "{}", as_json(reply))? } else { write_reply(reply, out)? }
        }
        Ok(())
    }
}

fn write_reply(reply: &DiscoveryReply, out: &mut impl Write) -> Result<(), Failure> {
    match reply {
        DiscoveryReply::WorkerNode { name, version, seconds, slots, .. } => {
            writeln!(out, "machine {name}, hasami {version}, up {}", span(*seconds))?;
            for (index, slot) in slots.iter().enumerate() {
                writeln!(out, "  {:>3}  {}", index + 1, slot_words(slot))?;
            }
        }
        DiscoveryReply::Master { name, version, game, slots, lost, .. } => {
            writeln!(out, "master {name}, hasami {version}, {game}, {}", counted((*slots).into(), "worker"))?;
            for LostNodeSummary { name, seconds_ago, why } in lost {
                writeln!(out, "  lost {name} {} ago: {why}", span(*seconds_ago))?;
            }
        }
    }
    Ok(())
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

/// `42 s`, `7 min`, `3 h`.
fn span(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}

fn as_json(reply: &DiscoveryReply) -> serde_json::Value {
    match reply {
        DiscoveryReply::WorkerNode { node, name, version, seconds, slots } => {
            let slot = |slot: &SlotSummary| {
                let (master, game) = slot.owner.clone().unzip();
                json!({ "engine": slot.engine, "nodes_per_second": slot.speed, "master": master, "game": game, "busy_ms": slot.busy_ms, "network": slot.network.map(|id| id.to_string()) })
            };
            let slots: Vec<_> = slots.iter().map(slot).collect();
            json!({ "kind": "machine", "id": node.to_string(), "name": name, "version": version, "up_s": seconds, "seats": slots })
        }
        DiscoveryReply::Master { name, version, game, slots, lost, .. } => {
            let shown =
                |lost: &LostNodeSummary| json!({ "name": lost.name, "seconds_ago": lost.seconds_ago, "why": lost.why });
            let lost: Vec<_> = lost.iter().map(shown).collect();
            json!({ "kind": "master", "name": name, "version": version, "game": game, "workers": slots, "lost": lost })
        }
    }
}
