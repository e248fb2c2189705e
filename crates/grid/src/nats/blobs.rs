//! Content-addressed storage: bytes are stored once under their hash, and verified when fetched.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::jetstream::object_store::{Config, ObjectStore};
use async_nats::jetstream::stream::StorageType;
use tokio::io::AsyncReadExt;

use super::BLOBS;
use super::connection::{Connection, error_chain};
use crate::error::GridError;
use crate::task::{SharedFiles, fingerprint};

/// Lifetime of a blob that is not used again.
const KEPT: Duration = Duration::from_hours(14 * 24);

/// Opens the bucket, creating it if necessary.
pub(super) async fn open(connection: &Connection, replicas: usize) -> Result<ObjectStore, GridError> {
    if let Ok(store) = connection.context.get_object_store(BLOBS).await {
        return Ok(store);
    }
    let config = Config {
        bucket: BLOBS.to_owned(),
        max_age: KEPT,
        storage: StorageType::File,
        num_replicas: replicas,
        ..Config::default()
    };
    connection.context.create_object_store(config).await.map_err(connection.refused("a bucket for files"))
}

/// Stores bytes unless they exist; returns their hash.
pub(super) async fn put(
    connection: &Connection,
    store: &ObjectStore,
    bytes: &[u8],
) -> Result<String, GridError> {
    let hash = fingerprint(bytes);
    if store.info(&hash).await.is_err() {
        let mut reader = bytes;
        store.put(hash.as_str(), &mut reader).await.map_err(connection.refused("a file that tasks share"))?;
    }
    Ok(hash)
}

/// Stores all shared files; returns their names and hashes.
pub(super) async fn put_all(
    connection: &Connection,
    store: &ObjectStore,
    shared: &SharedFiles,
) -> Result<BTreeMap<String, String>, GridError> {
    let mut hashes = BTreeMap::new();
    for (name, bytes) in &shared.files {
        hashes.insert(name.clone(), put(connection, store, bytes).await?);
    }
    Ok(hashes)
}

/// Fetches the bytes of a hash.
pub(super) async fn get(connection: &Connection, hash: &str) -> Result<Vec<u8>, String> {
    let missing =
        |error: &dyn std::error::Error| format!("no file {hash} from the server: {}", error_chain(error));
    let store = connection.context.get_object_store(BLOBS).await.map_err(|error| missing(&error))?;
    let mut object = store.get(hash).await.map_err(|error| missing(&error))?;
    let mut bytes = Vec::new();
    object.read_to_end(&mut bytes).await.map_err(|error| missing(&error))?;
    if fingerprint(&bytes) == hash {
        Ok(bytes)
    } else {
        Err(format!("the file {hash} is not what it should be"))
    }
}
