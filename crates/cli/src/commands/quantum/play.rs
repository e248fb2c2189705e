//! `tabia quantum play`: a game in the terminal.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use shakmaty::{ByColor, Color};
use tabia_core::seed::{self, Random};
use tabia_core::{AgentError, AgentSpec, Score, SearchInfo};
use tabia_quantum::phrases::percent;
use tabia_quantum::{Action, Move, QuantumGame};
use tabia_session::Session;

use super::{board, read_position};
use crate::commands::play::input::Input;
use crate::commands::play::player::{self, Ending, Player};
use crate::commands::play::replay::{Replay, Timestamp};
use crate::commands::play::{decisions, verdict};
use crate::limits::LimitArgs;
use crate::terminal::Paint;
use crate::text::{self, WhiteScore};
use crate::{catalogue, live};

/// The default opponent of a person.
const OPPONENT: &str = "net";

/// Arguments of `tabia quantum play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves are typed as b1c3, b1~c3 to split, e7e8n to become a knight. Each square shows the likeliest piece and its chance in per \
cent; `help` lists the commands (branches, odds, where, undo, …). The game is kept as a JSON replay with its seed and what every \
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
    /// Who has Black [default: human if White is an agent, else net].
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

/// A game in progress.
pub(super) struct QuantumPlainGame {
    pub(super) session: Session<QuantumGame>,
    /// Every ply: the move, and its text with the measurements.
    pub(super) plies: Vec<(Move, String)>,
    pub(super) players: ByColor<Player<QuantumGame>>,
    pub(super) random: Random,
    pub(super) paint: Paint,
    pub(super) input: Input,
    pub(super) bottom: Color,
    pub(super) out: io::Stdout,
}

/// Plays a game.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let start = read_position(args.position.as_deref().unwrap_or_default())?;
    let opponent = AgentSpec::named(OPPONENT);
    let specs = player::specs(args.white.as_ref(), args.black.as_ref(), opponent);
    let players = Player::both(&catalogue::quantum(), &specs, &args.limits)?;
    let humans = players.as_ref().map(Player::is_human);
    let paint = Paint::for_stream(&io::stdout());
    let input = Input::new(humans.white || humans.black)?;
    let seed = args.seed.unwrap_or_else(seed_of_now);
    let started = Timestamp::now();
    let mut plain = QuantumPlainGame {
        session: Session::new(start.clone(), humans, Instant::now()),
        plies: Vec::new(),
        players,
        random: seed::random(seed),
        paint,
        input,
        bottom: player::bottom(humans),
        out: io::stdout(),
    };
    let ending = plain.play();
    // Save the moves before anything else can fail.
    let plies: Vec<String> = plain.plies.iter().map(|(_, text)| text.clone()).collect();
    let replay = Replay::quantum(plies, &start, seed, plain.session.outcome(), &specs, started);
    let kept = keep(args, &replay);
    let mut out = io::stdout().lock();
    match &ending {
        Ok(Ending::Over(outcome)) => writeln!(out, "{}", paint.bold(verdict(*outcome)))?,
        Ok(Ending::Left(why)) => {
            writeln!(
                out,
                "{why} after {}.",
                text::counted(plain.plies.len() as u64, "ply").replace("plys", "plies")
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
        writeln!(self.out, "White: {}. Black: {}.", self.players.white, self.players.black)?;
        if self.players.iter().any(Player::is_human) {
            writeln!(self.out, "Type a move (b1c3), a split (b1~c3) or `help`.")?;
        }
        loop {
            if let Some(outcome) = self.session.outcome() {
                self.show_board()?;
                return Ok(Ending::Over(outcome));
            }
            let turn = self.session.game().side_to_move();
            let ending = match self.players[turn] {
                Player::Human => self.ask(turn)?,
                Player::Agent { .. } => self.think(turn)?,
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    /// Plays a legal move, draws its measurements, and prints the result.
    pub(super) fn make(&mut self, m: Move, score: Option<Score>, details: &str) -> anyhow::Result<()> {
        let before = self.session.game();
        let chance = before.success_chance(m);
        let played = before.clone().play(m, &mut self.random)?;
        let number = before.ply() / 2 + 1;
        let dots = before.side_to_move().fold_wb(".", "...");
        let odds = if chance < 1.0 { format!(" (succeeds {})", percent(chance)) } else { String::new() };
        let text = format!("{number}{dots} {}", before.write_move(m));
        let details =
            if details.is_empty() { String::new() } else { format!("  {}", self.paint.dim(details)) };
        writeln!(self.out, "{}{odds}{details}", self.paint.bold(text))?;
        for told in &played.told {
            writeln!(self.out, "   measured: {told}")?;
        }
        self.session.play(&played.actions(m), score, Instant::now());
        self.plies.push((m, played.text));
        Ok(())
    }

    fn think(&mut self, turn: Color) -> anyhow::Result<Option<Ending>> {
        let Player::Agent { name, agent, limits } = &mut self.players[turn] else { return Ok(None) };
        let (game, stop) = (self.session.game(), &self.input.stop);
        let choice = live::choose(agent.as_mut(), (game, turn), limits, stop, &mut self.out, |info| {
            summary(turn, info)
        })?;
        if self.input.stop.is_stopped() {
            return Ok(Some(Ending::Left("Interrupted")));
        }
        let error = match choice.action {
            Ok(Action::Move(m)) => {
                let score = choice.info.as_ref().map(|info| info.score);
                let details = choice.info.map(|info| summary(turn, &info)).unwrap_or_default();
                return self.make(m, score, &details).map(|()| None);
            }
            Ok(chosen) => AgentError::Failed(format!("{chosen:?} is no move")),
            Err(error) => error,
        };
        decisions::agent_failed(&mut self.session, name, error).map(Some)
    }

    pub(super) fn show_board(&mut self) -> io::Result<()> {
        let game = self.session.game();
        let last = self.plies.last().map(|(m, _)| *m);
        writeln!(self.out)?;
        for line in board::draw(game, last, self.bottom, self.paint) {
            writeln!(self.out, "{line}")?;
        }
        let branches = game.branches().len();
        if branches > 1 {
            writeln!(self.out, "{branches} branches")?;
        }
        writeln!(self.out)
    }
}

/// Search information of an agent on one line.
pub(super) fn summary(turn: Color, info: &SearchInfo<Action>) -> String {
    let score = WhiteScore::new(info.score, info.bound, turn);
    let line: Vec<String> = info.line.iter().take(6).map(ToString::to_string).collect();
    format!("{}, {} nodes  {}", score.phrase(), text::short_count(info.nodes), line.join(" "))
}
