//! Every number the search is tuned by, declared once: meaning, default and range.
//!
//! The search reads them from a [`Params`]; a tuner reads [`DECLARATIONS`] and writes with [`Params::set`]. Margins
//! are centipawns, depths are plies, reductions are in 1024ths of a ply, histories in their own units
//! (±[`crate::engine::history::HISTORY_LIMIT`]).

use std::collections::BTreeMap;

use tabia_core::spelling;

/// One tunable number.
#[derive(Copy, Clone, Debug)]
pub struct Declaration {
    pub name: &'static str,
    pub meaning: &'static str,
    /// What the search uses unless told otherwise.
    pub default: i32,
    pub min: i32,
    pub max: i32,
}

/// Why a parameter was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    #[error("the search has no parameter \"{0}\"{1}")]
    Unknown(String, String),
    #[error("search parameters must be a JSON object of integers, such as {{\"lmr_base\": 800}}: {0}")]
    Text(String),
    #[error("parameter \"{name}\" is {value}, outside {min} to {max}")]
    OutOfRange { name: &'static str, value: i32, min: i32, max: i32 },
}

impl Params {
    /// The default numbers with those changed that a JSON object names, as `tabia spsa` writes it.
    pub fn from_json(text: &str) -> Result<Params, ParamError> {
        let numbers: BTreeMap<String, i32> =
            serde_json::from_str(text).map_err(|error| ParamError::Text(error.to_string()))?;
        let mut params = Params::default();
        for (name, value) in numbers {
            params.set(&name, value)?;
        }
        Ok(params)
    }
}

macro_rules! params {
    ($($name:ident = $default:literal in $min:literal..=$max:literal, $meaning:literal;)*) => {
        /// The numbers the search is tuned by.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $(#[doc = $meaning] pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }

        /// All of them, in the order the search uses them.
        pub const DECLARATIONS: &[Declaration] = &[
            $(Declaration {
                name: stringify!($name), meaning: $meaning, default: $default, min: $min, max: $max,
            },)*
        ];

        impl Params {
            /// Sets one by name.
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
                let Some(declaration) = DECLARATIONS.iter().find(|known| known.name == name) else {
                    let hint = spelling::hint(name, DECLARATIONS.iter().map(|known| known.name));
                    return Err(ParamError::Unknown(name.to_owned(), hint));
                };
                let &Declaration { name, min, max, .. } = declaration;
                if !(min..=max).contains(&value) {
                    return Err(ParamError::OutOfRange { name, value, min, max });
                }
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => unreachable!("every declared parameter has its arm"),
                }
                Ok(())
            }

            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    aspiration_window = 14 in 4..=60, "half-width of the first window around the last score";
    aspiration_growth = 150 in 110..=300, "percent by which a failed window grows";

    razoring_depth = 4 in 1..=8, "deepest node that may drop straight into quiescence";
    razoring_base = 200 in 50..=500, "margin below alpha at depth 0";
    razoring_slope = 220 in 50..=500, "margin a ply of depth";

    reverse_futility_depth = 9 in 4..=14, "deepest node cut because the evaluation is far above beta";
    reverse_futility_slope = 78 in 30..=150, "margin a ply of depth";
    reverse_futility_improving = 70 in 0..=150, "margin taken off when the position improves";

    null_depth = 3 in 2..=5, "least depth at which passing is tried";
    null_base = 4 in 2..=6, "plies taken off a null-move search";
    null_divisor = 4 in 2..=8, "one more ply off for each so many of depth";
    null_evaluation = 85 in 60..=400, "one more ply off for each such margin above beta";
    null_slack = 10 in 0..=60, "centipawns a ply of depth that the evaluation itself may lie below beta";
    null_margin = 60 in 0..=250, "centipawns taken off that slack";
    null_evaluation_most = 6 in 1..=8, "most plies off for the margin";
    null_verify_depth = 14 in 8..=20, "from this depth on a cut-off by passing is verified";

    probcut_depth = 5 in 3..=8, "least depth for ProbCut";
    probcut_margin = 180 in 80..=350, "how far above beta a capture must stay";
    probcut_reduction = 4 in 3..=6, "plies taken off its search";

    iir_depth = 4 in 3..=8, "least depth at which a node without a table move is searched one ply less";

    late_move_base = 4 in 1..=10, "quiet moves tried at depth 0 before the rest is left out";
    late_move_depth = 10 in 4..=14, "deepest node that leaves late moves out";
    futility_depth = 12 in 4..=16, "deepest node that leaves hopeless quiet moves out";
    futility_base = 45 in 20..=250, "margin below alpha at depth 0";
    futility_slope = 62 in 30..=200, "margin a ply of reduced depth";
    history_prune_depth = 5 in 2..=8, "deepest node that leaves out quiet moves with a bad history";
    history_prune_slope = 2600 in 800..=6000, "history below minus this, a ply of depth, is bad";
    see_quiet_slope = 24 in 5..=60, "centipawns a quiet move may lose in exchanges, a squared ply of reduced depth";
    see_noisy_history = 32 in 8..=128, "capture history that makes up for a centipawn lost";
    see_noisy_slope = 95 in 30..=200, "centipawns a capture may lose in exchanges, a ply of depth";

    singular_depth = 7 in 5..=10, "least depth at which the table move is tested for being the only good one";
    singular_margin = 18 in 5..=50, "sixteenths of a centipawn below the table score, a ply of depth";
    double_extension_margin = 18 in 5..=60, "centipawns below the singular bound that earn a second ply";
    double_extensions_most = 8 in 2..=16, "double extensions on one line";
    check_depth = 10 in 4..=30, "least depth at which a check that loses nothing is searched a ply deeper";

    lmr_base = 830 in 300..=1600, "reduction of late quiet moves, constant part";
    lmr_slope = 430 in 250..=700, "reduction of late quiet moves, times ln(depth) ln(number)";
    lmr_noisy_base = 200 in -200..=900, "reduction of late captures, constant part";
    lmr_noisy_slope = 330 in 150..=600, "reduction of late captures, times ln(depth) ln(number)";
    lmr_cut_node = 1400 in 0..=2500, "more at nodes expected to be cut";
    lmr_not_improving = 700 in 0..=1600, "more when the position does not improve";
    lmr_table_noisy = 900 in 0..=1800, "more when the table move is a capture";
    lmr_pv = 1000 in 0..=2000, "less on or beside the principal variation";
    lmr_check = 900 in 0..=2000, "less for moves that give check";
    lmr_killer = 900 in 0..=2000, "less for killer moves";
    lmr_cutoffs = 800 in 0..=1600, "more when the replies were refuted often";
    lmr_history = 9000 in 4000..=20000, "history worth one ply";
    lmr_deeper = 42 in 10..=120, "centipawns above the best that earn a deeper re-search";

    history_bonus_slope = 150 in 60..=300, "history bonus a ply of depth";
    history_bonus_base = 60 in 0..=300, "taken off the bonus";
    history_bonus_most = 1700 in 800..=3000, "largest bonus";
    history_malus_slope = 140 in 60..=300, "history malus a ply of depth";
    history_malus_most = 1300 in 600..=3000, "largest malus";

    history_prior = 80 in 0..=200, "percent of the bonus for the move before a node where no move was good enough";
    history_evaluation = 32 in 0..=256, "history for a centipawn that a quiet move improves the evaluation by, 16ths";

    alpha_raised_most = 12 in 6..=20, "nodes below this depth give the rest one ply less once alpha was raised";

    quiescence_see = 20 in 0..=100, "centipawns a capture may lose in quiescence";
    quiescence_see_evasion = 80 in 0..=250, "centipawns an evasion may lose in quiescence";
    quiescence_most = 2 in 1..=8, "captures tried in quiescence before only checks and recaptures are";
    quiescence_futility = 130 in 40..=300, "a capture must promise to come this near alpha";

    correction_pawns = 56 in 0..=128, "weight of the pawn correction, 128ths";
    correction_minors = 40 in 0..=128, "weight of the minor-piece correction, 128ths";
    correction_pieces = 24 in 0..=128, "weight of each side's piece correction, 128ths";

    correction_replies = 40 in 0..=128, "weight of the correction by the last move, 128ths";

    time_base = 36 in 12..=60, "thousandths of the clock and of increments to come, spent on a move";
    time_moves = 45 in 0..=60, "increments to come that are counted";
    time_most = 60 in 20..=200, "thousandths of the clock spent on a move at most, besides its increment";
    time_increment = 70 in 40..=100, "percent of the increment spent on a move";
    time_hard = 45 in 15..=75, "percent of the clock never exceeded";
    time_hard_factor = 55 in 20..=100, "tenths: a move takes at most so many times its share";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_in_its_range_and_can_be_set_by_name() {
        let mut params = Params::default();
        for declaration in DECLARATIONS {
            params.set(declaration.name, declaration.default).unwrap();
        }
        assert_eq!(params, Params::default());
    }

    #[test]
    fn bad_names_and_values_are_refused_with_the_reason() {
        let mut params = Params::default();
        let error = params.set("lmr_bse", 1).unwrap_err().to_string();
        assert!(error.contains("did you mean \"lmr_base\"?"), "{error}");
        let error = params.set("null_depth", 99).unwrap_err().to_string();
        assert!(error.contains("outside 2 to 5"), "{error}");
        let error = |text: &str| Params::from_json(text).unwrap_err().to_string();
        assert!(error("[1]").contains("a JSON object of integers"));
        assert!(error("{\"null_depth\": 99}").contains("outside 2 to 5"));
    }

    #[test]
    fn a_file_changes_what_it_names() {
        let params = Params::from_json("{\"lmr_base\": 800}").unwrap();
        assert_eq!(params, Params { lmr_base: 800, ..Params::default() });
        assert_eq!((params.get("lmr_base"), params.get("nothing")), (Some(800), None));
    }
}
