//! What can be typed after `tabia evolve`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use tabia_evolve::{SearchKind, TableRule};

use crate::grid::GridArgs;

/// What `tabia evolve` takes.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Without options the algorithm is as seed 003 prints it: 300 chromosomes and 150 generations, two elites, tournaments of 5%, \
every gene blended and mutated, fitness by one game from a middlegame against an opponent that looks one ply ahead. The opponent is \
Tabia's own engine unless another is named.

A run is a directory. Each generation leaves its champion there, to be played with: 'chromosome(weights=DIR/champion-0042.json)'. The same command with \
--resume DIR goes on after Ctrl-C or worse, and ends with the same bytes as if nothing had happened, on any number of threads.

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
    /// Whole games: 1000 for a win, material for a draw, -1000 and the half-moves it took for a loss.
    Game,
    /// Best moves found, of 1000.
    Positions,
    /// How near the evaluation is to what positions are said to be worth, of 1000.
    Mentor,
}

/// What looks ahead for chromosomes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// Plain alpha-beta, as the seed has it.
    Plain,
    /// The strong search of the engine.
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

/// What may become of tables.
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
    /// Chromosomes of a generation [default: 300].
    #[arg(long, value_name = "N")]
    pub population: Option<usize>,
    /// Generations [default: 150].
    #[arg(long, value_name = "N")]
    pub generations: Option<u32>,
    /// What fitness is [default: game].
    #[arg(long, value_name = "KIND")]
    pub fitness: Option<FitnessKind>,
    /// Who is played against, and plays the openings [default: engine(hash=1)].
    #[arg(long, value_name = "SPEC")]
    pub opponent: Option<String>,
    /// How many plies the opponent looks ahead [default: 1].
    #[arg(long, value_name = "N")]
    pub opponent_depth: Option<u32>,
    /// Games of each chromosome against the opponent [default: 1].
    #[arg(long, value_name = "N")]
    pub games: Option<u32>,
    /// Games of each against others of its generation: co-evolution [default: 0].
    #[arg(long, value_name = "N")]
    pub rivals: Option<u32>,
    /// Games of each against champions of generations before: a hall of fame [default: 0].
    #[arg(long, value_name = "N")]
    pub hall: Option<u32>,
    /// Half-moves of a game's opening [default: 20].
    #[arg(long, value_name = "N")]
    pub opening_plies: Option<u32>,
    /// How many plies openings are played with [default: 4].
    #[arg(long, value_name = "N")]
    pub opening_depth: Option<u32>,
    /// How many half-moves of an opening, the first, are random; 0 gives the same opening every time [default: 4].
    #[arg(long, value_name = "N")]
    pub random_plies: Option<u32>,
    /// Half-moves after which a game is drawn [default: 200].
    #[arg(long, value_name = "N")]
    pub max_plies: Option<u32>,
    /// Positions with best moves (.epd), games of masters (.pgn), or `built-in` [default: built-in].
    #[arg(long, value_name = "FILE")]
    pub positions: Option<String>,
    /// How many positions are drawn for a generation [default: all].
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// What looks ahead for chromosomes [default: plain].
    #[arg(long, value_name = "KIND")]
    pub search: Option<Search>,
    /// How many plies chromosomes look ahead [default: 2; 1 with positions].
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Plies of captures that they follow beyond; the seed has none [default: 0].
    #[arg(long, value_name = "N")]
    pub quiescence: Option<u32>,
    /// Plies that a line is lengthened for checks at most; the seed has none [default: 0].
    #[arg(long, value_name = "N")]
    pub checks: Option<u32>,
    /// A value for opening, middlegame and endgame of each gene.
    #[arg(long)]
    pub phases: bool,
    /// What may become of tables [default: free].
    #[arg(long, value_name = "RULE")]
    pub tables: Option<Tables>,
    /// How many of the best live on unchanged [default: 2].
    #[arg(long, value_name = "N")]
    pub elites: Option<usize>,
    /// Which share of the population a parent is chosen from [default: 0.05].
    #[arg(long, value_name = "SHARE")]
    pub tournament: Option<f64>,
    /// How far a gene mutates at first, in pawns [default: 0.3].
    #[arg(long, value_name = "PAWNS")]
    pub mutation: Option<f64>,
    /// Which share of genes mutates [default: 1].
    #[arg(long, value_name = "SHARE")]
    pub mutation_rate: Option<f64>,
    /// Begin with these weights and mutants of them, rather than by chance.
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Where everything random comes from [default: 1].
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,
    /// Threads; the result is the same for any number. All cores if not given.
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// A new directory for the run [default: evolution].
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub run: Option<PathBuf>,
    /// Go on with the run of a directory.
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
    /// Who is played against, and plays the openings [default: the run's, or engine(hash=1)].
    #[arg(long, value_name = "SPEC")]
    pub opponent: Option<String>,
    /// How many plies the opponent looks ahead.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub opponent_depth: u32,
    /// What looks ahead for chromosomes.
    #[arg(long, value_name = "KIND", default_value = "plain")]
    pub search: Search,
    /// How many plies chromosomes look ahead.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub depth: u32,
    /// Plies of captures that they follow beyond; the seed has none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub quiescence: u32,
    /// Plies that a line is lengthened for checks at most; the seed has none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub checks: u32,
    /// Half-moves after which a game is drawn.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub max_plies: u32,
    /// Where games begin follows from it.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub seed: u32,
    /// Threads; the result is the same for any number. All cores if not given.
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// The result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// What `tabia evolve exam` takes.
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

/// What `tabia evolve rate` takes.
#[derive(Debug, clap::Args)]
pub struct RateArgs {
    /// The run.
    #[arg(value_name = "DIR")]
    pub run: PathBuf,
    /// Measure every so many generations, and the last.
    #[arg(long, value_name = "N", default_value = "10")]
    pub every: NonZero<u32>,
    #[command(flatten)]
    pub test: TestArgs,
}

/// What `tabia evolve label` takes.
#[derive(Debug, clap::Args)]
pub struct LabelArgs {
    /// How many positions.
    #[arg(long, value_name = "N", default_value = "1000")]
    pub count: NonZero<u64>,
    /// Nodes the engine thinks about each.
    #[arg(long, value_name = "N", default_value = "20000")]
    pub nodes: NonZero<u64>,
    /// Everything random follows from it.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
    /// Threads; the result is the same for any number. All cores if not given.
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Where they go.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}
