//! What the evaluation is worth in games: the seed speaks of "grandmaster strength" (abstract).

use crate::context::{Interruptible, StepContext};
use crate::figure::{Figure, number};
use crate::rating::rate;
use crate::step::Findings;

/// What is meant by it: the title's own requirement. It is judged only with an opponent of that rating: a rating far above the
/// strongest opponent is an extrapolation.
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
        let figure = if rated.varies { figure.timed() } else { figure };
        figure.more_is_better().with_seeds_settings(rated.strongest_opponent >= GRANDMASTER)
    };
    let against = if strong.strongest_opponent < GRANDMASTER {
        format!(
            " The strongest opponent is rated {}, so neither row says whether that strength is reached.",
            number(strong.strongest_opponent)
        )
    } else {
        String::new()
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
            format!(
                "The seed calls its heuristics \"an excellent basis for chess program evaluators of grandmaster strength\" and gives no rating: 2500 is \
             what the title asks for. An agent that wins nearly all games has a rating that says little but \"more\".{against}"
            ),
        ],
        ..Findings::default()
    }))
}
