//! What the engine knows between commands, and what each command does to it.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;
use std::{fs, io};

use shakmaty::{CastlingMode, Move, Position};
use tabia_book::Book;
use tabia_book::syzygy::Tables;
use tabia_core::{AgentSpec, Catalogue, ChessGame, Game, Stop, seed};
use tabia_eval::registry::WeightsError;
use tabia_eval::{AnyEvaluation, Evaluate, Explanation, View};
use tabia_search::agents::{self, AgentFiles, PlayerError};
use tabia_search::bench;
use tabia_search::engine::{self, Settings};
use tabia_search::player::{OwnLimits, Player};
use tabia_uci::convert::ReportStyle;
use tabia_uci::session::{self, Started};
use tabia_uci::{BestMove, Command, Go, Id, Reply, Start};

use crate::board;
use crate::error::UciEngineError;
use crate::extras::{self, HELP, no_moves};
use crate::options::{self, Change, Options};
use crate::output::Output;
use crate::thinking::{self, Event, Finished, Searcher};

/// After the GUI has gone, searches with an end may still reach it within this time.
const GRACE: Duration = Duration::from_mins(1);
/// For searches that are stopped then to give their moves.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// The name of the strong search among agents.
const STRONG_SEARCH: &str = "engine";

/// Whether a spec is of the strong search.
fn is_engine(spec: &AgentSpec) -> bool {
    spec.name == STRONG_SEARCH
}

/// The search that runs now.
struct Running {
    stop: Stop,
    /// How castling is written in the answer.
    mode: CastlingMode,
}

/// What an engine is made of.
pub struct Setup<'a> {
    /// Who plays.
    pub spec: &'a AgentSpec,
    /// Who can play.
    pub catalogue: &'a Catalogue<ChessGame>,
    /// Where weights and parameters that the spec names are read.
    pub files: &'a AgentFiles,
    /// Whether every number of the search is an option.
    pub tune: bool,
    /// Where random choices come from while the option `Seed` is 0.
    pub seed: fn() -> u64,
    /// Bytes of memory that are left: what a new transposition table is held against.
    pub available_memory: fn() -> u64,
}

/// The engine behind a UCI session.
pub struct UciEngine {
    events: Sender<Event>,
    output: Output,
    seed: fn() -> u64,
    available_memory: fn() -> u64,
    spec: AgentSpec,
    options: Options,
    game: ChessGame,
    /// Away while it thinks.
    searcher: Option<Searcher>,
    /// What the searcher was built with: the evaluation's name, and the file of its weights.
    searcher_evaluation: Option<(String, String)>,
    own_limits: OwnLimits,
    needs_setup: bool,
    needs_new_game: bool,
    /// The size of the last table that there was memory for.
    fitting_hash_mb: usize,
    book: Option<Book>,
    running: Option<Running>,
}

impl UciEngine {
    pub(crate) fn new(
        setup: &Setup<'_>,
        events: Sender<Event>,
        output: Output,
    ) -> Result<UciEngine, UciEngineError> {
        let spec = setup.spec;
        let (entry, agent) = setup.catalogue.check(spec)?;
        let options = Options::new(spec, &agent, agents::settings(&agent, setup.files)?, setup.tune);
        let is_engine = is_engine(spec);
        if is_engine && options.weights_file().is_some() {
            // Weights that cannot be used are known at once, not when the first move is due.
            explain(&options, &ChessGame::default())?;
        }
        let searcher = if is_engine { None } else { Some(Searcher::Agent((entry.build)(&agent)?)) };
        Ok(UciEngine {
            events,
            output,
            seed: setup.seed,
            available_memory: setup.available_memory,
            spec: spec.clone(),
            searcher_evaluation: None,
            options,
            game: ChessGame::default(),
            searcher,
            own_limits: agents::own_limits(&agent),
            needs_setup: is_engine,
            needs_new_game: false,
            fitting_hash_mb: Settings::default().hash_mb,
            book: None,
            running: None,
        })
    }

    /// A search has ended: takes the player back, and returns the answer.
    pub(crate) fn finished(&mut self, finished: Finished) -> BestMove {
        self.searcher = finished.searcher;
        let mode = self.running.take().map_or(self.game.mode(), |running| running.mode);
        match finished.best {
            Ok(best) => {
                BestMove { best: Some(best.to_uci(mode)), ponder: finished.ponder.map(|m| m.to_uci(mode)) }
            }
            Err(error) => {
                self.output.say(error);
                BestMove::default()
            }
        }
    }

    /// Whether the strong search plays, which alone can be set up anew.
    fn is_engine(&self) -> bool {
        is_engine(&self.spec)
    }

    fn introduce(&self) {
        let name = format!("Tabia {}", env!("CARGO_PKG_VERSION"));
        self.output.send(&Reply::Id(Id::Name(name)));
        self.output.send(&Reply::Id(Id::Author("the Tabia authors".to_owned())));
        for declared in self.options.declared() {
            self.output.send(&Reply::Option(declared.clone()));
        }
        self.output.send(&Reply::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if !self.is_engine() && options::is_engine_option(name) {
            self.output
                .say(format_args!("{name} is for \"engine\"; \"{}\" has no use for it", self.spec.name));
        }
        let before = self.options.settings.clone();
        match self.options.set(name, value) {
            Ok(Change::Settings) => {
                self.needs_setup = true;
                self.check_size(&before);
            }
            Ok(Change::Weights) => {
                self.needs_setup = true;
                self.searcher_evaluation = None;
            }
            Ok(Change::ClearHash) => self.needs_new_game = true,
            Ok(Change::Tables) => {
                self.open_tables();
                self.needs_setup = true;
            }
            Ok(Change::Book) => self.open_book(),
            Err(error) => self.output.say(error),
        }
    }

    /// Takes back a table that is larger than the memory that is left, and says so where threads exceed processors.
    fn check_size(&mut self, before: &Settings) {
        let Settings { hash_mb, threads, .. } = self.options.settings;
        let left_mb = (self.available_memory)() >> 20;
        // What the old table has is free once the new one replaces it.
        if hash_mb > before.hash_mb && hash_mb as u64 > left_mb.saturating_add(before.hash_mb as u64) {
            self.output.say(format_args!(
                "no memory for a Hash of {hash_mb} MiB: {left_mb} MiB are left; the table stays at {} MiB",
                before.hash_mb
            ));
            self.options.settings.hash_mb = before.hash_mb;
        }
        let usable = engine::usable_threads(threads);
        if threads != before.threads && usable < threads {
            self.output.say(format_args!(
                "{threads} threads are more than this machine has processors; {usable} will search"
            ));
        }
    }

    fn open_tables(&mut self) {
        if self.options.syzygy_path.is_empty() {
            self.options.settings.tables = None;
            return;
        }
        match Tables::open(&self.options.syzygy_path) {
            Ok(tables) => {
                self.output.say(format_args!(
                    "found {} WDL and {} DTZ tables, up to {} pieces",
                    tables.wdl_count(),
                    tables.dtz_count(),
                    tables.max_pieces()
                ));
                self.options.settings.tables = Some(Arc::new(tables));
            }
            Err(error) => self.output.say(format_args!("{error}; the tables stay as they were")),
        }
    }

    fn open_book(&mut self) {
        if self.options.book_file.is_empty() {
            self.book = None;
            return;
        }
        match Book::open(&self.options.book_file) {
            Ok(book) => {
                self.output.say(format_args!("the book has {} entries", book.entry_count()));
                self.book = Some(book);
            }
            Err(error) => self.output.say(format_args!("{error}; the book stays as it was")),
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
            Err(error) => return self.output.say(format_args!("{error}; the position stays as it was")),
        };
        for (index, text) in moves.iter().enumerate() {
            match game.read_move(text) {
                Ok(m) => game.apply(m),
                Err(error) => {
                    self.output
                        .say(format_args!("move {}: {error}; the position is the one before it", index + 1));
                    break;
                }
            }
        }
        self.game = game;
    }

    /// Brings the strong search in line with the options.
    fn set_up(&mut self) -> Result<(), UciEngineError> {
        if self.is_engine() && (self.needs_setup || self.searcher.is_none()) {
            if let Err(error) = self.set_up_search() {
                if !matches!(error, UciEngineError::Player(PlayerError::Table(_))) {
                    return Err(error);
                }
                self.output.say(format_args!("{error}; the table stays at {} MiB", self.fitting_hash_mb));
                self.options.settings.hash_mb = self.fitting_hash_mb;
                self.set_up_search()?;
            }
            self.fitting_hash_mb = self.options.settings.hash_mb;
            self.needs_setup = false;
        }
        if self.needs_new_game
            && let Some(searcher) = &mut self.searcher
        {
            searcher.new_game();
            self.needs_new_game = false;
        }
        Ok(())
    }

    fn set_up_search(&mut self) -> Result<(), UciEngineError> {
        let settings = self.options.settings.clone();
        let wanted = Some((self.options.evaluation.clone(), self.options.weights.clone()));
        if self.searcher.is_none() || self.searcher_evaluation != wanted {
            // The old one goes first: two large tables at once may be one too many.
            self.searcher = None;
            self.searcher = Some(Searcher::Player(self.build(settings.clone(), self.own_limits)?));
            self.searcher_evaluation = wanted;
        }
        let seed = self.random_seed();
        if let Some(Searcher::Player(player)) = &mut self.searcher {
            player.configure(settings, self.options.elo(), seed).map_err(PlayerError::Table)?;
        }
        Ok(())
    }

    /// The strong search over the evaluation and weights that the options name.
    fn build(&self, settings: Settings, own_limits: OwnLimits) -> Result<Box<dyn Player>, UciEngineError> {
        let evaluation = &self.options.evaluation;
        match read_weights(&self.options)? {
            None => Ok(agents::player(evaluation, settings, own_limits)?),
            Some(text) => {
                agents::weighted_player(evaluation, &text, settings, own_limits).map_err(
                    |error| match error {
                        PlayerError::Weights(error) => {
                            UciEngineError::Weights { path: self.options.weights.clone(), error }
                        }
                        error => error.into(),
                    },
                )
            }
        }
    }

    fn random_seed(&self) -> u64 {
        match self.options.seed {
            0 => (self.seed)(),
            seed => seed,
        }
    }

    fn search(&mut self, go: &Go) -> Result<Started, UciEngineError> {
        let request = go.request(&self.game)?;
        self.set_up()?;
        let mode = thinking::castling(self.options.chess960, &self.game);
        if self.game.position().legal_moves().is_empty() {
            self.output.send(&Reply::Info(no_moves(&self.game)));
            return Ok(Started::Answered(BestMove::default()));
        }
        if !request.infinite
            && !request.ponder
            && request.limits.search_moves.is_empty()
            && let Some(m) = self.book_move()
        {
            self.output.say("a move from the book");
            return Ok(Started::Answered(BestMove { best: Some(m.to_uci(mode)), ponder: None }));
        }
        let searcher = self.searcher.take().ok_or(UciEngineError::NoSearcher)?;
        let stop = if request.ponder { Stop::pondering() } else { Stop::new() };
        let style = ReportStyle { castling: mode, show_wdl: self.options.show_wdl };
        let bounded = !request.limits.is_infinite() && !request.infinite;
        thinking::think(
            searcher,
            self.game.clone(),
            request.limits,
            stop.clone(),
            style,
            (self.events.clone(), self.output.clone()),
        )?;
        self.running = Some(Running { stop, mode });
        Ok(Started::Searching { bounded })
    }

    fn book_move(&self) -> Option<Move> {
        let book = self.book.as_ref().filter(|_| self.options.own_book)?;
        let ply = self.game.moves().len() as u64;
        Some(book.choose(self.game.position(), seed::derive(self.random_seed(), ply))?.m)
    }

    fn explain(&mut self) {
        let turn = self.game.side_to_move();
        let evaluation = self.options.evaluation_for(turn).to_string();
        match explain(&self.options, &self.game) {
            Ok(explanation) => self.output.line(board::explained(&evaluation, &explanation, turn)),
            Err(error) => self.output.say(error),
        }
    }

    fn perft(&mut self, depth: u32) -> Result<(), UciEngineError> {
        let game = self.game.clone().in_mode(thinking::castling(self.options.chess960, &self.game));
        let output = self.output.clone();
        let job = move || board::perft(&game, depth, |line| output.line(line));
        Ok(thinking::run_job(self.events.clone(), job)?)
    }

    fn bench(&mut self, args: &[String]) -> Result<(), UciEngineError> {
        let depth = match args.first().map(|text| text.parse::<u32>()) {
            None => bench::DEPTH,
            Some(Ok(depth)) if depth > 0 => depth,
            Some(_) => return Err(UciEngineError::BenchDepth(args[0].clone())),
        };
        let settings = Settings { params: self.options.settings.params.clone(), ..Settings::default() };
        let mut player = self.build(settings, OwnLimits::default())?;
        let output = self.output.clone();
        let job = move || extras::run_bench(player.as_mut(), depth, &output);
        Ok(thinking::run_job(self.events.clone(), job)?)
    }
}

/// The text of the file of weights that the options name.
fn read_weights(options: &Options) -> Result<Option<String>, UciEngineError> {
    let Some(path) = options.weights_file() else { return Ok(None) };
    let unreadable = |error| UciEngineError::Unreadable { path: options.weights.clone(), error };
    // To open a FIFO blocks until somebody writes to it, and a device may never end.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(unreadable(io::Error::other("it is not a regular file")));
    }
    fs::read_to_string(path).map(Some).map_err(unreadable)
}

/// A position explained by the evaluation and weights that the options name.
fn explain(options: &Options, game: &ChessGame) -> Result<Explanation, UciEngineError> {
    let (name, view) = (&options.evaluation, View::from(game.position()));
    let evaluation = AnyEvaluation::from_text(&options.evaluation_for(view.turn).to_string())
        .map_err(|error| UciEngineError::Evaluation(error.to_string()))?;
    let Some(file) = read_weights(options)? else { return Ok(evaluation.explain(view)) };
    let refused = |error| UciEngineError::Weights { path: options.weights.clone(), error };
    let weighted = evaluation.with_file(&file).map_err(|error| refused(error.into()))?;
    Ok(weighted.ok_or_else(|| refused(WeightsError::NotTunable(name.clone())))?.explain(view))
}

impl session::Engine for UciEngine {
    fn execute(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::UciNewGame => {
                self.needs_new_game = true;
                self.game = ChessGame::default();
            }
            Command::Position { start, moves } => self.position(&start, &moves),
            Command::Display => self.output.line(board::picture(&self.game)),
            Command::Eval => self.explain(),
            Command::Help => self.output.line(HELP),
            // `debug` and `register` have nothing to change; the others are the session's.
            Command::Debug(_)
            | Command::Register
            | Command::IsReady
            | Command::Go(_)
            | Command::Perft(_)
            | Command::Bench { .. }
            | Command::Stop
            | Command::PonderHit
            | Command::Quit => {}
        }
    }

    fn ready(&mut self, idle: bool) {
        if idle && let Err(error) = self.set_up() {
            self.output.say(error);
        }
        self.output.send(&Reply::ReadyOk);
    }

    fn start_search(&mut self, go: &Go) -> Started {
        self.search(go).unwrap_or_else(|error| {
            self.output.say(error);
            Started::Answered(BestMove::default())
        })
    }

    fn start_job(&mut self, command: Command) -> bool {
        let started = match command {
            Command::Perft(depth) => self.perft(depth),
            Command::Bench { args } => self.bench(&args),
            _ => return false,
        };
        started.inspect_err(|error| self.output.say(error)).is_ok()
    }

    fn stop_search(&mut self) {
        if let Some(running) = &self.running {
            running.stop.stop();
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(running) = &self.running {
            running.stop.ponder_hit();
        }
    }

    fn send_best_move(&mut self, best: BestMove) {
        self.output.send(&Reply::BestMove(best));
    }

    fn begin_grace(&mut self) {
        let events = self.events.clone();
        thread::spawn(move || {
            thread::sleep(GRACE);
            let _ = events.send(Event::GraceOver);
            thread::sleep(LAST_ANSWERS);
            let _ = events.send(Event::Abandon);
        });
    }
}
