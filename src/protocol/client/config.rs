//! Chooses the options that are set in an engine before its first `isready`: options that the user has given, and
//! options that the engine's role requires.
//!
//! The defaults of engines are meant for GUIs: the YaneuraOu family prints lines only every 300 ms, searches with four
//! threads, plays from a book, and reserves a second or two of each byoyomi period for a slow network.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::ChildOption;
use crate::Protocol;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The engine searches positions of the master tree, which grows according to the engine's reports.
    Worker,
    /// The engine solves mates. Each problem is announced as a new game, because shtsume ignores a position that does
    /// not follow `usinewgame`.
    Solver,
    /// The engine plays games. `turn` is the minimum time that the engine's clock gives for a move, and `pace` the
    /// average; `None` means unlimited time.
    Opponent { turn: Option<Duration>, pace: Option<Duration> },
}

/// The names that engines use for a game, and the usual protocol of its engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// The protocol that engines of the game speak unless the user says otherwise.
    pub protocol: Protocol,
    /// Names of the game as values of `UCI_Variant` or `USI_Variant`, the most common one first.
    pub variants: &'static [&'static str],
}

#[derive(Clone, PartialEq, Debug)]
pub struct EngineConfig {
    pub protocol: Protocol,
    /// See [`PlayedGame::variants`].
    pub variants: &'static [&'static str],
    pub role: Role,
    /// Options that the user has set, which take precedence over all others.
    pub options: Vec<(String, String)>,
    /// Options that are set if the engine has them.
    pub offers: Vec<(String, String)>,
    pub ponder: bool,
}

/// Which options could be set as the user wished; known once the engine has declared its options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settled {
    /// Options that were not set, because the engine does not have them.
    pub unset: Vec<String>,
    /// Options that were set to values outside the range that the engine declares.
    pub beyond: Vec<String>,
    /// Options that the engine's role requires and the user did not set.
    pub besides: Vec<(String, String)>,
}

/// The options to set in an engine, and notes about these options.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    pub set: Vec<(String, String)>,
    pub settled: Settled,
    pub faults: Vec<String>,
    pub notes: Vec<String>,
}

/// Options that are set in a worker of the master tree, with their values.
const WORKER: &[(&str, &str)] =
    &[("PvInterval", "0"), ("Threads", "1"), ("USI_OwnBook", "false"), ("OwnBook", "false"), ("BookFile", "no_book")];

/// In shorter turns, the default delays of the YaneuraOu family leave only a tenth of a second for thinking.
const SHORT_TURN: Duration = Duration::from_millis(2_100);

/// If an engine's default delay is below this number of milliseconds, the engine is assumed to need the delay on any
/// machine, so the delay is not lowered.
const NEEDED_DELAY: u32 = 300;

/// Options that set how many milliseconds per move an engine reserves for communication with the GUI.
const OVERHEADS: [&str; 4] = ["Move Overhead", "MoveOverhead", "NetworkDelay", "NetworkDelay2"];

/// Options that select the game in engines that play several games. Fairy-Stockfish uses UCI_Variant in USI, too.
const VARIANT: [&str; 2] = ["UCI_Variant", "USI_Variant"];

/// Pairs of names that engines use for the same option.
const ALIASES: &[[&str; 2]] = &[["MultiPV", "USI_MultiPV"], ["Hash", "USI_Hash"], ["Ponder", "USI_Ponder"]];

impl EngineConfig {
    /// Returns whether a new game is announced to the engine when it starts, without a request by the caller.
    pub(super) fn begins_game(&self) -> bool {
        self.role == Role::Worker
    }

    /// Returns whether every search is announced to the engine as a new game, without an `isready`.
    pub(super) fn announces_searches(&self) -> bool {
        self.role == Role::Solver && self.protocol == Protocol::Usi
    }

    /// Returns whether the clock of a search starts only after the engine has confirmed that it has read the position.
    pub(super) fn waits_for_barrier(&self) -> bool {
        matches!(self.role, Role::Opponent { .. })
    }

    /// Returns the options to set in an engine that declares the options `declared`.
    pub(super) fn plan(&self, declared: &[ChildOption]) -> Plan {
        let mut plan = Plan::default();
        self.plan_variant(declared, &mut plan);
        self.plan_user(declared, &mut plan);
        for name in ["Ponder", "USI_Ponder"].into_iter().filter(|_| self.ponder) {
            plan.set.extend(find(declared, name).map(|option| (option.name.clone(), "true".to_owned())));
        }
        match self.role {
            Role::Worker | Role::Solver => self.plan_role(declared, WORKER, &mut plan),
            Role::Opponent { turn, pace } => {
                if let Some(turn) = turn.filter(|turn| *turn < SHORT_TURN) {
                    let by_user = plan.set.len();
                    self.plan_short_turns(declared, turn, &mut plan);
                    plan.settled.besides = plan.set[by_user..].to_vec();
                    plan.tell_set(declared, by_user);
                }
                self.note_defaults(declared, &mut plan);
                self.note_overhead(declared, pace, turn.is_some(), &mut plan);
            }
        }
        plan
    }

    /// Sets the option that selects the game first, because the meanings of other options may depend on the game.
    /// Nothing is set if the game is the engine's default, or if the engine does not offer the game.
    fn plan_variant(&self, declared: &[ChildOption], plan: &mut Plan) {
        let Some(option) = VARIANT.iter().find_map(|name| find(declared, name)) else { return };
        let is_game = |value: &str| self.variants.iter().any(|name| name.eq_ignore_ascii_case(value));
        if self.is_users(&option.name) || option.default.as_deref().is_some_and(is_game) {
            return;
        }
        let value_of = |name: &&str| option.values.iter().find(|value| value.eq_ignore_ascii_case(name));
        plan.set.extend(self.variants.iter().find_map(value_of).map(|value| (option.name.clone(), value.clone())));
    }

    fn plan_user(&self, declared: &[ChildOption], plan: &mut Plan) {
        for (name, value) in &self.options {
            match find_with_alias(declared, name) {
                Some(option) => {
                    if let Some(expected) = option.refuses(value) {
                        plan.faults.push(format!("option {}: expected {expected}, found '{value}'", option.name));
                        plan.settled.beyond.push(name.clone());
                    }
                    plan.set.push((option.name.clone(), value.clone()));
                }
                // USI engines know some options without declaring them.
                None if name.starts_with("USI_") => plan.set.push((name.clone(), value.clone())),
                None => {
                    plan.faults.push(no_option(name));
                    plan.settled.unset.push(name.clone());
                }
            }
        }
        for (name, value) in &self.offers {
            match find(declared, name) {
                Some(option) => plan.set.push((option.name.clone(), value.clone())),
                None => plan.notes.push(format!("has no option {name} and plays without")),
            }
        }
    }

    /// Returns whether the user has set the option `name`.
    fn is_users(&self, name: &str) -> bool {
        let names = |own: &str| own.eq_ignore_ascii_case(name) || aliases(own).any(|a| a.eq_ignore_ascii_case(name));
        self.options.iter().any(|(own, _)| names(own))
    }

    fn plan_role(&self, declared: &[ChildOption], wanted: &[(&str, &str)], plan: &mut Plan) {
        for (name, value) in wanted.iter().filter(|(name, _)| !self.is_users(name)) {
            let Some(option) = find(declared, name) else { continue };
            let value = option.nearest(value);
            // If the default is smaller than the wanted value, it is kept.
            let is_less = option.default.as_deref().is_some_and(|default| is_less(default, &value));
            if option.default.as_deref() != Some(&value) && !is_less && option.refuses(&value).is_none() {
                plan.set.push((option.name.clone(), value));
            }
        }
    }

    /// Lowers the delays of an engine that plays on this machine with short turns. The delays are not set to 0, because
    /// an engine on a busy machine may answer a tenth of a second late.
    fn plan_short_turns(&self, declared: &[ChildOption], turn: Duration, plan: &mut Plan) {
        let delay = (turn / 4).as_millis().clamp(20, 120).to_string();
        let delays = ["NetworkDelay", "NetworkDelay2"].into_iter().map(|name| (name, &*delay));
        let needs = |name: &str| find(declared, name)?.default.as_deref()?.parse::<u32>().ok();
        let long = delays.filter(|(name, _)| needs(name).is_none_or(|default| default >= NEEDED_DELAY));
        let wanted: Vec<_> = long.chain([("MinimumThinkingTime", "20"), ("RoundUpToFullSecond", "false")]).collect();
        self.plan_role(declared, &wanted, plan);
    }

    /// Adds notes about defaults that may make a match unfair: a book of the engine's own, and several threads.
    fn note_defaults(&self, declared: &[ChildOption], plan: &mut Plan) {
        let default =
            |name: &str| find(declared, name).filter(|_| !self.is_users(name)).and_then(|o| o.default.clone());
        for name in ["USI_OwnBook", "OwnBook"].into_iter().filter(|name| default(name).as_deref() == Some("true")) {
            plan.notes.push(format!("may play from its own opening book; option.{name}=false turns the book off"));
        }
        if let Some(threads) = default("Threads").filter(|threads| threads.parse().is_ok_and(|n: u32| n > 1)) {
            plan.notes.push(format!("searches with {threads} threads; option.Threads=1 sets one thread"));
        }
    }

    /// Adds a note if the engine reserves all of its time per move, or more, for communication. The network delays of
    /// USI engines affect only clocks.
    fn note_overhead(&self, declared: &[ChildOption], pace: Option<Duration>, has_clock: bool, plan: &mut Plan) {
        let Some(pace) = pace else { return };
        let is_used = |name: &&str| has_clock || !name.starts_with("NetworkDelay");
        for option in OVERHEADS.into_iter().filter(is_used).filter_map(|name| find(declared, name)) {
            let is_set = plan.set.iter().any(|(name, _)| name.eq_ignore_ascii_case(&option.name));
            let default = option.default.as_deref().filter(|_| !is_set).and_then(|text| text.parse().ok());
            if let Some(millis) = default.filter(|&millis| Duration::from_millis(millis) >= pace) {
                plan.notes.push(format!(
                    "keeps {millis} ms of each move for itself ({}), of {} that a move has",
                    option.name,
                    pace.as_millis()
                ));
            }
        }
    }
}

/// Returns whether `a` and `b` are numbers and `a` is smaller.
fn is_less(a: &str, b: &str) -> bool {
    a.parse::<u32>().is_ok_and(|a| b.parse::<u32>().is_ok_and(|b| a < b))
}

impl Plan {
    /// Adds a note that lists the options to set; the first `by_user` of them, which the user chose, are left out.
    fn tell_set(&mut self, declared: &[ChildOption], by_user: usize) {
        let shown = |(name, value): &(String, String)| {
            let default = find(declared, name).and_then(|option| option.default.clone()).unwrap_or_default();
            format!("{name} {default} -> {value}")
        };
        let all: Vec<_> = self.set.iter().skip(by_user).map(shown).collect();
        if !all.is_empty() {
            self.notes
                .push(format!("has little time for a move: {}; option.NAME=VALUE says otherwise", all.join(", ")));
        }
    }
}

fn aliases(name: &str) -> impl Iterator<Item = &'static str> {
    let pair = ALIASES.iter().find(|pair| pair.iter().any(|own| own.eq_ignore_ascii_case(name)));
    pair.into_iter().flatten().copied()
}

fn find<'a>(declared: &'a [ChildOption], name: &str) -> Option<&'a ChildOption> {
    declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// Finds the option called `name` or called by its alias in [`ALIASES`].
pub(super) fn find_with_alias<'a>(declared: &'a [ChildOption], name: &str) -> Option<&'a ChildOption> {
    find(declared, name).or_else(|| aliases(name).find_map(|alias| find(declared, alias)))
}

/// Returns the message for an option that was not set because the engine does not have it.
pub fn no_option(name: &str) -> String {
    format!("the engine has no option {name}; not set")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Reply, parse};
    use super::*;

    /// Declarations of options, as YaneuraOu 9.70 prints them.
    const FAMILY: &[&str] = &[
        "option name USI_Hash type spin default 1024 min 1 max 33554432",
        "option name Threads type spin default 4 min 1 max 1024",
        "option name MultiPV type spin default 1 min 1 max 800",
        "option name NetworkDelay type spin default 120 min 0 max 10000",
        "option name NetworkDelay2 type spin default 1120 min 0 max 10000",
        "option name MinimumThinkingTime type spin default 2000 min 1000 max 100000",
        "option name RoundUpToFullSecond type check default true",
        "option name USI_OwnBook type check default true",
        "option name BookFile type combo default standard_book.db var no_book var standard_book.db",
        "option name PvInterval type spin default 300 min 0 max 100000",
    ];

    fn plan(role: Role, options: &[(&str, &str)]) -> Plan {
        let read = |line: &&str| match parse(Protocol::Usi, line) {
            Reply::Option(option) => Some(option),
            _ => None,
        };
        let declared: Vec<_> = FAMILY.iter().filter_map(read).collect();
        assert_eq!(declared.len(), FAMILY.len());
        let options = options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let (offers, protocol, variants) = (Vec::new(), Protocol::Usi, &["shogi"][..]);
        EngineConfig { protocol, variants, role, options, offers, ponder: false }.plan(&declared)
    }

    /// Returns the options that are set in an engine that declares the option `line`, in a game with the names
    /// `variants`.
    fn variant_set(line: &str, variants: &'static [&'static str], options: &[(&str, &str)]) -> Vec<String> {
        let read =
            |line: &str| if let Reply::Option(option) = parse(Protocol::Uci, line) { Some(option) } else { None };
        let declared = [read(line).unwrap()];
        let options = options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let (protocol, role) = (Protocol::Uci, Role::Opponent { turn: None, pace: None });
        let config = EngineConfig { protocol, variants, role, options, offers: Vec::new(), ponder: false };
        set(&config.plan(&declared))
    }

    #[test]
    fn the_variant_is_set_in_engines_with_several_games() {
        let several = "option name UCI_Variant type combo default crazyhouse var Chess var crazyhouse var minishogi";
        let by_usi = "option name USI_Variant type combo default shogi var shogi var minishogi";
        let normal = "option name UCI_Variant type combo default normal var chess var normal";
        let chess: &[&str] = &["chess", "standard", "normal"];
        assert_eq!(variant_set(several, chess, &[]), ["UCI_Variant=Chess"], "in the spelling of the engine");
        assert_eq!(variant_set(by_usi, &["minishogi"], &[]), ["USI_Variant=minishogi"]);
        assert_eq!(variant_set(by_usi, &["shogi"], &[]), [""; 0], "it already plays this game");
        assert_eq!(variant_set(normal, chess, &[]), [""; 0], "it already plays this game, by another name");
        assert_eq!(variant_set(several, &["shogi"], &[]), [""; 0], "it does not offer the game");
        let users = [("uci_variant", "crazyhouse")];
        assert_eq!(variant_set(several, chess, &users), ["UCI_Variant=crazyhouse"], "the user has chosen");
        let other = "option name Style type combo default a var a var chess";
        assert_eq!(variant_set(other, chess, &[]), [""; 0]);
    }

    fn set(plan: &Plan) -> Vec<String> {
        plan.set.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    #[test]
    fn a_worker_reports_at_once_and_uses_no_book() {
        let found = plan(Role::Worker, &[]);
        assert_eq!(set(&found), ["PvInterval=0", "Threads=1", "USI_OwnBook=false", "BookFile=no_book"]);
        assert_eq!((found.faults.len(), found.notes.len()), (0, 0));
    }

    #[test]
    fn options_of_the_user_take_precedence() {
        let found = plan(Role::Worker, &[("threads", "2"), ("BookFile", "standard_book.db"), ("pvinterval", "100")]);
        assert_eq!(set(&found), ["Threads=2", "BookFile=standard_book.db", "PvInterval=100", "USI_OwnBook=false"]);
        let short = Role::Opponent { turn: Some(Duration::from_millis(200)), pace: None };
        let found = plan(short, &[("NetworkDelay2", "300"), ("Threads", "2"), ("USI_OwnBook", "true")]);
        assert!(!set(&found).iter().any(|set| set.starts_with("NetworkDelay2=5")), "{found:?}");
        assert!(!found.notes.iter().any(|note| note.contains("NetworkDelay2")), "{found:?}");
        assert!(!found.notes.iter().any(|note| note.contains("book") || note.contains("threads")), "{found:?}");
    }

    #[test]
    fn delays_are_lowered_and_noted_for_short_turns() {
        let found = plan(Role::Opponent { turn: Some(Duration::from_millis(200)), pace: None }, &[]);
        let lowered = ["NetworkDelay2=50", "MinimumThinkingTime=1000", "RoundUpToFullSecond=false"];
        assert_eq!(set(&found), lowered, "within the declared range");
        assert!(found.notes[0].contains("NetworkDelay2 1120 -> 50"), "{:?}", found.notes);
        assert!(found.notes.iter().any(|note| note.contains("option.USI_OwnBook=false")));
        assert!(found.notes.iter().any(|note| note.contains("4 threads")));
        assert!(is_less("0", "20") && !is_less("120", "20") && !is_less("true", "false"), "values are only lowered");
        for turn in [None, Some(Duration::from_secs(10))] {
            assert!(plan(Role::Opponent { turn, pace: None }, &[]).set.is_empty());
        }
    }

    #[test]
    fn an_engine_keeps_the_delay_that_it_needs() {
        let own = [
            "NetworkDelay2 type spin default 120 min 0 max 10000",
            "MinimumThinkingTime type spin default 20 min 0 max 9000",
        ];
        let read = |line: &str| match parse(Protocol::Usi, &format!("option name {line}")) {
            Reply::Option(option) => Some(option),
            _ => None,
        };
        let declared = own.map(|line| read(line).unwrap());
        for millis in [100, 1_000, 2_000] {
            let role = Role::Opponent { turn: Some(Duration::from_millis(millis)), pace: None };
            let (options, offers, protocol, variants) = (Vec::new(), Vec::new(), Protocol::Usi, &["shogi"][..]);
            let config = EngineConfig { protocol, variants, role, options, offers, ponder: false };
            assert_eq!(set(&config.plan(&declared)), [""; 0], "{millis} ms");
        }
        let found = plan(Role::Opponent { turn: Some(Duration::from_secs(1)), pace: None }, &[]);
        assert_eq!(
            set(&found)[0],
            "NetworkDelay2=120",
            "a delay that leaves nothing of a second is lowered to the time needed"
        );
    }

    #[test]
    fn network_delays_are_noted_only_with_a_clock() {
        let pace = Some(Duration::from_millis(50));
        for (turn, is_noted) in [(None, false), (Some(Duration::from_secs(10)), true)] {
            let notes = plan(Role::Opponent { turn, pace }, &[]).notes;
            assert_eq!(notes.iter().any(|note| note.contains("(NetworkDelay2), of 50")), is_noted, "{notes:?}");
        }
        let overhead = match parse(Protocol::Uci, "option name Move Overhead type spin default 50") {
            Reply::Option(option) => vec![option],
            _ => Vec::new(),
        };
        let role = Role::Opponent { turn: None, pace };
        let (options, offers, variants) = (Vec::new(), Vec::new(), &["chess"][..]);
        let config = EngineConfig { protocol: Protocol::Uci, variants, role, options, offers, ponder: false };
        assert!(config.plan(&overhead).notes[0].contains("(Move Overhead), of 50"));
    }

    #[test]
    fn an_option_is_found_by_either_of_its_names() {
        let found = plan(Role::Opponent { turn: None, pace: None }, &[("USI_MultiPV", "3"), ("Hash", "64")]);
        assert_eq!(set(&found), ["MultiPV=3", "USI_Hash=64"]);
        let found = plan(Role::Opponent { turn: None, pace: None }, &[("Missing", "3"), ("Threads", "0")]);
        let expected =
            ["the engine has no option Missing; not set", "option Threads: expected a number of at least 1, found '0'"];
        assert_eq!(found.faults, expected);
    }
}
