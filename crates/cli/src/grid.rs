//! Options of the grid that several commands share.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use rand::TryRngCore;
use rand::rngs::OsRng;
use tabia_arena::tournament::chess::tablebases;
use tabia_core::AgentSpec;
use tabia_eval::registry;
use tabia_grid::nats::{Access, CoordinatorSettings, Credentials, Nats, Secret, Signature};
use tabia_grid::{Grid, Local, SharedFiles, Status, Task, fingerprint};
use tabia_run::atomic_file;
use tabia_search::{bench, engine};

use crate::failure::Usage;
use crate::numbers::integer;
use crate::referee::ChildReferee;

/// Depth of the bench signature of workers: enough to distinguish engines, and quick.
pub const BENCH_DEPTH: u32 = 8;
/// File with the run's name on the server.
const NAME: &str = "grid.run";
/// File with the run's status.
const STATUS: &str = "grid.json";
/// File that records which account gave which result.
const ACCOUNTS: &str = "grid.accounts.jsonl";
/// File with the secret of a run. `tabia serve` shows no file whose name starts with a dot.
const SECRET: &str = ".grid-secret";
/// Name of a shared weight file.
const AGENT_FILE: &str = "agent:";
/// Default share of results that are compared.
const DOUBLE_CHECK: f64 = 0.02;
/// Value of `--grid` for threads of this process.
const LOCAL: &str = "local";

/// Credentials for a NATS server.
#[derive(Clone, Debug, Default, clap::Args)]
#[expect(clippy::struct_field_names, reason = "they are named as they are typed")]
pub struct AccessArgs {
    /// A credentials file for the NATS server, as written by `nsc`.
    #[arg(long, value_name = "FILE", group = "nats_login", help_heading = "Many machines")]
    nats_creds: Option<PathBuf>,
    /// A token for the NATS server.
    #[arg(
        long,
        value_name = "TOKEN",
        group = "nats_login",
        env = "TABIA_NATS_TOKEN",
        hide_env_values = true,
        help_heading = "Many machines"
    )]
    nats_token: Option<String>,
    /// A user of the NATS server.
    #[arg(
        long,
        value_name = "USER",
        group = "nats_login",
        requires = "nats_password",
        help_heading = "Many machines"
    )]
    nats_user: Option<String>,
    /// The user's password.
    #[arg(
        long,
        value_name = "PASSWORD",
        requires = "nats_user",
        env = "TABIA_NATS_PASSWORD",
        hide_env_values = true,
        help_heading = "Many machines"
    )]
    nats_password: Option<String>,
    /// A file with the seed of an nkey.
    #[arg(long, value_name = "FILE", group = "nats_login", help_heading = "Many machines")]
    nats_nkey: Option<PathBuf>,
    /// Certificate authority of the NATS server, if the system does not know it (tls://…).
    #[arg(long, value_name = "FILE", help_heading = "Many machines")]
    nats_ca: Option<PathBuf>,
    /// Client certificate, where the NATS server requires one.
    #[arg(long, value_name = "FILE", requires = "nats_key", help_heading = "Many machines")]
    nats_cert: Option<PathBuf>,
    /// Key of the client certificate.
    #[arg(long, value_name = "FILE", requires = "nats_cert", help_heading = "Many machines")]
    nats_key: Option<PathBuf>,
}

impl AccessArgs {
    /// Address and credentials of the server.
    pub fn access(&self, address: &str) -> Access {
        let login = if let Some(path) = &self.nats_creds {
            Credentials::Creds(path.clone())
        } else if let Some(token) = &self.nats_token {
            Credentials::Token(token.clone())
        } else if let (Some(user), Some(password)) = (&self.nats_user, &self.nats_password) {
            Credentials::User(user.clone(), password.clone())
        } else if let Some(path) = &self.nats_nkey {
            Credentials::Nkey(path.clone())
        } else {
            Credentials::None
        };
        let certificate = self.nats_cert.clone().zip(self.nats_key.clone());
        Access { address: address.to_owned(), login, account: None, ca: self.nats_ca.clone(), certificate }
    }
}

/// Where tasks are done.
#[derive(Clone, Debug, clap::Args)]
pub struct GridArgs {
    /// Where work is done: `local`, or by workers (`tabia worker`) at a NATS server, nats://HOST:4222 [default: local].
    #[arg(long, value_name = "WHERE", default_value = LOCAL, hide_default_value = true, value_parser = parse_grid_address,
          help_heading = "Many machines")]
    grid: String,
    /// Seconds without a sign of life after which a worker's task is given to another.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "Many machines",
          value_parser = integer::<u64>(1..=86_400))]
    lease: u64,
    /// Attempts at a task before it is set aside, which needs two accounts that failed, or one and this process.
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Many machines",
          value_parser = integer::<u32>(1..=1000))]
    tries: u32,
    /// Share of results that are compared with those of another account or of this process; an account with a wrong result is excluded. Nothing is compared with a clock, external engines or multi-threaded searches [default: 0.02].
    #[arg(long, value_name = "SHARE", help_heading = "Many machines", value_parser = share)]
    double_check: Option<f64>,
    /// Number of replicas of tasks and results in a NATS cluster.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Many machines",
          value_parser = integer::<u8>(1..=5))]
    nats_replicas: u8,
    #[command(flatten)]
    access: AccessArgs,
}

/// `local`, or the address of a server.
fn parse_grid_address(text: &str) -> Result<String, String> {
    if text == LOCAL { Ok(text.to_owned()) } else { address(text) }
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 (no task) to 1 (every task), such as 0.02".to_owned())
}

/// The address of a server, or several of a cluster.
pub fn address(text: &str) -> Result<String, String> {
    let fine = |part: &str| {
        ["nats://", "tls://"]
            .iter()
            .any(|scheme| part.trim().strip_prefix(scheme).is_some_and(|host| !host.is_empty()))
    };
    if text.split(',').all(fine) {
        Ok(text.to_owned())
    } else {
        Err("write the address of a NATS server, such as nats://localhost:4222 or tls://grid.example.org:4222".to_owned())
    }
}

/// The signature of this build.
pub fn signature() -> anyhow::Result<Signature> {
    let bench =
        bench::run(registry::STRONGEST, &engine::Settings::default(), BENCH_DEPTH, &mut |_, _, _| {})?;
    Ok(Signature { version: env!("CARGO_PKG_VERSION").to_owned(), nodes: bench.nodes })
}

/// The grid of a run.
pub enum RunGrid<'a, T: Task> {
    Threads(Local<'a, T>),
    Workers(Box<Nats>),
}

impl<T: Task> RunGrid<'_, T> {
    pub fn grid(&self) -> &dyn Grid<T> {
        match self {
            RunGrid::Threads(threads) => threads,
            RunGrid::Workers(nats) => &**nats,
        }
    }

    /// The status, where workers do the work.
    pub fn status(&self) -> Option<Status> {
        match self {
            RunGrid::Threads(_) => None,
            RunGrid::Workers(nats) => Some(nats.status()),
        }
    }

    /// The run is over or interrupted.
    pub fn finish(&self, complete: bool) {
        if let RunGrid::Workers(nats) = self {
            nats.finish(complete);
        }
    }
}

impl GridArgs {
    /// Whether workers do the work.
    pub fn is_remote(&self) -> bool {
        self.grid != LOCAL
    }

    /// Checks that the server can be reached, so that a run directory is not created in vain.
    pub fn try_connection(&self) -> anyhow::Result<()> {
        if self.is_remote() {
            Nats::try_connection(&self.access.access(&self.grid))?;
        }
        Ok(())
    }

    /// The server, prepared for a run; `None` for threads of this process. Results of repeatable tasks do not depend on the
    /// worker.
    pub fn open(
        &self,
        directory: Option<&Path>,
        repeatable: bool,
        shared: impl FnOnce() -> anyhow::Result<SharedFiles>,
    ) -> anyhow::Result<Option<Box<Nats>>> {
        if !self.is_remote() {
            return Ok(None);
        }
        let double_check = match self.double_check {
            Some(share) if share > 0.0 && !repeatable => {
                let why = "--double-check compares results, and these may differ from time to time: a clock, an engine of another make or \
                           several threads decide what is played; leave it out";
                return Err(Usage(why.to_owned()).into());
            }
            Some(share) => share,
            None if repeatable => DOUBLE_CHECK,
            None => 0.0,
        };
        let coordination = CoordinatorSettings {
            double_check,
            signature: signature()?,
            lease: Duration::from_secs(self.lease),
            tries: self.tries,
            replicas: self.nats_replicas.into(),
            shared: shared()?,
            run: directory.map(run_name).transpose()?,
            status_file: directory.map(|path| path.join(STATUS)),
            accounts_file: directory.map(|path| path.join(ACCOUNTS)),
            secret: secret(directory)?,
        };
        let tell = |text: &str| eprintln!("grid: {text}");
        let referee = Arc::new(ChildReferee::default());
        Ok(Some(Box::new(Nats::open(&self.access.access(&self.grid), coordination, referee, tell)?)))
    }
}

/// The run's unique name on the server, generated once.
fn run_name(directory: &Path) -> anyhow::Result<String> {
    let file = directory.join(NAME);
    if let Ok(text) = fs::read_to_string(&file) {
        let name = text.trim();
        let fine = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        anyhow::ensure!(fine, "{} does not hold the name of a run; remove it", file.display());
        return Ok(name.to_owned());
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let drawn = format!("{} {} {}", now.as_nanos(), std::process::id(), file.display());
    let name = fingerprint(drawn.as_bytes())[..20].to_owned();
    let text = format!("{name}\n");
    atomic_file::write_bytes(&file, text.as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(name)
}

/// The secret that selects which results are compared: generated once per run, readable by its owner only.
fn secret(directory: Option<&Path>) -> anyhow::Result<Secret> {
    let mut bytes = [0; 32];
    let Some(file) = directory.map(|directory| directory.join(SECRET)) else {
        OsRng.try_fill_bytes(&mut bytes).context("the system provides no random bytes")?;
        return Ok(Secret(bytes));
    };
    match fs::read(&file) {
        Ok(there) => {
            bytes = there.try_into().map_err(|there: Vec<u8>| {
                anyhow::anyhow!("{} has {} bytes, expected 32; remove it", file.display(), there.len())
            })?;
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            OsRng.try_fill_bytes(&mut bytes).context("the system provides no random bytes")?;
            let mut options = fs::OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let written = options.open(&file).and_then(|mut file| {
                file.write_all(&bytes)?;
                file.sync_all()
            });
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
    Ok(Secret(bytes))
}

/// Whether these agents are deterministic: of this build, with one thread.
pub fn are_repeatable<'a>(specs: impl IntoIterator<Item = &'a str>) -> bool {
    let is_repeatable = |text: &str| {
        text.parse::<AgentSpec>().is_ok_and(|spec| {
            let one_thread = |(key, value): &(String, String)| key != "threads" || value.trim() == "1";
            !["uci", "xboard"].contains(&spec.name.as_str()) && spec.options.iter().all(one_thread)
        })
    };
    specs.into_iter().all(is_repeatable)
}

/// Adds the files that specs name, so that workers need not have them; of tablebases, only the list.
pub fn with_files<'a>(
    mut shared: SharedFiles,
    specs: impl IntoIterator<Item = &'a str>,
) -> anyhow::Result<SharedFiles> {
    for text in specs {
        let spec: AgentSpec = text.parse().map_err(|error| Usage(format!("agent \"{text}\": {error}")))?;
        let is_file = |key: &str| ["weights", "params"].contains(&key);
        for (key, path) in spec.options.iter().filter(|(_, path)| !path.is_empty()) {
            if is_file(key) {
                let bytes = fs::read(path).with_context(|| format!("cannot read {path}"))?;
                shared.files.insert(format!("{AGENT_FILE}{path}"), bytes);
            } else if key == "syzygy" {
                shared = tablebases::share_list(shared, path).map_err(anyhow::Error::msg)?;
            }
        }
    }
    Ok(shared)
}

/// The text of a shared file of an agent.
pub fn file_of(shared: &SharedFiles, path: &str) -> std::io::Result<String> {
    let missing = || std::io::Error::new(std::io::ErrorKind::NotFound, "the run came without this file");
    let bytes = shared.files.get(&format!("{AGENT_FILE}{path}")).ok_or_else(missing)?;
    String::from_utf8(bytes.clone()).map_err(std::io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_keeps_its_secret_and_nobody_else_can_read_it() {
        let folder = std::env::temp_dir().join(format!("tabia-secret-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let first = secret(Some(&folder)).unwrap();
        assert!(secret(Some(&folder)).unwrap() == first && secret(None).unwrap() != first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(folder.join(SECRET)).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(folder.join(SECRET), b"short").unwrap();
        assert!(secret(Some(&folder)).unwrap_err().to_string().contains("5 bytes, expected 32"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_may_differ_from_time_to_time_is_not_compared() {
        assert!(are_repeatable(["engine(hash=1)", "random", "engine(threads=1)"]));
        assert!(!are_repeatable(["random", "uci(cmd=stockfish)"]));
        assert!(!are_repeatable(["engine(hash=1,threads=2)"]));
        assert!(share("0.02").is_ok() && share("1").is_ok());
        for wrong in ["2%", "-0.1", "1.5", "NaN", ""] {
            assert!(share(wrong).unwrap_err().contains("from 0"), "{wrong}");
        }
    }

    #[test]
    fn a_place_is_here_or_a_server() {
        for right in ["local", "nats://localhost:4222", "tls://a:1,nats://b:2"] {
            assert_eq!(parse_grid_address(right), Ok(right.to_owned()));
        }
        for wrong in ["", "locale", "nats://", "http://localhost", "nats://a,b"] {
            assert!(parse_grid_address(wrong).unwrap_err().contains("nats://localhost:4222"), "{wrong}");
        }
    }
}
