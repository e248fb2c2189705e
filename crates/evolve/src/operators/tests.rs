//! What the operators promise.

use super::*;

fn settings(population: usize, tables: TableRule) -> Settings {
    Settings { population, tables, generations: 10, ..Settings::default() }
}

fn population(settings: &Settings) -> Vec<Genes> {
    first_generation(settings, None)
}

#[test]
fn the_same_seed_gives_the_same_first_generation_and_another_another() {
    let settings = settings(6, TableRule::Free);
    assert_eq!(population(&settings), population(&settings));
    assert_ne!(population(&settings), population(&Settings { seed: 2, ..settings }));
}

#[test]
fn elites_live_on_and_the_population_keeps_its_size() {
    let settings = settings(7, TableRule::Free);
    let parents = population(&settings);
    let fitness = [3.0, 9.0, -5.0, 9.0, 1.0, 0.0, 2.0];
    let next = next_generation(&settings, 0, &parents, &fitness);
    assert_eq!(next.len(), 7);
    assert_eq!(next[..2], [parents[1].clone(), parents[3].clone()], "equals stay in their order");
    assert!(next[2..].iter().all(|child| !parents.contains(child)));
}

#[test]
fn a_child_lies_between_its_parents_and_mutates_by_no_more_than_the_strength() {
    let settings = Settings { tournament: 1.0, ..settings(2, TableRule::Free) };
    let settings = Settings { elites: 0, ..settings };
    let parents = population(&settings);
    // Tournaments of everybody are won by the best: both parents are the first.
    for generation in [0, 5, 9] {
        let strength = settings.mutation_after(generation);
        let next = next_generation(&settings, generation, &parents, &[1.0, 0.0]);
        let moved: Vec<f64> =
            next[0].iter().zip(&parents[0]).map(|(child, parent)| (child - parent).abs()).collect();
        assert!(moved.iter().all(|step| *step <= strength + 1e-9));
        let farthest = moved.iter().copied().fold(0.0, f64::max);
        assert!(
            farthest > 0.9 * strength,
            "of 402 steps one is nearly the longest: {farthest} of {strength}"
        );
    }
    let mut random = seed::random(1);
    let child = crossover(&parents[0], &parents[1], TableRule::Free, &mut random);
    for ((gene, first), second) in child.iter().zip(&parents[0]).zip(&parents[1]) {
        let (low, high) = (first.min(*second), first.max(*second));
        let room = (high - low) * 0.4 - 1e-12;
        assert!(*gene >= low + room && *gene <= high - room, "{gene} of {first} and {second}");
    }
}

#[test]
fn strength_shrinks_to_nothing() {
    let settings = settings(2, TableRule::Free);
    let strengths: Vec<f64> = (0..=10).map(|generation| settings.mutation_after(generation)).collect();
    assert!(
        (strengths[0] - 0.3).abs() < 1e-12
            && strengths[10].abs() < 1e-12
            && strengths.is_sorted_by(|a, b| a > b)
    );
}

/// Which squares of a table are better than which.
fn order(table: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..table.len()).collect();
    order.sort_by(|a, b| table[*a].total_cmp(&table[*b]));
    order
}

#[test]
fn a_mutation_that_keeps_shapes_orders_squares_as_before() {
    let settings = settings(4, TableRule::Shape);
    let before = population(&settings).remove(0);
    let mut after = before.clone();
    mutate(&mut after, &settings, 0.3, &mut seed::random(5));
    for table in 0..6 {
        let squares = SCALARS + table * SQUARES..SCALARS + (table + 1) * SQUARES;
        assert_ne!(before[squares.clone()], after[squares.clone()]);
        assert_eq!(order(&before[squares.clone()]), order(&after[squares]));
    }
}

#[test]
fn fixed_tables_are_the_original_ones_for_ever() {
    let settings = settings(4, TableRule::Fixed);
    let mut generation = population(&settings);
    let mut original = generation[0].clone();
    original_tables(&mut original);
    for number in 0..3 {
        for genes in &generation {
            // Blending equal numbers may miss by the last bit.
            let off = genes[SCALARS..]
                .iter()
                .zip(&original[SCALARS..])
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            assert!(off < 1e-12, "{off}");
        }
        generation = next_generation(&settings, number, &generation, &[1.0, 2.0, 3.0, 4.0]);
    }
    assert_ne!(generation[2][..SCALARS], generation[3][..SCALARS]);
}

#[test]
fn three_phases_have_three_times_the_genes() {
    let settings = Settings { phases: true, ..settings(2, TableRule::Free) };
    assert!(population(&settings).iter().all(|genes| genes.len() == 3 * GENES));
    let founded = first_generation(&settings, Some(&Phases::default()));
    assert_eq!(founded[0], Phases::default().to_flat().repeat(3), "the first is the founder itself");
    assert_ne!(founded[1], founded[0]);
}

#[test]
fn diversity_is_nothing_among_equals() {
    let settings = settings(3, TableRule::Free);
    let mixed = population(&settings);
    assert!(diversity(&mixed) > 0.01);
    assert!(diversity(&[mixed[0].clone(), mixed[0].clone()]).abs() < 1e-12);
}
