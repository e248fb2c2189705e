//! The connection to the NATS server: address, credentials, reconnection.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, ServerError};
use tokio::runtime::{Builder, Runtime};

use crate::error::GridError;

/// Timeout of the first connection and of every request.
const CONNECT: Duration = Duration::from_secs(5);
pub(super) const ANSWER: Duration = Duration::from_secs(5);
/// Ping interval.
const PING: Duration = Duration::from_secs(5);
/// Delays between attempts to reconnect: doubled each time, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// The async runtime for the connection: one thread besides those that compute.
pub(super) fn runtime() -> Result<Runtime, GridError> {
    Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("grid")
        .enable_all()
        .build()
        .map_err(GridError::Thread)
}

/// Identity of an engine build: tasks are given only to workers that would compute the same result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The version of the program.
    pub version: String,
    /// Node count of its benchmark.
    pub nodes: u64,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.version, self.nodes)
    }
}

impl Signature {
    /// As a token of a subject, which must not contain dots.
    pub(super) fn subject_token(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        self.to_string().chars().map(plain).collect()
    }
}

/// Credentials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Credentials {
    /// None.
    #[default]
    None,
    /// A token.
    Token(String),
    /// A user and a password.
    User(String, String),
    /// A file with an nkey seed.
    Nkey(PathBuf),
    /// A credentials file as written by `nsc`.
    Creds(PathBuf),
}

/// Address and credentials of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// `nats://host:4222` or `tls://host:4222`; several, with commas, of one cluster.
    pub address: String,
    pub login: Credentials,
    /// The account that a worker publishes as, if it is not its user or nkey: the server may derive it from a
    /// certificate.
    pub account: Option<String>,
    /// Certificate authority of the server, if the system does not know it.
    pub ca: Option<PathBuf>,
    /// Client certificate and key, if the server requires them.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// A connection that reconnects by itself.
#[derive(Clone)]
pub(super) struct Connection {
    pub address: String,
    pub client: Client,
    pub context: Context,
    connected: Arc<AtomicBool>,
    times: Arc<AtomicU64>,
    denied: Arc<Mutex<Option<String>>>,
}

impl Connection {
    /// Connects; responses arrive on subjects below `inbox`.
    pub async fn connect(access: &Access, name: &str, inbox: &str) -> Result<Connection, GridError> {
        let address = without_secrets(&access.address);
        let servers = access
            .address
            .split(',')
            .map(|text| text.trim().parse::<ServerAddr>())
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| GridError::NoServer { address: address.clone(), why: error.to_string() })?;
        let (connected, times) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicU64::new(0)));
        let denied: Arc<Mutex<Option<String>>> = Arc::default();
        let (seen, counted, refused) = (connected.clone(), times.clone(), denied.clone());
        let mut options = ConnectOptions::new()
            .name(name)
            .custom_inbox_prefix(inbox)
            .connection_timeout(CONNECT)
            .request_timeout(Some(ANSWER))
            .ping_interval(PING)
            .max_reconnects(None)
            .reconnect_delay_callback(|times| {
                let factor = 1 << times.min(10) as u32;
                (FIRST_PAUSE * factor).min(LONGEST_PAUSE)
            })
            .event_callback(move |event| {
                let (seen, counted, refused) = (seen.clone(), counted.clone(), refused.clone());
                async move {
                    match event {
                        Event::Connected => {
                            seen.store(true, Ordering::Relaxed);
                            counted.fetch_add(1, Ordering::Relaxed);
                        }
                        Event::Disconnected => seen.store(false, Ordering::Relaxed),
                        Event::ServerError(ServerError::Other(why)) if why.contains("ermissions") => {
                            *refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                        }
                        _ => {}
                    }
                }
            });
        options = log_in(options, &access.login)?;
        if let Some(ca) = &access.ca {
            options = options.add_root_certificates(pem(ca, "CERTIFICATE")?);
        }
        if let Some((certificate, key)) = &access.certificate {
            options =
                options.add_client_certificate(pem(certificate, "CERTIFICATE")?, pem(key, "PRIVATE KEY")?);
        }
        let client = options.connect(servers).await.map_err(|error| {
            let why = error_chain(&error);
            let address = address.clone();
            match error.kind() {
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    GridError::Credentials { address, why }
                }
                ConnectErrorKind::Tls => GridError::Tls { address, why },
                // Errors of the handshake arrive as errors of the connection.
                _ if ["ertificate", "fatal alert"].iter().any(|word| why.contains(word)) => {
                    GridError::Tls { address, why }
                }
                _ => GridError::NoServer { address, why },
            }
        })?;
        let context = jetstream::context::ContextBuilder::new().timeout(ANSWER).build(client.clone());
        Ok(Connection { address, client, context, connected, times, denied })
    }

    /// The server's message when it last denied a permission.
    pub fn denied(&self) -> Option<String> {
        self.denied.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the server is connected.
    pub fn is_connected(&self) -> bool {
        self.connected.load(Ordering::Relaxed)
    }

    /// Counts connections; a changed number means a new connection.
    pub fn times(&self) -> u64 {
        self.times.load(Ordering::Relaxed)
    }

    /// A unique token.
    pub fn unique_token(&self) -> String {
        let inbox = self.client.new_inbox();
        inbox.rsplit('.').next().unwrap_or(&inbox).to_owned()
    }

    /// For `map_err` of requests to the server.
    pub fn refused<E: std::error::Error>(&self, what: &str) -> impl FnOnce(E) -> GridError {
        let (address, what) = (self.address.clone(), what.to_owned());
        move |error| {
            let why = error_chain(&error);
            if is_full(&why) {
                GridError::Full { what, why }
            } else if why.contains("ermission") {
                GridError::Credentials { address, why }
            } else {
                GridError::Server { address, what, why }
            }
        }
    }
}

/// Applies the credentials; errors say what is wrong with a file.
pub(super) fn log_in(options: ConnectOptions, login: &Credentials) -> Result<ConnectOptions, GridError> {
    Ok(match login {
        Credentials::None => options,
        Credentials::Token(token) => options.token(token.clone()),
        Credentials::User(user, password) => options.user_and_password(user.clone(), password.clone()),
        Credentials::Nkey(path) => {
            let text = text_of(path)?;
            if !is_seed(text.trim()) {
                let why = format!(
                    "it does not hold the seed of a user's nkey: {SEED_LETTERS} letters that begin with SU"
                );
                return Err(GridError::CredentialsFile { path: path.display().to_string(), why });
            }
            options.nkey(text.trim().to_owned())
        }
        Credentials::Creds(path) => options.credentials(&text_of(path)?).map_err(|error| {
            GridError::CredentialsFile { path: path.display().to_string(), why: error.to_string() }
        })?,
    })
}

/// Alphabet of a seed (base32).
const SEED_LETTERS: usize = 58;

/// Whether a text has the form of a user seed; only signing shows whether it is valid.
fn is_seed(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte);
    text.len() == SEED_LETTERS && text.starts_with("SU") && text.bytes().all(is_letter)
}

fn text_of(path: &Path) -> Result<String, GridError> {
    fs::read_to_string(path).map_err(|error| GridError::CredentialsFile {
        path: path.display().to_string(),
        why: error.to_string(),
    })
}

/// The path of a PEM file that has a section of this label, `RSA PRIVATE KEY` being a `PRIVATE KEY`. Otherwise its content
/// would only be read once a server answers, and the error would name neither the file nor the fault.
fn pem(path: &Path, label: &str) -> Result<PathBuf, GridError> {
    let end = format!("{label}-----");
    if text_of(path)?.lines().any(|line| line.starts_with("-----BEGIN ") && line.trim_end().ends_with(&end)) {
        return Ok(path.to_owned());
    }
    let why = format!("it has no {}, expected a PEM file with a section \"{label}\"", label.to_lowercase());
    Err(GridError::CredentialsFile { path: path.display().to_string(), why })
}

/// An address without the user and password it may contain.
fn without_secrets(address: &str) -> String {
    let shown = |part: &str| match (part.find("://"), part.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => format!("{}{}", &part[..scheme + 3], &part[at + 1..]),
        _ => part.to_owned(),
    };
    address.split(',').map(shown).collect::<Vec<_>>().join(",")
}

/// An error with its causes, without repetitions.
pub(super) fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = inner.source();
    }
    text
}

/// Whether the server reports that something exceeds its limits.
pub(super) fn is_full(why: &str) -> bool {
    ["insufficient", "maximum bytes", "maximum messages", "resource limits", "no space", "storage"]
        .iter()
        .any(|word| why.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        let shown = without_secrets("nats://user:p@ss@host:4222,tls://b:1");
        assert_eq!(shown, "nats://host:4222,tls://b:1");
    }

    #[test]
    fn a_seed_is_known_by_its_letters() {
        assert!(is_seed("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"));
        for wrong in ["", "nonsense", "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"] {
            assert!(!is_seed(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_file_without_a_certificate_or_key_is_refused_before_a_server_is_asked() {
        let file = std::env::temp_dir().join(format!("tabia-pem-{}", std::process::id()));
        let said = |text: &str, label: &str| {
            fs::write(&file, text).unwrap();
            pem(&file, label).map_err(|error| error.to_string())
        };
        for (begin, label) in [
            ("-----BEGIN CERTIFICATE-----\r\n", "CERTIFICATE"),
            ("a remark\n-----BEGIN CERTIFICATE-----\n", "CERTIFICATE"),
            ("-----BEGIN PRIVATE KEY-----\n", "PRIVATE KEY"),
            ("-----BEGIN EC PRIVATE KEY-----\n", "PRIVATE KEY"),
        ] {
            assert_eq!(said(begin, label), Ok(file.clone()));
        }
        let error = said("[Event \"?\"]\n", "CERTIFICATE").unwrap_err();
        let why = "it has no certificate, expected a PEM file with a section \"CERTIFICATE\"";
        assert_eq!(error, format!("cannot use {}: {why}", file.display()));
        assert!(said("-----BEGIN CERTIFICATE-----\n", "PRIVATE KEY").unwrap_err().contains("no private key"));
        fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_signature_is_one_word_of_a_subject() {
        let signature = Signature { version: "0.1.0+x".to_owned(), nodes: 12 };
        assert_eq!(
            (signature.to_string(), signature.subject_token()),
            ("0.1.0+x-12".to_owned(), "0_1_0_x-12".to_owned())
        );
    }
}
