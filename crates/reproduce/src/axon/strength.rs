//! What the evaluation is worth in games: the seed speaks of "grandmaster strength" (abstract).

use crate::context::{Interruptible, StepContext};
use crate::figure::Figure;
use crate::rating::rate;
use crate::step::Findings;

/// What is meant by it: the title's own requirement.
const GRANDMASTER: f64 = 2500.0;

/// Rates the textbook agent and the strong search with the same evaluation.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let Some(plain) = rate("axon", work)? else { return Ok(None) };
    let Some(strong) = rate("engine(eval=axon,nodes=20000,hash=1)", work)? else { return Ok(None) };
    let figure = |what: &str, rated: &crate::rating::Rating| {
        let figure = Figure::new(what, "Elo")
            .seed(GRANDMASTER, "\"grandmaster strength\": 2500")
            .ours(rated.elo.unwrap_or(f64::NAN))
            .error(rated.error);
        if rated.varies { figure.timed().more_is_better() } else { figure.more_is_better() }
    };
    Ok(Some(Findings {
        how: format!("Each played {}.", plain.how),
        figures: vec![
            figure("`axon`: depth 3, captures beyond", &plain),
            Figure::new("its points", "%").ours(plain.percent).more_is_better(),
            figure("the same evaluation on the strong search, 20,000 nodes a move", &strong),
            Figure::new("its points", "%").ours(strong.percent).more_is_better(),
        ],
        notes: vec![
            plain.note,
            "The seed calls its heuristics \"an excellent basis for chess program evaluators of grandmaster strength\" and gives no rating: 2500 is \
             what the title asks for. An agent that wins nearly all games has a rating that says little but \"more\"."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}
