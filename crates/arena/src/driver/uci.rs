//! An engine that speaks UCI, as a child process.
//!
//! [`tabia_uci::Client`] is the protocol state machine; pipes, clocks and timeouts are here. The same type is a player in
//! matches and an agent anywhere else.
//!
//! Unless its spec sets them, an engine plays with one thread, no own book and no pondering: some engines, Glaurung for
//! one, default to all three.

use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Chess, Move};
use tabia_core::{Agent, AgentError, Bound, ChessGame, Game, Limits, SearchInfo, Stop};
use tabia_uci::{BestMove, Client, Command, Event, Go, Info, OptionType, Phase, ProtocolError, Start};

use super::command::CommandLine;
use super::launch::Launcher;
use super::process::{Line, Process};
use super::response_timer::{Next, ResponseTimer, STOPPING};
use super::{Fault, FaultKind, NoMove, Player, PlayerMove, Timeouts};

/// Options that are set if an engine has them and the spec does not set them.
const DEFAULT_OPTIONS: &[(&str, &str)] = &[("Threads", "1"), ("OwnBook", "false")];
/// Interval for repeating `stop` while a ponder search has not ended.
const STOP_RETRY_INTERVAL: Duration = Duration::from_millis(250);
/// How much later than its limits an agent outside of matches may answer.
const OVERTIME: Duration = Duration::from_secs(5);

/// How an engine is started and set up.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The command.
    pub command: CommandLine,
    /// How the process is started.
    pub launcher: Launcher,
    /// Its options.
    pub options: Vec<(String, String)>,
    /// Whether it ponders, if it can.
    pub ponder: bool,
    /// Time for the handshake and for `isready`.
    pub timeout: Duration,
}

/// A running engine.
pub struct UciEngine {
    process: Process,
    client: Client,
    timeout: Duration,
    ponders: bool,
    chess960: bool,
    /// The move it ponders on, and a best move that came before `ponderhit`.
    pondering: Option<Move>,
    early_best_move: Option<BestMove>,
    /// The reply it expects, to ponder on.
    ponder_move: Option<Move>,
}

/// The last info of the best line of a search.
#[derive(Default)]
struct LastInfo {
    best: Option<Info>,
    exact: bool,
}

impl LastInfo {
    fn hear(&mut self, info: &Info) {
        let Some(score) = info.score.filter(|_| info.multipv.unwrap_or(1) == 1) else { return };
        let exact = score.bound == Bound::Exact;
        if exact || !self.exact {
            self.exact |= exact;
            self.best = Some(info.clone());
        }
    }
}

impl UciEngine {
    /// Starts an engine, waits for its handshake and sets its options.
    pub fn start(setup: &Setup) -> Result<UciEngine, Fault> {
        let mut engine = UciEngine {
            process: Process::start(&setup.command, &setup.launcher)?,
            client: Client::new(),
            timeout: setup.timeout,
            ponders: false,
            chess960: false,
            pondering: None,
            early_best_move: None,
            ponder_move: None,
        };
        engine.handshake(setup).map_err(|fault| Fault { kind: FaultKind::Start, ..fault })?;
        Ok(engine)
    }

    fn handshake(&mut self, setup: &Setup) -> Result<(), Fault> {
        self.send(&Command::Uci)?;
        self.wait_for(&Event::Introduced, "it did not answer `uci`")?;
        for (name, value) in DEFAULT_OPTIONS {
            if self.has(name) && !setup.options.iter().any(|(key, _)| self.is_called(key, name)) {
                self.set(name, value)?;
            }
        }
        if self.has("Ponder") {
            self.ponders = setup.ponder;
            self.set("Ponder", if setup.ponder { "true" } else { "false" })?;
        }
        for (name, value) in &setup.options {
            let name = self.declared(name);
            self.set(&name, value)?;
        }
        self.ready()
    }

    /// The name the engine sent.
    pub fn name(&self) -> Option<&str> {
        self.client.name()
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    fn has(&self, name: &str) -> bool {
        self.client.options().iter().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    fn is_called(&self, key: &str, name: &str) -> bool {
        self.declared(key).eq_ignore_ascii_case(name)
    }

    /// The name an option was declared by; a spec cannot have spaces in a key and writes `_` for them.
    fn declared(&self, key: &str) -> String {
        let spaced = key.replace('_', " ");
        if !self.has(key) && self.has(&spaced) { spaced } else { key.to_owned() }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let button = self
            .client
            .options()
            .iter()
            .any(|option| option.name.eq_ignore_ascii_case(name) && option.kind == OptionType::Button);
        let line = self.client.set_option(name, (!button).then_some(value));
        let line = line.map_err(|error| self.fault(FaultKind::Start, &error.to_string()))?;
        self.process.write(&(line + "\n"))
    }

    fn send(&mut self, command: &Command) -> Result<(), Fault> {
        let line = self.client.send(command);
        let line = line.map_err(|error| self.fault(FaultKind::Protocol, &error.to_string()))?;
        self.process.write(&(line + "\n"))
    }

    fn fault(&self, kind: FaultKind, what: &str) -> Fault {
        Fault::new(kind, self.process.describe(what))
    }

    fn ready(&mut self) -> Result<(), Fault> {
        self.send(&Command::IsReady)?;
        self.wait_for(&Event::Ready, "it did not answer `isready`")
    }

    fn wait_for(&mut self, event: &Event, otherwise: &str) -> Result<(), Fault> {
        let deadline = Instant::now() + self.timeout;
        while let Some(line) = self.process.read(deadline)? {
            if self.parse_line(&line.text)?.as_ref() == Some(event) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        let text = format!("{otherwise} within {} s", self.timeout.as_secs_f64());
        Err(self.fault(FaultKind::Timeout, &text))
    }

    /// Parses a line; `None` for a line that is malformed but harmless.
    fn parse_line(&mut self, line: &str) -> Result<Option<Event>, Fault> {
        let requested = self.client.is_searching();
        match self.client.on_line(line) {
            Ok(event) => Ok(Some(event)),
            Err(error @ ProtocolError::UnreadableBestMove { .. }) => {
                Err(self.fault(FaultKind::IllegalMove, &error.to_string()))
            }
            Err(error @ ProtocolError::BestMoveOutsideSearch { .. }) if !requested => {
                Err(self.fault(FaultKind::Protocol, &error.to_string()))
            }
            Err(_) => Ok(None),
        }
    }

    /// Reads the output since the last search. An unexpected best move is a fault.
    fn drain_output(&mut self) -> Result<(), Fault> {
        while let Some(line) = self.process.read_arrived()? {
            if let Some(Event::BestMove(best)) = self.parse_line(&line.text)? {
                self.early_best_move = Some(best);
            }
        }
        Ok(())
    }

    /// Sets up the position and asks for a move.
    fn go(&mut self, game: &ChessGame, expected: Option<Move>, go: Go) -> Result<(), Fault> {
        let mut moves: Vec<String> = game.moves().iter().map(|m| game.write_move(*m)).collect();
        moves.extend(expected.map(|m| game.write_move(m)));
        let position = self.client.send(&Command::Position { start: start_of(game), moves });
        let go = self.client.send(&Command::Go(go));
        match (position, go) {
            (Ok(position), Ok(go)) => self.process.write(&format!("{position}\n{go}\n")),
            (Err(error), _) | (_, Err(error)) => Err(self.fault(FaultKind::Protocol, &error.to_string())),
        }
    }

    /// Waits for the end of a search that began at `start`.
    fn answer(
        &mut self,
        start: Instant,
        timeouts: &Timeouts,
        stop: Option<&Stop>,
        wants_answer: bool,
        report: &mut dyn FnMut(&Info),
    ) -> Result<(BestMove, Duration), NoMove> {
        if let Some(best) = self.early_best_move.take() {
            return Ok((best, start.elapsed()));
        }
        let mut timer = ResponseTimer::new(start, timeouts, wants_answer);
        loop {
            match timer.next(Instant::now(), stop.is_some_and(Stop::is_stopped)) {
                Next::Listen(until) => {
                    let Some(Line { text, arrived }) = self.process.read(until)? else { continue };
                    timer.line_received(arrived);
                    match self.parse_line(&text)? {
                        Some(Event::Info(info)) => report(&info),
                        Some(Event::BestMove(best)) => return Ok((best, arrived - start)),
                        _ => {}
                    }
                }
                Next::Hurry => self.send(&Command::Stop)?,
                Next::Leave => return Err(NoMove::Interrupted),
                Next::GiveUp(why) => return Err(self.fault(FaultKind::Timeout, &why).into()),
            }
        }
    }

    /// The best move, if it is legal.
    fn parse_best_move(&self, game: &ChessGame, best: BestMove) -> Result<Move, Fault> {
        let Some(best) = best.best else {
            let text = format!("it found no move in {}", game.fen());
            return Err(self.fault(FaultKind::IllegalMove, &text));
        };
        best.to_move(game.position()).map_err(|_| {
            let text = format!("\"{best}\" is not legal in {}", game.fen());
            self.fault(FaultKind::IllegalMove, &text)
        })
    }

    /// Stops pondering and discards the best move.
    fn stop_pondering(&mut self) -> Result<(), Fault> {
        self.pondering = None;
        self.drain_output()?;
        if self.client.phase() == Phase::Pondering {
            self.send(&Command::Stop)?;
            let begun = Instant::now();
            let timeouts =
                Timeouts { answer: Some(STOP_RETRY_INTERVAL), grace: Duration::ZERO, silence: None };
            loop {
                match self.answer(Instant::now(), &timeouts, None, true, &mut |_| {}) {
                    Err(NoMove::Fault(fault)) if fault.kind != FaultKind::Timeout => return Err(fault),
                    Err(NoMove::Fault(fault)) if begun.elapsed() >= self.timeout => return Err(fault),
                    // An engine that has not begun its search yet may lose the first `stop`.
                    Err(_) => self.process.write("stop\n")?,
                    Ok(_) => break,
                }
            }
        }
        self.early_best_move = None;
        Ok(())
    }

    fn store_ponder_move(&mut self, game: &ChessGame, choice: Move, best: BestMove) {
        let mut after = game.clone();
        after.apply(choice);
        self.ponder_move = best.ponder.and_then(|uci| uci.to_move(after.position()).ok());
    }

    /// Sets `UCI_Chess960` if it changed.
    fn set_chess960(&mut self, game: &ChessGame) -> Result<(), Fault> {
        let chess960 = game.mode() == CastlingMode::Chess960;
        if chess960 != self.chess960 {
            if !self.has("UCI_Chess960") {
                return Err(self.fault(FaultKind::Protocol, "it does not play Chess960"));
            }
            self.set("UCI_Chess960", if chess960 { "true" } else { "false" })?;
            self.chess960 = chess960;
        }
        Ok(())
    }
}

fn start_of(game: &ChessGame) -> Start {
    if *game.start() == Chess::default() && game.mode() == CastlingMode::Standard {
        return Start::StartPos;
    }
    let start = ChessGame::from_position(game.start().clone(), game.mode());
    Start::Fen(start.fen())
}

impl Player for UciEngine {
    fn new_game(&mut self, game: &ChessGame, _seed: u64) -> Result<(), Fault> {
        self.stop_pondering()?;
        self.set_chess960(game)?;
        self.send(&Command::UciNewGame)?;
        self.ready()
    }

    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        timeouts: &Timeouts,
        stop: &Stop,
    ) -> Result<PlayerMove, NoMove> {
        let expected = self.pondering.take();
        let start;
        if expected.is_some() && game.moves().last().copied() == expected {
            self.drain_output()?;
            start = Instant::now();
            if self.client.phase() == Phase::Pondering {
                self.send(&Command::PonderHit)?;
            }
        } else {
            self.stop_pondering()?;
            start = Instant::now();
            self.go(game, None, Go::from_limits(limits, game.mode()))?;
        }
        let mut last_info = LastInfo::default();
        let (best, elapsed) =
            self.answer(start, timeouts, Some(stop), false, &mut |info| last_info.hear(info))?;
        let choice = self.parse_best_move(game, best)?;
        self.store_ponder_move(game, choice, best);
        let best_line = last_info.best.or_else(|| self.client.best_line().cloned()).unwrap_or_default();
        Ok(PlayerMove {
            choice,
            elapsed,
            score: best_line.score.map(|score| score.value.into()),
            depth: best_line.depth,
            nodes: self.client.nodes(),
        })
    }

    fn ponder(&mut self, game: &ChessGame, limits: &Limits) -> Result<(), Fault> {
        let Some(expected) = self.ponder_move.take().filter(|_| self.ponders) else { return Ok(()) };
        let mut hoped = game.clone();
        hoped.apply(expected);
        if hoped.outcome().is_some() {
            return Ok(());
        }
        self.drain_output()?;
        self.early_best_move = None;
        let go = Go { ponder: true, ..Go::from_limits(limits, game.mode()) };
        self.go(game, Some(expected), go)?;
        self.pondering = Some(expected);
        Ok(())
    }

    fn end_game(&mut self, _game: &ChessGame) -> Result<(), Fault> {
        self.stop_pondering()
    }

    fn pin(&mut self, processor: usize) {
        self.process.pin(processor);
    }
}

impl Agent<ChessGame> for UciEngine {
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, AgentError> {
        if game.outcome().is_some() {
            return Err(AgentError::GameOver);
        }
        let timeouts = Timeouts {
            answer: allowed(game, limits).map(|time| time + OVERTIME),
            grace: STOPPING,
            silence: None,
        };
        let mut ask = |engine: &mut UciEngine| -> Result<Move, NoMove> {
            engine.drain_output()?;
            engine.set_chess960(game)?;
            let start = Instant::now();
            engine.go(game, None, Go::from_limits(limits, game.mode()))?;
            let (best, _) = engine.answer(start, &timeouts, Some(stop), true, &mut |info| {
                if let Some(search_info) = info.to_search_info(game.position()) {
                    report(&search_info);
                }
            })?;
            Ok(engine.parse_best_move(game, best)?)
        };
        ask(self).map_err(AgentError::from)
    }

    fn new_game(&mut self) {
        // A failure shows up when the next move is requested.
        let _ = self.send(&Command::UciNewGame).and_then(|()| self.ready());
    }
}

/// The most time that limits leave for one move.
fn allowed(game: &ChessGame, limits: &Limits) -> Option<Duration> {
    let clock = limits.clock.map(|clock| clock.remaining(game.side_to_move()));
    [limits.movetime, clock].into_iter().flatten().min()
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        if !self.client.is_searching() {
            self.process.leave("quit\n");
        }
    }
}
