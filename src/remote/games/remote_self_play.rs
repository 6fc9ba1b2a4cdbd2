//! Plays self-play games on other machines. The resulting file is byte for byte the file that this machine would write.

use super::known_machines::KnownMachines;
use super::queue::asking::{Asker, AskerEvent};
use super::queue::objects;
use super::remote_match::{Machines, queue_name};
use super::task::{Answer, AnswerContent, MatchCard, OpeningText, SelfPlayTask, Task, VERSION};
use crate::cluster::machine;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hasami_selfplay::{SelfPlayPlan, SelfPlayProgress, SelfPlayWriter};
use hasami_training::TrainingFormats;
use hasami_words::files;
use hasami_words::heard;
use hasami_words::text::At;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Number of games per task. The games of a task form a chunk.
const CHUNK: u64 = 8;
/// Limit on the number of chunks that are requested ahead of the first unfinished chunk, as a multiple of the number of
/// chunks in the queue.
const AHEAD: u64 = 4;
/// Longest time until a request by the user to stop is noticed.
const GLANCE: Duration = Duration::from_millis(300);
/// Interval at which the caller checks whether the queue holds the tasks that it should hold.
const LOOK: Duration = Duration::from_secs(10);
/// Interval at which the caller checks whether any machine plays.
const SHOWN: Duration = Duration::from_secs(2);
/// The run ends after this many consecutive refusals without a game in between.
const MOST_REFUSALS: u32 = 5;

/// Plays until the file holds `games` games or `enough` returns true. `network` is the file of a network that is not
/// built into the program.
pub fn play(
    machines: &Machines,
    formats: &TrainingFormats,
    plan: &SelfPlayPlan,
    (path, games, network): (&Path, u64, Option<&Path>),
    tell: &mut dyn FnMut(&SelfPlayProgress),
    enough: &dyn Fn() -> bool,
) -> Result<SelfPlayProgress, String> {
    let mut writer = SelfPlayWriter::open(path, plan, formats)?;
    let text = serde_json::to_value(plan).map_err(|error| error.to_string())?;
    let network = network.map(|path| stored(machines, path)).transpose()?;
    let openings = stored_openings(machines, plan)?;
    let card = MatchCard {
        version: VERSION,
        title: format!("self-play for {}", path.display()),
        game: plan.game.to_owned(),
        weight: machines.weight,
        engines: Vec::new(),
        tables: false,
        files: network.iter().chain(&openings).cloned().collect(),
        without: machines.without.clone(),
        caller: machine(),
    };
    let id = queue_name(path, &text.to_string());
    let known = KnownMachines::of(&id, &card, Instant::now());
    let asker = Asker::open(&machines.access, id, card)?;
    let task = SelfPlayTask { plan: text, numbers: [0, games], network, openings };
    let mut generation =
        Generation { asker, formats, task, state: QueueState::default(), known, refusals: 0, tell: machines.tell };
    let (mut looked, mut shown): (Option<Instant>, Option<Instant>) = (None, None);
    while writer.progress().games < games && !enough() {
        if looked.is_none_or(|at| at.elapsed() >= LOOK) {
            looked = Some(Instant::now());
            generation.asker.look();
        }
        if shown.is_none_or(|at| at.elapsed() >= SHOWN) {
            shown = Some(Instant::now());
            generation.known.look(Instant::now()).iter().for_each(|line| (machines.tell)(line));
        }
        generation.ask(writer.progress().games);
        if let Ok(event) = generation.asker.events.recv_timeout(GLANCE) {
            generation.hear(event, &mut writer, tell)?;
        }
    }
    generation.asker.remove();
    Ok(writer.progress())
}

/// The caller's knowledge of the queue. Chunks are identified by number.
#[derive(Default)]
struct QueueState {
    /// Whether the queue has been checked at least once.
    is_known: bool,
    asked: BTreeSet<u64>,
    /// Chunks whose games have arrived. The games are in the file, or are waiting for the games of earlier chunks.
    done: BTreeSet<u64>,
}

struct Generation<'a> {
    asker: Asker,
    formats: &'a TrainingFormats,
    /// The first task. All tasks differ only in the numbers of their games.
    task: SelfPlayTask,
    state: QueueState,
    known: KnownMachines,
    /// Number of consecutive refusals.
    refusals: u32,
    tell: fn(&str),
}

impl Generation<'_> {
    /// Keeps enough tasks in the queue that no machine has to wait. `written` is the number of games in the file.
    fn ask(&mut self, written: u64) {
        let known = &self.known;
        let QueueState { is_known, asked, done } = &mut self.state;
        if !*is_known {
            return;
        }
        let (first, end) = (written / CHUNK, self.task.numbers[1].div_ceil(CHUNK));
        done.retain(|chunk| *chunk >= first);
        asked.retain(|chunk| *chunk >= first && !done.contains(chunk));
        // Without this limit, finished chunks would pile up behind one that takes long.
        let ahead = first + AHEAD * known.wanted() as u64;
        let room = known.wanted().saturating_sub(asked.len());
        let free = (first..end.min(ahead)).filter(|chunk| !asked.contains(chunk) && !done.contains(chunk));
        let next: Vec<u64> = free.take(room).collect();
        asked.extend(&next);
        let tasks: Vec<_> = next.into_iter().filter_map(|chunk| Some((chunk, self.message(chunk)?))).collect();
        if !tasks.is_empty() {
            self.asker.ask(tasks);
        }
    }

    fn message(&self, chunk: u64) -> Option<Vec<u8>> {
        let numbers = [chunk * CHUNK, ((chunk + 1) * CHUNK).min(self.task.numbers[1])];
        serde_json::to_vec(&Task::SelfPlay(Box::new(SelfPlayTask { numbers, ..self.task.clone() }))).ok()
    }

    fn hear(
        &mut self,
        event: AskerEvent,
        writer: &mut SelfPlayWriter<'_>,
        tell: &mut dyn FnMut(&SelfPlayProgress),
    ) -> Result<(), String> {
        match event {
            AskerEvent::Answer(chunk, bytes, receipt) => {
                let answer: Answer = serde_json::from_slice(&bytes)
                    .map_err(|error| format!("an answer that cannot be read: {error}"))?;

                match answer.content {
                    AnswerContent::SelfPlay { bytes, moves } => {
                        self.refusals = 0;
                        add(writer, self.formats, chunk, (&bytes, moves.len()), tell)?;
                        self.state.done.insert(chunk);
                    }
                    AnswerContent::Refused(why) => self.refused(&answer.machine.name, heard(&why))?,
                    AnswerContent::Games { .. } => {}
                }
                self.asker.done(receipt);
            }
            // Missing tasks are published again at once. A game that is played twice is the same game both times.
            AskerEvent::Outstanding(keys) if self.state.is_known => {
                self.state.asked.retain(|chunk| keys.contains(chunk));
            }
            AskerEvent::Outstanding(keys) => (self.state.is_known, self.state.asked) = (true, keys),
            AskerEvent::Lender(news) => {
                self.known.update(news, Instant::now()).iter().for_each(|line| (self.tell)(line));
            }
            AskerEvent::Up(true) => (self.tell)("the server is there again"),
            AskerEvent::Up(false) => (self.tell)("the server is lost"),
        }
        Ok(())
    }

    fn refused(&mut self, machine: &str, why: String) -> Result<(), String> {
        self.refusals += 1;
        (self.tell)(&format!("{machine} plays no games of this match: {why}"));
        if self.refusals < MOST_REFUSALS {
            return Ok(());
        }
        Err(format!("expected machines that play, found, {} times: {why}", MOST_REFUSALS))
    }
}

fn stored_openings(machines: &Machines, plan: &SelfPlayPlan) -> Result<Option<String>, String> {
    if plan.openings.is_empty() {
        return Ok(None);
    }
    let openings: Vec<OpeningText> = plan.openings.iter().map(OpeningText::of).collect();
    let bytes = serde_json::to_vec(&openings).map_err(|error| error.to_string())?;
    objects::add_file(&machines.access, &bytes).map(Some)
}

/// Adds the games of a chunk to the file.
fn add(
    writer: &mut SelfPlayWriter<'_>,
    formats: &TrainingFormats,
    chunk: u64,
    (text, count): (&str, usize),
    tell: &mut dyn FnMut(&SelfPlayProgress),
) -> Result<(), String> {
    let wrong = |why: &str| format!("expected {count} games, found {why}").at(format!("chunk {chunk}"));
    let bytes = BASE64_STANDARD.decode(text).map_err(|error| wrong(&error.to_string()))?;
    let mut used = 0;
    for number in 0..count as u64 {
        let found = (formats.read_game)(&bytes[used..]).map_err(|error| wrong(&error.to_string()))?;
        let (game, size) = found.ok_or_else(|| wrong(&number.to_string()))?;
        used += size;
        writer.add(chunk * CHUNK + number, game, tell)?;
    }
    Ok(())
}

fn stored(machines: &Machines, path: &Path) -> Result<String, String> {
    let bytes = files::read(path, "file", u64::MAX).map_err(|why| why.at(path.display()))?;
    objects::add_file(&machines.access, &bytes)
}
