//! Ratings of the second engine at a depth that takes the seed's time per move rather than at the seed's depth (§6).

use std::time::{Duration, Instant};

use tabia_core::{ChessGame, Limits};

use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::rating::rate;
use crate::searches::bench_positions;
use crate::step::Findings;

/// The engine with kernels of the text, and with learned ones.
fn engines(depth: u32) -> [(&'static str, String); 2] {
    let search = "quiescence=4,ordering=seed000,killers=on,table=200000,deepening=on";
    [
        ("kernels of the text", format!("axiomx(depth={depth})")),
        ("learned kernels", format!("alphabeta(eval=axiomx-learned,depth={depth},{search})")),
    ]
}

/// Times and rates both.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let depth = work.extent.of(2, 5, 5);
    let rounds = work.extent.of(1, 3, 10);
    let games = bench_positions()?;
    let mut figures = Vec::new();
    let mut said = None;
    for (name, spec) in engines(depth) {
        let Some(time) = mean_time(&spec, &games, rounds, work)? else { return Ok(None) };
        figures.push(
            Figure::new(format!("{name}, depth {depth}: time of a move"), "ms")
                .seed_range([100.0, 150.0], "100–150 ms")
                .ours(1000.0 * time.as_secs_f64())
                .timed()
                .less_is_better()
                // The depth was chosen to fit this time, and is not the seed's.
                .with_seeds_settings(false),
        );
        let Some(rated) = rate(&spec, work)? else { return Ok(None) };
        let figure = Figure::new(format!("{name}, depth {depth}: rating"), "Elo")
            .seed(2000.0, "about 2000")
            .ours(rated.elo.unwrap_or(f64::NAN))
            .error(rated.error)
            .more_is_better()
            // At the depth of a taste a move takes far less than the seed's time.
            .with_seeds_settings(work.extent != Extent::Taste);
        figures.push(if rated.varies { figure.timed() } else { figure });
        said = Some(rated);
    }
    let (how, note) = said.map(|rated| (rated.how, rated.note)).unwrap_or_default();
    let specs = engines(depth).map(|(_, spec)| format!("`{spec}`"));
    Ok(Some(Findings {
        how: format!(
            "{}, each at depth {depth}. Each played {how}. Times are means over the {} chess positions of `tabia bench`, each searched afresh, the \
             quickest of {rounds} rounds for each.",
            specs.join(" and "),
            games.len()
        ),
        figures,
        notes: vec![
            note,
            "The seed looks three plies ahead in 100–150 ms, by its own account. Our search of three plies takes a small part of that (see *Time and \
             memory*), so this looks as far ahead as the seed's time allows. The depth was chosen to fit the time, so times have no verdict."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}

/// Mean time of a move, each position's quickest round.
fn mean_time(
    spec: &str,
    games: &[ChessGame],
    rounds: usize,
    work: &mut StepContext<'_>,
) -> Interruptible<Duration> {
    let mut total = Duration::ZERO;
    for (done, game) in games.iter().enumerate() {
        let mut quickest = Duration::MAX;
        for _ in 0..rounds {
            let mut agent = work.players.agent(spec)?;
            let started = Instant::now();
            agent.choose(game, &Limits::default(), work.stop, &mut |_| {})?;
            quickest = quickest.min(started.elapsed());
            if work.stop.is_stopped() {
                return Ok(None);
            }
        }
        total += quickest;
        (work.tell)(done + 1, games.len());
    }
    Ok(Some(total / games.len().max(1) as u32))
}
