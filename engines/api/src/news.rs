//! Messages between searches of one position while they run.

/// A message about a result or an intention of a search. Only engines of the same kind can interpret the message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct News {
    /// Key of the position, or of whatever else the message is about.
    pub key: u64,
    /// The table entry, packed in the format of the engine.
    pub word: u64,
}

/// Carries news within a search group. News may arrive late or never; it only saves work, and the correctness of a
/// search does not depend on it.
pub trait Exchange: Send + Sync {
    /// Sends `news` to all other searches of the group. The sending search has made `nodes` moves so far.
    fn tell(&self, nodes: u64, news: &[News]);

    /// Appends what the other searches have sent since the last call. Never blocks.
    fn hear(&self, heard: &mut Vec<News>);
}
