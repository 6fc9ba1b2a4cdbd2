//! The program `hasami` with minishogi as a third game.

use hasami_api::Rules;
use hasami_catalog::Games;
use hasami_games::{CHESS, Entry, SHOGI};
use hasami_protocol::Protocol;
use hasami_protocol::option::{Declared, Kind};
use minishogi::{Material, Minishogi, REPETITION_DRAWS};
use std::process::ExitCode;

static MINISHOGI: Entry<Minishogi, Material> = Entry {
    options: &OPTIONS,
    by_checks: true,
    ..Entry::new(Protocol::Usi, |_| Material, include_str!("transitions.toml"))
};

static OPTIONS: [Declared; 1] = [Declared::usi(
    "RepetitionDraws",
    Kind::Check {
        get: |settings| settings.rules.own == REPETITION_DRAWS,
        set: |settings, draws| settings.rules.own = if draws { REPETITION_DRAWS } else { Rules::USUAL },
    },
    "The fourth occurrence of a position draws; otherwise the first player has to avoid it.",
)];

static GAMES: Games = Games::new(&[&CHESS, &SHOGI, &MINISHOGI]);

fn main() -> ExitCode {
    hasami::cli::main(GAMES)
}
