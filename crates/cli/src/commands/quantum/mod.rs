//! `tabia quantum`: quantum chess.
//!
//! [`play`] is a game in the terminal, [`analyze`] analyses a position, [`perft`] counts action sequences,
//! [`mod@matches`] plays matches, [`train`] and [`selfplay`] train a network, [`rate`] measures it, [`mirror`] uploads a
//! training, [`export`] and [`serve_grpc`] serve other programs; [`board`] draws marginal probabilities.

mod ablate;
mod analyze;
pub mod board;
mod curves;
mod export;
mod games;
mod human;
mod matches;
mod mirror;
mod perft;
mod play;
mod rate;
mod selfplay;
mod serve_grpc;
mod train;

use std::process::ExitCode;

use tabia_quantum::QuantumGame;

use crate::failure::Usage;

/// Arguments of `tabia quantum`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The rules, and how moves and positions are written: docs/quantum.md.

Examples:
  tabia quantum play
  tabia quantum perft 3
  tabia quantum match --agent 'mcts(simulations=200)' --agent greedy --games 20
  tabia quantum train --preset tiny")]
pub struct QuantumArgs {
    #[command(subcommand)]
    command: QuantumCommand,
}

#[derive(Debug, clap::Subcommand)]
enum QuantumCommand {
    /// Play in the terminal, against an agent, a friend, or let two agents play.
    Play(play::PlayArgs),
    /// Count the action sequences of a position to some depth.
    Perft(perft::PerftArgs),
    /// Analyse a position by search: the best moves, what they are worth, and what each measurement would do.
    Analyze(analyze::AnalyzeArgs),
    /// Play a match or tournament between agents, with Elo and error bars.
    Match(Box<matches::MatchArgs>),
    /// Let a network learn from its own games.
    Train(train::TrainArgs),
    /// Measure networks against those who do not learn, generation by generation.
    Rate(rate::RateArgs),
    /// Measure what one setting of training is worth, over several seeds.
    Ablate(ablate::AblateArgs),
    /// Let a network play against itself, and keep the games for learning.
    Selfplay(selfplay::SelfplayArgs),
    /// Write games of self-play as replays, one a line.
    Games(games::GamesArgs),
    /// Write a network as ONNX, for other programs.
    Export(export::ExportArgs),
    /// Serve a network's games, opinions and weights by gRPC, for a trainer in any language.
    ServeGrpc(serve_grpc::ServeGrpcArgs),
}

/// Runs a subcommand.
pub fn run(args: &QuantumArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        QuantumCommand::Play(args) => play::run(args),
        QuantumCommand::Perft(args) => perft::run(args),
        QuantumCommand::Analyze(args) => analyze::run(args),
        QuantumCommand::Match(args) => matches::run(args),
        QuantumCommand::Train(args) => train::run(args),
        QuantumCommand::Rate(args) => rate::run(args),
        QuantumCommand::Ablate(args) => ablate::run(args),
        QuantumCommand::Selfplay(args) => selfplay::run(args),
        QuantumCommand::Games(args) => games::run(args),
        QuantumCommand::Export(args) => export::run(args),
        QuantumCommand::ServeGrpc(args) => serve_grpc::run(args),
    }
}

/// Reads a position; no text is the start of a game.
fn read_position(text: &str) -> Result<QuantumGame, Usage> {
    match text.trim() {
        "" | "startpos" => Ok(QuantumGame::default()),
        text => text.parse().map_err(|error| Usage(format!("not a valid position: {error}"))),
    }
}
