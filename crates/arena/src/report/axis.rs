//! Sizes of plots, and axes with round numbers.

/// Width of every plot.
pub(super) const WIDTH: f64 = 460.0;
/// Approximate width of a digit.
pub(super) const DIGIT: f64 = 7.5;

/// Style sheet of plots; a page includes it too.
pub(super) const STYLE: &str = include_str!("plot.css");

/// An axis: a scale from values to coordinates.
#[derive(Copy, Clone)]
pub(super) struct Axis {
    values: [f64; 2],
    places: [f64; 2],
}

impl Axis {
    /// From a range of values to a range of coordinates; an empty range of values is widened.
    pub(super) fn new(values: [f64; 2], places: [f64; 2]) -> Axis {
        let [low, high] = values;
        let values = if high - low > f64::EPSILON { values } else { [low - 1.0, high + 1.0] };
        Axis { values, places }
    }

    pub(super) fn at(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        self.places[0] + share * (self.places[1] - self.places[0])
    }

    /// Round numbers on the scale, `max` or fewer, steps of 1, 2 or 5 times a power of ten.
    pub(super) fn ticks(&self, max: usize) -> Vec<f64> {
        let [low, high] = self.values;
        let rough = (high - low) / max as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        // The tolerance includes a last tick that rounding puts just beyond the end.
        let [first, last] = [(low / step).ceil(), (high / step + 1e-9).floor()].map(|index| index as i64);
        (first..=last).map(|index| index as f64 * step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |low, high| Axis::new([low, high], [0.0, 1.0]).ticks(6);
        assert_eq!(ticks(-13.0, 41.0), [-10.0, 0.0, 10.0, 20.0, 30.0, 40.0]);
        assert_eq!(ticks(0.0, 1.0), [0.0, 0.2, 0.4, 0.600_000_000_000_000_1, 0.8, 1.0]);
        assert!(ticks(3.0, 3.0).len() > 1);
    }

    #[test]
    fn places_stay_in_the_picture() {
        let axis = Axis::new([0.0, 10.0], [100.0, 200.0]);
        assert_eq!([axis.at(5.0), axis.at(-1.0), axis.at(99.0)].map(|place| place as u32), [150, 100, 200]);
    }
}
