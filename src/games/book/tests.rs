#![allow(clippy::unwrap_used)]

use super::*;
use hasami_api::{Score, Start};
use hasami_chess::Chess;

fn on(path: &str) -> Settings {
    Settings { own_book: true, book_file: path.into(), ..Settings::default() }
}

fn line(start: Option<&str>, moves: &str) -> Line {
    let moves = moves.split_whitespace().map(|m| m.parse().unwrap()).collect();
    Line { start: Start { text: start.map(Into::into), ..Start::default() }, moves }
}

static CHESS: &[u8] = include_bytes!("../../../book/chess.bin");
static SHOGI: &[u8] = include_bytes!("../../../book/shogi.db");

fn chess() -> Book<Chess> {
    Book::polyglot(CHESS, Chess::polyglot_key)
}

/// Writes a temporary Polyglot book. Each entry is (moves up to the position, code of the book move, weight).
fn chess_file(entries: &[(&str, u16, u16)]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut bytes = Vec::new();
    for &(moves, code, weight) in entries {
        let game: Chess = play(&line(None, moves)).unwrap();
        bytes.extend(game.polyglot_key().to_be_bytes());
        bytes.extend(code.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
    }
    std::fs::write(file.path(), bytes).unwrap();
    file
}

/// Converts a move from UCI notation to Polyglot's code.
fn code(text: &str) -> u16 {
    let b: Vec<u16> = text.bytes().map(u16::from).collect();
    let square = |i: usize| (b[i] - 97) | (b[i + 1] - 49) << 3;
    square(0) << 6 | square(2)
}

fn answers<G: Game>(book: &Book<G>, at: &Line) -> Vec<(String, u32)> {
    book.moves(at).iter().map(|(m, weight)| (m.to_string(), *weight)).collect()
}

#[test]
fn nothing_is_read_while_own_book_is_off() {
    let mut book = chess();
    let off = Settings { own_book: false, ..on("/nonexistent/book.bin") };
    assert_eq!(book.on_settings(&off), Ok(()));
    assert_eq!(book.moves(&Line::default()), vec![]);
}

#[test]
fn polyglot_moves_are_legal_and_sorted_by_weight() {
    let file = chess_file(&[
        ("", code("d2d4"), 30),
        ("", code("e2e4"), 70),
        ("", code("c2c4"), 0),
        ("", code("e2e5"), 90),
        ("e2e4", code("c7c5"), 1),
    ]);
    let mut book = chess();
    book.on_settings(&on(file.path().to_str().unwrap())).unwrap();
    assert_eq!(answers(&book, &line(None, "")), [("e2e4".into(), 70), ("d2d4".into(), 30)]);
    assert_eq!(answers(&book, &line(None, "e2e4")), [("c7c5".into(), 1)]);
    assert_eq!(answers(&book, &line(None, "e2e4 c7c5")), []);
    assert_eq!(answers(&book, &line(None, "e2e5")), [], "an illegal line is not in the book");
    book.on_settings(&Settings::default()).unwrap();
    assert_eq!(answers(&book, &line(None, "")), [], "closed again");
}

#[test]
fn polyglot_castling_is_king_takes_rook() {
    const QUIET: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
    let file = chess_file(&[(QUIET, code("e1h1"), 5)]);
    let mut book = chess();
    book.on_settings(&on(file.path().to_str().unwrap())).unwrap();
    assert_eq!(answers(&book, &line(None, QUIET)), [("e1g1".into(), 5)]);
}

#[test]
fn unreadable_books_are_one_clear_line() {
    let mut book = chess();
    let missing = book.on_settings(&on("/nonexistent/book.bin")).unwrap_err();
    let line = missing.to_string();
    let begin = "BookFile /nonexistent/book.bin: cannot read the book: ";
    assert!(line.starts_with(begin) && line.lines().count() == 1, "{missing}");
    assert_eq!(book.on_settings(&on("/nonexistent/book.bin")), Ok(()), "the error is reported once");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), [1; 17]).unwrap();
    let name = file.path().to_str().unwrap();
    let again = Settings { book_settings: 1, ..on("/nonexistent/book.bin") };
    assert_eq!(book.on_settings(&again), Err(missing), "the option was set again");
    assert_eq!(book.on_settings(&again), Ok(()), "told once");
    let broken = book.on_settings(&on(name)).unwrap_err();
    assert_eq!(
        broken.to_string(),
        format!("BookFile {name}: expected a Polyglot book (entries of 16 bytes), found 17 bytes")
    );
    assert_eq!(book.moves(&Line::default()), vec![]);
}

/// Plays the book's first move four times in a row, and checks that the book always has a move.
fn assert_opens_games(mut book: impl Opening) {
    book.on_settings(&on("")).unwrap();
    let mut at = line(None, "");
    for _ in 0..4 {
        let moves = book.moves(&at);
        assert!(!moves.is_empty(), "{at:?}");
        at = at.with(moves[0].0);
    }
}

#[test]
fn our_chess_book_opens_games() {
    assert_opens_games(chess());
}

#[test]
fn no_file_panics() {
    use rand::{Rng, SeedableRng, rngs::SmallRng};
    for seed in 0..2000 {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut bytes: Vec<u8> = if seed % 2 == 0 { CHESS.to_vec() } else { SHOGI.to_vec() };
        bytes.truncate(16 * random.random_range(0..40));
        for _ in 0..random.random_range(0..20) {
            let at = random.random_range(0..=bytes.len());
            bytes.insert(at, random.random());
        }
        let chess = polyglot::Polyglot::read(&bytes, Chess::polyglot_key);
        assert_eq!(chess.is_ok(), bytes.len().is_multiple_of(16) && !bytes.is_empty(), "seed {seed}");
        let choice = BookChoice::default();
        chess.map(|pages| pages.moves(&Chess::new(&Start::default()).unwrap(), &choice)).ok();
        let start = hasami_shogi::Shogi::new(&Start::default()).unwrap();
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &bytes).unwrap();
        SortedFile::open(file).map(|pages| TextBook(pages).moves(&start, &choice)).ok();
        let shogi = Yaneuraou::read(bytes);
        shogi.map(|(pages, _)| TextBook(pages).moves(&start, &choice)).ok();
    }
}

mod shogi {
    use super::*;
    use hasami_shogi::Shogi;

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    const AFTER: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL";

    fn read(text: &str) -> Result<Book<Shogi>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let mut book = Book::yaneuraou(SHOGI);
        let name = file.path().to_str().unwrap();
        book.on_settings(&on(name)).map_err(|error| error.to_string().replace(name, "FILE"))?;
        Ok(book)
    }

    /// Opens a book with `text`, and returns its moves in the initial position and the warning about skipped lines.
    fn opened(text: &str) -> (String, Option<String>) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let mut book = Book::<Shogi>::yaneuraou(SHOGI);
        let warning = book.on_settings(&on(file.path().to_str().unwrap())).err().map(|why| why.to_string());
        let moves: Vec<String> = answers(&book, &line(None, "")).into_iter().map(|(m, w)| format!("{m} {w}")).collect();
        (moves.join(", "), warning)
    }

    #[test]
    fn moves_without_values_are_played() {
        let moves = |lines: &str| opened(&format!("sfen {START} b - 1\n{lines}"));
        assert_eq!(moves("9g9f 3c3d none none 5\n7g7f none none none 7\n"), ("7g7f 7, 9g9f 5".into(), None));
        assert_eq!(moves("9g9f 3c3d   5\n7g7f 3c3d   7\n"), ("7g7f 7, 9g9f 5".into(), None), "empty columns");
        assert_eq!(moves("9g9f none none none\n7g7f none\n"), ("9g9f 101, 7g7f 101".into(), None));
        assert_eq!(moves("9g9f none none none\n7g7f none 40 9\n"), ("7g7f 101, 9g9f 1".into(), None));
    }

    #[test]
    fn unreadable_lines_are_skipped() {
        let text = format!(
            "sfen {START} b - 1\n7g7f none much 0\n2g2f none 30 9 2\nsfen broken\n1g1f none 0 0\nsfen {AFTER} w - 2\n3c3d none 0 9\n"
        );
        let (moves, warning) = opened(&text);
        assert_eq!(moves, "2g2f 2");
        let warning = warning.unwrap();
        assert!(warning.contains(": 3 lines skipped: line 2: expected "), "{warning}");
    }

    #[test]
    fn a_huge_book_is_used_on_disk_or_rejected() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let open = || {
            let mut book = Book::<Shogi>::yaneuraou(SHOGI);
            let warning = book.on_settings(&on(file.path().to_str().unwrap())).err().map(|why| why.to_string());
            (answers(&book, &line(None, "")).len(), warning)
        };
        file.as_file().set_len(10 << 30).unwrap();
        let (_, warning) = open();
        assert!(
            warning
                .as_ref()
                .is_some_and(|warning| warning.ends_with("cannot read the book: it is larger than 1073741824 bytes")),
            "{warning:?}"
        );
        // This file has sorted positions, followed by a hole (unallocated bytes that read as zeros).
        std::fs::write(file.path(), format!("sfen {AFTER} w - 2\n3c3d none 0 9\nsfen {START} b - 1\n7g7f none 0 9\n"))
            .unwrap();
        file.as_file().set_len(10 << 30).unwrap();
        assert_eq!(open(), (1, None));
    }

    #[test]
    fn positions_in_any_order_and_with_any_ply() {
        let start =
            format!("sfen {START} b - 1\n2g2f 8c8d 30 12 5\n7g7f 3c3d 40 12 20\n9i9h none 0 0 7\n1a1b none 0 0 9\n");
        let after = format!("sfen {AFTER} w - 77\n3c3d none -40 12\n");
        for text in [
            format!("#YANEURAOU-DB2016 1.00\n{start}{after}"),
            format!("{after}// note\n{start}").replace('\n', "\r\n"),
            format!("\u{feff}#YANEURAOU-DB2016 1.00\n{start}{after}"),
            format!("\u{feff}{start}{after}"),
        ] {
            let book = read(&text).unwrap();
            let moves = answers(&book, &line(None, ""));
            assert_eq!(
                moves,
                [("7g7f".into(), 20), ("9i9h".into(), 7), ("2g2f".into(), 5)],
                "legal moves, sorted by count"
            );
            assert_eq!(answers(&book, &line(None, "7g7f")).first().map(|(m, _)| &**m), Some("3c3d"));
            assert_eq!(answers(&book, &line(None, "2g2f")), []);
        }
    }

    #[test]
    fn without_counts_moves_are_weighted_by_value() {
        let book =
            read(&format!("sfen {START} b - 1\n2g2f none 10 9 1\n7g7f none 40 9 1\n5g5f none -200 9 1\n")).unwrap();
        assert_eq!(answers(&book, &line(None, "")), [("7g7f".into(), 101), ("2g2f".into(), 71)]);
    }

    #[test]
    fn unreadable_books_are_one_clear_line() {
        let error = |text: &str| read(text).err().unwrap();
        assert_eq!(error(""), "BookFile FILE: expected a YaneuraOu book ('sfen ...' lines), found none");
        assert_eq!(error("# x\n7g7f none 0 0\n"), "BookFile FILE: line 2: expected 'sfen ...', found '7g7f none 0 0'");
        assert!(error("sfen x y\n").contains("line 1: expected 'sfen <board> <b|w> <hands> <ply>', found 'sfen x y'"));
    }

    /// Opens a book with the given text and settings.
    fn choosing(text: &str, choice: BookChoice) -> Result<Book<Shogi>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let mut book = Book::yaneuraou(SHOGI);
        let settings = Settings { book_choice: choice, ..on(file.path().to_str().unwrap()) };
        book.on_settings(&settings).map(|()| book)
    }

    #[test]
    fn moves_much_worse_than_the_best_are_not_played() {
        let text = format!("sfen {START} b - 1\n2g2f none 10 9 3\n7g7f none 40 9 2\n5g5f none -200 9 9\n");
        for (value_gap, moves) in [(0, "7g7f"), (30, "2g2f 7g7f"), (99_999, "5g5f 2g2f 7g7f")] {
            let book = choosing(&text, BookChoice { value_gap, ..BookChoice::default() }).unwrap();
            let found: Vec<String> = answers(&book, &line(None, "")).into_iter().map(|(m, _)| m).collect();
            assert_eq!(found.join(" "), moves, "{value_gap}");
        }
    }

    #[test]
    fn the_book_ends_after_its_plies() {
        let text = format!("sfen {START} b - 1\n7g7f none 0 9 1\nsfen {AFTER} w - 2\n3c3d none 0 9 1\n");
        for (plies, found) in [(0, [0, 0]), (1, [1, 0]), (2, [1, 1])] {
            let book = choosing(&text, BookChoice { plies, ..BookChoice::default() }).unwrap();
            assert_eq!(["", "7g7f"].map(|moves| answers(&book, &line(None, moves)).len()), found, "{plies}");
        }
    }

    #[test]
    fn rotated_positions_are_found() {
        let text = format!("sfen {AFTER} w - 2\n3c3d none 0 9 1\n8c8d none 0 9 1\n");
        // The position in `text` with the sides exchanged: White has opened the bishop's diagonal, and Black is to
        // move.
        let turned = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        for (flipped, moves) in [(true, "7g7f 2g2f"), (false, "")] {
            let book = choosing(&text, BookChoice { flipped, ..BookChoice::default() }).unwrap();
            let found: Vec<String> = answers(&book, &line(Some(turned), "")).into_iter().map(|(m, _)| m).collect();
            assert_eq!(found.join(" "), moves);
        }
    }

    #[test]
    fn notes_contain_answer_and_value() {
        let text = format!("sfen {AFTER} w - 2\n3c3d 2g2f -35 14 9\n8c8d none 20 9 1\n4a3b 2g2f\n");
        let turned = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let reply = |text: &str| Some(text.parse().unwrap());
        let value = |cp, depth| Some((Score::cp(cp), depth));
        let book = choosing(&text, BookChoice { flipped: true, ..BookChoice::default() }).unwrap();
        for (at, m, note) in [
            (line(None, "7g7f"), "3c3d", BookNote { reply: reply("2g2f"), value: value(-35, 14) }),
            (line(None, "7g7f"), "8c8d", BookNote { reply: None, value: value(20, 9) }),
            (line(None, "7g7f"), "4a3b", BookNote { reply: reply("2g2f"), value: None }),
            (line(None, "7g7f"), "9c9d", BookNote::default()),
            (line(None, ""), "7g7f", BookNote::default()),
            (line(Some(turned), ""), "7g7f", BookNote { reply: reply("8c8d"), value: value(-35, 14) }),
        ] {
            assert_eq!(book.note(&at, m.parse().unwrap()), note, "{m}");
        }
    }

    #[test]
    fn a_book_gives_the_same_moves_on_disk_and_in_memory() {
        let text = String::from_utf8_lossy(SHOGI);
        let mut positions: Vec<&str> = text.split("sfen ").skip(1).collect();
        positions.sort_unstable();
        let sorted: String = positions.iter().map(|position| format!("sfen {position}")).collect();
        let sorted = format!("#YANEURAOU-DB2016 1.00\n{sorted}");
        let on_the_fly = BookChoice { on_the_fly: true, ..BookChoice::default() };
        let (disk, memory) =
            (choosing(&sorted, on_the_fly.clone()).unwrap(), choosing(&sorted, BookChoice::default()).unwrap());
        for position in &positions {
            let at = line(Some(position.lines().next().unwrap()), "");
            assert_eq!(disk.moves(&at), memory.moves(&at), "{at:?}");
        }
        assert!(!disk.moves(&line(None, "")).is_empty());
        positions.reverse();
        let backwards: String = positions.iter().map(|position| format!("sfen {position}")).collect();
        let refused = choosing(&backwards, on_the_fly.clone()).err().unwrap();
        assert!(refused.contains("expected positions in order, as BookOnTheFly needs them, found '"), "{refused}");
        let none = choosing("# nothing\n", on_the_fly).err().unwrap();
        assert!(none.contains("expected a YaneuraOu book"), "{none}");
    }

    #[test]
    fn a_file_without_a_folder_is_looked_for_in_the_folder_of_books() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("small.db"), format!("sfen {START} b - 1\n1g1f none 0 9 1\n")).unwrap();
        let choice = BookChoice { folder: folder.path().to_str().unwrap().into(), ..BookChoice::default() };
        let mut book = Book::<Shogi>::yaneuraou(SHOGI);
        let settings = Settings { book_choice: choice, ..on("small.db") };
        assert_eq!(book.on_settings(&settings), Ok(()));
        assert_eq!(answers(&book, &line(None, "")), [("1g1f".into(), 101)]);
        assert_eq!(book.on_settings(&settings), Ok(()), "read once");
    }

    #[test]
    fn our_shogi_book_opens_games() {
        assert_opens_games(Book::<Shogi>::yaneuraou(SHOGI));
    }
}
