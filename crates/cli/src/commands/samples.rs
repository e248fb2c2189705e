//! `tabia samples`: converts games and EPD to training positions, and back.

use std::ffi::OsStr;
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
use tabia_games::{GameRecord, epd, pgn};
use tabia_run::atomic_file;
use tabia_search::player::{OwnLimits, Player};
use tabia_search::{agents, engine};
use tabia_tune::exchange::{self, ExchangeError, FIRST_PLY};
use tabia_tune::games::{self, ScoredGame};
use tabia_tune::text_formats::{self, PlainReader, TextError};
use tabia_tune::visited::VisitedPositions;
use tabia_tune::{Sample, samples};

use super::tune;
use crate::failure::Usage;
use crate::{files, output, text};

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
    let forms = args.from.iter().map(|path| Form::of(path)).collect::<Result<Vec<_>, _>>()?;
    files::refuse_nowhere(&args.output)?;
    if let Some(path) = args.from.iter().find(|path| files::are_same(path, &args.output)) {
        return Err(Usage(format!(
            "{} is read and would be overwritten; name another file with -o",
            path.display()
        ))
        .into());
    }
    let mut visited = visited_positions(args, to)?;
    let mut gathered = Gathered::default();
    for (path, form) in args.from.iter().zip(forms) {
        let reading = || format!("cannot read {}", path.display());
        match (form, &mut visited) {
            (Form::Games, Some(visited)) => {
                tune::read_games(path, &mut |game| gathered.samples.extend(visited.of_game(&game)))
                    .with_context(reading)?;
            }
            (Form::Pgn, Some(visited)) => {
                let of_record = |record: &GameRecord| {
                    let game = exchange::to_scored_game(record)?;
                    Ok(game.map(|game| visited.of_game(&game)).unwrap_or_default())
                };
                gathered.read_games(path, of_record).with_context(reading)?;
            }
            (_, Some(visited)) => {
                let before = gathered.samples.len();
                gathered.read_positions(path, form, args).with_context(reading)?;
                for sample in gathered.samples.split_off(before) {
                    gathered.left_out += usize::from(sample.position().is_none());
                    gathered.samples.extend(visited.of_game(&ScoredGame::from_sample(&sample)));
                }
            }
            (Form::Games, None) if to == Form::Games => {
                tune::read_games(path, &mut |game| gathered.games.push(game)).with_context(reading)?;
            }
            (_, None) => gathered.read_positions(path, form, args).with_context(reading)?,
        }
    }
    gathered.say_how_many_faults()?;
    if gathered.samples.is_empty() && gathered.games.is_empty() {
        let files: Vec<String> = args.from.iter().map(|path| path.display().to_string()).collect();
        bail!("no position could be read from {} ({} left out)", files.join(", "), gathered.left_out);
    }
    let (positions, unwritten) = write(&args.output, to, &gathered)?;
    let left_out = gathered.left_out + unwritten;
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
fn visited_positions(args: &SamplesArgs, to: Form) -> anyhow::Result<Option<VisitedPositions>> {
    let Some(count) = args.visited else { return Ok(None) };
    if to != Form::Samples {
        return Err(Usage(format!("--visited writes .samples, not {}", args.output.display())).into());
    }
    if args.eval != registry::NETWORK {
        return Err(Usage(format!("--visited searches with --eval {}", registry::NETWORK)).into());
    }
    let nodes = args.nodes.unwrap_or(VISITED_NODES);
    Ok(Some(VisitedPositions::new(count.get().into(), nodes, args.seed)))
}

/// The search that scores moves without a score, if requested.
fn judge(args: &SamplesArgs) -> anyhow::Result<impl FnMut(&ChessGame) -> Option<Score>> {
    let mut player: Option<Box<dyn Player>> = None;
    if args.nodes.is_some() {
        let found = agents::player(&args.eval, engine::Settings::default(), OwnLimits::default());
        player = Some(found?);
    }
    let limits = Limits::nodes(args.nodes.unwrap_or(1));
    Ok(move |game: &ChessGame| {
        let found = player.as_mut()?.search(game, &limits, &Stop::new(), &mut |_| {}).ok()?;
        Some(found.score)
    })
}

/// What was read so far.
#[derive(Default)]
struct Gathered {
    samples: Vec<Sample>,
    /// Games that stay whole.
    games: Vec<ScoredGame>,
    left_out: usize,
    faults: usize,
}

impl Gathered {
    /// Reads single positions, and the quiet ones of games.
    fn read_positions(&mut self, path: &Path, form: Form, args: &SamplesArgs) -> anyhow::Result<()> {
        match form {
            Form::Games | Form::Samples => tune::read(path, &mut self.samples),
            Form::Epd => self.read_epd(path),
            Form::Bullet => self.read_lines(path, |line| match line.trim() {
                "" => Ok(None),
                line => text_formats::from_bullet(line).map(Some),
            }),
            Form::Plain => {
                let mut reader = PlainReader::default();
                self.read_lines(path, |line| reader.line(line))
            }
            Form::Pgn => {
                let mut judge = judge(args)?;
                self.read_games(path, |record| exchange::from_game(record, &mut judge))
            }
        }
    }

    fn read_epd(&mut self, path: &Path) -> anyhow::Result<()> {
        let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
        let name = path.display().to_string();
        for (number, line) in epd::lines(&text, &name) {
            let read = line.map_err(ExchangeError::Fault).and_then(|epd| exchange::from_epd(&epd));
            match read {
                Ok(sample) => self.samples.push(sample),
                Err(error @ ExchangeError::Fault(_)) => self.fault(&error.to_string())?,
                Err(error) => self.fault(&format!("{name}:{number}: {error}"))?,
            }
        }
        Ok(())
    }

    /// Reads a text of which each line may end a sample.
    fn read_lines(
        &mut self,
        path: &Path,
        mut read: impl FnMut(&str) -> Result<Option<Sample>, TextError>,
    ) -> anyhow::Result<()> {
        let name = path.display();
        for (index, line) in BufReader::new(File::open(path)?).split(b'\n').enumerate() {
            match read(&String::from_utf8_lossy(&line?)) {
                Ok(sample) => self.samples.extend(sample),
                Err(error) => self.fault(&format!("{name}:{}: {error}", index + 1))?,
            }
        }
        Ok(())
    }

    fn read_games(
        &mut self,
        path: &Path,
        mut of_record: impl FnMut(&GameRecord) -> Result<Vec<Sample>, ExchangeError>,
    ) -> anyhow::Result<()> {
        let name = path.display().to_string();
        let mut games = pgn::open(path)?;
        while let Some(game) = games.next() {
            let line = games.line();
            match game.map_err(ExchangeError::Fault).and_then(|record| of_record(&record)) {
                Ok(samples) => self.samples.extend(samples),
                Err(error @ ExchangeError::Fault(_)) => self.fault(&error.to_string())?,
                Err(error) => self.fault(&format!("{name}:{line}: {error}"))?,
            }
        }
        Ok(())
    }

    fn fault(&mut self, what: &str) -> anyhow::Result<()> {
        self.faults += 1;
        self.left_out += 1;
        if self.faults <= FAULTS_TOLD {
            writeln!(io::stderr(), "{}", printable(what))?;
        }
        Ok(())
    }

    fn say_how_many_faults(&self) -> anyhow::Result<()> {
        if self.faults > FAULTS_TOLD {
            writeln!(io::stderr(), "and {} more faults", self.faults - FAULTS_TOLD)?;
        }
        Ok(())
    }
}

/// Writes samples in a form; counts the positions that were written and those that have no place in it.
fn write(path: &Path, form: Form, gathered: &Gathered) -> anyhow::Result<(usize, usize)> {
    let (mut positions, mut left_out) = (0, 0);
    let fill = |file: &mut BufWriter<std::fs::File>| -> io::Result<()> {
        match form {
            Form::Samples => samples::write_header(file)?,
            Form::Games => games::write_header(file)?,
            Form::Epd | Form::Pgn | Form::Bullet | Form::Plain => {}
        }
        for game in &gathered.games {
            match game_bytes(game) {
                Some(bytes) => {
                    file.write_all(&bytes)?;
                    positions += game.samples(FIRST_PLY).len();
                }
                None => left_out += 1,
            }
        }
        for sample in &gathered.samples {
            let line = |text: String| (text + "\n").into_bytes();
            let bytes = match form {
                Form::Samples => Some(sample.to_bytes().to_vec()),
                Form::Games => game_bytes(&ScoredGame::from_sample(sample)),
                Form::Epd => exchange::to_epd(sample).map(line),
                Form::Bullet => text_formats::to_bullet(sample).map(line),
                Form::Plain => text_formats::to_plain(sample).map(String::into_bytes),
                Form::Pgn => {
                    exchange::to_game(sample).and_then(|game| pgn::write(&game).ok()).map(String::into_bytes)
                }
            };
            match bytes {
                Some(bytes) => {
                    file.write_all(&bytes)?;
                    positions += 1;
                }
                None => left_out += 1,
            }
        }
        Ok(())
    };
    atomic_file::write(path, fill).with_context(|| format!("cannot write {}", path.display()))?;
    Ok((positions, left_out))
}

/// A game as `.games` has it; none if it cannot be written.
fn game_bytes(game: &ScoredGame) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    game.write(&mut bytes).then_some(bytes)
}
