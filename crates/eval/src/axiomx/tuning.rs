//! What learning needs to know of gradient fields (seed 000 §10.1).
//!
//! A kernel's number meets a square's weight, control and defence before it meets the board: control is
//! `α · K · c · W` for every number K of a kernel, every square weight W, and c for squares with and without an own man.
//! These products are the coefficients, made once for all positions; a position only counts how often each occurs.
//! Decays are in them too: the K of a ray is `I₀ · λ^d`. Slopes go back through the products by the chain rule.

use std::sync::LazyLock;

use shakmaty::{Board, Color, Role, Square};
use tabia_core::chess::role_name;

use super::influence::scatter;
use super::kernel::{Kernel, entry};
use super::numbers::{self, COUNT, Numbers};
use super::opening::Opening;
use super::options::Options;
use super::pawns::Pawns;
use super::{Axiomx, Profile};
use crate::explain::{Field, board_of};
use crate::pst;
use crate::tuning::{Attention, EvalTrace, Parameter, Tunable, WeightedRelu, merge_counts};
use crate::view::{View, half_board};
use crate::weights_file::{self, FileError};

/// What a file of weights says it is.
pub const FORMAT: &str = "tabia-axiomx/1";

/// Parts of one that are written.
const QUANTISATION: f64 = 1_000_000.0;

/// Where features begin; each has a coefficient for either end of the game.
const MATERIAL: usize = 0;
const OPENING: usize = MATERIAL + 5;
const PAWNS: usize = OPENING + 4;
/// A number of a kernel × without or with an own man × half a board.
const CONTROL: usize = PAWNS + 3;
/// A number of a kernel under own men, and under those of the enemy.
const UNDER_OWN: usize = CONTROL + entry::COUNT * 64;
const UNDER_ENEMY: usize = UNDER_OWN + entry::COUNT;
/// A number of a kernel as it is.
const KERNEL: usize = UNDER_ENEMY + entry::COUNT;
const COORDINATION: usize = KERNEL + entry::COUNT;
const ATTENTION: usize = COORDINATION + 1;
const TEMPERATURE: usize = ATTENTION + 1;
const FEATURES: usize = TEMPERATURE + 1;

/// A kernel's number, and what it owes to the parameters it is made from.
struct Entry {
    value: f64,
    /// Parameters of one end, with the gradient.
    gradients: [(usize, f64); 2],
}

/// All numbers of a kernel at one end.
fn entries(all: &[f64], options: &Options) -> Vec<Entry> {
    let share = |distance: usize| options.multiscale.map_or(1.0, |scales| scales.share(distance));
    let plain = |at: usize, distance: usize| Entry {
        value: all[at] * share(distance),
        gradients: [(at, share(distance)), (at, 0.0)],
    };
    let [profile, _] = Profile::of(options);
    let mut entries = vec![
        plain(numbers::PAWN, 0),
        plain(numbers::PAWN + 1, 1),
        plain(numbers::PAWN + 2, 1),
        plain(numbers::KNIGHT, 0),
        plain(numbers::KNIGHT + 1, 2),
    ];
    for (at, ray) in
        [(numbers::BISHOP, profile.bishop), (numbers::ROOK, profile.rook), (numbers::QUEEN, profile.queen)]
    {
        let (strength, decay) = (all[at], all[at + 1]);
        for distance in 1..=entry::STEPS {
            let power = distance as i32 - i32::from(!ray.first_step_decays);
            let left = decay.powi(power) * share(distance);
            // At no power there is nothing to decay.
            let gradient = if power == 0 { 0.0 } else { f64::from(power) * decay.powi(power - 1) };
            let gradients = [(at, left), (at + 1, strength * gradient * share(distance))];
            entries.push(Entry { value: strength * left, gradients });
        }
    }
    entries.extend((0..3).map(|distance| plain(numbers::KING + distance, distance)));
    entries
}

/// How often own influence counts: with no own man there, and with one.
fn times(all: &[f64]) -> [f64; 2] {
    [2.0, 2.0 + all[numbers::DEFENCE]]
}

fn control_feature(entry: usize, own: bool, half: usize) -> usize {
    CONTROL + (2 * entry + usize::from(own)) * 32 + half
}

/// The weights that gradient descent found, as they are shipped.
static LEARNED: LazyLock<Axiomx> = LazyLock::new(|| {
    Axiomx::default().with_file(include_str!("learned.json")).expect("the shipped weights are tested")
});

impl Axiomx {
    /// As it is after learning from games that the laboratory played itself (`docs/learning.md`).
    pub fn learned() -> Axiomx {
        LEARNED.clone()
    }
}

impl Tunable for Axiomx {
    fn parameters(&self) -> Vec<Parameter> {
        let values = self.numbers();
        let named = weights_file::names(&numbers::lists()).into_iter().zip(values.list());
        let parameter = |(index, (name, value)): (usize, (String, &f64))| {
            let [min, max] = numbers::range(index);
            Parameter { name, value: *value, min, max, step: numbers::step(index) }
        };
        named.enumerate().map(parameter).collect()
    }

    fn with_parameters(&self, parameters: &[f64]) -> Option<Axiomx> {
        Numbers::from_list(parameters).map(|numbers| self.with_numbers(numbers))
    }

    fn trace(&self, view: View<'_>) -> Option<EvalTrace> {
        let board = view.board;
        let [profile, _] = Profile::of(&self.options);
        let mut landed = Landed::default();
        scatter(board, &Kernel::of_entries(profile.push_needs_room), |color, role, square, entry| {
            landed.0.push(Landing { color, role, square, entry: entry as usize });
        });
        let phase = pst::phase(board) as f32 / pst::FULL_PHASE as f32;
        let mut pairs = things(view);
        pairs.extend(landed.0.iter().map(|landing| landing.control(board)));
        let numbers = self.numbers();
        Some(EvalTrace {
            taper: [phase, 1.0 - phase],
            pairs: merge_counts(pairs),
            relus: landed.coordination(board),
            attentions: if self.options.attention {
                landed.attention(&numbers, &self.options)
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
                        let weight = all[numbers::CONTROL] * times * all[numbers::SQUARES + half];
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
            let (control, times) = (all[numbers::CONTROL], times(all));
            for (index, entry) in entries(all, &self.options).iter().enumerate() {
                let mut of_entry = times[1] * gradient(UNDER_OWN + index)
                    + 2.0 * gradient(UNDER_ENEMY + index)
                    + gradient(KERNEL + index);
                pulled[numbers::DEFENCE] += entry.value * gradient(UNDER_OWN + index);
                for (own, times) in times.into_iter().enumerate() {
                    for half in 0..32 {
                        let square = all[numbers::SQUARES + half];
                        let gradient = gradient(control_feature(index, own == 1, half));
                        of_entry += gradient * control * times * square;
                        pulled[numbers::CONTROL] += gradient * entry.value * times * square;
                        pulled[numbers::SQUARES + half] += gradient * entry.value * times * control;
                        if own == 1 {
                            pulled[numbers::DEFENCE] += gradient * entry.value * control * square;
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
        let all = self.numbers();
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
            let numbers = all.end(end);
            pictures.push(Field {
                name: format!("{stage} control of a square"),
                unit: "centipawns an influence".to_owned(),
                values: board_of(|square| {
                    2.0 * numbers[numbers::CONTROL] * numbers[numbers::SQUARES + half_board(square)]
                }),
            });
        }
        pictures
    }

    fn with_file(&self, text: &str) -> Result<Axiomx, FileError> {
        let list = weights_file::read(text, FORMAT, &numbers::lists(), numbers::range)?;
        // As many were read as there are lists for.
        Ok(Numbers::from_list(&list).map_or_else(|| self.clone(), |numbers| self.with_numbers(numbers)))
    }

    fn file(&self, note: &str) -> String {
        weights_file::write(FORMAT, &numbers::lists(), self.numbers().list(), QUANTISATION, Some(note))
    }
}

/// Features whose coefficient is a number as it is.
fn plain_features() -> impl Iterator<Item = (usize, usize)> {
    let row = |to: usize, from: usize, count: usize| (0..count).map(move |index| (to + index, from + index));
    row(MATERIAL, numbers::MATERIAL, 5)
        .chain(row(OPENING, numbers::OPENING, 4))
        .chain(row(PAWNS, numbers::PAWNS, 3))
        .chain(row(COORDINATION, numbers::COORDINATION, 1))
        .chain(row(ATTENTION, numbers::ATTENTION, 2))
}

/// Material, the opening and pawns.
fn things(view: View<'_>) -> Vec<(u16, i16)> {
    let board = view.board;
    let mut pairs = Vec::new();
    for color in Color::ALL {
        let mut add = |feature: usize, count: i32| {
            pairs.push((feature as u16, color.fold_wb(count, -count) as i16));
        };
        for (index, role) in Role::ALL.into_iter().take(5).enumerate() {
            add(MATERIAL + index, (board.by_color(color) & board.by_role(role)).count() as i32);
        }
        if Opening::is_on(view.move_number) {
            let Opening { center_pawns, knights, bishops, castled } = Opening::of(board, color);
            for (index, count) in [center_pawns, knights, bishops, castled.into()].into_iter().enumerate() {
                add(OPENING + index, count);
            }
        }
        let Pawns { doubled, isolated, passed } = Pawns::of(board, color);
        for (index, count) in [doubled, isolated, passed].into_iter().enumerate() {
            add(PAWNS + index, count);
        }
    }
    pairs
}

/// A number of a kernel that came down on a square.
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

    /// Norms are sums of sizes: what is below zero now counts as its opposite.
    fn attention(&self, numbers: &Numbers, options: &Options) -> Vec<Attention> {
        let entries = entries(numbers.end(0), options);
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
