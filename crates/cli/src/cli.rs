//! What can be typed after `tabia`. The arguments of a command are declared beside the command.

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
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// One command of the binary.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the laboratory to browsers and programs.
    Serve(serve::ServeArgs),
    /// Play in the terminal, against an agent, a friend, or let two agents play.
    Play(play::PlayArgs),
    /// Show the best lines of a position, or go over a whole game.
    Analyze(analyze::AnalyzeArgs),
    /// Make exercises of the mistakes of a game.
    Exercises(exercises::ExercisesArgs),
    /// Explain a move: why it is good or bad, with proof.
    Explain(explain::ExplainArgs),
    /// Let agents play a match, and say what it shows about their strength.
    Match(Box<matches::MatchArgs>),
    /// Say what a position is worth to an evaluation, and why.
    Eval(eval::EvalArgs),
    /// Draw what an evaluation sees on the squares.
    Field(field::FieldArgs),
    /// Be a UCI engine on standard input and output.
    #[command(after_help = "\
Example:
  tabia uci --agent 'engine(threads=2,hash=64)'")]
    Uci(UciArgs),
    /// List the agents that can play, with their options.
    Agents(agents::AgentsArgs),
    /// Search fixed positions to a fixed depth: the node count is the behaviour's signature.
    Bench(bench::BenchArgs),
    /// Count the moves of a position to some depth, or check a suite of such counts.
    Perft(perft::PerftArgs),
    /// Play games against oneself and keep their quiet positions, for learning.
    Datagen(datagen::DatagenArgs),
    /// Learn the weights of an evaluation from positions, by gradient descent.
    Tune(tune::TuneArgs),
    /// Tune the numbers of the search by games (SPSA).
    Spsa(spsa::SpsaArgs),
    /// Evolve the weights of an evaluation by a genetic algorithm.
    Evolve(Box<evolve::EvolveArgs>),
    /// Turn games and EPD into positions to learn from, and back.
    Samples(samples::SamplesArgs),
    /// Solve test positions and puzzles.
    Suite(suite::SuiteArgs),
    /// Find the tactical motifs of puzzles, and compare them with their labels.
    Motifs(motifs::MotifsArgs),
    /// Step through a game, or convert it between PGN and JSON.
    Replay(replay::ReplayArgs),
    /// Measure every figure of a seed on this machine, beside what the seed says.
    Reproduce(reproduce::ReproduceArgs),
    /// Quantum chess: play it, count it, let agents play it.
    Quantum(quantum::QuantumArgs),
    /// Do the work of matches, evolutions and self-play that are coordinated elsewhere.
    Worker(Box<worker::WorkerArgs>),
    /// Print a completion script for a shell.
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write the pages of all commands.
    Man(man::ManArgs),
}

impl Command {
    /// `tabia serve`, for a person who started `tabia` without a word.
    pub fn serve() -> Command {
        Cli::parse_from(["tabia", "serve"]).command.expect("a command was given")
    }

    /// `tabia uci`, for a program that started `tabia` without a word.
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
