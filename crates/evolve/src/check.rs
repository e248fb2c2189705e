//! Verification of results from workers.
//!
//! A game is replayed: its moves must be legal, and its points and fitness those of its final position. Which moves a chromosome
//! chooses is not recomputed, since that is the work itself.

use shakmaty::Color;
use tabia_core::{ChessGame, Game};

use crate::game::FinishedGame;
use crate::positions;
use crate::task::{GameTask, Task, TaskKind, TaskResult};

/// Verifies a result.
pub fn check(task: &Task, done: &TaskResult) -> Result<(), String> {
    if done.id != task.id {
        return Err(format!("it is the result of {}", done.id));
    }
    match &task.kind {
        TaskKind::Game(game) => check_game(game, done),
        TaskKind::Positions(list) | TaskKind::Mentor(list) => {
            let possible = (0.0..=positions::MAX_FITNESS).contains(&done.fitness);
            if !possible || done.points.is_some() || done.steps != list.len() as u64 {
                return Err(format!("no answers to {} positions are worth {}", list.len(), done.fitness));
            }
            Ok(())
        }
    }
}

fn check_game(task: &GameTask, done: &TaskResult) -> Result<(), String> {
    let moves = done.moves.as_deref().ok_or("it has no moves")?;
    let mut game = ChessGame::default();
    for (ply, text) in moves.split_whitespace().enumerate() {
        if game.outcome().is_some() {
            return Err(format!("the game was over before {text}, its half-move {}", ply + 1));
        }
        let found = game.read_move(text).map_err(|error| format!("half-move {}: {error}", ply + 1))?;
        game.apply(found);
    }
    let played = game.moves().len() as u64;
    let opening = played.checked_sub(done.steps).ok_or("it has fewer moves than it says")?;
    if opening != 0 && opening != u64::from(task.opening.plies) {
        return Err(format!("its opening has {opening} half-moves, and not {}", task.opening.plies));
    }
    let (outcome, max_plies) = (game.outcome(), u64::from(task.max_plies));
    if done.steps > max_plies || (outcome.is_none() && done.steps != max_plies) {
        return Err(format!("a game does not end so after {} half-moves", done.steps));
    }
    let color = if task.white { Color::White } else { Color::Black };
    let points = outcome.map_or(0.5, |outcome| outcome.points(color));
    let ending = FinishedGame::of(&game, points, done.steps as u32, color);
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
    if !done.points.is_some_and(|said| same(said, points)) || !same(done.fitness, ending.fitness()) {
        return Err(format!(
            "it says {:?} points and fitness {}, and its moves give {points} and {}",
            done.points,
            done.fitness,
            ending.fitness()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{OpeningSettings, SearchSettings};
    use crate::task::Opponent;

    fn task() -> Task {
        let kind = TaskKind::Game(GameTask {
            seed: 1,
            opening: OpeningSettings { plies: 2, ..OpeningSettings::by("random") },
            white: false,
            opponent: Opponent::Agent { spec: "random".to_owned(), depth: 1 },
            max_plies: 4,
        });
        Task { id: "g0-i0-n0".to_owned(), genes: Vec::new(), search: SearchSettings::plain(1, 0), kind }
    }

    fn won() -> TaskResult {
        TaskResult {
            id: "g0-i0-n0".to_owned(),
            fitness: 1000.0,
            points: Some(1.0),
            steps: 2,
            moves: Some("f2f3 e7e5 g2g4 d8h4".to_owned()),
        }
    }

    #[test]
    fn a_result_is_what_its_moves_say() {
        assert_eq!(check(&task(), &won()), Ok(()));
        let moves = |text: &str| Some(text.to_owned());
        for (wrong, expected) in [
            (TaskResult { id: "g0-i1-n0".to_owned(), ..won() }, "g0-i1-n0"),
            (TaskResult { moves: None, ..won() }, "no moves"),
            (TaskResult { moves: moves("f2f3 e7e5 g2g5 d8h4"), ..won() }, "half-move 3"),
            (TaskResult { moves: moves("f2f3 e7e5 g2g4 d8h4 a2a3"), steps: 3, ..won() }, "over before a2a3"),
            (TaskResult { moves: moves("f2f3 e7e5 g2g4 d8e7"), ..won() }, "does not end so"),
            (TaskResult { steps: 3, ..won() }, "opening"),
            (TaskResult { points: Some(0.5), ..won() }, "its moves give"),
            (TaskResult { fitness: 999.0, ..won() }, "its moves give"),
        ] {
            let why = check(&task(), &wrong).unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
    }
}
