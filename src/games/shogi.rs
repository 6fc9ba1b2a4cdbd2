//! The catalog entry of shogi.

use super::{Brinkmates, Entry};
use crate::book::Book;
use hasami_api::Score;
use hasami_catalog::BuiltInOpenings;
use hasami_nnue::{Network, NetworkEval, NetworkGame, built_in};
use hasami_protocol::Protocol;
use hasami_protocol::option::{Declared, Kind, Rebuild};
use hasami_shogi::{EnteringKingRule, Shogi};
use hasami_training::TrainingFormats;
use std::sync::Arc;

/// A small opening book in YaneuraOu's format, whose origin is described in `book/README.md`.
static BOOK: &[u8] = include_bytes!("../../book/shogi.db");

pub static ENTRY: Entry<Shogi, NetworkEval> = Entry {
    options: &OPTIONS,
    training: Some(&TRAINING),
    networks: Some(NetworkGame::Shogi),
    own_transitions: include_str!("../tree/data/hasami_shogi.toml"),
    opening: || Some(Box::new(Book::<Shogi>::yaneuraou(BOOK))),
    match_openings: Some(BuiltInOpenings {
        name: "shogi_openings.sfen",
        text: include_str!("../../book/shogi_openings.sfen"),
    }),
    by_checks: true,
    brinkmates: Some(Brinkmates::of::<Shogi>()),
    ..Entry::new(Protocol::Usi, evaluator, include_str!("../tree/data/shogi.toml"))
};

static TRAINING: TrainingFormats = TrainingFormats::of::<Shogi>(NetworkGame::Shogi);

fn evaluator(network: Option<Arc<Network>>) -> NetworkEval {
    NetworkEval::new(network.unwrap_or_else(|| built_in(NetworkGame::Shogi)))
}

/// The option type for the value of a draw, for one side.
macro_rules! draw_value {
    ($side:literal) => {
        Kind::Signed {
            range: -30_000..=30_000,
            get: |s| s.draw_values[$side],
            set: |s, v| s.draw_values[$side] = v.clamp(-Score::MAX_CP, Score::MAX_CP),
        }
    };
}

static OPTIONS: [Declared; 10] = [
    Declared::usi(
        "BookDir",
        Kind::Text { get: |s| s.book_choice.folder.clone(), set: |s, v| s.book_choice.folder = v.trim().into() },
        "Folder, relative to the program, in which a BookFile is searched for that does not exist at its own path.",
    ),
    Declared::usi(
        "BookMoves",
        Kind::Spin { range: 0..=10_000, get: |s| s.book_choice.plies, set: |s, v| s.book_choice.plies = v },
        "Number of plies from the beginning of a game in which book moves are played.",
    ),
    Declared::usi(
        "BookEvalDiff",
        Kind::Spin { range: 0..=99_999, get: |s| s.book_choice.value_gap, set: |s, v| s.book_choice.value_gap = v },
        "Plays book moves that are worse than the best one by at most this many centipawns.",
    ),
    Declared::usi(
        "BookOnTheFly",
        Kind::Check { get: |s| s.book_choice.on_the_fly, set: |s, v| s.book_choice.on_the_fly = v },
        "Leaves the book file on the disk instead of reading it into memory; its positions must be sorted.",
    ),
    Declared::usi(
        "FlippedBook",
        Kind::Check { get: |s| s.book_choice.flipped, set: |s, v| s.book_choice.flipped = v },
        "Also plays moves of book positions with the sides exchanged.",
    ),
    Declared::usi(
        "Brinkmates",
        Kind::Check { get: |s| s.brinkmates, set: |s, v| s.brinkmates = v },
        "During a game, the mate solver also looks for brinkmates (hisshi).",
    )
    .rebuilding(Rebuild::Solver),
    Declared::usi(
        "EnteringKingRule",
        Kind::Combo {
            words: &["None", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"],
            aliases: &[("NoEnteringKing", "None")],
            get: |s| EnteringKingRule::of(s.rules) as usize,
            set: |s, v| s.rules.own = EnteringKingRule::NUMBERS[v].1,
        },
        "Rule for wins by declaration with an entered king. H: the giver of a handicap needs fewer points.",
    ),
    Declared::usi(
        "MaxMovesToDraw",
        Kind::Spin { range: 0..=100_000, get: |s| s.rules.max_moves, set: |s, v| s.rules.max_moves = v },
        "Number of plies after which the game is drawn; 0: never.",
    ),
    Declared::usi(
        "DrawValueBlack",
        draw_value!(0),
        "Value of a draw in centipawns if Black is to move: draws are sought above 0, avoided below.",
    )
    .rebuilding(Rebuild::Own),
    Declared::usi(
        "DrawValueWhite",
        draw_value!(1),
        "Value of a draw in centipawns if White is to move: draws are sought above 0, avoided below.",
    )
    .rebuilding(Rebuild::Own),
];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_catalog::Catalog;
    use hasami_protocol::Settings;

    /// The option `EnteringKingRule` takes the same values as in YaneuraOu.
    #[test]
    fn entering_king_rules_are_named_as_in_other_engines() {
        use EnteringKingRule as Rule;
        for (word, rule) in [
            ("None", Rule::None),
            ("NoEnteringKing", Rule::None),
            ("CSARule24", Rule::CsaRule24),
            ("CSARule24H", Rule::CsaRule24H),
            ("CSARule27", Rule::CsaRule27),
            ("CSARule27H", Rule::CsaRule27H),
            ("TryRule", Rule::TryRule),
        ] {
            let mut settings = Settings::default();
            ENTRY.options().apply(&mut settings, "EnteringKingRule", Some(word)).unwrap();
            assert_eq!(EnteringKingRule::of(settings.rules), rule, "{word}");
        }
    }

    #[test]
    fn options_are_declared_as_guis_expect_them() {
        let declared = ENTRY.options().declare(&Settings::default());
        let at = |name: &str| declared.find(&format!("option name {name} type ")).unwrap();
        let names = ["USI_OwnBook", "BookFile", "EnteringKingRule", "MaxMovesToDraw", "ResignValue", "TreeModel"];
        assert!(names.map(at).is_sorted(), "{declared}");
    }
}
