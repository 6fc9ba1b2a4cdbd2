//! Lists the machines that lend games, without playing any.

use super::{CALLS, LENDERS, text};
use crate::cluster::Access;
use crate::games::lender::LenderNews;
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::runtime;
use tokio::time::{Instant, timeout_at};

/// Last word of the subject of a call to which every machine answers at once.
pub const WHO: &str = "who";
/// Largest number of machines that are listed.
const MOST: usize = 100_000;

/// The machines that answer within `time`, sorted by name. A server that does not permit the question looks like one
/// without machines.
pub fn lenders(access: &Access, time: Duration) -> Result<Vec<LenderNews>, String> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(text)?;
    let found = runtime.block_on(ask(access, time));
    runtime.shutdown_background();
    found
}

async fn ask(access: &Access, time: Duration) -> Result<Vec<LenderNews>, String> {
    let hear = |event| log::debug!("queue: {event}");
    let client = access.connect("hasami workers", hear).await?;
    let mut heard = client.subscribe(LENDERS).await.map_err(text)?;
    client.publish(format!("{CALLS}.{WHO}"), Default::default()).await.map_err(text)?;
    client.flush().await.map_err(text)?;
    let (end, mut known) = (Instant::now() + time, BTreeMap::<u64, LenderNews>::new());
    while let Ok(Some(message)) = timeout_at(end, heard.next()).await {
        let news = serde_json::from_slice::<LenderNews>(&message.payload);
        known.extend(news.ok().filter(|_| known.len() < MOST).map(|news| (news.id, news)));
    }
    let mut found: Vec<LenderNews> = known.into_values().collect();
    found.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    Ok(found)
}
