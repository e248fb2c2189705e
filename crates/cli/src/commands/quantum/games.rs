//! `tabia quantum games`: games of self-play as replays.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use shakmaty::Color;
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
one that cannot have been played is refused with the ply. Files of earlier versions have positions only, no moves. With --output it also says how well the \
search's chances, which networks learn from, agree with the results.

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
    let mut forecasts = Forecasts::default();
    for path in &args.files {
        for game in shard::read_file(path)? {
            let wrong = || format!("{}, game {}", path.display(), game.number + 1);
            let record = record(path, &game, &mut forecasts).with_context(wrong)?;
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
        Some(path) => {
            atomic_file::write_bytes(path, lines.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
            println!("{forecasts}");
        }
        None => io::stdout().write_all(lines.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The search's chances beside the results, each for the side to move, summed over positions.
#[derive(Default)]
struct Forecasts {
    games: usize,
    positions: usize,
    /// Won, drawn, lost, by the search.
    expected: [f64; 3],
    /// Won, drawn, lost.
    results: [f64; 3],
}

impl Forecasts {
    /// Adds a game: its result, and each position's side to move with its chances by the search.
    fn add(&mut self, outcome: Outcome, positions: &[(Color, [f64; 3])]) {
        self.games += 1;
        self.positions += positions.len();
        for (turn, chances) in positions {
            let result = match outcome.winner {
                Some(winner) if winner == *turn => 0,
                Some(_) => 2,
                None => 1,
            };
            self.results[result] += 1.0;
            for (sum, chance) in self.expected.iter_mut().zip(chances) {
                *sum += chance;
            }
        }
    }
}

impl fmt::Display for Forecasts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares = |sums: [f64; 3]| {
            let [won, drawn, lost] = sums.map(|sum| 100.0 * sum / self.positions.max(1) as f64);
            format!("won {won:.1}%, drawn {drawn:.1}%, lost {lost:.1}%")
        };
        writeln!(f, "{} games, {} positions; for the side to move", self.games, self.positions)?;
        writeln!(f, "  expected by the search  {}", shares(self.expected))?;
        write!(f, "  results                 {}", shares(self.results))
    }
}

/// Replays a game and returns its record.
fn record(path: &Path, game: &PlayedGame, forecasts: &mut Forecasts) -> anyhow::Result<GameRecord> {
    anyhow::ensure!(
        !game.start.is_empty(),
        "it has no moves: the file was written by an earlier version, which kept positions alone"
    );
    let mut state = game.start.parse::<QuantumGame>()?.with_rules(game.rules);
    let mut positions = Vec::with_capacity(game.transcript.len());
    for (at, ply) in game.transcript.iter().enumerate() {
        positions.push((state.side_to_move(), ply.estimate.wdl()));
        state.play_text(&ply.text).with_context(|| format!("ply {}", at + 1))?;
    }
    let outcome = state.outcome().unwrap_or_else(|| ended_early(game));
    forecasts.add(outcome, &positions);
    let usual = QuantumGame::default().to_string();
    Ok(GameRecord {
        variant: Variant::Quantum,
        white: "self-play".to_owned(),
        black: "self-play".to_owned(),
        start: (game.start != usual).then(|| game.start.clone()),
        plies: game.transcript.iter().map(ply).collect(),
        outcome: Some(outcome),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_compared_with_results_in_the_view_of_the_side_to_move() {
        let mut forecasts = Forecasts::default();
        let win = Outcome::win(Color::White, Reason::KingCaptured);
        forecasts.add(win, &[(Color::White, [0.75, 0.25, 0.0]), (Color::Black, [0.25, 0.25, 0.5])]);
        forecasts.add(Outcome::draw(Reason::MoveLimit), &[(Color::White, [0.5, 0.0, 0.5])]);
        assert_eq!(
            forecasts.to_string(),
            "2 games, 3 positions; for the side to move\n  \
             expected by the search  won 50.0%, drawn 16.7%, lost 33.3%\n  \
             results                 won 33.3%, drawn 33.3%, lost 33.3%"
        );
    }
}
