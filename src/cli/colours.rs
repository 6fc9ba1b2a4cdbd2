//! Colours for terminals that support them, unless the user disables them (`NO_COLOR`, `CLICOLOR=0`, `TERM=dumb`).

use anstyle::{AnsiColor, Style};

/// The role of a piece of text, which determines its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    #[default]
    Plain,
    /// Column headers.
    Head,
    /// The engine's answer: its moves and tree nodes.
    Best,
    Good,
    Bad,
}

impl Tone {
    const fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Head => Style::new().dimmed(),
            Self::Best => Style::new().bold(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Bad => AnsiColor::Red.on_default(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colours(bool);

impl Colours {
    pub fn of(is_terminal: bool) -> Self {
        let is_refused = anstyle_query::no_color() || anstyle_query::clicolor() == Some(false);
        Self(is_terminal && !is_refused && anstyle_query::term_supports_ansi_color())
    }

    pub fn paint(self, tone: Tone, text: &str) -> String {
        if !self.0 || tone == Tone::Plain {
            return text.to_owned();
        }
        let style = tone.style();
        format!("{style}{text}{style:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_colour_where_it_is_not_wanted() {
        assert_eq!(Colours(false).paint(Tone::Best, "e4"), "e4");
        assert_eq!(Colours(true).paint(Tone::Plain, "e4"), "e4");
        assert_eq!(Colours(true).paint(Tone::Best, "e4"), "\x1b[1me4\x1b[0m");
        assert_eq!(Colours::of(false), Colours(false), "in a pipe");
    }
}
