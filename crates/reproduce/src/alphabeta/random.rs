//! Win rate, length of games and time of a move against the random player, at depths 3 to 5 (§8.1).

use crate::context::{Interruptible, StepContext};
use crate::figure::Figure;
use crate::games::against_random;
use crate::step::{Findings, Plot};

/// The seed's table: who, win rate, moves of a game, seconds of a move.
const TABLE: [(&str, &str, f64, f64, f64); 4] = [
    ("random", "random", 50.0, 45.0, 0.001),
    ("alphabeta, depth 3", "alphabeta(depth=3)", 85.0, 38.0, 0.8),
    ("alphabeta, depth 4", "alphabeta(depth=4)", 92.0, 35.0, 1.5),
    ("alphabeta, depth 5", "alphabeta(depth=5)", 95.0, 33.0, 4.2),
];

/// The seed's games for each row.
const GAMES: usize = 100;

/// Plays the games of the table.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let games = work.extent.of(2, 20, GAMES);
    let rows = work.extent.of(2, TABLE.len(), TABLE.len());
    let mut figures = Vec::new();
    let (mut ours, mut seeds) = (Vec::new(), Vec::new());
    for (depth, (name, spec, rate, length, seconds)) in TABLE[..rows].iter().enumerate() {
        let Some(score) = against_random(spec, games, work)? else { return Ok(None) };
        let won = 100.0 * score.wins as f64 / score.games as f64;
        // Of random against random the seed means points; of the others, wins.
        let percent = if *name == "random" { score.percent } else { won };
        figures.push(
            Figure::new(format!("{name}: win rate"), "%")
                .seed(*rate, &format!("{rate}%"))
                .ours(percent)
                .more_is_better(),
        );
        figures.push(
            Figure::new(format!("{name}: drawn"), "%")
                .ours(100.0 * score.draws as f64 / score.games as f64)
                .less_is_better(),
        );
        figures.push(
            Figure::new(format!("{name}: moves of a game"), "moves")
                .seed(*length, &format!("{length} moves"))
                .ours(score.length)
                .compared(),
        );
        figures.push(
            Figure::new(format!("{name}: time of a move"), "s")
                .seed(*seconds, &format!("{seconds} s"))
                .ours(score.move_seconds)
                .timed()
                .less_is_better(),
        );
        if depth > 0 {
            ours.push((depth as f64 + 2.0, percent));
            seeds.push((depth as f64 + 2.0, *rate));
        }
    }
    Ok(Some(Findings {
        how: format!(
            "`alphabeta` with the evaluation `mat_mob` (the seed's default) against `random`, {games} games for each row from the usual \
             start, colours in turn, no adjudication: draws are those of the rules. The random player of game n has the seed 1000 + n."
        ),
        figures: figures.into_iter().map(|figure| figure.with_seeds_settings(games == GAMES)).collect(),
        notes: vec![
            "The seed does not say how its games were ended. Between two random players nearly all games are drawn by the rules, so that its 50% can only be points; of the \
             others a win is a win, and a draw is none."
                .to_owned(),
        ],
        pictures: vec![Plot::curves(
            "alphabeta-random",
            "Games won against the random player, per cent",
            "depth",
            &[("ours", ours), ("the seed's", seeds)],
        )],
    }))
}
