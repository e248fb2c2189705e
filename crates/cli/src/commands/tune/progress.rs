//! Progress of training: a line per epoch, and a curve on a terminal.

use std::io::{self, IsTerminal, Write};

use tabia_tune::descent::State;

use crate::terminal::ERASE_LINE;

/// Heights of a curve made of letters.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// More epochs than this are not all shown.
const LONGEST: usize = 40;

/// Tells how learning goes, on standard error.
pub struct Progress<'a> {
    evaluation: &'a str,
    watched: bool,
    told: usize,
}

impl<'a> Progress<'a> {
    pub fn new(evaluation: &'a str) -> Progress<'a> {
        Progress { evaluation, watched: io::stderr().is_terminal(), told: 0 }
    }

    /// Shows where it stands. Progress that cannot be shown is no reason to stop.
    pub fn tell(&mut self, state: &State) {
        let mut err = io::stderr();
        let Some(epoch) = state.epochs.last() else {
            let _ = writeln!(
                err,
                "{}: held-out loss {:.6} ({:.6} at its best scale), K {:.6}",
                self.evaluation, state.before, state.before_scaled, state.k
            );
            return;
        };
        if self.watched {
            let losses: Vec<f64> = std::iter::once(state.before_scaled)
                .chain(state.epochs.iter().map(|epoch| epoch.held_out))
                .collect();
            let _ = write!(
                err,
                "{ERASE_LINE}epoch {:>3} {} held out {:.6}, best {:.6}",
                epoch.number,
                curve(&losses),
                epoch.held_out,
                state.after
            );
            let _ = err.flush();
        } else if state.epochs.len() > self.told {
            let _ = writeln!(
                err,
                "epoch {:>3}: loss {:.6}, held out {:.6}",
                epoch.number, epoch.loss, epoch.held_out
            );
        }
        self.told = state.epochs.len();
    }

    /// Leaves the line.
    pub fn end(&self) {
        if self.watched && self.told > 0 {
            let _ = writeln!(io::stderr());
        }
    }
}

/// The last values as a row of bars, the highest full.
fn curve(values: &[f64]) -> String {
    let shown = &values[values.len().saturating_sub(LONGEST)..];
    let high = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = shown.iter().copied().fold(f64::INFINITY, f64::min);
    let bar = |value: &f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.0 };
        BARS[((share * (BARS.len() - 1) as f64).round() as usize).min(BARS.len() - 1)]
    };
    shown.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_loss_is_a_falling_curve() {
        assert_eq!(curve(&[8.0, 4.5, 1.0]), "█▅▁");
        assert_eq!(curve(&[1.0]), "▁");
        assert_eq!(curve(&[0.5; 100]).chars().count(), LONGEST);
    }
}
