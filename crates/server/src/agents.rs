//! Agents that come from the web: which specs are allowed, how long they think, and those that stay warm.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use shakmaty::Color;
use tabia_arena::driver::SandboxLimits;
use tabia_core::{Agent, AgentSpec, Catalogue, ChessGame, Game, Limits, OptionKind, Options};

use crate::budget::{Demand, Reservation};
use crate::config::{Bounds, Config};
use crate::external;
use crate::id::Id;
use crate::problem::{Kind, Problem};
use crate::sessions::player::ThinkLimits;

/// The longest spec.
const LONGEST_SPEC: usize = 200;
/// Time limit of agents whose options set no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Text options that name a file or a program, allowed from one folder.
const FILES: &[&str] = &["cmd", "weights", "params"];
/// The option that names an address: no client makes this server connect anywhere.
const EVALUATOR: &str = tabia_net::agents::EVALUATOR;
/// The option that names directories of tablebases.
const TABLEBASES: &str = "syzygy";
/// Entries of the textbook search's table that a client may ask for.
const TABLE_ENTRIES: i64 = 1_000_000;
/// Mebibytes of a search tree that a client may ask for.
const TREE_MB: i64 = 256;
/// Lines that a client may ask for.
const LINES: i64 = 20;

/// Memory of an agent besides its tables and threads, in mebibytes.
const AGENT_MB: u64 = 8;
/// Memory of an external engine besides its hash table: code and network.
const EXTERNAL_MB: u64 = 256;
/// Hash table size of an external engine when it is not set.
const EXTERNAL_HASH_MB: u64 = 16;
/// Memory of a search thread: its histories and its stack.
const THREAD_MB: u64 = 24;
/// An entry of the textbook search's table.
const TABLE_ENTRY_BYTES: u64 = 64;

/// A complete spec that clients are allowed to use.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The spec as it is shown and stored.
    pub spec: AgentSpec,
    /// Its options with defaults filled in.
    pub options: Options,
}

/// Checks a spec from a client.
pub fn check<G: Game>(catalogue: &Catalogue<G>, config: &Config, text: &str) -> Result<Checked, Problem> {
    if text.chars().count() > LONGEST_SPEC || text.chars().any(char::is_control) {
        return Err(Problem::unprocessable(format_args!(
            "an agent spec has at most {LONGEST_SPEC} characters, and no control characters"
        )));
    }
    let spec: AgentSpec = text.parse().map_err(Problem::unprocessable)?;
    let (entry, options) = catalogue.check(&spec).map_err(Problem::unprocessable)?;
    for (key, value) in &spec.options {
        let is_declared =
            |declared: &str| declared == key || (declared.ends_with('.') && key.starts_with(declared));
        let declared = entry.options.iter().find(|option| is_declared(option.key));
        if let Some(OptionKind::Text) = declared.map(|option| option.kind) {
            check_text(entry.name, key, value, config.allowed_programs.as_deref())?;
        }
        check_size(entry.name, key, value, &config.bounds)?;
    }
    if entry.options.iter().any(|option| option.key == external::COMMAND) {
        if spec.get(external::COMMAND).is_none() {
            return Err(refused(entry.name, external::COMMAND));
        }
        external::check_options(&spec, &config.bounds)?;
    }
    Ok(Checked { spec, options })
}

fn refused(agent: &str, key: &str) -> Problem {
    Problem::new(
        Kind::Forbidden,
        format!(
            "option \"{key}\" of \"{agent}\" names a file or a program, which clients may not: start the server with \
             --allow-uci DIR, and name a file of that folder"
        ),
    )
}

fn check_text(agent: &str, key: &str, value: &str, folder: Option<&Path>) -> Result<(), Problem> {
    if key == TABLEBASES {
        return Err(Problem::new(
            Kind::Forbidden,
            format!(
                "option \"{key}\" of \"{agent}\" is not for clients: agents use the tablebases that the server was started \
                 with (--syzygy DIR)"
            ),
        ));
    }
    if key == EVALUATOR {
        return Err(Problem::new(
            Kind::Forbidden,
            format!(
                "option \"{key}\" of \"{agent}\" is not for clients: this server connects to no external evaluator; use \
                 `tabia quantum play`, `match` or `analyze`"
            ),
        ));
    }
    let Some(folder) = folder else { return Err(refused(agent, key)) };
    if key.starts_with("option.") {
        // The program of an external engine; all options of external engines are checked together below.
        return Ok(());
    }
    if !FILES.contains(&key) {
        return Err(Problem::new(
            Kind::Forbidden,
            format!(
                "option \"{key}\" of \"{agent}\" is not for clients: programs are started as they are in the folder that \
                 --allow-uci names, without arguments and in a directory of their own"
            ),
        ));
    }
    let path = folder.join(value);
    if !external::is_file_name(value) || !path.is_file() {
        Err(Problem::unprocessable(format_args!(
            "there is no file \"{value}\" in the folder that --allow-uci names: \"{key}\" of \"{agent}\" takes the name \
             of one, without a path"
        )))
    } else if key == external::COMMAND && !external::is_executable(&path) {
        Err(Problem::unprocessable(format_args!(
            "\"{value}\" in the folder that --allow-uci names is no program: it is not executable"
        )))
    } else {
        Ok(())
    }
}

fn check_size(agent: &str, key: &str, value: &str, bounds: &Bounds) -> Result<(), Problem> {
    let max = match key {
        "threads" => bounds.threads,
        "hash" => bounds.hash_mb,
        "table" => TABLE_ENTRIES,
        "memory" => TREE_MB,
        "lines" => LINES,
        _ => return Ok(()),
    };
    match value.parse::<i64>() {
        Ok(number) if number > max => Err(Problem::unprocessable(format_args!(
            "option \"{key}\" of \"{agent}\" is {number}; this server allows up to {max}"
        ))),
        _ => Ok(()),
    }
}

/// The most that one agent with these options may use.
pub fn demand(checked: &Checked, confinement: &SandboxLimits) -> Demand {
    let number = |key: &str| checked.options.integer(key).and_then(|number| u64::try_from(number).ok());
    if let Some(command) = checked.options.text(external::COMMAND) {
        let option = |name: &str| {
            let set = checked.options.under("option.").find(|(key, _)| key.eq_ignore_ascii_case(name));
            set.and_then(|(_, value)| value.parse::<u64>().ok())
        };
        debug_assert!(!command.is_empty(), "it was checked");
        let threads = option("Threads").unwrap_or(1);
        let memory_mb = EXTERNAL_MB + option("Hash").unwrap_or(EXTERNAL_HASH_MB) + THREAD_MB * threads;
        return Demand { memory_mb: memory_mb.min(confinement.memory_bytes >> 20), threads };
    }
    let threads = number("threads").unwrap_or(1);
    let tables = number("hash").unwrap_or(0)
        + number("memory").unwrap_or(0)
        + number("table").unwrap_or(0) * TABLE_ENTRY_BYTES / (1 << 20);
    Demand { memory_mb: AGENT_MB + tables + THREAD_MB * threads, threads }
}

/// Checks a spec together with its limits. A rating limit becomes an option of the spec.
pub fn check_with_limits<G: Game>(
    catalogue: &Catalogue<G>,
    config: &Config,
    text: &str,
    limits: &ThinkLimits,
) -> Result<Checked, Problem> {
    if let Some(fault) = limits.fault() {
        return Err(Problem::unprocessable(fault));
    }
    let checked = check(catalogue, config, text)?;
    let Some(elo) = limits.elo else { return Ok(checked) };
    check(catalogue, config, &checked.spec.with("elo", elo).to_string())
}

/// Replaces the names of allowed files by their paths. Only for building the agent; never shown to clients.
pub fn with_paths(spec: AgentSpec, folder: Option<&Path>) -> AgentSpec {
    let Some(folder) = folder else { return spec };
    let mut spec = spec;
    for (key, value) in &mut spec.options {
        if FILES.contains(&key.as_str()) {
            let path = folder.join(&*value);
            *value =
                if key == external::COMMAND { external::command(&path) } else { path.display().to_string() };
        }
    }
    spec
}

/// Checks an agent of a run that a client wants to resume. Built-in agents may keep the options the run was started
/// with; an external program must be one that the client could have named.
pub fn check_resumed(
    catalogue: &Catalogue<ChessGame>,
    config: &Config,
    text: &str,
) -> Result<Checked, Problem> {
    let spec: AgentSpec = text.parse().map_err(Problem::unprocessable)?;
    let (entry, options) = catalogue.check(&spec).map_err(Problem::unprocessable)?;
    if !entry.options.iter().any(|option| option.key == external::COMMAND) {
        return Ok(Checked { spec, options });
    }
    let written = external::as_written(&spec, config).ok_or_else(|| {
        Problem::new(
            Kind::Forbidden,
            format!(
                "the run has the agent \"{text}\", whose program is not in the folder that --allow-uci names: resume it \
                 where it was started, with `tabia match --resume`"
            ),
        )
    })?;
    check(catalogue, config, &written.to_string())
}

/// How long an agent with these options thinks. An agent with limits of its own uses them, within the server's
/// limits.
pub fn limits<M>(
    options: &Options,
    asked: &ThinkLimits,
    clock: Option<tabia_core::Clock>,
    longest: Duration,
) -> Limits<M> {
    let mut limits = asked.limits();
    let bounds_itself = ["depth", "nodes", "elo"].iter().any(|key| options.integer(key).is_some())
        || options.integer("simulations").is_some_and(|simulations| simulations > 0);
    if limits.is_infinite() {
        limits.clock = clock;
    }
    if limits.is_infinite() && !bounds_itself {
        limits.movetime = Some(DEFAULT_TIME);
    }
    limits.movetime = Some(limits.movetime.map_or(longest, |time| time.min(longest)));
    limits
}

/// Agents kept between the moves of a game, with what they learned. The least recently used are dropped first.
pub struct AgentCache<G: Game = ChessGame> {
    max: usize,
    kept: Mutex<Vec<Kept<G>>>,
}

struct Kept<G: Game> {
    game: Id,
    color: Color,
    warm: WarmAgent<G>,
}

/// An agent with the memory that it may use. The memory is given back after the agent is gone.
pub struct WarmAgent<G: Game> {
    pub agent: Box<dyn Agent<G>>,
    pub reservation: Reservation,
}

impl<G: Game + 'static> AgentCache<G> {
    /// Room for so many.
    pub fn new(max: usize) -> AgentCache<G> {
        AgentCache { max, kept: Mutex::new(Vec::new()) }
    }

    /// The agent of a side of a game, if it is still there.
    pub fn take(&self, game: Id, color: Color) -> Option<WarmAgent<G>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.iter().position(|entry| entry.game == game && entry.color == color)?;
        Some(kept.remove(index).warm)
    }

    /// Keeps an agent; its threads are free meanwhile.
    pub fn keep(&self, game: Id, color: Color, mut warm: WarmAgent<G>) {
        warm.reservation.release_threads();
        let dropped = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            // An agent whose move was taken back while it was thinking may return after its successor was cached.
            let same = kept.iter().position(|entry| entry.game == game && entry.color == color);
            let mut dropped: Vec<Kept<G>> = same.map(|index| kept.remove(index)).into_iter().collect();
            kept.push(Kept { game, color, warm });
            let excess = kept.len().saturating_sub(self.max);
            dropped.extend(kept.drain(..excess));
            dropped
        };
        // Drop outside the lock: freeing large tables takes time.
        drop(dropped);
    }

    /// Drops the least recently used agent. Returns whether there was one.
    pub fn drop_oldest(&self) -> bool {
        let oldest = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            (!kept.is_empty()).then(|| kept.remove(0))
        };
        oldest.is_some()
    }

    /// Forgets the agents of a game. To end an engine in a process of its own takes a moment, which nobody waits for.
    pub fn forget(&self, game: Id) {
        let forgotten: Vec<Kept<G>> = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extract_if(.., |entry| entry.game == game).collect()
        };
        if !forgotten.is_empty() {
            tokio::task::spawn_blocking(move || drop(forgotten));
        }
    }
}
