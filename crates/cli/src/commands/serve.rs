//! `tabia serve`: the laboratory in the browser.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use ipnet::IpNet;
use tabia_arena::driver::{Launcher, SandboxLimits, launch};
use tabia_book::Tables;
use tabia_server::app_state::AppState;
use tabia_server::config::{self, Bounds, Config};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tracing_subscriber::EnvFilter;

use crate::failure::Usage;
use crate::numbers::integer;
use crate::{catalogue, interrupt, output};

/// Default address, with the port of seed 000.
const ADDRESS: &str = "127.0.0.1:8050";

/// The hash table of an agent that the usual limits allow.
const USUAL_HASH_MIB: u64 = 64;

/// The token that is made for whoever asks for it.
const AUTO: &str = "auto";
/// A token with fewer characters may be guessed.
const SHORT_TOKEN: usize = 16;
/// Files that the server opens beside connections: its database, pipes of engines and runs.
const OWN_FILES: usize = 256;

/// Arguments of `tabia serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Games are stored in the data folder and continue after a restart. The API is documented at /api/docs; --print-openapi \
prints the OpenAPI document.

Only this machine can reach the default address, but all of its users can: where there are several, use --token auto. For any \
other address, give a token: clients send it as `Authorization: Bearer TOKEN`, people type it once on a page.

Examples:
  tabia serve --open
  tabia serve --addr 127.0.0.1:0 --data /tmp/app
  tabia serve --token auto
  TABIA_TOKEN=$(openssl rand -hex 16) tabia serve --addr 0.0.0.0:8050
  tabia serve --print-openapi > openapi.json")]
pub struct ServeArgs {
    /// Address to listen on; port 0 picks a free port.
    #[arg(long, value_name = "ADDRESS", default_value = ADDRESS, value_parser = address)]
    addr: SocketAddr,
    /// Data folder for games and runs (default: tabia in the user's data folder).
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Games for the opening explorer, as PGN. Indexed once, in the background; may be given again for more files.
    #[arg(long, value_name = "FILE.pgn")]
    games: Vec<PathBuf>,
    /// Open the page in a browser.
    #[arg(long)]
    open: bool,
    /// Access token; required for every address that other machines can reach. `auto` generates one and prints the address that
    /// carries it.
    #[arg(long, value_name = "TOKEN", env = "TABIA_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Let clients name programs and weights of this folder in agent specs. Programs are confined.
    #[arg(long, value_name = "DIR")]
    allow_uci: Option<PathBuf>,
    /// Memory of one such program, in MiB (default: 1024 plus 160 per core).
    #[arg(long, value_name = "MIB", value_parser = integer::<u64>(64..=1 << 20))]
    engine_memory: Option<u64>,
    /// The largest hash table that clients may request, in MiB (default: 64).
    #[arg(long, value_name = "MIB", value_parser = integer::<u32>(1..=1 << 20))]
    engine_hash: Option<u32>,
    /// The largest number of threads per agent that clients may request (default: one per core).
    #[arg(long, value_name = "N", value_parser = integer::<u16>(1..=1024))]
    engine_threads: Option<u16>,
    /// What such programs may read beside the system and their folder: networks, tables. May be given again.
    #[arg(long, value_name = "PATH")]
    engine_read: Vec<PathBuf>,
    /// Syzygy tablebases that the agent engine and the coach use, in directories separated by : (; on Windows). Clients cannot name others.
    #[arg(long, value_name = "DIR")]
    syzygy: Option<String>,
    /// Memory that agents in games, analyses, reviews and matches of clients may use together, in MiB (default: half of the machine's).
    #[arg(long, value_name = "MIB", value_parser = integer::<u64>(64..))]
    max_memory: Option<u64>,
    /// Threads of the same (default: two a core, at least 8).
    #[arg(long, value_name = "N", value_parser = integer::<u64>(1..=4096))]
    max_threads: Option<u64>,
    /// Connections at the same time (default: 4096, or what the limit of open files allows).
    #[arg(long, value_name = "N", value_parser = integer::<u32>(8..))]
    max_connections: Option<u32>,
    /// A proxy in front of the server, as an address or network: its X-Forwarded-For and X-Forwarded-Proto are believed. May
    /// be given again.
    #[arg(long, value_name = "NETWORK", value_parser = network)]
    trusted_proxy: Vec<IpNet>,
    /// Games of one client that are not over (default: 100).
    #[arg(long, value_name = "N", value_parser = integer::<u32>(1..))]
    max_games: Option<u32>,
    /// Delete games that have been over for this many days (default: keep them).
    #[arg(long, value_name = "DAYS", value_parser = integer::<u32>(1..))]
    keep_games: Option<u32>,
    /// Agents that search at the same time (default: one per core).
    #[arg(long, visible_alias = "threads", value_name = "N", value_parser = integer::<u16>(1..=1024))]
    engines: Option<u16>,
    /// Print the description of the API as OpenAPI, and serve nothing.
    #[arg(long)]
    print_openapi: bool,
}

/// Serves until Ctrl-C.
pub fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    if args.print_openapi {
        output::json(&tabia_server::description())?;
        return Ok(ExitCode::SUCCESS);
    }
    refuse_empty_token(args.token.as_deref())?;
    let token = match args.token.as_deref().filter(|token| !token.is_empty()) {
        // As unguessable as the names of games.
        Some(AUTO) => Some(tabia_server::id::Id::random().to_string()),
        token => token.map(str::to_owned),
    };
    config::check_address(args.addr, token.as_deref()).map_err(|error| Usage(error.to_string()))?;
    let mut bounds = Bounds::default();
    if let Some(engines) = args.engines {
        bounds.engines = engines.into();
    }
    if let Some(hash) = args.engine_hash {
        bounds.hash_mb = hash.into();
    }
    if let Some(threads) = args.engine_threads {
        bounds.threads = threads.into();
    }
    if let Some(memory_mb) = args.max_memory {
        bounds.budget.memory_mb = memory_mb;
    }
    if let Some(threads) = args.max_threads {
        bounds.budget.threads = threads;
    }
    let requested = args.max_connections.map_or(bounds.connections, |max| max as usize);
    bounds.connections = requested.min(max_connections());
    if let Some(games) = args.max_games {
        bounds.games_per_client = games as usize;
    }
    bounds.retention = args.keep_games.map(|days| Duration::from_hours(24 * u64::from(days)));
    if let Some(folder) = args.allow_uci.as_ref().filter(|folder| !folder.is_dir()) {
        let why = if folder.exists() { "it is a file, expected a folder" } else { "there is no such folder" };
        return Err(Usage(format!("--allow-uci {}: {why}", folder.display())).into());
    }
    if let Some(path) = args.engine_read.iter().find(|path| !path.exists()) {
        let why = format!("--engine-read {}: there is no such file or folder", path.display());
        return Err(Usage(why).into());
    }
    if let Some(file) = args.games.iter().find(|file| !file.is_file()) {
        return Err(Usage(format!("--games {}: there is no such file", file.display())).into());
    }
    log("warn,tabia_server=info");
    if bounds.connections < requested {
        tracing::warn!("the limit of open files allows no more than {} connections", bounds.connections);
    }
    if token.as_ref().is_some_and(|token| token.len() < SHORT_TOKEN) {
        tracing::warn!(
            "the token has fewer than {SHORT_TOKEN} characters and may be guessed; --token auto makes a good one"
        );
    }
    let config = Config {
        data: Some(args.data.clone().map_or_else(data_folder, Ok)?),
        games: args.games.iter().map(std::path::absolute).collect::<Result<_, _>>()?,
        token,
        allowed_programs: args.allow_uci.as_deref().map(std::path::absolute).transpose()?,
        tables: None,
        confinement: confinement(args)?,
        program: std::env::current_exe().ok(),
        trusted_proxies: args.trusted_proxy.clone(),
        bounds,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(args, config))?;
    // Agents that still search were stopped; their results are not needed.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

/// An address and a port; `localhost` is this machine.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    numeric
        .as_deref()
        .unwrap_or(text)
        .parse()
        .map_err(|_| "expected an address and a port, such as 127.0.0.1:8050 or [::1]:8050".to_owned())
}

/// Refuses `--token ''`, as from a variable of the shell that is not set: whoever names a token wants one. An empty
/// `TABIA_TOKEN` is none.
pub fn refuse_empty_token(token: Option<&str>) -> Result<(), Usage> {
    let typed = std::env::args_os()
        .any(|word| word.to_str().is_some_and(|word| word == "--token" || word.starts_with("--token=")));
    if typed && token == Some("") {
        let why = "the token is empty; leave --token out, or make one with `openssl rand -hex 16`";
        return Err(Usage(why.to_owned()));
    }
    Ok(())
}

/// A network, or a single address.
fn network(text: &str) -> Result<IpNet, String> {
    text.parse()
        .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
        .map_err(|_| format!("\"{text}\" is no address or network; write 127.0.0.1, ::1 or 10.0.0.0/8"))
}

/// As many connections as open files allow, beside those that the server itself needs. The limit is raised as far as it can.
fn max_connections() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
    let files = if raised { maximum } else { current };
    files.map_or(usize::MAX, |files| {
        usize::try_from(files).unwrap_or(usize::MAX).saturating_sub(OWN_FILES).max(8)
    })
}

/// What engines of clients may use.
fn confinement(args: &ServeArgs) -> anyhow::Result<SandboxLimits> {
    let usual = SandboxLimits::default();
    let readable = args.engine_read.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
    // What is allowed beyond the usual is added to the memory; 160 MiB of address space a thread.
    let hash = u64::from(args.engine_hash.unwrap_or(0)).saturating_sub(USUAL_HASH_MIB);
    let threads = u64::from(args.engine_threads.unwrap_or(0));
    let memory_bytes = args
        .engine_memory
        .map_or_else(|| usual.memory_bytes + ((hash + 160 * threads) << 20), |mib| mib << 20);
    if args.allow_uci.is_some() && launch::landlock_version() == 0 {
        tracing::warn!(
            "this kernel has no Landlock: engines of --allow-uci have limits of memory, processes and file size, but can \
             read and write what this user can"
        );
    }
    Ok(SandboxLimits { memory_bytes, readable, ..usual })
}

async fn serve(args: &ServeArgs, mut config: Config) -> anyhow::Result<()> {
    let launcher = Launcher::sandboxed(config.confinement.clone());
    let mut files = catalogue::files();
    if let Some(paths) = &args.syzygy {
        let tables = Tables::open(paths).map_err(|error| Usage(format!("--syzygy: {error}")))?;
        config.tables = Some(tables.clone());
        files = files.with_tables(tabia_search::syzygy::shared(tables));
    }
    // Only an address that nobody has typed is worth printing with its token.
    let query = match &config.token {
        Some(token) if args.token.as_deref() == Some(AUTO) => format!("?token={token}"),
        _ => String::new(),
    };
    let app = AppState::open(config, catalogue::chess_with(files, &launcher))?;
    let listener = TcpListener::bind(args.addr)
        .await
        .with_context(|| format!("cannot listen on {}; --addr names another address", args.addr))?;
    let address = format!("http://{}", listener.local_addr()?);
    let closing = Arc::new(Notify::new());
    let told = closing.clone();
    interrupt::watch(move || told.notify_one())?;
    writeln!(io::stdout(), "Tabia listens on {address}/{query}  (Ctrl-C ends it)")?;
    io::stdout().flush()?;
    if args.open {
        open_page(&format!("{address}/{query}"));
    }
    tabia_server::serve::serve(listener, app, async move { closing.notified().await }).await?;
    Ok(())
}

/// What happens goes to standard error, as much as `RUST_LOG` asks for; this much if it says nothing.
pub fn log(usual: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    // A second call in one process changes nothing.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr)
        .try_init();
}

/// As the XDG base directories have it.
fn data_folder() -> anyhow::Result<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let base = base.or_else(|| Some(set("HOME").or_else(|| set("USERPROFILE"))?.join(".local/share")));
    Ok(base
        .ok_or_else(|| Usage("there is no home directory; choose a data folder with --data".to_owned()))?
        .join("tabia"))
}

/// Opens the page with whatever opens pages here; that there is nothing is no reason to end.
fn open_page(address: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let opened = std::process::Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if opened.is_err() {
        tracing::warn!("no browser could be opened; the address is {address}");
    }
}
