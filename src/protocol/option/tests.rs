#![allow(clippy::unwrap_used)]

use super::*;
use crate::settings::{Parallel, TreeModel};
use std::path::PathBuf;
use std::time::Duration;

const PROTOCOLS: [Protocol; 2] = [Protocol::Uci, Protocol::Usi];

fn options(protocol: Protocol) -> Options {
    Options { protocol, own: &[], numbers: Vec::new }
}

fn apply(settings: &mut Settings, protocol: Protocol, name: &str, value: Option<&str>) -> Result<Effect, String> {
    options(protocol).apply(settings, name, value).map_err(|error| error.to_string())
}

fn declare(protocol: Protocol, settings: &Settings) -> String {
    options(protocol).declare(settings)
}

fn set_one(protocol: Protocol, name: &str, value: &str) -> (Settings, Result<Effect, String>) {
    let mut settings = Settings::default();
    let effect = apply(&mut settings, protocol, name, Some(value));
    (settings, effect)
}

#[test]
fn names_contain_no_keywords_and_usi_names_no_blanks() {
    for option in table::OPTIONS {
        for protocol in PROTOCOLS {
            let Some(name) = option.name(protocol) else { continue };
            for keyword in ["name", "type", "default", "min", "max", "var", "value"] {
                assert!(name.split(' ').all(|word| word != keyword), "{name}");
            }
            assert!(protocol == Protocol::Uci || !name.contains(' '), "{name}");
        }
    }
}

#[test]
fn names_are_unique_without_regard_to_case() {
    for protocol in PROTOCOLS {
        let mut names: Vec<_> = table::OPTIONS.iter().filter_map(|o| o.name(protocol)).map(str::to_lowercase).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}

#[test]
fn options_that_people_and_guis_expect_are_declared() {
    let uci = "Hash Threads Ponder MultiPV Move_Overhead OwnBook BookFile UCI_ShowWDL UCI_AnalyseMode \
        DebugLogFile WebPage Parallel TreeModel Children TreeLog SharedHash Clear_Hash UCI_Opponent";
    let usi = "USI_Hash Threads USI_Ponder USI_MultiPV NetworkDelay NetworkDelay2 USI_OwnBook BookFile \
        ResignValue DebugLogFile WebPage Parallel TreeModel Children TreeLog SharedHash \
        Stochastic_Ponder";
    for (protocol, names) in [(Protocol::Uci, uci), (Protocol::Usi, usi)] {
        let declared = declare(protocol, &Settings::default()).replace("Move Overhead", "Move_Overhead");
        let declared = declared.replace("Clear Hash", "Clear_Hash");
        for name in names.split_whitespace() {
            assert!(declared.contains(&format!("option name {name} type ")), "{name}");
        }
    }
}

#[test]
fn usi_defaults_are_single_tokens_in_ascii() {
    let settings = Settings {
        book_file: PathBuf::from("C:\\my books\\a.db"),
        children: Some(PathBuf::from("/日本/children.toml")),
        ..Settings::default()
    };
    for line in declare(Protocol::Usi, &settings).lines() {
        assert!(line.is_ascii(), "{line}");
        let words: Vec<_> = line.split(' ').collect();
        if words[4] == "button" {
            continue;
        }
        assert_eq!((words[1], words[3], words[5]), ("name", "type", "default"), "{line}");
        assert!(!words[6].is_empty(), "{line}");
        assert!(words.len() == 7 || ["min", "var"].contains(&words[7]), "{line}");
    }
    assert!(declare(Protocol::Uci, &settings).contains("BookFile type string default C:\\my books\\a.db\n"));
}

#[test]
fn options_change_their_settings() {
    let (settings, effect) = set_one(Protocol::Uci, "hash", "512");
    assert_eq!((settings.hash_mb, effect), (512, Ok(Effect::Changed)));
    let (settings, _) = set_one(Protocol::Uci, "MOVE OVERHEAD", "250");
    assert_eq!((settings.overhead, settings.overhead_last), (Duration::from_millis(250), Duration::from_millis(250)));
    let (settings, _) = set_one(Protocol::Usi, "NetworkDelay2", "900");
    assert_eq!(settings.overhead, Settings::default().overhead);
    assert_eq!(settings.overhead_last, Duration::from_millis(900));
    assert_eq!(set_one(Protocol::Usi, "Parallel", "Tree").0.parallel, Parallel::Tree);
    assert_eq!(set_one(Protocol::Uci, "TreeModel", "Gap").0.tree_model, TreeModel::Gap);
    assert_eq!(set_one(Protocol::Usi, "ResignValue", "3000").0.resign_value, Some(3000));
    assert_eq!(set_one(Protocol::Usi, "ResignValue", "99999").0.resign_value, None);
    let (settings, _) = set_one(Protocol::Uci, "Children", "/with  two blanks/min value max.toml");
    assert_eq!(settings.children, Some(PathBuf::from("/with  two blanks/min value max.toml")));
}

#[test]
fn an_option_rebuilds_the_declared_workers() {
    let rebuilt = |name: &str, value: &str| {
        let (settings, effect) = set_one(Protocol::Usi, name, value);
        assert_eq!(effect, Ok(Effect::Changed), "{name}");
        [
            options(Protocol::Usi).rebuild(&Settings::default(), &settings),
            options(Protocol::Usi).rebuild(&settings, &Settings::default()),
        ]
    };
    for (name, value, who) in [
        ("USI_Hash", "65", Rebuild::Own),
        ("Threads", "2", Rebuild::Own),
        ("SharedHash", "false", Rebuild::Own),
        ("Children", "x.toml", Rebuild::All),
        ("Cluster", "nats://pc1", Rebuild::All),
        ("MultiPV", "3", Rebuild::Nobody),
        ("BookFile", "x.db", Rebuild::Nobody),
        ("TreeRules", "groups=off", Rebuild::Nobody),
    ] {
        assert_eq!(rebuilt(name, value), [who; 2], "{name}");
    }
    let several = Settings { hash_mb: 65, brinkmates: false, ..Settings::default() };
    assert_eq!(options(Protocol::Usi).rebuild(&Settings::default(), &several), Rebuild::Own);
    assert_eq!(options(Protocol::Usi).rebuild(&several, &several.clone()), Rebuild::Nobody);
}

#[test]
fn every_setting_is_restored_from_its_declaration() {
    for protocol in PROTOCOLS {
        for line in declare(protocol, &Settings::default()).lines() {
            let (name, kind) = line.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
            let Some((_, default)) = kind.split_once(" default ") else { continue };
            let default = default.split(' ').next().unwrap().replace("<empty>", "");
            let (_, effect) = set_one(protocol, name, &default);
            assert_eq!(effect, Ok(Effect::Same), "{line}");
        }
    }
}

#[test]
fn an_option_of_both_protocols_has_both_names() {
    for protocol in PROTOCOLS {
        let mut settings = Settings::default();
        for (name, value) in [("MultiPV", "4"), ("USI_MultiPV", "2"), ("multipv", "3")] {
            assert_eq!(apply(&mut settings, protocol, name, Some(value)), Ok(Effect::Changed));
            assert_eq!(settings.multi_pv.to_string(), value, "the last value counts");
        }
    }
    assert!(set_one(Protocol::Uci, "NetworkDelay", "1").1.is_err(), "USI's alone");
}

#[test]
fn setting_the_same_book_file_again_retries_it() {
    let mut settings = Settings { book_file: "a.bin".into(), ..Settings::default() };
    assert_eq!(apply(&mut settings, Protocol::Uci, "BookFile", Some("a.bin")), Ok(Effect::Changed));
}

#[test]
fn an_empty_value_resets_a_path() {
    let mut settings = Settings { children: Some("a.toml".into()), ..Settings::default() };
    assert_eq!(apply(&mut settings, Protocol::Usi, "Children", Some("")), Ok(Effect::Changed));
    assert_eq!(settings.children, None);
    assert_eq!(apply(&mut settings, Protocol::Usi, "Children", None), Ok(Effect::Same));
}

#[test]
fn invalid_values_are_rejected_and_the_old_one_is_kept() {
    let refused = [
        (Protocol::Uci, "Hash", "0", "Hash: expected an integer from 1 to 1048576, found '0'"),
        (Protocol::Uci, "Threads", "many", "Threads: expected an integer from 0 to 1024, found 'many'"),
        (Protocol::Usi, "USI_Ponder", "on", "USI_Ponder: expected true or false, found 'on'"),
        (Protocol::Uci, "treemodel", "x", "TreeModel: expected one of rank, gap, hasami, found 'x'"),
        (Protocol::Uci, "NetworkDelay", "64", "no option 'NetworkDelay' here"),
    ];
    for (protocol, name, value, message) in refused {
        let (settings, effect) = set_one(protocol, name, value);
        assert_eq!(effect, Err(message.into()));
        assert_eq!(settings, Settings::default());
    }
    let mut settings = Settings::default();
    assert!(apply(&mut settings, Protocol::Uci, "Hash", None).unwrap_err().contains("found none"));
}

#[test]
fn buttons_and_accepted_options() {
    let mut settings = Settings::default();
    assert_eq!(apply(&mut settings, Protocol::Uci, "Clear Hash", None), Ok(Effect::ClearHash));
    assert_eq!(apply(&mut settings, Protocol::Usi, "Stochastic_Ponder", Some("true")), Ok(Effect::Same));
    assert_eq!(apply(&mut settings, Protocol::Usi, "USI_Ponder", Some("1")), Ok(Effect::Changed));
    assert_eq!(apply(&mut settings, Protocol::Usi, "USI_Ponder", Some("0")), Ok(Effect::Changed));
    assert_eq!(apply(&mut settings, Protocol::Uci, "UCI_Opponent", Some("GM 2800 human Deep Blue")), Ok(Effect::Same));
    assert_eq!(settings, Settings::default());
}

#[test]
fn a_game_adds_its_own_options() {
    static OWN: [Declared; 1] =
        [Declared::usi("Own", Kind::Check { get: |s| s.brinkmates, set: |s, v| s.brinkmates = v }, "For this game.")];
    let (with, without) = (Options { protocol: Protocol::Usi, own: &OWN, numbers: Vec::new }, options(Protocol::Usi));
    assert!(with.is_offered("Own") && !without.is_offered("Own"));
    assert!(
        !Options { protocol: Protocol::Uci, own: &OWN, numbers: Vec::new }.is_offered("Own"),
        "of the other protocol"
    );
    let mut settings = Settings::default();
    assert_eq!(with.apply(&mut settings, "own", Some("false")), Ok(Effect::Changed));
    assert!(!settings.brinkmates && without.apply(&mut settings, "own", Some("true")).is_err());
    let count = |options: Options| options.declare(&settings).lines().count();
    assert_eq!(count(with), count(without) + 1);
}
