//! The genetic operators of the seed (Algorithms 3 to 6), and its proposals for tables.

use rand::Rng;
use rand::seq::index;
use tabia_core::seed::{self, Random};
use tabia_eval::chromosome::genome::{GENES, LARGEST, SCALARS, SQUARES};
use tabia_eval::chromosome::phases::PHASE_NAMES;
use tabia_eval::chromosome::{Phases, Weights};

use crate::settings::{Settings, TableRule};

/// The weights of a chromosome in the order of the genome, once or for each of three phases.
pub type Genes = Vec<f64>;

/// Streams of randomness of a run; each use has its own seed.
pub(crate) mod stream {
    pub const FIRST: u64 = 1;
    /// Selection, crossover and mutation.
    pub const BREEDING: u64 = 2;
    /// Openings of games.
    pub const OPENINGS: u64 = 3;
    /// Pairings with rivals and champions.
    pub const PAIRING: u64 = 4;
    /// Sampling of positions.
    pub const SAMPLE: u64 = 5;
}

/// Smallest share of each parent in a crossover.
const MIN_SHARE: f64 = 0.4;

/// The first generation: drawn from every gene's range, or a founder and its mutants.
pub fn first_generation(settings: &Settings, founder: Option<&Phases>) -> Vec<Genes> {
    let base = seed::derive(settings.seed, stream::FIRST);
    (0..settings.population)
        .map(|individual| {
            let own = seed::derive(base, individual as u64);
            match founder {
                Some(founder) => {
                    let mut genes = in_phases(founder.to_flat(), settings.phases);
                    if individual > 0 {
                        let mut random = seed::random(own);
                        mutate(&mut genes, settings, settings.mutation_strength, &mut random);
                    }
                    genes
                }
                None => drawn(settings, own),
            }
        })
        .collect()
}

/// Converts between one set of weights and three.
fn in_phases(genes: Genes, phases: bool) -> Genes {
    if phases && genes.len() == GENES { genes.repeat(PHASE_NAMES.len()) } else { genes }
}

fn drawn(settings: &Settings, own: u64) -> Genes {
    let sets = if settings.phases { PHASE_NAMES.len() } else { 1 };
    let mut genes = Genes::new();
    for set in 0..sets {
        genes.extend(Weights::random(seed::derive(own, set as u64)).to_flat());
    }
    if settings.tables == TableRule::Fixed {
        original_tables(&mut genes);
    }
    genes
}

/// Restores the initial tables.
pub fn original_tables(genes: &mut [f64]) {
    let original = Weights::default().to_flat();
    for set in genes.chunks_mut(GENES) {
        set[SCALARS..].copy_from_slice(&original[SCALARS..]);
    }
}

/// Indices of a population by fitness, best first; ties keep their order.
pub fn ranked(fitness: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|a, b| fitness[*b].total_cmp(&fitness[*a]));
    order
}

/// The next generation: the elites, and children of parents selected by tournaments.
pub fn next_generation(
    settings: &Settings,
    generation: u32,
    population: &[Genes],
    fitness: &[f64],
) -> Vec<Genes> {
    let mut random =
        seed::random(seed::derive(seed::derive(settings.seed, stream::BREEDING), generation.into()));
    let order = ranked(fitness);
    let strength = settings.mutation_after(generation);
    let mut next: Vec<Genes> =
        order.iter().take(settings.elites).map(|place| population[*place].clone()).collect();
    while next.len() < settings.population {
        let [first, second] = [(); 2].map(|()| &population[tournament(&order, settings, &mut random)]);
        let mut child = crossover(first, second, settings.tables, &mut random);
        mutate(&mut child, settings, strength, &mut random);
        next.push(child);
    }
    next
}

/// Tournament selection (Algorithm 4): the fittest of a random sample.
fn tournament(order: &[usize], settings: &Settings, random: &mut Random) -> usize {
    let drawn = index::sample(random, order.len(), settings.tournament_size());
    order[drawn.iter().min().unwrap_or(0)]
}

/// Crossover (Algorithm 5): every gene lies between its parents'; whole tables do, where their shape is kept.
fn crossover(first: &[f64], second: &[f64], tables: TableRule, random: &mut Random) -> Genes {
    let mut share = 0.0;
    (0..first.len())
        .map(|gene| {
            if tables == TableRule::Free || begins_a_part(gene) {
                share = random.random_range(MIN_SHARE..1.0 - MIN_SHARE);
            }
            share * first[gene] + (1.0 - share) * second[gene]
        })
        .collect()
}

/// Whether a gene is a principle's, or the first of a table.
fn begins_a_part(gene: usize) -> bool {
    let place = gene % GENES;
    place < SCALARS || (place - SCALARS).is_multiple_of(SQUARES)
}

/// Moves genes by up to `strength` pawns (Algorithm 6).
fn mutate(genes: &mut [f64], settings: &Settings, strength: f64, random: &mut Random) {
    for set in genes.chunks_mut(GENES) {
        let (scalars, tables) = set.split_at_mut(SCALARS);
        for gene in scalars {
            *gene = bounded(*gene + step(settings, strength, random));
        }
        match settings.tables {
            TableRule::Free => {
                for gene in tables {
                    *gene = bounded(*gene + step(settings, strength, random));
                }
            }
            TableRule::Shape => {
                for table in tables.chunks_mut(SQUARES) {
                    let stretch = 1.0 + step(settings, strength, random);
                    let raise = step(settings, strength, random);
                    // Stretched about its own mean, so that stretching does not shift the table.
                    let middle = table.iter().sum::<f64>() / table.len() as f64;
                    for gene in table {
                        *gene = bounded(middle + (*gene - middle) * stretch + raise);
                    }
                }
            }
            TableRule::Fixed => {}
        }
    }
}

fn step(settings: &Settings, strength: f64, random: &mut Random) -> f64 {
    let moves = random.random::<f64>() < settings.mutation_rate;
    // Drawn whether or not it is used, so that mutations do not affect later draws.
    let step = strength * (2.0 * random.random::<f64>() - 1.0);
    if moves { step } else { 0.0 }
}

fn bounded(gene: f64) -> f64 {
    gene.clamp(-LARGEST, LARGEST)
}

/// Diversity of a population: the standard deviation of a gene, averaged over all genes, in pawns.
pub fn diversity(population: &[Genes]) -> f64 {
    let genes = population.first().map_or(0, Vec::len);
    let size = population.len() as f64;
    let deviation = |gene: usize| {
        let mean = population.iter().map(|genes| genes[gene]).sum::<f64>() / size;
        (population.iter().map(|genes| (genes[gene] - mean).powi(2)).sum::<f64>() / size).sqrt()
    };
    (0..genes).map(deviation).sum::<f64>() / genes.max(1) as f64
}

#[cfg(test)]
mod tests;
