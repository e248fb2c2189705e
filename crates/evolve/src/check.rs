//! Whether a result can be one: what a worker somewhere says is looked at before it counts.
//!
//! A game is replayed: its moves must be legal, and its points and fitness those of the position it ended in. Which moves a chromosome finds best is
//! not worked out again, for that is the work.

use shakmaty::Color;
use tabia_core::{ChessGame, Game};

use crate::game::Ending;
use crate::positions;
use crate::task::{Done, GameTask, Task, Work};

/// What is wrong with a result, if anything is.
pub fn check(task: &Task, done: &Done) -> Result<(), String> {
    if done.id != task.id {
        return Err(format!("it is the result of {}", done.id));
    }
    match &task.work {
        Work::Game(game) => check_game(game, done),
        Work::Positions(list) | Work::Mentor(list) => {
            let possible = (0.0..=positions::ALL).contains(&done.fitness);
            if !possible || done.points.is_some() || done.steps != list.len() as u64 {
                return Err(format!("no answers to {} positions are worth {}", list.len(), done.fitness));
            }
            Ok(())
        }
    }
}

fn check_game(task: &GameTask, done: &Done) -> Result<(), String> {
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
    let (outcome, most) = (game.outcome(), u64::from(task.max_plies));
    if done.steps > most || (outcome.is_none() && done.steps != most) {
        return Err(format!("a game does not end so after {} half-moves", done.steps));
    }
    let color = if task.white { Color::White } else { Color::Black };
    let points = outcome.map_or(0.5, |outcome| outcome.points(color));
    let ending = Ending::of(&game, points, done.steps as u32, color);
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
    use crate::task::Rival;

    fn task() -> Task {
        let work = Work::Game(GameTask {
            seed: 1,
            opening: OpeningSettings { plies: 2, ..OpeningSettings::by("random") },
            white: false,
            rival: Rival::Agent { spec: "random".to_owned(), depth: 1 },
            max_plies: 4,
        });
        Task { id: "g0-i0-n0".to_owned(), genes: Vec::new(), search: SearchSettings::plain(1, 0), work }
    }

    fn won() -> Done {
        Done {
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
            (Done { id: "g0-i1-n0".to_owned(), ..won() }, "g0-i1-n0"),
            (Done { moves: None, ..won() }, "no moves"),
            (Done { moves: moves("f2f3 e7e5 g2g5 d8h4"), ..won() }, "half-move 3"),
            (Done { moves: moves("f2f3 e7e5 g2g4 d8h4 a2a3"), steps: 3, ..won() }, "over before a2a3"),
            (Done { moves: moves("f2f3 e7e5 g2g4 d8e7"), ..won() }, "does not end so"),
            (Done { steps: 3, ..won() }, "opening"),
            (Done { points: Some(0.5), ..won() }, "its moves give"),
            (Done { fitness: 999.0, ..won() }, "its moves give"),
        ] {
            let why = check(&task(), &wrong).unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
    }
}
