//! The subcommand `hasami-lab virtual`: an engine, controlled on stdin, whose workers and clock are virtual.

mod guests;
mod player;

use super::machines::{self, Machines};
use guests::Guests;
use hasami_catalog::{Catalog, Games};
use hasami_lab::virtual_cluster::{Diary, SingleChild, VirtualCluster};
use hasami_protocol::option::Effect;
use hasami_protocol::{Command, Go, Output, Settings};
use hasami_terminal::{Failure, values};
use hasami_words::text::At;
use player::VirtualPlayer;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Play as a cluster of any size under a virtual clock: UCI or USI on stdin
///
/// The virtual cluster is an engine for a GUI or a match tool; at a terminal, the program waits for `uci` or `usi`.
/// Every virtual worker searches exactly --speed nodes per virtual second, however busy the machine is. A match between
/// this engine at `go movetime 1000` and `hasami` with one thread at `go nodes` --speed measures what all workers but
/// the first are worth. Games are exactly reproducible. Child engines that serve as workers (--child) are paused by
/// signals, so that each gets its share of CPU time, measured by its own CPU clock.
#[derive(clap::Args)]
pub struct Virtual {
    #[command(flatten)]
    machines: Machines,

    #[command(flatten)]
    guests: Guests,

    /// Time that the opponent takes for a move, in virtual milliseconds [default: as long as our last move]
    #[arg(long, value_name = "MS", value_parser = values::milliseconds)]
    reply_time: Option<Duration>,

    /// Milliseconds by which the cluster must answer early [default: the option Move Overhead]
    #[arg(long, value_name = "MS", value_parser = values::milliseconds)]
    penalty: Option<Duration>,

    /// Append a JSON object for each move (and each reply pondered on) to this file: the nodes that workers search
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl Virtual {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let mut seat = VirtualSide::new(self, games)?;
        for line in io::stdin().lock().lines() {
            if !seat.hear(&line?, out)? {
                break;
            }
        }
        Ok(())
    }

    fn player(
        &self,
        catalog: &'static dyn Catalog,
        settings: &Settings,
        say: &mut dyn FnMut(Output),
    ) -> Result<VirtualPlayer, Failure> {
        let protocol = catalog.protocol();
        if let Some((child, share)) = self.guests.lonely(settings, protocol)? {
            return Ok(VirtualPlayer::Alone(Box::new(SingleChild::new(catalog, child, share)?)));
        }
        let plan = self.guests.join(self.machines.plan(), settings, protocol)?;
        let mut cluster = VirtualCluster::new(catalog, settings, plan, say)?;
        if self.log.is_some() {
            cluster.keep_tree();
        }
        Ok(VirtualPlayer::Cluster(Box::new(cluster)))
    }
}

/// The state of a session with a GUI.
struct VirtualSide<'a> {
    job: &'a Virtual,
    games: Games,
    catalog: &'static dyn Catalog,
    settings: Settings,
    /// The cluster or child engine that plays, created on first use and again when the settings of its workers change.
    player: Option<VirtualPlayer>,
    diary: Option<Diary>,
    /// Virtual time to charge for the opponent's next move: as long as our last move took.
    owed: Option<Duration>,
}

impl<'a> VirtualSide<'a> {
    fn new(job: &'a Virtual, games: Games) -> Result<Self, Failure> {
        let diary = job.log.as_deref().map(Diary::open).transpose();
        let diary = diary.map_err(|why| Failure::at("--log", why))?;
        let mut settings = machines::settings();
        if let Some(penalty) = job.penalty {
            (settings.overhead, settings.overhead_last) = (penalty, penalty);
        }
        Ok(Self { job, games, catalog: games.first(), settings, player: None, diary, owed: None })
    }

    /// Handles a line of input. Returns false after `quit`.
    fn hear(&mut self, line: &str, out: &mut impl Write) -> Result<bool, Failure> {
        let first = line.split_ascii_whitespace().next().unwrap_or_default();
        if let Some(catalog) = self.games.greeted(first) {
            (self.catalog, self.player) = (catalog, None);
        }
        match self.catalog.protocol().parse(line) {
            Command::Quit => return Ok(false),
            Command::Hello => writeln!(out, "{}", self.games.introduce(self.catalog, &self.settings))?,
            Command::IsReady => {
                let mut said = Vec::new();
                self.build(&mut |output| said.push(output))?;
                said.push(Output::ReadyOk);
                self.say(&said, out)?;
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref(), out)?,
            Command::Bad(why) => self.say(&[Output::Message(why)], out)?,
            Command::Go(go) if !is_limited(&go) => {
                let why = "'go' needs a limit: a virtual clock cannot wait for 'stop'";
                self.say(&[Output::Message(why.into())], out)?;
                self.play(Command::Go(Go { move_time: Some(Duration::from_secs(1)), ..go }), out)?;
            }
            // `stop` and `ponderhit` have no effect, because every search ends before the next line is read.
            Command::Stop | Command::PonderHit(_) | Command::Debug(_) | Command::Unknown => {}
            command => self.play(command, out)?,
        }
        out.flush()?;
        Ok(true)
    }

    fn build(&mut self, say: &mut dyn FnMut(Output)) -> Result<&mut VirtualPlayer, Failure> {
        let player = match self.player.take() {
            Some(player) => player,
            None => self.job.player(self.catalog, &self.settings, say)?,
        };
        Ok(self.player.insert(player))
    }

    fn play(&mut self, command: Command, out: &mut impl Write) -> Result<(), Failure> {
        let protocol = self.catalog.protocol();
        let (owed, reply, rules) = (self.owed.take(), self.job.reply_time, self.settings.rules);
        let mut command = command;
        if let Command::Position(line) = &mut command {
            line.start.rules = rules;
        }
        let mut outcome = Ok(());
        let mut say = |said: Output| {
            let written = writeln!(out, "{}", protocol.format(&said));
            if outcome.is_ok() {
                outcome = written;
            }
        };
        let mut diary = self.diary.take();
        let player = self.build(&mut say)?;
        if let Command::Position(_) = &command
            && let Some(own) = owed
        {
            let time = reply.unwrap_or(own);
            player.pass(time, &mut say)?;
            if let (Some(diary), Some(cluster)) = (&mut diary, player.cluster()) {
                diary.write_reply(cluster).map_err(unwritten)?;
            }
        }
        let (is_go, began) = (matches!(command, Command::Go(_)), player.now());
        if let (Some(diary), Command::Position(line)) = (&mut diary, &command) {
            diary.position(line);
        }
        player.command(command, &mut say)?;
        if is_go {
            let took = player.now().saturating_sub(began);
            if let (Some(diary), Some(cluster)) = (&mut diary, player.cluster()) {
                diary.write(cluster).map_err(unwritten)?;
            }
            self.owed = Some(took);
        }
        self.diary = diary;
        Ok(outcome?)
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, out: &mut impl Write) -> Result<(), Failure> {
        let mut settings = self.settings.clone();
        let mut said = Vec::new();
        let options = self.catalog.options();
        if let Some(chosen) = self.games.chosen(options.protocol, name, value) {
            match chosen {
                Ok(catalog) => (self.catalog, self.player) = (catalog, None),
                Err(why) => said.push(Output::Message(why.to_string())),
            }
            return Ok(self.say(&said, out)?);
        }
        match options.apply(&mut settings, name, value) {
            Ok(Effect::Changed) => {
                let workers = |s: &Settings| (s.hash_mb, s.shared_hash, s.children.clone());
                if workers(&settings) != workers(&self.settings) {
                    self.player = None;
                }
                if let Some(player) = &mut self.player {
                    player.configure(&settings, &mut |output| said.push(output));
                }
                self.settings = settings;
            }
            Ok(Effect::ClearHash) => self.player = None,
            Ok(Effect::Same) => {}
            Err(why) => said.push(Output::Message(why.to_string())),
        }
        Ok(self.say(&said, out)?)
    }

    fn say(&self, said: &[Output], out: &mut impl Write) -> io::Result<()> {
        said.iter().try_for_each(|output| writeln!(out, "{}", self.catalog.protocol().format(output)))
    }
}

fn unwritten(why: io::Error) -> Failure {
    Failure::no_answer(why.at("--log"))
}

fn is_limited(go: &Go) -> bool {
    let by_clock = go.move_time.is_some() || !go.clock.is_empty();
    !go.infinite && (by_clock || go.depth.is_some() || go.nodes.is_some())
}
