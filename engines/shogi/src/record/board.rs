//! Corrects those positions in rsshogi's KIF and CSA output that other programs would misread.

/// Beginnings of the KIF lines that list the pieces in hand.
const HANDS: [&str; 4] = ["先手の持駒：", "後手の持駒：", "下手の持駒：", "上手の持駒："];
const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// Writes the numbers of pieces in hand in kanji: `歩15` becomes `歩十五`. rsshogi writes only numbers up to ten in kanji.
pub(super) fn with_kanji_hands(text: &str) -> String {
    let written = |line: &str| {
        let is_hand = HANDS.iter().any(|head| line.starts_with(head));
        if is_hand { in_kanji(line) } else { line.to_owned() }
    };
    text.split_inclusive('\n').map(written).collect()
}

fn in_kanji(line: &str) -> String {
    let (mut text, mut number) = (String::with_capacity(line.len()), String::new());
    for c in line.chars().chain(['\0']) {
        if c.is_ascii_digit() {
            number.push(c);
            continue;
        }
        text.push_str(&kanji(&number));
        number.clear();
        text.push(c);
    }
    text.pop();
    text
}

/// Writes a number below 100 in kanji, and returns larger numbers unchanged.
fn kanji(digits: &str) -> String {
    let Ok(number @ 0..100) = digits.parse::<usize>() else { return digits.to_owned() };
    let ten = if number >= 10 { "十" } else { "" };
    let tens = if number >= 20 { DIGITS[number / 10] } else { "" };
    format!("{tens}{ten}{}", DIGITS[number % 10])
}

/// Writes the empty squares of a CSA board as ` * `. Programs that count columns misread rsshogi's `*  `.
pub(super) fn with_even_rows(text: &str) -> String {
    let is_row = |line: &str| matches!(line.as_bytes(), [b'P', b'1'..=b'9', ..]);
    let even = |line: &str| if is_row(line) { line.replace("*  ", " * ") } else { line.to_owned() };
    text.split_inclusive('\n').map(even).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_of_a_row_has_three_columns() {
        let text = "'P1*  *  \nP1*  *  *  *  -OU*  *  *  *  \nP2-FU*  +FU\nP+00FU\n";
        let right = "'P1*  *  \nP1 *  *  *  * -OU *  *  *  * \nP2-FU * +FU\nP+00FU\n";
        assert_eq!(with_even_rows(text), right);
    }

    #[test]
    fn only_hands_are_counted_in_kanji() {
        let text = "先手：歩15\n先手の持駒：飛　金二　歩15\n後手の持駒：歩18　香11\n   1 ２六歩(27) (0:15/00:00:15)\n";
        let right =
            "先手：歩15\n先手の持駒：飛　金二　歩十五\n後手の持駒：歩十八　香十一\n   1 ２六歩(27) (0:15/00:00:15)\n";
        assert_eq!(with_kanji_hands(text), right);
        assert_eq!(["9", "10", "20", "34", "99"].map(kanji), ["九", "十", "二十", "三十四", "九十九"]);
    }
}
