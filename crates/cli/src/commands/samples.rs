//! `tabia samples`: converts games and EPD to training positions, and back.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use tabia_core::{ChessGame, Limits, Score, Stop, printable};
use tabia_eval::registry;
use tabia_games::{epd, pgn};
use tabia_run::atomic_file;
use tabia_search::player::{OwnLimits, Player};
use tabia_search::{agents, engine};
use tabia_tune::exchange::{self, ExchangeError, FIRST_PLY};
use tabia_tune::games::{self, ScoredGame};
use tabia_tune::text_formats::{self, PlainReader};
use tabia_tune::visited::VisitedPositions;
use tabia_tune::{Sample, samples};

use crate::failure::Usage;
use crate::{files, interrupt, output, text};

/// Errors that are reported individually; more are counted.
const FAULTS_TOLD: usize = 10;

/// Nodes of a search whose evaluated positions are taken.
const VISITED_NODES: u64 = 300;

/// Arguments of `tabia samples`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The extension tells the format: .games (as written by `tabia datagen`), .samples, .epd, .pgn, .txt (bullet's text: `FEN | \
score | result`) or .plain (Stockfish's text). From games the quiet positions after the opening are taken, with the \
[%eval] of their moves as scores; moves without one are skipped, or scored by a search with --nodes. From .games to \
.games whole games are copied; single positions become games without moves. In EPD the score is `ce`, in centipawns of \
the side to move, and the result `c9 \"1-0\"`.

With --visited the positions are not those of the files, but N positions that a search of each of them evaluates, with \
the scores of the network itself. They are meant for a teacher that scores them again. Of games every position after the \
opening is searched, and every position of games that do not begin at the usual start.

The output appears when it is complete. Ctrl-C discards what was done; an existing file stays as it was.

Examples:
  tabia samples games.pgn --nodes 2000 -o games.samples
  tabia samples data/shard-*.games -o positions.samples
  tabia samples data/shard-*.games --visited 20 --nodes 300 -o visited.samples
  tabia samples data/positions.samples -o positions.epd
  tabia samples data/shard-*.games -o bullet.txt
  tabia samples stockfish.plain -o stockfish.samples")]
pub struct SamplesArgs {
    /// Files to read.
    #[arg(required = true, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// File to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Nodes of a search that scores moves without a score.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// The evaluation of that search.
    #[arg(long, value_name = "NAME", default_value = registry::STRONGEST,
          value_parser = PossibleValuesParser::new(registry::NAMES))]
    eval: String,
    /// Instead of a game's positions, N positions that a search of each of them evaluates; --nodes says how long a
    /// search takes [default: 300].
    #[arg(long, value_name = "N")]
    visited: Option<NonZero<u16>>,
    /// Seed of the choice of those positions.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "visited")]
    seed: u64,
    /// The result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    positions: usize,
    left_out: usize,
    output: String,
}

/// The forms positions travel in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Form {
    Games,
    Samples,
    Epd,
    Pgn,
    Bullet,
    Plain,
}

impl Form {
    fn of(path: &Path) -> Result<Form, Usage> {
        match path.extension().and_then(OsStr::to_str) {
            Some("games") => Ok(Form::Games),
            Some("samples") => Ok(Form::Samples),
            Some("epd") => Ok(Form::Epd),
            Some("pgn") => Ok(Form::Pgn),
            Some("txt") => Ok(Form::Bullet),
            Some("plain") => Ok(Form::Plain),
            _ => Err(Usage(format!(
                "{}: expected a name that ends in .games, .samples, .epd, .pgn, .txt or .plain",
                path.display()
            ))),
        }
    }
}

/// Converts.
pub fn run(args: &SamplesArgs) -> anyhow::Result<ExitCode> {
    let to = Form::of(&args.output)?;
    let mut inputs = Vec::new();
    for path in &args.from {
        inputs.push((path.as_path(), Form::of(path)?));
    }
    files::refuse_nowhere(&args.output)?;
    if let Some(path) = args.from.iter().find(|path| files::are_same(path, &args.output)) {
        return Err(Usage(format!(
            "{} is read and would be overwritten; name another file with -o",
            path.display()
        ))
        .into());
    }
    if to == Form::Games {
        // Whole games come first; single positions, as games without moves, follow them.
        inputs.sort_by_key(|(_, form)| *form != Form::Games);
    }
    let stop = interrupt::stop_flag()?;
    let visited = visited_positions(args, to, &stop)?;
    let mut totals = Totals::default();
    let mut failure = None;
    let written = atomic_file::write(&args.output, |file| {
        match to {
            Form::Samples => samples::write_header(file)?,
            Form::Games => games::write_header(file)?,
            Form::Epd | Form::Pgn | Form::Bullet | Form::Plain => {}
        }
        let mut conversion = Conversion { args, to, file, visited, stop: &stop, totals: &mut totals };
        conversion.run(&inputs).map_err(|error| {
            failure = Some(error);
            io::Error::other("the positions cannot be converted")
        })
    });
    failure.map_or(Ok(()), Err)?;
    written.with_context(|| cannot_write(&args.output))?;
    let Totals { positions, left_out, .. } = totals;
    let summary = Summary { positions, left_out, output: args.output.display().to_string() };
    if args.json {
        output::json(&summary)?;
    } else {
        let positions = text::counted(positions as u64, "position");
        writeln!(io::stdout(), "{positions} in {}; {left_out} left out", summary.output)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What --visited asks for. The scores are not those of a search, so only positions alone can be written.
fn visited_positions(args: &SamplesArgs, to: Form, stop: &Stop) -> anyhow::Result<Option<VisitedPositions>> {
    let Some(count) = args.visited else { return Ok(None) };
    if to != Form::Samples {
        return Err(Usage(format!("--visited writes .samples, not {}", args.output.display())).into());
    }
    if args.eval != registry::NETWORK {
        return Err(Usage(format!("--visited searches with --eval {}", registry::NETWORK)).into());
    }
    let nodes = args.nodes.unwrap_or(VISITED_NODES);
    Ok(Some(VisitedPositions::new(count.get().into(), nodes, args.seed, stop.clone())))
}

/// The search that scores moves without a score, if requested.
fn judge(args: &SamplesArgs, stop: &Stop) -> anyhow::Result<impl FnMut(&ChessGame) -> Option<Score>> {
    let mut player: Option<Box<dyn Player>> = None;
    if args.nodes.is_some() && args.visited.is_none() {
        let found = agents::player(&args.eval, engine::Settings::default(), OwnLimits::default());
        player = Some(found?);
    }
    let limits = Limits::nodes(args.nodes.unwrap_or(1));
    let stop = stop.clone();
    Ok(move |game: &ChessGame| {
        let found = player.as_mut()?.search(game, &limits, &stop, &mut |_| {}).ok()?;
        Some(found.score)
    })
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

fn open(path: &Path) -> anyhow::Result<BufReader<File>> {
    File::open(path).map(BufReader::new).with_context(|| cannot_read(path))
}

/// Counts of a conversion so far.
#[derive(Default)]
struct Totals {
    /// Games that were read and written.
    games: u64,
    /// Games and positions to be written, including those that the format cannot hold.
    taken: u64,
    /// Positions that were written.
    positions: usize,
    left_out: usize,
    faults: usize,
}

/// A conversion in progress. Each game and position is written as soon as it is read, so that memory does not grow with
/// the files.
struct Conversion<'a> {
    args: &'a SamplesArgs,
    to: Form,
    file: &'a mut BufWriter<File>,
    visited: Option<VisitedPositions>,
    stop: &'a Stop,
    totals: &'a mut Totals,
}

impl Conversion<'_> {
    fn run(&mut self, inputs: &[(&Path, Form)]) -> anyhow::Result<()> {
        for (path, form) in inputs {
            match form {
                Form::Games => self.read_games(path)?,
                Form::Samples => self.read_samples(path)?,
                Form::Pgn => self.read_pgn(path)?,
                Form::Epd => self.read_lines(path, |line| match epd::lines(line, "").next() {
                    Some((_, read)) => {
                        let epd = read.map_err(|error| error.why)?;
                        exchange::from_epd(&epd).map(Some).map_err(|error| error.to_string())
                    }
                    None => Ok(None),
                })?,
                Form::Bullet => self.read_lines(path, |line| match line.trim() {
                    "" => Ok(None),
                    line => text_formats::from_bullet(line).map(Some),
                })?,
                Form::Plain => {
                    let mut reader = PlainReader::default();
                    self.read_lines(path, |line| reader.line(line))?;
                }
            }
        }
        self.say_how_many_faults()?;
        if self.totals.taken == 0 {
            let files: Vec<String> = self.args.from.iter().map(|path| path.display().to_string()).collect();
            let left_out = self.totals.left_out;
            bail!("no position could be read from {} ({left_out} left out)", files.join(", "));
        }
        Ok(())
    }

    fn read_games(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut reader = games::Reader::new(open(path)?).with_context(|| cannot_read(path))?;
        for game in reader.by_ref() {
            let game = game.with_context(|| cannot_read(path))?;
            match &mut self.visited {
                Some(visited) => {
                    let samples = visited.of_game(&game);
                    self.write_samples(&samples)?;
                }
                None if self.to == Form::Games => self.write_game(&game)?,
                None => self.write_samples(&game.samples(FIRST_PLY))?,
            }
            self.totals.games += 1;
        }
        files::say_if_cut_short(path, reader.leftover_bytes(), "game")
    }

    fn read_pgn(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut judge = judge(self.args, self.stop)?;
        let mut games = pgn::open(path).with_context(|| cannot_read(path))?;
        while let Some(game) = games.next() {
            let line = games.line();
            let samples = game.map_err(ExchangeError::Fault).and_then(|record| match &mut self.visited {
                Some(visited) => {
                    let game = exchange::to_scored_game(&record)?;
                    Ok(game.map(|game| visited.of_game(&game)).unwrap_or_default())
                }
                None => exchange::from_game(&record, &mut judge),
            });
            match samples {
                Ok(samples) => {
                    self.write_samples(&samples)?;
                    self.totals.games += 1;
                }
                Err(error @ ExchangeError::Fault(_)) => self.fault(&error.to_string())?,
                Err(error) => self.fault(&format!("{}:{line}: {error}", path.display()))?,
            }
        }
        Ok(())
    }

    fn read_samples(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut reader = samples::Reader::new(open(path)?).with_context(|| cannot_read(path))?;
        for sample in reader.by_ref() {
            self.take_position(sample.with_context(|| cannot_read(path))?)?;
        }
        files::say_if_cut_short(path, reader.leftover_bytes() as u64, "position")
    }

    /// Reads a text of which each line may end a position.
    fn read_lines<E: Display>(
        &mut self,
        path: &Path,
        mut read: impl FnMut(&str) -> Result<Option<Sample>, E>,
    ) -> anyhow::Result<()> {
        for (index, line) in open(path)?.split(b'\n').enumerate() {
            let line = line.with_context(|| cannot_read(path))?;
            match read(&String::from_utf8_lossy(&line)) {
                Ok(Some(sample)) => self.take_position(sample)?,
                Ok(None) => {}
                Err(error) => self.fault(&format!("{}:{}: {error}", path.display(), index + 1))?,
            }
        }
        Ok(())
    }

    /// Takes a position that comes without its game.
    fn take_position(&mut self, sample: Sample) -> anyhow::Result<()> {
        match &mut self.visited {
            Some(visited) => {
                self.totals.left_out += usize::from(sample.position().is_none());
                let samples = visited.of_game(&ScoredGame::from_sample(&sample));
                self.write_samples(&samples)
            }
            None => self.write_samples(&[sample]),
        }
    }

    fn write_game(&mut self, game: &ScoredGame) -> anyhow::Result<()> {
        self.check_stop()?;
        self.write_record(game_bytes(game), game.samples(FIRST_PLY).len())
    }

    fn write_samples(&mut self, samples: &[Sample]) -> anyhow::Result<()> {
        self.check_stop()?;
        for sample in samples {
            let line = |text: String| (text + "\n").into_bytes();
            let bytes = match self.to {
                Form::Samples => Some(sample.to_bytes().to_vec()),
                Form::Games => game_bytes(&ScoredGame::from_sample(sample)),
                Form::Epd => exchange::to_epd(sample).map(line),
                Form::Bullet => text_formats::to_bullet(sample).map(line),
                Form::Plain => text_formats::to_plain(sample).map(String::into_bytes),
                Form::Pgn => {
                    exchange::to_game(sample).and_then(|game| pgn::write(&game).ok()).map(String::into_bytes)
                }
            };
            self.write_record(bytes, 1)?;
        }
        Ok(())
    }

    /// Writes a game or position, which is left out if the format cannot hold it (`None`).
    fn write_record(&mut self, bytes: Option<Vec<u8>>, positions: usize) -> anyhow::Result<()> {
        self.totals.taken += 1;
        match bytes {
            Some(bytes) => {
                self.file.write_all(&bytes).with_context(|| cannot_write(&self.args.output))?;
                self.totals.positions += positions;
            }
            None => self.totals.left_out += 1,
        }
        Ok(())
    }

    /// Fails after Ctrl-C. Called after each search and before its result is written, because the result of an
    /// interrupted search depends on when that was.
    fn check_stop(&self) -> anyhow::Result<()> {
        if self.stop.is_stopped() {
            let games = text::counted(self.totals.games, "game");
            let positions = text::counted(self.totals.positions as u64, "position");
            bail!("interrupted after {games} and {positions}: nothing was written");
        }
        Ok(())
    }

    fn fault(&mut self, what: &str) -> anyhow::Result<()> {
        self.check_stop()?;
        self.totals.faults += 1;
        self.totals.left_out += 1;
        if self.totals.faults <= FAULTS_TOLD {
            writeln!(io::stderr(), "{}", printable(what))?;
        }
        Ok(())
    }

    fn say_how_many_faults(&self) -> anyhow::Result<()> {
        if self.totals.faults > FAULTS_TOLD {
            writeln!(io::stderr(), "and {} more faults", self.totals.faults - FAULTS_TOLD)?;
        }
        Ok(())
    }
}

/// A game as `.games` has it; none if it cannot be written.
fn game_bytes(game: &ScoredGame) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    game.write(&mut bytes).then_some(bytes)
}
