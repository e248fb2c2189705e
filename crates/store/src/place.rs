//! Where files are kept: `s3://bucket/prefix`, or `file:///folder`.

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

/// Files up to this many bytes go in one request.
const SMALL: u64 = 16 << 20;
/// Larger ones in parts of so many, this many at once.
const PART: usize = 8 << 20;
const PARTS_AT_ONCE: usize = 4;
/// How often and how long a request is tried. The next generation tries again, so there is no need to be stubborn.
const RETRIES: usize = 3;
const RETRY_FOR: Duration = Duration::from_mins(1);
const CONNECT: Duration = Duration::from_secs(10);
const REQUEST: Duration = Duration::from_mins(2);

/// Why something cannot be kept or found.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// An address that is none.
    #[error("\"{address}\" is no store: {why}; write s3://bucket/prefix or file:///folder")]
    Address {
        /// What was given.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// The other side refused, or was not there.
    #[error("cannot {what} {place}: {why}")]
    Request {
        /// What was tried, with which file.
        what: String,
        /// Where.
        place: String,
        /// Why not.
        why: String,
    },
    /// A file of ours.
    #[error("cannot {what} {path}: {source}", path = path.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is no training, or not all of it.
    #[error("{place} {why}")]
    Nothing {
        /// Where.
        place: String,
        /// What is missing.
        why: String,
    },
}

/// A place for files. Calls wait until they are answered.
pub struct Place {
    address: String,
    store: Box<dyn ObjectStore>,
    prefix: Key,
    runtime: Runtime,
}

impl Place {
    /// A place by its address. Buckets are found with the usual environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, and
    /// `AWS_ENDPOINT_URL` for servers that are not Amazon's. Nothing is asked of it yet.
    pub fn open(address: &str) -> Result<Place, StoreError> {
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
        Ok(Place { address: address.to_owned(), store, prefix, runtime })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Puts a file there under its name; who looks sees the old one or the new one, whole.
    pub fn put(&self, name: &str, file: &Path) -> Result<(), StoreError> {
        let failed = |source| StoreError::File { what: "read", path: file.to_owned(), source };
        let mut source = File::open(file).map_err(failed)?;
        let size = source.metadata().map_err(failed)?.len();
        let key = self.key(name);
        if size <= SMALL {
            let mut bytes = Vec::new();
            source.read_to_end(&mut bytes).map_err(failed)?;
            let put = self.store.put(&key, PutPayload::from(bytes));
            return self.runtime.block_on(put).map(drop).map_err(|error| self.refused("put", name, &error));
        }
        let refused = |error| self.refused("put", name, &error);
        let upload = self.runtime.block_on(self.store.put_multipart(&key)).map_err(refused)?;
        self.runtime.block_on(async {
            let mut upload = WriteMultipart::new_with_chunk_size(upload, PART);
            let mut part = vec![0; PART];
            loop {
                let read = source.read(&mut part).map_err(failed)?;
                if read == 0 {
                    break;
                }
                upload.wait_for_capacity(PARTS_AT_ONCE).await.map_err(refused)?;
                upload.write(&part[..read]);
            }
            upload.finish().await.map(drop).map_err(refused)
        })
    }

    /// Brings a file from there.
    pub fn get(&self, name: &str, file: &Path) -> Result<(), StoreError> {
        let bytes = self.runtime.block_on(async { self.store.get(&self.key(name)).await?.bytes().await });
        let bytes = bytes.map_err(|error| self.refused("get", name, &error))?;
        atomic_file::write_bytes(file, &bytes).map_err(|source| StoreError::File {
            what: "write",
            path: file.to_owned(),
            source,
        })
    }

    /// The names of all files there.
    pub fn names(&self) -> Result<Vec<String>, StoreError> {
        let found = self.runtime.block_on(self.store.list_with_delimiter(Some(&self.prefix)));
        let found = found.map_err(|error| self.refused("list", "files", &error))?;
        Ok(found.objects.iter().filter_map(|object| Some(object.location.filename()?.to_owned())).collect())
    }

    fn key(&self, name: &str) -> Key {
        self.prefix.clone().join(name)
    }

    fn refused(&self, what: &str, name: &str, error: &object_store::Error) -> StoreError {
        // A bucket's answer may be a page long.
        let why: String = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        let why =
            if why.chars().count() > 300 { why.chars().take(300).chain(['…']).collect() } else { why };
        StoreError::Request { what: format!("{what} {name} in"), place: self.address.clone(), why }
    }
}

fn bucket(address: &str) -> object_store::Result<impl ObjectStore> {
    // Who comes first decides for the whole program, and all who come are this.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = AmazonS3Builder::from_env().with_url(address);
    let endpoint = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
    let endpoint = endpoint.iter().find_map(|key| builder.get_config_value(key));
    // Who names an address without encryption means it.
    let plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
    let options =
        ClientOptions::new().with_connect_timeout(CONNECT).with_timeout(REQUEST).with_allow_http(plain);
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRY_FOR, ..RetryConfig::default() };
    builder.with_client_options(options).with_retry(retry).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_none_is_refused_with_what_would_be_right() {
        for (address, words) in [
            ("training", "relative URL without a base"),
            ("gs://bucket/x", "\"gs\" is not known"),
            ("s3:///x", "it names no bucket"),
        ] {
            let error = Place::open(address).err().unwrap().to_string();
            assert!(
                error.contains(words) && error.ends_with("write s3://bucket/prefix or file:///folder"),
                "{error}"
            );
        }
    }

    #[test]
    fn files_come_back_small_or_large() {
        let folder = std::env::temp_dir().join(format!("tabia-place-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let place = Place::open(&format!("file://{}/there", folder.display())).unwrap();
        assert!(place.names().unwrap().is_empty());
        for (name, size) in [("small", 5), ("large", SMALL as usize + PART + 3)] {
            let bytes: Vec<u8> = (0..size).map(|at| (at / 7) as u8).collect();
            fs::write(folder.join(name), &bytes).unwrap();
            place.put(name, &folder.join(name)).unwrap();
            place.get(name, &folder.join("back")).unwrap();
            assert_eq!(fs::read(folder.join("back")).unwrap(), bytes);
        }
        let mut names = place.names().unwrap();
        names.sort();
        assert_eq!(names, ["large", "small"]);
        let error = place.get("nothing", &folder.join("back")).unwrap_err().to_string();
        assert!(error.starts_with("cannot get nothing in file:///"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
