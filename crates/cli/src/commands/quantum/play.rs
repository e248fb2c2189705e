//! `tabia quantum play`: a game in the terminal.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use shakmaty::{ByColor, Color};
use tabia_core::seed::{self, Random};
use tabia_core::{Agent, AgentSpec, Game, Limits, Outcome, Thought, Turn};
use tabia_quantum::phrases::percent;
use tabia_quantum::{Action, Move, QuantumGame};

use super::{board, read_position};
use crate::commands::play::input::Input;
use crate::commands::play::replay::{Replay, Timestamp};
use crate::commands::play::verdict;
use crate::limits::LimitArgs;
use crate::terminal::Paint;
use crate::text::{self, WhiteScore};
use crate::{catalogue, live};

/// The spec of a person.
const HUMAN: &str = "human";
/// Who plays against a person when nobody else is named.
const OPPONENT: &str = "mcts";

/// Arguments of `tabia quantum play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves are typed as b1c3, b1~c3 to split, e7e8n to become a knight. Each square shows the likeliest piece and its chance in per \
cent; `help` lists the words (branches, odds, where, undo, …). The game is kept as a JSON replay with its seed and what every \
measurement showed.

Examples:
  tabia quantum play
  tabia quantum play --white 'mcts(simulations=2000)' --black human
  tabia quantum play --white greedy --black random --seed 7 --no-save
  tabia quantum play --black human --position '7k/8/5n2/8/8/8/8/3Q3K b - - 0 1'")]
pub struct PlayArgs {
    /// Who has White [default: human].
    #[arg(long, value_name = "SPEC")]
    white: Option<AgentSpec>,
    /// Who has Black [default: human if White is an agent, else mcts].
    #[arg(long, value_name = "SPEC")]
    black: Option<AgentSpec>,
    /// Where the game starts: a FEN, or weighted boards [default: the start of a game].
    #[arg(long, value_name = "POSITION", visible_alias = "fen")]
    position: Option<String>,
    /// What measurements are drawn from [default: the time].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Keep the replay in this file [default: a new file in ./replays].
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Keep no replay.
    #[arg(long, conflicts_with = "replay")]
    no_save: bool,
}

/// Who sits at one side of the plain.
pub(super) enum Player {
    Human,
    Agent { name: String, agent: Box<dyn Agent<QuantumGame>>, limits: Limits<Action> },
}

/// How a game at this table ends.
pub(super) enum Ending {
    /// It is decided.
    Over(Outcome),
    /// Somebody left; the reason as the start of a sentence.
    Left(&'static str),
}

/// A game under way.
pub(super) struct QuantumPlainGame {
    pub(super) game: QuantumGame,
    /// Every state a player moved in, with the move and the ply as text.
    pub(super) past: Vec<(QuantumGame, Move, String)>,
    pub(super) players: ByColor<Player>,
    pub(super) random: Random,
    pub(super) paint: Paint,
    pub(super) input: Input,
    pub(super) bottom: Color,
    pub(super) out: io::Stdout,
}

/// Plays a game.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let start = read_position(args.position.as_deref().unwrap_or_default())?;
    let specs = specs(args);
    let players =
        ByColor { white: player(&specs.white, &args.limits)?, black: player(&specs.black, &args.limits)? };
    let paint = Paint::for_stream(&io::stdout());
    let input = Input::new(players.iter().any(|player| matches!(player, Player::Human)))?;
    let seed = args.seed.unwrap_or_else(seed_of_now);
    let started = Timestamp::now();
    let only_black_is_human =
        matches!((&players.white, &players.black), (Player::Agent { .. }, Player::Human));
    let mut plain = QuantumPlainGame {
        game: start.clone(),
        past: Vec::new(),
        players,
        random: seed::random(seed),
        paint,
        input,
        bottom: if only_black_is_human { Color::Black } else { Color::White },
        out: io::stdout(),
    };
    let ending = plain.play();
    let outcome = match &ending {
        Ok(Ending::Over(outcome)) => Some(*outcome),
        _ => None,
    };
    // Whatever happened, the moves are kept before anything else can fail.
    let plies: Vec<String> = plain.past.iter().map(|(_, _, text)| text.clone()).collect();
    let replay = Replay::quantum(plies, &start, seed, outcome, &specs, started);
    let kept = keep(args, &replay);
    let mut out = io::stdout().lock();
    match &ending {
        Ok(Ending::Over(outcome)) => writeln!(out, "{}", paint.bold(verdict(*outcome)))?,
        Ok(Ending::Left(why)) => {
            writeln!(
                out,
                "{why} after {}.",
                text::counted(plain.past.len() as u64, "ply").replace("plys", "plies")
            )?;
        }
        Err(_) => {}
    }
    if let Some(path) = kept? {
        writeln!(out, "{}", paint.dim(format_args!("The game is in {}.", path.display())))?;
    }
    ending?;
    Ok(ExitCode::SUCCESS)
}

fn specs(args: &PlayArgs) -> ByColor<AgentSpec> {
    let human = || AgentSpec::named(HUMAN);
    let white_is_agent = args.white.as_ref().is_some_and(|spec| *spec != human());
    let opponent = || if white_is_agent { human() } else { AgentSpec::named(OPPONENT) };
    ByColor {
        white: args.white.clone().unwrap_or_else(human),
        black: args.black.clone().unwrap_or_else(opponent),
    }
}

fn player(spec: &AgentSpec, limits: &LimitArgs) -> anyhow::Result<Player> {
    if *spec == AgentSpec::named(HUMAN) {
        return Ok(Player::Human);
    }
    let catalogue = catalogue::quantum();
    let (entry, options) = catalogue::check(&catalogue, spec)?;
    let limits = limits.for_agent(&options);
    let agent = (entry.build)(&options).map_err(|error| catalogue::refused(&error))?;
    Ok(Player::Agent { name: spec.to_string(), agent, limits })
}

fn seed_of_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

fn keep(args: &PlayArgs, replay: &Replay) -> anyhow::Result<Option<PathBuf>> {
    match &args.replay {
        _ if args.no_save => Ok(None),
        Some(path) => replay.save_as(path).map(|()| Some(path.clone())),
        None if replay.is_empty() => Ok(None),
        None => replay.save_new().map(Some),
    }
}

impl QuantumPlainGame {
    fn play(&mut self) -> anyhow::Result<Ending> {
        let name = |player: &Player| match player {
            Player::Human => "you".to_owned(),
            Player::Agent { name, .. } => name.clone(),
        };
        writeln!(self.out, "White: {}. Black: {}.", name(&self.players.white), name(&self.players.black))?;
        if self.players.iter().any(|player| matches!(player, Player::Human)) {
            writeln!(self.out, "Type a move (b1c3), a split (b1~c3) or `help`.")?;
        }
        loop {
            let turn = match self.game.turn() {
                Turn::Player(turn) => turn,
                Turn::Over(outcome) => {
                    self.show_board()?;
                    return Ok(Ending::Over(outcome));
                }
                Turn::Chance => bail!("a measurement was left open"),
            };
            let ending = match self.players[turn] {
                Player::Human => self.ask(turn)?,
                Player::Agent { .. } => self.think(turn)?,
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    /// Makes a legal move, measures, and says what came of it.
    pub(super) fn make(&mut self, m: Move, thoughts: &str) -> anyhow::Result<()> {
        let before = self.game.clone();
        let chance = before.success_chance(m);
        let played = self.game.play(m, &mut self.random)?;
        let number = before.ply() / 2 + 1;
        let dots = before.side_to_move().fold_wb(".", "...");
        let odds = if chance < 1.0 { format!(" (succeeds {})", percent(chance)) } else { String::new() };
        let text = format!("{number}{dots} {}", before.write_move(m));
        let thoughts =
            if thoughts.is_empty() { String::new() } else { format!("  {}", self.paint.dim(thoughts)) };
        writeln!(self.out, "{}{odds}{thoughts}", self.paint.bold(text))?;
        for told in &played.told {
            writeln!(self.out, "   measured: {told}")?;
        }
        self.past.push((before, m, played.text));
        Ok(())
    }

    fn think(&mut self, turn: Color) -> anyhow::Result<Option<Ending>> {
        let Player::Agent { name, agent, limits } = &mut self.players[turn] else { return Ok(None) };
        let (game, stop) = (&self.game, &self.input.stop);
        let choice = live::choose(agent.as_mut(), (game, turn), limits, stop, &mut self.out, |thought| {
            summary(turn, thought)
        })?;
        if self.input.stop.is_stopped() {
            return Ok(Some(Ending::Left("Interrupted")));
        }
        let chosen = choice.action.with_context(|| format!("{name} has no move for {}", text::side(turn)))?;
        let Action::Move(m) = chosen else { bail!("{name} answered {chosen:?}, which is no move") };
        let thoughts = choice.thought.map(|thought| summary(turn, &thought)).unwrap_or_default();
        self.make(m, &thoughts)?;
        Ok(None)
    }

    pub(super) fn show_board(&mut self) -> io::Result<()> {
        let last = self.past.last().map(|(_, m, _)| *m);
        writeln!(self.out)?;
        for line in board::draw(&self.game, last, self.bottom, self.paint) {
            writeln!(self.out, "{line}")?;
        }
        let branches = self.game.branches().len();
        if branches > 1 {
            writeln!(self.out, "{branches} branches")?;
        }
        writeln!(self.out)
    }
}

/// What an agent thinks, on one line.
pub(super) fn summary(turn: Color, thought: &Thought<Action>) -> String {
    let score = WhiteScore::new(thought.score, thought.bound, turn);
    let line: Vec<String> = thought.line.iter().take(6).map(ToString::to_string).collect();
    format!("{}, {} nodes  {}", score.phrase(), text::short_count(thought.nodes), line.join(" "))
}

/// The branches as a list, heaviest first.
pub(super) fn list_branches(game: &QuantumGame, most: usize) -> Vec<String> {
    let mut branches: Vec<_> = game.branches().iter().collect();
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.weight()));
    let share = |weight: u64| percent(weight as f64 / game.total() as f64);
    let mut lines: Vec<String> = branches
        .iter()
        .take(most)
        .map(|branch| format!("{:>6}  {}", share(branch.weight()), branch.board()))
        .collect();
    if branches.len() > most {
        lines.push(format!("        … and {} more", branches.len() - most));
    }
    lines
}
