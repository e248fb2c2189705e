//! `tabia quantum games`: games of self-play as replays.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use tabia_core::{Outcome, Reason};
use tabia_games::record::{GameRecord, Ply, Variant};
use tabia_games::replay;
use tabia_net::shard::{self, PlayedGame, PlyRecord};
use tabia_quantum::QuantumGame;
use tabia_run::atomic_file;

use crate::files;

/// Arguments of `tabia quantum games`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The files are games-0001.bin and so on, of `quantum train` and `quantum selfplay`. Each game becomes one line, a replay as `quantum play` and `quantum match` keep it: \
start, moves with what was measured, seed, version of the rules, and for each move what the search thought of the position. Every game is played through first; \
one that cannot have been played is refused with the ply. Files of earlier versions have positions only, no moves.

Examples:
  tabia quantum games training/games-0001.bin
  tabia quantum games training/games-*.bin --output games.jsonl")]
pub struct GamesArgs {
    /// Files of games.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE.jsonl")]
    output: Option<PathBuf>,
}

/// Writes the games.
pub fn run(args: &GamesArgs) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.output {
        files::refuse_nowhere(path)?;
    }
    let mut lines = String::new();
    for path in &args.files {
        for game in shard::read_file(path)? {
            let wrong = || format!("{}, game {}", path.display(), game.number + 1);
            let record = record(path, &game).with_context(wrong)?;
            // Replays are pretty-printed; here each game is one line.
            let value: serde_json::Value = serde_json::from_str(&replay::write(&record))?;
            lines.push_str(&value.to_string());
            lines.push('\n');
        }
    }
    if lines.is_empty() {
        let files: Vec<String> = args.files.iter().map(|path| path.display().to_string()).collect();
        bail!("{} has no finished game", files.join(", "));
    }
    match &args.output {
        Some(path) => atomic_file::write_bytes(path, lines.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?,
        None => io::stdout().write_all(lines.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Replays a game and returns its record.
fn record(path: &Path, game: &PlayedGame) -> anyhow::Result<GameRecord> {
    anyhow::ensure!(
        !game.start.is_empty(),
        "it has no moves: the file was written by an earlier version, which kept positions alone"
    );
    let mut state = game.start.parse::<QuantumGame>()?.with_rules(game.rules);
    for (at, ply) in game.transcript.iter().enumerate() {
        state.play_text(&ply.text).with_context(|| format!("ply {}", at + 1))?;
    }
    let usual = QuantumGame::default().to_string();
    Ok(GameRecord {
        variant: Variant::Quantum,
        white: "self-play".to_owned(),
        black: "self-play".to_owned(),
        start: (game.start != usual).then(|| game.start.clone()),
        plies: game.transcript.iter().map(ply).collect(),
        outcome: Some(state.outcome().unwrap_or_else(|| ended_early(game))),
        detail: None,
        tags: vec![
            ("Event".to_owned(), path.file_name().unwrap_or_default().to_string_lossy().into_owned()),
            ("Round".to_owned(), (game.number + 1).to_string()),
            ("Seed".to_owned(), game.seed.to_string()),
            (replay::RULES.to_owned(), game.rules.number().to_string()),
        ],
    })
}

/// The end of a game that did not end by the rules: a resignation, or the ply limit.
fn ended_early(game: &PlayedGame) -> Outcome {
    use shakmaty::Color;
    if game.points > 0.75 {
        Outcome::win(Color::White, Reason::Resignation)
    } else if game.points < 0.25 {
        Outcome::win(Color::Black, Reason::Resignation)
    } else {
        Outcome::draw(Reason::MoveLimit)
    }
}

/// A ply with the search's value as a comment: there is no score in centipawns.
fn ply(ply: &PlyRecord) -> Ply {
    let [win, draw, loss] = ply.estimate.wdl().map(|chance| 100.0 * chance);
    Ply { comment: Some(format!("{win:.1}% / {draw:.1}% / {loss:.1}%")), ..Ply::of(ply.text.as_str()) }
}
