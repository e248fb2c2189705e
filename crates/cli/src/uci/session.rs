//! What the engine knows between commands, and what each command does to it.

use std::collections::VecDeque;
use std::fs;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow, bail};
use shakmaty::{CastlingMode, Move, Position};
use tabia_book::Book;
use tabia_book::syzygy::Tables;
use tabia_core::{AgentSpec, CatalogueError, ChessGame, Game, Stop, seed};
use tabia_eval::View;
use tabia_search::engine::Settings;
use tabia_search::engine::tablebase::EndgameTables;
use tabia_search::player::{OwnLimits, Player};
use tabia_search::{agents, bench};
use tabia_uci::convert::ReportStyle;
use tabia_uci::{BestMove, Command, Go, Id, Reply, Start};

use super::extras::{self, HELP, no_moves};
use super::options::{self, Change, Options};
use super::tables::Syzygy;
use super::thinking::{self, Event, Finished, Seat};
use super::work::{Running, Work};
use super::{UciArgs, board, output};
use crate::{catalogue, evaluations};

/// After the interface has gone, a search with an end may still reach it within this time.
const LAST_WORDS: Duration = Duration::from_mins(1);
/// For a search that was stopped then to give its move.
const TO_ANSWER: Duration = Duration::from_secs(2);

/// Whether a spec is of the strong search.
fn is_engine(spec: &AgentSpec) -> bool {
    spec.name == catalogue::strongest().name
}

/// The engine's side of the conversation.
pub struct Session {
    events: Sender<Event>,
    spec: AgentSpec,
    options: Options,
    game: ChessGame,
    /// Away while it thinks.
    seat: Option<Seat>,
    /// What the seat was built with: the evaluation's name, and the file of its weights.
    seated_evaluation: Option<(String, String)>,
    own_limits: OwnLimits,
    needs_setup: bool,
    needs_new_game: bool,
    tables: Option<Arc<dyn EndgameTables>>,
    book: Option<Book>,
    work: Work,
    /// Commands that wait for the seat to come back.
    waiting: VecDeque<Command>,
    /// The interface has gone; finish and go too.
    leaving: bool,
}

impl Session {
    /// A session as the command line asks for it.
    pub fn new(args: &UciArgs, events: Sender<Event>) -> anyhow::Result<Session> {
        let spec = &args.agent;
        let catalogue = catalogue::chess();
        let (entry, agent) = catalogue::check(&catalogue, spec)?;
        let refused = |error: CatalogueError| catalogue::refused(&error);
        let settings = agents::settings(&agent, &catalogue::read_text()).map_err(refused)?;
        let options = Options::new(spec, &agent, settings, args.tune);
        let is_engine = is_engine(spec);
        if is_engine && let Some(weights) = options.weights_file() {
            // Weights that cannot be used are known at once, not when the first move is due.
            let start = ChessGame::default();
            evaluations::explain(&options.evaluation, Some(weights), View::from(start.position()))?;
        }
        let seat = if is_engine { None } else { Some(Seat::Agent((entry.build)(&agent).map_err(refused)?)) };
        Ok(Session {
            events,
            spec: spec.clone(),
            seated_evaluation: None,
            options,
            game: ChessGame::default(),
            seat,
            own_limits: agents::own_limits(&agent),
            needs_setup: is_engine,
            needs_new_game: false,
            tables: None,
            book: None,
            work: Work::Idle,
            waiting: VecDeque::new(),
            leaving: false,
        })
    }

    /// Takes in what happened; breaks when the conversation is over.
    pub fn handle(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Line(line) => match Command::read(&line) {
                Ok(Some(command)) => return self.obey(command),
                Ok(None) => {}
                Err(error) => output::say(error),
            },
            Event::Finished(finished) => {
                self.finished(*finished);
                return self.go_on();
            }
            Event::JobDone => {
                self.work = Work::Idle;
                return self.go_on();
            }
            Event::EndOfInput => return self.end_of_input(),
        }
        ControlFlow::Continue(())
    }

    /// Obeys what waited for a search or job to end.
    fn go_on(&mut self) -> ControlFlow<()> {
        while !self.is_busy()
            && let Some(command) = self.waiting.pop_front()
        {
            self.obey(command)?;
        }
        if self.leaving && !self.is_busy() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether the strong search plays, which alone can be set up anew.
    fn is_engine(&self) -> bool {
        is_engine(&self.spec)
    }

    fn is_busy(&self) -> bool {
        !matches!(self.work, Work::Idle)
    }

    fn running(&self) -> Option<&Running> {
        match &self.work {
            Work::Search(running) => Some(running),
            Work::Idle | Work::Job => None,
        }
    }

    fn end_of_input(&mut self) -> ControlFlow<()> {
        if !self.is_busy() {
            return ControlFlow::Break(());
        }
        self.leaving = true;
        match self.running() {
            Some(running) if !running.bounded || running.stop.is_pondering() => self.stop(),
            running => {
                let stop = running.map(|running| running.stop.clone());
                thread::spawn(move || {
                    thread::sleep(LAST_WORDS);
                    if let Some(stop) = stop {
                        stop.stop();
                        thread::sleep(TO_ANSWER);
                    }
                    std::process::exit(1);
                });
            }
        }
        self.go_on()
    }

    fn obey(&mut self, command: Command) -> ControlFlow<()> {
        // What needs the player waits until it is back, in order; everything else is answered at once.
        let needs_rest = matches!(
            command,
            Command::Go(_) | Command::Perft(_) | Command::Bench { .. } | Command::Eval | Command::Display
        ) && (self.is_busy() || !self.waiting.is_empty());
        let follows =
            matches!(command, Command::Position { .. } | Command::SetOption { .. } | Command::UciNewGame)
                && !self.waiting.is_empty();
        if (needs_rest && self.is_ending()) || follows {
            self.waiting.push_back(command);
            return ControlFlow::Continue(());
        }
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if !self.is_busy()
                    && let Err(error) = self.set_up()
                {
                    output::say(format_args!("{error:#}"));
                }
                output::send(Reply::ReadyOk);
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::UciNewGame => {
                self.needs_new_game = true;
                self.game = ChessGame::default();
            }
            Command::Position { start, moves } => self.position(&start, &moves),
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => return ControlFlow::Break(()),
            Command::Display => output::line(board::picture(&self.game)),
            Command::Eval => self.explain(),
            Command::Perft(depth) => self.perft(depth),
            Command::Bench { args } => self.bench(&args),
            Command::Help => output::line(HELP),
            Command::Debug(_) | Command::Register => {}
        }
        ControlFlow::Continue(())
    }

    /// What is under way has an end, so that waiting for it is no waiting for ever.
    fn is_ending(&self) -> bool {
        match &self.work {
            Work::Search(running) => running.stop.is_stopped() || running.bounded,
            Work::Idle | Work::Job => true,
        }
    }

    fn introduce(&self) {
        let name = format!("Tabia {}", env!("CARGO_PKG_VERSION"));
        output::send(Reply::Id(Id::Name(name)));
        output::send(Reply::Id(Id::Author("the Tabia authors".to_owned())));
        for declared in self.options.declared() {
            output::send(Reply::Option(declared.clone()));
        }
        output::send(Reply::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if !self.is_engine() && options::is_of_the_strong_search(name) {
            output::say(format_args!("{name} is for \"engine\"; \"{}\" has no use for it", self.spec.name));
        }
        match self.options.set(name, value) {
            Ok(Change::Settings) => self.needs_setup = true,
            Ok(Change::Weights) => {
                self.needs_setup = true;
                self.seated_evaluation = None;
            }
            Ok(Change::ClearHash) => self.needs_new_game = true,
            Ok(Change::Tables) => {
                self.open_tables();
                self.needs_setup = true;
            }
            Ok(Change::Book) => self.open_book(),
            Err(error) => output::say(error),
        }
    }

    fn open_tables(&mut self) {
        if self.options.syzygy_path.is_empty() {
            self.tables = None;
            return;
        }
        match Tables::open(&self.options.syzygy_path) {
            Ok(tables) => {
                output::say(format_args!(
                    "found {} WDL and {} DTZ tables, up to {} pieces",
                    tables.wdl_count(),
                    tables.dtz_count(),
                    tables.max_pieces()
                ));
                self.tables = Some(Arc::new(Syzygy(tables)));
            }
            Err(error) => output::say(format_args!("{error}; the tables stay as they were")),
        }
    }

    fn open_book(&mut self) {
        if self.options.book_file.is_empty() {
            self.book = None;
            return;
        }
        match Book::open(&self.options.book_file) {
            Ok(book) => {
                output::say(format_args!("the book has {} entries", book.entry_count()));
                self.book = Some(book);
            }
            Err(error) => output::say(format_args!("{error}; the book stays as it was")),
        }
    }

    /// Sets the game up. A FEN that cannot be read leaves everything as it was; a move that cannot be played
    /// ends the list.
    fn position(&mut self, start: &Start, moves: &[String]) {
        let game = match start {
            Start::StartPos => Ok(ChessGame::default()),
            Start::Fen(fen) if self.options.chess960 => {
                ChessGame::from_fen_in_mode(fen, CastlingMode::Chess960)
            }
            Start::Fen(fen) => ChessGame::from_fen(fen),
        };
        let mut game = match game {
            Ok(game) => game,
            Err(error) => return output::say(format_args!("{error}; the position stays as it was")),
        };
        for (index, text) in moves.iter().enumerate() {
            match game.read_move(text) {
                Ok(m) => game.apply(m),
                Err(error) => {
                    output::say(format_args!(
                        "move {}: {error}; the position is the one before it",
                        index + 1
                    ));
                    break;
                }
            }
        }
        self.game = game;
    }

    /// Brings the strong search in line with the options.
    fn set_up(&mut self) -> anyhow::Result<()> {
        if self.is_engine() && (self.needs_setup || self.seat.is_none()) {
            let settings = Settings { tables: self.tables.clone(), ..self.options.settings.clone() };
            let seated = Some((self.options.evaluation.clone(), self.options.weights.clone()));
            if self.seat.is_none() || self.seated_evaluation != seated {
                // The old one goes first: two large tables at once may be one too many.
                self.seat = None;
                self.seat = Some(Seat::Player(self.build(settings.clone(), self.own_limits)?));
                self.seated_evaluation = seated;
            }
            let seed = self.random_seed();
            if let Some(Seat::Player(player)) = &mut self.seat {
                player.configure(settings, self.options.elo(), seed);
            }
            self.needs_setup = false;
        }
        if self.needs_new_game
            && let Some(seat) = &mut self.seat
        {
            seat.new_game();
            self.needs_new_game = false;
        }
        Ok(())
    }

    /// The strong search over the evaluation and weights that the options name.
    fn build(&self, settings: Settings, own_limits: OwnLimits) -> anyhow::Result<Box<dyn Player>> {
        let Options { evaluation, weights, .. } = &self.options;
        if weights.is_empty() {
            return agents::player(evaluation, settings, own_limits)
                .with_context(|| format!("there is no evaluation \"{evaluation}\""));
        }
        let text = fs::read_to_string(weights).with_context(|| format!("cannot read {weights}"))?;
        agents::weighted_player(evaluation, &text, settings, own_limits)
            .map_err(|error| anyhow!("{weights}: {error}"))
    }

    fn random_seed(&self) -> u64 {
        match self.options.seed {
            0 => SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64),
            seed => seed,
        }
    }

    fn go(&mut self, go: &Go) {
        if self.is_busy() {
            return output::say("a search is running; send stop first");
        }
        if let Err(error) = self.try_go(go) {
            output::say(format_args!("{error:#}"));
            output::send(Reply::BestMove(BestMove { best: None, ponder: None }));
        }
    }

    fn try_go(&mut self, go: &Go) -> anyhow::Result<()> {
        let request = go.request(&self.game)?;
        self.set_up()?;
        let mode = thinking::castling(self.options.chess960, &self.game);
        if self.game.position().legal_moves().is_empty() {
            output::send(Reply::Info(no_moves(&self.game)));
            output::send(Reply::BestMove(BestMove { best: None, ponder: None }));
            return Ok(());
        }
        if !request.infinite
            && !request.ponder
            && request.limits.search_moves.is_empty()
            && let Some(m) = self.book_move()
        {
            output::say("a move from the book");
            let best = Some(m.to_uci(mode));
            output::send(Reply::BestMove(BestMove { best, ponder: None }));
            return Ok(());
        }
        let Some(seat) = self.seat.take() else { bail!("nobody is there to think") };
        let stop = if request.ponder { Stop::pondering() } else { Stop::new() };
        let style = ReportStyle { castling: mode, show_wdl: self.options.show_wdl };
        self.work = Work::Search(Running {
            stop: stop.clone(),
            infinite: request.infinite,
            mode,
            answer: None,
            bounded: !request.limits.is_infinite() && !request.infinite,
        });
        let begun =
            thinking::think(seat, self.game.clone(), request.limits, stop, style, self.events.clone());
        if begun.is_err() {
            self.work = Work::Idle;
        }
        begun.context("cannot start a thread to think in")
    }

    fn book_move(&self) -> Option<Move> {
        let book = self.book.as_ref().filter(|_| self.options.own_book)?;
        let ply = self.game.moves().len() as u64;
        Some(book.choose(self.game.position(), seed::derive(self.random_seed(), ply))?.m)
    }

    fn stop(&mut self) {
        if let Some(running) = self.running() {
            running.stop.stop();
        }
        self.answer_if_allowed();
    }

    fn ponder_hit(&mut self) {
        if let Some(running) = self.running() {
            running.stop.ponder_hit();
        }
        self.answer_if_allowed();
    }

    fn finished(&mut self, finished: Finished) {
        self.seat = Some(finished.seat);
        if let Work::Search(running) = &mut self.work {
            running.answer = Some(match finished.best {
                Ok(best) => BestMove {
                    best: Some(best.to_uci(running.mode)),
                    ponder: finished.ponder.map(|m| m.to_uci(running.mode)),
                },
                Err(error) => {
                    output::say(error);
                    BestMove { best: None, ponder: None }
                }
            });
        }
        self.answer_if_allowed();
    }

    fn answer_if_allowed(&mut self) {
        if let Work::Search(running) = &mut self.work
            && running.may_answer()
            && let Some(answer) = running.answer.take()
        {
            output::send(Reply::BestMove(answer));
            self.work = Work::Idle;
        }
    }

    fn explain(&mut self) {
        let (name, weights) = (&self.options.evaluation, self.options.weights_file());
        match evaluations::explain(name, weights, View::from(self.game.position())) {
            Ok(explanation) => {
                output::line(board::explained(name, &explanation, self.game.side_to_move()));
            }
            Err(error) => output::say(format_args!("{error:#}")),
        }
    }

    fn perft(&mut self, depth: u32) {
        let game = self.game.clone().in_mode(thinking::castling(self.options.chess960, &self.game));
        self.start_job(move || board::perft(&game, depth, output::line));
    }

    fn bench(&mut self, args: &[String]) {
        let depth = match args.first().map(|text| text.parse::<u32>()) {
            None => bench::DEPTH,
            Some(Ok(depth)) if depth > 0 => depth,
            Some(_) => return output::say(format_args!("bench takes a depth, not \"{}\"", args[0])),
        };
        let settings = Settings { params: self.options.settings.params.clone(), ..Settings::default() };
        match self.build(settings, OwnLimits::default()) {
            Ok(mut player) => self.start_job(move || extras::run_bench(player.as_mut(), depth)),
            Err(error) => output::say(format_args!("{error:#}")),
        }
    }

    fn start_job(&mut self, job: impl FnOnce() + Send + 'static) {
        if self.is_busy() {
            return output::say("a search is running; send stop first");
        }
        self.work = Work::Job;
        if let Err(error) = thinking::run_job(self.events.clone(), job) {
            self.work = Work::Idle;
            output::say(error);
        }
    }
}
