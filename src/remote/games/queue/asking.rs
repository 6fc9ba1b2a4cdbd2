//! Implements the caller's side of the queue. A separate thread sends tasks, and receives and acknowledges answers.

use super::{CALLS, LENDERS, MatchId, Queue, subject, text};
use crate::cluster::Access;
use crate::games::task::MatchCard;
use async_nats::Event;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::{self, ErrorCode, Message as QueueMessage};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use futures_util::StreamExt;
use futures_util::future::join_all;
use hasami_matches::lender::LenderNews;
use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;
use tokio::time::{sleep, timeout};

/// Number of tasks that are sent before waiting for acknowledgements.
const AT_ONCE: usize = 64;
/// Maximum number of answers to fetch per request, and how long the server waits for them to arrive.
const BATCH: usize = 100;
const WAIT: Duration = Duration::from_secs(2);
/// Maximum number of answers that have been received and are not on disk yet. Further answers stay on the server, so
/// that a caller that resumes while many answers are waiting needs little memory.
const MOST_UNREAD: usize = 256;
/// Pause after a request to the server has failed.
const PAUSE: Duration = Duration::from_millis(300);
/// Number of attempts to publish a task while an earlier task with its key is still in the queue, probably about to be
/// removed by the machine that answered it.
const TRIES: u32 = 5;
/// Time allowed for announcing the end of a match.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The receipt of an answer, with which the caller acknowledges the answer after writing it to disk. The server sends
/// an unacknowledged answer again.
pub struct Receipt {
    message: Box<QueueMessage>,
    /// Permit that counts this answer towards [`MOST_UNREAD`].
    _place: OwnedSemaphorePermit,
}

pub enum AskerEvent {
    /// An answer to the task with the given key.
    Answer(u64, Vec<u8>, Receipt),
    /// Keys of the tasks that are on the server.
    Outstanding(BTreeSet<u64>),
    Lender(LenderNews),
    /// The connection to the server was restored (true) or lost (false).
    Up(bool),
}

enum AskerCommand {
    Ask(Vec<(u64, Vec<u8>)>),
    Done(Box<QueueMessage>),
    Look,
    /// Removes the unplayed tasks of the match, and reports when they are gone.
    Remove(Sender<()>),
}

/// The caller's view of a match in the queue.
pub struct Asker {
    commands: Option<UnboundedSender<AskerCommand>>,
    pub events: Receiver<AskerEvent>,
    thread: Option<JoinHandle<()>>,
}

impl Asker {
    /// Connects, and waits until the streams and the consumers of the match exist.
    pub fn open(access: &Access, id: MatchId, card: MatchCard) -> Result<Self, String> {
        let (commands, orders) = unbounded_channel();
        let (sender, events) = unbounded();
        let (ready, opened) = bounded(1);
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(text)?;
        let access = access.clone();
        let run = move || {
            runtime.block_on(async {
                let (heard, is_up) = (sender.clone(), AtomicBool::new(true));
                // Reports changes of the connection's state, but not the first connection.
                let hear = move |event| match event {
                    Event::Connected | Event::Disconnected => {
                        let now = matches!(event, Event::Connected);
                        if is_up.swap(now, Ordering::Relaxed) != now {
                            let _ = heard.send(AskerEvent::Up(now));
                        }
                    }
                    event => log::debug!("queue: {event}"),
                };
                let queue = match open(&access, &id, &card, hear).await {
                    Ok(queue) => queue,
                    Err(why) => {
                        // The thread that called `open` receives this error.
                        let _ = ready.send(Err(why));
                        return;
                    }
                };
                let _ = ready.send(Ok(()));
                let match_queue = MatchQueue { queue, id, card: Arc::new(card), events: sender };
                tokio::spawn(match_queue.clone().hear_answers());
                tokio::spawn(match_queue.clone().hear_lenders());
                match_queue.obey(orders).await;
            });
            runtime.shutdown_background();
        };
        let thread = thread::Builder::new().name("queue".to_owned()).spawn(run).map_err(text)?;
        opened.recv().unwrap_or_else(|_| Err("the thread of the queue has ended".to_owned()))?;
        Ok(Self { commands: Some(commands), events, thread: Some(thread) })
    }

    fn command(&self, command: AskerCommand) {
        // If the thread has ended, it has already reported the reason.
        _ = self.commands.as_ref().map(|commands| commands.send(command));
    }

    /// Adds tasks to the queue; tasks that are already in the queue stay unchanged.
    pub fn ask(&self, tasks: Vec<(u64, Vec<u8>)>) {
        self.command(AskerCommand::Ask(tasks));
    }

    /// Acknowledges an answer that is on disk.
    pub fn done(&self, receipt: Receipt) {
        // Only the receipt's message is kept, so its permit is released at once.
        self.command(AskerCommand::Done(receipt.message));
    }

    /// Requests the keys of the tasks on the server. [`AskerEvent::Outstanding`] follows.
    pub fn look(&self) {
        self.command(AskerCommand::Look);
    }

    /// Ends the match: machines stop playing its games, and the match is deleted from the queue.
    pub fn remove(&self) {
        let (removed, done) = bounded(1);
        self.command(AskerCommand::Remove(removed));
        let _ = done.recv_timeout(TIMEOUT);
    }
}

/// Closes the connection and leaves all tasks and answers in the queue.
impl Drop for Asker {
    fn drop(&mut self) {
        self.commands = None;
        self.thread.take().map(JoinHandle::join);
    }
}

async fn open(
    access: &Access,
    id: &MatchId,
    card: &MatchCard,
    hear: impl Fn(Event) + Send + Sync + 'static,
) -> Result<Queue, String> {
    let queue = Queue::open(access, "hasami caller", hear).await?;
    queue.ensure(id, card).await?;
    Ok(queue)
}

#[derive(Clone)]
struct MatchQueue {
    queue: Queue,
    id: MatchId,
    card: Arc<MatchCard>,
    events: Sender<AskerEvent>,
}

/// Returns true if the server refused a task because the queue already contains a task with the same key.
fn is_there(error: &PublishError) -> bool {
    let error = error.source().and_then(|source| source.downcast_ref::<jetstream::Error>());
    error.is_some_and(|error| error.error_code() == ErrorCode::STREAM_STORE_FAILED)
}

impl MatchQueue {
    async fn obey(self, mut orders: UnboundedReceiver<AskerCommand>) {
        let mut asking: Option<task::JoinHandle<()>> = None;
        while let Some(order) = orders.recv().await {
            match order {
                // Every task waits for the server's disk, so tasks are published in the background while answers are
                // acknowledged.
                AskerCommand::Ask(tasks) => {
                    if let Some(before) = asking.take() {
                        let _ = before.await;
                    }
                    asking = Some(tokio::spawn(self.clone().ask(tasks)));
                }
                AskerCommand::Done(message) => {
                    // If the acknowledgement fails, the answer is sent again and is recognised as a duplicate.
                    if let Err(error) = message.ack().await {
                        log::debug!("queue: {error}");
                    }
                }
                AskerCommand::Look => match self.look().await {
                    Ok(keys) => _ = self.events.send(AskerEvent::Outstanding(keys)),
                    Err(why) => log::debug!("queue: {why}"),
                },
                AskerCommand::Remove(removed) => {
                    if let Some(asking) = asking.take() {
                        asking.abort();
                        let _ = asking.await;
                    }
                    if let Err(why) = self.queue.remove(&self.id).await {
                        log::debug!("queue: {why}");
                    }
                    let _ = removed.send(());
                }
            }
        }
        let _ = timeout(PAUSE, self.queue.client.flush()).await;
    }

    /// Publishes tasks. Tasks that do not reach the server are found when the keys on the server are compared.
    async fn ask(self, tasks: Vec<(u64, Vec<u8>)>) {
        let match_queue = &self;
        for part in tasks.chunks(AT_ONCE) {
            let sent = part.iter().map(|(key, bytes)| match_queue.put(*key, bytes));
            for failed in join_all(sent).await.into_iter().filter_map(Result::err) {
                log::debug!("queue: {failed}");
            }
        }
        let _ = self.queue.client.publish(format!("{CALLS}.new"), Default::default()).await;
    }

    async fn put(&self, key: u64, bytes: &[u8]) -> Result<(), String> {
        let mut tries = 1;
        loop {
            let subject = subject("tasks", &self.id, Some(key));
            let sent = async { self.queue.context.publish(subject, bytes.to_vec().into()).await?.await };
            match sent.await {
                Err(error) if is_there(&error) && tries < TRIES => {
                    tries += 1;
                    sleep(PAUSE).await;
                }
                sent => return sent.map(drop).map_err(text),
            }
        }
    }

    async fn ensure(&self) -> Result<pull::Config, String> {
        self.queue.ensure(&self.id, &self.card).await
    }

    async fn look(&self) -> Result<BTreeSet<u64>, String> {
        self.ensure().await?;
        self.queue.outstanding(&self.id).await
    }

    async fn hear_answers(self) {
        loop {
            if let Err(why) = self.hear_some().await {
                log::debug!("queue: {why}");
                sleep(PAUSE).await;
            }
        }
    }

    async fn hear_some(&self) -> Result<(), String> {
        let wanted = self.ensure().await?;
        let consumer = self.queue.answers.create_consumer(wanted).await.map_err(text)?;
        let unread = Arc::new(Semaphore::new(MOST_UNREAD));
        loop {
            let batch = consumer.batch().max_messages(BATCH).expires(WAIT).messages().await.map_err(text)?;
            tokio::pin!(batch);
            while let Some(message) = timeout(2 * WAIT, batch.next()).await.map_err(text)? {
                let message = message.map_err(text)?;
                let Some(key) = message.subject.rsplit('.').next().and_then(|word| word.parse().ok()) else { continue };
                let place = Arc::clone(&unread).acquire_owned().await.map_err(text)?;
                let bytes = message.payload.to_vec();
                let receipt = Receipt { message: Box::new(message), _place: place };
                let _ = self.events.send(AskerEvent::Answer(key, bytes, receipt));
            }
        }
    }

    async fn hear_lenders(self) {
        let Ok(mut heard) = self.queue.client.subscribe(LENDERS).await else { return };
        // Machines that hear of new tasks announce themselves at once, so this message saves waiting for their next
        // periodic announcement.
        let _ = self.queue.client.publish(format!("{CALLS}.new"), Default::default()).await;
        while let Some(message) = heard.next().await {
            if let Ok(news) = serde_json::from_slice(&message.payload) {
                let _ = self.events.send(AskerEvent::Lender(news));
            }
        }
    }
}
