//! The manifest: everything needed to resume a run, and to detect that different settings are requested.

use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::error::RunError;

/// Version of the directory layout, incremented when it changes.
const FORMAT: i64 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the directory layout.
    format: i64,
    /// The version of Tabia.
    pub version: String,
    /// The kind of run, such as `match`.
    pub kind: String,
    /// The start date, where it matters: games with a clock are not reproducible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Everything that determines the results.
    pub settings: Table,
}

impl Manifest {
    pub fn new(
        kind: &str,
        version: &str,
        date: Option<String>,
        settings: &impl Serialize,
    ) -> Result<Manifest, RunError> {
        let settings = Table::try_from(settings).map_err(|error| RunError::Settings(error.to_string()))?;
        let (version, kind) = (version.to_owned(), kind.to_owned());
        Ok(Manifest { format: FORMAT, version, kind, date, settings })
    }

    /// Reads a manifest; `path` is used in error messages.
    pub fn read(text: &str, path: &Path) -> Result<Manifest, RunError> {
        toml::from_str(text).map_err(|error| {
            let why = format!("it is no manifest of a run of Tabia: {}", error.message());
            RunError::Manifest { path: path.to_owned(), why }
        })
    }

    /// Formats the manifest as TOML.
    pub fn write(&self) -> Result<String, RunError> {
        toml::to_string(self).map_err(|error| RunError::Settings(error.to_string()))
    }

    /// The settings as their own type.
    pub fn settings<S: for<'de> Deserialize<'de>>(&self, path: &Path) -> Result<S, RunError> {
        self.settings
            .clone()
            .try_into()
            .map_err(|error| RunError::Manifest { path: path.to_owned(), why: error.to_string() })
    }

    /// The differences to a requested manifest as a sentence; `None` without any.
    pub fn differences(&self, now: &Manifest) -> Option<String> {
        let mut found = Vec::new();
        let whole = |manifest: &Manifest| {
            let mut table = manifest.settings.clone();
            table.insert("format".to_owned(), Value::Integer(manifest.format));
            table.insert("version".to_owned(), Value::String(manifest.version.clone()));
            table.insert("kind".to_owned(), Value::String(manifest.kind.clone()));
            Value::Table(table)
        };
        compare("", Some(&whole(self)), Some(&whole(now)), &mut found);
        (!found.is_empty()).then(|| found.join("; "))
    }
}

/// Adds `path is A there and B here` for every value that differs.
fn compare(path: &str, there: Option<&Value>, here: Option<&Value>, found: &mut Vec<String>) {
    match (there, here) {
        (Some(Value::Table(there)), Some(Value::Table(here))) => {
            let keys = there.keys().chain(here.keys().filter(|key| !there.contains_key(*key)));
            for key in keys {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare(&path, there.get(key), here.get(key), found);
            }
        }
        (Some(Value::Array(there)), Some(Value::Array(here))) if there.len() == here.len() => {
            for (index, (there, here)) in there.iter().zip(here).enumerate() {
                compare(&format!("{path}[{}]", index + 1), Some(there), Some(here), found);
            }
        }
        (there, here) if there == here => {}
        (there, here) => {
            let text = |value: Option<&Value>| value.map_or("not set".to_owned(), ToString::to_string);
            found.push(format!("{path} is {} there and {} here", text(there), text(here)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Settings {
        seed: i64,
        agents: Vec<&'static str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<i64>,
    }

    fn manifest(seed: i64, agents: Vec<&'static str>, nodes: Option<i64>) -> Manifest {
        Manifest::new("match", "1.0", None, &Settings { seed, agents, nodes }).unwrap()
    }

    #[test]
    fn a_manifest_reads_back() {
        let there = manifest(1, vec!["a", "b"], None);
        assert_eq!(Manifest::read(&there.write().unwrap(), Path::new("manifest.toml")).unwrap(), there);
    }

    #[test]
    fn a_foreign_file_is_told_in_a_sentence() {
        let error = Manifest::read("version = 99\n", Path::new("manifest.toml")).unwrap_err().to_string();
        assert!(error.starts_with("manifest.toml: it is no manifest of a run of Tabia: "), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }

    #[test]
    fn every_difference_is_named_and_the_date_is_none() {
        let there = manifest(1, vec!["a", "b"], Some(5));
        assert_eq!(there.differences(&there), None);
        let mut here = manifest(2, vec!["a", "c"], None);
        "1.1".clone_into(&mut here.version);
        here.date = Some("2024.01.15".to_owned());
        let text = there.differences(&here).unwrap();
        for part in [
            "seed is 1 there and 2 here",
            "agents[2] is \"b\" there and \"c\" here",
            "nodes is 5 there and not set here",
            "version is \"1.0\" there and \"1.1\" here",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(!text.contains("date"), "{text}");
    }
}
