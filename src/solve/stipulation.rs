//! Detects problems that ask for something other than a mate against every defence, such as help mates and self-mates.
//!
//! Help mates and similar problems are rejected, because an ordinary search would give meaningless answers for them.
//! Terms in titles and headers reveal such problems.

/// A problem is rejected if its title contains one of these terms, even within a longer term such as 協力自玉詰.
const TERMS: [&str; 13] = [
    "協力詰",
    "ばか詰",
    "バカ詰",
    "馬鹿詰",
    "自玉詰",
    "自殺詰",
    "最悪詰",
    "協力千日手",
    "ばか千日手",
    "helpmate",
    "help mate",
    "selfmate",
    "self-mate",
];

/// Characters that begin a comment line; stipulation terms in comments are ignored.
const COMMENTS: [char; 4] = ['*', '\'', '#', '&'];

/// Returns why `solve` cannot solve a problem called `title`; `None` if it may be an ordinary problem.
pub fn refusal(title: &str) -> Option<String> {
    let plain = title.to_lowercase();
    let term = TERMS.into_iter().find(|term| plain.contains(term))?;
    Some(format!("only mates against every defence are solved, not a problem of another kind ({term})"))
}

/// Applies [`refusal`] to the headers of a record, and also returns the line number, counted from 1.
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
            refusal(title)
                .map(|why| why.rsplit_once("of another kind ").map_or(why.clone(), |(_, found)| found.to_owned()))
        };
        assert_eq!(found("協力自玉詰 7手").as_deref(), Some("(自玉詰)"));
        assert_eq!(found("協力詰め 5手").as_deref(), Some("(協力詰)"));
        assert_eq!(found("My Helpmate 3").as_deref(), Some("(helpmate)"));
        assert_eq!([found("協力者の詰将棋"), found("詰将棋 1")], [None, None]);
        let kif = "# 協力詰\n棋戦：ばか詰 9手\n手数----指手---------消費時間--\n*協力詰\n";
        assert_eq!(refusal_of_record(kif).map(|(line, _)| line), Some(2));
        assert_eq!(refusal_of_record("手合割：平手\n*協力詰ではない\n"), None);
    }
}
