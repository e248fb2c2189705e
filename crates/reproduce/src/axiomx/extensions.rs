//! The extensions of §10, each on against all off: nodes, and games.

use tabia_arena::tournament::Format;

use crate::context::{Interruptible, StepContext};
use crate::figure::Figure;
use crate::rating::{entrant, play_match};
use crate::step::Findings;

/// What is switched on, and where the seed proposes it.
const EXTENSIONS: [(&str, &str); 5] = [
    (
        "learned kernels (§10.1)",
        "alphabeta(eval=axiomx-learned,depth=3,quiescence=4,ordering=seed000,killers=on,table=200000)",
    ),
    ("multiscale (§10.2)", "axiomx(multiscale=3,5,7,9)"),
    ("attention (§10.3)", "axiomx(attention=on)"),
    ("phase (§10.4)", "axiomx(phase=on)"),
    ("guided (§10.5)", "axiomx(guided=on)"),
];

/// Plays each against the plain engine.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let games = work.extent.of(2, 20, 200);
    let rows = work.extent.of(1, EXTENSIONS.len(), EXTENSIONS.len());
    let mut figures = Vec::new();
    for (name, spec) in &EXTENSIONS[EXTENSIONS.len() - rows..] {
        let agents = vec![entrant(spec), entrant("axiomx")];
        let Some(played) = play_match(agents, Format::RoundRobin, games, work)? else { return Ok(None) };
        let summary = &played.result.summary;
        figures.push(
            Figure::new(format!("{name}: points"), "%")
                .ours(100.0 * summary.point_share.unwrap_or(f64::NAN))
                .more_is_better(),
        );
        figures.push(
            Figure::new(format!("{name}: over `axiomx`"), "Elo")
                .ours(summary.estimate.elo.unwrap_or(f64::NAN))
                .error(summary.estimate.elo_error_95)
                .more_is_better(),
        );
    }
    Ok(Some(Findings {
        how: format!(
            "Each extension alone against `axiomx` without any, {games} games from the built-in openings with both colours, both at depth 3."
        ),
        figures,
        notes: vec!["The seed proposes them as future work and gives no numbers.".to_owned()],
        ..Findings::default()
    }))
}
