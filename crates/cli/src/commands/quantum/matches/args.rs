//! What `tabia quantum match` takes.

use std::path::PathBuf;
use std::time::Duration;

use tabia_arena::tournament::chess::TimeControl;

use crate::commands::matches::args::{at_least_one, two_numbers};
use crate::device::DeviceArgs;
use crate::numbers::integer;

/// Arguments of `tabia quantum match`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Games come in pairs: the same opening with colours changed; results are those of the first agent, and errors are taken over \
pairs. Openings are a few random classical plies, or the given positions in turn. What is measured, and what is random in an agent, is drawn from each game's own seed: \
without --movetime the same --seed gives the same games, with any --concurrency and after any interruption.

With --run everything is kept in a directory: manifest.toml, games.jsonl (the journal), and, made from it, replays.jsonl, result.json \
and report.html. --resume goes on with it after Ctrl-C, a crash or a power cut.

--device cuda computes the networks of `net` on a GPU, each on all devices of a list. Give them batches, and many games at a time: \
--device cuda --concurrency 32 --agent 'net(batch=16)'. Rounding differs from the CPU's, so games do too.

JSON: as `tabia match --json`, and \"endings\", \"mean_most_branches\", \"mean_measurements\", \"seed\".

Examples:
  tabia quantum match --agent greedy --agent random --games 200
  tabia quantum match --agent 'mcts(simulations=800)' --agent greedy --games 20 --json
  tabia quantum match --agent 'new=mcts(exploration=2)' --agent mcts --sprt 0,50 --run runs/exploration
  tabia quantum match --agent net --agent 'mcts(simulations=800)' --position '4k3/8/8/8/8/8/8/3QK3 w - - 0 1' --games 18
  tabia quantum match --resume runs/exploration")]
pub struct MatchArgs {
    /// A player, as an agent spec; give two or more.
    #[arg(long = "agent", value_name = "[NAME=]SPEC")]
    pub agents: Vec<String>,
    /// Games of each pairing [default: 20; with --sprt until it is decided, at most 100000].
    #[arg(long, value_name = "N", value_parser = integer::<u32>(1..=10_000_000))]
    pub games: Option<u32>,
    /// The first agent plays all others; otherwise a round robin.
    #[arg(long)]
    pub gauntlet: bool,
    /// Seed of all randomness [default: 1].
    #[arg(long, value_name = "N", value_parser = integer::<u64>(..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Start from this position: a FEN, or weighted boards; may be given more than once.
    #[arg(long, value_name = "POSITION")]
    pub position: Vec<String>,
    /// Start from the positions of this file, one a line.
    #[arg(long, value_name = "FILE")]
    pub positions: Option<PathBuf>,
    /// Random classical plies before the agents begin [default: 4; 0 from given positions].
    #[arg(long, value_name = "N", value_parser = integer::<u32>(0..=20))]
    pub opening_plies: Option<u32>,
    /// So many nodes, or simulations, a move at most.
    #[arg(long, value_name = "N", group = "limit", value_parser = integer::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds per move at most.
    #[arg(long, value_name = "MS", group = "limit", value_parser = integer::<u64>(1..))]
    pub movetime: Option<u64>,

    /// Stop when the first agent is known to be below ELO0 or above ELO1.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// Probability of a false positive [default: 0.05].
    #[arg(long, value_name = "P", requires = "sprt")]
    pub alpha: Option<f64>,
    /// Probability of a false negative [default: 0.05].
    #[arg(long, value_name = "P", requires = "sprt")]
    pub beta: Option<f64>,
    /// A known rating that fixes the scale.
    #[arg(long, value_name = "NAME=RATING")]
    pub anchor: Vec<String>,

    #[command(flatten)]
    pub device: DeviceArgs,
    /// Games at the same time [default: one a processor].
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub concurrency: Option<usize>,
    /// Store the run in this new directory.
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub run: Option<PathBuf>,
    /// Resume the match in this directory; other options must be unchanged.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// Write an HTML report to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// One JSON document on standard output, at the end.
    #[arg(long)]
    pub json: bool,
}

impl MatchArgs {
    /// The limit for everybody, if one is given.
    pub fn time_control(&self) -> Option<TimeControl> {
        let movetime = |ms| TimeControl::MoveTime(Duration::from_millis(ms));
        self.nodes.map(TimeControl::Nodes).or(self.movetime.map(movetime))
    }
}
