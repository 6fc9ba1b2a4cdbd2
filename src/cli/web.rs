//! `--web`: a web page that shows the progress of a command.

use super::interrupt::Interrupt;
use super::language;
use hasami_terminal::Failure;
use hasami_web::{WebAddress, WebPage};
use hasami_words::Language;
use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::Duration;

/// While a page stays open, Ctrl-C is checked at this interval.
const GLANCE: Duration = Duration::from_millis(100);

#[derive(clap::Args)]
pub struct WebArgs {
    /// Show the run on a web page at ADDR [default: 127.0.0.1:8400, or the next free port]; in a terminal the page
    /// stays until Ctrl-C
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "")]
    web: Option<String>,
}

impl WebArgs {
    pub const fn is_wanted(&self) -> bool {
        self.web.is_some()
    }

    /// Starts the page, if the user has requested one. Callers start the page before they create files, so that a wrong
    /// address leaves no files behind. [`announce`] prints the address when all options have been accepted.
    pub fn open(&self) -> Result<Option<WebPage>, Failure> {
        let Some(text) = &self.web else { return Ok(None) };
        let refused = |why| Failure::at("--web", why);
        let address: WebAddress = text.parse().map_err(refused)?;
        Ok(Some(WebPage::open(address).map_err(refused)?))
    }
}

pub fn announce(page: &WebPage, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", place(page))?;
    out.flush()
}

/// Formats the line with the address of the page.
pub fn place(page: &WebPage) -> String {
    let url = url_in(page.url(), language::named());
    format!("web page: {url}")
}

/// Adds the named language to the page's address, where it takes precedence over the browser's language.
fn url_in(url: String, named: Option<Language>) -> String {
    match named {
        Some(language) => format!("{url}{}lang={}", if url.contains('?') { '&' } else { '?' }, language.code()),
        None => url,
    }
}

/// Keeps the page open until Ctrl-C if the user works in a terminal; otherwise, the function returns immediately.
pub fn stay<P>(page: Option<P>, interrupt: &Interrupt, out: &mut dyn Write) -> io::Result<()> {
    let is_watched = io::stdin().is_terminal() && io::stdout().is_terminal();
    if page.is_none() || interrupt.is_pressed() || !is_watched {
        return Ok(());
    }
    writeln!(out, "the web page stays until Ctrl-C")?;
    out.flush()?;
    while !interrupt.is_pressed() {
        thread::sleep(GLANCE);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_that_is_named_stands_in_the_address() {
        let japanese = Some(Language::Japanese);
        assert_eq!(url_in("http://[::1]:1/".into(), None), "http://[::1]:1/");
        assert_eq!(url_in("http://[::1]:1/".into(), japanese), "http://[::1]:1/?lang=ja");
        assert_eq!(url_in("http://[::1]:1/?token=x".into(), japanese), "http://[::1]:1/?token=x&lang=ja");
    }
}
