//! How many colours a terminal has, and the nearest one that it can show.

use ratatui::style::Color as Ink;
use tabia_draw::color::Rgb;

use crate::terminal;

/// The steps of each part in the palette's cube of 216 colours.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// Where the cube begins, and where the greys do.
const CUBE: u8 = 16;
const GREYS: u8 = 232;
/// The darkest grey, and how far apart they are.
const DARKEST: u8 = 8;
const GREY_STEP: u8 = 10;

/// What a terminal can show.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Colors {
    /// None, or nobody wants them.
    None,
    /// The palette of 256.
    Palette,
    /// All.
    All,
}

impl Colors {
    /// Those of the terminal that this program runs in. One that shows more than the palette says so in `COLORTERM`.
    pub fn of_terminal() -> Colors {
        let all = std::env::var_os("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        match terminal::wants_color() {
            false => Colors::None,
            true if all => Colors::All,
            true => Colors::Palette,
        }
    }

    /// Whether there are any.
    pub fn are_there(self) -> bool {
        self != Colors::None
    }

    /// The nearest to a colour.
    pub fn nearest(self, color: Rgb) -> Ink {
        match self {
            Colors::None => Ink::Reset,
            Colors::Palette => Ink::Indexed(indexed(color)),
            Colors::All => Ink::Rgb(color.red, color.green, color.blue),
        }
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
    fn a_terminal_gets_what_it_can_show() {
        let orange = Rgb { red: 230, green: 140, blue: 40 };
        assert_eq!(Colors::All.nearest(orange), Ink::Rgb(230, 140, 40));
        assert_eq!(Colors::Palette.nearest(orange), Ink::Indexed(172));
        assert_eq!(Colors::None.nearest(orange), Ink::Reset);
    }
}
