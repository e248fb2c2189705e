//! Win, draw and loss probabilities of a position.

/// Win, draw and loss probabilities, kept as the value (win less loss) and the draw probability; the three sum to one. The search
/// chooses by the value, so it is kept as it is and not put together from two rounded numbers.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Expected result: 1 a win, 0 even, -1 a loss.
    pub value: f64,
    /// Probability of a draw, from 0 to `1 - |value|`.
    pub draw: f64,
}

impl Estimate {
    /// A certain draw.
    pub const DRAW: Estimate = Estimate { value: 0.0, draw: 1.0 };

    /// An estimate, brought into its range.
    pub fn new(value: f64, draw: f64) -> Estimate {
        let value = value.clamp(-1.0, 1.0);
        Estimate { value, draw: draw.clamp(0.0, 1.0 - value.abs()) }
    }

    /// The estimate of these probabilities.
    pub fn from_wdl([win, draw, loss]: [f64; 3]) -> Estimate {
        Estimate::new(win - loss, draw)
    }

    /// Probabilities of a win, a draw and a loss.
    ///
    /// ```
    /// use tabia_mcts::Estimate;
    ///
    /// assert_eq!(Estimate::new(0.25, 0.5).wdl(), [0.375, 0.5, 0.125]);
    /// ```
    pub fn wdl(self) -> [f64; 3] {
        let decisive = 1.0 - self.draw;
        [f64::midpoint(decisive, self.value), self.draw, f64::midpoint(decisive, -self.value)]
    }

    /// The same for the other side.
    #[must_use]
    pub fn flipped(self) -> Estimate {
        Estimate { value: -self.value, ..self }
    }

    /// A weighted sum of estimates; the weights should sum to one.
    pub fn mixture(parts: impl IntoIterator<Item = (f64, Estimate)>) -> Estimate {
        let mut sum = Estimate::default();
        for (weight, part) in parts {
            sum.value += weight * part.value;
            sum.draw += weight * part.draw;
        }
        sum
    }
}
