//! Colour support of the terminal, and the colours of a field.
//!
//! The 256-colour palette has too few pale colours to approximate a field's scale: one step would be pink and the next one
//! green. So its scale is chosen by hand: few steps of orange and blue, each darker than the previous one.

use ratatui::style::Color as Ink;
use shakmaty::Square;
use tabia_draw::color::Rgb;
use tabia_draw::{Pole, Scale};

use crate::terminal;

/// Levels per channel in the palette's colour cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// Index of the first cube colour, and of the first grey.
const CUBE: u8 = 16;
const GREYS: u8 = 232;
/// The darkest grey, and the step between greys.
const DARKEST: u8 = 8;
const GREY_STEP: u8 = 10;

/// Palette colours for increasing values of White, and of Black.
const WHITES: [u8; 4] = [223, 215, 208, 172];
const BLACKS: [u8; 4] = [153, 117, 75, 33];
/// For zero, on a light square and on a dark one.
const NOTHING: [u8; 2] = [255, 253];
/// Smaller shares of the scale are shown as zero.
const MIN_SHARE: f64 = 0.08;

/// Colour support.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Colors {
    /// No colour support, or disabled.
    None,
    /// The palette of 256.
    Palette,
    /// True colour.
    All,
}

impl Colors {
    /// The colour support of the current terminal, by `COLORTERM`.
    pub fn of_terminal() -> Colors {
        let all = std::env::var_os("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        match terminal::wants_color() {
            false => Colors::None,
            true if all => Colors::All,
            true => Colors::Palette,
        }
    }

    pub fn is_enabled(self) -> bool {
        self != Colors::None
    }

    /// The nearest available colour.
    pub fn nearest(self, color: Rgb) -> Ink {
        match self {
            Colors::None => Ink::Reset,
            Colors::Palette => Ink::Indexed(indexed(color)),
            Colors::All => Ink::Rgb(color.red, color.green, color.blue),
        }
    }
}

impl Colors {
    /// The colour of a value on a scale; slightly darker on a dark square.
    pub fn on_scale(self, scale: &Scale, value: f64, square: Option<Square>) -> Ink {
        if self != Colors::Palette {
            return self.nearest(match square {
                Some(square) => scale.on_square(value, square),
                None => scale.color(value),
            });
        }
        let (pole, end) = if value < 0.0 { (Pole::Black, scale.low) } else { (scale.above, scale.high) };
        let steps = match pole {
            Pole::White => WHITES,
            Pole::Black => BLACKS,
        };
        let share = value / end;
        // NaN counts as zero.
        if !(share.is_finite() && share >= MIN_SHARE) {
            return Ink::Indexed(NOTHING[usize::from(square.is_some_and(Square::is_dark))]);
        }
        let step = ((share - MIN_SHARE) / (1.0 - MIN_SHARE) * steps.len() as f64) as usize;
        Ink::Indexed(steps[step.min(steps.len() - 1)])
    }
}

fn indexed(color: Rgb) -> u8 {
    let step = |part: u8| {
        let nearest = |step: &usize| STEPS[*step].abs_diff(part);
        (0..STEPS.len()).min_by_key(nearest).unwrap_or_default()
    };
    let (red, green, blue) = (step(color.red), step(color.green), step(color.blue));
    let in_cube = (CUBE + (36 * red + 6 * green + blue) as u8, [STEPS[red], STEPS[green], STEPS[blue]]);
    let greys = (GREYS..=u8::MAX).map(|index| (index, [DARKEST + GREY_STEP * (index - GREYS); 3]));
    let distance = |[red, green, blue]: [u8; 3]| {
        let square = |one: u8, other: u8| u32::from(one.abs_diff(other)).pow(2);
        square(red, color.red) + square(green, color.green) + square(blue, color.blue)
    };
    let nearest = greys.chain([in_cube]).min_by_key(|(_, parts)| distance(*parts));
    nearest.map_or(CUBE, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_the_palette_are_found_again() {
        for (red, green, blue, index) in [
            (0, 0, 0, 16),
            (255, 255, 255, 231),
            (255, 0, 0, 196),
            (95, 135, 175, 67),
            (8, 8, 8, 232),
            (238, 238, 238, 255),
            (130, 127, 128, 244),
        ] {
            assert_eq!(indexed(Rgb { red, green, blue }), index, "{red} {green} {blue}");
        }
    }

    #[test]
    fn the_palettes_scale_is_orange_for_white_and_blue_for_black_in_even_steps() {
        let scale = Scale { low: -10.0, high: 10.0, above: Pole::White };
        let color = |value| Colors::Palette.on_scale(&scale, value, Some(Square::H1));
        for (value, index) in
            [(0.0, 255), (0.5, 255), (f64::NAN, 255), (1.0, 223), (5.0, 215), (10.0, 172), (99.0, 172)]
        {
            assert_eq!(color(value), Ink::Indexed(index), "{value}");
        }
        for (value, index) in [(-0.5, 255), (-1.0, 153), (-5.0, 117), (-10.0, 33)] {
            assert_eq!(color(value), Ink::Indexed(index), "{value}");
        }
        assert_eq!(Colors::Palette.on_scale(&scale, 0.0, Some(Square::A1)), Ink::Indexed(253));
        let blacks = Scale { low: 0.0, high: 8.0, above: Pole::Black };
        assert_eq!(Colors::Palette.on_scale(&blacks, 8.0, None), Ink::Indexed(33));
        assert_eq!(Colors::None.on_scale(&scale, 5.0, None), Ink::Reset);
    }

    #[test]
    fn a_terminal_gets_what_it_can_show() {
        let orange = Rgb { red: 230, green: 140, blue: 40 };
        assert_eq!(Colors::All.nearest(orange), Ink::Rgb(230, 140, 40));
        assert_eq!(Colors::Palette.nearest(orange), Ink::Indexed(172));
        assert_eq!(Colors::None.nearest(orange), Ink::Reset);
    }
}
