//! Messages between searches of one position while they run.

/// One thing that a search found or is about to do, in the words of its engine: nobody else understands it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct News {
    /// Its subject.
    pub key: u64,
    /// The table entry, packed as its search packs it.
    pub word: u64,
}

/// The way of news within a team. News may come late, or not at all: they spare work, and nothing rests on them.
pub trait Exchange: Send + Sync {
    /// To all others of the team. The search that tells it has made `nodes` moves.
    fn tell(&self, nodes: u64, news: &[News]);

    /// Appends what others have told since the last call. Never blocks.
    fn hear(&self, heard: &mut Vec<News>);
}
