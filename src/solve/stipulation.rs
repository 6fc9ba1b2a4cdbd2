//! Detects problems that ask for something other than a mate against every defence, such as help mates and self-mates.
//!
//! Such problems are recognised by the terms in their titles and headers, because nothing else distinguishes them from
//! ordinary problems. If such problems were solved as ordinary ones, the answer would be meaningless.

/// Terms in titles, and their meanings. A longer term comes before the shorter ones that it contains.
const NAMES: [(&str, &str); 18] = [
    ("協力自玉詰", "a help self-mate"),
    ("協力自殺詰", "a help self-mate"),
    ("ばか自殺詰", "a help self-mate"),
    ("ばか自玉詰", "a help self-mate"),
    ("馬鹿自殺詰", "a help self-mate"),
    ("協力千日手", "a help repetition"),
    ("ばか千日手", "a help repetition"),
    ("協力詰", "a help mate"),
    ("ばか詰", "a help mate"),
    ("バカ詰", "a help mate"),
    ("馬鹿詰", "a help mate"),
    ("自玉詰", "a self-mate"),
    ("自殺詰", "a self-mate"),
    ("最悪詰", "a mate with the worst moves of both sides"),
    ("helpmate", "a help mate"),
    ("help mate", "a help mate"),
    ("selfmate", "a self-mate"),
    ("self-mate", "a self-mate"),
];

/// Characters that begin a comment, in which the terms have no meaning.
const COMMENTS: [char; 4] = ['*', '\'', '#', '&'];

/// Returns why a problem with this title cannot be solved by `solve`, or `None` if it may be an ordinary one.
pub fn refusal(title: &str) -> Option<String> {
    let plain = title.to_lowercase();
    let (name, meaning) = NAMES.into_iter().find(|(name, _)| plain.contains(name))?;
    Some(format!("expected a mate against every defence, found {meaning} ({name})"))
}

/// Like [`refusal`] for the headers of a record. Also returns the number of the line, counted from 1.
pub fn refusal_of_record(text: &str) -> Option<(usize, String)> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim_start().starts_with(COMMENTS));
    lines.map(|(line, number)| (number, line)).find_map(|(number, line)| Some((number, refusal(line)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_problems_are_recognised_in_titles_and_headers() {
        let found = |title: &str| {
            refusal(title).map(|why| why.rsplit_once("found ").map_or(why.clone(), |(_, found)| found.to_owned()))
        };
        assert_eq!(found("協力自玉詰 7手").as_deref(), Some("a help self-mate (協力自玉詰)"));
        assert_eq!(found("協力詰め 5手").as_deref(), Some("a help mate (協力詰)"));
        assert_eq!(found("My Helpmate 3").as_deref(), Some("a help mate (helpmate)"));
        assert_eq!([found("協力者の詰将棋"), found("詰将棋 1")], [None, None]);
        let kif = "# 協力詰\n棋戦：ばか詰 9手\n手数----指手---------消費時間--\n*協力詰\n";
        assert_eq!(refusal_of_record(kif).map(|(line, _)| line), Some(2));
        assert_eq!(refusal_of_record("手合割：平手\n*協力詰ではない\n"), None);
    }

    #[test]
    fn longer_names_come_before_their_parts() {
        for (index, (name, _)) in NAMES.iter().enumerate() {
            assert!(NAMES[..index].iter().all(|(before, _)| !name.contains(before)), "{name}");
        }
    }
}
