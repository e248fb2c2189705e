//! Every number that steers a training, declared once: its name, meaning, range and default. `--set`, manifests and the manual are made from it.

use serde::{Deserialize, Serialize};

use crate::architecture::{Architecture, PolicyHead, ValueHead};
use crate::error::NetError;

/// One setting, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// The least and the most it can be.
    pub range: (f64, f64),
    /// Whether it is a whole number.
    pub whole: bool,
    /// What it is.
    pub help: &'static str,
}

macro_rules! is_whole {
    (f32) => {
        false
    };
    (f64) => {
        false
    };
    ($other:ty) => {
        true
    };
}

macro_rules! knobs {
    ($($(#[doc = $help:literal])+ $name:ident: $kind:tt = $default:literal, $least:literal..$most:literal;)+) => {
        /// How a network learns.
        #[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Knobs {
            $($(#[doc = $help])+ pub $name: $kind,)+
        }

        impl Default for Knobs {
            fn default() -> Knobs {
                Knobs { $($name: $default,)+ }
            }
        }

        impl Knobs {
            /// All of them.
            pub fn list(&self) -> Vec<Knob> {
                vec![$(Knob {
                    name: stringify!($name),
                    value: self.$name as f64,
                    range: ($least as f64, $most as f64),
                    whole: is_whole!($kind),
                    help: concat!($($help),+).trim_ascii(),
                },)+]
            }

            fn put(&mut self, name: &str, value: f64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value as $kind,)+
                    _ => return false,
                }
                true
            }
        }
    };
}

knobs! {
    /// where everything random comes from
    seed: u64 = 1, 0..4_000_000_000_u64;
    /// generations: self-play, then steps
    generations: u32 = 300, 1..1_000_000;
    /// games of a generation
    games: u32 = 100, 1..1_000_000;
    /// games that each thread plays at once, so that their leaves are valued together
    games_at_once: u32 = 32, 1..100_000;
    /// simulations of a move that is learned from
    simulations: u32 = 64, 2..100_000;
    /// simulations of the other moves
    quick_simulations: u32 = 16, 2..100_000;
    /// share of the moves that are searched in full; the others teach the value alone
    full_share: f32 = 0.25, 0.0..1.0;
    /// actions tried at the root (Gumbel); 0 is the seed's search with Dirichlet noise and temperature
    candidates: u32 = 16, 0..1_000;
    /// how much values count against logits in what is learned (Gumbel)
    value_scale: f32 = 0.5, 0.0..100.0;
    /// plies of a game after which the best move is played without noise
    noisy_plies: u32 = 30, 0..10_000;
    /// how much priors count against values below the root
    exploration: f32 = 1.5, 0.0..100.0;
    /// random plies before a game, at most
    opening_plies: u32 = 6, 0..100;
    /// share of the games that begin with men missing on either side, or scattered, so that what men are worth is seen sooner
    uneven_share: f32 = 0.0, 0.0..1.0;
    /// games are broken off after so many plies; where the rules would go on, what was thought last counts as the result
    ply_limit: u32 = 200, 10..512;
    /// no split is played that could lead to more branches
    most_branches: u32 = 64, 1..1_024;
    /// who is worth less than this to itself, and was a move before, resigns; -1 is never
    resign_below: f32 = -0.95, -1.0..0.0;
    /// share of the games in which nobody resigns, to see whether it would have been wrong
    no_resign_share: f32 = 0.1, 0.0..1.0;
    /// the first generations whose games the hand-made search plays, to begin with something; 0 learns from nothing
    taught_generations: u32 = 0, 0..1_000_000;
    /// simulations of the hand-made search in those games
    teacher_simulations: u32 = 200, 2..100_000;
    /// how much of a value to learn is what the search thought; the rest is how the game ended
    thought_share: f32 = 0.5, 0.0..1.0;
    /// samples kept at most
    window: usize = 500_000, 1_000..100_000_000;
    /// samples kept at first; it grows by half of what is played
    first_window: usize = 50_000, 1..100_000_000;
    /// samples without which nothing is learned
    least_samples: usize = 10_000, 1..100_000_000;
    /// steps of a generation; 0 is as many as `passes` ask for
    steps: u32 = 200, 0..1_000_000;
    /// how often a sample is learned from, on average, where `steps` is 0
    passes: f32 = 2.0, 0.0..1_000.0;
    /// samples of a step
    batch: usize = 512, 1..65_536;
    /// learning rate at first
    rate: f32 = 0.01, 0.0..1.0;
    /// learning rate at last
    last_rate: f32 = 0.00001, 0.0..1.0;
    /// steps over which it falls, as a cosine; 0 is the whole training, by time or by generations
    rate_steps: u64 = 100_000, 0..1_000_000_000;
    /// steps over which it rises first
    warm_steps: u64 = 100, 0..1_000_000;
    /// weight decay
    decay: f32 = 0.0001, 0.0..1.0;
    /// the slope's length is cut to this
    clip: f32 = 1.0, 0.0..1_000_000.0;
    /// how much the value counts against the policy
    value_weight: f32 = 1.0, 0.0..100.0;
    /// how much of the averaged weights is kept in a step
    averaging: f32 = 0.99, 0.0..0.999_999;
    /// generations between two rating matches; 0 is none
    rate_every: u32 = 10, 0..1_000_000;
    /// games against each opponent of a rating match
    rate_games: u32 = 20, 2..100_000;
    /// simulations of the network in rating matches
    rate_simulations: u32 = 100, 2..100_000;
    /// generations between two checkpoints that are kept for ever; 0 keeps the last two only
    keep_every: u32 = 10, 0..1_000_000;
    /// a new network plays on only if it scores so much against the best so far, in percent; 0 asks for nothing
    gate: f32 = 0.0, 0.0..100.0;
    /// games of that match
    gate_games: u32 = 40, 2..100_000;
}

/// What a training is made of.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The network.
    pub network: Architecture,
    /// How it learns.
    pub learning: Knobs,
}

/// A named beginning.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Learns visibly in minutes, on two processors.
    Tiny,
    /// Ours: learns to play in an hour or so.
    Small,
    /// Seed 004's network and schedule.
    Seed,
}

impl Preset {
    /// All of them, with their names.
    pub const ALL: [(Preset, &'static str); 3] =
        [(Preset::Tiny, "tiny"), (Preset::Small, "small"), (Preset::Seed, "seed")];

    /// Its settings.
    pub fn settings(self) -> Settings {
        let learning = Knobs::default();
        match self {
            Preset::Tiny => Settings {
                network: Architecture::ours(16, 2),
                learning: Knobs {
                    generations: 12,
                    games: 120,
                    games_at_once: 16,
                    simulations: 32,
                    quick_simulations: 8,
                    full_share: 0.5,
                    ply_limit: 120,
                    most_branches: 16,
                    first_window: 20_000,
                    window: 100_000,
                    least_samples: 1_000,
                    steps: 0,
                    passes: 3.0,
                    batch: 128,
                    rate: 0.005,
                    last_rate: 0.0005,
                    rate_steps: 0,
                    warm_steps: 20,
                    averaging: 0.95,
                    rate_every: 3,
                    rate_games: 20,
                    rate_simulations: 32,
                    keep_every: 0,
                    ..learning
                },
            },
            Preset::Small => Settings {
                network: Architecture::ours(32, 4),
                learning: Knobs {
                    games: 400,
                    steps: 0,
                    passes: 2.5,
                    batch: 256,
                    rate: 0.004,
                    rate_steps: 0,
                    full_share: 0.5,
                    least_samples: 5_000,
                    ..learning
                },
            },
            Preset::Seed => Settings {
                network: Architecture::SEED,
                learning: Knobs {
                    simulations: 200,
                    candidates: 0,
                    full_share: 1.0,
                    first_window: 500_000,
                    resign_below: -1.0,
                    opening_plies: 0,
                    thought_share: 0.0,
                    averaging: 0.0,
                    warm_steps: 0,
                    ply_limit: 512,
                    most_branches: 1024,
                    ..learning
                },
            },
        }
    }
}

impl Settings {
    /// Changes one, as `name=value` says.
    pub fn set(&mut self, assignment: &str) -> Result<(), NetError> {
        let (name, value) = assignment.split_once('=').ok_or_else(|| {
            NetError::Settings(format!("\"{assignment}\" sets nothing; write name=value, as games=50"))
        })?;
        let (name, value) = (name.trim(), value.trim());
        if let Some(sides) = self.shape(name, value)? {
            self.network = sides;
            return self.network.check();
        }
        let knobs = self.learning.list();
        let Some(knob) = knobs.iter().find(|knob| knob.name == name) else {
            let names = || knobs.iter().map(|knob| knob.name).chain(SHAPE);
            let hint = tabia_core::spelling::nearest(name, names())
                .map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            let known: Vec<&str> = names().collect();
            return Err(NetError::Settings(format!(
                "no setting is called \"{name}\"{hint} (there are: {})",
                known.join(", ")
            )));
        };
        let number = value.parse::<f64>().ok().filter(|number| {
            number.is_finite()
                && (knob.range.0..=knob.range.1).contains(number)
                && (!knob.whole || number.fract() == 0.0)
        });
        let Some(number) = number else {
            let kind = if knob.whole { "a whole number" } else { "a number" };
            return Err(NetError::Settings(format!(
                "{name} cannot be \"{value}\"; it takes {kind} from {} to {}",
                knob.range.0, knob.range.1
            )));
        };
        self.learning.put(name, number);
        Ok(())
    }

    /// The network with another side; nothing if the name is none of its sides.
    fn shape(&self, name: &str, value: &str) -> Result<Option<Architecture>, NetError> {
        let mut network = self.network;
        let number = || {
            let expected =
                || NetError::Settings(format!("{name} cannot be \"{value}\"; it takes a whole number"));
            value.parse::<usize>().map_err(|_| expected())
        };
        match name {
            "channels" => network.channels = number()?,
            "blocks" => network.blocks = number()?,
            "value_channels" => network.value_channels = number()?,
            "value_hidden" => network.value_hidden = number()?,
            "policy" => {
                network.policy = match value {
                    "convolution" => PolicyHead::Convolution,
                    "dense" => PolicyHead::Dense(32),
                    _ => {
                        return Err(NetError::Settings(format!(
                            "policy cannot be \"{value}\"; it is convolution or dense"
                        )));
                    }
                }
            }
            "value" => {
                network.value = match value {
                    "chances" => ValueHead::Chances,
                    "scalar" => ValueHead::Scalar,
                    _ => {
                        return Err(NetError::Settings(format!(
                            "value cannot be \"{value}\"; it is chances or scalar"
                        )));
                    }
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(network))
    }
}

/// Settings of the network's shape.
const SHAPE: [&str; 6] = ["channels", "blocks", "value_channels", "value_hidden", "policy", "value"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_within_their_ranges_and_the_seeds() {
        for (preset, name) in Preset::ALL {
            let settings = preset.settings();
            settings.network.check().unwrap();
            for knob in settings.learning.list() {
                assert!((knob.range.0..=knob.range.1).contains(&knob.value), "{name}: {knob:?}");
                assert!(!knob.help.is_empty());
            }
        }
        let seed = Preset::Seed.settings().learning;
        assert_eq!((seed.batch, seed.window, seed.least_samples, seed.steps), (512, 500_000, 10_000, 200));
        assert_eq!((seed.rate, seed.last_rate, seed.rate_steps), (0.01, 1e-5, 100_000));
        assert_eq!((seed.decay, seed.clip, seed.games), (1e-4, 1.0, 100));
    }

    #[test]
    fn what_is_set_is_checked() {
        let mut settings = Preset::Tiny.settings();
        settings.set("games=7").unwrap();
        settings.set(" channels = 32").unwrap();
        assert_eq!((settings.learning.games, settings.network.channels), (7, 32));
        let mut error = |text: &str| settings.set(text).unwrap_err().to_string();
        assert!(error("game=7").contains("did you mean \"games\"?"));
        assert_eq!(error("games=0"), "games cannot be \"0\"; it takes a whole number from 1 to 1000000");
        assert!(error("games=1.5").contains("a whole number"));
        assert!(error("rate=NaN").contains("a number from 0 to 1"));
        assert!(error("channels=20").contains("multiple of 16"));
        assert!(error("games").contains("name=value"));
    }
}
