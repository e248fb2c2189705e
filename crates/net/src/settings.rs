//! Hyperparameters, declared once with name, meaning, range and default. `--set`, manifests and the manual are generated from them.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::architecture::{Architecture, PolicyHead, ValueHead};
use crate::error::NetError;

/// Kind of the run in its manifest.
pub const KIND: &str = "quantum train";

/// Why `continuous` is refused.
const NOT_CONTINUOUS: &str = "continuous=1 is self-play by the newest network in this process: it goes without --grid, taught_generations and gate";

/// A hyperparameter with its description.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyperparameter {
    /// Name, as in `--set`.
    pub name: &'static str,
    pub value: f64,
    /// Smallest and largest allowed value.
    pub range: (f64, f64),
    pub is_integer: bool,
    pub help: &'static str,
}

impl Hyperparameter {
    fn allows(&self, number: f64) -> bool {
        number.is_finite()
            && (self.range.0..=self.range.1).contains(&number)
            && (!self.is_integer || number.fract() == 0.0)
    }

    fn refused(&self, value: &str) -> NetError {
        let Hyperparameter { name, range: (least, most), .. } = self;
        let kind = if self.is_integer { "a whole number" } else { "a number" };
        NetError::Settings(format!("{name} cannot be \"{value}\"; it takes {kind} from {least} to {most}"))
    }
}

macro_rules! is_integer {
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

macro_rules! hyperparameters {
    ($($(#[doc = $help:literal])+ $name:ident: $kind:tt = $default:literal, $min:literal..$max:literal;)+) => {
        /// Hyperparameters of a training.
        #[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
        // A training of an earlier version, which has fewer of them, can be resumed.
        #[serde(default)]
        pub struct Hyperparameters {
            $($(#[doc = $help])+ pub $name: $kind,)+
        }

        impl Default for Hyperparameters {
            fn default() -> Hyperparameters {
                Hyperparameters { $($name: $default,)+ }
            }
        }

        impl Hyperparameters {
            /// All hyperparameters with their descriptions.
            pub fn list(&self) -> Vec<Hyperparameter> {
                vec![$(Hyperparameter {
                    name: stringify!($name),
                    value: self.$name as f64,
                    range: ($min as f64, $max as f64),
                    is_integer: is_integer!($kind),
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

hyperparameters! {
    /// seed of all random numbers
    seed: u64 = 1, 0..4_000_000_000_u64;
    /// generations; each is self-play, then optimiser steps
    generations: u32 = 300, 1..1_000_000;
    /// games per generation
    games: u32 = 100, 1..1_000_000;
    /// concurrent games per thread, whose leaves are evaluated in one batch
    games_at_once: u32 = 32, 1..100_000;
    /// simulations of a full search, whose policy is a training target
    simulations: u32 = 64, 2..100_000;
    /// simulations of a quick search
    quick_simulations: u32 = 16, 2..100_000;
    /// share of the moves with a full search; the others train the value only
    full_share: f32 = 0.25, 0.0..1.0;
    /// candidate actions at the root (Gumbel AlphaZero); 0 is the seed's search with Dirichlet noise and temperature
    candidates: u32 = 16, 0..1_000;
    /// weight of action values against logits in the policy target (Gumbel)
    value_scale: f32 = 0.5, 0.0..100.0;
    /// plies with exploration noise at the start of a game
    noisy_plies: u32 = 30, 0..10_000;
    /// PUCT exploration constant below the root
    exploration: f32 = 1.5, 0.0..100.0;
    /// largest number of random plies before a game
    opening_plies: u32 = 6, 0..100;
    /// share of the games that start with missing or scattered pieces, so that the value of material is learned sooner
    uneven_share: f32 = 0.0, 0.0..1.0;
    /// games are truncated after this many plies; the last search's value then counts as the result
    ply_limit: u32 = 200, 10..512;
    /// split moves that could lead to more branches are not played
    most_branches: u32 = 64, 1..1_024;
    /// a side resigns when its search's value is below this for two moves in a row; -1 is never
    resign_below: f32 = -0.95, -1.0..0.0;
    /// share of the games without resignation, to measure false resignations
    no_resign_share: f32 = 0.1, 0.0..1.0;
    /// number of first generations whose games are played by the search with the handcrafted evaluation; 0 learns from scratch
    taught_generations: u32 = 0, 0..1_000_000;
    /// simulations of the handcrafted search in those games
    teacher_simulations: u32 = 200, 2..100_000;
    /// weight of the search's value in the value target; the rest is the game's result
    thought_share: f32 = 0.5, 0.0..1.0;
    /// largest size of the replay buffer in samples
    window: usize = 500_000, 1..100_000_000;
    /// initial size of the replay buffer; it grows by half of the samples played
    first_window: usize = 50_000, 1..100_000_000;
    /// samples needed before training starts
    least_samples: usize = 10_000, 1..100_000_000;
    /// optimiser steps per generation; 0 derives them from `passes`
    steps: u32 = 200, 0..1_000_000;
    /// passes over each sample, on average, where `steps` is 0
    passes: f32 = 2.0, 0.0..1_000.0;
    /// batch size
    batch: usize = 512, 1..65_536;
    /// initial learning rate
    rate: f32 = 0.01, 0.0..1.0;
    /// final learning rate
    last_rate: f32 = 0.00001, 0.0..1.0;
    /// steps of the cosine schedule; 0 is the whole training, by time or by generations
    rate_steps: u64 = 100_000, 0..1_000_000_000;
    /// warm-up steps
    warm_steps: u64 = 100, 0..1_000_000;
    /// weight decay
    decay: f32 = 0.0001, 0.0..1.0;
    /// gradients are clipped to this norm
    clip: f32 = 1.0, 0.0..1_000_000.0;
    /// weight of the value loss
    value_weight: f32 = 1.0, 0.0..100.0;
    /// decay of the exponential moving average of the weights
    averaging: f32 = 0.99, 0.0..0.999_999;
    /// every how many generations a rating match is played; 0 is never
    rate_every: u32 = 10, 0..1_000_000;
    /// games against each opponent in a rating match
    rate_games: u32 = 20, 2..100_000;
    /// simulations per move of the network in rating matches
    rate_simulations: u32 = 100, 2..100_000;
    /// 1: `best.safetensors` is the network with the lowest loss (the seed's); 0: the one with the best rating
    best_by_loss: u32 = 0, 0..1;
    /// every how many generations a checkpoint is kept permanently; 0 keeps the last two only
    keep_every: u32 = 10, 0..1_000_000;
    /// 1: games go on while the network learns, and a generation is the games that end in it, so that no processor waits; results then depend on time
    continuous: u32 = 0, 0..1;
    /// seconds after which a generation of continuous self-play ends even if fewer games are over; 0 is never
    generation_seconds: f32 = 0.0, 0.0..1_000_000.0;
    /// Python processes per device that evaluate positions; 0 is one for sixteen threads, at most four
    processes: u32 = 0, 0..64;
    /// every how many generations a checkpoint is written; a kill, or a stop while it learns, repeats the steps since the last one
    save_every: u32 = 1, 1..1_000_000;
    /// gating: a new network is accepted only if it scores this many percent against the best so far; 0 is off
    gate: f32 = 0.0, 0.0..100.0;
    /// games of the gating match
    gate_games: u32 = 40, 2..100_000;
}

/// Settings of a training.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub network: Architecture,
    pub learning: Hyperparameters,
}

/// A named set of settings.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Learns visibly within minutes on two cores.
    Tiny,
    /// Learns to play in about an hour.
    Small,
    /// Seed 004's network and schedule.
    Seed,
}

impl Preset {
    /// All presets, with their names.
    pub const ALL: [(Preset, &'static str); 3] =
        [(Preset::Tiny, "tiny"), (Preset::Small, "small"), (Preset::Seed, "seed")];

    pub fn settings(self) -> Settings {
        let learning = Hyperparameters::default();
        match self {
            Preset::Tiny => Settings {
                network: Architecture::new(16, 2),
                learning: Hyperparameters {
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
                network: Architecture::new(32, 4),
                learning: Hyperparameters {
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
                learning: Hyperparameters {
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
    /// Whether a training can have these settings: each is in its range, and they go together.
    pub fn check(&self) -> Result<(), NetError> {
        self.network.check()?;
        let hyper = &self.learning;
        if let Some(wrong) =
            hyper.list().iter().find(|hyperparameter| !hyperparameter.allows(hyperparameter.value))
        {
            return Err(wrong.refused(&wrong.value.to_string()));
        }
        if hyper.continuous > 0 && (hyper.taught_generations > 0 || hyper.gate > 0.0) {
            return Err(NetError::Settings(NOT_CONTINUOUS.to_owned()));
        }
        Ok(())
    }

    /// Whether the games of a training with these settings can be played outside its process.
    pub fn check_remote(&self) -> Result<(), NetError> {
        if self.learning.continuous > 0 {
            return Err(NetError::Settings(NOT_CONTINUOUS.to_owned()));
        }
        Ok(())
    }

    /// Applies an assignment `name=value`.
    pub fn set(&mut self, assignment: &str) -> Result<(), NetError> {
        let (name, value) = assignment.split_once('=').ok_or_else(|| {
            NetError::Settings(format!(
                "\"{assignment}\" is not an assignment; write name=value, for example games=50"
            ))
        })?;
        let (name, value) = (name.trim(), value.trim());
        if let Some(network) = self.shape(name, value)? {
            self.network = network;
            return self.network.check();
        }
        let hyper = self.learning.list();
        let Some(hyperparameter) = hyper.iter().find(|hyperparameter| hyperparameter.name == name) else {
            let names = || hyper.iter().map(|hyperparameter| hyperparameter.name).chain(SHAPE);
            let hint = tabia_core::spelling::nearest(name, names())
                .map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            let known: Vec<&str> = names().collect();
            return Err(NetError::Settings(format!(
                "no setting is called \"{name}\"{hint} (there are: {})",
                known.join(", ")
            )));
        };
        let Some(number) = value.parse().ok().filter(|number| hyperparameter.allows(*number)) else {
            return Err(hyperparameter.refused(value));
        };
        self.learning.put(name, number);
        Ok(())
    }

    /// Applies a configuration: a `manifest.toml` as a training writes it, or only its `[network]` and `[learning]`. Settings that it
    /// does not name stay as they are; unknown names are refused with the nearest known one.
    pub fn apply_config(&mut self, text: &str) -> Result<(), NetError> {
        let wrong = |why: String| NetError::Settings(format!("the configuration: {why}"));
        let document: Table = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let is_manifest = document.contains_key("settings");
        if let Some(kind) = document.get("kind").and_then(Value::as_str).filter(|kind| *kind != KIND) {
            return Err(wrong(format!("it is of a run of another kind, \"{kind}\", expected \"{KIND}\"")));
        }
        let known: &[&str] = if is_manifest {
            &["format", "version", "kind", "date", "settings"]
        } else {
            &["network", "learning"]
        };
        let settings = match document.get("settings") {
            Some(settings) => {
                refuse_unknown(&document, "", known)?;
                settings.as_table().ok_or_else(|| wrong("settings is no table".to_owned()))?
            }
            None => &document,
        };
        refuse_unknown(settings, "", &["network", "learning"])?;
        for (part, values) in settings {
            let table =
                values.as_table().ok_or_else(|| wrong(format!("{part} is no table; write [{part}]")))?;
            let names: Vec<&str> = match part.as_str() {
                "network" => SHAPE.to_vec(),
                _ => self.learning.list().iter().map(|hyperparameter| hyperparameter.name).collect(),
            };
            refuse_unknown(table, &format!("{part}."), &names)?;
            for (name, value) in table {
                let value = match value {
                    Value::String(text) => text.clone(),
                    // As it is written for a policy head: { dense = 32 }.
                    Value::Table(head) if name == "policy" && head.contains_key("dense") => {
                        refuse_unknown(head, "network.policy.", &["dense"])?;
                        format!("dense({})", head["dense"])
                    }
                    other => other.to_string(),
                };
                self.set(&format!("{name}={value}"))?;
            }
        }
        Ok(())
    }

    /// The architecture with one size changed; `None` if `name` is not a size of the architecture.
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
                    "dense" => PolicyHead::Dense(DENSE_CHANNELS),
                    _ => PolicyHead::Dense(dense_channels(value).ok_or_else(|| {
                        NetError::Settings(format!(
                            "policy cannot be \"{value}\"; it is convolution, dense or dense(N), N channels from 1 to {MAX_DENSE_CHANNELS}"
                        ))
                    })?),
                }
            }
            "value" => {
                network.value = match value {
                    "chances" => ValueHead::Wdl,
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

/// Channels before a fully connected policy, as the seed has them, and at most.
const DENSE_CHANNELS: usize = 32;
const MAX_DENSE_CHANNELS: usize = 256;

/// The channels of `dense(24)`.
fn dense_channels(value: &str) -> Option<usize> {
    let number = value.strip_prefix("dense(")?.strip_suffix(')')?;
    number.trim().parse().ok().filter(|channels| (1..=MAX_DENSE_CHANNELS).contains(channels))
}

/// Refuses names in a table that are not known.
fn refuse_unknown(table: &Table, within: &str, known: &[&str]) -> Result<(), NetError> {
    let Some(name) = table.keys().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let hint = tabia_core::spelling::nearest(name, known.iter().copied()).map_or_else(
        || format!("; expected {}", known.join(", ")),
        |near| format!("; did you mean \"{within}{near}\"?"),
    );
    Err(NetError::Settings(format!("the configuration has \"{within}{name}\", which is no setting{hint}")))
}

/// Settings of the network's shape.
pub const SHAPE: [&str; 6] = ["channels", "blocks", "value_channels", "value_hidden", "policy", "value"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_within_their_ranges_and_the_seeds() {
        for (preset, name) in Preset::ALL {
            let settings = preset.settings();
            settings.network.check().unwrap();
            for hyperparameter in settings.learning.list() {
                assert!(
                    (hyperparameter.range.0..=hyperparameter.range.1).contains(&hyperparameter.value),
                    "{name}: {hyperparameter:?}"
                );
                assert!(!hyperparameter.help.is_empty());
            }
        }
        let seed = Preset::Seed.settings().learning;
        assert_eq!((seed.batch, seed.window, seed.least_samples, seed.steps), (512, 500_000, 10_000, 200));
        assert_eq!((seed.rate, seed.last_rate, seed.rate_steps), (0.01, 1e-5, 100_000));
        assert_eq!((seed.decay, seed.clip, seed.games), (1e-4, 1.0, 100));
    }

    #[test]
    fn a_manifest_is_a_configuration() {
        let mut settings = Preset::Small.settings();
        for assignment in
            ["channels=48", "games=7", "rate=0.0125", "policy=dense(24)", "value=scalar", "seed=9"]
        {
            settings.set(assignment).unwrap();
        }
        let manifest = tabia_run::Manifest::new(KIND, "1.0", None, &settings).unwrap().write().unwrap();
        let mut read = Preset::Tiny.settings();
        read.apply_config(&manifest).unwrap();
        assert_eq!(read, settings);
        // A part of one changes only what it names.
        let mut read = Preset::Tiny.settings();
        read.apply_config("[learning]\ngames = 12\n").unwrap();
        let mut expected = Preset::Tiny.settings();
        expected.learning.games = 12;
        assert_eq!(read, expected);
        let mut error = |text: &str| read.apply_config(text).unwrap_err().to_string();
        assert!(error("[learning]\ngame = 3").ends_with("did you mean \"learning.games\"?"));
        assert!(error("[network]\nchannel = 32").ends_with("did you mean \"network.channels\"?"));
        assert!(error("[lerning]\ngames = 3").ends_with("did you mean \"learning\"?"));
        assert!(error("[learning]\ngames = 0").contains("from 1 to 1000000"));
        assert!(error("[network]\npolicy = { dense = 0 }").contains("from 1 to 256"));
        assert!(error("[network]\npolicy = { dense = 8, more = 1 }").contains("network.policy.more"));
        assert!(error("learning = 3").contains("learning is no table"));
        assert!(error("kind = \"match\"\n[settings]").contains("another kind"));
        assert!(error("games =").contains("the configuration: "));
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
