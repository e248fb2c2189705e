//! The engine's UCI options: declared once, checked against the declaration, kept as typed values.

use std::path::Path;
use std::time::Duration;

use shakmaty::Color;
use tabia_core::{AgentSpec, Options as AgentOptions};
use tabia_eval::registry;
use tabia_search::engine::{Settings, params};
use tabia_search::player::{MAX_ELO, MIN_ELO};
use tabia_uci::option::find;
use tabia_uci::{OptionDecl, OptionError, OptionType, OptionValue};

/// What the options say now.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "UCI's check options are independent of one another")]
pub struct Options {
    declared: Vec<OptionDecl>,
    /// How the strong search is set up, but for its endgame tables. Its numbers are options too when tuning.
    pub settings: Settings,
    /// Castling is written as king takes rook.
    pub chess960: bool,
    /// Chances are shown.
    pub show_wdl: bool,
    /// The rating to play at, if strength is limited.
    limit_strength: bool,
    elo: u32,
    /// Directories of endgame tables.
    pub syzygy_path: String,
    /// A Polyglot book.
    pub book_file: String,
    /// Whether the book is used.
    pub own_book: bool,
    /// Name of the evaluation.
    pub evaluation: String,
    /// The agent's spec, if the agent is called after its evaluation; its options are then the evaluation's.
    namesake: Option<AgentSpec>,
    /// A file of weights for it; empty for its own.
    pub weights: String,
    /// Decides random choices; 0 takes one from the clock.
    pub seed: u64,
}

/// What else has to be done after an option was set.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The engine is set up anew before the next search.
    Settings,
    /// The same, and its weights are read again.
    Weights,
    /// The table is to be emptied.
    ClearHash,
    /// Endgame tables are to be opened.
    Tables,
    /// The book is to be opened.
    Book,
}

/// Options that only the strong search has a use for.
const OF_THE_STRONG_SEARCH: &[&str] = &[
    "Hash",
    "Threads",
    "MultiPV",
    "Move Overhead",
    "UCI_LimitStrength",
    "UCI_Elo",
    "SyzygyPath",
    "Contempt",
];

/// Whether other agents play the same whatever this option says.
pub fn is_engine_option(name: &str) -> bool {
    OF_THE_STRONG_SEARCH.iter().any(|known| known.eq_ignore_ascii_case(name))
}

impl Options {
    /// The options at first: what a spec's own say (`engine(hash=64,eval=pst)`), and the `settings` made of them,
    /// are their defaults. With `tune`, every number of the search is an option too.
    pub fn new(spec: &AgentSpec, agent: &AgentOptions, settings: Settings, tune: bool) -> Options {
        // An agent with no choice of evaluations may be called after the one it has.
        let namesake = Some(spec).filter(|spec| registry::NAMES.contains(&spec.name.as_str()));
        let evaluation = agent.text("eval").or(namesake.map(|spec| spec.name.as_str()));
        let evaluation = evaluation.unwrap_or(registry::STRONGEST).to_owned();
        let weights = agent.text("weights").unwrap_or_default().to_owned();
        let (elo, seed) = (agent.integer("elo"), agent.integer("seed").unwrap_or(0));
        let (limited, elo) = (elo.is_some(), elo.unwrap_or(MAX_ELO.into()));
        let overhead = settings.move_overhead.as_millis() as i64;
        let spin =
            |name: &str, default, min, max| OptionDecl::new(name, OptionType::Spin { default, min, max });
        let check = |name: &str, default| OptionDecl::new(name, OptionType::Check { default });
        let text = |name: &str| OptionDecl::new(name, OptionType::String { default: String::new() });
        let mut declared = vec![
            spin("Hash", settings.hash_mb as i64, 1, 65_536),
            OptionDecl::new("Clear Hash", OptionType::Button),
            spin("Threads", settings.threads as i64, 1, 512),
            spin("MultiPV", settings.multipv as i64, 1, 256),
            check("Ponder", false),
            spin("Move Overhead", overhead, 0, 5_000),
            check("UCI_Chess960", false),
            check("UCI_ShowWDL", false),
            check("UCI_LimitStrength", limited),
            spin("UCI_Elo", elo, MIN_ELO.into(), MAX_ELO.into()),
            text("SyzygyPath"),
            check("OwnBook", false),
            text("BookFile"),
            spin("Contempt", settings.contempt.into(), -200, 200),
            OptionDecl::new(
                "Evaluation",
                OptionType::Combo {
                    default: evaluation.clone(),
                    vars: registry::NAMES.iter().map(|name| (*name).to_owned()).collect(),
                },
            ),
            OptionDecl::new("Weights", OptionType::String { default: weights.clone() }),
            spin("Seed", seed, 0, i64::MAX),
        ];
        if tune {
            declared.extend(params::DECLARATIONS.iter().map(|number| {
                let default = settings.params.get(number.name).unwrap_or(number.default);
                spin(number.name, default.into(), number.min.into(), number.max.into())
            }));
        }
        Options {
            declared,
            settings,
            chess960: false,
            show_wdl: false,
            limit_strength: limited,
            elo: elo as u32,
            syzygy_path: String::new(),
            book_file: String::new(),
            own_book: false,
            evaluation,
            namesake: namesake.cloned(),
            weights,
            seed: seed as u64,
        }
    }

    /// The declarations, in the order `uci` shows them.
    pub fn declared(&self) -> &[OptionDecl] {
        &self.declared
    }

    /// The file of weights, if one is named.
    pub fn weights_file(&self) -> Option<&Path> {
        (!self.weights.is_empty()).then(|| Path::new(&self.weights))
    }

    /// The evaluation as the agent plays with it for a side: `axon(contempt=20,side=black)`.
    pub fn evaluation_for(&self, side: Color) -> AgentSpec {
        let known = registry::options::entries(&self.evaluation);
        let is_known = |key: &str| known.iter().any(|entry| entry.key == key);
        let mut spec = AgentSpec::named(&self.evaluation);
        if let Some(agent) = self.namesake.as_ref().filter(|agent| agent.name == self.evaluation) {
            spec.options.extend(agent.options.iter().filter(|(key, _)| is_known(key)).cloned());
        }
        // Whose contempt it is matters only where there is some.
        let has_contempt = is_known("side") && spec.get("contempt").is_some();
        if has_contempt { spec.with("side", side.fold_wb("white", "black")) } else { spec }
    }

    /// The rating asked for, if strength is limited.
    pub fn elo(&self) -> Option<u32> {
        self.limit_strength.then_some(self.elo)
    }

    /// Sets an option by name; what it takes is checked first.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let declared = find(&self.declared, name)?;
        let value = declared.check(value)?;
        match (declared.name.as_str(), value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.settings.hash_mb = megabytes as usize,
            ("Threads", OptionValue::Spin(threads)) => self.settings.threads = threads as usize,
            ("MultiPV", OptionValue::Spin(lines)) => self.settings.multipv = lines as usize,
            ("Move Overhead", OptionValue::Spin(ms)) => {
                self.settings.move_overhead = Duration::from_millis(ms as u64);
            }
            ("UCI_Chess960", OptionValue::Check(on)) => self.chess960 = on,
            ("UCI_ShowWDL", OptionValue::Check(on)) => self.show_wdl = on,
            ("UCI_LimitStrength", OptionValue::Check(on)) => self.limit_strength = on,
            ("UCI_Elo", OptionValue::Spin(elo)) => self.elo = elo as u32,
            ("SyzygyPath", OptionValue::String(path)) => {
                self.syzygy_path = path;
                return Ok(Change::Tables);
            }
            ("OwnBook", OptionValue::Check(on)) => self.own_book = on,
            ("BookFile", OptionValue::String(path)) => {
                self.book_file = path;
                return Ok(Change::Book);
            }
            ("Contempt", OptionValue::Spin(centipawns)) => self.settings.contempt = centipawns as i32,
            ("Evaluation", OptionValue::Combo(name)) => self.evaluation = name,
            ("Weights", OptionValue::String(path)) => {
                self.weights = path;
                return Ok(Change::Weights);
            }
            ("Seed", OptionValue::Spin(seed)) => self.seed = seed as u64,
            ("Clear Hash", _) => return Ok(Change::ClearHash),
            (name, OptionValue::Spin(value)) => {
                // A number of the search: its range was checked with the declaration.
                let set = self.settings.params.set(name, value as i32);
                debug_assert!(set.is_ok(), "{set:?}");
            }
            // `Ponder` only tells the engine that it may be asked to; it always may.
            _ => {}
        }
        Ok(Change::Settings)
    }
}

#[cfg(test)]
mod tests {
    use tabia_search::agents;

    use super::*;

    fn options(spec: &str) -> Options {
        let spec: AgentSpec = spec.parse().unwrap();
        let files = || agents::AgentFiles::new(|_| unreachable!("no file is named"));
        let mut catalogue = tabia_core::Catalogue::<tabia_core::ChessGame>::default();
        catalogue.add(agents::entries_with(files()));
        let (_, agent) = catalogue.check(&spec).unwrap();
        let settings = agents::settings(&agent, &files()).unwrap();
        Options::new(&spec, &agent, settings, true)
    }

    #[test]
    fn names_are_found_in_any_case_and_values_are_checked() {
        let mut options = options("engine");
        assert_eq!(options.set("hash", Some("64")), Ok(Change::Settings));
        assert_eq!(options.settings.hash_mb, 64);
        let error = options.set("Hash", Some("0")).unwrap_err().to_string();
        assert!(error.contains("1 to 65536"), "{error}");
        let error = options.set("Hsah", Some("1")).unwrap_err().to_string();
        assert!(error.contains("Hash"), "{error}");
        assert_eq!(options.settings.hash_mb, 64, "a refused value changes nothing");
    }

    #[test]
    fn a_spec_sets_the_defaults() {
        let given = options("engine(hash=8,elo=1500,eval=material,guided=yes)");
        assert_eq!((given.elo(), given.evaluation.as_str()), (Some(1500), "material"));
        assert!(given.settings.hash_mb == 8 && given.settings.guide.is_some());
        assert_eq!(options("axon").evaluation, "axon", "what it plays by");
    }

    #[test]
    fn an_evaluation_has_the_options_of_the_agent_called_after_it() {
        let explained = |spec: &str| options(spec).evaluation_for(Color::Black).to_string();
        assert_eq!(explained("axiomx(depth=2,kernels=code)"), "axiomx(kernels=code)");
        assert_eq!(explained("axon(style=50,depth=2)"), "axon(style=50)");
        assert_eq!(explained("axon(contempt=20)"), "axon(contempt=20,side=black)");
        assert_eq!(explained("engine(eval=material)"), "material");
        let mut other = options("axiomx(kernels=code)");
        other.set("Evaluation", Some("axon")).unwrap();
        assert_eq!(other.evaluation_for(Color::White).to_string(), "axon");
    }

    #[test]
    fn every_declared_option_can_be_set_to_its_default() {
        let mut options = options("engine");
        for declared in options.declared().to_vec() {
            let value = match &declared.kind {
                OptionType::Check { default } => Some(default.to_string()),
                OptionType::Spin { default, .. } => Some(default.to_string()),
                OptionType::Combo { default, .. } | OptionType::String { default } => Some(default.clone()),
                OptionType::Button => None,
            };
            assert!(options.set(&declared.name, value.as_deref()).is_ok(), "{}", declared.name);
        }
    }
}
