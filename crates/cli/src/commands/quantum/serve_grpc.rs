//! `tabia quantum serve-grpc`: a network's games, opinions and weights for a trainer in any language.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use tabia_core::Stop;
use tabia_net::device::DeviceSpec;
use tabia_net::{Weights, shipped};
use tabia_rpc::{NetworkHandle, Quantum};
use tabia_server::config;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::commands::serve;
use crate::device::{self, DeviceArgs, load_into};
use crate::failure::Usage;
use crate::{interrupt, parallel};

/// Default address: the port that gRPC's examples use.
const ADDRESS: &str = "127.0.0.1:50051";

/// Arguments of `tabia quantum serve-grpc`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
GenerateGames streams games of the network against itself as they end, EvaluatePosition says what it thinks of positions, LoadWeights replaces it while it runs, GetWeights \
hands it out. --print-proto is the description; examples/python/quantum_trainer.py is a client that learns with PyTorch (docs/training.md).

Only this machine can reach the default address. For any other, give a token: clients send it as metadata, `authorization: Bearer TOKEN`.

Examples:
  tabia quantum serve-grpc
  tabia quantum serve-grpc --weights training/best.safetensors --threads 4
  TABIA_TOKEN=$(openssl rand -hex 16) tabia quantum serve-grpc --addr 0.0.0.0:50051
  tabia quantum serve-grpc --print-proto > quantum.proto")]
pub struct ServeGrpcArgs {
    /// Address to listen on; port 0 picks a free port.
    #[arg(long, value_name = "ADDRESS", default_value = ADDRESS, alias = "listen", value_parser = serve::address)]
    addr: SocketAddr,
    /// The network's file; without one, the network that comes with the program.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Threads that play. All cores if not given.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    device: DeviceArgs,
    /// Access token; required for every address that other machines can reach.
    #[arg(long, value_name = "TOKEN", env = "TABIA_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Print the description of the calls, and serve nothing.
    #[arg(long)]
    print_proto: bool,
}

/// Serves until Ctrl-C.
pub fn run(args: &ServeGrpcArgs) -> anyhow::Result<ExitCode> {
    if args.print_proto {
        io::stdout().write_all(tabia_rpc::PROTO.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    serve::refuse_empty_token(args.token.as_deref())?;
    let token = args.token.clone().filter(|token| !token.is_empty());
    config::check_address(args.addr, token.as_deref()).map_err(|error| Usage(error.to_string()))?;
    let weights = match &args.weights {
        Some(path) => Weights::read(path)?,
        None => shipped::weights()?,
    };
    let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
    let network = if args.device.device == DeviceSpec::Cpu {
        NetworkHandle::new(weights)
    } else {
        // A device that fails ends no more than the calls that need it: LoadWeights starts it again.
        let pool = args.device.pool(threads, Stop::new());
        let network = NetworkHandle::on_device(weights, load_into(&pool))?;
        device::announce(&pool);
        network
    };
    serve::log("warn,tabia_rpc=info");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(listen(args, network, threads, token))?;
    // Running self-play was told to stop; the process does not wait for it.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

async fn listen(
    args: &ServeGrpcArgs,
    network: NetworkHandle,
    threads: usize,
    token: Option<String>,
) -> anyhow::Result<()> {
    let listener = TcpListener::bind(args.addr)
        .await
        .with_context(|| format!("cannot listen on {}; --addr names another address", args.addr))?;
    let closing = Arc::new(Notify::new());
    let told = closing.clone();
    interrupt::watch(move || told.notify_one())?;
    writeln!(
        io::stdout(),
        "Tabia serves {} by gRPC on {}  (Ctrl-C ends it)",
        network.current().weights.architecture,
        listener.local_addr()?
    )?;
    io::stdout().flush()?;
    let quantum = Quantum::new(network, threads);
    tabia_rpc::serve(listener, quantum, token, async move { closing.notified().await }).await?;
    Ok(())
}
