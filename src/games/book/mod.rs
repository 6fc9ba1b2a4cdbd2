//! Opening books: a book file, or the small book that is built into Hasami. A book is read only while `OwnBook` is on.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod error;
mod flip;
mod polyglot;
mod sorted_file;
mod yaneuraou;

#[cfg(test)]
mod tests;

use error::BookError;
use hasami_api::{Game, Line, MoveText};
use hasami_protocol::Settings;
use hasami_protocol::settings::BookChoice;
use hasami_tree::manage::{BookNote, Opening};
use hasami_words::files;
use sorted_file::SortedFile;
use std::fs::File;
use std::path::{Path, PathBuf};
use yaneuraou::{TextBook, Yaneuraou};

/// A book in which positions can be looked up.
trait Pages<G: Game>: Send {
    /// The book's legal moves in the position with their weights, the best first; empty if the book lacks the position.
    fn moves(&self, game: &G, choice: &BookChoice) -> Vec<(G::Move, u32)>;

    /// Returns the book's note about a move in the position. The note is empty if the book's format has no notes.
    fn note(&self, game: &G, m: G::Move, choice: &BookChoice) -> BookNote {
        let _ = (game, m, choice);
        BookNote::default()
    }
}

/// A book, and a warning about lines that were skipped.
type ReadBook<G> = (Box<dyn Pages<G>>, Option<BookError>);

/// Reads a whole book into memory.
type Reader<G> = Box<dyn Fn(Vec<u8>) -> Result<ReadBook<G>, BookError> + Send>;

/// Books with more bytes than this stay on disk if their format allows lookups in the file.
const MOST_IN_MEMORY: u64 = 256 << 20;

/// Opens a book that stays on disk.
type Opener<G> = fn(File) -> Result<Box<dyn Pages<G>>, BookError>;

/// The contents of a book file; `None` if it could not be read.
type Tried<G> = Option<Box<dyn Pages<G>>>;

/// The opening book of one game.
pub struct Book<G: Game> {
    /// The book to use if `BookFile` is empty.
    built_in: &'static [u8],
    read: Reader<G>,
    /// Opens a sorted book file for lookups; `None` if the format does not allow this.
    open_sorted: Option<Opener<G>>,
    /// The settings that decide which book moves are played.
    choice: BookChoice,
    /// The path and the contents of the book; `None` while `OwnBook` is off.
    open: Option<(PathBuf, Tried<G>)>,
    /// The value of [`Settings::book_settings`] at the last attempt to read the book file.
    tried: u32,
}

impl<G: Game> Book<G> {
    /// Creates a closed book in Polyglot's format; [`Opening::on_settings`] opens the book. `key` is Polyglot's hash.
    pub fn polyglot(built_in: &'static [u8], key: fn(&G) -> u64) -> Self {
        Self {
            built_in,
            read: Box::new(move |bytes| Ok((Box::new(polyglot::Polyglot::read(&bytes, key)?), None))),
            open_sorted: None,
            choice: BookChoice::default(),
            open: None,
            tried: 0,
        }
    }

    /// Creates a closed book in YaneuraOu's format; [`Opening::on_settings`] opens the book.
    pub fn yaneuraou(built_in: &'static [u8]) -> Self {
        Self {
            built_in,
            read: Box::new(|bytes| {
                let (book, warning) = Yaneuraou::read(bytes)?;
                Ok((Box::new(TextBook(book)), warning))
            }),
            open_sorted: Some(|file| Ok(Box::new(TextBook(SortedFile::open(file)?)))),
            choice: BookChoice::default(),
            open: None,
            tried: 0,
        }
    }

    /// Returns whether there is nothing to read: the book is loaded, or these settings have already failed.
    fn has_read(&self, settings: &Settings) -> bool {
        let is_current = |(path, pages): &(PathBuf, Tried<G>)| {
            *path == place(settings)
                && self.choice.on_the_fly == settings.book_choice.on_the_fly
                && (pages.is_some() || self.tried == settings.book_settings)
        };
        self.open.as_ref().is_some_and(is_current)
    }

    fn load(&self, path: &Path, on_the_fly: bool) -> Result<ReadBook<G>, BookError> {
        if path.as_os_str().is_empty() {
            return (self.read)(self.built_in.to_vec());
        }
        let at = |why| BookError::Named { path: path.to_owned(), why: Box::new(why) };
        self.load_file(path, on_the_fly).map(|(pages, warning)| (pages, warning.map(at))).map_err(at)
    }

    /// Opens a book file. If `on_the_fly` is set or the file is large, a book with sorted positions stays on disk.
    /// Small books and unsorted books are read into memory.
    fn load_file(&self, path: &Path, on_the_fly: bool) -> Result<ReadBook<G>, BookError> {
        let is_large = || path.metadata().is_ok_and(|data| data.len() > MOST_IN_MEMORY);
        if let Some(open) = self.open_sorted.filter(|_| on_the_fly || is_large()) {
            let opened = files::open(path, "book").map_err(BookError::from).and_then(open).map(|pages| (pages, None));
            if on_the_fly || opened.is_ok() {
                return opened;
            }
        }
        (self.read)(files::read(path, "book", files::MOST_INPUT)?)
    }
}

impl<G: Game> Opening for Book<G> {
    fn on_settings(&mut self, settings: &Settings) -> Result<(), String> {
        let is_read = self.has_read(settings);
        self.choice = settings.book_choice.clone();
        if !settings.own_book {
            self.open = None;
        } else if !is_read {
            self.open = None;
            self.tried = settings.book_settings;
            let path = place(settings);
            let (pages, result) = match self.load(&path, settings.book_choice.on_the_fly) {
                Ok((pages, warning)) => (Some(pages), warning.map_or(Ok(()), |why| Err(why.to_string()))),
                Err(why) => (None, Err(why.to_string())),
            };
            self.open = Some((path, pages));
            return result;
        }
        Ok(())
    }

    fn moves(&self, line: &Line) -> Vec<(MoveText, u32)> {
        let Some((_, Some(pages))) = &self.open else { return Vec::new() };
        let game = play(line).filter(|game: &G| game.ply() < self.choice.plies);
        let Some(game) = game else { return Vec::new() };
        pages.moves(&game, &self.choice).into_iter().map(|(m, weight)| (game.format_move(m), weight)).collect()
    }

    fn note(&self, line: &Line, m: MoveText) -> BookNote {
        let Some((_, Some(pages))) = &self.open else { return BookNote::default() };
        let note = |game: G| Some(pages.note(&game, game.parse_move(&m).ok()?, &self.choice));
        play(line).and_then(note).unwrap_or_default()
    }
}

/// Returns the path of the book file. If a relative path does not exist, it is looked up in the folder that the
/// settings name (`BookDir`), which may itself be relative to the folder of the program.
fn place(settings: &Settings) -> PathBuf {
    let (file, folder) = (&settings.book_file, &settings.book_choice.folder);
    if file.as_os_str().is_empty() || file.is_absolute() || file.exists() || folder.is_empty() {
        return file.clone();
    }
    let folder = Path::new(folder);
    let folder = if folder.exists() { folder.to_owned() } else { files::beside_program(folder) };
    folder.join(file)
}

/// Returns the game after the moves of a line; `None` if the line is not legal.
fn play<G: Game>(line: &Line) -> Option<G> {
    let mut game = G::new(&line.start).ok()?;
    for text in &line.moves {
        let m = game.parse_move(text).ok()?;
        game.make(m);
    }
    Some(game)
}
