//! The command line. The arguments of a command are declared beside the command.

use clap::{Parser, Subcommand};

use crate::commands::{
    agents, analyze, bench, completions, datagen, eval, evolve, exercises, explain, field, man, matches,
    motifs, perft, play, quantum, replay, reproduce, samples, serve, spsa, suite, tune, worker,
};
use crate::uci::UciArgs;

/// A chess laboratory in one binary.
#[derive(Debug, Parser)]
#[command(
    name = "tabia",
    version,
    about,
    disable_help_subcommand = true,
    after_help = "\
Start here:
  tabia                            the laboratory in the browser
  tabia play                       a game in the terminal, you have White
  tabia analyze FEN                the best lines of a position
  tabia COMMAND --help             what a command takes, with examples

Without a command, and with a program rather than a person at the other end, it speaks UCI: chess GUIs can \
use `tabia` as an engine as it is.

Exit status: 0 done; 1 the answer is no, or the work failed; 2 wrong usage."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// One command of the binary.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start the laboratory: the page in the browser and the HTTP API.
    Serve(serve::ServeArgs),
    /// Play in the terminal, against an agent, a friend, or let two agents play.
    Play(play::PlayArgs),
    /// Analyse a position, or annotate a whole game.
    Analyze(analyze::AnalyzeArgs),
    /// Turn the mistakes of a game into exercises.
    Exercises(exercises::ExercisesArgs),
    /// Explain a move: why it is good or bad, with proof.
    Explain(explain::ExplainArgs),
    /// Play a match or tournament between agents, with Elo and error bars.
    Match(Box<matches::MatchArgs>),
    /// Evaluate a position statically, and explain the score.
    Eval(eval::EvalArgs),
    /// Draw the fields of an evaluation over the board.
    Field(field::FieldArgs),
    /// Run as a UCI engine on standard input and output.
    #[command(after_help = "\
Example:
  tabia uci --agent 'engine(threads=2,hash=64)'")]
    Uci(UciArgs),
    /// List the agents that can play, with their options.
    Agents(agents::AgentsArgs),
    /// Search fixed positions to a fixed depth; the node count is a signature of the engine.
    Bench(bench::BenchArgs),
    /// Count move sequences of a position to some depth, or verify a suite of such counts.
    Perft(perft::PerftArgs),
    /// Generate training positions by self-play.
    Datagen(datagen::DatagenArgs),
    /// Train the weights of an evaluation by gradient descent.
    Tune(tune::TuneArgs),
    /// Tune the search parameters by games (SPSA).
    Spsa(spsa::SpsaArgs),
    /// Evolve the weights of an evaluation by a genetic algorithm.
    Evolve(Box<evolve::EvolveArgs>),
    /// Convert games and EPD to training positions, and back.
    Samples(samples::SamplesArgs),
    /// Solve test positions and puzzles.
    Suite(suite::SuiteArgs),
    /// Find the tactical motifs of puzzles, and compare them with their labels.
    Motifs(motifs::MotifsArgs),
    /// Step through a game, or convert it between PGN and JSON.
    Replay(replay::ReplayArgs),
    /// Measure the figures of a seed on this machine, and compare them with the seed's.
    Reproduce(reproduce::ReproduceArgs),
    /// Quantum chess: play it, count it, let agents play it.
    Quantum(quantum::QuantumArgs),
    /// Work for matches, evolutions and self-play that are coordinated elsewhere.
    Worker(Box<worker::WorkerArgs>),
    /// Print a completion script for a shell.
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write the pages of all commands.
    Man(man::ManArgs),
}

impl Command {
    /// `tabia serve`, the default on a terminal.
    pub fn serve() -> Command {
        Cli::parse_from(["tabia", "serve"]).command.expect("a command was given")
    }

    /// `tabia uci`, the default without a terminal.
    pub fn uci() -> Command {
        Cli::parse_from(["tabia", "uci"]).command.expect("a command was given")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declarations_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "tabia {} --help", command.get_name());
        }
    }
}
