//! Simulates the traffic of a large cluster: messages and bytes of each kind, per machine and master and second.
//!
//!     cargo run --profile fast --example cluster_size -- --machines 10000 --masters 4
//!     cargo run --profile fast --example cluster_size -- --machines 10000 --masters 100 --pools 50 --silence 5
//!
//! Masters and machines are those of the program; searches, and the network between them, are left out.

use clap::Parser;
use hasami_sim::network::{Amount, TrafficPlan};
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Options {
    #[arg(long, default_value_t = 10_000)]
    machines: usize,
    /// Number of slots per machine
    #[arg(long, default_value_t = 4)]
    slots: usize,
    #[arg(long, default_value_t = 4)]
    masters: usize,
    #[arg(long, default_value_t = 1)]
    pools: usize,
    /// Seconds of silence after which a machine or master counts as gone
    #[arg(long, default_value_t = 1.5)]
    silence: f64,
    /// Number of workers in a search group
    #[arg(long, default_value_t = 32)]
    team: u64,
    #[arg(long, default_value_t = 3)]
    seconds: u64,
}

fn main() {
    let Options { machines, slots, masters, pools, silence, team, seconds } = Options::parse();
    let (begun, time) = (Instant::now(), Duration::from_secs(seconds));
    let silence = Duration::from_secs_f64(silence);
    let traffic = TrafficPlan { machines, slots, masters, pools, silence, team, time }.traffic();
    println!("{machines} machines of {slots} slots, {masters} masters, {pools} pools, {} held", traffic.held);
    println!("| kind | said a second | kB | heard a second | kB | heard for each machine and master | bytes of one |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let pairs = (machines * masters) as f64;
    let row = |name: &str, amount: Amount| {
        let a_second = |count: u64| count as f64 / seconds as f64;
        let Amount { said, said_bytes, heard, heard_bytes } = amount;
        println!(
            "| {name} | {:.0} | {:.0} | {:.0} | {:.0} | {:.3} | {:.0} |",
            a_second(said),
            a_second(said_bytes) / 1e3,
            a_second(heard),
            a_second(heard_bytes) / 1e3,
            a_second(heard) / pairs,
            said_bytes as f64 / said.max(1) as f64,
        );
    };
    traffic.kinds.iter().for_each(|(name, amount)| row(name, *amount));
    row("all", traffic.total());
    let [machine, master] = [traffic.machine_heard, traffic.master_heard].map(|count| count / seconds);
    println!("without news, a machine hears at most {machine} a second, a master {master}");
    println!("played in {:.0} s", begun.elapsed().as_secs_f64());
}
