//! `tabia exercises`: the mistakes of a game as puzzles.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use shakmaty::Color;
use tabia_arena::analysis::{self, ReviewProgress};
use tabia_coach::game::MATE_NODES;
use tabia_coach::messages::Label;
use tabia_coach::prover::proof_limits;
use tabia_coach::{AgentProver, Exercise, ExerciseDocument, Locale};
use tabia_core::{AgentSpec, ChessGame};
use tabia_games::GameRecord;
use tabia_run::atomic_file;
use tabia_search::engine::tablebases::Tablebases;

use crate::commands::play::board::{self, Style};
use crate::failure::Usage;
use crate::games::Game;
use crate::limits::LimitArgs;
use crate::tables::TableArgs;
use crate::terminal::{self, Paint};
use crate::{catalogue, files, games, interrupt, text};

/// Arguments of `tabia exercises`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Games are analysed as by `tabia analyze`. Each mistake whose better moves are few becomes an exercise: the position, the move \
that was played, and every move within 3 points of winning chances of the best one, any of which solves it. Positions come \
first, solutions with the reasons at the end.

In JSON: {\"file\",\"agent\",\"exercises\":[{\"game\",\"white\",\"black\",\"ply\",\"fen\",\"turn\",\"played\":{\"uci\",\"san\"}, \
\"accepted\":[{\"uci\",\"san\",\"score_cp\" or \"mate\"}],\"mark\",\"verdict\",\"win_percent_loss\",\"motif\",\"hint\",\"reason\"}]}.

Examples:
  tabia exercises game.pgn
  tabia exercises games.pgn --player 'Doe, Jane' --nodes 100000 --json -o exercises.json")]
pub struct ExercisesArgs {
    /// The games: a .pgn file, or a .json replay.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only this game of the file, from 1 [default: all].
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Only the mistakes of this player: `white`, `black`, or a name.
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// The agent that analyses, as a spec.
    #[arg(long, value_name = "SPEC", default_value = "engine")]
    agent: AgentSpec,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    tables: TableArgs,
    /// The language of the text, of hints and of reasons: en or de.
    #[arg(long, value_name = "CODE", default_value_t)]
    language: Locale,
    /// Write into this file, instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    file: String,
    agent: String,
    exercises: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    game: usize,
    white: String,
    black: String,
    #[serde(flatten)]
    exercise: ExerciseDocument,
}

/// Makes exercises of the mistakes of games.
pub fn run(args: &ExercisesArgs) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.output {
        files::refuse_nowhere(path)?;
    }
    let games = games::chosen(&args.file, args.game)?;
    let wanted = wanted(&games, args.player.as_deref())?;
    let catalogue = catalogue::chess();
    let (entry, options) = catalogue::check(&catalogue, &args.agent)?;
    let limits = args.limits.or_nodes(&options, analysis::NODES);
    let build = || (entry.build)(&options).map_err(|error| catalogue::refused::<ChessGame>(&error));
    let (mut agent, mut second) = (build()?, build()?);
    let stop = interrupt::stop_flag()?;
    let tables = args.tables.open()?;
    let tables = tables.as_ref().map(|tables| -> &dyn Tablebases { tables });
    let count = games.len();
    let mut exercises = Vec::new();
    for (index, (Game { record, .. }, sides)) in games.iter().zip(wanted).enumerate() {
        if sides.is_empty() || stop.is_stopped() {
            continue;
        }
        second.new_game();
        let mut prover =
            AgentProver::new(second.as_mut(), proof_limits(&limits), &stop, MATE_NODES).with_tables(tables);
        let reviewed =
            analysis::analyse_and_review(record, agent.as_mut(), &mut prover, &limits, &stop, |told| {
                if let ReviewProgress::Position { done, of } = told {
                    terminal::progress(&format!("game {} of {count}: position {done} of {of}", index + 1));
                }
            })
            .with_context(|| format!("cannot analyse game {} of {}", index + 1, args.file.display()))?;
        let mut prover = AgentProver::new(second.as_mut(), limits.clone(), &stop, MATE_NODES);
        for (ply, review) in reviewed.reviews.iter().enumerate() {
            let Some(review) = review.as_ref().filter(|review| sides.contains(&review.mover)) else {
                continue;
            };
            terminal::progress(&format!("game {} of {count}: exercise of half-move {}", index + 1, ply + 1));
            if let Some(exercise) = Exercise::new(review, &mut prover) {
                exercises.push(Entry {
                    game: index + 1,
                    white: record.white.clone(),
                    black: record.black.clone(),
                    exercise: ExerciseDocument::new(&exercise, review, ply + 1, args.language),
                });
            }
        }
        terminal::progress("");
    }
    let found = exercises.len();
    let document =
        Document { file: args.file.display().to_string(), agent: args.agent.to_string(), exercises };
    let written = if args.json {
        serde_json::to_string_pretty(&document)? + "\n"
    } else {
        as_text(&document, args.language, args.output.is_none())?
    };
    match &args.output {
        Some(path) => {
            atomic_file::write_bytes(path, written.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
            eprintln!("{}: {}", path.display(), text::counted(found as u64, "exercise"));
        }
        None => io::stdout().write_all(written.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Whose mistakes are wanted in each game.
fn wanted(games: &[Game], player: Option<&str>) -> Result<Vec<Vec<Color>>, Usage> {
    let sides = |record: &GameRecord| -> Vec<Color> {
        let is_wanted = |color: &Color| {
            player.is_none_or(|player| {
                let name = color.fold_wb(&record.white, &record.black);
                player.eq_ignore_ascii_case(color.fold_wb("white", "black")) || same_name(player, name)
            })
        };
        Color::ALL.into_iter().filter(is_wanted).collect()
    };
    let wanted: Vec<Vec<Color>> = games.iter().map(|game| sides(&game.record)).collect();
    match (player, games.first()) {
        (Some(player), Some(first)) if wanted.iter().all(Vec::is_empty) => Err(Usage(format!(
            "nobody is called \"{player}\"; the first game is {} against {}",
            named(&first.record.white),
            named(&first.record.black)
        ))),
        _ => Ok(wanted),
    }
}

fn same_name(one: &str, other: &str) -> bool {
    !one.trim().is_empty() && one.trim().to_lowercase() == other.trim().to_lowercase()
}

fn named(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

fn as_text(document: &Document, locale: Locale, for_terminal: bool) -> anyhow::Result<String> {
    let label = |label: Label| locale.language().label(label);
    let paint = if for_terminal { Paint::for_stream(&io::stdout()) } else { Paint::none() };
    let mut out = String::new();
    if document.exercises.is_empty() {
        writeln!(out, "{}", label(Label::NoExercise))?;
        return Ok(out);
    }
    for (index, Entry { game, white, black, exercise }) in document.exercises.iter().enumerate() {
        let position = ChessGame::from_fen(exercise.fen())?;
        let turn = position.side_to_move();
        let heading = format!("{} {}: {}", label(Label::Exercise), index + 1, label(Label::ToMove(turn)));
        let of_game = format!("{} {game}, {} – {}", label(Label::Game), named(white), named(black));
        writeln!(out, "{}  ({of_game})", paint.bold(heading))?;
        writeln!(out, "{}", exercise.fen())?;
        for line in board::draw(position.position(), None, turn, Style { paint, unicode: false }) {
            writeln!(out, "{line}")?;
        }
        let (played, hint) = (label(Label::MovePlayed), label(Label::Hint));
        writeln!(out, "{played}: {}.  {hint}: {}\n", exercise.played(), exercise.hint())?;
    }
    writeln!(out, "{}", paint.bold(label(Label::Solutions)))?;
    let or = format!(" {} ", label(Label::Or));
    for (index, Entry { exercise, .. }) in document.exercises.iter().enumerate() {
        writeln!(out, "{:>3}. {}", index + 1, exercise.accepted().join(&or))?;
        writeln!(out, "     {}", exercise.reason())?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str) -> Game {
        Game::of_record(GameRecord {
            white: white.to_owned(),
            black: black.to_owned(),
            ..GameRecord::default()
        })
    }

    #[test]
    fn a_text_without_exercises_is_in_its_language() {
        let document = Document { file: String::new(), agent: String::new(), exercises: Vec::new() };
        let said = |locale| as_text(&document, locale, false).unwrap();
        assert_eq!(said(Locale::En), "No mistake of these games makes an exercise.\n");
        assert_eq!(said(Locale::De), "Kein Fehler dieser Partien ergibt eine Aufgabe.\n");
    }

    #[test]
    fn players_are_found_by_colour_and_by_name() {
        let games = [game("Anna", "Boris"), game("Boris", "")];
        let of = |player| wanted(&games, player);
        assert_eq!(of(None).unwrap(), [Color::ALL.to_vec(), Color::ALL.to_vec()]);
        assert_eq!(of(Some("Black")).unwrap(), [vec![Color::Black], vec![Color::Black]]);
        assert_eq!(of(Some("boris")).unwrap(), [vec![Color::Black], vec![Color::White]]);
        let error = of(Some("carl")).unwrap_err().to_string();
        assert!(error.contains("Anna against Boris"), "{error}");
    }
}
