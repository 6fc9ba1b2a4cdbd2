//! `hasami workers`: who is in a cluster.

use super::cluster::NeededCluster;
use super::{Failure, values};
use crate::text::counted;
use crate::workers::cluster::roll;
use crate::workers::cluster::wire::{Card, LostCard, SeatCard};
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
        let cards = roll::call(&*self.connection.transport()?, self.wait).map_err(Failure::NoAnswer)?;
        if cards.is_empty() {
            return Err(Failure::NoAnswer(format!(
                "expected somebody to answer in {} s, found nobody",
                self.wait.as_secs_f64()
            )));
        }
        for card in &cards {
            if self.json { writeln!(out, "{}", as_json(card))? } else { write_card(card, out)? }
        }
        Ok(())
    }
}

fn write_card(card: &Card, out: &mut impl Write) -> Result<(), Failure> {
    match card {
        Card::Station { name, version, seconds, seats, .. } => {
            writeln!(out, "machine {name}, hasami {version}, up {}", span(*seconds))?;
            for (index, seat) in seats.iter().enumerate() {
                writeln!(out, "  {:>3}  {}", index + 1, seat_words(seat))?;
            }
        }
        Card::Master { name, version, game, seats, lost, .. } => {
            writeln!(out, "master {name}, hasami {version}, {game}, {}", counted((*seats).into(), "worker"))?;
            for LostCard { name, seconds_ago, why } in lost {
                writeln!(out, "  lost {name} {} ago: {why}", span(*seconds_ago))?;
            }
        }
    }
    Ok(())
}

fn seat_words(seat: &SeatCard) -> String {
    let speed = seat.speed.map_or("speed not known".to_owned(), |speed| format!("{speed} nodes/s"));
    let work = match (&seat.owner, seat.busy_ms) {
        (None, _) => "free".to_owned(),
        (Some((name, game)), None) => format!("waits for {name} ({game})"),
        (Some((name, game)), Some(ms)) => format!("searches for {name} ({game}) since {:.1} s", ms as f64 / 1e3),
    };
    format!("{}, {speed}, {work}", seat.engine)
}

/// `42 s`, `7 min`, `3 h`.
fn span(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}

fn as_json(card: &Card) -> serde_json::Value {
    match card {
        Card::Station { station, name, version, seconds, seats } => {
            let seat = |seat: &SeatCard| {
                let (master, game) = seat.owner.clone().unzip();
                json!({ "engine": seat.engine, "nodes_per_second": seat.speed, "master": master, "game": game, "busy_ms": seat.busy_ms })
            };
            let seats: Vec<_> = seats.iter().map(seat).collect();
            json!({ "kind": "machine", "id": station.to_string(), "name": name, "version": version, "up_s": seconds, "seats": seats })
        }
        Card::Master { name, version, game, seats, lost, .. } => {
            let shown =
                |lost: &LostCard| json!({ "name": lost.name, "seconds_ago": lost.seconds_ago, "why": lost.why });
            let lost: Vec<_> = lost.iter().map(shown).collect();
            json!({ "kind": "master", "name": name, "version": version, "game": game, "workers": seats, "lost": lost })
        }
    }
}
