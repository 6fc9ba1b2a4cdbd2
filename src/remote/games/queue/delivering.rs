//! Delivers a machine's answers to the caller.

use super::{MatchId, Queue, subject, text};
use crate::games::task::Answer;
use async_nats::jetstream::{AckKind, Message};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// Timeout of one attempt to deliver an answer.
const TRY: Duration = Duration::from_secs(2);
/// Pause after a failed attempt to deliver an answer.
const PAUSE: Duration = Duration::from_millis(500);
/// Time after which an undelivered answer is dropped.
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// Returns a task's key, which is part of its subject.
pub(super) fn key(task: &Message) -> Option<u64> {
    task.subject.rsplit('.').next()?.parse().ok()
}

/// Publishes the answer first, and then acknowledges the task. If the connection is lost before the acknowledgement,
/// the games are played again but counted only once.
pub(super) async fn deliver(queue: Queue, id: MatchId, answer: Answer, task: Message, is_refusal: bool) {
    let Some(key) = key(&task) else { return };
    let Ok(bytes) = serde_json::to_vec(&answer) else { return };
    let begun = Instant::now();
    loop {
        let sent = async {
            let sent = queue.context.publish(subject("answers", &id, Some(key)), bytes.clone().into()).await;
            sent.map_err(text)?.await.map_err(text)
        };
        match timeout(TRY, sent).await.unwrap_or_else(|error| Err(text(error))) {
            Ok(_) => break,
            Err(why) => log::debug!("queue: {why}"),
        }
        if begun.elapsed() > KEPT {
            return;
        }
        let _ = task.ack_with(AckKind::Progress).await;
        sleep(PAUSE).await;
    }
    let end = if is_refusal { AckKind::Nak(None) } else { AckKind::Ack };
    if let Err(error) = task.double_ack_with(end).await {
        log::debug!("queue: {error}");
    }
}
