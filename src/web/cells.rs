//! Cells of tables, and columns of text. Cells become rows of their own where there is no room for columns (`table.stack` of the style
//! sheet).

use crate::words::Words;
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

/// Lines whose columns are kept; what is too wide can be moved.
pub fn columns(lines: &[impl AsRef<str>]) -> Markup {
    let text = lines.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("\n");
    html! { pre class="result columns" tabindex="0" { (text) } }
}
