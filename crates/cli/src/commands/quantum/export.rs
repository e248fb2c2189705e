//! `tabia quantum export`: exports a network as ONNX, with test positions and expected outputs.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use rand::Rng;
use serde::Serialize;
use tabia_core::{Game, Turn, seed};
use tabia_net::encoding::{self, EncodedPosition, INPUT_SIZE};
use tabia_net::forward::{FoldedNetwork, Workspace};
use tabia_net::{Weights, onnx, shipped};
use tabia_quantum::{Action, QuantumGame};
use tabia_run::atomic_file;

use crate::numbers::integer;

/// Maximum number of branches of a test position.
const MAX_BRANCHES: usize = 64;
/// Maximum number of plies before a test position.
const LONGEST: u32 = 80;
/// One in this many plies becomes a test position.
const EVERY: u32 = 7;

/// Arguments of `tabia quantum export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file takes `planes` (batch × 28 × 8 × 8, as the mover sees them) and gives `policy` (batch × 9344 logits, by the numbers of moves in that view) and `chances` \
(batch × 3: win, draw, loss), or `value` of a network that has one number. Batch normalisation is folded in.

--probe writes random positions with their planes, legal moves and this program's own answers as JSON, to hold whatever runs the file against.

Examples:
  tabia quantum export --output net.onnx
  tabia quantum export --weights training/best.safetensors --output net.onnx
  tabia quantum export --weights training/best.safetensors --output net.onnx --probe answers.json")]
pub struct ExportArgs {
    /// The network's file, as `tabia quantum train` writes it; without one, the network that comes with the program.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The ONNX file.
    #[arg(long, short, value_name = "FILE.onnx")]
    output: PathBuf,
    /// Write positions and answers to this file.
    #[arg(long, value_name = "FILE.json")]
    probe: Option<PathBuf>,
    /// Number of positions.
    #[arg(long, value_name = "N", default_value = "64", value_parser = integer::<u32>(1..=100_000))]
    positions: u32,
    /// Where they come from.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

#[derive(Serialize)]
struct Probe {
    position: String,
    planes: Vec<f32>,
    moves: Vec<usize>,
    logits: Vec<f32>,
    value: f32,
}

/// Exports.
pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let weights = match &args.weights {
        Some(path) => Weights::read(path)?,
        None => shipped::weights()?,
    };
    let bytes = onnx::export(&weights);
    atomic_file::write_bytes(&args.output, &bytes)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {}, {} bytes", args.output.display(), weights.architecture, bytes.len())?;
    if let Some(path) = &args.probe {
        let probes = probes(&weights, args.positions as usize, args.seed);
        let text = serde_json::to_string(&probes)?;
        atomic_file::write_bytes(path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "{}: {} positions", path.display(), probes.len())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Positions of random games with the network's outputs.
fn probes(weights: &Weights, count: usize, probe_seed: u64) -> Vec<Probe> {
    let (folded, mut workspace) = (FoldedNetwork::new(weights), Workspace::default());
    let mut random = seed::random(probe_seed);
    let (mut probes, mut actions) = (Vec::new(), Vec::new());
    let mut input = vec![0.0; INPUT_SIZE];
    let mut game = QuantumGame::default();
    while probes.len() < count {
        if game.outcome().is_some() || game.ply() > LONGEST || game.branches().len() > MAX_BRANCHES {
            game = QuantumGame::default();
        }
        game.actions(&mut actions);
        if matches!(game.turn(), Turn::Player(_)) && random.random_ratio(1, EVERY) {
            let seen = EncodedPosition::new(&game);
            seen.write(false, &mut input);
            let turn = game.side_to_move();
            let moves: Vec<usize> =
                actions.iter().map(|action| encoding::policy_index(*action, turn)).collect();
            let answer = folded.forward(&input, &moves, &mut workspace);
            let (position, planes) = (game.to_string(), seen.planes());
            probes.push(Probe { position, planes, moves, logits: answer.logits, value: answer.value });
        }
        let action: Action =
            game.measure(&mut random).unwrap_or_else(|| actions[random.random_range(0..actions.len())]);
        game.apply(action);
    }
    probes
}
