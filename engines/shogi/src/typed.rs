//! Reads moves as people type them: Japanese notation as in books (`☗５八金右`) and in files (`５八金(49)`), also with
//! ordinary digits; CSA notation (`4958KI`); and the notation of Western players (`G4i-5h`).

use crate::{Shogi, forbidden};
use hasami_api::{Game, Moves, Prohibition, Render};
use rsshogi::types::{Color, Move, Move32, PieceType, Square};

/// The properties of a move that a typed text specifies. `None` stands for a property that the text leaves open.
#[derive(Default)]
struct MovePattern {
    to: Option<Square>,
    kind: Option<PieceType>,
    from: Option<Square>,
    is_drop: bool,
    promotes: Option<bool>,
    /// Characters that state the direction of the move: 右, 左, 上, 引, 寄, 直.
    ways: Vec<char>,
}

/// Returns the legal moves that the text may mean, or `None` if the text is not a move at all.
pub fn moves(game: &Shogi, text: &str) -> Option<Vec<Move32>> {
    let mut legal = Moves::new();
    game.legal_moves(&mut legal);
    if let Some(csa) = csa(text) {
        return Some(legal.iter().copied().filter(|m| m.to_csa().is_some_and(|own| own.ends_with(csa))).collect());
    }
    let pattern = japanese(game, text).or_else(|| western(text))?;
    let going: Vec<Move32> = legal.iter().copied().filter(|&m| pattern.fits(game, m)).collect();
    let found: Vec<Move32> = going.iter().copied().filter(|&m| pattern.fits_directions(game, m, &going)).collect();
    // If a piece on the board could move to the same square, a drop must be marked as a drop (打).
    let walks: Vec<Move32> = found.iter().copied().filter(|m| !m.is_drop()).collect();
    let found = if pattern.is_drop || walks.is_empty() { found } else { walks };
    // If the text is exactly the printed form of one of the moves in `found`, it means that move.
    let exact = |m: &&Move32| found.len() > 1 && bare(&game.notation(**m)) == bare(text);
    Some(found.iter().find(exact).map_or(found.clone(), |m| vec![*m]))
}

/// If the text describes an illegal move, returns the rule that forbids this move.
pub fn forbidden(game: &Shogi, text: &str) -> Option<Prohibition> {
    let pattern = match csa(text) {
        Some(csa) => csa_pattern(csa)?,
        None => japanese(game, text).or_else(|| western(text))?,
    };
    let candidates = forbidden::candidates(game.position(), pattern.kind?, pattern.to?);
    let is_meant = |m: &Move| match m.is_drop() {
        true => pattern.from.is_none() && pattern.promotes != Some(true) && pattern.ways.is_empty(),
        false => {
            let is_origin = pattern.from.is_none_or(|from| from == m.from_sq());
            !pattern.is_drop && is_origin && pattern.promotes.unwrap_or(false) == m.is_promotion()
        }
    };
    candidates.into_iter().filter(is_meant).find_map(|m| forbidden::rule(game.position(), m))
}

/// Reads a move in CSA notation that names the piece as it was before the move.
fn csa_pattern(text: &str) -> Option<MovePattern> {
    let mut digits = text.chars().take(4);
    let (file, rank) = (digits.next()?, digits.next()?);
    let is_drop = (file, rank) == ('0', '0');
    let from = if is_drop { None } else { Some(square(file, rank)?) };
    let to = square(digits.next()?, digits.next()?)?;
    let (_, kind) = CSA_KINDS.iter().find(|(name, _)| text.ends_with(name))?;
    Some(MovePattern { to: Some(to), kind: Some(*kind), from, is_drop, ..MovePattern::default() })
}

/// The names of pieces in CSA.
pub const CSA_KINDS: [(&str, PieceType); 14] = [
    ("FU", PieceType::PAWN),
    ("KY", PieceType::LANCE),
    ("KE", PieceType::KNIGHT),
    ("GI", PieceType::SILVER),
    ("KI", PieceType::GOLD),
    ("KA", PieceType::BISHOP),
    ("HI", PieceType::ROOK),
    ("OU", PieceType::KING),
    ("TO", PieceType::PRO_PAWN),
    ("NY", PieceType::PRO_LANCE),
    ("NK", PieceType::PRO_KNIGHT),
    ("NG", PieceType::PRO_SILVER),
    ("UM", PieceType::HORSE),
    ("RY", PieceType::DRAGON),
];

/// Removes white space and the symbols that show who played a move (`▲`, `△`).
fn bare(text: &str) -> String {
    text.chars().filter(|c| !"▲△☗☖▼▽".contains(*c) && !c.is_whitespace()).collect()
}

impl MovePattern {
    /// Returns whether a move fits all properties of the pattern except the directions.
    fn fits(&self, game: &Shogi, m: Move32) -> bool {
        if self.to != Some(m.to_sq()) || self.kind != Some(kind(game, m)) {
            return false;
        }
        if m.is_drop() {
            return self.from.is_none() && self.promotes != Some(true) && self.ways.is_empty();
        }
        let is_origin = self.from.is_none_or(|from| from == m.from_sq());
        !self.is_drop && is_origin && self.promotes.is_none_or(|promotes| promotes == m.is_promotion())
    }

    /// Returns whether a move fits the directions of the pattern, which distinguish the moves in `going`. All moves in
    /// `going` fit the pattern's other properties.
    fn fits_directions(&self, game: &Shogi, m: Move32, going: &[Move32]) -> bool {
        let is_black = game.position().turn() == Color::BLACK;
        let seen = |at: i8| if is_black { at } else { -at };
        let file = |square: Square| seen(square.file().raw());
        let forward = |m: Move32| seen(m.from_sq().rank().raw() - m.to_sq().rank().raw());
        let files = || going.iter().filter(|other| !other.is_drop()).map(|other| file(other.from_sq()));
        // Of two sliders, 右 and 左 mean the right and the left one, even if that slider moves straight ahead.
        let goes_far = matches!(
            kind(game, m),
            PieceType::BISHOP | PieceType::ROOK | PieceType::HORSE | PieceType::DRAGON | PieceType::LANCE
        );
        self.ways.iter().all(|way| match way {
            '右' if goes_far => files().min() == Some(file(m.from_sq())),
            '左' if goes_far => files().max() == Some(file(m.from_sq())),
            '右' => file(m.from_sq()) < file(m.to_sq()),
            '左' => file(m.from_sq()) > file(m.to_sq()),
            '上' => forward(m) > 0,
            '引' => forward(m) < 0,
            '寄' => forward(m) == 0,
            _ => forward(m) > 0 && file(m.from_sq()) == file(m.to_sq()),
        })
    }
}

/// Returns the kind that the moved piece had before the move.
fn kind(game: &Shogi, m: Move32) -> PieceType {
    m.dropped_piece().unwrap_or_else(|| game.position().piece_on(m.from_sq()).piece_type())
}

/// If the text is a move in CSA notation, such as `+4958KI`, returns the move without its sign.
fn csa(text: &str) -> Option<&str> {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_csa = text.len() == 6 && text.bytes().take(4).all(|b| b.is_ascii_digit());
    (is_csa && text.bytes().skip(4).all(|b| b.is_ascii_uppercase())).then_some(text)
}

fn japanese(game: &Shogi, text: &str) -> Option<MovePattern> {
    let text = bare(text);
    let mut pattern = MovePattern::default();
    let rest = match text.strip_prefix('同') {
        Some(rest) => {
            let last = game.position().last_move();
            pattern.to = last.is_normal().then(|| last.to_sq());
            rest
        }
        None => {
            let mut chars = text.chars();
            pattern.to = Some(square(chars.next()?, chars.next()?)?);
            chars.as_str()
        }
    };
    let (kind, mut rest) = KINDS.iter().find_map(|(name, kind)| Some((*kind, rest.strip_prefix(name)?)))?;
    pattern.kind = Some(kind);
    while let Some(way) = rest.chars().next().filter(|way| "右左上行引寄直打".contains(*way)) {
        match way {
            '打' => pattern.is_drop = true,
            '行' => pattern.ways.push('上'),
            way => pattern.ways.push(way),
        }
        rest = &rest[way.len_utf8()..];
    }
    for (word, promotes) in [("不成", false), ("生", false), ("成", true)] {
        if let Some(after) = rest.strip_prefix(word) {
            (rest, pattern.promotes) = (after, Some(promotes));
            break;
        }
    }
    if let Some(inside) = rest.strip_prefix(['(', '（']) {
        let inside = inside.strip_suffix([')', '）'])?;
        let mut chars = inside.chars();
        let (file, rank) = (chars.next()?, chars.next()?);
        // Some programs write the origin of a drop as `(00)`.
        match ['0', '０'].contains(&file) && file == rank {
            true => pattern.is_drop = true,
            false => pattern.from = Some(square(file, rank)?),
        }
        // In files, which write the origin of a move, a move without a promotion mark does not promote.
        pattern.promotes = Some(pattern.promotes == Some(true));
        rest = chars.as_str();
    }
    rest.is_empty().then_some(pattern)
}

/// Japanese names of pieces. A longer name comes before any shorter name that is a prefix of it, and the name used in
/// diagrams comes before other names of one character.
pub const KINDS: [(&str, PieceType); 22] = [
    ("成香", PieceType::PRO_LANCE),
    ("成桂", PieceType::PRO_KNIGHT),
    ("成銀", PieceType::PRO_SILVER),
    ("歩", PieceType::PAWN),
    ("香", PieceType::LANCE),
    ("桂", PieceType::KNIGHT),
    ("銀", PieceType::SILVER),
    ("金", PieceType::GOLD),
    ("角", PieceType::BISHOP),
    ("飛", PieceType::ROOK),
    ("玉", PieceType::KING),
    ("王", PieceType::KING),
    ("と", PieceType::PRO_PAWN),
    ("杏", PieceType::PRO_LANCE),
    ("圭", PieceType::PRO_KNIGHT),
    ("全", PieceType::PRO_SILVER),
    ("馬", PieceType::HORSE),
    ("龍", PieceType::DRAGON),
    ("竜", PieceType::DRAGON),
    ("Ｔ", PieceType::PRO_PAWN),
    ("仝", PieceType::PRO_LANCE),
    ("今", PieceType::PRO_KNIGHT),
];

/// Reads a piece, its square (optional), `-`, `x` or `*`, the destination, and an optional promotion sign.
fn western(text: &str) -> Option<MovePattern> {
    let (is_promoted, rest) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
    let (letter, rest) = rest.split_at_checked(1)?;
    let kind: PieceType = letter.parse().ok()?;
    let mut pattern =
        MovePattern { kind: Some(if is_promoted { kind.promote() } else { kind }), ..MovePattern::default() };
    let end = rest.strip_suffix(['+', '=']);
    pattern.promotes = end.map(|_| rest.ends_with('+'));
    let (mut squares, mut chars) = (Vec::new(), end.unwrap_or(rest).chars());
    while let Some(c) = chars.next() {
        match c {
            '-' | 'x' | 'X' | '×' => {}
            '*' | '\'' | '’' => pattern.is_drop = true,
            file => squares.push(square(file, chars.next()?)?),
        }
    }
    match squares[..] {
        [to] => pattern.to = Some(to),
        [from, to] => (pattern.from, pattern.to) = (Some(from), Some(to)),
        _ => return None,
    }
    Some(pattern)
}

/// Reads a square from Western, full-width or kanji digits. As in USI, the rank may also be a letter.
fn square(file: char, rank: char) -> Option<Square> {
    let rank = if rank.is_ascii_lowercase() { rank } else { char::from(b'a' - 1 + digit(rank)?) };
    Square::from_usi(&format!("{}{rank}", digit(file)?))
}

fn digit(c: char) -> Option<u8> {
    let kinds = ["123456789", "１２３４５６７８９", "一二三四五六七八九"];
    kinds.iter().find_map(|digits| digits.chars().zip(1..).find(|(digit, _)| *digit == c)).map(|(_, value)| value)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::walk::STARTS;
    use hasami_api::Start;

    fn game(text: &str) -> Shogi {
        Shogi::new(&Start { text: (!text.is_empty()).then(|| text.into()), ..Start::default() }).unwrap()
    }

    fn read(game: &Shogi, text: &str) -> Option<String> {
        let found = moves(game, text)?;
        Some(found.iter().map(|&m| game.format_move(m).to_string()).collect::<Vec<_>>().join(" "))
    }

    fn game_with_pawn() -> Shogi {
        game("4k4/9/9/9/9/9/9/9/4K4 b P 1")
    }

    #[test]
    fn moves_are_read_in_every_notation() {
        let mut game = game("");
        for text in
            ["▲７六歩", "☗7六歩", "76歩", "７六歩(77)", "７六歩（７７）", "+7776FU", "7776FU", "P-7f", "P76", "p7g-7f"]
        {
            assert_eq!(read(&game, text).as_deref(), Some("7g7f"), "{text}");
        }
        for text in ["７六歩打", "７六歩(76)", "７六金", "７六歩成", "P*7f"] {
            assert_eq!(read(&game, text).as_deref(), Some(""), "{text}");
        }
        let pawns = game_with_pawn();
        assert_eq!(read(&pawns, "５五歩打(00)").as_deref(), Some("P*5e"));
        assert_eq!(read(&pawns, "５五歩(00)").as_deref(), Some("P*5e"));
        for text in ["", "７", "７六", "歩", "７六歩右右x", "７六歩(7", "X-7f", "e2e4", "P-7", "go", "７０歩"]
        {
            assert_eq!(read(&game, text), None, "{text}");
        }
        for text in ["7g7f", "3c3d"] {
            game.make(game.parse_move(text).unwrap());
        }
        for text in ["▲２二角成", "２二角成(88)", "22角成", "Bx2b+", "B8h22+", "8822UM"] {
            assert_eq!(read(&game, text).as_deref(), Some("8h2b+"), "{text}");
        }
        for text in ["２二角不成", "２二角生", "２二角(88)", "Bx2b=", "8822KA"] {
            assert_eq!(read(&game, text).as_deref(), Some("8h2b"), "{text}");
        }
        assert_eq!(read(&game, "22角").unwrap().split(' ').count(), 2, "it may promote or not");
        game.make(game.parse_move("8h2b+").unwrap());
        for text in ["同銀", "△同　銀", "同銀(31)", "同 銀上", "Sx2b"] {
            assert_eq!(read(&game, text).as_deref(), Some("3a2b"), "{text}");
        }
    }

    #[test]
    fn directions_distinguish_pieces() {
        let golds = game("4k4/9/9/9/9/4GG3/3G5/3GGG3/4K4 b G 1");
        for (text, from) in [("５七金打", "G*"), ("５七金引", "5f"), ("５七金寄", "6g"), ("５七金直", "5h")]
        {
            assert!(read(&golds, text).unwrap().starts_with(from), "{text}: {:?}", read(&golds, text));
        }
        assert_eq!(read(&golds, "５七金右").as_deref(), Some("4h5g"));
        assert_eq!(read(&golds, "５七金左上").as_deref(), Some("6h5g"));
        assert_eq!(read(&golds, "４七金").as_deref().map(|found| found.split(' ').count()), Some(3));
        let dragons = game("4k4/9/9/9/9/9/9/+R7+R/4K4 b - 1");
        assert_eq!(read(&dragons, "５八龍右").as_deref(), Some("1h5h"));
        assert_eq!(read(&dragons, "58竜左").as_deref(), Some("9h5h"));
        let white = game("4k4/3g1g3/9/9/9/9/9/9/4K4 w - 1");
        assert_eq!(read(&white, "５二金右").as_deref(), Some("6b5b"), "as White sees it");
        let beside = game("4k4/9/9/9/9/9/4GpG2/3K2G2/9 b - 1");
        assert_eq!(read(&beside, "４七金右").as_deref(), Some("3g4g"), "as it is printed: {:?}", beside.to_text());
        let minor = game("4k4/9/9/9/9/9/2+N6/9/4K4 b - 1");
        for text in ["76成桂", "７六圭(77)", "+N-7f"] {
            assert_eq!(read(&minor, text).as_deref(), Some("7g7f"), "{text}");
        }
    }

    #[test]
    fn printed_moves_can_be_read() {
        let mut count = 0;
        for (number, text) in STARTS.iter().enumerate() {
            let game = crate::walk::game(text);
            let mut legal = Moves::new();
            game.legal_moves(&mut legal);
            for &m in legal.iter() {
                // Japanese notation cannot tell apart more pieces of a kind than a set has.
                let mut written = if number < 8 { vec![game.notation(m)] } else { Vec::new() };
                written.extend(m.to_csa());
                written.push(game.western(m));
                for text in written {
                    assert_eq!(moves(&game, &text), Some(vec![m]), "{text} in {}", game.to_text());
                    count += 1;
                }
            }
        }
        assert!(count > 500, "{count}");
    }
}
