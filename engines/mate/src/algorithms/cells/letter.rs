//! Messages between host and cells: one line of ASCII each, words with blanks between, and a sum at the end.
//!
//! | host to cell | |
//! | --- | --- |
//! | `begin 1 3 shogi dfpn checks 10000 0 none 0 position SFEN moves M...` | version, problem, game, search, what the attacker plays, longest line, rules |
//! | `search 7 20000 M...` | task, its size, the way to the leaf |
//! | `stop 7`, `end` | this task, all of the problem |
//! | `facts 3 FACT...` | problem, what other cells have found out |
//!
//! | cell to host | |
//! | --- | --- |
//! | `ready 1 3` | version, problem |
//! | `tree 7 512 34 BRANCH`, `tree 7 512 34 BRANCH cut` | task, nodes made, value, the whole sub-tree; some lines too long |
//! | `open 7 512 12 3` | a summary: proof and disproof number |
//! | `mate 7 512 M...`, `none 7 512`, `none 7 512 cut` | a main line from the leaf; no mate; none so short |
//! | `stopped 7 512`, `fault WHY` | |
//! | `facts 3 FACT...` | what it has found out: `1f3a:201:17:512`, board and hand, a mate in 17 plies (`-`: none), its cost |

use crate::core::fact::Fact;
use crate::core::value::INFINITE;
use crate::interface::cell_link::CellSearch;
use hasami_api::{Line, MoveText, Rules, Start};
use std::fmt::{self, Display};
use std::str::{FromStr, SplitWhitespace};

/// Version of these messages.
pub(crate) const VERSION: u32 = 1;

/// Bytes of the longest letter.
pub(crate) const LONGEST: usize = 4 << 20;

/// A problem, as a cell must know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Begin {
    pub(crate) problem: u32,
    pub(crate) game: String,
    pub(crate) search: CellSearch,
    pub(crate) any_moves: bool,
    pub(crate) longest: usize,
    pub(crate) line: Line,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CellOrder {
    Begin(Begin),
    Search { task: u64, size: u64, moves: Vec<MoveText> },
    Stop { task: u64 },
    Facts { problem: u32, facts: Vec<Fact> },
    End,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CellResult {
    Tree { value: u32, branch: String, cut: bool },
    Open { pn: u32, dn: u32 },
    Mate(Vec<MoveText>),
    None { cut: bool },
    Stopped,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CellReply {
    Ready { problem: u32 },
    Facts { problem: u32, facts: Vec<Fact> },
    Done { task: u64, nodes: u64, found: CellResult },
    Fault(String),
}

/// The words of [`Rules::own`] by its number; where there is none, the number is the word.
const OWN_RULES: [&str; 6] = ["none", "csa24", "csa27", "try", "csa24h", "csa27h"];

fn own_rule(number: u8) -> String {
    OWN_RULES.get(usize::from(number)).map_or_else(|| number.to_string(), |&word| word.to_owned())
}

fn read_own_rule(word: &str) -> Result<u8, String> {
    let known = OWN_RULES.iter().position(|known| *known == word).map(|number| number as u8);
    known.or_else(|| word.parse().ok()).ok_or_else(|| unexpected("a rule of the game", word))
}

/// FNV-1a (Fowler, Noll and Vo), for lines that broken pipes have mangled.
fn sum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |sum: u32, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

pub(crate) fn sealed(text: &str) -> String {
    format!("{text} #{:08x}", sum(text))
}

/// The letter without its sum.
fn opened(letter: &str) -> Result<&str, String> {
    let is_fine = letter.len() <= LONGEST && letter.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if !is_fine {
        return Err(format!("expected a letter of at most {LONGEST} printable characters, found another"));
    }
    let (text, seal) = letter.rsplit_once(" #").ok_or_else(|| unexpected("a letter with its sum", letter))?;
    let expected = format!("{:08x}", sum(text));
    if seal == expected { Ok(text) } else { Err(unexpected(&format!("the sum {expected}"), seal)) }
}

fn unexpected(expected: &str, found: &str) -> String {
    let shown: String = found.chars().take(60).collect();
    format!("expected {expected}, found '{shown}'")
}

const fn cut_word(is_cut: bool) -> &'static str {
    if is_cut { " cut" } else { "" }
}

/// The words of a letter.
struct LetterWords<'a>(SplitWhitespace<'a>);

impl<'a> LetterWords<'a> {
    fn next(&mut self, expected: &str) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| unexpected(expected, ""))
    }

    fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, String> {
        let word = self.next(expected)?;
        word.parse().map_err(|_| unexpected(expected, word))
    }

    /// A number of what is not decided.
    fn open(&mut self, expected: &str) -> Result<u32, String> {
        let number = self.number(expected)?;
        let is_open = (1..INFINITE).contains(&number);
        if is_open { Ok(number) } else { Err(unexpected(expected, &number.to_string())) }
    }

    fn cut(&mut self) -> Result<bool, String> {
        match self.0.next() {
            None => Ok(false),
            Some("cut") => Ok(true),
            Some(other) => Err(unexpected("cut", other)),
        }
    }

    fn version(&mut self) -> Result<(), String> {
        match self.number("a version")? {
            VERSION => Ok(()),
            other => Err(format!("expected letters of version {VERSION}, found version {other}")),
        }
    }

    fn moves(&mut self) -> Result<Vec<MoveText>, String> {
        self.0.by_ref().map(|word| word.parse().map_err(|_| unexpected("a move", word))).collect()
    }

    fn facts(&mut self) -> Result<Vec<Fact>, String> {
        self.0.by_ref().map(|word| word.parse().map_err(|()| unexpected("a fact", word))).collect()
    }

    fn end(mut self) -> Result<(), String> {
        self.0.next().map_or(Ok(()), |word| Err(unexpected("the end of the letter", word)))
    }
}

/// Each with a blank before it.
struct Spaced<'a>(&'a [MoveText]);

impl Display for Spaced<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

fn facts_letter(problem: u32, facts: &[Fact]) -> String {
    facts.iter().fold(format!("facts {problem}"), |text, fact| format!("{text} {fact}"))
}

impl Begin {
    fn print(&self) -> String {
        let Self { problem, game, search, any_moves, longest, line } = self;
        let Rules { chess960, own, max_moves } = line.start.rules;
        let own = own_rule(own);
        let (search, moves, chess960) = (search.name(), if *any_moves { "any" } else { "checks" }, u8::from(chess960));
        let position = line.start.text.as_deref().unwrap_or("startpos");
        format!(
            "begin {VERSION} {problem} {game} {search} {moves} {longest} {chess960} {own} {max_moves} position {position} moves{}",
            Spaced(&line.moves)
        )
    }

    fn parse(mut words: LetterWords<'_>) -> Result<Self, String> {
        words.version()?;
        let problem = words.number("a number of a problem")?;
        let game = words.next("a game")?.to_owned();
        let search = words.next("best-first or dfpn")?.parse()?;
        let any_moves = match words.next("checks or any")? {
            "checks" => false,
            "any" => true,
            other => return Err(unexpected("checks or any", other)),
        };
        let longest = words.number("a number of plies")?;
        let chess960 = words.number::<u8>("0 or 1")? != 0;
        let own = read_own_rule(words.next("a rule of the game")?)?;
        let rules = Rules { chess960, own, max_moves: words.number("a number of plies")? };
        match words.next("position")? {
            "position" => {}
            other => return Err(unexpected("position", other)),
        }
        let mut position: Vec<&str> = Vec::new();
        loop {
            match words.next("moves")? {
                "moves" => break,
                word => position.push(word),
            }
        }
        let text = (position != ["startpos"]).then(|| position.join(" ").into());
        let line = Line { start: Start { text, rules }, moves: words.moves()? };
        Ok(Self { problem, game, search, any_moves, longest, line })
    }
}

impl CellOrder {
    pub(crate) fn print(&self) -> String {
        sealed(&match self {
            Self::Begin(begin) => begin.print(),
            Self::Search { task, size, moves } => format!("search {task} {size}{}", Spaced(moves)),
            Self::Stop { task } => format!("stop {task}"),
            Self::Facts { problem, facts } => facts_letter(*problem, facts),
            Self::End => "end".into(),
        })
    }

    pub(crate) fn parse(letter: &str) -> Result<Self, String> {
        const WORDS: &str = "begin, search, stop, facts or end";
        let mut words = LetterWords(opened(letter)?.split_whitespace());
        let order = match words.next(WORDS)? {
            "begin" => return Ok(Self::Begin(Begin::parse(words)?)),
            "search" => {
                let (task, size) = (words.number("a task")?, words.number("a size")?);
                Self::Search { task, size, moves: words.moves()? }
            }
            "stop" => Self::Stop { task: words.number("a task")? },
            "facts" => Self::Facts { problem: words.number("a number of a problem")?, facts: words.facts()? },
            "end" => Self::End,
            other => return Err(unexpected(WORDS, other)),
        };
        words.end().map(|()| order)
    }
}

impl CellReply {
    pub(crate) fn print(&self) -> String {
        sealed(&match self {
            Self::Ready { problem } => format!("ready {VERSION} {problem}"),
            Self::Facts { problem, facts } => facts_letter(*problem, facts),
            Self::Fault(why) => format!("fault {}", why.replace(|c: char| !(' '..='~').contains(&c), "?")),
            Self::Done { task, nodes, found } => match found {
                CellResult::Tree { value, branch, cut } => {
                    format!("tree {task} {nodes} {value} {branch}{}", cut_word(*cut))
                }
                CellResult::Open { pn, dn } => format!("open {task} {nodes} {pn} {dn}"),
                CellResult::Mate(moves) => format!("mate {task} {nodes}{}", Spaced(moves)),
                CellResult::None { cut } => format!("none {task} {nodes}{}", cut_word(*cut)),
                CellResult::Stopped => format!("stopped {task} {nodes}"),
            },
        })
    }

    pub(crate) fn parse(letter: &str) -> Result<Self, String> {
        const WORDS: &str = "ready, facts, tree, open, mate, none, stopped or fault";
        let text = opened(letter)?;
        if let Some(why) = text.strip_prefix("fault ") {
            return Ok(Self::Fault(why.to_owned()));
        }
        let mut words = LetterWords(text.split_whitespace());
        let kind = words.next(WORDS)?;
        if kind == "ready" {
            words.version()?;
            let problem = words.number("a number of a problem")?;
            return words.end().map(|()| Self::Ready { problem });
        }
        if kind == "facts" {
            return Ok(Self::Facts { problem: words.number("a number of a problem")?, facts: words.facts()? });
        }
        if !["tree", "open", "mate", "none", "stopped"].contains(&kind) {
            return Err(unexpected(WORDS, kind));
        }
        let (task, nodes) = (words.number("a task")?, words.number("a number of nodes")?);
        let found = match kind {
            "tree" => {
                let (value, branch) = (words.open("a value")?, words.next("a branch")?.to_owned());
                CellResult::Tree { value, branch, cut: words.cut()? }
            }
            "open" => CellResult::Open { pn: words.open("a proof number")?, dn: words.open("a disproof number")? },
            "mate" => CellResult::Mate(words.moves()?),
            "none" => CellResult::None { cut: words.cut()? },
            _ => CellResult::Stopped,
        };
        words.end().map(|()| Self::Done { task, nodes, found })
    }
}
