//! No import goes round in a circle: not among the files of an engine's crate, and not among the top-level modules of the
//! program.

use crate::imports::{code, is_of_a_crate, rust_files, top_level};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module by its path from the root of its crate, which is empty itself.
type Module = Vec<String>;
/// Who imports whom.
type Graph = BTreeMap<Module, BTreeSet<Module>>;

/// The one search that is allowed to be a circle: its functions call each other at every node, and live in files by phase.
const ONE_SEARCH: &str = "alphabeta";

#[test]
fn no_imports_go_round_inside_an_engine() {
    let engines = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines");
    let mut faults = Vec::new();
    for entry in std::fs::read_dir(&engines).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let graph = imports_of(&folder.join("src"));
        let found = circles(&graph);
        let allowed = usize::from(name == ONE_SEARCH);
        if found.len() > allowed {
            faults.extend(found.iter().map(|circle| format!("engines/{name}: {circle}")));
        }
    }
    assert!(faults.is_empty(), "these modules import each other:\n{}", faults.join("\n"));
}

#[test]
fn no_imports_go_round_among_the_modules_of_the_program() {
    let graph = imports_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let mut tops = Graph::new();
    for (module, imported) in graph.iter().filter(|(module, _)| !module.is_empty()) {
        let imported = imported.iter().filter(|other| !other.is_empty()).map(|other| other[..1].to_vec());
        tops.entry(module[..1].to_vec()).or_default().extend(imported.filter(|other| *other != module[..1]));
    }
    assert!(tops.len() > 10, "expected the modules of the program");
    let found = circles(&tops);
    assert!(found.is_empty(), "these modules import each other:\n{}", found.join("\n"));
}

/// The imports of every file of a crate but its root, which only declares and re-exports.
fn imports_of(root: &Path) -> Graph {
    let mut files = Vec::new();
    rust_files(root, &mut files);
    files.retain(|path| !is_of_a_crate(path, root));
    assert!(!files.is_empty(), "expected sources in {}", root.display());
    Sources::new(files.iter().map(|file| (module_of(file.strip_prefix(root).unwrap()), code(file))).collect()).graph()
}

/// `core/dfpn/look.rs` is `core::dfpn::look`, `core/mod.rs` is `core`, `lib.rs` and `main.rs` are the root.
fn module_of(file: &Path) -> Module {
    let mut module: Module = file.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if module.last().is_some_and(|last| last == "mod") || module == ["lib"] || module == ["main"] {
        module.pop();
    }
    module
}

/// The modules of a crate with their code.
struct Sources {
    modules: BTreeMap<Module, String>,
    /// The origin of a re-exported name: an import of it is an import from there.
    exports: BTreeMap<Module, Module>,
}

impl Sources {
    fn new(modules: BTreeMap<Module, String>) -> Self {
        let mut sources = Self { modules, exports: BTreeMap::new() };
        let mut exports = BTreeMap::new();
        for (module, code) in &sources.modules {
            let (exported, _) = split_exports(code);
            for path in exported.iter().flat_map(|export| tree(export).0) {
                if let (Some(full), Some(name)) = (sources.full(module, &path), path.last()) {
                    let here = [&module[..], std::slice::from_ref(name)].concat();
                    exports.extend((here != full).then_some((here, full)));
                }
            }
        }
        sources.exports = exports;
        sources
    }

    fn graph(&self) -> Graph {
        let edges = |(module, code): (&Module, &String)| (module.clone(), self.imported_by(module, code));
        self.modules.iter().filter(|(module, _)| !module.is_empty()).map(edges).collect()
    }

    fn imported_by(&self, module: &Module, code: &str) -> BTreeSet<Module> {
        let (_, code) = split_exports(code);
        let mut imported = BTreeSet::new();
        for mut full in paths(&code).iter().filter_map(|path| self.full(module, path)) {
            while !self.modules.contains_key(&full) {
                match self.exports.get(&full) {
                    Some(meant) => full.clone_from(meant),
                    None => drop(full.pop()),
                }
            }
            imported.insert(full);
        }
        imported.remove(module);
        imported
    }

    /// A path that begins in this crate, from its root on.
    fn full(&self, module: &Module, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let child = [&module[..], std::slice::from_ref(first)].concat();
        let mut full = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.clone(),
            "super" => module[..module.len().saturating_sub(1)].to_vec(),
            _ if self.modules.contains_key(&child) => child,
            _ => return None,
        };
        for part in rest {
            match part.as_str() {
                "super" => drop(full.pop()),
                _ => full.push(part.clone()),
            }
        }
        Some(full)
    }
}

/// Names re-exported by `pub use` and the like, and the rest of the code.
fn split_exports(code: &str) -> (Vec<&str>, String) {
    let (mut exported, mut rest) = (Vec::new(), String::new());
    for statement in code.split_inclusive(';') {
        match statement.split_once(" use ") {
            Some((before, export)) if before.rsplit('\n').next().is_some_and(|line| line.starts_with("pub")) => {
                exported.push(export);
                rest.push_str(before);
            }
            _ => rest.push_str(statement),
        }
    }
    (exported, rest)
}

/// All paths in the code, groups in braces taken apart.
fn paths(code: &str) -> Vec<Vec<String>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut rest) = (Vec::new(), code);
    while let Some(at) = rest.find("::") {
        let first = rest[..at].trim_end_matches(is_word).len();
        let (words, after) = tree(&rest[first..]);
        found.extend(words);
        rest = after;
    }
    found
}

/// The paths that begin here, and the code after them.
fn tree(code: &str) -> (Vec<Vec<String>>, &str) {
    let code = code.trim_start();
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    let (word, mut rest) = code.split_at(end);
    let mut tails = vec![Vec::new()];
    if let Some(after) = rest.strip_prefix("::") {
        match after.strip_prefix('{') {
            Some(group) => {
                let parts = top_level(group);
                tails = parts.iter().flat_map(|part| tree(part).0).collect();
                rest = parts.last().map_or(group, |last| &group[last.as_ptr() as usize - group.as_ptr() as usize..]);
                rest = &rest[parts.last().map_or(0, |last| last.len())..];
            }
            None => (tails, rest) = tree(after),
        }
    }
    let with_word = |tail: Vec<String>| [vec![word.to_owned()], tail].concat();
    (tails.into_iter().map(with_word).collect(), rest)
}

/// The groups of modules each of which imports all others by some way, as text.
fn circles(graph: &Graph) -> Vec<String> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = graph.keys().map(|from| (from, reach(graph, from))).collect();
    let mut groups = BTreeSet::new();
    for (&module, others) in reached.iter().filter(|(module, others)| others.contains(*module)) {
        let group: Vec<String> =
            others.iter().filter(|&&other| reached[other].contains(module)).map(|other| other.join("::")).collect();
        groups.insert(group.join(", "));
    }
    groups.into_iter().collect()
}

/// All modules that one imports, whatever lies between.
fn reach<'a>(graph: &'a Graph, from: &Module) -> BTreeSet<&'a Module> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        for next in graph.get(module).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

#[test]
fn a_circle_is_found() {
    let modules = [
        ("", "pub use b::B;"),
        ("a", "use crate::B;"),
        ("b", "use super::d;\nmod c;\nuse c::C;\nuse std::fmt;\npub struct B;"),
        ("b::c", "fn f() { super::super::d::g() }"),
        ("d", "use std::{fmt, io::{self, Read}};\nfn g() { let x = crate::a::X; }"),
        ("e", "pub use e::f;"),
        ("e::f", "use super::G;"),
    ];
    let modules = modules.map(|(name, code)| {
        (name.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect(), code.to_owned())
    });
    let mut graph = Sources::new(modules.into()).graph();
    assert_eq!(circles(&graph), ["a, b, b::c, d"]);
    graph.insert(vec!["d".into()], BTreeSet::new());
    assert!(circles(&graph).is_empty(), "{graph:?}");
}
