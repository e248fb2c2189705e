//! Every number the search is steered by.

/// How a search is steered. The defaults are seed 004's where it names one, without noise and temperature, which are for
/// self-play.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Settings {
    /// How much priors and rare visits count against values: `C` in `Q + C·P·√N / (1 + n)`.
    pub exploration: f32,
    /// An action never tried is worth what its parent is, less this times the square root of the priors already tried.
    pub first_play_reduction: f32,
    /// Concentration of the noise at the root.
    pub noise_alpha: f32,
    /// Share of the noise in the root's priors; 0 is none.
    pub noise_share: f32,
    /// Actions are drawn in proportion to `visits^(1/temperature)`; 0 is the most visited.
    pub temperature: f32,
    /// Plies of the game after which the temperature is 0.
    pub temperature_plies: u32,
    /// Leaves evaluated together.
    pub batch: usize,
    /// Threads that search one tree.
    pub threads: usize,
    /// Room for one tree in mebibytes. When it is used up the search ends.
    pub memory_mb: usize,
    /// States of the game that a tree keeps in its nodes, those made first; others are played again from the nearest one kept.
    pub kept_states: usize,
    /// Keep the part of the tree that is still of use from move to move.
    pub reuse: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            exploration: 1.5,
            first_play_reduction: 0.25,
            noise_alpha: 0.3,
            noise_share: 0.0,
            temperature: 0.0,
            temperature_plies: 30,
            batch: 1,
            threads: 1,
            memory_mb: 256,
            kept_states: 1024,
            reuse: true,
        }
    }
}

impl Settings {
    /// As seed 004 plays against itself: noise at the root, and a temperature of 1 for the first 30 plies.
    #[must_use]
    pub const fn self_play(mut self) -> Settings {
        self.noise_share = 0.25;
        self.temperature = 1.0;
        self
    }
}
