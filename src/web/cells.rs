//! Cells of tables, and columns of text. Cells become rows of their own where there is no room for columns (`table.stack` of the style
//! sheet).

use hasami_matches::names;
use hasami_words::Words;
use maud::{Markup, Render, html};

/// Headings of columns; those of `numbers` stand over their numbers.
pub fn heads(names: &[&str], numbers: &[&str], words: &Words) -> Markup {
    let class = |name: &&str| numbers.contains(name).then_some("number");
    html! { @for name in names { th scope="col" class=[class(name)] { (words.get(name)) } } }
}

/// Text under the heading of this name.
pub fn text(name: &str, content: impl Render, words: &Words) -> Markup {
    html! { td data-name=(words.get(name)) { span { (content) } } }
}

/// A number, or a few of them.
pub fn number(name: &str, content: impl Render, words: &Words) -> Markup {
    html! { td class="number" data-name=(words.get(name)) { span { (content) } } }
}

/// An engine's name on one line: a long one without its middle, and whole where the mouse rests.
pub fn name(name: &str) -> Markup {
    let shown = names::fitting(name);
    html! {
        @if shown == name { span class="name" { (name) } } @else { abbr class="name" title=(name) { (shown) } }
    }
}

/// Two opponents, on a line each where one has no room for both.
pub fn players([first, second]: [&str; 2]) -> Markup {
    html! { (name(first)) " - " (name(second)) }
}

/// Moves one after the other, none of which is broken in two.
pub fn moves(written: &[String]) -> Markup {
    html! { @for mv in written { span class="move" { (mv) } " " } }
}

/// Lines whose columns are kept; what is too wide can be moved.
pub fn columns(lines: &[impl AsRef<str>]) -> Markup {
    let text = lines.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("\n");
    html! { pre class="result columns" tabindex="0" { (text) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_in_its_middle_and_can_be_read_whole() {
        let long = "an engine with a name <that is long> of version 20261126";
        let shown = players([long, "short"]).into_string();
        assert!(shown.contains("<span class=\"name\">short</span>"), "{shown}");
        let title = "<abbr class=\"name\" title=\"an engine with a name &lt;that is long&gt; of version 20261126\">";
        let (_, cut) = shown.split_once(title).unwrap_or_else(|| panic!("{shown}"));
        let (cut, _) = cut.split_once('<').unwrap_or_default();
        assert!(cut.chars().count() <= 30 && cut.starts_with("an engine") && cut.ends_with("1126"), "{cut}");
    }
}
