//! How often the engines play what masters played, in the first ten moves (§9.1).

use tabia_core::{ChessGame, Game, Limits};
use tabia_games::pgn;

use super::engines::ENGINES;
use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::positions::{masters, masters_of};
use crate::step::Findings;

/// Ten moves of both sides.
const PLIES: usize = 20;
/// Games of a file that are looked at, quick and full.
const MAX: [usize; 2] = [40, 400];

/// Asks for a move in every position of the games.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let (games, source) = match &work.inputs.games {
        None => {
            (masters()?, "The 24 famous games of `crates/reproduce/src/positions/masters.txt`".to_owned())
        }
        Some(path) => {
            let (records, _) = pgn::read_all(path, false)?;
            let mut games = masters_of(&records, PLIES);
            let [quick, full] = MAX;
            games.truncate(work.extent.of(2, quick, full));
            let source = format!("The first {} games of `{}`", games.len(), path.display());
            (games, source)
        }
    };
    let games = &games[..games.len().min(work.extent.of(2, games.len(), games.len()))];
    let mut figures = Vec::new();
    for (engine, seed) in ENGINES.into_iter().zip([25.0, 60.0]) {
        let (players, stop) = (work.players, work.stop);
        let found = work.each(games, |moves| {
            let mut agent = players.agent(engine)?;
            let mut game = ChessGame::default();
            let mut agreed = Vec::new();
            for played in moves {
                let chosen = agent.choose(&game, &Limits::default(), stop, &mut |_| {})?;
                if stop.is_stopped() {
                    return Ok(None);
                }
                agreed.push(chosen == *played);
                game.apply(*played);
            }
            Ok(Some(agreed))
        })?;
        let Some(found) = found else { return Ok(None) };
        let share = |agreed: &[bool]| {
            100.0 * agreed.iter().filter(|agreed| **agreed).count() as f64 / agreed.len().max(1) as f64
        };
        let all = found.concat();
        let (first, second): (Vec<bool>, Vec<bool>) =
            found.iter().fold((Vec::new(), Vec::new()), |(mut first, mut second), game| {
                let (early, late) = game.split_at(game.len() / 2);
                first.extend(early);
                second.extend(late);
                (first, second)
            });
        figures.push(
            Figure::new(format!("{engine}: moves that agree"), "%")
                .seed(seed, &format!("about {seed}%"))
                .ours(share(&all))
                .more_is_better()
                .with_seeds_settings(work.extent != Extent::Taste),
        );
        for (part, agreed) in [("1 to 5", first), ("6 to 10", second)] {
            let what = format!("{engine}: in moves {part}");
            figures.push(Figure::new(what, "%").ours(share(&agreed)).more_is_better());
        }
    }
    Ok(Some(Findings {
        how: format!("{source}: in every position of the first ten moves of both sides the engine is asked for a move, and it agrees or does not."),
        figures,
        notes: vec![
            "The seed names neither games nor positions. No engine here has a book: agreement is by evaluation and search alone.".to_owned(),
        ],
        ..Findings::default()
    }))
}
