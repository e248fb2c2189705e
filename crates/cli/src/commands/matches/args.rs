//! Arguments of `tabia match`.

use std::path::PathBuf;

use clap::ValueEnum;
use tabia_arena::driver::SandboxLimits;
use tabia_arena::tournament::chess::adjudication::{DrawRule, ResignRule};
use tabia_arena::tournament::chess::{ClockSettings, Order, TimeControl};
use tabia_stats::EloModel;

use crate::grid::GridArgs;
use crate::numbers::integer;

/// Arguments of `tabia match`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An agent is a spec as listed by `tabia agents`, with an optional name: \
--agent 'new=engine(eval=pst)'. Any UCI engine is an agent: 'uci(cmd=stockfish,option.Skill_Level=3)'. Every opening is played \
twice, with colours swapped; results are those of the first agent, and errors are taken over pairs of games.

A player that crashes, hangs, floods its output, exceeds its time or plays an illegal move loses that game. The reason is \
in the game's record, and the player is restarted for the next game.

With --run everything is stored in a directory, and --resume continues after Ctrl-C, a crash or a power cut. At fixed \
nodes or depth the same seed gives the same games, with any --concurrency and after any interruption.

JSON: {\"agents\":[…],\"games\",\"wins\",\"draws\",\"losses\",\"pentanomial\":[5],\"elo\",\"elo_error_95\",\"los\",\"sprt\":\
{\"elo0\",\"elo1\",\"llr\",\"lower\",\"upper\",\"verdict\"},\"illegal_moves\",\"time_losses\",\"crashes\",\"run\",\"players\",\
\"crosstable\",\"ratings\",…}.

Examples:
  tabia match --agent engine --agent 'uci(cmd=stockfish,option.Skill_Level=3)' --tc 8+0.08 --games 200
  tabia match --agent 'new=engine(eval=field)' --agent 'old=engine(eval=pst)' --nodes 20000 --sprt 0,5 --run runs/field
  tabia match --resume runs/field
  tabia match --agent engine --agent axiomx --nodes 20000 --run runs/many --grid nats://localhost:4222
  tabia match --agent axiomx --agent axon --agent 'alphabeta(depth=3)' --games 20 --html report.html
  tabia match --gauntlet --agent engine --agent 'uci(cmd=toga2)' --agent 'uci(cmd=gnuchess -u)' --tc 10+0.1 \\
      --anchor 'uci(cmd=toga2)=2800' --pgn games.pgn --json")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that a person types")]
pub struct MatchArgs {
    /// A player, as an agent spec; give two or more.
    #[arg(long = "agent", value_name = "[NAME=]SPEC")]
    pub agents: Vec<String>,
    /// Games of each pairing [default: 100; with --sprt until it is decided, at most 100000].
    #[arg(long, value_name = "N", value_parser = integer::<u32>(1..=10_000_000))]
    pub games: Option<u32>,
    /// The first agent plays all others; otherwise a round robin.
    #[arg(long)]
    pub gauntlet: bool,
    /// Each agent plays the N agents after it in the list: for a ladder from weak to strong.
    #[arg(long, value_name = "N", conflicts_with = "gauntlet", value_parser = integer::<u32>(1..))]
    pub neighbours: Option<u32>,

    /// A clock in seconds for each side: 8+0.08, or 40/60+0.5 for 40 moves in 60 seconds, repeating [default: 8+0.08].
    #[arg(long, value_name = "CLOCK", group = "limit")]
    pub tc: Option<ClockSettings>,
    /// Nodes per move.
    #[arg(long, value_name = "N", group = "limit", value_parser = integer::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Depth in plies.
    #[arg(long, value_name = "N", group = "limit", value_parser = integer::<u32>(1..=250))]
    pub depth: Option<u32>,
    /// Milliseconds per move.
    #[arg(long, value_name = "MS", group = "limit", value_parser = integer::<u64>(1..))]
    pub movetime: Option<u64>,
    /// Another limit for one agent: NAME=4+0.04, NAME=nodes=500, NAME=depth=3, NAME=movetime=50.
    #[arg(long, value_name = "NAME=LIMIT")]
    pub odds: Vec<String>,
    /// Let engines ponder on the opponent's time.
    #[arg(long)]
    pub ponder: bool,
    /// Milliseconds by which a clock may be exceeded [default: 0].
    #[arg(long, value_name = "MS")]
    pub margin: Option<u64>,
    /// Seconds without output after which a player without a clock counts as hung [default: 30].
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub stall: Option<f64>,

    /// Openings: a file .epd, .fen, .pgn or .bin (Polyglot), `built-in` or `startpos` [default: built-in].
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    /// The order of openings [default: random].
    #[arg(long)]
    pub order: Option<OrderArg>,
    /// Plies to take of each game or book line.
    #[arg(long, value_name = "N")]
    pub opening_plies: Option<usize>,
    /// Seed of all randomness [default: 1].
    #[arg(long, value_name = "N", value_parser = integer::<u64>(..=i64::MAX as u64))]
    pub seed: Option<u64>,

    /// Stop when the first agent is known to be below ELO0 or above ELO1.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// Probability of a false positive [default: 0.05].
    #[arg(long, value_name = "P")]
    pub alpha: Option<f64>,
    /// Probability of a false negative [default: 0.05].
    #[arg(long, value_name = "P")]
    pub beta: Option<f64>,
    /// The Elo scale of the test [default: logistic].
    #[arg(long)]
    pub model: Option<ModelArg>,
    /// A known rating that fixes the scale.
    #[arg(long, value_name = "NAME=RATING")]
    pub anchor: Vec<String>,

    /// Adjudicate a draw from move M on when both scores are below C centipawns for N moves: 40,8,10.
    #[arg(long, value_name = "M,N,C", value_parser = draw_rule)]
    pub draw: Option<DrawRule>,
    /// Adjudicate a win when both scores agree on C centipawns for N moves: 3,600.
    #[arg(long, value_name = "N,C", value_parser = resign_rule)]
    pub resign: Option<ResignRule>,
    /// For --resign, the losing side's score is enough.
    #[arg(long, requires = "resign")]
    pub resign_one_sided: bool,
    /// Adjudicate games by the Syzygy tablebases in these directories.
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<String>,
    /// Length in moves after which a game is drawn [default: 500].
    #[arg(long, value_name = "N", value_parser = integer::<u32>(1..))]
    pub max_moves: Option<u32>,

    /// Games at the same time [default: one per core; with a clock half as many].
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub concurrency: Option<usize>,
    /// Pin each game to its own core.
    #[arg(long)]
    pub pin: bool,
    /// Store the run in this new directory.
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub run: Option<PathBuf>,
    /// Resume the match in this directory; other options must be unchanged.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// Write the games to this file.
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write an HTML report to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// One JSON document on standard output, at the end.
    #[arg(long)]
    pub json: bool,
    /// Limits for engines that are other programs, as JSON: `tabia serve` starts matches with them.
    #[arg(long, value_name = "LIMITS", hide = true, value_parser = confinement)]
    pub confine: Option<SandboxLimits>,
    /// End as by Ctrl-C when standard input ends: `tabia serve` holds its other end, so its matches end with it.
    #[arg(long, hide = true)]
    pub end_with_input: bool,
    #[command(flatten)]
    pub grid: GridArgs,
}

fn confinement(text: &str) -> Result<SandboxLimits, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// The order of openings.
#[derive(Copy, Clone, Debug, ValueEnum)]
pub enum OrderArg {
    /// Shuffled by the seed.
    Random,
    /// As in the file.
    Sequential,
}

/// What is meant by Elo.
#[derive(Copy, Clone, Debug, ValueEnum)]
pub enum ModelArg {
    /// Logistic Elo, the usual scale.
    Logistic,
    /// In units of the standard deviation of the results.
    Normalized,
}

impl From<OrderArg> for Order {
    fn from(order: OrderArg) -> Order {
        match order {
            OrderArg::Random => Order::Random,
            OrderArg::Sequential => Order::Sequential,
        }
    }
}

impl From<ModelArg> for EloModel {
    fn from(model: ModelArg) -> EloModel {
        match model {
            ModelArg::Logistic => EloModel::Logistic,
            ModelArg::Normalized => EloModel::Normalized,
        }
    }
}

impl MatchArgs {
    /// The limit for everybody, if one is given.
    pub fn time_control(&self) -> Option<TimeControl> {
        let movetime = |ms| TimeControl::MoveTime(std::time::Duration::from_millis(ms));
        self.tc
            .map(TimeControl::Clock)
            .or(self.nodes.map(TimeControl::Nodes))
            .or(self.depth.map(TimeControl::Depth))
            .or(self.movetime.map(movetime))
    }
}

/// A whole number from 1.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "write a whole number from 1".to_owned())
}

fn positive_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| (0.001..=1e6).contains(seconds));
    seconds.ok_or_else(|| "write seconds, such as 30 or 0.5".to_owned())
}

fn numbers<T: std::str::FromStr, const N: usize>(text: &str) -> Option<[T; N]> {
    let numbers: Option<Vec<T>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

/// `0,5`.
pub(crate) fn two_numbers(text: &str) -> Result<[f64; 2], String> {
    numbers(text).ok_or_else(|| "write two numbers, such as 0,5 or -3,1".to_owned())
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let [from_move, moves, score] = numbers::<u16, 3>(text)
        .filter(|rule| rule[1] > 0)
        .ok_or_else(|| "write a move, a number of moves and centipawns, such as 40,8,10".to_owned())?;
    Ok(DrawRule { from_move: from_move.into(), moves: moves.into(), score_cp: score.into() })
}

fn resign_rule(text: &str) -> Result<ResignRule, String> {
    let [moves, score] = numbers::<u16, 2>(text)
        .filter(|rule| rule[0] > 0 && rule[1] > 0)
        .ok_or_else(|| "write a number of moves and centipawns, such as 3,600".to_owned())?;
    Ok(ResignRule { moves: moves.into(), score_cp: score.into(), one_sided: false })
}
