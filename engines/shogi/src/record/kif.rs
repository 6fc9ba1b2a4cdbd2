//! Reads the start positions and main lines of KIF and KI2 files (Kifu for Windows), and diagrams (BOD).
//!
//! KIF files have no separator between games. After the moves of a game, a header, a diagram or a move number 1 begins
//! the next game. All moves between `変化：` and the next game belong to variations.

use super::men::Men;
use super::reading::Reading;
use crate::typed::KINDS;
use hasami_api::{ReadGame, RecordError};

/// The symbols that KIF puts before a move to show who played it.
const MARKS: &str = "▲△☗☖▼▽";

/// The words that stand in place of a move and end a game.
const ENDS: [&str; 20] = [
    "投了",
    "中断",
    "千日手",
    "持将棋",
    "詰み",
    "詰",
    "不詰",
    "切れ負け",
    "時間切れ",
    "反則勝ち",
    "反則負け",
    "入玉勝ち",
    "勝ち宣言",
    "不戦勝",
    "不戦敗",
    "封じ手",
    "最大手数",
    "引き分け",
    "裁定引分",
    "トライ",
];

/// Reads the games of a file.
pub(super) fn read(text: &str) -> Result<Vec<ReadGame>, RecordError> {
    let mut file = KifFile::default();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        file.line(line.trim(), number)?;
    }
    file.end_game()?;
    Ok(file.games)
}

/// The part of a game's record to which a line belongs.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum RecordSection {
    #[default]
    Header,
    Moves,
    /// The line comes after the end of the main line.
    Ended,
    /// The line comes after `変化：`. `has_moves` is true from the first move of the variation on.
    Variation {
        has_moves: bool,
    },
}

#[derive(Default)]
struct KifFile {
    games: Vec<ReadGame>,
    pending: PendingGame,
}

/// The data read so far about the current game.
#[derive(Default)]
struct PendingGame {
    part: RecordSection,
    /// Whether a line was read that can only belong to a game.
    is_game: bool,
    /// The start position that `手合割` names.
    handicap: Option<Men>,
    /// Line number and text of a `手合割` line that names an unknown handicap.
    unknown: Option<(usize, String)>,
    /// The start position that a diagram shows.
    diagram: Men,
    /// Number of ranks of the diagram read so far.
    ranks: usize,
    hands: [bool; 2],
    reading: Option<Reading>,
}

impl KifFile {
    fn line(&mut self, line: &str, number: usize) -> Result<(), RecordError> {
        // Comments, bookmarks and lines that programs add are skipped.
        if line.is_empty() || line.starts_with(['*', '#', '&']) || line == "盤面回転" || line == "盤面反転" {
            return Ok(());
        }
        if line.starts_with("変化") {
            self.open()?;
            self.pending.part = RecordSection::Variation { has_moves: false };
        } else if line.starts_with("まで") {
            self.end_main_line()?;
        } else if line.starts_with("手数") {
            // `手数` begins either a number of moves below a diagram, or the head of the table of moves.
            if line.starts_with("手数-") || line.starts_with("手数－") {
                self.header()?.is_game = true;
            }
        } else if line.starts_with('|') {
            return self.rank(line, number);
        } else if !is_around_diagram(line) {
            return match (numbered(line), side_of_turn(line)) {
                (Some((place, text)), _) => self.entry(place, text, number),
                (_, Some(side)) => {
                    self.header()?.diagram.white_first = Some(side == 1);
                    Ok(())
                }
                _ if is_moves_of_ki2(line) => self.moves_of_ki2(line, number),
                _ => self.field(line, number),
            };
        }
        Ok(())
    }

    /// Returns the game to which a header line belongs. After a complete header, another header line belongs to a new
    /// game.
    fn header(&mut self) -> Result<&mut PendingGame, RecordError> {
        if self.pending.part != RecordSection::Header {
            self.end_game()?;
        }
        Ok(&mut self.pending)
    }

    fn end_game(&mut self) -> Result<(), RecordError> {
        if self.pending.is_game {
            self.open()?;
        }
        let pending = std::mem::take(&mut self.pending);
        self.games.extend(pending.reading.map(|reading| reading.finish(self.games.len() + 1)));
        Ok(())
    }

    /// Completes the header of the current game, and starts reading its moves.
    fn open(&mut self) -> Result<&mut Reading, RecordError> {
        let pending = &mut self.pending;
        let reading = match pending.reading.take() {
            Some(reading) => reading,
            None => Reading::from(&pending.men()?),
        };
        pending.is_game = true;
        if pending.part == RecordSection::Header {
            pending.part = RecordSection::Moves;
        }
        Ok(pending.reading.insert(reading))
    }

    fn end_main_line(&mut self) -> Result<(), RecordError> {
        self.open()?;
        if self.pending.part == RecordSection::Moves {
            self.pending.part = RecordSection::Ended;
        }
        Ok(())
    }

    /// Reads a numbered line: a move, or a word that ends the game.
    fn entry(&mut self, place: u32, text: &str, number: usize) -> Result<(), RecordError> {
        match self.pending.part {
            // After the moves of a game, a move with number 1 begins another game, whose header is missing.
            RecordSection::Ended | RecordSection::Variation { has_moves: true } if place == 1 => self.end_game()?,
            RecordSection::Variation { .. } => {
                self.pending.part = RecordSection::Variation { has_moves: true };
                return Ok(());
            }
            _ => {}
        }
        let (text, behind) = without_time(text);
        if behind.chars().any(|c| !(c.is_ascii_digit() || c.is_whitespace() || "():/.+-（）：／秒分時間".contains(c)))
        {
            return Err(RecordError::line(behind).at_line(number));
        }
        self.play(text, number)
    }

    fn moves_of_ki2(&mut self, line: &str, number: usize) -> Result<(), RecordError> {
        if let RecordSection::Variation { .. } = self.pending.part {
            return Ok(());
        }
        for (at, _) in line.char_indices().filter(|&(_, c)| MARKS.contains(c)) {
            let end = line[at..].char_indices().skip(1).find(|&(_, c)| MARKS.contains(c));
            let text = end.map_or(&line[at..], |(length, _)| &line[at..at + length]);
            self.play(text.trim(), number)?;
        }
        Ok(())
    }

    fn play(&mut self, text: &str, number: usize) -> Result<(), RecordError> {
        let word = text.trim_start_matches(|c: char| MARKS.contains(c)).trim();
        if ENDS.contains(&word) {
            return self.end_main_line();
        }
        self.open()?.play(text, number);
        Ok(())
    }

    /// Reads a rank of a diagram.
    fn rank(&mut self, line: &str, number: usize) -> Result<(), RecordError> {
        if self.pending.ranks == 9 {
            self.end_game()?;
        }
        let pending = self.header()?;
        let men = rank(line).ok_or_else(|| RecordError::line(line).at_line(number))?;
        pending.diagram.set_rank(pending.ranks, men);
        pending.ranks += 1;
        pending.is_game = true;
        Ok(())
    }

    /// Reads a header line `KEY：VALUE`.
    fn field(&mut self, line: &str, number: usize) -> Result<(), RecordError> {
        let bad = || RecordError::line(line).at_line(number);
        let (key, value) = line.split_once(['：', ':']).ok_or_else(bad)?;
        let (key, value) = (key.trim(), value.trim());
        if key == "手合割" {
            let pending = self.header()?;
            pending.is_game = true;
            let name = value.split_whitespace().next().unwrap_or("平手");
            pending.handicap = Men::of_handicap(name);
            pending.unknown = pending.handicap.is_none().then(|| (number, line.to_owned()));
        } else if HANDS.iter().any(|name| key.contains(name)) {
            let side = side_of(key).ok_or_else(bad)?;
            if self.pending.hands[side] {
                self.end_game()?;
            }
            let pending = self.header()?;
            pending.hands[side] = true;
            hand(value, side, &mut pending.diagram).ok_or_else(bad)?;
        } else if key == "手番" {
            self.header()?.diagram.white_first = Some(side_of(value).ok_or_else(bad)? == 1);
        } else {
            self.header()?;
        }
        Ok(())
    }
}

impl PendingGame {
    /// Returns the start position: from the diagram if the file has one, or else from the handicap.
    fn men(&self) -> Result<Men, RecordError> {
        if self.ranks > 0 {
            let white_first = self.diagram.white_first.or(self.handicap.as_ref().and_then(|men| men.white_first));
            return match self.ranks {
                9 => Ok(self.diagram.clone().with_turn(white_first)),
                ranks => Err(RecordError::Other(format!("expected a diagram of 9 ranks, found {ranks}"))),
            };
        }
        if let Some((number, line)) = &self.unknown {
            return Err(RecordError::line(line).at_line(*number));
        }
        if self.diagram.has_hands() {
            return Err(RecordError::Other("expected a diagram with the men in hand, found none".to_owned()));
        }
        let men = self.handicap.clone().unwrap_or_default();
        let white_first = self.diagram.white_first.or(men.white_first);
        Ok(men.with_turn(white_first))
    }
}

/// Returns whether the line lists the files above a diagram or is part of the frame of a diagram.
fn is_around_diagram(line: &str) -> bool {
    let files: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    line.starts_with("+-") || ["９８７６５４３２１", "987654321"].contains(&files.as_str())
}

/// Returns the nine squares of a line such as `|v香v桂 ・...|一`, beginning with file 9.
fn rank(line: &str) -> Option<Vec<Option<String>>> {
    let inside = line.strip_prefix('|')?.split('|').next()?;
    let (mut men, mut is_white) = (Vec::with_capacity(9), false);
    for c in inside.chars() {
        match c {
            'v' | 'V' | 'ｖ' | '▽' | '△' => is_white = true,
            '・' | '･' | '.' | '．' | '·' => men.push(None),
            '^' | '▲' | '▼' | ' ' | '　' => {}
            c => {
                let (_, kind) = KINDS.iter().find(|(name, _)| name.chars().eq([c]))?;
                men.push(Some(if is_white { kind.to_string().to_ascii_lowercase() } else { kind.to_string() }));
                is_white = false;
            }
        }
    }
    (men.len() == 9).then_some(men)
}

const HANDS: [&str; 3] = ["持駒", "持ち駒", "持ちごま"];

/// Names of the pieces in hand, in the order of [`super::men::KINDS`]. The second character of a name may be omitted.
const HAND_PIECES: [(char, char); 7] =
    [('飛', '車'), ('角', '行'), ('金', '将'), ('銀', '将'), ('桂', '馬'), ('香', '車'), ('歩', '兵')];

/// The side that a text names first: 0 for Black, 1 for White.
fn side_of(text: &str) -> Option<usize> {
    const NAMES: [[&str; 6]; 2] =
        [["先手", "下手", "攻方", "攻め方", "詰方", "詰め方"], ["後手", "上手", "玉方", "受方", "受け方", "守備方"]];
    let starts = |names: &[&str; 6]| names.iter().any(|name| text.starts_with(name));
    NAMES.iter().position(starts)
}

fn side_of_turn(line: &str) -> Option<usize> {
    side_of(line).filter(|_| line.chars().skip(2).collect::<String>() == "番")
}

/// Reads the pieces in a hand, such as `飛　金二　歩十八`, `金３`, `なし` or `残り全部`. Returns `None` if the text does not describe a
/// hand.
fn hand(text: &str, side: usize, men: &mut Men) -> Option<()> {
    let text: String = text.chars().filter(|c| !(c.is_whitespace() || "、,，".contains(*c))).collect();
    if ["", "なし", "無し", "ナシ", "無", "-"].contains(&text.as_str()) {
        return Some(());
    }
    if text.starts_with('残') && text.chars().all(|c| "残りの持こま駒全部すべてて".contains(c)) {
        men.give_the_rest(side);
        return Some(());
    }
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let kind = HAND_PIECES.iter().position(|(piece, _)| *piece == c)?;
        rest = &rest[c.len_utf8()..];
        rest = rest.strip_prefix(HAND_PIECES[kind].1).unwrap_or(rest);
        let end = rest.find(|c: char| digit(c).is_none()).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(end);
        men.add_to_hand(side, kind, if number.is_empty() { 1 } else { count(number)? });
        rest = behind.strip_prefix('枚').unwrap_or(behind);
    }
    Some(())
}

/// The value of a Western, full-width or kanji digit; 10 for `十`.
fn digit(c: char) -> Option<u32> {
    const KINDS: [&str; 3] = ["0123456789", "０１２３４５６７８９", "〇一二三四五六七八九"];
    if c == '十' {
        return Some(10);
    }
    KINDS.iter().find_map(|digits| digits.chars().position(|digit| digit == c)).map(|value| value as u32)
}

/// The value of a number such as `18`, `１８`, `十八` or `一八`.
fn count(text: &str) -> Option<u32> {
    let (mut sum, mut ones) = (0_u32, None::<u32>);
    for c in text.chars() {
        match digit(c)? {
            10 => (sum, ones) = (sum.checked_add(ones.unwrap_or(1).checked_mul(10)?)?, None),
            digit => ones = Some(ones.unwrap_or(0).checked_mul(10)?.checked_add(digit)?),
        }
    }
    sum.checked_add(ones.unwrap_or(0))
}

/// The number of a line such as `   1 ７六歩(77)`, and the text after it.
fn numbered(line: &str) -> Option<(u32, &str)> {
    let end = line.find(|c: char| digit(c).is_none_or(|value| value > 9) || "〇一二三四五六七八九".contains(c))?;
    let (number, rest) = line.split_at(end);
    let text = rest.trim_start_matches('.').trim_start();
    let is_parted = text.len() < rest.len();
    (is_parted && !text.is_empty()).then(|| Some((count(number)?, text))).flatten().filter(|_| !number.is_empty())
}

/// Splits the move from the clock after it, as in `７六歩(77)   ( 0:01/00:00:01)+`.
fn without_time(text: &str) -> (&str, &str) {
    let parted = text.find(['(', '（']).and_then(|open| {
        let close = open + text[open..].find([')', '）'])?;
        let bracket = text[close..].chars().next()?.len_utf8();
        let inside = text[open..close].chars().skip(1).filter(|c| !c.is_whitespace());
        let is_square = inside.clone().count() == 2 && inside.clone().all(|c| digit(c).is_some());
        Some(text.split_at(if is_square { close + bracket } else { open }))
    });
    let (text, behind) = parted.unwrap_or((text, ""));
    (text.trim_end_matches('+').trim(), behind)
}

/// Returns whether the line is in KI2 notation: one or more moves, each after its player's symbol.
fn is_moves_of_ki2(line: &str) -> bool {
    let mut chars = line.chars();
    let is_marked = chars.next().is_some_and(|c| MARKS.contains(c));
    let next = chars.find(|c| !c.is_whitespace());
    is_marked
        && !line.contains('：')
        && next.is_some_and(|c| digit(c).is_some() || c == '同' || ENDS.iter().any(|end| end.starts_with(c)))
}

#[cfg(test)]
mod tests;
