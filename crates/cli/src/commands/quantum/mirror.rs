//! `tabia quantum train --store`: mirrors a training's files to a store, and restores them from there.

use std::path::Path;

use tabia_core::{printable, wording};
use tabia_net::metrics::GenerationMetrics;
use tabia_store::{Location, MANIFEST, Mirror, StoreError, fetch};

use crate::failure::Usage;
use crate::text;

/// Opens the store. A training resumed in an empty directory is downloaded first; a new one requires a location without a training.
pub fn prepare(address: &str, resumed: Option<&Path>) -> anyhow::Result<Location> {
    let location = Location::open(address).map_err(|error| match error {
        StoreError::Address { .. } => Usage(error.to_string()).into(),
        error => anyhow::Error::from(error),
    })?;
    if let Some(directory) = resumed {
        if !directory.join(MANIFEST).exists() {
            let generations = fetch(&location, directory)?;
            eprintln!("{} downloaded from {address}.", text::counted(generations.into(), "generation"));
        }
        return Ok(location);
    }
    match location.names() {
        Ok(names) if names.iter().any(|name| name == MANIFEST) => Err(Usage(format!(
            "{address} holds a training already: resume it with --resume DIR --store {address}, or choose another prefix"
        ))
        .into()),
        Ok(_) => Ok(location),
        // It would fail after every generation.
        Err(error @ StoreError::NoCredentials(_)) => Err(error.into()),
        Err(error) => {
            let error = wording::plain(&error.to_string());
            eprintln!("{}; the training starts anyway, and the upload is retried later", printable(&error));
            Ok(location)
        }
    }
}

/// The mirror of a running training, if there is one.
pub struct TrainingMirror {
    mirror: Option<Mirror>,
    address: String,
}

impl TrainingMirror {
    /// Starts mirroring, if there is a location.
    pub fn start(
        location: Option<Location>,
        directory: &Path,
        keep_every: u32,
        resumed: bool,
    ) -> TrainingMirror {
        let address = location.as_ref().map(|location| location.address().to_owned()).unwrap_or_default();
        let report = Box::new(|text: &str| eprintln!("{}", printable(&wording::plain(text))));
        let mirror = location.map(|location| Mirror::start(location, directory, keep_every, resumed, report));
        TrainingMirror { mirror, address }
    }

    /// Uploads a finished generation.
    pub fn generation(&self, line: &GenerationMetrics) {
        if let Some(mirror) = &self.mirror {
            mirror.generation(line);
        }
    }

    /// Ends mirroring; waits until everything is uploaded.
    pub fn finish(self, directory: &Path, generation: u32) {
        let Some(mirror) = self.mirror else { return };
        if !mirror.finish(generation) {
            eprintln!(
                "Not everything is in {0}; `tabia quantum train --resume {1} --store {0}` puts there what is missing.",
                self.address,
                directory.display()
            );
        }
    }
}
