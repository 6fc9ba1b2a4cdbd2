//! Table cells and preformatted columns. On narrow screens, each cell becomes a separate row (`table.stack` in the
//! style sheet).

use hasami_matches::names;
use hasami_words::Words;
use maud::{Markup, Render, html};

/// Renders the heading row of a table. Headings that are also in `numbers` are aligned like numbers.
pub fn thead(names: &[&str], numbers: &[&str], words: &Words) -> Markup {
    html! { thead { tr { (heads(names, numbers, words)) } } }
}

/// Renders the cells of a heading row (see [`thead`]).
pub fn heads(names: &[&str], numbers: &[&str], words: &Words) -> Markup {
    let class = |name: &&str| numbers.contains(name).then_some("number");
    html! { @for name in names { th scope="col" class=[class(name)] { (words.get(name)) } } }
}

/// Renders a cell with text in the column `name`.
pub fn text(name: &str, content: impl Render, words: &Words) -> Markup {
    html! { td data-name=(words.get(name)) { span { (content) } } }
}

/// Renders a cell with one or more numbers in the column `name`.
pub fn number(name: &str, content: impl Render, words: &Words) -> Markup {
    html! { td class="number" data-name=(words.get(name)) { span { (content) } } }
}

/// Renders the name of an engine. A long name is shortened in the middle, and a tooltip shows it in full.
pub fn name(name: &str) -> Markup {
    let shown = names::fitting(name);
    html! {
        @if shown == name { span class="name" { (name) } } @else { abbr class="name" title=(name) { (shown) } }
    }
}

/// Renders the names of two opponents, which narrow screens show on two lines.
pub fn players([first, second]: [&str; 2]) -> Markup {
    html! { (name(first)) " - " (name(second)) }
}

/// Renders a sequence of moves that wraps only between moves.
pub fn moves(written: &[String]) -> Markup {
    html! { @for mv in written { span class="move" { (mv) } " " } }
}

/// Renders preformatted lines that can be scrolled horizontally.
pub fn columns(lines: &[impl AsRef<str>]) -> Markup {
    let text = lines.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("\n");
    html! { pre class="result columns" tabindex="0" { (text) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_shortened_and_have_a_tooltip() {
        let long = "an engine with a name <that is long> of version 20261126";
        let shown = players([long, "short"]).into_string();
        assert!(shown.contains("<span class=\"name\">short</span>"), "{shown}");
        let title = "<abbr class=\"name\" title=\"an engine with a name &lt;that is long&gt; of version 20261126\">";
        let (_, cut) = shown.split_once(title).unwrap_or_else(|| panic!("{shown}"));
        let (cut, _) = cut.split_once('<').unwrap_or_default();
        assert!(cut.chars().count() <= 30 && cut.starts_with("an engine") && cut.ends_with("1126"), "{cut}");
    }
}
