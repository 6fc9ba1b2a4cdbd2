//! Messages between running searches of one position.

/// A message in which a search states a result or a move that it is searching. Only engines of the same kind can
/// interpret a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct News {
    /// Key of the position, or hash of the position and the move, to which the message refers.
    pub key: u64,
    /// The content of the message, such as a packed table entry, in the engine's own format.
    pub word: u64,
}

/// Exchanges news between the searches of a search group. The correctness of a search does not depend on news, which
/// may arrive late or never.
pub trait Exchange: Send + Sync {
    /// Sends `news` to all other searches of the group; `nodes` is the sending search's node count.
    fn tell(&self, nodes: u64, news: &[News]);

    /// Appends the news that the other searches have sent since the last call; never blocks.
    fn hear(&self, heard: &mut Vec<News>);
}
