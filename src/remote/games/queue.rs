//! Keeps the queue on a NATS server with JetStream. One stream holds tasks until they are played, and another holds
//! answers until the caller has stored them on disk. The asynchronous code of [`crate::games`] is here and in `queue/`.

pub mod asking;
mod delivering;
pub mod lending;
pub mod objects;

use super::task::MatchCard;
use crate::cluster::{Access, Unconnected};
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::CreateStreamErrorKind;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context, ErrorCode};
use async_nats::{Client, Event};
use futures_util::TryStreamExt;
use std::collections::BTreeSet;
use std::time::Duration;

const TASKS: &str = "hasami-1-tasks";
const ANSWERS: &str = "hasami-1-answers";
/// Subject of the messages from callers to machines, which are sent over core NATS and may be lost.
const CALLS: &str = "hasami.1.calls";
/// Subject of the periodic announcements by machines that offer to run games, which are sent over core NATS.
const LENDERS: &str = "hasami.1.lenders";

/// Time without a report from a machine after which its task is given to another machine.
const LOST: Duration = Duration::from_secs(10);
/// Interval at which a machine reports that it is still working on its tasks.
pub const PROGRESS: Duration = Duration::from_secs(2);
/// Time after which an unacknowledged answer is sent again.
const UNREAD: Duration = Duration::from_secs(30);
/// Age at which messages are deleted, and time after which an unused consumer is deleted.
const AGE: Duration = Duration::from_secs(7 * 24 * 3600);
/// Timeout of one request.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Number of attempts to create a stream that another machine is creating, and the pause between two attempts.
const MOST_TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);
/// Maximum number of unacknowledged tasks or answers of one match.
const MOST_PENDING: i64 = 1_000_000;

/// The name of a match in the queue, made of letters and digits.
pub type MatchId = String;

/// A connection to the task stream and the answer stream.
#[derive(Clone)]
pub struct Queue {
    client: Client,
    context: Context,
    tasks: Stream<()>,
    answers: Stream<()>,
}

/// Turns the error of a request into one line of text.
fn text(error: impl std::fmt::Display) -> String {
    hasami_words::text::one_line(&error.to_string())
}

/// Creates the streams unless they exist. If several machines connect to a new server at once, the server refuses
/// requests for a stream that it is already creating for another machine.
async fn make_streams(context: &Context) -> Result<(), String> {
    for (name, word) in [(TASKS, "tasks"), (ANSWERS, "answers")] {
        let mut tries = 1;
        while let Err(error) = context.get_or_create_stream(config(name, word)).await {
            let is_being_made = match error.kind() {
                CreateStreamErrorKind::JetStream(error) => error.error_code() == ErrorCode::STREAM_SUBJECT_OVERLAP,
                _ => false,
            };
            if !is_being_made || tries == MOST_TRIES {
                return Err(text(error));
            }
            tries += 1;
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(())
}

impl Queue {
    /// Connects, without retries.
    pub async fn open(
        access: &Access,
        name: &str,
        hear: impl Fn(Event) + Send + Sync + 'static,
    ) -> Result<Self, Unconnected> {
        let client = access.connect(name, hear).await?;
        Self::of(access, client).await.map_err(Unconnected::of)
    }

    async fn of(access: &Access, client: Client) -> Result<Self, String> {
        let mut context = jetstream::new(client.clone());
        context.set_timeout(TIMEOUT);
        // The server's answer is parsed as generic JSON, since its fields depend on the server's version.
        let account = context.request("INFO", &serde_json::json!({})).await.map_err(text);
        let refused = account.and_then(|account: serde_json::Value| match &account["error"]["description"] {
            serde_json::Value::String(why) => Err(why.to_string()),
            _ => Ok(()),
        });
        if let Err(why) = refused {
            return Err(format!(
                "cannot use JetStream (nats-server -js -sd FOLDER, or jetstream {{}} in its configuration file) at {access}: {why}"
            ));
        }
        let wrong =
            |why: String| format!("cannot use a stream on {access} (docs/guide/games.md lists the rights): {why}");
        make_streams(&context).await.map_err(wrong)?;
        let tasks = context.get_stream_no_info(TASKS).await.map_err(|error| wrong(text(error)))?;
        let answers = context.get_stream_no_info(ANSWERS).await.map_err(|error| wrong(text(error)))?;
        Ok(Self { client, context, tasks, answers })
    }

    /// Creates the streams and a match's consumers unless they exist.
    async fn ensure(&self, id: &MatchId, card: &MatchCard) -> Result<pull::Config, String> {
        make_streams(&self.context).await?;
        let description = serde_json::to_string(card).map_err(text)?;
        let wanted = consumer(id, "tasks", LOST, Some(description));
        self.tasks.create_consumer(wanted).await.map_err(text)?;
        Ok(consumer(id, "answers", UNREAD, None))
    }

    /// Returns the keys of a match's tasks that are on the server, including tasks that are being played.
    async fn outstanding(&self, id: &MatchId) -> Result<BTreeSet<u64>, String> {
        let info = self.tasks.info_with_subjects(subject("tasks", id, None)).await.map_err(text)?;
        let subjects: Vec<(String, usize)> = info.try_collect().await.map_err(text)?;
        Ok(subjects.iter().filter_map(|(subject, _)| subject.rsplit('.').next()?.parse().ok()).collect())
    }

    /// Deletes a match that is over, with all its messages, from the queue.
    async fn remove(&self, id: &MatchId) -> Result<(), String> {
        self.client.publish(format!("{CALLS}.stop.{id}"), Default::default()).await.map_err(text)?;
        self.tasks.delete_consumer(id).await.map_err(text)?;
        self.tasks.purge().filter(subject("tasks", id, None)).await.map_err(text)?;
        self.answers.delete_consumer(id).await.map_err(text)?;
        self.answers.purge().filter(subject("answers", id, None)).await.map_err(text)?;
        // The stop message is sent twice, since machines may have rejoined the match after the first message.
        self.client.publish(format!("{CALLS}.stop.{id}"), Default::default()).await.map_err(text)?;
        self.client.flush().await.map_err(text)
    }
}

fn subject(kind: &str, id: &MatchId, key: Option<u64>) -> String {
    key.map_or_else(|| format!("hasami.1.{kind}.{id}.*"), |key| format!("hasami.1.{kind}.{id}.{key}"))
}

/// The configuration of a stream. The task stream refuses a task whose key it already contains; the answer stream may
/// contain the same answer twice.
fn config(name: &str, kind: &str) -> Config {
    let is_tasks = name == TASKS;
    Config {
        name: name.to_owned(),
        subjects: vec![format!("hasami.1.{kind}.>")],
        retention: RetentionPolicy::WorkQueue,
        max_age: AGE,
        max_messages_per_subject: if is_tasks { 1 } else { -1 },
        discard: if is_tasks { DiscardPolicy::New } else { DiscardPolicy::Old },
        discard_new_per_subject: is_tasks,
        num_replicas: 1,
        ..Config::default()
    }
}

fn consumer(id: &MatchId, kind: &str, wait: Duration, description: Option<String>) -> pull::Config {
    pull::Config {
        durable_name: Some(id.clone()),
        description,
        ack_policy: AckPolicy::Explicit,
        ack_wait: wait,
        max_ack_pending: MOST_PENDING,
        filter_subject: subject(kind, id, None),
        inactive_threshold: AGE,
        ..pull::Config::default()
    }
}
