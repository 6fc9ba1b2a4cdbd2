//! Options of the engine that are set on a command line.

use super::Failure;
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use hasami_tree::rules::TreeRules;

/// Sets each `NAME=VALUE` as a GUI would.
pub fn set(settings: &mut Settings, catalog: &dyn Catalog, words: &[String]) -> Result<(), Failure> {
    for word in words {
        let (name, value) = word
            .split_once('=')
            .ok_or_else(|| Failure::at("--option", format!("expected NAME=VALUE, found '{word}'")))?;
        catalog.options().apply(settings, name, Some(value)).map_err(|why| Failure::at("--option", why))?;
    }
    // Unreadable tree rules are rejected, because the engine would silently replace them with the default rules.
    TreeRules::parse(&settings.tree_rules).map(|_| ()).map_err(|why| Failure::at("--option", why))
}
