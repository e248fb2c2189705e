//! A storage location: `s3://bucket/prefix` or `file:///folder`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ClientOptions, ObjectStore, ObjectStoreExt, PutPayload, RetryConfig, WriteMultipart};
use tabia_run::atomic_file;
use tokio::runtime::Runtime;
use url::Url;

/// Files up to this size in bytes are uploaded in one request.
const SINGLE_PUT_MAX: u64 = 16 << 20;
/// Larger ones are multipart uploads: part size in bytes, and concurrent parts.
const PART_SIZE: usize = 8 << 20;
const CONCURRENT_PARTS: usize = 4;
/// Retries of a request and their total time. Few, because the next generation tries again.
const RETRIES: usize = 3;
const RETRY_TIMEOUT: Duration = Duration::from_mins(1);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const REQUEST_TIMEOUT: Duration = Duration::from_mins(2);

/// Paths of the metadata service, which is asked for the machine's role where the environment has no credentials.
const METADATA_PATHS: [&str; 2] = ["/latest/api/token", "/latest/meta-data/iam/"];

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("\"{address}\" is not a store: {why}; write s3://bucket/prefix or file:///folder")]
    Address {
        address: String,
        /// What is wrong with it.
        why: String,
    },
    #[error("cannot {what} {location}: {why}")]
    Request {
        /// The operation and the file.
        what: String,
        location: String,
        why: String,
    },
    #[error("cannot {what} {path}: {source}", path = path.display())]
    File { what: &'static str, path: PathBuf, source: io::Error },
    #[error(
        "{0} needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use a machine that has a role for it"
    )]
    NoCredentials(String),
    #[error("{location} {why}")]
    Nothing { location: String, why: String },
}

/// A storage location. Calls block.
pub struct Location {
    address: String,
    store: Box<dyn ObjectStore>,
    prefix: Key,
    runtime: Runtime,
}

impl Location {
    /// Parses an address. Buckets use the standard environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`,
    /// `AWS_REGION`, and `AWS_ENDPOINT_URL` for other providers. No request is sent yet.
    pub fn open(address: &str) -> Result<Location, StoreError> {
        let wrong = |why: &dyn std::fmt::Display| StoreError::Address {
            address: address.to_owned(),
            why: why.to_string(),
        };
        let url = Url::parse(address).map_err(|error| wrong(&error))?;
        let (store, prefix): (Box<dyn ObjectStore>, Key) = match url.scheme() {
            "file" => {
                let folder = url.to_file_path().map_err(|()| wrong(&"its folder is not absolute"))?;
                fs::create_dir_all(&folder).map_err(|source| StoreError::File {
                    what: "make",
                    path: folder.clone(),
                    source,
                })?;
                let store = LocalFileSystem::new_with_prefix(&folder).map_err(|error| wrong(&error))?;
                (Box::new(store), Key::default())
            }
            "s3" if url.host_str().is_some() => {
                let prefix = Key::from_url_path(url.path()).map_err(|error| wrong(&error))?;
                (Box::new(bucket(address).map_err(|error| wrong(&error))?), prefix)
            }
            "s3" => return Err(wrong(&"it names no bucket")),
            other => return Err(wrong(&format!("\"{other}\" is not known"))),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| wrong(&error))?;
        Ok(Location { address: address.to_owned(), store, prefix, runtime })
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// Uploads a file under a name, atomically.
    pub fn put(&self, name: &str, file: &Path) -> Result<(), StoreError> {
        let failed = |source| StoreError::File { what: "read", path: file.to_owned(), source };
        let mut source = File::open(file).map_err(failed)?;
        let size = source.metadata().map_err(failed)?.len();
        let key = self.key(name);
        if size <= SINGLE_PUT_MAX {
            let mut bytes = Vec::new();
            source.read_to_end(&mut bytes).map_err(failed)?;
            let put = self.store.put(&key, PutPayload::from(bytes));
            return self.runtime.block_on(put).map(drop).map_err(|error| self.refused("put", name, &error));
        }
        let refused = |error| self.refused("put", name, &error);
        let upload = self.runtime.block_on(self.store.put_multipart(&key)).map_err(refused)?;
        self.runtime.block_on(async {
            let mut upload = WriteMultipart::new_with_chunk_size(upload, PART_SIZE);
            let mut part = vec![0; PART_SIZE];
            loop {
                let read = source.read(&mut part).map_err(failed)?;
                if read == 0 {
                    break;
                }
                upload.wait_for_capacity(CONCURRENT_PARTS).await.map_err(refused)?;
                upload.write(&part[..read]);
            }
            upload.finish().await.map(drop).map_err(refused)
        })
    }

    pub fn get(&self, name: &str, file: &Path) -> Result<(), StoreError> {
        let bytes = self.runtime.block_on(async { self.store.get(&self.key(name)).await?.bytes().await });
        let bytes = bytes.map_err(|error| self.refused("get", name, &error))?;
        atomic_file::write_bytes(file, &bytes).map_err(|source| StoreError::File {
            what: "write",
            path: file.to_owned(),
            source,
        })
    }

    /// Removes a file; one that is not there is no error.
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        match self.runtime.block_on(self.store.delete(&self.key(name))) {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.refused("remove", name, &error)),
        }
    }

    /// Names of all files.
    pub fn names(&self) -> Result<Vec<String>, StoreError> {
        let found = self.runtime.block_on(self.store.list_with_delimiter(Some(&self.prefix)));
        let found = found.map_err(|error| self.refused("list", "files", &error))?;
        Ok(found.objects.iter().filter_map(|object| Some(object.location.filename()?.to_owned())).collect())
    }

    fn key(&self, name: &str) -> Key {
        self.prefix.clone().join(name)
    }

    fn refused(&self, what: &str, name: &str, error: &object_store::Error) -> StoreError {
        // A bucket's error may be a page long.
        let why: String = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        if METADATA_PATHS.iter().any(|path| why.contains(path)) {
            return StoreError::NoCredentials(self.address.clone());
        }
        let why =
            if why.chars().count() > 300 { why.chars().take(300).chain(['…']).collect() } else { why };
        StoreError::Request { what: format!("{what} {name} in"), location: self.address.clone(), why }
    }
}

fn bucket(address: &str) -> object_store::Result<impl ObjectStore> {
    // Installed once per process; all users of rustls here install the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = AmazonS3Builder::from_env().with_url(address);
    let endpoint = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
    let endpoint = endpoint.iter().find_map(|key| builder.get_config_value(key));
    // An explicit http:// endpoint means no encryption.
    let plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
    let options = ClientOptions::new()
        .with_connect_timeout(CONNECT_TIMEOUT)
        .with_timeout(REQUEST_TIMEOUT)
        .with_allow_http(plain);
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
    builder.with_client_options(options).with_retry(retry).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_address_is_refused_with_what_would_be_right() {
        for (address, message) in [
            ("training", "relative URL without a base"),
            ("gs://bucket/x", "\"gs\" is not known"),
            ("s3:///x", "it names no bucket"),
        ] {
            let error = Location::open(address).err().unwrap().to_string();
            assert!(
                error.contains(message) && error.ends_with("write s3://bucket/prefix or file:///folder"),
                "{error}"
            );
        }
    }

    #[test]
    fn files_come_back_small_or_large() {
        let folder = std::env::temp_dir().join(format!("tabia-location-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let location = Location::open(&format!("file://{}/there", folder.display())).unwrap();
        assert!(location.names().unwrap().is_empty());
        for (name, size) in [("small", 5), ("large", SINGLE_PUT_MAX as usize + PART_SIZE + 3)] {
            let bytes: Vec<u8> = (0..size).map(|at| (at / 7) as u8).collect();
            fs::write(folder.join(name), &bytes).unwrap();
            location.put(name, &folder.join(name)).unwrap();
            location.get(name, &folder.join("back")).unwrap();
            assert_eq!(fs::read(folder.join("back")).unwrap(), bytes);
        }
        let mut names = location.names().unwrap();
        names.sort();
        assert_eq!(names, ["large", "small"]);
        location.remove("small").unwrap();
        location.remove("small").unwrap();
        assert_eq!(location.names().unwrap(), ["large"]);
        let error = location.get("nothing", &folder.join("back")).unwrap_err().to_string();
        assert!(error.starts_with("cannot get nothing in file:///"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
