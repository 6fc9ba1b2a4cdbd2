//! Renders a complete HTML page that contains the parts of a view.

use super::view::{PagePart, Query, View};
use hasami_words::{Language, Words};
use maud::{DOCTYPE, Markup, html};

/// Renders the complete page, which also works in a browser without JavaScript.
pub fn whole(view: Option<&dyn View>, query: &Query, words: &Words) -> Markup {
    let title = view.map_or_else(|| words.get("waiting"), |view| view.title(words));
    let detail = view.and_then(|view| view.detail(query, words));
    let parts = view.map(|view| view.parts(words)).unwrap_or_default();
    let kind = view.map_or("", View::kind);
    let (right, left): (Vec<PagePart>, Vec<PagePart>) =
        parts.into_iter().partition(|part| beside(kind).contains(&part.id));
    html! {
        (DOCTYPE)
        html lang=(words.language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " - Hasami" }
                link rel="stylesheet" href="page.css";
                link rel="icon" href="icon.svg" type="image/svg+xml";
                script src="page.js" defer {}
            }
            body class=(view.map_or("waiting", View::kind)) {
                header {
                    h1 id="title" { (title) }
                    nav aria-label=(words.get("language")) {
                        @for language in Language::ALL {
                            a hreflang=(language.code()) lang=(language.code()) href={ "?lang=" (language.code()) }
                                aria-current=[(language == words.language).then_some("true")] { (language.name()) }
                        }
                    }
                    p id="said" class="unseen" role="status" {}
                    p id="connection" role="status" data-lost=(words.get("lost")) {}
                }
                main {
                    div class="column" { @for part in &left { (section(part, words)) } }
                    div class="column" {
                        @for part in &right { (section(part, words)) }
                        section class="detail" aria-label=(words.get("chosen")) {
                            div id="detail" data-first=[view.and_then(View::first)] { @match detail { Some(found) => (found), None => { p class="quiet" { (words.get(hint(view))) } } } }
                        }
                    }
                }
            }
        }
    }
}

/// The ids of the page parts that are shown above the selected detail, in the right column. On narrow screens, the
/// style sheet determines the order of the parts.
fn beside(kind: &str) -> &'static [&'static str] {
    match kind {
        "analysis" => &["status", "lines", "tree", "workers", "messages"],
        "match" => &["table", "crosstable", "sprt", "messages"],
        "cluster" => &["table"],
        _ => &[],
    }
}

/// The name of the message that tells the user which items can be selected.
fn hint(view: Option<&dyn View>) -> &'static str {
    match view.map(View::kind) {
        None => "nothing-yet",
        Some("match") => "choose-game",
        Some("analysis") => "choose-node",
        Some("cluster") => "choose-machine",
        Some(_) => "choose-problem",
    }
}

fn section(part: &PagePart, words: &Words) -> Markup {
    html! {
        @let heading = (!part.heading.is_empty()).then(|| format!("{}-heading", part.id));
        section class=(part.id) aria-labelledby=[&heading] {
            @if let Some(id) = &heading { h2 id=(id) { (words.get(part.heading)) } }
            div id=(part.id) { (part.content) }
        }
    }
}

/// Renders the text that is shown if the selected item no longer exists.
pub fn gone(words: &Words) -> Markup {
    html! { p class="quiet" { (words.get("gone")) } }
}
