//! Attention: a side's strongest field counts most (seed 000 §10.3).
//!
//! The seed weighs the norm of each piece type's field with a softmax of the norms. Here that is done for each side
//! by itself: Σ softmax(‖I‖/τ)·‖I‖ over the roles the side still has, a soft maximum of their norms.

use shakmaty::{Board, Color, Role};

use super::influence::Layers;
use super::kernel::fixed;

/// The seed's softmax has no temperature, and with norms around a hundred it would be a plain maximum. With this
/// one, in influences, a field twice as strong as that of a pair of knights gets about three times its attention.
pub(super) const TEMPERATURE: f64 = 64.0;

/// Softmax-weighted norm of a side's fields, in units of an influence.
pub(super) fn attended(layers: &Layers, board: &Board, color: Color, temperature: f64) -> i32 {
    let norms = Role::ALL.map(|role| {
        let on_board = (board.by_role(role) & board.by_color(color)).any();
        on_board.then(|| layers.get(color, role).iter().map(|units| units.abs()).sum::<i32>())
    });
    let strongest = norms.into_iter().flatten().max().unwrap_or(0);
    let (mut total, mut weights) = (0.0, 0.0);
    for norm in norms.into_iter().flatten() {
        let weight = exp_of_minus(f64::from(strongest - norm) / f64::from(fixed(temperature)));
        total += weight * f64::from(norm);
        weights += weight;
    }
    if weights > 0.0 { (total / weights).round() as i32 } else { 0 }
}

/// e^−x for x ≥ 0. The standard library's may differ from machine to machine in its last bit; additions and
/// multiplications may not. Four terms of the series for a small part of x, then squared back.
fn exp_of_minus(x: f64) -> f64 {
    const HALVINGS: i32 = 12;
    let y = -x / f64::from(1 << HALVINGS);
    let small = 1.0 + y * (1.0 + y / 2.0 * (1.0 + y / 3.0 * (1.0 + y / 4.0)));
    (0..HALVINGS).fold(small, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_one() {
        for step in 0..400 {
            let x = f64::from(step) / 10.0;
            let (ours, theirs) = (exp_of_minus(x), (-x).exp());
            assert!((ours - theirs).abs() <= 1e-8 * theirs, "{x}: {ours} {theirs}");
        }
    }
}
