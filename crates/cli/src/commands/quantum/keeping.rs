//! `tabia quantum train --store`: a training's files go elsewhere too, and come from there where there is no training yet.

use std::path::Path;

use tabia_net::metrics::Line;
use tabia_store::{Keeper, MANIFEST, Place, StoreError, fetch};

use crate::failure::Usage;
use crate::text;

/// Where files are kept, made ready: a training that is to go on in an empty directory is brought, and a new one finds the place free.
pub fn prepare(address: &str, resumed: Option<&Path>) -> anyhow::Result<Place> {
    let place = Place::open(address).map_err(|error| match error {
        StoreError::Address { .. } => Usage(error.to_string()).into(),
        error => anyhow::Error::from(error),
    })?;
    if let Some(directory) = resumed {
        if !directory.join(MANIFEST).exists() {
            let generations = fetch(&place, directory)?;
            eprintln!("{} brought from {address}.", text::counted(generations.into(), "generation"));
        }
        return Ok(place);
    }
    match place.names() {
        Ok(names) if names.iter().any(|name| name == MANIFEST) => Err(Usage(format!(
            "{address} holds a training already: --resume DIR --store {address} goes on with it, another prefix begins a new one"
        ))
        .into()),
        Ok(_) => Ok(place),
        Err(error) => {
            eprintln!("{error}; the training begins all the same, and it is tried again later");
            Ok(place)
        }
    }
}

/// What is kept elsewhere while a training runs; nothing where nobody asked for it.
pub struct Keeping {
    keeper: Option<Keeper>,
    address: String,
}

impl Keeping {
    /// Begins.
    pub fn start(place: Option<Place>, directory: &Path, keep_every: u32, resumed: bool) -> Keeping {
        let address = place.as_ref().map(|place| place.address().to_owned()).unwrap_or_default();
        let report = Box::new(|text: &str| eprintln!("{text}"));
        let keeper = place.map(|place| Keeper::start(place, directory, keep_every, resumed, report));
        Keeping { keeper, address }
    }

    /// A generation is done.
    pub fn generation(&self, line: &Line) {
        if let Some(keeper) = &self.keeper {
            keeper.generation(line);
        }
    }

    /// The training ends; waits until all is there.
    pub fn finish(self, directory: &Path, generation: u32) {
        let Some(keeper) = self.keeper else { return };
        if !keeper.finish(generation) {
            eprintln!(
                "Not everything is in {0}; `tabia quantum train --resume {1} --store {0}` puts there what is missing.",
                self.address,
                directory.display()
            );
        }
    }
}
