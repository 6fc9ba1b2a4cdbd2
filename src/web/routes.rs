//! The HTTP routes of the web page.

use super::events;
use super::guard::Entry;
use super::metrics;
use super::page;
use super::server::Shared;
use super::view::Query;
use axum::Router;
use axum::extract::{Query as Pairs, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use hasami_words::{Language, Words};
use std::sync::Arc;

type Site = State<Arc<Shared>>;
type Arguments = Pairs<Vec<(String, String)>>;

/// The content security policy forbids inline scripts and styles, and loading from other sites.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

pub fn router(shared: Arc<Shared>) -> Router {
    let fixed =
        |kind: &'static str, text: &'static str| get(move || async move { ([(header::CONTENT_TYPE, kind)], text) });
    Router::new()
        .route("/", get(whole))
        .route("/detail", get(detail))
        .route("/events", get(follow))
        .route("/page.css", fixed("text/css", include_str!("static/page.css")))
        .route("/page.js", fixed("text/javascript", include_str!("static/page.js")))
        .route("/icon.svg", fixed("image/svg+xml", include_str!("static/icon.svg")))
        .route("/metrics", get(figures))
        .layer(from_fn_with_state(shared.clone(), admit))
        .with_state(shared)
}

/// Rejects requests that lack the right host name or the token.
async fn admit(State(shared): Site, Pairs(pairs): Arguments, request: Request, next: Next) -> Response {
    let query = Query::new(pairs);
    let entry = shared.guard.judge(request.headers(), query.get("token"));
    let mut response = match entry {
        Entry::Welcome | Entry::WithToken => next.run(request).await,
        Entry::WrongHost => (StatusCode::MISDIRECTED_REQUEST, "expected localhost as the host\n").into_response(),
        Entry::NoToken => {
            (StatusCode::UNAUTHORIZED, "expected the token that the program has printed, as in ?token=...\n")
                .into_response()
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if entry == Entry::WithToken
        && let Ok(cookie) = HeaderValue::from_str(&shared.guard.cookie())
    {
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}

/// The language that the URL names, or else the first language in the browser's list that the page supports.
fn language(query: &Query, headers: &HeaderMap) -> Language {
    let list = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    query.get("lang").and_then(Language::of_code).unwrap_or_else(|| Language::accepted(list))
}

async fn whole(State(shared): Site, Pairs(pairs): Arguments, headers: HeaderMap) -> Html<String> {
    let query = Query::new(pairs);
    let words = Words::of(language(&query, &headers));
    let view = shared.view.borrow().clone();
    Html(page::whole(view.as_deref(), &query, words).into_string())
}

/// Renders the detail of one item in the newest view, for the page's script to insert.
async fn detail(State(shared): Site, Pairs(pairs): Arguments, headers: HeaderMap) -> Response {
    let query = Query::new(pairs);
    let words = Words::of(language(&query, &headers));
    let view = shared.view.borrow().clone();
    match view.and_then(|view| view.detail(&query, words)) {
        Some(found) => Html(found.into_string()).into_response(),
        None => (StatusCode::NOT_FOUND, Html(page::gone(words).into_string())).into_response(),
    }
}

/// Streams the server-sent events, with empty comments between them, so that each end notices when the other end is
/// gone.
async fn follow(State(shared): Site, Pairs(pairs): Arguments, headers: HeaderMap) -> impl IntoResponse {
    let language = language(&Query::new(pairs), &headers);
    Sse::new(events::follow(shared, language)).keep_alive(KeepAlive::default())
}

async fn figures(State(shared): Site) -> impl IntoResponse {
    let figures = shared.view.borrow().as_ref().map(|view| view.metrics()).unwrap_or_default();
    ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], metrics::text(&figures))
}
