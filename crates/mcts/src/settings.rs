//! Settings of the search.

/// Settings of a search. The defaults are seed 004's where it names one, without noise and temperature, which are for
/// self-play.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Settings {
    /// PUCT exploration constant: `C` in `Q + C·P·√N / (1 + n)`.
    pub exploration: f32,
    /// First-play urgency reduction: an unvisited action has its parent's value, less this times the square root of the visited priors.
    pub first_play_reduction: f32,
    /// Concentration (α) of the Dirichlet noise at the root.
    pub noise_alpha: f32,
    /// Share (ε) of the noise in the root's priors; 0 is none.
    pub noise_share: f32,
    /// Actions are drawn in proportion to `visits^(1/temperature)`; 0 is the most visited.
    pub temperature: f32,
    /// Plies of the game after which the temperature is 0.
    pub temperature_plies: u32,
    /// Without a temperature: the action with the highest lower bound of its value rather than the most visited.
    pub lower_bound: bool,
    /// Leaves evaluated together.
    pub batch: usize,
    /// Threads that search one tree.
    pub threads: usize,
    /// Memory limit of a tree in MiB; a full tree ends the search.
    pub memory_mb: usize,
    /// Number of game states cached in nodes; others are replayed from the nearest cached one.
    pub kept_states: usize,
    /// Whether to reuse the subtree of the current state from move to move.
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
            lower_bound: false,
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
    ///
    /// ```
    /// use tabia_mcts::Settings;
    ///
    /// assert_eq!(Settings::default().temperature, 0.0);
    /// assert_eq!(Settings::default().self_play().temperature, 1.0);
    /// ```
    #[must_use]
    pub const fn self_play(mut self) -> Settings {
        self.noise_share = 0.25;
        self.temperature = 1.0;
        self
    }
}
