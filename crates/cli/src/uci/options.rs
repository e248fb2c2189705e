//! The engine's UCI options: declared once, checked against the declaration, kept as typed values.

use std::time::Duration;

use tabia_core::AgentSpec;
use tabia_eval::family;
use tabia_search::engine::params::{self, Params};
use tabia_search::player::{LEAST_ELO, MOST_ELO};
use tabia_uci::option::find;
use tabia_uci::{OptionDecl, OptionError, OptionType, OptionValue};

/// What the options say now.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "UCI's check options are independent of one another")]
pub struct Options {
    declared: Vec<OptionDecl>,
    /// Transposition table in mebibytes.
    pub hash: usize,
    /// Threads.
    pub threads: usize,
    /// Lines to show.
    pub multi_pv: usize,
    /// Time lost on the way, each move.
    pub move_overhead: Duration,
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
    /// How much a draw is disliked.
    pub contempt: i32,
    /// Name of the evaluation.
    pub evaluation: String,
    /// A file of weights for it; empty for its own.
    pub weights: String,
    /// Decides random choices; 0 takes one from the clock.
    pub seed: u64,
    /// The numbers of the search; each is an option too when tuning.
    pub params: Params,
}

/// What else has to be done after an option was set.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The engine is set up anew before the next search.
    Settings,
    /// The table is to be emptied.
    ClearHash,
    /// Endgame tables are to be opened.
    Tables,
    /// The book is to be opened.
    Book,
}

impl Options {
    /// The options at first; a spec of the strong search (`engine(hash=64,eval=pst)`) sets their defaults.
    /// The numbers of the search begin as `params`; with `tune`, every one of them is an option too.
    pub fn new(spec: &AgentSpec, params: Params, tune: bool) -> Options {
        let number = |key: &str, default: i64| spec.get(key).and_then(|v| v.parse().ok()).unwrap_or(default);
        let evaluation = spec.get("eval").unwrap_or(family::STRONGEST).to_owned();
        let weights = spec.get("weights").unwrap_or_default().to_owned();
        let (hash, threads, lines) = (number("hash", 16), number("threads", 1), number("lines", 1));
        let (contempt, elo) = (number("contempt", 0), number("elo", MOST_ELO.into()));
        let limited = spec.get("elo").is_some();
        let spin =
            |name: &str, default, min, max| OptionDecl::new(name, OptionType::Spin { default, min, max });
        let check = |name: &str, default| OptionDecl::new(name, OptionType::Check { default });
        let text = |name: &str| OptionDecl::new(name, OptionType::String { default: String::new() });
        let mut declared = vec![
            spin("Hash", hash, 1, 65_536),
            OptionDecl::new("Clear Hash", OptionType::Button),
            spin("Threads", threads, 1, 512),
            spin("MultiPV", lines, 1, 256),
            check("Ponder", false),
            spin("Move Overhead", 10, 0, 5_000),
            check("UCI_Chess960", false),
            check("UCI_ShowWDL", false),
            check("UCI_LimitStrength", limited),
            spin("UCI_Elo", elo, LEAST_ELO.into(), MOST_ELO.into()),
            text("SyzygyPath"),
            check("OwnBook", false),
            text("BookFile"),
            spin("Contempt", contempt, -200, 200),
            OptionDecl::new(
                "Evaluation",
                OptionType::Combo {
                    default: evaluation.clone(),
                    vars: family::NAMES.iter().map(|name| (*name).to_owned()).collect(),
                },
            ),
            OptionDecl::new("Weights", OptionType::String { default: weights.clone() }),
            spin("Seed", number("seed", 0), 0, i64::MAX),
        ];
        if tune {
            declared.extend(params::DECLARATIONS.iter().map(|number| {
                let default = params.get(number.name).unwrap_or(number.default);
                spin(number.name, default.into(), number.min.into(), number.max.into())
            }));
        }
        Options {
            declared,
            hash: hash as usize,
            threads: threads as usize,
            multi_pv: lines as usize,
            move_overhead: Duration::from_millis(10),
            chess960: false,
            show_wdl: false,
            limit_strength: limited,
            elo: elo as u32,
            syzygy_path: String::new(),
            book_file: String::new(),
            own_book: false,
            contempt: contempt as i32,
            evaluation,
            weights,
            seed: number("seed", 0) as u64,
            params,
        }
    }

    /// The declarations, in the order `uci` shows them.
    pub fn declared(&self) -> &[OptionDecl] {
        &self.declared
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
            ("Hash", OptionValue::Spin(megabytes)) => self.hash = megabytes as usize,
            ("Threads", OptionValue::Spin(threads)) => self.threads = threads as usize,
            ("MultiPV", OptionValue::Spin(lines)) => self.multi_pv = lines as usize,
            ("Move Overhead", OptionValue::Spin(ms)) => {
                self.move_overhead = Duration::from_millis(ms as u64);
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
            ("Contempt", OptionValue::Spin(centipawns)) => self.contempt = centipawns as i32,
            ("Evaluation", OptionValue::Combo(name)) => self.evaluation = name,
            ("Weights", OptionValue::String(path)) => self.weights = path,
            ("Seed", OptionValue::Spin(seed)) => self.seed = seed as u64,
            ("Clear Hash", _) => return Ok(Change::ClearHash),
            (name, OptionValue::Spin(value)) => {
                // A number of the search: its range was checked with the declaration.
                let set = self.params.set(name, value as i32);
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
    use super::*;

    fn options() -> Options {
        Options::new(&AgentSpec::named("engine"), Params::default(), true)
    }

    #[test]
    fn names_are_found_in_any_case_and_values_are_checked() {
        let mut options = options();
        assert_eq!(options.set("hash", Some("64")), Ok(Change::Settings));
        assert_eq!(options.hash, 64);
        let error = options.set("Hash", Some("0")).unwrap_err().to_string();
        assert!(error.contains("1 to 65536"), "{error}");
        let error = options.set("Hsah", Some("1")).unwrap_err().to_string();
        assert!(error.contains("Hash"), "{error}");
        assert_eq!(options.hash, 64, "a refused value changes nothing");
    }

    #[test]
    fn a_spec_sets_the_defaults() {
        let options =
            Options::new(&"engine(hash=8,elo=1500,eval=material)".parse().unwrap(), Params::default(), false);
        assert_eq!((options.hash, options.elo(), options.evaluation.as_str()), (8, Some(1500), "material"));
    }

    #[test]
    fn every_declared_option_can_be_set_to_its_default() {
        let mut options = options();
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
