//! Implements the machine's side of the queue: takes tasks according to the weights of their matches, and sends
//! answers.

use super::delivering::{deliver, key};
use super::{CALLS, LENDERS, MatchId, PROGRESS, Queue, text};
use crate::cluster::names::{Member, Subject};
use crate::cluster::node_pool::ANSWERS;
use crate::cluster::node_runtime::NodeEnd;
use crate::cluster::quota::Quota;
use crate::cluster::transport::Transport;
use crate::cluster::wire::{self, DiscoveryReply};
use crate::cluster::{Access, RefusedLogin, Unconnected};
use crate::games::host::Host;
use crate::games::lender::StrideScheduler;
use crate::games::running::SlotWatch;
use crate::games::slot::{self, SlotAnswer, SlotOrder};
use crate::games::task::{AnswerContent, GamesTask, MatchCard};
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message as QueueMessage};
use async_nats::{Event, Message as QuestionMessage, Subscriber};
use crossbeam_channel::{Sender, bounded};
use futures_util::{StreamExt, TryStreamExt};
use hasami_matches::lender::{LenderNews, RunningGame};
use hasami_words::heard;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

/// Time allowed for the server to hand out one task.
const FETCH: Duration = Duration::from_secs(2);
/// Pause between two attempts to reach the server.
const RETRY: Duration = Duration::from_secs(1);
/// The most refused matches that the machine announces, each with the reason.
const MOST_REFUSALS: usize = 64;

/// Returns a function that ends a loan, and the receiver that is notified when the function is called.
pub fn ending() -> (impl Fn() + Send + 'static, UnboundedReceiver<()>) {
    let (end, ended) = unbounded_channel();
    (move || _ = end.send(()), ended)
}

/// Runs `games` games at a time for callers until a message is received from `ended`, and then leaves tasks in progress
/// to other machines. The function `tell` receives lines for the owner of the machine.
pub fn lend(
    access: &Access,
    host: Arc<Host>,
    (games, login_patience): (usize, Duration),
    ended: UnboundedReceiver<()>,
    tell: &dyn Fn(&str),
) -> Result<(), NodeEnd> {
    let unable = |error| NodeEnd::Unable(text(error));
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(unable)?;
    let (done, answers) = unbounded_channel();
    let slots = (0..games).map(|index| LentSlot::start(index, &host, &done)).collect::<Result<Vec<_>, _>>();
    let slots = (slots.map_err(NodeEnd::Unable)?, login_patience);
    let served = runtime.block_on(serve(access, host, slots, answers, ended, tell));
    runtime.shutdown_background();
    served
}

async fn serve(
    access: &Access,
    host: Arc<Host>,
    (slots, login_patience): (Vec<LentSlot>, Duration),
    mut answers: UnboundedReceiver<(usize, SlotAnswer)>,
    mut ended: UnboundedReceiver<()>,
    tell: &dyn Fn(&str),
) -> Result<(), NodeEnd> {
    let (events, mut heard) = unbounded_channel();
    let connected = connect(access, &host, (login_patience, events), &mut ended, tell).await?;
    let Some(queue) = connected else { return Ok(()) };
    let follow =
        async |subject: String| queue.client.subscribe(subject).await.map_err(|error| NodeEnd::Unable(text(error)));
    let calls = follow(format!("{CALLS}.>")).await?;
    let questions = follow(Subject::Discovery.of_all()).await?;
    let mut lender = Lender {
        me: Member::draw(access.user()),
        news: news_of(&host, slots.len()),
        host,
        queue,
        slots,
        matches: BTreeMap::new(),
        scheduler: StrideScheduler::default(),
        refused: BTreeMap::new(),
        began: Instant::now(),
        is_stale: true,
        answers: Quota::new(ANSWERS.0, ANSWERS.1),
        deliveries: JoinSet::new(),
        is_alone: false,
        tell,
    };
    lender.run((calls, questions), &mut answers, &mut ended, &mut heard).await;
    lender.leave().await;
    Ok(())
}

/// Returns the announcement of a machine that is not playing any games yet.
fn news_of(host: &Host, games: usize) -> LenderNews {
    LenderNews {
        id: host.instance,
        name: host.name.clone(),
        processor: host.processor.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        speed: host.speed,
        engines: host.engines.keys().cloned().collect(),
        fetches: host.fetched.is_some(),
        games: games as u32,
        ..LenderNews::default()
    }
}

/// Tries to connect to the server until an attempt succeeds. Returns `None` if the loan is ended before a connection is
/// made.
async fn connect(
    access: &Access,
    host: &Host,
    (login_patience, events): (Duration, UnboundedSender<Event>),
    ended: &mut UnboundedReceiver<()>,
    tell: &dyn Fn(&str),
) -> Result<Option<Queue>, NodeEnd> {
    let (mut reported, mut refused) = (None, RefusedLogin::default());
    loop {
        let events = events.clone();
        let Unconnected { why, is_login } =
            match Queue::open(access, &host.name, move |event| _ = events.send(event)).await {
                Ok(queue) => return Ok(Some(queue)),
                Err(unconnected) => unconnected,
            };
        if is_login {
            let (since, is_due) = refused.note(Instant::now());
            if since >= login_patience {
                return Err(NodeEnd::login_refused(&why, since));
            }
            reported = reported.filter(|_| !is_due);
        }
        if reported.as_ref() != Some(&why) {
            tell(&format!("{why}; trying again"));
            reported = Some(why);
        }
        tokio::select! {
            _ = ended.recv() => return Ok(None),
            () = sleep(RETRY) => {}
        }
    }
}

/// What the event loop knows about a slot's thread.
struct LentSlot {
    orders: Option<Sender<SlotOrder>>,
    thread: Thread,
    handle: Option<JoinHandle<()>>,
    /// The match that the slot's engines were started for, and the flag that stops the slot's games.
    of: MatchId,
    stop: Arc<AtomicBool>,
    task: Option<QueueMessage>,
    /// The card of the task's match.
    card: Option<Arc<MatchCard>>,
    watch: SlotWatch,
}

impl LentSlot {
    fn start(index: usize, host: &Arc<Host>, done: &UnboundedSender<(usize, SlotAnswer)>) -> Result<Self, String> {
        let (orders, received) = bounded(1);
        let (host, done) = (Arc::clone(host), done.clone());
        // Sending fails only if the event loop has ended.
        let watch = SlotWatch::default();
        let watched = watch.clone();
        let run = move || slot::serve(&host, &received, &watched, &|answer| _ = done.send((index, answer)));
        let handle = thread::Builder::new().name(format!("game {}", index + 1)).spawn(run).map_err(text)?;
        let thread = handle.thread().clone();
        let (of, stop) = (MatchId::new(), Arc::default());
        Ok(Self { orders: Some(orders), thread, handle: Some(handle), of, stop, task: None, card: None, watch })
    }

    fn begin(&mut self, id: &MatchId, card: Option<Arc<MatchCard>>, task: GamesTask, message: QueueMessage) {
        if self.of != *id || self.stop.load(Relaxed) {
            (self.of, self.stop) = (id.clone(), Arc::default());
        }
        (self.task, self.card) = (Some(message), card);
        if let Some(orders) = &self.orders {
            let _ = orders.send(SlotOrder { task, stop: Arc::clone(&self.stop) });
        }
    }

    /// The game that the slot is playing.
    fn running_game(&self) -> Option<RunningGame> {
        let (task, card) = (self.task.as_ref()?, self.card.as_ref()?);
        let (of, title, caller) = (self.of.clone(), card.title.clone(), card.caller.clone());
        Some(RunningGame { of, key: key(task)?, title, caller, ..self.watch.running_game()? })
    }

    fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.thread.unpark();
    }
}

/// A match in which this machine takes part.
struct OpenMatch {
    card: Arc<MatchCard>,
    consumer: Consumer<pull::Config>,
    /// Whether the match had tasks when it was last checked.
    has_tasks: bool,
}

struct Lender<'a> {
    me: Member,
    host: Arc<Host>,
    queue: Queue,
    slots: Vec<LentSlot>,
    matches: BTreeMap<MatchId, OpenMatch>,
    scheduler: StrideScheduler,
    /// Matches that this machine has declined, each with the reason.
    refused: BTreeMap<MatchId, (Arc<MatchCard>, String)>,
    began: Instant,
    /// Limits the answers to requests for the member list.
    answers: Quota,
    /// Answers that are being sent.
    deliveries: JoinSet<()>,
    /// Whether new tasks may have been published since the last check.
    is_stale: bool,
    /// Whether the connection to the server is lost.
    is_alone: bool,
    news: LenderNews,
    tell: &'a dyn Fn(&str),
}

impl Lender<'_> {
    async fn run(
        &mut self,
        (mut calls, mut questions): (Subscriber, Subscriber),
        answers: &mut UnboundedReceiver<(usize, SlotAnswer)>,
        ended: &mut UnboundedReceiver<()>,
        heard: &mut UnboundedReceiver<Event>,
    ) {
        let mut ticks = interval(PROGRESS);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            while self.deliveries.try_join_next().is_some() {}
            if self.is_stale && self.slots.iter().any(|slot| slot.task.is_none()) {
                self.look().await;
            }
            self.fill().await;
            tokio::select! {
                biased;
                _ = ended.recv() => return,
                event = heard.recv() => self.connection(event),
                call = calls.next() => if let Some(call) = call { self.call(&call.subject).await },
                question = questions.next() => if let Some(question) = question { self.question(&question).await },
                answer = answers.recv() => if let Some((slot, answer)) = answer { self.answered(slot, answer).await },
                _ = ticks.tick() => self.tick().await,
            }
        }
    }

    fn line(&self, text: String) {
        (self.tell)(&text);
    }

    fn connection(&mut self, event: Option<Event>) {
        match event {
            Some(Event::Disconnected) if !self.is_alone => {
                self.is_alone = true;
                self.line("lost the connection to the server; running games continue".to_owned());
            }
            Some(Event::Connected) if self.is_alone => {
                self.is_alone = false;
                self.line("reconnected to the server".to_owned());
            }
            Some(event) => log::debug!("queue: {event}"),
            None => {}
        }
    }

    /// Answers a request for the member list.
    async fn question(&mut self, message: &QuestionMessage) {
        let Some((asker, Subject::Discovery)) = Subject::read(&message.subject) else { return };
        if wire::discovery_request(&message.payload).is_ok() && self.answers.take(self.began.elapsed()) {
            self.look_at_slots();
            let news = serde_json::to_string(&self.news).unwrap_or_default();
            let card = wire::encode(&DiscoveryReply::Lender { news });
            let _ = self.queue.client.publish(Subject::Member(asker).of(self.me), card.into()).await;
        }
    }

    async fn call(&mut self, subject: &str) {
        let words: Vec<&str> = subject.split('.').collect();
        match words[..] {
            [.., "stop", id] => self.stop_match(id),
            [.., "new"] => {
                self.is_stale = true;
                self.announce().await;
            }
            _ => {}
        }
    }

    fn stop_match(&mut self, id: &str) {
        self.matches.remove(id);
        self.slots.iter().filter(|slot| slot.task.is_some() && slot.of == id).for_each(LentSlot::stop);
    }

    /// Tells the server that this machine's tasks are still in progress, and announces the machine.
    async fn tick(&mut self) {
        for task in self.slots.iter().filter_map(|slot| slot.task.as_ref()) {
            if let Err(error) = task.ack_with(AckKind::Progress).await {
                log::debug!("queue: {error}");
            }
        }
        self.announce().await;
        self.look().await;
    }

    /// Updates the announcement of this machine from the state of its slots.
    fn look_at_slots(&mut self) {
        self.news.busy = self.slots.iter().filter(|slot| slot.task.is_some()).count() as u32;
        self.news.seconds = self.began.elapsed().as_secs();
        let refused = self.refused.iter().take(MOST_REFUSALS);
        self.news.objections = refused.map(|(id, (_, why))| (id.clone(), why.clone())).collect();
        self.news.running = self.slots.iter().filter_map(LentSlot::running_game).collect();
    }

    /// Announces this machine and the games that it is playing.
    async fn announce(&mut self) {
        self.look_at_slots();
        if let Ok(bytes) = serde_json::to_vec(&self.news) {
            let _ = self.queue.client.publish(LENDERS, bytes.into()).await;
        }
    }

    /// Updates the list of matches, and stops the games of matches that are over.
    async fn look(&mut self) {
        let found: Result<Vec<_>, _> = match timeout(FETCH, self.queue.tasks.consumers().try_collect()).await {
            Ok(found) => found.map_err(text),
            Err(error) => Err(text(error)),
        };
        let found = match found {
            Ok(found) => found,
            // Without a list of matches, no games are stopped.
            Err(why) => return log::debug!("queue: {why}"),
        };
        self.is_stale = false;
        let names: BTreeSet<&str> = found.iter().map(|info| info.name.as_str()).collect();
        let gone: BTreeSet<MatchId> =
            self.slots.iter().map(|slot| slot.of.clone()).filter(|id| !names.contains(id.as_str())).collect();
        gone.iter().for_each(|id| self.stop_match(id));
        self.matches.retain(|id, _| names.contains(id.as_str()));
        self.refused.retain(|id, _| names.contains(id.as_str()));

        for info in &found {
            let has_tasks = info.num_pending > 0 || info.num_ack_pending > self.count_of(&info.name);
            let card = info.config.description.as_deref().and_then(|text| serde_json::from_str::<MatchCard>(text).ok());
            let Some(card) = card else { continue };
            match self.matches.get_mut(&info.name) {
                Some(open) if *open.card == card => open.has_tasks = has_tasks,
                _ => self.enter(&info.name, Arc::new(card), has_tasks).await,
            }
        }
        self.scheduler.keep(self.matches.keys());
    }

    fn count_of(&self, id: &str) -> usize {
        self.slots.iter().filter(|slot| slot.task.is_some() && slot.of == id).count()
    }

    /// Joins a match that is new to this machine, or whose card has changed.
    async fn enter(&mut self, id: &str, card: Arc<MatchCard>, has_tasks: bool) {
        if self.refused.get(id).is_some_and(|(refused, _)| *refused == card) {
            return;
        }
        let objection = self.host.objection(&card);
        let able = if let Some(why) = objection { Err(why) } else { self.fetch_all(&card).await };
        if let Err(why) = able {
            self.stop_match(id);
            return self.refuse(id, card, why);
        }
        self.refused.remove(id);
        match self.queue.tasks.get_consumer(id).await {
            Ok(consumer) => _ = self.matches.insert(id.to_owned(), OpenMatch { card, consumer, has_tasks }),
            Err(error) => log::debug!("queue: {error}"),
        }
    }

    /// Fetches the files and engines that a match needs.
    async fn fetch_all(&self, card: &MatchCard) -> Result<(), String> {
        for sha256 in &card.files {
            let folder = self.host.files.as_ref().ok_or_else(|| "files, and fetches none".to_owned())?;
            self.queue.fetch_file(sha256, &folder.join(sha256)).await?;
        }
        let Some(fetched) = &self.host.fetched else { return Ok(()) };
        for engine in &card.engines {
            if let Some(sha256) = engine.sha256.as_ref().filter(|_| self.host.fetches(engine)) {
                self.queue.fetch_engine(&engine.name, sha256, &fetched.path(sha256)).await?;
            }
        }
        Ok(())
    }

    /// Declines to take part in a match. The caller of the match learns the reason from the next announcement.
    fn refuse(&mut self, id: &str, card: Arc<MatchCard>, why: String) {
        self.line(format!("declines {}: {why}", heard(&card.title)));
        self.refused.insert(id.to_owned(), (card, why));
    }

    /// Gives every free slot a task. Matches take turns according to their weights.
    async fn fill(&mut self) {
        while let Some(free) = self.slots.iter().position(|slot| slot.task.is_none()) {
            let open = self.matches.iter().filter(|(_, open)| open.has_tasks);
            let open: Vec<_> = open.map(|(id, _)| id.clone()).collect();
            let Some(id) = self.scheduler.next(&open) else { return };
            match self.fetch(&id).await {
                Some((task, message)) => {
                    let card = self.matches.get(&id).map(|open| Arc::clone(&open.card));
                    self.scheduler.took(&id, card.as_ref().map_or(1, |card| card.weight));
                    self.slots[free].begin(&id, card, task, message);
                }
                None => _ = self.matches.get_mut(&id).map(|open| open.has_tasks = false),
            }
        }
    }

    async fn fetch(&self, id: &MatchId) -> Option<(GamesTask, QueueMessage)> {
        let consumer = &self.matches.get(id)?.consumer;
        let one = async {
            let mut batch = consumer.fetch().max_messages(1).messages().await.map_err(text)?;
            batch.next().await.transpose().map_err(text)
        };
        let message = match timeout(FETCH, one).await {
            Ok(Ok(message)) => message?,
            Ok(Err(why)) => {
                log::debug!("queue: {why}");
                return None;
            }
            Err(_) => return None,
        };
        match serde_json::from_slice(&message.payload) {
            Ok(task) => Some((task, message)),
            Err(error) => {
                log::warn!("queue: cannot read a task as one of version {}: {error}", super::super::task::VERSION);
                None
            }
        }
    }

    async fn answered(&mut self, index: usize, answer: SlotAnswer) {
        let slot = &mut self.slots[index];
        slot.watch.end();
        let (Some(message), id) = (slot.task.take(), slot.of.clone()) else { return };
        let Some(answer) = answer else {
            // Returns the task to the queue, where another machine can take it if it is still wanted.
            let _ = message.ack_with(AckKind::Nak(None)).await;
            return;
        };
        self.news.finished += answer.games() as u64;
        let is_refusal = matches!(answer.content, AnswerContent::Refused(_));
        if let AnswerContent::Refused(why) = &answer.content
            && let Some(open) = self.matches.remove(&id)
        {
            self.refuse(&id, open.card, heard(why));
        }
        self.deliveries.spawn(deliver(self.queue.clone(), id, answer, message, is_refusal));
    }

    /// Ends the loan. Games in progress are passed on to other machines at once.
    async fn leave(&mut self) {
        for slot in &mut self.slots {
            slot.stop();
            slot.orders = None;
            if let Some(task) = slot.task.take() {
                let _ = task.ack_with(AckKind::Nak(None)).await;
            }
        }
        let _ = timeout(FETCH, self.queue.client.flush()).await;
        for slot in &mut self.slots {
            slot.handle.take().map(JoinHandle::join);
        }
    }
}
