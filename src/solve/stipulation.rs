//! Problems that ask for something other than a mate against every defence: help mates, self-mates.
//!
//! They are recognised by the names that their titles and headers give them, because nothing else tells them from ordinary
//! problems: solved as such, they would get an answer to a question that nobody asked.

/// Names in titles, and what they mean; longer names come before those that are part of them.
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

/// Marks of comments, which may speak of anything.
const COMMENTS: [char; 4] = ['*', '\'', '#', '&'];

/// Why a problem with this title is none for `solve`; `None` if it may be one.
pub fn refusal(title: &str) -> Option<String> {
    let plain = title.to_lowercase();
    let (name, meaning) = NAMES.into_iter().find(|(name, _)| plain.contains(name))?;
    Some(format!("expected a mate against every defence, found {meaning} ({name})"))
}

/// The same of the headers of a record, with the number of the line, from 1.
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
