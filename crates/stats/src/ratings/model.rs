//! The quasi-likelihood of ratings, and its maximum by Newton's method.
//!
//! Everything is in natural units, in which the odds are `e^x`.

use super::super::elo::{ELO_PER_UNIT, logistic};
use super::graph::Links;
use super::linear::CholeskyFactor;
use super::{Advantage, Anchor, EncounterScore};

/// Most Newton steps; the likelihood is concave, and ten are usually enough.
const ROUNDS: usize = 200;
/// Smallest step, in units of 174 Elo.
const STILL: f64 = 1e-11;
/// Variance of a fair coin; one toss is added to the dispersion as a prior.
const COIN: f64 = 0.25;

/// Games of an encounter in which one player had White.
struct DirectedEncounter {
    white: usize,
    black: usize,
    games: f64,
    /// Points of White.
    points: f64,
}

pub(super) struct Model {
    encounters: Vec<DirectedEncounter>,
    /// Ratings, followed by the first-move advantage.
    values: Vec<f64>,
    /// Index of the value of each unknown.
    unknowns: Vec<usize>,
    /// Whether the first-move advantage is unknown.
    fits_advantage: bool,
}

impl Model {
    pub(super) fn new(
        players: usize,
        scores: &[EncounterScore],
        anchors: &[Anchor],
        advantage: Advantage,
        links: &Links,
    ) -> Model {
        let mut encounters = Vec::new();
        let mut add = |white, black, games: f64, points| {
            if games > 0.0 {
                encounters.push(DirectedEncounter { white, black, games, points });
            }
        };
        for score in scores {
            let [losses, draws, wins] = score.as_white.map(|count| count as f64);
            add(score.first, score.second, losses + draws + wins, wins + draws / 2.0);
            let [losses, draws, wins] = score.as_black.map(|count| count as f64);
            add(score.second, score.first, losses + draws + wins, losses + draws / 2.0);
        }
        for &(one, other, games) in links.virtual_games() {
            add(one, other, games / 2.0, games / 4.0);
            add(other, one, games / 2.0, games / 4.0);
        }

        let middle = if anchors.is_empty() {
            0.0
        } else {
            anchors.iter().map(|anchor| anchor.elo / ELO_PER_UNIT).sum::<f64>() / anchors.len() as f64
        };
        let mut values: Vec<f64> = (0..players)
            .map(|player| if links.is_anchored(links.group(player)) { middle } else { 0.0 })
            .collect();
        let mut fixed = vec![false; players];
        for anchor in anchors {
            values[anchor.player] = anchor.elo / ELO_PER_UNIT;
            fixed[anchor.player] = true;
        }
        for group in (0..links.groups()).filter(|&group| !links.is_anchored(group)) {
            let grounded = links.members(group).next().expect("a group has a member");
            fixed[grounded] = true;
        }
        let fits_advantage = advantage == Advantage::Fitted;
        values.push(match advantage {
            Advantage::Fitted => 0.0,
            Advantage::Fixed(elo) => elo / ELO_PER_UNIT,
        });
        let unknowns =
            (0..players).filter(|&player| !fixed[player]).chain(fits_advantage.then_some(players)).collect();
        Model { encounters, values, unknowns, fits_advantage }
    }

    fn advantage(&self) -> f64 {
        *self.values.last().expect("the advantage stands at the end")
    }

    /// Expected score of White.
    fn expected(&self, white: usize, black: usize) -> f64 {
        logistic(self.values[white] - self.values[black] + self.advantage())
    }

    fn log_likelihood(&self) -> f64 {
        // ln σ(x), without overflow.
        let ln_share = |x: f64| if x > 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() };
        let a = self.advantage();
        let coin = if self.fits_advantage { f64::midpoint(ln_share(a), ln_share(-a)) } else { 0.0 };
        let of = |encounter: &DirectedEncounter| {
            let x = self.values[encounter.white] - self.values[encounter.black] + a;
            encounter.points * ln_share(x) + (encounter.games - encounter.points) * ln_share(-x)
        };
        coin + self.encounters.iter().map(of).sum::<f64>()
    }

    /// Gradient and Fisher information over the unknowns.
    fn gradient_and_information(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = self.unknowns.len();
        let place: Vec<Option<usize>> = (0..self.values.len())
            .map(|value| self.unknowns.iter().position(|&unknown| unknown == value))
            .collect();
        let (mut derivative, mut information) = (vec![0.0; size], vec![vec![0.0; size]; size]);
        let end = self.values.len() - 1;
        for encounter in &self.encounters {
            let share = self.expected(encounter.white, encounter.black);
            let excess = encounter.points - encounter.games * share;
            let weight = encounter.games * share * (1.0 - share);
            let signs = [(encounter.white, 1.0), (encounter.black, -1.0), (end, 1.0)];
            for (row, sign) in signs.iter().filter_map(|&(value, sign)| Some((place[value]?, sign))) {
                derivative[row] += sign * excess;
                for (column, other) in signs.iter().filter_map(|&(value, sign)| Some((place[value]?, sign))) {
                    information[row][column] += sign * other * weight;
                }
            }
        }
        if let Some(row) = place[end] {
            let share = logistic(self.advantage());
            derivative[row] += 0.5 - share;
            information[row][row] += share * (1.0 - share);
        }
        (derivative, information)
    }

    pub(super) fn maximise(&mut self) {
        for _ in 0..ROUNDS {
            let (derivative, information) = self.gradient_and_information();
            let step = CholeskyFactor::of(&information).solve(&derivative);
            let before = (self.values.clone(), self.log_likelihood());
            let mut part = 1.0;
            // Halve the step where the likelihood is nearly flat and a full step overshoots.
            while part > STILL {
                for (&unknown, step) in self.unknowns.iter().zip(&step) {
                    self.values[unknown] = before.0[unknown] + part * step;
                }
                if self.log_likelihood() >= before.1 {
                    break;
                }
                part /= 2.0;
            }
            if step.iter().all(|step| (part * step).abs() < STILL) {
                break;
            }
        }
    }

    /// Observed variance divided by that of coin tosses with the same mean; a pair of games is one trial.
    pub(super) fn dispersion(&self, scores: &[EncounterScore]) -> f64 {
        let (mut seen, mut tossed) = (COIN, COIN);
        for score in scores.iter().filter(|score| score.games() > 0) {
            let white = self.expected(score.first, score.second);
            let black = 1.0 - self.expected(score.second, score.first);
            let coin = |share: f64| share * (1.0 - share);
            for (half_points, &pairs) in score.pentanomial.iter().enumerate() {
                seen += pairs as f64 * (half_points as f64 / 2.0 - white - black).powi(2);
                tossed += pairs as f64 * (coin(white) + coin(black));
            }
            let alone = 1.0 - 2.0 * score.pairs() as f64 / score.games() as f64;
            for (games, share) in [(score.as_white, white), (score.as_black, black)] {
                for (half_points, &count) in games.iter().enumerate() {
                    seen += alone * count as f64 * (half_points as f64 / 2.0 - share).powi(2);
                    tossed += alone * count as f64 * coin(share);
                }
            }
        }
        seen / tossed
    }

    /// Ratings, first-move advantage, and their covariance at dispersion 1; groups without anchors are centred.
    pub(super) fn centred(&self, links: &Links) -> (Vec<f64>, f64, Vec<Vec<f64>>) {
        let size = self.values.len();
        let inverse = CholeskyFactor::of(&self.gradient_and_information().1).inverse();
        let mut covariance = vec![vec![0.0; size]; size];
        for (row, &one) in self.unknowns.iter().enumerate() {
            for (column, &other) in self.unknowns.iter().enumerate() {
                covariance[one][other] = inverse[row][column];
            }
        }
        let mut values = self.values.clone();
        for group in (0..links.groups()).filter(|&group| !links.is_anchored(group)) {
            let members: Vec<usize> = links.members(group).collect();
            let mean =
                |row: &[f64]| members.iter().map(|&member| row[member]).sum::<f64>() / members.len() as f64;
            let shift = mean(&values);
            for &member in &members {
                values[member] -= shift;
            }
            // Rows and then columns: (1 − M) C (1 − M)ᵀ.
            for row in &mut covariance {
                let shift = mean(row);
                for &member in &members {
                    row[member] -= shift;
                }
            }
            for column in 0..size {
                let entries: Vec<f64> = covariance.iter().map(|row| row[column]).collect();
                let shift = mean(&entries);
                for &member in &members {
                    covariance[member][column] -= shift;
                }
            }
        }
        let advantage = values.pop().expect("the advantage stands at the end");
        (values, advantage, covariance)
    }
}
