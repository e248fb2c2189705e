//! `tabia worker`: executes tasks of matches, evolutions and self-play that are coordinated elsewhere.

use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tabia_arena::driver::{Launcher, PlayerFactory, entries};
use tabia_arena::tournament::GameTask;
use tabia_arena::tournament::chess::{MatchExecutor, Settings, tablebases};
use tabia_book::Tables;
use tabia_core::{Catalogue, ChessGame, printable};
use tabia_grid::SharedFiles;
use tabia_grid::nats::{Access, Event, TaskHandler, Worker, task_handler};
use tabia_net::remote::{self, GamesTask};
use tabia_search::agents::AgentFiles;
use tabia_search::engine::STACK_BYTES;
use tabia_tune::datagen::task::{self as shards, ShardTask};

use crate::failure::Usage;
use crate::grid::{self, AccessArgs};
use crate::{interrupt, parallel, referee, text};

/// Arguments of `tabia worker`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A worker takes tasks from a NATS server with JetStream: games of `tabia match`, `tabia evolve`, `tabia datagen` and \
`tabia quantum train` that were started with the same --grid. It needs no files: what a run needs comes with it, except tablebases (--syzygy). It must be the same build as whoever \
coordinates, by version and by the nodes of `tabia bench`; one that is not is refused.

A worker's results belong to its account, the user or nkey that it logs in with; its own name is only a label. Whoever owns several machines uses \
one account for all of them (docs/grid.md).

Ctrl-C, or a polite kill, lets it finish what it does and then ends it. When it is killed, or the server goes away, \
nothing is lost: its tasks are handed to others.

Examples:
  tabia worker --grid nats://localhost:4222
  tabia worker --grid tls://grid.example.org:4222 --nats-creds worker.creds --threads 8")]
pub struct WorkerArgs {
    /// The NATS server.
    #[arg(long, value_name = "ADDRESS", value_parser = grid::address)]
    grid: String,
    /// Concurrent tasks [default: all cores].
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// The account to publish results as: the one that the server's permissions allow. The user's name, or the public key of an nkey, if not given.
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
    /// Start the engines that tasks name, such as uci(cmd=stockfish): whoever can publish tasks can then run programs here.
    #[arg(long)]
    engines: bool,
    /// Where this machine has the Syzygy tablebases that matches name: directories separated by : (; on Windows).
    #[arg(long, value_name = "DIR")]
    syzygy: Option<String>,
    #[command(flatten)]
    access: AccessArgs,
}

/// Works until stopped.
pub fn run(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    let stop = interrupt::stop_flag()?;
    if let Some(paths) = &args.syzygy {
        Tables::open(paths).map_err(|error| Usage(format!("--syzygy: {error}")))?;
    }
    let machine = Machine { engines: args.engines, syzygy: args.syzygy.clone() };
    let worker = Worker {
        signature: grid::signature()?,
        host: host(),
        threads: args.threads.unwrap_or_else(parallel::all_cores).get(),
        stack_bytes: STACK_BYTES,
        task_handlers: task_handlers(&machine),
    };
    let access = Access { account: args.account.clone(), ..args.access.access(&args.grid) };
    let account = access.account()?;
    let served = worker.serve(&access, &stop, &|event| match event {
        Event::Ready => eprintln!(
            "worker at {}: account {account}, {} tasks at once, signature {}; waiting for tasks",
            args.grid, worker.threads, worker.signature
        ),
        Event::Lost => eprintln!("the server is away; looking for it"),
        Event::Found => eprintln!("the server is back"),
        Event::Failed { id, why } => eprintln!("{}: {}", printable(&id), printable(&why)),
        Event::Unwelcome(why) => eprintln!("not welcome to a run: {}", printable(&why)),
    })?;
    let failed =
        if served.failed > 0 { format!(", {} could not be done", served.failed) } else { String::new() };
    eprintln!("{} done{failed}", text::counted(served.done, "task"));
    Ok(ExitCode::SUCCESS)
}

/// What tasks may use of this machine.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Whether engines that tasks name are started.
    pub engines: bool,
    /// Directories of tablebases.
    pub syzygy: Option<String>,
}

/// Serves as the child of a coordinator's referee, with the handlers of this build.
pub fn serve_referee() -> ExitCode {
    referee::serve(|engines| task_handlers(&Machine { engines, ..Machine::default() }))
}

/// What this build can execute.
fn task_handlers(machine: &Machine) -> Vec<Box<dyn TaskHandler>> {
    let (for_evolution, for_matches) = (machine.clone(), machine.clone());
    vec![
        task_handler::<tabia_evolve::Task>(move |shared| {
            Ok(Box::new(Strict {
                engines: for_evolution.engines,
                executor: tabia_evolve::TaskExecutor::new(Arc::new(catalogue(shared, &for_evolution))),
            }))
        }),
        task_handler::<GameTask>(move |shared| {
            let machine = &for_matches;
            let executor = MatchExecutor::new(shared, machine.syzygy.as_deref(), |settings| {
                factory(settings, shared, machine)
            });
            Ok(Box::new(executor.map_err(|why| hinted(why, machine.engines))?))
        }),
        task_handler::<ShardTask>(|shared| Ok(Box::new(shards::visitor(shared)?))),
        task_handler::<GamesTask>(|shared| Ok(Box::new(remote::SelfPlayExecutor::new(shared)?))),
    ]
}

/// An executor that says how engines are let in where they are not.
struct Strict<H> {
    engines: bool,
    executor: H,
}

impl<T: tabia_grid::Task, H: tabia_grid::Executor<T>> tabia_grid::Executor<T> for Strict<H> {
    fn perform(&mut self, task: &T, stop: &tabia_core::Stop) -> Result<Option<T::Done>, String> {
        self.executor.perform(task, stop).map_err(|why| hinted(why, self.engines))
    }
}

fn hinted(why: String, engines: bool) -> String {
    let stranger =
        ["\"uci\"", "\"xboard\""].iter().any(|name| why.contains(&format!("no agent is called {name}")));
    if stranger && !engines {
        "this worker starts no programs: `tabia worker --engines` lets it".to_owned()
    } else {
        why
    }
}

/// Agents with the files that came with a run, and engines of this machine where they are let in.
fn catalogue(shared: &SharedFiles, machine: &Machine) -> Catalogue<ChessGame> {
    let mut catalogue = Catalogue::default();
    let (files, lists, own) = (shared.clone(), shared.clone(), machine.syzygy.clone());
    let files = AgentFiles::new(move |path| grid::file_of(&files, path))
        .with_tables(Arc::new(move |paths| tablebases::open_shared(&lists, own.as_deref(), paths)));
    catalogue.add(tabia_search::agents::entries_with(files));
    if machine.engines {
        catalogue.add(entries::entries(&Launcher::supervised_by_this_program()));
    }
    catalogue
}

fn factory(settings: &Settings, shared: &SharedFiles, machine: &Machine) -> PlayerFactory {
    let timeout = Duration::from_millis(settings.stall_ms);
    PlayerFactory::new(
        catalogue(shared, machine),
        Launcher::supervised_by_this_program(),
        settings.ponder,
        timeout,
    )
}

/// What the machine is called.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "worker".to_owned() } else { name.trim().to_owned() }
}
