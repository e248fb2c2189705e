//! An engine that speaks the xboard protocol (CECP), as a child process.
//!
//! In this protocol the engine keeps the game: it receives moves, not positions. So the game as the engine knows it is
//! tracked here, and a game that does not continue it is set up anew. Only commands of old engines are used: `level`,
//! `st`, `sd`, `time`, `otim`, and `setboard` if the engine declares it.

mod messages;

use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Chess, Color, Move};
use tabia_core::{Agent, AgentError, ChessGame, Clock, Limits, Score, SearchInfo, Stop};

use super::process::Process;
use super::response_timer::{Next, ResponseTimer, STOPPING};
use super::uci::Setup;
use super::{Fault, FaultKind, NoMove, Player, PlayerMove, Timeouts};
use messages::Message;

/// Time for an engine to declare its features.
const FEATURE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time to read leftover output before a game, for an engine without `ping`.
const DRAIN_TIME: Duration = Duration::from_millis(100);
/// A clock that never matters, in minutes.
const NO_CLOCK_MINUTES: u32 = 1000;

/// What an engine declared.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the protocol")]
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    time: bool,
    reuse: bool,
}

/// A running engine.
pub struct XboardEngine {
    process: Process,
    timeout: Duration,
    ponder: bool,
    features: Features,
    pings: u32,
    /// The game as the engine knows it; none before the first.
    engine_game: Option<EngineGame>,
}

/// The engine's view of the game.
struct EngineGame {
    start: Chess,
    moves: Vec<Move>,
    /// Not in force mode: it answers moves by itself.
    plays: bool,
    limits: Option<String>,
}

/// The last thinking output.
#[derive(Default)]
struct LastInfo {
    score: Option<Score>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl XboardEngine {
    /// Starts an engine and reads its features.
    pub fn start(setup: &Setup) -> Result<XboardEngine, Fault> {
        let mut engine = XboardEngine {
            process: Process::start(&setup.command, &setup.launcher)?,
            timeout: setup.timeout,
            ponder: setup.ponder,
            features: Features { ping: false, setboard: false, usermove: false, time: true, reuse: true },
            pings: 0,
            engine_game: None,
        };
        engine.handshake().map_err(|fault| Fault { kind: FaultKind::Start, ..fault })?;
        Ok(engine)
    }

    fn handshake(&mut self) -> Result<(), Fault> {
        self.process.write("xboard\nprotover 2\n")?;
        let mut deadline = Instant::now() + FEATURE_TIMEOUT.min(self.timeout);
        while let Some(line) = self.process.read(deadline)? {
            let Message::Features(features) = messages::read(&line.text) else { continue };
            let mut answers = String::new();
            for (name, value) in &features {
                let known = self.declare(name, value);
                answers.extend([if known { "accepted " } else { "rejected " }, name, "\n"]);
            }
            self.process.write(&answers)?;
            match features.iter().find(|(name, _)| name == "done").map(|(_, value)| value.as_str()) {
                Some("1") => break,
                Some(_) => deadline = Instant::now() + self.timeout,
                None => {}
            }
        }
        self.synchronise()
    }

    /// Stores a feature; false rejects it.
    fn declare(&mut self, name: &str, value: &str) -> bool {
        let on = value == "1";
        match name {
            "ping" => self.features.ping = on,
            "setboard" => self.features.setboard = on,
            "usermove" => self.features.usermove = on,
            "time" => self.features.time = on,
            "reuse" => self.features.reuse = on,
            // Moves are sent in coordinate notation, never in SAN.
            "san" => return !on,
            "done" | "myname" | "variants" | "sigint" | "sigterm" | "analyze" | "draw" | "colors" => {}
            _ => return false,
        }
        true
    }

    fn fault(&self, kind: FaultKind, what: &str) -> Fault {
        Fault::new(kind, self.process.describe(what))
    }

    /// Waits until everything sent was read, where the engine can tell.
    fn synchronise(&mut self) -> Result<(), Fault> {
        if !self.features.ping {
            // Output of the game before must not be taken for that of the next.
            let deadline = Instant::now() + DRAIN_TIME;
            while self.process.read(deadline)?.is_some() {}
            return Ok(());
        }
        self.pings += 1;
        self.process.write(&format!("ping {}\n", self.pings))?;
        let deadline = Instant::now() + self.timeout;
        while let Some(line) = self.process.read(deadline)? {
            if messages::read(&line.text) == Message::Pong(self.pings) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        let text = format!("it did not answer `ping` within {} s", self.timeout.as_secs_f64());
        Err(self.fault(FaultKind::Timeout, &text))
    }

    /// Sets up a game from its start, in force mode.
    fn set_up(&mut self, game: &ChessGame) -> Result<(), Fault> {
        if game.mode() == CastlingMode::Chess960 {
            return Err(self.fault(FaultKind::Protocol, "Chess960 is not played in this protocol"));
        }
        let mut text = "force\nnew\nforce\npost\n".to_owned();
        text += if self.ponder { "hard\n" } else { "easy\n" };
        if *game.start() != Chess::default() {
            if !self.features.setboard {
                return Err(
                    self.fault(FaultKind::Protocol, "it cannot set up a position (no feature setboard)")
                );
            }
            let start = ChessGame::from_position(game.start().clone(), game.mode());
            text.extend(["setboard ", &start.fen(), "\n"]);
        }
        self.process.write(&text)?;
        self.engine_game =
            Some(EngineGame { start: game.start().clone(), moves: Vec::new(), plays: false, limits: None });
        Ok(())
    }

    /// Tells the engine to move in the position on the board.
    fn ask(&mut self, game: &ChessGame, limits: &Limits) -> Result<Instant, Fault> {
        let follows = self
            .engine_game
            .as_ref()
            .is_some_and(|state| state.start == *game.start() && game.moves().starts_with(&state.moves));
        if !follows {
            self.set_up(game)?;
        }
        let limit = self.limit_lines(game, limits)?;
        let Some(state) = &mut self.engine_game else { unreachable!("it was just set up") };
        let new: Vec<Move> = game.moves()[state.moves.len()..].to_vec();
        let mut text = String::new();
        let goes_on = state.plays && new.len() == 1;
        if state.plays && !goes_on {
            text += "force\n";
        }
        if state.limits.as_ref() != Some(&limit) {
            text += &limit;
            state.limits = Some(limit);
        }
        let usermove = if self.features.usermove { "usermove " } else { "" };
        let told_move = |m: &Move| format!("{usermove}{}\n", game.write_move(*m));
        let clock =
            limits.clock.filter(|_| self.features.time).map(|clock| clock_lines(clock, game.side_to_move()));
        if goes_on {
            text += &clock.unwrap_or_default();
            text += &new.iter().map(told_move).collect::<String>();
        } else {
            text += &new.iter().map(told_move).collect::<String>();
            text += &clock.unwrap_or_default();
            text += "go\n";
        }
        state.moves = game.moves().to_vec();
        state.plays = true;
        let start = Instant::now();
        self.process.write(&text)?;
        Ok(start)
    }

    /// The time limits as commands of the protocol.
    fn limit_lines(&self, game: &ChessGame, limits: &Limits) -> Result<String, Fault> {
        if let Some(why) = unsupported_limits(limits) {
            return Err(self.fault(FaultKind::Start, why));
        }
        if let Some(depth) = limits.depth {
            return Ok(format!("level 0 {NO_CLOCK_MINUTES} 0\nsd {depth}\n"));
        }
        if let Some(time) = limits.movetime {
            return Ok(format!("st {}\n", time.as_secs()));
        }
        let Some(clock) = limits.clock else { return Ok(String::new()) };
        // Set once per game; the remaining time is sent before every move.
        if let Some(known) = self.engine_game.as_ref().and_then(|state| state.limits.clone()) {
            return Ok(known);
        }
        let turn = game.side_to_move();
        let base = clock.remaining(turn).as_secs().max(1);
        let moves = clock.moves_to_go.unwrap_or(0);
        let increment = clock.increment(turn).as_secs_f64();
        Ok(format!("level {moves} {}:{:02} {increment}\n", base / 60, base % 60))
    }

    /// Waits for a move.
    fn answer(
        &mut self,
        game: &ChessGame,
        start: Instant,
        timeouts: &Timeouts,
        stop: &Stop,
        wants_answer: bool,
        last_info: &mut LastInfo,
    ) -> Result<(Move, Duration), NoMove> {
        let mut timer = ResponseTimer::new(start, timeouts, wants_answer);
        loop {
            let line = match timer.next(Instant::now(), stop.is_stopped()) {
                Next::Listen(until) => self.process.read(until)?,
                Next::Hurry => {
                    self.process.write("?\n")?;
                    None
                }
                Next::Leave => return Err(NoMove::Interrupted),
                Next::GiveUp(why) => return Err(self.fault(FaultKind::Timeout, &why).into()),
            };
            let Some(line) = line else { continue };
            timer.line_received(line.arrived);
            match messages::read(&line.text) {
                Message::Move(text) => return Ok((self.parse_move(game, &text)?, line.arrived - start)),
                Message::SearchInfo { depth, score, nodes } => {
                    *last_info = LastInfo { score: Some(score), depth: Some(depth), nodes: Some(nodes) };
                }
                Message::Resign => return Err(NoMove::Resigned),
                Message::Result(result) if result == lost(game.side_to_move()) => {
                    return Err(NoMove::Resigned);
                }
                Message::Refusal(text) => {
                    let text = format!("it refused what it was told: {text}");
                    return Err(self.fault(FaultKind::Protocol, &text).into());
                }
                _ => {}
            }
        }
    }

    fn parse_move(&mut self, game: &ChessGame, text: &str) -> Result<Move, Fault> {
        let castling = text.replace(['o', '0'], "O");
        let found = game.read_move(text).or_else(|_| game.read_move(&castling));
        let found = found.map_err(|error| self.fault(FaultKind::IllegalMove, &error.to_string()))?;
        if let Some(state) = &mut self.engine_game {
            state.moves.push(found);
        }
        Ok(found)
    }
}

/// The result by which this side resigns.
fn lost(turn: Color) -> &'static str {
    turn.fold_wb("0-1", "1-0")
}

/// Why the protocol cannot express these limits, if so.
pub fn unsupported_limits(limits: &Limits) -> Option<&'static str> {
    match *limits {
        Limits { nodes: Some(_), .. } => {
            Some("an xboard engine cannot be limited by nodes; give it a clock or a depth")
        }
        Limits { depth: Some(_), .. } => None,
        Limits { movetime: Some(time), .. } if time < Duration::from_secs(1) => {
            Some("an xboard engine knows whole seconds a move only; give it a clock")
        }
        Limits { movetime: None, clock: None, .. } => {
            Some("an xboard engine has no limit of its own; give it a clock, a depth or seconds a move")
        }
        _ => None,
    }
}

/// What is left to the engine and to its opponent, in hundredths of a second.
fn clock_lines(clock: Clock, turn: Color) -> String {
    let centiseconds = |color: Color| clock.remaining(color).as_millis() / 10;
    format!("time {}\notim {}\n", centiseconds(turn), centiseconds(turn.other()))
}

impl Player for XboardEngine {
    fn new_game(&mut self, game: &ChessGame, _seed: u64) -> Result<(), Fault> {
        self.set_up(game)?;
        self.synchronise()
    }

    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        timeouts: &Timeouts,
        stop: &Stop,
    ) -> Result<PlayerMove, NoMove> {
        let start = self.ask(game, limits)?;
        let mut last_info = LastInfo::default();
        let (choice, elapsed) = self.answer(game, start, timeouts, stop, false, &mut last_info)?;
        Ok(PlayerMove {
            choice,
            elapsed,
            score: last_info.score,
            depth: last_info.depth,
            nodes: last_info.nodes,
        })
    }

    fn end_game(&mut self, _game: &ChessGame) -> Result<(), Fault> {
        self.process.write("force\n")?;
        self.engine_game = None;
        if !self.features.reuse {
            return Err(self.fault(FaultKind::Start, "it plays one game only"));
        }
        Ok(())
    }

    fn pin(&mut self, processor: usize) {
        self.process.pin(processor);
    }
}

impl Agent<ChessGame> for XboardEngine {
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        _report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, AgentError> {
        if game.outcome().is_some() {
            return Err(AgentError::GameOver);
        }
        let timeouts = Timeouts { answer: None, grace: STOPPING, silence: None };
        let mut ask = || -> Result<Move, NoMove> {
            let start = self.ask(game, limits)?;
            Ok(self.answer(game, start, &timeouts, stop, true, &mut LastInfo::default())?.0)
        };
        ask().map_err(AgentError::from)
    }

    fn new_game(&mut self) {
        self.engine_game = None;
    }
}

impl Drop for XboardEngine {
    fn drop(&mut self) {
        self.process.leave("quit\n");
    }
}
