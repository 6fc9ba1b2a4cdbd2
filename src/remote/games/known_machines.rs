//! Tracks the machines that a caller has heard from recently, and the reasons why no machine plays the caller's games.

use super::task::MatchCard;
use hasami_matches::lender::{LenderNews, RunningGame};
use hasami_words::Message;
use hasami_words::text::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Time after which a silent machine is considered gone.
const SILENT: Duration = Duration::from_secs(10);
/// Time within which every machine that is present announces itself at least once.
const HEARD: Duration = Duration::from_secs(5);
/// Minimum number of tasks to keep in the queue, even if few machines are present.
const LEAST: usize = 64;

/// The machines that are known to the caller of one match.
pub struct KnownMachines {
    /// The name of the match in the queue.
    id: String,
    card: MatchCard,
    machines: BTreeMap<u64, KnownMachine>,
    begun: Instant,
    /// The names of all machines that have announced themselves so far.
    names: BTreeSet<String>,
    /// The reason why no machine plays, as last reported to the user.
    lack: Option<String>,
    /// Names from `--without` that were reported because no machine had them.
    strange_names: BTreeSet<String>,
}

struct KnownMachine {
    news: LenderNews,
    last: Instant,
    /// Whether another machine with the same name has announced itself since this machine's last message, most likely
    /// after a restart.
    is_replaced: bool,
}

impl KnownMachines {
    /// `id` is the name of the match in the queue.
    pub fn of(id: &str, card: &MatchCard, now: Instant) -> Self {
        Self {
            id: id.to_owned(),
            card: card.clone(),
            machines: BTreeMap::new(),
            begun: now,
            names: BTreeSet::new(),
            lack: None,
            strange_names: BTreeSet::new(),
        }
    }

    /// Handles the announcement of a machine, and returns lines to show to the user.
    pub fn update(&mut self, news: LenderNews, now: Instant) -> Vec<String> {
        let mut lines = self.forget(now);
        let is_new_name = self.names.insert(news.name.clone());
        if !self.machines.contains_key(&news.id) {
            lines.extend(introduction(&news, &self.card, is_new_name));
            let namesakes = self.machines.values_mut().filter(|other| other.news.name == news.name);
            namesakes.for_each(|other| other.is_replaced = true);
        }
        self.machines.insert(news.id, KnownMachine { news, last: now, is_replaced: false });
        lines
    }

    /// Removes machines that are gone, and reports them unless they were restarted.
    fn forget(&mut self, now: Instant) -> Vec<String> {
        let is_there = |machine: &KnownMachine| now.saturating_duration_since(machine.last) < SILENT;
        let gone = self.machines.values().filter(|machine| !is_there(machine) && !machine.is_replaced);
        let lines = gone.map(|machine| format!("machine {} is gone", machine.news.name)).collect();
        self.machines.retain(|_, machine| is_there(machine));
        lines
    }

    /// Returns lines about machines that are gone, and about why no machine plays. `look` must be called regularly.
    pub fn look(&mut self, now: Instant) -> Vec<String> {
        let mut lines = self.forget(now);
        let lack = self.has_heard_all(now).then(|| self.lack()).flatten();
        if lack != self.lack {
            lines.extend(lack.clone());
            self.lack = lack;
        }
        lines
    }

    /// Returns true if all machines that are present have had time to announce themselves.
    pub fn has_heard_all(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.begun) >= HEARD
    }

    /// Handles an answer from the machine `name`, whose announcement may have been lost.
    pub fn has_answered(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    /// Returns a warning for each name in `--without` that no machine has. Each name is reported once.
    pub fn strange_names(&mut self) -> Vec<String> {
        let here = self.names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let here = if here.is_empty() { "none is here yet".to_owned() } else { format!("here: {here}") };
        let strange = self.card.without.iter().filter(|name| !self.names.contains(*name));
        let strange = strange.filter(|name| self.strange_names.insert((*name).clone()));
        strange.map(|name| format!("--without {name}: no machine of this name is here ({here})")).collect()
    }

    /// The machines that have announced themselves recently.
    fn present(&self) -> impl Iterator<Item = &LenderNews> {
        let is_there = |known: &&KnownMachine| known.last.elapsed() < SILENT && !known.is_replaced;
        self.machines.values().filter(is_there).map(|known| &known.news)
    }

    /// Returns one line of text for each machine that is present.
    pub fn lines(&self) -> Vec<Message> {
        let line = |news: &LenderNews| {
            let LenderNews { name, games, busy, speed, processor, .. } = news;
            let line = Message::new("machine-plays").with("name", name).with("busy", u64::from(*busy));
            line.with("games", u64::from(*games)).with("speed", speed.to_string()).with("processor", processor)
        };
        self.present().map(line).collect()
    }

    /// The games of this match that are in progress, each with the name of its machine.
    pub fn running<'a>(&'a self) -> impl Iterator<Item = (&'a str, &'a RunningGame)> {
        let games = |news: &'a LenderNews| {
            let games = news.running.iter().filter(|game| game.of == self.id);
            games.map(|game| (news.name.as_str(), game))
        };
        self.present().flat_map(games)
    }

    /// The reason why no machine plays, as a line for the user; `None` if some machine plays.
    fn lack(&self) -> Option<String> {
        if self.machines.is_empty() {
            return Some("no machine is playing: none lends games (hasami worker --games N)".to_owned());
        }
        let mut reasons: BTreeMap<String, (String, BTreeSet<&str>)> = BTreeMap::new();
        for KnownMachine { news, .. } in self.machines.values().filter(|machine| !machine.is_replaced) {
            let why = news.objection(&self.id)?;
            reasons.entry(why.to_string()).or_insert((why, BTreeSet::new())).1.insert(&news.name);
        }
        let reason = |(why, names): (String, BTreeSet<&str>)| {
            let names = hasami_words::text::listed(names.iter().copied());
            format!("{why} ({names})")
        };
        let and = |first, second| format!("{first}; {second}");
        let reasons = reasons.into_values().map(reason).reduce(and)?;
        Some(format!("no machine is playing: none has what these games need: {reasons}"))
    }

    /// Number of tasks that should be in the queue so that no machine has to wait for one.
    pub fn wanted(&self) -> usize {
        let machines = self.machines.values().filter(|machine| !machine.is_replaced);
        let games: usize = machines.map(|machine| machine.news.games as usize).sum();
        (2 * games).max(LEAST)
    }
}

/// Returns messages about a machine that has appeared or returned. If the machine's owner and the object store both
/// have an engine with the same name, a message says which one is used.
fn introduction(news: &LenderNews, card: &MatchCard, is_new_name: bool) -> Vec<String> {
    let LenderNews { name, processor, version, speed, .. } = news;
    let is_own = |name: &String| news.engines.contains(name);
    let twice = card.engines.iter().filter(|engine| !engine.is_exact && is_own(&engine.name));
    let line = |(engine, sha256): (&String, &str)| {
        format!("{name} plays with {engine} of its owner, not with that of the server (cmd={engine}@{sha256})")
    };
    let twice = twice.filter_map(|engine| Some((&engine.name, engine.sha256.as_deref()?.get(..12)?)));
    let (games, back) = (counted(u64::from(news.games), "game"), if is_new_name { "" } else { " is back," });
    let head = format!("machine {name}{back} lends {games} ({processor}, hasami {version}, {speed} nodes/s)");
    std::iter::once(head).chain(twice.map(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::task::{EngineName, VERSION};
    use hasami_words::{Language, Words};

    fn news(id: u64, games: u32) -> LenderNews {
        LenderNews {
            id,
            name: format!("pc{id}"),
            processor: "x".into(),
            version: "1".into(),
            speed: 5,
            engines: vec!["a".into()],
            fetches: id == 2,
            games,
            busy: 0,
            objections: BTreeMap::new(),
            seconds: 0,
            finished: 0,
            running: Vec::new(),
        }
    }

    fn engine(name: &str, sha256: Option<&str>) -> EngineName {
        EngineName { name: name.into(), sha256: sha256.map(str::to_owned), is_exact: false }
    }

    fn card(engines: Vec<EngineName>) -> MatchCard {
        MatchCard {
            version: VERSION,
            title: "a vs b".into(),
            game: "chess".into(),
            weight: 1,
            engines,
            tables: false,
            files: Vec::new(),
            without: Vec::new(),
            caller: String::new(),
        }
    }

    fn known(card: &MatchCard, now: Instant, machines: &[LenderNews]) -> KnownMachines {
        let mut known = KnownMachines::of("7", card, now);
        machines.iter().for_each(|news| _ = known.update(news.clone(), now));
        known
    }

    #[test]
    fn arrivals_and_departures_of_machines_are_reported() {
        let now = Instant::now();
        let mut known = known(&card(vec![engine("a", None)]), now, &[]);
        assert_eq!(known.wanted(), LEAST);
        let first = known.update(news(1, 40), now);
        assert_eq!(first, ["machine pc1 lends 40 games (x, hasami 1, 5 nodes/s)"]);
        assert_eq!(known.wanted(), 80);
        let later = now + SILENT;
        let lines = known.update(news(2, 1), later);
        assert_eq!(lines[0], "machine pc1 is gone");
        assert_eq!((lines.len(), known.wanted()), (2, LEAST));
        // Even the loss of the last machine is reported, although no machine is left to send announcements.
        let gone = known.look(later + SILENT);
        assert_eq!(gone, ["machine pc2 is gone", "no machine is playing: none lends games (hasami worker --games N)"]);
    }

    #[test]
    fn the_reason_why_nobody_plays_is_reported_once() {
        let now = Instant::now();
        let reasons = |card: &MatchCard, machines: &[LenderNews]| {
            let mut known = known(card, now, machines);
            assert_eq!(known.look(now), [""; 0], "not before all have been heard");
            let first = known.look(now + HEARD);
            assert_eq!(known.look(now + HEARD), [""; 0]);
            first
        };
        let plain = card(vec![engine("a", None)]);
        let both = [news(1, 1), news(2, 1)];
        assert_eq!(reasons(&plain, &both), [""; 0]);
        assert_eq!(reasons(&plain, &[]), ["no machine is playing: none lends games (hasami worker --games N)"]);
        let lacks = |what: &str| [format!("no machine is playing: none has what these games need: {what}")];
        let objecting = |id: u64, why: &str| LenderNews {
            objections: [("7".to_owned(), why.to_owned()), ("8".to_owned(), "another match".to_owned())].into(),
            ..news(id, 1)
        };
        assert_eq!(reasons(&plain, &[objecting(1, "files"), objecting(2, "files")]), lacks("files (pc1, pc2)"));
        assert_eq!(reasons(&plain, &[objecting(1, "files"), objecting(2, "x")]), lacks("files (pc1); x (pc2)"));
        assert_eq!(reasons(&plain, &[objecting(1, "files"), news(2, 1)]), [""; 0], "pc2 plays");
    }

    #[test]
    fn unknown_names_to_be_left_out_are_reported() {
        let now = Instant::now();
        let card = MatchCard { without: vec!["pc2".into(), "pc9".into()], ..card(vec![engine("a", None)]) };
        let mut known = known(&card, now, &[news(1, 1), news(2, 1)]);
        assert!(!known.has_heard_all(now) && known.has_heard_all(now + HEARD));
        let expected = "--without pc9: no machine of this name is here (here: pc1, pc2)";
        assert_eq!((known.strange_names(), known.strange_names()), (vec![expected.to_owned()], Vec::new()));
    }

    #[test]
    fn a_restarted_machine_is_reported_as_back_and_not_as_gone() {
        let now = Instant::now();
        let later = |seconds| now + Duration::from_secs(seconds);
        let mut known = known(&card(vec![engine("a", None)]), now, &[news(1, 40)]);
        let again = LenderNews { id: 8, ..news(1, 40) };
        let back = ["machine pc1 is back, lends 40 games (x, hasami 1, 5 nodes/s)"];
        assert_eq!(known.update(again.clone(), later(1)), back);
        assert_eq!((known.wanted(), known.present().count()), (80, 1), "it is one machine");
        let silent = known.update(again.clone(), later(10));
        assert_eq!((silent, known.machines.len()), (Vec::new(), 1), "the dead one is forgotten");
        assert_eq!(known.look(later(30))[0], "machine pc1 is gone");
        assert_eq!(known.update(again, later(31)), back);
    }

    #[test]
    fn machines_are_shown_on_the_page_in_the_language_of_the_user() {
        let now = Instant::now();
        let mut known = known(&card(vec![engine("b", None)]), now, &[]);
        known.update(LenderNews { busy: 1, ..news(1, 4) }, now);
        let lines: Vec<String> = known.lines().iter().map(|line| line.said(Words::of(Language::Japanese))).collect();
        assert_eq!(lines, ["pc1：4局のうち1局を対局中、毎秒5局面、x"]);
    }

    #[test]
    fn use_of_the_owner_s_engine_is_reported_if_the_server_has_one_of_its_name() {
        let now = Instant::now();
        let sha256 = "0123456789abcdef";
        let mut known = known(&card(vec![engine("a", Some(sha256))]), now, &[]);
        let lines = known.update(news(1, 1), now);
        assert_eq!(lines[1], "pc1 plays with a of its owner, not with that of the server (cmd=a@0123456789ab)");
        let exact = EngineName { is_exact: true, ..engine("a", Some(sha256)) };
        known = KnownMachines::of("7", &card(vec![exact]), now);
        assert_eq!(known.update(news(1, 1), now).len(), 1);
    }
}
