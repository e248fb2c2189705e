//! Swapping colours negates the score, mirroring files leaves it equal, and the positional part keeps its limit (§II, §III).

use shakmaty::{Bitboard, CastlingMode, Chess, EnPassantMode, Position, Setup, Square};
use tabia_eval::axon::{Axon, POSITIONAL_LIMIT};
use tabia_eval::{Evaluate, View};

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;
use crate::figure::{Figure, number};
use crate::positions;
use crate::step::Findings;

/// Positions looked at in one go.
const BATCH: u64 = 1000;

/// What was seen in some positions.
#[derive(Copy, Clone, Default)]
struct Seen {
    positions: u64,
    not_negated: u64,
    not_mirrored: u64,
    over_the_limit: u64,
    at_the_limit: u64,
}

/// Looks at random positions.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let batches: Vec<u64> = (0..work.extent.of(1, 50, 1000)).collect();
    let seen = work.each(&batches, |batch| {
        let mut seen = Seen::default();
        for number in batch * BATCH..(batch + 1) * BATCH {
            look(&positions::random(number), &mut seen)?;
        }
        Ok(Some(seen))
    })?;
    let Some(seen) = seen else { return Ok(None) };
    let sum = |of: fn(&Seen) -> u64| seen.iter().map(of).sum::<u64>() as f64;
    let positions = sum(|seen| seen.positions);
    let count = |what: &str, ours: f64| Figure::new(what, "").seed(0.0, "none").ours(ours).less_is_better();
    Ok(Some(Findings {
        how: format!(
            "`axon` on {} positions of random games (up to 160 half-moves, every third move a capture where there is one), each with its \
             colours exchanged, and with its files mirrored (castling rights left out of both, as they have no mirror image).",
            number(positions)
        ),
        figures: vec![
            Figure::new("positions looked at", "").ours(positions).compared(),
            count("where exchanging colours does not negate", sum(|seen| seen.not_negated)),
            count("where mirroring files changes the score", sum(|seen| seen.not_mirrored)),
            count("positional part beyond two pawns", sum(|seen| seen.over_the_limit)),
            Figure::new("positional part held at the limit", "%")
                .ours(100.0 * sum(|seen| seen.at_the_limit) / positions)
                .compared(),
        ],
        ..Findings::default()
    }))
}

fn look(position: &Chess, seen: &mut Seen) -> Result<(), ReproduceError> {
    let mut axon = Axon::default();
    let setup = position.to_setup(EnPassantMode::Legal);
    let score = axon.evaluate(View::from(position)).raw();
    let swapped = rebuilt(setup.clone().into_mirrored())?;
    seen.positions += 1;
    seen.not_negated += u64::from(axon.evaluate(View::from(&swapped)).raw() != -score);

    let plain = rebuilt(Setup { castling_rights: Bitboard::EMPTY, ..setup })?;
    let mut mirrored = plain.to_setup(EnPassantMode::Legal);
    mirrored.board.flip_horizontal();
    mirrored.ep_square = mirrored.ep_square.map(Square::flip_horizontal);
    let mirrored = rebuilt(mirrored)?;
    let without_castling = axon.evaluate(View::from(&plain));
    seen.not_mirrored += u64::from(axon.evaluate(View::from(&mirrored)) != without_castling);

    // The limit shows as a term of its own where it takes something away.
    let explained = axon.explain(View::from(position));
    let limited = explained.terms.iter().any(|term| term.name == "limit" && term.centipawns != 0);
    seen.at_the_limit += u64::from(limited);
    seen.over_the_limit += u64::from(positional(&explained.terms).abs() > POSITIONAL_LIMIT);
    Ok(())
}

/// Everything that is neither material, trades, promotion nor a draw: what the limit is for, the limit included.
fn positional(terms: &[tabia_eval::Term]) -> i32 {
    const OTHER: [&str; 6] = ["pawns", "knights", "bishops", "rooks", "queens", "theoretical draw"];
    let outside = tabia_eval::axon::weights::Weight::ALL.into_iter().filter(|weight| {
        use tabia_eval::axon::weights::Part;
        matches!(weight.declaration().part, Part::Trade | Part::Promotion)
    });
    let outside: Vec<String> = outside.map(|weight| weight.declaration().name.replace('_', " ")).collect();
    let inside = |name: &str| !OTHER.contains(&name) && !outside.iter().any(|other| other == name);
    terms.iter().filter(|term| inside(&term.name)).map(|term| term.centipawns).sum()
}

fn rebuilt(setup: Setup) -> Result<Chess, ReproduceError> {
    setup
        .position(CastlingMode::Standard)
        .map_err(|error| ReproduceError::Settings(format!("the mirror image of a position is none: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_limit_takes_something_away_there_was_too_much() {
        let limited = (0..20_000).map(positions::random).find(|position| {
            let mut seen = Seen::default();
            look(position, &mut seen).unwrap();
            assert_eq!((seen.not_negated, seen.not_mirrored, seen.over_the_limit), (0, 0, 0));
            seen.at_the_limit > 0
        });
        let limited = limited.expect("some random position is lopsided enough");
        let mut terms = Axon::default().explain(View::from(&limited)).terms;
        assert_eq!(positional(&terms).abs(), POSITIONAL_LIMIT);
        terms.retain(|term| term.name != "limit");
        assert!(positional(&terms).abs() > POSITIONAL_LIMIT);
    }
}
