//! The list of all steps.

use crate::step::Step;
use crate::{alphabeta, axiomx, axon, genetic, quantum};

/// Every step, seed by seed.
pub fn steps() -> Vec<Step> {
    [axiomx::STEPS, alphabeta::STEPS, axon::STEPS, genetic::STEPS, quantum::STEPS].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Extent;
    use crate::figure::{Figure, Verdict};
    use crate::step::Seed;
    use crate::testing;
    use std::collections::BTreeSet;

    #[test]
    fn steps_have_names_of_their_own_and_every_seed_has_some() {
        let steps = steps();
        let ids: BTreeSet<String> = steps.iter().map(Step::id).collect();
        assert_eq!(ids.len(), steps.len());
        for seed in Seed::ALL {
            assert!(steps.iter().filter(|step| step.seed == seed).count() >= 3, "{seed}");
            assert_eq!(seed.name().parse(), Ok(seed));
        }
        assert!("axiom".parse::<Seed>().unwrap_err().contains("axiomx, alphabeta"));
    }

    /// Steps with figures that are the same however much is measured: definitions, counts, and what one search costs.
    const SAME_AT_ANY_EXTENT: [&str; 8] = [
        "axiomx/positional",
        "axiomx/cost",
        "alphabeta/scaling",
        "axon/symmetry",
        "axon/draws",
        "genetic/fitness",
        "quantum/parameters",
        "quantum/encoding",
    ];

    /// A taste is measured with other settings than the seed's: too few games or positions, or too small a depth.
    fn assert_no_verdict(step: &Step, figures: &[Figure]) {
        let is_verdict = |figure: &&Figure| {
            !matches!(
                figure.verdict,
                Verdict::OtherSettings | Verdict::TheSeedGivesNone | Verdict::NotMeasured
            )
        };
        let given = figures.iter().find(is_verdict);
        let is_same = SAME_AT_ANY_EXTENT.contains(&step.id().as_str());
        assert!(is_same || given.is_none(), "{}: {given:?}", step.id());
    }

    /// Every step of a seed runs, finds numbers, and says how.
    fn run_all(seed: Seed) {
        for step in steps().into_iter().filter(|step| step.seed == seed) {
            let findings = testing::work(Extent::Taste, |work| (step.run)(work)).unwrap().unwrap();
            assert!(!findings.figures.is_empty() && findings.how.len() > 20, "{}", step.id());
            for figure in &findings.figures {
                assert!(!figure.what.is_empty(), "{}", step.id());
            }
            assert_no_verdict(&step, &findings.figures);
            let stopped = testing::work(Extent::Taste, |work| {
                work.stop.stop();
                (step.run)(work)
            });
            // A step may finish before it sees the flag.
            assert!(stopped.unwrap().is_none_or(|again| again.figures.len() == findings.figures.len()));
        }
    }

    #[test]
    fn axiomx_steps_run() {
        run_all(Seed::Axiomx);
    }

    #[test]
    fn alphabeta_steps_run() {
        run_all(Seed::Alphabeta);
    }

    #[test]
    fn axon_steps_run() {
        run_all(Seed::Axon);
    }

    #[test]
    fn genetic_steps_run() {
        run_all(Seed::Genetic);
    }

    #[test]
    fn quantum_steps_run() {
        run_all(Seed::Quantum);
    }
}
