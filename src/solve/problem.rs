//! Lists of problems: each line has a position, a name and the recorded length, separated by tabs.

use super::solution::ProblemKind;
use hasami_api::{Line, MoveText, ParseMoveError, Rules, Start};
use hasami_catalog::{Catalog, MoveError, typed_words};
use hasami_words::text::At;
use hasami_words::{Words, shortened};

/// Maximum number of characters of an unreadable line that an error message quotes.
const SHOWN: usize = 80;

/// A problem's result according to its list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// A mate, or a brinkmate in a list of brinkmates, in this many plies.
    Mate(u32),
    NoMate,
}

impl Recorded {
    /// Formats the result, depending on the kind of problem.
    pub fn of(self, kind: ProblemKind, words: &Words) -> String {
        match (self, kind) {
            (Self::Mate(plies), ProblemKind::Mate) => words.count("mate-in", plies.into()),
            (Self::Mate(plies), ProblemKind::Brinkmate) => words.count("brinkmate-in", plies.into()),
            (Self::NoMate, ProblemKind::Mate) => words.get("no-mate"),
            (Self::NoMate, ProblemKind::Brinkmate) => words.get("no-brinkmate"),
        }
    }

    pub const fn plies(self) -> Option<u32> {
        match self {
            Self::Mate(plies) => Some(plies),
            Self::NoMate => None,
        }
    }
}

/// A position in which the side to move is to mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateProblem {
    pub name: String,
    pub line: Line,
    pub recorded: Option<Recorded>,
    /// The solutions recorded in the list, each as a line of unchecked moves.
    pub solutions: Vec<Vec<String>>,
    /// Length in plies of the shortest recorded solution without futile interpositions, once it has been counted.
    pub counted: Option<u32>,
    /// The only first move that solves the problem, if the list states one.
    pub first: Option<MoveText>,
    /// Why the side to move can only be the defender, if the position implies this.
    pub defender_first: Option<String>,
}

impl MateProblem {
    /// Reads a position in any supported notation, and checks that the game accepts it.
    pub fn new(name: &str, position: &str, game: &dyn Catalog) -> Result<Self, String> {
        let read = |rules| Self::line(&game.posted(position, rules)?, game);
        let (line, defender_first) = match read(Rules::OF_PROBLEMS) {
            Ok(line) => (line, None),
            Err(why) => match read(Rules::OF_DEFENCES) {
                Ok(line) => (line, Some(why)),
                Err(_) => return Err(why),
            },
        };
        Ok(Self {
            name: name.to_owned(),
            line,
            recorded: None,
            solutions: Vec::new(),
            counted: None,
            first: None,
            defender_first,
        })
    }

    /// Counts the recorded solutions' plies as composers do, because recorded lines may contain futile interpositions.
    pub fn count_for_composers(&mut self, game: &dyn Catalog, defender_first: bool) {
        let counted = |moves: &Vec<String>| {
            let plies = game.referee(&self.line).ok()?.plies_for_composers(moves, !defender_first)?;
            u32::try_from(plies).ok()
        };
        self.counted = self.solutions.iter().filter_map(counted).min();
    }

    /// Returns whether `plies` is the recorded solution's length, with or without interpositions that may be futile.
    pub fn is_recorded_length(&self, plies: usize) -> bool {
        let most = self.recorded.and_then(Recorded::plies);
        let is_between = |(least, most)| u32::try_from(plies).is_ok_and(|plies| (least..=most).contains(&plies));
        self.counted.zip(most).is_some_and(is_between)
    }

    /// Converts the position to a line without moves.
    fn line(posted: &Line, game: &dyn Catalog) -> Result<Line, String> {
        let text = match &posted.start.text {
            Some(text) if posted.moves.is_empty() => text.clone(),
            _ => game.position(posted)?.into(),
        };
        let line = Line { start: Start { text: Some(text), ..posted.start }, moves: Vec::new() };
        game.check(&line)?;
        Ok(line)
    }

    pub fn position(&self) -> &str {
        self.line.start.text.as_deref().unwrap_or_default()
    }
}

/// Returns the first position in a list as text, even if the list has errors.
pub fn first_position(text: &str) -> Option<&str> {
    rows(text).next().map(|(_, row)| position_of(row))
}

/// Parses a list of problems. `file` is the file name in error messages. A problem without a name is called `stem` with
/// its line number.
pub fn parse(text: &str, file: &str, stem: &str, game: &dyn Catalog) -> Result<Vec<MateProblem>, String> {
    let rows = rows(text).map(|(number, row)| {
        let wrong = |why: String| why.at(format!("{file}:{number}"));
        let mut fields = row.split('\t').skip(1).map(str::trim);
        let name = fields.next().filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("{stem}:{number}"), str::to_owned);
        let problem = MateProblem::new(&name, position_of(row), game);
        let problem = problem.map_err(|why| if lacks_tabs(row, game) { blanks(row) } else { why }).map_err(wrong)?;
        let (recorded, solutions) =
            fields.next().map_or(Ok((None, Vec::new())), |field| recorded(field, &problem, game)).map_err(wrong)?;
        let notes: Vec<&str> = fields.collect();
        let first = notes.iter().find_map(|note| note.strip_prefix("first=")).filter(|_| notes.contains(&"unique=yes"));
        let first = first.and_then(|first| first_move(first, &problem, game));
        Ok(MateProblem { recorded, solutions, first, ..problem })
    });
    rows.collect()
}

/// Iterates over the lines that are neither empty nor comments, with their numbers, counted from 1.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let lines = lines.map(|(index, line)| (index + 1, line.trim_end()));
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

fn position_of(row: &str) -> &str {
    row.split('\t').next().unwrap_or_default().trim()
}

/// Returns whether a line begins with a position but separates its fields by spaces instead of tabs.
fn lacks_tabs(row: &str, game: &dyn Catalog) -> bool {
    let words: Vec<&str> = row.split_whitespace().collect();
    let is_position =
        |count: usize| words.len() > count && MateProblem::new("", &words[..count].join(" "), game).is_ok();
    !row.contains('\t') && !words.contains(&"moves") && [4, 6].into_iter().any(is_position)
}

fn blanks(row: &str) -> String {
    format!("expected tabs between the fields, found blanks: '{}'", shortened(row, SHOWN))
}

/// Returns the number of plies in a text such as `7手詰`, `17手で詰み` or `十七手`, whichever kind of digits it uses.
fn plies_in_words(text: &str) -> Option<u32> {
    const KINDS: [&str; 3] = ["0123456789", "０１２３４５６７８９", "〇一二三四五六七八九"];
    let (number, behind) = text.trim().split_once('手')?;
    if !["", "詰", "詰め", "詰み", "で詰", "で詰み", "で先手の勝ち", "で後手の勝ち"].contains(&behind.trim())
    {
        return None;
    }
    let digit = |c: char| KINDS.iter().find_map(|digits| digits.chars().position(|digit| digit == c));
    let (mut sum, mut ones) = (0_u32, None::<u32>);
    for c in number.trim().chars() {
        match c {
            '百' | '十' => {
                let unit = if c == '百' { 100 } else { 10 };
                sum = sum.checked_add(ones.take().unwrap_or(1).checked_mul(unit)?)?;
            }
            _ => ones = Some(ones.unwrap_or(0).checked_mul(10)?.checked_add(digit(c)? as u32)?),
        }
    }
    sum.checked_add(ones.unwrap_or(0)).filter(|&plies| plies > 0)
}

/// Returns the first move that a note states, whether or not the move is legal.
fn first_move(text: &str, problem: &MateProblem, game: &dyn Catalog) -> Option<MoveText> {
    let typed = game.typed_line(&problem.line, text).ok();
    typed.and_then(|line| line.moves.first().copied()).or_else(|| text.parse().ok())
}

/// Parses the recorded result: a length, the moves of a solution, or several first moves that each mate at once. A
/// solution with illegal moves is wrong, but no error in the list.
fn recorded(
    field: &str,
    problem: &MateProblem,
    game: &dyn Catalog,
) -> Result<(Option<Recorded>, Vec<Vec<String>>), String> {
    let length = |plies: usize| Some(Recorded::Mate(u32::try_from(plies).unwrap_or(u32::MAX)));
    let bare = field.strip_prefix("まで").unwrap_or(field);
    match (field, field.parse::<u32>().or_else(|_| plies_in_words(bare).ok_or(()))) {
        ("", _) => return Ok((None, Vec::new())),
        ("-", _) => return Ok((Some(Recorded::NoMate), Vec::new())),
        (_, Ok(plies)) if plies > 0 => return Ok((Some(Recorded::Mate(plies)), Vec::new())),
        _ => {}
    }
    let moves = if field.parse::<i64>().is_ok() { Vec::new() } else { typed_words(field) };
    let is_line = |text: &str| game.typed_line(&problem.line, text).is_ok();
    let is_odd = moves.len() % 2 == 1;
    match moves.len() {
        0 => {}
        plies if is_odd && is_line(field) => return Ok((length(plies), vec![moves])),
        _ if moves.iter().all(|m| is_line(m)) => {
            return Ok((length(1), moves.into_iter().map(|m| vec![m]).collect()));
        }
        plies if is_odd && moves.iter().all(|m| is_notation(m, problem, game)) => {
            return Ok((length(plies), vec![moves]));
        }
        _ => {}
    }
    Err(format!("expected a length in plies, or - for none, or a solution, found '{field}'"))
}

/// Returns whether the text looks like a move, legal or not.
fn is_notation(text: &str, problem: &MateProblem, game: &dyn Catalog) -> bool {
    let read = game.referee(&problem.line).map(|mut referee| referee.read(text));
    !matches!(read, Ok(Err(MoveError::Parse(ParseMoveError::Notation(_)))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

    fn read(text: &str) -> Result<Vec<MateProblem>, String> {
        parse(text, "some/list.tsv", "list", hasami_games::find("shogi").unwrap())
    }

    /// The interpositions of the first solution are futile. The second solution later drops one of the two knights that
    /// it captures, and its last two interpositions are futile.
    #[test]
    fn a_recorded_solution_counts_with_and_without_its_futile_interpositions() {
        for (position, solution, least, most) in [
            ("8k/9/6NG1/9/9/9/R8/9/9 b 2p 1", "9g1g P*1c 1g1c+ P*1b 1c1b", 1, 5),
            (
                "6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s3n3l15p 1",
                "1e2d N*1f 1i1f N*1e 1f1e N*1d G*2c 1b2a N*3c 2a1a 1e1d P*1c 1d1c P*1b 1c1b+",
                9,
                15,
            ),
            (GOLD, "G*5b", 1, 1),
        ] {
            let mut problem = read(&format!("{position}\tx\t{solution}\n")).unwrap().remove(0);
            assert!(!problem.is_recorded_length(most), "not counted yet");
            problem.count_for_composers(hasami_games::find("shogi").unwrap(), false);
            let recorded = Some(Recorded::Mate(u32::try_from(most).unwrap()));
            assert_eq!((problem.counted, problem.recorded), (Some(least), recorded), "{solution}");
            let lengths: Vec<usize> = (1..20).step_by(2).filter(|&plies| problem.is_recorded_length(plies)).collect();
            assert_eq!(lengths, (least as usize..=most).step_by(2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_list_has_names_lengths_and_comments() {
        let text = format!(
            "\u{feff}# comment\r\n{GOLD}\tgold\t1\tby somebody\r\n\r\n{GOLD}\n{GOLD}\tnone\t-\n{GOLD}\t\t3\n{GOLD}\tx\n"
        );
        let found = read(&text).unwrap();
        let known: Vec<_> = found.iter().map(|problem| (problem.name.as_str(), problem.recorded)).collect();
        let (one, three) = (Some(Recorded::Mate(1)), Some(Recorded::Mate(3)));
        let expected =
            [("gold", one), ("list:4", None), ("none", Some(Recorded::NoMate)), ("list:6", three), ("x", None)];
        assert_eq!(known, expected);
        assert!(found.iter().all(|problem| problem.position() == GOLD));
        assert_eq!(first_position(&text), Some(GOLD));
        assert_eq!(first_position("# nothing\n\n"), None);
    }

    #[test]
    fn lengths_may_be_in_words() {
        for (field, plies) in
            [("まで7手詰", 7), ("１５手詰", 15), ("まで百二十三手で詰み", 123), ("二十手", 20), ("一一手詰", 11)]
        {
            let found = read(&format!("{GOLD}\tx\t{field}\n")).unwrap();
            assert_eq!(found[0].recorded, Some(Recorded::Mate(plies)), "{field}");
        }
        assert!(read(&format!("{GOLD}\tx\t手詰\n")).is_err());
    }

    #[test]
    fn positions_are_read_as_they_are_posted() {
        let posted = ["sfen", "position sfen"].map(|words| format!("{words} {GOLD}\tgold\t1\n")).concat();
        let found = read(&posted).unwrap();
        assert!(found.len() == 2 && found.iter().all(|problem| problem.position() == GOLD));
        let ended = "position sfen 4k4/9/9/4P4/9/9/9/9/9 b G 1 moves 5d5c+ 5a6a resign\tgold\n";
        assert_eq!(read(ended).unwrap()[0].position(), "3k5/9/4+P4/9/9/9/9/9/9 b G 3");
        assert_eq!(read("4k4/9/4P4/9/9/9/9/9/9_b_G_1\tgold\n").unwrap()[0].position(), GOLD);
        let before = "position sfen 4k4/9/9/4P4/9/9/9/9/9 b G 1 moves 5d5c+ 5a6a\tgold\n";
        assert_eq!(read(before).unwrap()[0].position(), "3k5/9/4+P4/9/9/9/9/9/9 b G 3");
        assert!(
            read("sfen 4k4/9/9/4P4/9/9/9/9/9 b G 1 moves 5d5e").unwrap_err().contains("move 1: expected a legal move")
        );
    }

    #[test]
    fn a_solution_says_how_long_it_is() {
        let brinkmate = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1";
        let found =
            |solution: &str| read(&format!("{brinkmate}\tx\t{solution}\tnote\n")).map(|found| found[0].recorded);
        assert_eq!(found("S*2c 2b1c 2c3d+"), Ok(Some(Recorded::Mate(3))));
        assert_eq!(found("S*2c G*2c"), Ok(Some(Recorded::Mate(1))), "one or the other");
        assert!(found("S*2c 2b1c").is_err() && found("S*2c and so on").is_err());
        assert_eq!(found("S*2b"), Ok(Some(Recorded::Mate(1))), "not legal, which a comparison tells");
    }

    #[test]
    fn solutions_and_positions_may_have_moves_as_players_write_them() {
        let recorded = |solution: &str| read(&format!("{GOLD}\tx\t{solution}\n")).map(|found| found[0].recorded);
        for solution in ["▲５二金", "52金打", "５二金打", "+0052KI", "G*52"] {
            assert_eq!(recorded(solution), Ok(Some(Recorded::Mate(1))), "{solution}");
        }
        assert!(recorded("５二銀か金").is_err());
        let line = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1\tx\t☗６二金打☖４一玉、☗４二金\n";
        let found = &read(line).unwrap()[0];
        assert_eq!(found.recorded, Some(Recorded::Mate(3)));
        assert_eq!(found.solutions, [["☗６二金打", "☖４一玉", "☗４二金"]]);
        assert_eq!(
            read(&line.replace("、☗４二金", "")).unwrap_err(),
            "some/list.tsv:1: expected a length in plies, or - for none, or a solution, found '☗６二金打☖４一玉'"
        );
        let before = "position sfen 4k4/9/9/4P4/9/9/9/9/9 b G 1 moves ☗５三歩成☖６一玉\tgold\n";
        assert_eq!(read(before).unwrap()[0].position(), "3k5/9/4+P4/9/9/9/9/9/9 b G 3");
        let first = read(&format!("{GOLD}\tx\t1\tfirst=５二金\tunique=yes\n")).unwrap()[0].first;
        assert_eq!(first, Some("G*5b".parse().unwrap()));
    }

    #[test]
    fn a_first_move_counts_where_it_is_the_only_one() {
        let first = |notes: &str| read(&format!("{GOLD}\tx\t1\tkind=a\t{notes}\n")).unwrap()[0].first;
        assert_eq!(first("first=G*5b\tunique=yes"), Some("G*5b".parse().unwrap()));
        assert_eq!(first("first=G*5b\tunique=but-for-promotion"), None);
        assert_eq!(first("unique=yes"), None);
    }

    #[test]
    fn what_is_wrong_has_its_file_and_line() {
        let wrong = |row: &str| read(&format!("# x\n{GOLD}\tfine\t1\n{row}\n")).unwrap_err();
        let length = |found: &str| {
            format!("some/list.tsv:3: expected a length in plies, or - for none, or a solution, found '{found}'")
        };
        for found in ["0", "x", "-3", "1.5"] {
            assert_eq!(wrong(&format!("{GOLD}\tname\t{found}")), length(found));
        }
        let position = wrong("4k4/9 b - 1\tname\t1");
        assert!(position.starts_with("some/list.tsv:3: expected a shogi position in SFEN, found '4k4/9"), "{position}");
        let blanks = wrong(&format!("{GOLD} name 1"));
        assert_eq!(blanks, format!("some/list.tsv:3: expected tabs between the fields, found blanks: '{GOLD} name 1'"));
    }
}
