//! Pictures of what was learned: every kernel and table before and after, and the loss.

use shakmaty::{Board, Color};
use tabia_draw::{Drawing, LineChart, Series};
use tabia_eval::Field;
use tabia_eval::tuning::Tunable;
use tabia_tune::descent::State;

/// Names of files, and what belongs into them.
pub fn of<E: Tunable>(name: &str, before: &E, after: &E, state: &State) -> [(&'static str, String); 3] {
    [
        ("before.svg", tables(&format!("{name} before learning"), state.before, &before.pictures())),
        ("after.svg", tables(&format!("{name} after learning"), state.after, &after.pictures())),
        ("loss.svg", loss(name, state)),
    ]
}

fn tables(title: &str, loss: f64, fields: &[Field]) -> String {
    let fields: Vec<&Field> = fields.iter().collect();
    Drawing {
        title,
        note: &format!("held-out loss {loss:.4}"),
        subtitle: "White's view; kernels stand on d4 of an empty board",
        board: &Board::empty(),
        turn: Color::White,
        fields: &fields,
        figures: true,
    }
    .svg()
}

fn loss(name: &str, state: &State) -> String {
    let epochs = |of: fn(&tabia_tune::descent::Epoch) -> f64| {
        state.epochs.iter().map(|epoch| (f64::from(epoch.number), of(epoch), None)).collect::<Vec<_>>()
    };
    let mut held_out = vec![(0.0, state.before_scaled, None)];
    held_out.extend(epochs(|epoch| epoch.held_out));
    let learned_from = epochs(|epoch| epoch.loss);
    let curves = [
        Series { name: "held out", points: &held_out },
        Series { name: "learned from", points: &learned_from },
    ];
    let subtitle = format!(
        "cross-entropy, K {:.5}; before learning {:.4}, {:.4} at the best scale; {:.4} after",
        state.k, state.before, state.before_scaled, state.after
    );
    LineChart { title: &format!("{name} learns"), subtitle: &subtitle, across: "epochs", curves: &curves }
        .svg()
}
