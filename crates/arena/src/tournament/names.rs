//! Names of agents in the manifest of a run that somebody else may have written.

use tabia_core::printable;
use tabia_run::Manifest;
use toml::Value;

/// Replaces what a terminal would obey in the names of agents. They reach the terminal, game files and reports; called
/// where a manifest is read, so that every one of these has the same name.
pub fn make_names_printable(manifest: &mut Manifest) {
    let agents = manifest.settings.get_mut("agents").and_then(Value::as_array_mut);
    for agent in agents.into_iter().flatten() {
        if let Some(Value::String(name)) = agent.get_mut("name") {
            *name = printable(name).into_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn escape_sequences_in_names_are_replaced() {
        let text = "format = 1\nversion = \"1\"\nkind = \"match\"\n[settings]\nseed = 1\n\
                    [[settings.agents]]\nname = \"a\\u001b[2Jb\"\nspec = \"random\"\n";
        let mut manifest = Manifest::read(text, Path::new("manifest.toml")).unwrap();
        make_names_printable(&mut manifest);
        let agent = &manifest.settings["agents"].as_array().unwrap()[0];
        assert_eq!(agent["name"].as_str(), Some("a\u{fffd}[2Jb"));
        assert_eq!(agent["spec"].as_str(), Some("random"));
    }
}
