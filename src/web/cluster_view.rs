//! The view of a whole cluster: the machines with their slots, the masters that use the slots, and the lost machines.

use super::cells;
use super::facts::{ClusterFacts, MachineFacts, MasterFacts, SlotFacts};
use super::lent_games::{self, span};
use super::server::WebPage;
use super::view::{PagePart, Query, View};
use hasami_words::Words;
use hasami_words::text::grouped;
use maud::{Markup, html};
use std::collections::BTreeSet;
use std::time::Duration;

/// Maximum number of machines to list; the totals include all machines.
const MACHINES: usize = 500;

impl ClusterFacts {
    fn slots(&self) -> impl Iterator<Item = &SlotFacts> {
        self.machines.iter().flat_map(|machine| &machine.slots)
    }

    fn slots_lent(&self) -> usize {
        self.slots().filter(|slot| slot.owner.is_some()).count()
    }

    fn games_running(&self) -> u64 {
        self.lenders.iter().map(|machine| u64::from(machine.busy)).sum()
    }

    fn games_lent(&self) -> u64 {
        self.lenders.iter().map(|machine| u64::from(machine.games)).sum()
    }

    fn speed(&self) -> u64 {
        self.slots().filter_map(|slot| slot.speed).sum()
    }
}

pub struct ClusterPage {
    page: WebPage,
    place: String,
}

impl ClusterPage {
    pub fn new(page: WebPage, place: String) -> Self {
        let this = Self { page, place };
        this.update(ClusterFacts::default());
        this
    }

    /// Shows the current members of the cluster on the page.
    pub fn update(&self, facts: ClusterFacts) {
        self.page.show(ClusterView { place: self.place.clone(), facts });
    }
}

struct ClusterView {
    place: String,
    facts: ClusterFacts,
}

impl ClusterView {
    fn status(&self, words: &Words) -> Markup {
        let facts = &self.facts;
        html! {
            p class="state" { (self.place) }
            dl {
                dt { (words.get("machines")) } dd { (facts.machines.len()) }
                dt { (words.get("slots")) } dd { (words.with("lent-of", &[("lent", (facts.slots_lent() as u64).into()), ("all", (facts.slots().count() as u64).into())])) }
                dt { (words.get("masters")) } dd { (facts.masters.len()) }
                dt { (words.get("speed")) } dd { (words.with("per-second", &[("count", (&grouped(facts.speed())).into())])) }
                dt { (words.get("game-lenders")) } dd { (facts.lenders.len()) }
                dt { (words.get("running-games")) } dd { (words.with("running-of", &[("running", facts.games_running().into()), ("all", facts.games_lent().into())])) }
            }
        }
    }

    fn machines(&self, words: &Words) -> Markup {
        let more = self.facts.machines.len().saturating_sub(MACHINES);
        html! {
            @if self.facts.machines.is_empty() { p class="quiet" { (words.get("nobody-there")) } }
            @else {
                table class="stack" {
                    (cells::thead(&["machine", "slots", "speed", "up", "serves", "version"], &["slots", "speed", "up"], words))
                    tbody { @for machine in self.facts.machines.iter().take(MACHINES) { (machine.row(words)) } }
                }
                @if more > 0 { p class="quiet" { (words.with("machines-more", &[("count", (more as u64).into())])) } }
            }
        }
    }

    fn masters(&self, words: &Words) -> Markup {
        html! {
            @if self.facts.masters.is_empty() { p class="quiet" { (words.get("nobody-there")) } }
            @else {
                table class="stack" {
                    (cells::thead(&["master", "game", "slots", "lost-machines", "version"], &["slots"], words))
                    tbody { @for master in &self.facts.masters {
                        tr {
                            th scope="row" { (master.name) }
                            (cells::text("game", words.get(&master.game), words))
                            (cells::number("slots", master.slots, words))
                            (cells::text("lost-machines", master.lost(words), words))
                            (cells::text("version", &master.version, words))
                        }
                    } }
                }
            }
        }
    }
}

impl MachineFacts {
    fn row(&self, words: &Words) -> Markup {
        let lent = self.slots.iter().filter(|slot| slot.owner.is_some()).count();
        let serves: BTreeSet<&str> =
            self.slots.iter().filter_map(|slot| Some(slot.owner.as_ref()?.0.as_str())).collect();
        html! {
            tr {
                th scope="row" { a data-detail id={ "machine-" (self.id) } href={ "?machine=" (self.id) } { (self.name) } }
                (cells::number("slots", format!("{lent}/{}", self.slots.len()), words))
                (cells::number("speed", grouped(self.slots.iter().filter_map(|slot| slot.speed).sum()), words))
                (cells::number("up", span(self.up, words), words))
                (cells::text("serves", serves.into_iter().collect::<Vec<_>>().join(", "), words))
                (cells::text("version", &self.version, words))
            }
        }
    }

    /// Renders the table of a machine's slots, one slot per row.
    pub fn slot_table(&self, words: &Words) -> Markup {
        html! {
            table class="stack" {
                thead { tr { (cells::heads(&["slot", "engine", "network", "speed", "serves", "task"], &["slot", "speed"], words)) } }
                tbody { @for (index, slot) in self.slots.iter().enumerate() {
                    tr {
                        (cells::number("slot", index + 1, words))
                        (cells::text("engine", words.with("slot-engine", &[("engine", slot.engine.as_str().into())]), words))
                        (cells::text("network", slot.network.as_deref().unwrap_or_default(), words))
                        (cells::number("speed", slot.speed.map(grouped).unwrap_or_default(), words))
                        (cells::text("serves", slot.serves(words), words))
                        (cells::text("task", slot.searches(words), words))
                    }
                } }
            }
        }
    }
}

impl MasterFacts {
    fn lost(&self, words: &Words) -> Markup {
        html! { @for (name, ago, why) in &self.lost {
            div { (words.with("lost-ago", &[("name", name.into()), ("span", (&span(*ago, words)).into())])) ": " (why) }
        } }
    }
}

impl SlotFacts {
    fn searches(&self, words: &Words) -> String {
        let since = |busy: Duration| words.with("since", &[("span", (&format!("{:.1} s", busy.as_secs_f64())).into())]);
        self.busy.map(since).unwrap_or_default()
    }

    fn serves(&self, words: &Words) -> String {
        self.owner.as_ref().map_or_else(|| words.get("free"), |(name, game)| format!("{name} ({})", words.get(game)))
    }
}

impl View for ClusterView {
    fn kind(&self) -> &'static str {
        "cluster"
    }

    fn title(&self, words: &Words) -> String {
        words.get("cluster")
    }

    fn parts(&self, words: &Words) -> Vec<PagePart> {
        vec![
            PagePart::new("status", "", self.status(words)),
            PagePart::new("list", "machines", self.machines(words)),
            PagePart::new("live", "game-lenders", lent_games::table(&self.facts.lenders, words)),
            PagePart::new("table", "masters", self.masters(words)),
        ]
    }

    fn detail(&self, query: &Query, words: &Words) -> Option<Markup> {
        if let Some(wanted) = query.get("loan") {
            let machine = self.facts.lenders.iter().find(|machine| machine.shown_id() == wanted)?;
            let rows = html! { table class="facts" { (lent_games::rows(machine, words)) } };
            return Some(html! { h2 { (machine.name) } (rows) (lent_games::running(&machine.running, words)) });
        }
        let wanted = query.get("machine")?;
        let machine = self.facts.machines.iter().find(|machine| machine.id == wanted)?;
        Some(html! { h2 { (machine.name) } (machine.slot_table(words)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MasterFacts;
    use hasami_matches::lender::{LenderNews, RunningGame};
    use hasami_words::Language;

    fn facts(machines: &[&str], masters: &[&str]) -> ClusterFacts {
        let machine = |name: &&str| MachineFacts {
            id: format!("id-{name}"),
            name: (*name).to_owned(),
            slots: vec![
                SlotFacts { owner: Some(("desk".into(), "chess".into())), speed: Some(1_000), ..SlotFacts::default() },
                SlotFacts::default(),
            ],
            ..MachineFacts::default()
        };
        let master = |name: &&str| MasterFacts { name: (*name).to_owned(), ..MasterFacts::default() };
        let lenders = Vec::new();
        ClusterFacts {
            machines: machines.iter().map(machine).collect(),
            masters: masters.iter().map(master).collect(),
            lenders,
        }
    }

    #[test]
    fn a_machine_shows_the_games_that_it_plays() {
        let game = RunningGame {
            title: "new vs old".into(),
            caller: "desk".into(),
            game: 16,
            players: ["new".into(), "old".into()],
            plies: 23,
            seconds: Some(12),
            ..RunningGame::default()
        };
        let lender = LenderNews {
            id: 7,
            name: "cellar".into(),
            games: 8,
            busy: 3,
            running: vec![game],
            engines: vec!["sf".into()],
            ..LenderNews::default()
        };
        let old = LenderNews { id: 8, running: Vec::new(), ..lender.clone() };
        let facts = ClusterFacts { lenders: vec![lender, old], ..facts(&[], &[]) };
        let view = ClusterView { place: "nats://pc1".into(), facts };
        let words = Words::of(Language::English);
        let text: String = view.parts(words).into_iter().map(|part| part.content.into_string()).collect();
        assert!(text.contains("3/8") && text.contains("cellar") && text.contains("sf"), "{text}");
        let chosen = |id: &str| view.detail(&Query::new(vec![("loan".into(), id.into())]), words);
        let detail = chosen("0000000000000007").map(Markup::into_string).unwrap_or_default();
        assert!(
            ["new vs old", "desk", "new - old", ">23<", "12 s"].iter().all(|part| detail.contains(part)),
            "{detail}"
        );
        let detail = chosen("0000000000000008").map(Markup::into_string).unwrap_or_default();
        assert!(detail.contains(&words.get("nothing-yet")), "{detail}");
        assert!(chosen("9").is_none());
    }

    #[test]
    fn a_machine_shows_its_slots_and_counts_them() {
        let view = ClusterView { place: "nats://pc1".into(), facts: facts(&["attic", "cellar"], &["desk"]) };
        for language in Language::ALL {
            let words = Words::of(language);
            let machine = Query::new(vec![("machine".into(), "id-attic".into())]);
            let detail = view.detail(&machine, words).map(Markup::into_string).unwrap_or_default();
            assert!(detail.contains("desk (") && detail.contains(&words.get("free")), "{detail}");
            assert_eq!(view.parts(words).len(), 4);
        }
        let nobody = Query::new(vec![("machine".into(), "id-garage".into())]);
        assert!(view.detail(&nobody, Words::of(Language::English)).is_none());
        let status = view.status(Words::english()).into_string();
        for part in ["2 of 4 lent", "2,000 a second"] {
            assert!(status.contains(part), "{part}: {status}");
        }
    }
}
