//! Gradient fields as a differentiable function of their weights (seed 000 §10.1).
//!
//! A kernel entry is multiplied by a square's weight, control and defence before it meets the board: control is
//! `α · K · c · W` for every kernel entry K, every square weight W, and c for squares with and without an own piece.
//! These products are the coefficients, computed once for all positions; a position only counts how often each occurs.
//! Decays are included: the K of a ray is `I₀ · λ^d`. Gradients go back through the products by the chain rule.

use std::sync::LazyLock;

use shakmaty::{Board, Color, Role, Square};
use tabia_core::chess::role_name;

use super::influence::scatter;
use super::kernel::{Kernel, entry};
use super::opening::Opening;
use super::options::Options;
use super::pawns::Pawns;
use super::weights::{self, COUNT, Weights};
use super::{Axiomx, Profile};
use crate::explain::{Field, board_of};
use crate::pst;
use crate::tuning::{Attention, EvalTrace, Parameter, Tunable, WeightedRelu, merge_counts};
use crate::view::{View, half_board};
use crate::weights_file::{self, FileError};

/// Value of the file's `format` key.
pub const FORMAT: &str = "tabia-axiomx/1";

/// Written weights are multiples of the inverse of this.
const QUANTISATION: f64 = 1_000_000.0;

/// First coefficients of each feature; each has a middlegame and an endgame coefficient.
const MATERIAL: usize = 0;
const OPENING: usize = MATERIAL + 5;
const PAWNS: usize = OPENING + 4;
/// Kernel entry × without or with an own piece × half a board.
const CONTROL: usize = PAWNS + 3;
/// Kernel entry under own pieces, and under enemy pieces.
const UNDER_OWN: usize = CONTROL + entry::COUNT * 64;
const UNDER_ENEMY: usize = UNDER_OWN + entry::COUNT;
/// Kernel entry by itself.
const KERNEL: usize = UNDER_ENEMY + entry::COUNT;
const COORDINATION: usize = KERNEL + entry::COUNT;
const ATTENTION: usize = COORDINATION + 1;
const TEMPERATURE: usize = ATTENTION + 1;
const FEATURES: usize = TEMPERATURE + 1;

/// A kernel entry, and its derivative by the parameters it is computed from.
struct Entry {
    value: f64,
    /// Parameters of one phase, with the derivative.
    gradients: [(usize, f64); 2],
}

/// All kernel entries of one phase.
fn entries(all: &[f64], options: &Options) -> Vec<Entry> {
    let share = |distance: usize| options.multiscale.map_or(1.0, |scales| scales.share(distance));
    let plain = |at: usize, distance: usize| Entry {
        value: all[at] * share(distance),
        gradients: [(at, share(distance)), (at, 0.0)],
    };
    let [profile, _] = Profile::of(options);
    let mut entries = vec![
        plain(weights::PAWN, 0),
        plain(weights::PAWN + 1, 1),
        plain(weights::PAWN + 2, 1),
        plain(weights::KNIGHT, 0),
        plain(weights::KNIGHT + 1, 2),
    ];
    for (at, ray) in
        [(weights::BISHOP, profile.bishop), (weights::ROOK, profile.rook), (weights::QUEEN, profile.queen)]
    {
        let (strength, decay) = (all[at], all[at + 1]);
        for distance in 1..=entry::STEPS {
            let power = distance as i32 - i32::from(!ray.first_step_decays);
            let left = decay.powi(power) * share(distance);
            // With an exponent of zero there is nothing to derive.
            let gradient = if power == 0 { 0.0 } else { f64::from(power) * decay.powi(power - 1) };
            let gradients = [(at, left), (at + 1, strength * gradient * share(distance))];
            entries.push(Entry { value: strength * left, gradients });
        }
    }
    entries.extend((0..3).map(|distance| plain(weights::KING + distance, distance)));
    entries
}

/// How often own influence counts: without an own piece on the square, and with one.
fn times(all: &[f64]) -> [f64; 2] {
    [2.0, 2.0 + all[weights::DEFENCE]]
}

fn control_feature(entry: usize, own: bool, half: usize) -> usize {
    CONTROL + (2 * entry + usize::from(own)) * 32 + half
}

static LEARNED: LazyLock<Axiomx> = LazyLock::new(|| {
    Axiomx::default().with_file(include_str!("learned.json")).expect("the shipped weights are tested")
});

impl Axiomx {
    /// The evaluation with the weights learned from self-play games (`docs/learning.md`).
    pub fn learned() -> Axiomx {
        LEARNED.clone()
    }
}

impl Tunable for Axiomx {
    fn parameters(&self) -> Vec<Parameter> {
        let values = self.weights();
        let named = weights_file::names(&weights::lists()).into_iter().zip(values.list());
        let parameter = |(index, (name, value)): (usize, (String, &f64))| {
            let [min, max] = weights::range(index);
            Parameter { name, value: *value, min, max, step: weights::step(index) }
        };
        named.enumerate().map(parameter).collect()
    }

    fn with_parameters(&self, parameters: &[f64]) -> Option<Axiomx> {
        Weights::from_list(parameters).map(|weights| self.with_weights(weights))
    }

    fn trace(&self, view: View<'_>) -> Option<EvalTrace> {
        let board = view.board;
        let [profile, _] = Profile::of(&self.options);
        let mut landed = Landed::default();
        scatter(board, &Kernel::of_entries(profile.push_needs_room), |color, role, square, entry| {
            landed.0.push(Landing { color, role, square, entry: entry as usize });
        });
        let phase = pst::phase(board) as f32 / pst::FULL_PHASE as f32;
        let mut pairs = things(view, &self.options);
        pairs.extend(landed.0.iter().map(|landing| landing.control(board)));
        let weights = self.weights();
        Some(EvalTrace {
            taper: [phase, 1.0 - phase],
            pairs: merge_counts(pairs),
            relus: landed.coordination(board),
            attentions: if self.options.attention {
                landed.attention(&weights, &self.options)
            } else {
                Vec::new()
            },
            ..EvalTrace::default()
        })
    }

    fn coefficients(&self, parameters: &[f64]) -> Vec<f64> {
        let mut coefficients = vec![0.0; 2 * FEATURES];
        for end in 0..2 {
            let all = &parameters[end * COUNT..][..COUNT];
            let mut put = |feature: usize, value: f64| coefficients[2 * feature + end] = value;
            for (to, from) in plain_features() {
                put(to, all[from]);
            }
            let times = times(all);
            for (index, entry) in entries(all, &self.options).iter().enumerate() {
                for (own, times) in times.into_iter().enumerate() {
                    for half in 0..32 {
                        let weight = all[weights::CONTROL] * times * all[weights::SQUARES + half];
                        put(control_feature(index, own == 1, half), entry.value * weight);
                    }
                }
                put(UNDER_OWN + index, times[1] * entry.value);
                put(UNDER_ENEMY + index, 2.0 * entry.value);
                put(KERNEL + index, entry.value);
            }
        }
        coefficients
    }

    fn backpropagate(&self, parameters: &[f64], gradients: Vec<f64>) -> Vec<f64> {
        let mut pulled = vec![0.0; 2 * COUNT];
        for end in 0..2 {
            let all = &parameters[end * COUNT..][..COUNT];
            let pulled = &mut pulled[end * COUNT..][..COUNT];
            let gradient = |feature: usize| gradients[2 * feature + end];
            for (from, to) in plain_features() {
                pulled[to] += gradient(from);
            }
            let (control, times) = (all[weights::CONTROL], times(all));
            for (index, entry) in entries(all, &self.options).iter().enumerate() {
                let mut of_entry = times[1] * gradient(UNDER_OWN + index)
                    + 2.0 * gradient(UNDER_ENEMY + index)
                    + gradient(KERNEL + index);
                pulled[weights::DEFENCE] += entry.value * gradient(UNDER_OWN + index);
                for (own, times) in times.into_iter().enumerate() {
                    for half in 0..32 {
                        let square = all[weights::SQUARES + half];
                        let gradient = gradient(control_feature(index, own == 1, half));
                        of_entry += gradient * control * times * square;
                        pulled[weights::CONTROL] += gradient * entry.value * times * square;
                        pulled[weights::SQUARES + half] += gradient * entry.value * times * control;
                        if own == 1 {
                            pulled[weights::DEFENCE] += gradient * entry.value * control * square;
                        }
                    }
                }
                for (to, by) in entry.gradients {
                    pulled[to] += of_entry * by;
                }
            }
        }
        pulled
    }

    fn pictures(&self) -> Vec<Field> {
        let all = self.weights();
        let mut pictures = Vec::new();
        for (end, stage) in ["middlegame", "endgame"].into_iter().enumerate() {
            let kernel = all.profile(end, &self.options).kernel(&self.options);
            for role in Role::ALL {
                let mut board = Board::empty();
                board.set_piece_at(Square::D4, role.of(Color::White));
                let layers = super::Layers::of(&board, &kernel);
                let units = layers.get(Color::White, role);
                pictures.push(Field {
                    name: format!("{stage} {} kernel", role_name(role)),
                    unit: "influence".to_owned(),
                    values: board_of(|square| super::influences(units[usize::from(square)])),
                });
            }
            let weights = all.end(end);
            pictures.push(Field {
                name: format!("{stage} control of a square"),
                unit: "centipawns an influence".to_owned(),
                values: board_of(|square| {
                    2.0 * weights[weights::CONTROL] * weights[weights::SQUARES + half_board(square)]
                }),
            });
        }
        pictures
    }

    fn with_file(&self, text: &str) -> Result<Axiomx, FileError> {
        let list = weights_file::read(text, FORMAT, &weights::lists(), weights::range)?;
        // The number of lists was checked on reading.
        Ok(Weights::from_list(&list).map_or_else(|| self.clone(), |weights| self.with_weights(weights)))
    }

    fn file(&self, note: &str) -> String {
        weights_file::write(FORMAT, &weights::lists(), self.weights().list(), QUANTISATION, Some(note))
    }
}

/// Features whose coefficient is a parameter itself.
fn plain_features() -> impl Iterator<Item = (usize, usize)> {
    let row = |to: usize, from: usize, count: usize| (0..count).map(move |index| (to + index, from + index));
    row(MATERIAL, weights::MATERIAL, 5)
        .chain(row(OPENING, weights::OPENING, 4))
        .chain(row(PAWNS, weights::PAWNS, 3))
        .chain(row(COORDINATION, weights::COORDINATION, 1))
        .chain(row(ATTENTION, weights::ATTENTION, 2))
}

/// Material, the opening and pawns.
fn things(view: View<'_>, options: &Options) -> Vec<(u16, i16)> {
    let board = view.board;
    let mut pairs = Vec::new();
    for color in Color::ALL {
        let mut add = |feature: usize, count: i32| {
            pairs.push((feature as u16, color.fold_wb(count, -count) as i16));
        };
        for (index, role) in Role::ALL.into_iter().take(5).enumerate() {
            add(MATERIAL + index, (board.by_color(color) & board.by_role(role)).count() as i32);
        }
        if options.opening_moves.include(view.move_number) {
            let Opening { center_pawns, knights, bishops, castled } = Opening::of(board, color);
            for (index, count) in [center_pawns, knights, bishops, castled.into()].into_iter().enumerate() {
                add(OPENING + index, count);
            }
        }
        let Pawns { doubled, isolated, passed } = Pawns::of(board, color, options.passed_pawns);
        for (index, count) in [doubled, isolated, passed].into_iter().enumerate() {
            add(PAWNS + index, count);
        }
    }
    pairs
}

/// Adds a kernel entry that falls on a square.
struct Landing {
    color: Color,
    role: Role,
    square: Square,
    entry: usize,
}

impl Landing {
    fn control(&self, board: &Board) -> (u16, i16) {
        let seen = self.color.fold_wb(self.square, self.square.flip_vertical());
        let own = board.by_color(self.color).contains(self.square);
        let feature = control_feature(self.entry, own, half_board(seen));
        (feature as u16, self.color.fold_wb(1, -1))
    }
}

/// All influence of a position.
#[derive(Default)]
struct Landed(Vec<Landing>);

impl Landed {
    fn coordination(&self, board: &Board) -> Vec<WeightedRelu> {
        let pieces = board.occupied() & !board.pawns();
        let relu = |square: Square| {
            let color = board.color_at(square)?;
            let inputs = self.0.iter().filter(|landing| landing.square == square).map(|landing| {
                if landing.color == color {
                    ((UNDER_OWN + landing.entry) as u16, 1)
                } else {
                    ((UNDER_ENEMY + landing.entry) as u16, -1)
                }
            });
            let sign = color.fold_wb(1.0, -1.0);
            Some(WeightedRelu { inputs: merge_counts(inputs.collect()), weight: COORDINATION as u16, sign })
        };
        pieces.into_iter().filter_map(relu).collect()
    }

    /// Norms are sums of absolute values: the derivative changes sign below zero.
    fn attention(&self, weights: &Weights, options: &Options) -> Vec<Attention> {
        let entries = entries(weights.end(0), options);
        let of_color = |color: Color| {
            let norm = |role: Role| {
                let landings = self.0.iter().filter(|landing| landing.color == color && landing.role == role);
                let sized = landings.map(|landing| {
                    let sign = if entries[landing.entry].value < 0.0 { -1 } else { 1 };
                    ((KERNEL + landing.entry) as u16, sign)
                });
                merge_counts(sized.collect())
            };
            let sums: Vec<Vec<(u16, i16)>> =
                Role::ALL.into_iter().map(norm).filter(|inputs| !inputs.is_empty()).collect();
            Attention {
                sums,
                weight: ATTENTION as u16,
                temperature: TEMPERATURE as u16,
                sign: color.fold_wb(1.0, -1.0),
            }
        };
        Color::ALL.map(of_color).into()
    }
}
