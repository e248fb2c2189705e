//! The declaration of genes, and weights made from it.

use std::collections::HashSet;

use crate::chromosome::genome::{GENES, LARGEST, PRINCIPLES, TABLE_NAMES, gene, genes, index_of};
use crate::chromosome::{WeightError, Weights};
use proptest::prelude::*;

#[test]
fn a_chromosome_has_402_genes_with_names_of_their_own() {
    assert_eq!((PRINCIPLES.len(), TABLE_NAMES.len(), GENES), (18, 6, 402));
    let names: HashSet<String> = genes().map(|gene| gene.name).collect();
    assert_eq!(names.len(), GENES);
    assert!(gene(GENES).is_none());
}

#[test]
fn a_name_leads_to_its_place_and_back() {
    for index in 0..GENES {
        assert_eq!(index_of(&gene(index).unwrap().name), Some(index));
    }
    assert_eq!(index_of("material"), Some(0));
    assert_eq!(index_of("king_pressure"), Some(17));
    assert_eq!(index_of("pawn.a8"), Some(18));
    assert_eq!(index_of("king.h1"), Some(401));
    for stranger in ["", "pawn", "pawn.", "pawn.i9", "prawn.a8", "Material"] {
        assert_eq!(index_of(stranger), None, "{stranger}");
    }
}

#[test]
fn tables_start_between_zero_and_one_and_mirror_their_files() {
    let tables = *Weights::default().tables();
    for table in tables {
        for (place, weight) in table.iter().enumerate() {
            assert!((0.0..=1.0).contains(weight));
            assert_eq!(weight.to_bits(), table[place ^ 7].to_bits());
        }
    }
}

#[test]
fn default_weights_are_the_centres() {
    let weights = Weights::default();
    for (weight, gene) in weights.to_flat().into_iter().zip(genes()) {
        assert_eq!(weight.to_bits(), gene.centre.to_bits(), "{}", gene.name);
    }
}

#[test]
fn weights_that_are_none_are_named() {
    let mut flat = Weights::default().to_flat();
    assert_eq!(Weights::from_flat(&flat[1..]), Err(WeightError::Count { found: 401 }));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.01 * LARGEST, -1e300] {
        flat[index_of("knight.f3").unwrap()] = bad;
        let error = Weights::from_flat(&flat).unwrap_err().to_string();
        assert!(error.contains("\"knight.f3\"") && error.contains("from -1000 to 1000"), "{error}");
    }
}

proptest! {
    #[test]
    fn random_weights_are_the_same_for_a_seed_and_within_their_spreads(seed: u64) {
        let weights = Weights::random(seed);
        prop_assert_eq!(&weights, &Weights::random(seed));
        prop_assert_ne!(&weights, &Weights::random(seed.wrapping_add(1)));
        for (weight, gene) in weights.to_flat().into_iter().zip(genes()) {
            prop_assert!((weight - gene.centre).abs() <= gene.spread, "{}: {}", gene.name, weight);
        }
    }

    #[test]
    fn weights_survive_being_laid_flat(flat in prop::collection::vec(-LARGEST..=LARGEST, GENES)) {
        prop_assert_eq!(Weights::from_flat(&flat).unwrap().to_flat().to_vec(), flat);
    }
}

#[test]
fn random_weights_use_their_whole_range() {
    let drawn: Vec<f64> = (0..1000).map(|seed| Weights::random(seed).scalars()[0]).collect();
    let (min, max) = drawn.iter().fold((f64::MAX, f64::MIN), |(a, b), &w| (a.min(w), b.max(w)));
    let mean = drawn.iter().sum::<f64>() / 1000.0;
    assert!(min < 0.51 && max > 1.49 && (mean - 1.0).abs() < 0.05, "{min} {mean} {max}");
}
