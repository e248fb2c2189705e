//! Options of evaluations: `axiomx(kernels=code,multiscale=on)`, `axon(style=50)`.
//!
//! Each is declared once. Agents that play with an evaluation take the same options, and so do commands and
//! requests that only look at one.

use shakmaty::Color;
use tabia_core::{AgentSpec, CatalogueError, OptionEntry, OptionKind, Options};

use super::{AnyEvaluation, NAMES};
use crate::axiomx::{self, Axiomx, Kernels, OpeningMoves, PassedPawns, Scales};
use crate::axon::{self, Axon};
use crate::nnue::{self, Nnue};
use crate::tuning::Tunable;
use crate::weights_file::FileError;

const fn option(
    key: &'static str,
    kind: OptionKind,
    default: &'static str,
    help: &'static str,
) -> OptionEntry {
    OptionEntry { key, kind, default, help }
}

/// What `axiomx` can be built with.
pub const AXIOMX: &[OptionEntry] = &[
    option("kernels", OptionKind::Choice(&["doc", "code"]), "doc", "kernels of the text or of the code"),
    option(
        "multiscale",
        OptionKind::Subset(&["3", "5", "7", "9"]),
        "off",
        "kernel sizes to mix, such as 3,5,7,9; on is all four",
    ),
    option("attention", OptionKind::Switch, "off", "weigh pieces by how far they reach"),
    option("phase", OptionKind::Switch, "off", "kernels that change towards the endgame"),
    option(
        "opening",
        OptionKind::Choice(&["14", "15"]),
        "14",
        "the last move in which opening terms count: t < 15, or the first 15 moves",
    ),
    option(
        "passed",
        OptionKind::Choice(&["ahead", "beside"]),
        "ahead",
        "a passed pawn has no enemy pawn ahead, or none ahead and beside, as the formula is printed",
    ),
];

/// What `axon` can be built with.
pub const AXON: &[OptionEntry] = &[
    option(
        "contempt",
        OptionKind::Integer { min: -200, max: 200 },
        "0",
        "how much a draw is disliked, in centipawns",
    ),
    option("style", OptionKind::Integer { min: -100, max: 100 }, "0", "from positional to attacking"),
];

/// Whose contempt it is, where nobody plays.
const AXON_SIDE: OptionEntry =
    option("side", OptionKind::Choice(&["white", "black"]), "white", "the side that contempt counts for");

/// The options of the evaluation of a name; none for most.
pub fn entries(name: &str) -> Vec<OptionEntry> {
    match name {
        "axiomx" => AXIOMX.to_vec(),
        "axon" => AXON.iter().cloned().chain([AXON_SIDE]).collect(),
        _ => Vec::new(),
    }
}

/// `axiomx` as its options describe it.
pub fn axiomx(options: &Options) -> Result<axiomx::Options, CatalogueError> {
    let multiscale = match options.text("multiscale") {
        None | Some("" | "off") => None,
        Some("on") => Some(Scales::default()),
        Some(sizes) => Some(sizes.parse().map_err(|why| options.refuse(why))?),
    };
    let is = |key: &str, value: &str| options.text(key) == Some(value);
    Ok(axiomx::Options {
        kernels: if is("kernels", "code") { Kernels::Code } else { Kernels::Doc },
        multiscale,
        attention: options.switch("attention"),
        phase: options.switch("phase"),
        opening_moves: if is("opening", "15") { OpeningMoves::Fifteen } else { OpeningMoves::Fourteen },
        passed_pawns: if is("passed", "beside") { PassedPawns::NoneBeside } else { PassedPawns::NoneAhead },
    })
}

/// `axon` as its options describe it, playing for a side.
pub fn axon(options: &Options, engine_side: Option<Color>) -> axon::Options {
    let number = |key: &str| options.integer(key).unwrap_or(0) as i32;
    axon::Options { contempt: number("contempt"), style: number("style"), engine_side }
}

impl AnyEvaluation {
    /// The evaluation that a text names, with its options.
    ///
    /// ```
    /// use tabia_eval::AnyEvaluation;
    ///
    /// assert!(AnyEvaluation::from_text("axiomx(kernels=code,multiscale=on)").is_ok());
    /// let error = AnyEvaluation::from_text("axiomx(kernel=code)").unwrap_err().to_string();
    /// assert!(error.contains("did you mean \"kernels\"?"), "{error}");
    /// ```
    pub fn from_text(text: &str) -> Result<AnyEvaluation, CatalogueError> {
        let spec: AgentSpec = text.parse()?;
        let Some(name) = NAMES.iter().find(|name| **name == spec.name) else {
            return Err(CatalogueError::unknown("evaluation", &spec.name, NAMES.iter().copied()));
        };
        let options = Options::new(name, &entries(name), &spec)?;
        match *name {
            "axiomx" => Ok(AnyEvaluation::Axiomx(Axiomx::new(&axiomx(&options)?))),
            "axon" => {
                let black = options.text("side") == Some("black");
                let side = if black { Color::Black } else { Color::White };
                Ok(AnyEvaluation::Axon(Axon::new(axon(&options, Some(side)))))
            }
            name => Ok(AnyEvaluation::named(name).expect("every listed name has an evaluation")),
        }
    }

    /// The same evaluation with the weights of a file's text; nothing if it has no weights to set.
    pub fn with_file(&self, text: &str) -> Result<Option<AnyEvaluation>, FileError> {
        Ok(Some(match self {
            AnyEvaluation::Axiomx(axiomx) => AnyEvaluation::Axiomx(axiomx.with_file(text)?),
            AnyEvaluation::Axon(axon) => AnyEvaluation::Axon(axon.with_file(text)?),
            AnyEvaluation::Chromosome(genes) => AnyEvaluation::Chromosome(genes.with_file(text)?),
            AnyEvaluation::FieldEval(field) => AnyEvaluation::FieldEval(field.with_file(text)?),
            AnyEvaluation::Nnue(_) => AnyEvaluation::Nnue(Nnue::new(nnue::file::read(text)?)),
            _ => return Ok(None),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluate, View, testing};

    fn score(text: &str, fen: &str) -> i32 {
        let position = testing::position(fen);
        AnyEvaluation::from_text(text).unwrap().evaluate(View::from(&position)).raw()
    }

    const ITALIAN: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 5";

    #[test]
    fn a_name_alone_is_the_evaluation_of_that_name() {
        for name in NAMES {
            let position = testing::random_position(3);
            let view = View::from(&position);
            let mut plain = AnyEvaluation::named(name).unwrap();
            let mut with_defaults = AnyEvaluation::from_text(name).unwrap();
            assert_eq!(with_defaults.evaluate(view), plain.evaluate(view), "{name}");
        }
    }

    #[test]
    fn every_option_changes_what_is_seen() {
        let middlegame = "r4rk1/1bp1qppp/p2p1n2/1p2p3/4P3/1BNP1Q1P/PPP2PP1/R4RK1 w - - 0 15";
        let rams = "4k3/8/8/2pP4/8/8/8/4K3 w - - 0 40";
        for (text, fen) in [
            ("axiomx(kernels=code)", ITALIAN),
            ("axiomx(multiscale=on)", ITALIAN),
            ("axiomx(multiscale=3,5)", ITALIAN),
            ("axiomx(attention=on)", middlegame),
            ("axiomx(phase=on)", middlegame),
            ("axiomx(opening=15)", middlegame),
            ("axiomx(passed=beside)", rams),
            ("axon(style=100)", middlegame),
            ("axon(contempt=50)", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1"),
        ] {
            let name = text.split('(').next().unwrap();
            assert_ne!(score(text, fen), score(name, fen), "{text}");
        }
        assert_eq!(score("axiomx(multiscale=on)", ITALIAN), score("axiomx(multiscale=3,5,7,9)", ITALIAN));
    }

    #[test]
    fn options_that_do_not_exist_are_answered_with_those_that_do() {
        let refused = |text: &str| AnyEvaluation::from_text(text).unwrap_err().to_string();
        let error = refused("axon(kernels=code)");
        assert!(error.contains("contempt") && error.contains("style"), "{error}");
        let error = refused("material(depth=3)");
        assert!(error.contains("\"material\" has no option \"depth\""), "{error}");
        let error = refused("axiom");
        assert!(error.contains("did you mean \"axiomx\"?"), "{error}");
        let error = refused("axiomx(multiscale=0)");
        assert!(error.contains("3, 5, 7, 9"), "{error}");
    }
}
