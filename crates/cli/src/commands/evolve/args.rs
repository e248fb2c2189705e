//! What can be typed after `tabia evolve`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use tabia_evolve::{SearchKind, TableRule};

use crate::grid::GridArgs;

/// Arguments of `tabia evolve`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Without options the algorithm is that of seed 003: 300 chromosomes and 150 generations, two elites, tournaments of 5%, \
crossover and mutation of every gene, fitness by one game from a middlegame against an opponent at depth 1. The opponent \
is Tabia's own engine by default.

A run is a directory. The champion of each generation can play: 'chromosome(weights=DIR/champion-0042.json)'. --resume \
DIR continues after an interruption; the result is the same, byte for byte, with any number of threads.

Examples:
  tabia evolve --population 40 --generations 20 --run first
  tabia evolve --opponent 'uci(cmd=stockfish)' --run as-in-the-seed
  tabia evolve --fitness positions --tables shape --run by-positions
  tabia evolve --fitness positions --positions masters.pgn --sample 1000 --run by-masters
  tabia evolve --rivals 2 --hall 2 --phases --run coevolution
  tabia evolve --resume first
  tabia evolve --grid nats://localhost:4222 --run on-many-machines
  tabia evolve exam first --opponent 'uci(cmd=stockfish)'
  tabia evolve rate first --every 5"
)]
pub struct EvolveArgs {
    /// What to do with a run instead.
    #[command(subcommand)]
    pub follow_up: Option<FollowUp>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// What can be done with a run.
#[derive(Debug, Subcommand)]
pub enum FollowUp {
    /// The seed's three tests: random, evolved, and evolved with the original tables.
    #[command(after_help = "Example:\n  tabia evolve exam first --games 100 --opponent 'uci(cmd=stockfish)'")]
    Exam(ExamArgs),
    /// Measure the champions of some generations.
    #[command(after_help = "Example:\n  tabia evolve rate first --every 10 --games 40")]
    Rate(RateArgs),
    /// Draw the pictures of a run and write its page again.
    #[command(after_help = "Example:\n  tabia evolve report first")]
    Report {
        /// The run.
        #[arg(value_name = "DIR")]
        run: PathBuf,
    },
    /// Make positions to measure fitness by: quiet ones of own games, labelled by the engine.
    #[command(after_help = "Example:\n  tabia evolve label --count 1000 --nodes 20000 -o positions.epd")]
    Label(LabelArgs),
}

/// What fitness is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum FitnessKind {
    /// Games: 1000 for a win, material for a draw, -1000 plus the number of plies for a loss.
    Game,
    /// Best moves found, of 1000.
    Positions,
    /// Agreement of the evaluation with labelled scores, of 1000.
    Mentor,
}

/// The search of chromosomes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// Plain alpha-beta, as in the seed.
    Plain,
    /// The engine's search.
    Engine,
}

impl From<Search> for SearchKind {
    fn from(search: Search) -> SearchKind {
        match search {
            Search::Plain => SearchKind::Plain,
            Search::Engine => SearchKind::Engine,
        }
    }
}

/// How tables mutate.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tables {
    /// Each square mutates by itself.
    Free,
    /// A table mutates as a whole and keeps its shape.
    Shape,
    /// Tables stay as they are.
    Fixed,
}

impl From<Tables> for TableRule {
    fn from(tables: Tables) -> TableRule {
        match tables {
            Tables::Free => TableRule::Free,
            Tables::Shape => TableRule::Shape,
            Tables::Fixed => TableRule::Fixed,
        }
    }
}

/// An evolution.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// Population size [default: 300].
    #[arg(long, value_name = "N")]
    pub population: Option<usize>,
    /// Generations [default: 150].
    #[arg(long, value_name = "N")]
    pub generations: Option<u32>,
    /// Fitness function [default: game].
    #[arg(long, value_name = "KIND")]
    pub fitness: Option<FitnessKind>,
    /// The opponent, which also plays the openings, as an agent spec [default: engine(hash=1)].
    #[arg(long, value_name = "SPEC")]
    pub opponent: Option<String>,
    /// Search depth of the opponent in plies [default: 1].
    #[arg(long, value_name = "N")]
    pub opponent_depth: Option<u32>,
    /// Games of each chromosome against the opponent [default: 1].
    #[arg(long, value_name = "N")]
    pub games: Option<u32>,
    /// Games of each chromosome against others of its generation (co-evolution) [default: 0].
    #[arg(long, value_name = "N")]
    pub rivals: Option<u32>,
    /// Games of each chromosome against earlier champions (hall of fame) [default: 0].
    #[arg(long, value_name = "N")]
    pub hall: Option<u32>,
    /// Length of the opening in plies [default: 20].
    #[arg(long, value_name = "N")]
    pub opening_plies: Option<u32>,
    /// Search depth of the opening in plies [default: 4].
    #[arg(long, value_name = "N")]
    pub opening_depth: Option<u32>,
    /// Random plies at the start of an opening; with 0 all openings are the same [default: 4].
    #[arg(long, value_name = "N")]
    pub random_plies: Option<u32>,
    /// Plies after which a game is drawn [default: 200].
    #[arg(long, value_name = "N")]
    pub max_plies: Option<u32>,
    /// Positions with best moves (.epd), games of masters (.pgn), or `built-in` [default: built-in].
    #[arg(long, value_name = "FILE")]
    pub positions: Option<String>,
    /// Positions sampled per generation [default: all].
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// The search of chromosomes [default: plain].
    #[arg(long, value_name = "KIND")]
    pub search: Option<Search>,
    /// Search depth of chromosomes in plies [default: 2; 1 with positions].
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Quiescence depth in plies; the seed has none [default: 0].
    #[arg(long, value_name = "N")]
    pub quiescence: Option<u32>,
    /// Largest check extension in plies; the seed has none [default: 0].
    #[arg(long, value_name = "N")]
    pub checks: Option<u32>,
    /// Each gene has a value for opening, middlegame and endgame.
    #[arg(long)]
    pub phases: bool,
    /// How tables mutate [default: free].
    #[arg(long, value_name = "RULE")]
    pub tables: Option<Tables>,
    /// Number of elites, which survive unchanged [default: 2].
    #[arg(long, value_name = "N")]
    pub elites: Option<usize>,
    /// Tournament size as a share of the population [default: 0.05].
    #[arg(long, value_name = "SHARE")]
    pub tournament: Option<f64>,
    /// Initial mutation strength in pawns [default: 0.3].
    #[arg(long, value_name = "PAWNS")]
    pub mutation: Option<f64>,
    /// Share of genes that mutate [default: 1].
    #[arg(long, value_name = "SHARE")]
    pub mutation_rate: Option<f64>,
    /// Start from these weights and mutants of them, instead of random ones.
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Seed of all randomness [default: 1].
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,
    /// Number of threads; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Directory of a new run [default: evolution].
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub run: Option<PathBuf>,
    /// Resume the run in this directory.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// The result as JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub grid: GridArgs,
}

/// How games are played that no selection depends on.
#[derive(Debug, clap::Args)]
pub struct TestArgs {
    /// Games of each, an even number: every opening is played with both colours.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u32,
    /// The opponent, which also plays the openings, as an agent spec [default: the run's, or engine(hash=1)].
    #[arg(long, value_name = "SPEC")]
    pub opponent: Option<String>,
    /// Search depth of the opponent in plies.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub opponent_depth: u32,
    /// The search of chromosomes.
    #[arg(long, value_name = "KIND", default_value = "plain")]
    pub search: Search,
    /// Search depth of chromosomes in plies.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub depth: u32,
    /// Quiescence depth in plies; the seed has none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub quiescence: u32,
    /// Largest check extension in plies; the seed has none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub checks: u32,
    /// Plies after which a game is drawn.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub max_plies: u32,
    /// Where games begin follows from it.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub seed: u32,
    /// Number of threads; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// The result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `tabia evolve exam`.
#[derive(Debug, clap::Args)]
pub struct ExamArgs {
    /// The run.
    #[arg(value_name = "DIR")]
    pub run: PathBuf,
    /// Other chromosomes to be tested, too.
    #[arg(value_name = "FILE")]
    pub others: Vec<PathBuf>,
    #[command(flatten)]
    pub test: TestArgs,
}

/// Arguments of `tabia evolve rate`.
#[derive(Debug, clap::Args)]
pub struct RateArgs {
    /// The run.
    #[arg(value_name = "DIR")]
    pub run: PathBuf,
    /// Measure every N-th generation, and the last.
    #[arg(long, value_name = "N", default_value = "10")]
    pub every: NonZero<u32>,
    #[command(flatten)]
    pub test: TestArgs,
}

/// Arguments of `tabia evolve label`.
#[derive(Debug, clap::Args)]
pub struct LabelArgs {
    /// How many positions.
    #[arg(long, value_name = "N", default_value = "1000")]
    pub count: NonZero<u64>,
    /// Nodes the engine thinks about each.
    #[arg(long, value_name = "N", default_value = "20000")]
    pub nodes: NonZero<u64>,
    /// Seed of all randomness.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
    /// Number of threads; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Where they go.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}
