//! Reads the children file, which lists the engines that serve as workers (option `Children`).
//!
//! ```toml
//! [[engine]]
//! name = "stockfish"             # shown in pictures and logs; default: the program's name
//! command = "/usr/games/stockfish"   # or ["ssh", "host", "stockfish"]
//! protocol = "uci"               # or "usi"; default: that of the game
//! count = 4                      # number of processes; default 1
//! weight = 1.5                   # speed relative to the others; default 1.0
//! dir = "engines"                # working folder, relative to this file
//! searchmoves = true             # understands `go searchmoves`; default: yes in UCI, no in USI
//! limits = true                  # obeys `go nodes` and `go depth`; default: yes, except for some known engines
//! mate = false                   # true: a mate engine (USI), used only with `go mate`
//! start_seconds = 30             # time allowed from the start to the first `readyok`
//! options = { Hash = 64, Threads = 1 }
//!
//! [cluster]                      # workers of other machines (docs/guide/cluster.md)
//! servers = "tls://HOST"         # or several, separated by commas; the option Cluster takes precedence
//! creds = "me.creds"             # credentials, relative to this file
//! tls_ca = "ca.pem"              # certificates to trust in addition to the system's
//! name = "study"                 # shown to users; default: the machine's name
//! weight = 2                     # share of the workers if there are several masters; default 1
//! workers = 4                    # largest number of workers on each machine; default: all
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::membership::Membership;
use hasami_child::{Launch, LaunchError};
use hasami_protocol::Protocol;
use hasami_words::files;
use hasami_words::text::{self, At};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;
use toml::Spanned;

/// Default time limit for the start of an engine, long enough to load a network of one GiB from a slow disk.
const START: Duration = Duration::from_secs(30);

/// The most processes that one entry may start, and the most workers per machine. The limit keeps a typing error from
/// starting a million processes.
const MOST: i64 = 4_096;

/// Maximum size of a children file in bytes, enough for [`MOST`] separate entries.
const LONGEST: u64 = 4 << 20;

/// A child engine to be started.
#[derive(Clone, PartialEq, Debug)]
pub struct ChildSpec {
    pub name: String,
    pub launch: Launch,
    /// The protocol of the engine; `None` if the engine uses the protocol of the game that is played.
    pub protocol: Option<Protocol>,
    pub weight: f64,
    pub options: Vec<(String, String)>,
    /// Whether the engine understands `go searchmoves`; `None` if the protocol and the engine's quirks decide.
    pub searchmoves: Option<bool>,
    /// Whether the engine obeys `go nodes` and `go depth`; `None` if the engine's quirks decide.
    pub limits: Option<bool>,
    /// Whether the engine is a mate engine, which answers only `go mate`, with `checkmate` (USI).
    pub mate: bool,
    /// Time allowed from the start of the engine to its first `readyok`, and between two output lines during the start.
    pub start_time: Duration,
}

impl ChildSpec {
    /// Creates the specification of an engine from its command line alone.
    pub fn from_command(command: &str) -> Result<Self, LaunchError> {
        let launch = Launch::parse(command)?;
        Ok(Self::new(launch.short_name(), launch))
    }

    /// Returns true if the engine can play games over `protocol`.
    pub fn speaks(&self, protocol: Protocol) -> bool {
        let spoken = if self.mate { Some(Protocol::Usi) } else { self.protocol };
        spoken.is_none_or(|spoken| spoken == protocol)
    }

    pub fn new(name: String, launch: Launch) -> Self {
        Self {
            name,
            launch,
            protocol: None,
            weight: 1.0,
            options: Vec::new(),
            searchmoves: None,
            limits: None,
            mate: false,
            start_time: START,
        }
    }
}

/// The contents of a children file (option `Children`).
#[derive(Clone, PartialEq, Debug)]
pub struct Children {
    /// The engines, with one entry for each process to be started.
    pub engines: Vec<ChildSpec>,
    pub cluster: Option<Membership>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "[[engine]] tables")]
struct ChildrenFile {
    #[serde(default)]
    engine: Vec<Spanned<EngineTable>>,
    cluster: Option<ClusterTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the table of a cluster")]
struct ClusterTable {
    #[serde(default)]
    servers: String,
    creds: Option<String>,
    tls_ca: Option<String>,
    name: Option<String>,
    weight: Option<Spanned<i64>>,
    workers: Option<Spanned<i64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the table of an engine")]
struct EngineTable {
    name: Option<String>,
    command: Spanned<CommandLine>,
    protocol: Option<Spanned<String>>,
    count: Option<Spanned<i64>>,
    weight: Option<Spanned<f64>>,
    dir: Option<String>,
    searchmoves: Option<bool>,
    limits: Option<bool>,
    #[serde(default)]
    mate: bool,
    start_seconds: Option<u32>,
    #[serde(default)]
    options: BTreeMap<String, Spanned<toml::Value>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a command line or an array of its words")]
enum CommandLine {
    Text(String),
    Words(Vec<String>),
}

/// Reads a children file. An error is one line of text that names the file.
pub fn read(path: &Path) -> Result<Children, String> {
    let shown = path.display();
    let bytes = files::read(path, "TOML file", LONGEST).map_err(|why| why.at(&shown))?;
    let source = String::from_utf8(bytes).map_err(|why| format!("{shown}: cannot read the TOML file: {why}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&source, folder).map_err(|(at, why)| format!("{shown}:{}: {why}", line_of(&source, at)))
}

/// Parses the text of a children file. Relative paths are resolved against `folder`. An error gives the byte position of the
/// fault and describes it in a line of text.
pub fn parse(source: &str, folder: &Path) -> Result<Children, (usize, String)> {
    let file: ChildrenFile = toml::from_str(source).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let is_table = |file: toml::Table| file.get("engine").is_some_and(toml::Value::is_table);
        if toml::from_str(source).is_ok_and(is_table) {
            return (at, "expected [[engine]], found [engine]".to_owned());
        }
        (at, text::toml_fault(source, &error).1)
    })?;
    let cluster = file.cluster.as_ref().map(|cluster| membership(cluster, folder)).transpose()?;
    if file.engine.is_empty() && cluster.is_none() {
        return Err((0, "expected at least one [[engine]], found none".to_owned()));
    }
    let mut engines = Vec::new();
    for entry in &file.engine {
        engines.append(&mut expand(entry.get_ref(), folder)?);
    }
    Ok(Children { engines, cluster })
}

fn membership(cluster: &ClusterTable, folder: &Path) -> Result<Membership, (usize, String)> {
    let within = |number: &Spanned<i64>, most: i64, what: &str| match *number.get_ref() {
        found if (1..=most).contains(&found) => Ok(found),
        found => wrong(number.span(), &format!("{what} from 1 to {most}"), found),
    };
    let weight = cluster.weight.as_ref().map(|number| within(number, 1_000, "a weight")).transpose()?;
    let workers = cluster.workers.as_ref().map(|number| within(number, MOST, "workers")).transpose()?;
    let path = |text: &Option<String>| text.as_ref().map(|text| folder.join(text));
    Ok(Membership {
        servers: cluster.servers.clone(),
        creds: path(&cluster.creds),
        tls_ca: path(&cluster.tls_ca),
        name: cluster.name.as_deref().map(text::visible),
        weight: weight.map_or(1, |weight| weight as u16),
        workers: workers.map(|workers| workers as u32),
    })
}

/// Adds a number to each name that several engines share, since pictures and logs identify workers by name.
pub fn tell_apart(children: &mut [ChildSpec]) {
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    children.iter().for_each(|child| *names.entry(child.name.clone()).or_default() += 1);
    names.retain(|_, count| *count > 1);
    for child in children.iter_mut().rev() {
        if let Some(number) = names.get_mut(&child.name) {
            child.name = format!("{}#{number}", child.name);
            *number -= 1;
        }
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1
}

fn wrong<T>(span: Range<usize>, expected: &str, found: impl Display) -> Result<T, (usize, String)> {
    Err((span.start, format!("expected {expected}, found {found}")))
}

/// Returns the specification of an entry, repeated `count` times.
fn expand(entry: &EngineTable, folder: &Path) -> Result<Vec<ChildSpec>, (usize, String)> {
    let spec = one(entry, folder)?;
    let count = entry.count.as_ref().map_or(1, |count| *count.get_ref());
    match &entry.count {
        Some(span) if !(1..=MOST).contains(&count) => {
            return wrong(span.span(), &format!("count from 1 to {MOST}"), count);
        }
        Some(_) => {}
        None => return Ok(vec![spec]),
    }
    let numbered = |number| ChildSpec { name: format!("{}#{number}", spec.name), ..spec.clone() };
    Ok((1..=count).map(numbered).collect())
}

fn one(entry: &EngineTable, folder: &Path) -> Result<ChildSpec, (usize, String)> {
    let mut launch = launch(&entry.command)?.beside(folder);
    let name = text::visible(&entry.name.clone().unwrap_or_else(|| launch.short_name()));
    if let Some(dir) = &entry.dir {
        launch = launch.in_dir(&folder.join(dir));
    }
    let protocol = entry.protocol.as_ref().map(protocol).transpose()?;
    let weight = entry.weight.as_ref().map_or(1.0, |weight| *weight.get_ref());
    if let Some(span) = &entry.weight
        && !(weight.is_finite() && weight > 0.0)
    {
        return wrong(span.span(), "a weight above 0", weight);
    }
    if let (true, Some(Protocol::Uci), Some(word)) = (entry.mate, protocol, &entry.protocol) {
        return wrong(word.span(), "protocol \"usi\" for an engine with mate = true", "\"uci\"");
    }
    let options = entry.options.iter().map(option).collect::<Result<_, _>>()?;
    let start_time = entry.start_seconds.map_or(START, |seconds| Duration::from_secs(seconds.into()));
    let (searchmoves, limits, mate) = (entry.searchmoves, entry.limits, entry.mate);
    Ok(ChildSpec { protocol, weight, options, searchmoves, limits, mate, start_time, ..ChildSpec::new(name, launch) })
}

fn launch(command: &Spanned<CommandLine>) -> Result<Launch, (usize, String)> {
    let launch = match command.get_ref() {
        CommandLine::Text(text) => Launch::parse(text),
        CommandLine::Words(words) => Launch::from_words(words.clone()),
    };
    launch.map_err(|error| (command.span().start, error.to_string()))
}

fn protocol(word: &Spanned<String>) -> Result<Protocol, (usize, String)> {
    match word.get_ref().to_ascii_lowercase().as_str() {
        "uci" => Ok(Protocol::Uci),
        "usi" => Ok(Protocol::Usi),
        other => wrong(word.span(), "protocol \"uci\" or \"usi\"", format_args!("\"{other}\"")),
    }
}

/// Converts the value of an engine option (a string, number or boolean) to the text that the engine is sent.
fn option((name, value): (&String, &Spanned<toml::Value>)) -> Result<(String, String), (usize, String)> {
    let text = match value.get_ref() {
        toml::Value::String(text) if !text.contains(['\n', '\r']) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(truth) => truth.to_string(),
        other => {
            let found = format_args!("a value of type {}", other.type_str());
            return wrong(value.span(), &format!("option {name} as one line of text, a number, true or false"), found);
        }
    };
    Ok((name.clone(), text))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn error(text: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("children.toml");
        std::fs::write(&path, text).unwrap();
        let error = read(&path).unwrap_err();
        error.strip_prefix(dir.path().to_str().unwrap()).unwrap().to_owned()
    }

    #[test]
    fn a_full_entry() {
        let text = r#"
            [[engine]]
            name = "sf"
            command = "stockfish --x 'a b'"
            protocol = "uci"
            count = 2
            weight = 1.5
            options = { Hash = 64, Ponder = false, "Skill Level" = "20" }
            [[engine]]
            command = ["ssh", "host", "engine"]
            protocol = "USI"
            mate = true
            weight = 2
        "#;
        let specs = parse(text, Path::new("/etc")).unwrap().engines;
        let names: Vec<_> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, ["sf#1", "sf#2", "ssh"]);
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = [option("Hash", "64"), option("Ponder", "false"), option("Skill Level", "20")];
        assert_eq!(specs[1].options, expected);
        assert_eq!((specs[1].weight, specs[1].protocol), (1.5, Some(Protocol::Uci)));
        assert_eq!((specs[2].protocol, specs[2].mate, specs[2].searchmoves), (Some(Protocol::Usi), true, None));
        assert_eq!(specs[2].start_time, START);
    }

    #[test]
    fn a_cluster_is_part_of_the_file_or_all_of_it() {
        let text = "[cluster]\nservers = 'tls://pc1'\ncreds = 'me.creds'\nname = 'study'\nweight = 2\nworkers = 4";
        let found = parse(text, Path::new("/etc")).unwrap();
        assert_eq!(found.engines, []);
        let cluster = found.cluster.unwrap();
        assert_eq!((cluster.servers.as_str(), cluster.weight, cluster.workers), ("tls://pc1", 2, Some(4)));
        assert_eq!(cluster.creds.as_deref(), Some(Path::new("/etc/me.creds")));
        assert_eq!(parse("[cluster]", Path::new("")).unwrap().cluster, Some(Membership::of("")));
        assert_eq!(error("[cluster]\nweight = 0"), "/children.toml:2: expected a weight from 1 to 1000, found 0");
        assert_eq!(error("[cluster]\nworkers = 0"), "/children.toml:2: expected workers from 1 to 4096, found 0");
    }

    #[test]
    fn a_name_is_one_line() {
        let specs = parse("[[engine]]\nname = \"a\\nb\"\ncommand = \"x\"", Path::new("")).unwrap().engines;
        assert_eq!(specs[0].name, "a\\nb");
    }

    #[test]
    fn engines_of_the_same_name_are_numbered() {
        let mut children: Vec<ChildSpec> =
            ["/a/x", "y", "/b/x"].iter().map(|command| ChildSpec::from_command(command).unwrap()).collect();
        tell_apart(&mut children);
        assert_eq!(children.iter().map(|child| child.name.as_str()).collect::<Vec<_>>(), ["x#1", "y", "x#2"]);
    }

    #[test]
    fn errors_name_the_file_the_line_and_what_was_expected_and_found() {
        for (text, expected) in [
            ("", "/children.toml:1: expected at least one [[engine]], found none"),
            ("[[engine]]\ncommand = \"x\"\ncount = 0", "/children.toml:3: expected count from 1 to 4096, found 0"),
            ("[[engine]]\ncommand = \"x\"\ncount = -1", "/children.toml:3: expected count from 1 to 4096, found -1"),
            (
                "[[engine]]\ncommand = \"x\"\ncount = 9999",
                "/children.toml:3: expected count from 1 to 4096, found 9999",
            ),
            ("\n[engine]\ncommand = \"x\"", "/children.toml:2: expected [[engine]], found [engine]"),
            (
                "[[engine]]\ncommand = \"x\"\nprotocol = \"xboard\"",
                "/children.toml:3: expected protocol \"uci\" or \"usi\", found \"xboard\"",
            ),
            (
                "[[engine]]\ncommand = \"x\"\nmate = true\nprotocol = \"uci\"",
                "/children.toml:4: expected protocol \"usi\" for an engine with mate = true, found \"uci\"",
            ),
            ("[[engine]]\ncommand = ''", "/children.toml:2: expected a command line, found nothing"),
            ("[[engine]]\ncommand = \"x\"\nweight = -1.0", "/children.toml:3: expected a weight above 0, found -1"),
            (
                "[[engine]]\ncommand = \"x\"\n\n[engine.options]\nHash = [1]",
                "/children.toml:5: expected option Hash as one line of text, a number, true or false, \
                 found a value of type array",
            ),
        ] {
            assert_eq!(error(text), expected);
        }
        for (text, line, word) in [
            ("[[engine]]\nname = \"x\"", 1, "missing field `command`"),
            ("[[engine]]\ncommand = \"x\"\ncolour = 1", 3, "colour"),
            ("[[engine]]\ncommand = 5", 2, "expected a command line or an array of its words"),
            ("[[engine]]\ncommand = \"x\"\ncount = \"two\"", 3, "invalid type: string \"two\", expected i64"),
            ("[[engine]]\ncommand = \"x\"\nname = 7", 3, "invalid type: integer `7`, expected a string"),
            ("[[engine]]\nname = \"a\\nb\"\ncommand = \"x\"\nweight = 0", 4, "expected a weight above 0, found 0"),
            ("engine = 5", 1, "invalid type: integer `5`, expected a sequence"),
            ("[[engine\n", 1, "expected"),
        ] {
            let found = error(text);
            assert!(found.starts_with(&format!("/children.toml:{line}: ")) && found.contains(word), "{found}");
            assert_eq!(found.lines().count(), 1);
        }
        let missing = read(Path::new("/nonexistent.toml")).unwrap_err();
        assert!(missing.starts_with("/nonexistent.toml: cannot read the TOML file"), "{missing}");
        let long = "#".repeat(LONGEST as usize + 1);
        assert_eq!(error(&long), "/children.toml: cannot read the TOML file: it is larger than 4194304 bytes");
    }
}
