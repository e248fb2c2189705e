//! Evaluations by name: the list that specs, the command line and the page choose from.
//!
//! There are two ways from a name to an evaluation. [`AnyEvaluation`] is an enum over all of them and dispatches on each
//! call: for explaining a position, where a branch costs nothing. [`with_named`] passes the evaluation to a [`Visitor`]
//! as its own type: a search built there is monomorphised for it, without a branch inside.
//!
//! An evaluation is registered by one line in the list below, with its default options and learned weights
//! (`docs/learning.md`); [`AnyEvaluation::from_text`] reads options. [`with_weights`] gives those that can be trained
//! the weights of a file.

pub mod options;

use tabia_core::Score;

use crate::axiomx::Axiomx;
use crate::axiomx_speed::AxiomxSpeed;
use crate::axon::Axon;
use crate::chromosome::Chromosome;
use crate::evaluate::Evaluate;
use crate::explain::Explanation;
use crate::field::{self, FieldEval};
use crate::nnue::{self, Nnue};
use crate::pst::Pst;
use crate::simple::{Aggressive, MatMob, Material};
use crate::tuning::Tunable;
use crate::view::View;
use crate::weights_file::FileError;

/// A computation with an evaluation of whatever type a name stands for.
///
/// ```
/// use tabia_eval::registry::{self, Visitor};
/// use tabia_eval::{Evaluate, View};
///
/// struct Evaluated<'a>(View<'a>);
///
/// impl Visitor for Evaluated<'_> {
///     type Output = i32;
///
///     fn visit<E: Evaluate + 'static>(self, mut evaluation: E) -> i32 {
///         evaluation.evaluate(self.0).raw()
///     }
/// }
///
/// let start = shakmaty::Chess::default();
/// assert_eq!(registry::with_named("material", Evaluated(View::from(&start))), Some(0));
/// assert_eq!(registry::with_named("nonsense", Evaluated(View::from(&start))), None);
/// ```
pub trait Visitor {
    type Output;

    fn visit<E: Evaluate + 'static>(self, evaluation: E) -> Self::Output;
}

macro_rules! evaluations {
    ($($kind:ident { $($name:literal => $make:expr),+ $(,)? })+) => {
        /// The names of all evaluations.
        pub const NAMES: &[&str] = &[$($($name),+),+];

        #[derive(Clone, Debug)]
        pub enum AnyEvaluation {
            $(
                #[doc = concat!($("`", $name, "` "),+)]
                $kind($kind),
            )+
        }

        impl AnyEvaluation {
            /// The evaluation of a name.
            pub fn named(name: &str) -> Option<AnyEvaluation> {
                match name {
                    $($($name => Some(AnyEvaluation::$kind($make)),)+)+
                    _ => None,
                }
            }

            /// Passes the evaluation to a visitor as its own type.
            pub fn accept<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(AnyEvaluation::$kind(evaluation) => visitor.visit(evaluation),)+
                }
            }
        }

        impl Evaluate for AnyEvaluation {
            fn evaluate(&mut self, view: View<'_>) -> Score {
                match self {
                    $(AnyEvaluation::$kind(evaluation) => evaluation.evaluate(view),)+
                }
            }

            fn explain(&self, view: View<'_>) -> Explanation {
                match self {
                    $(AnyEvaluation::$kind(evaluation) => evaluation.explain(view),)+
                }
            }
        }
    };
}

evaluations! {
    Material { "material" => Material }
    MatMob { "mat_mob" => MatMob }
    Aggressive { "aggressive" => Aggressive }
    Pst { "pst" => Pst }
    AxiomxSpeed { "axiomx-speed" => AxiomxSpeed }
    Axiomx { "axiomx" => Axiomx::default(), "axiomx-learned" => Axiomx::learned() }
    Axon { "axon" => Axon::default(), "axon-learned" => Axon::learned() }
    Chromosome { "chromosome" => Chromosome::default(), "chromosome-learned" => Chromosome::learned() }
    FieldEval { "field" => FieldEval::default() }
    Nnue { "nnue" => Nnue::default() }
}

/// Passes the evaluation of a name to a visitor as its own type; `None` for an unknown name.
pub fn with_named<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
    AnyEvaluation::named(name).map(|evaluation| evaluation.accept(visitor))
}

/// A computation with an evaluation that can be trained.
pub trait TunableVisitor {
    type Output;

    fn visit<E: Tunable + Sync + 'static>(self, evaluation: E) -> Self::Output;
}

/// Names of the evaluations that can be trained by gradient descent in `tune::descent`.
pub const TUNABLE: &[&str] = &["axiomx", "axon", "chromosome", "field"];
pub const NETWORK: &str = "nnue";
/// Names of all evaluations whose weights can come from a file.
pub const WEIGHTED: &[&str] = &["axiomx", "axon", "chromosome", "field", NETWORK];

/// Passes the evaluation of a name with its initial parameters to a visitor; `None` if it cannot be trained.
pub fn with_tunable<L: TunableVisitor>(name: &str, learner: L) -> Option<L::Output> {
    match name {
        "axiomx" => Some(learner.visit(Axiomx::default())),
        "axon" => Some(learner.visit(Axon::default())),
        "chromosome" => Some(learner.visit(Chromosome::default())),
        "field" => Some(learner.visit(FieldEval::with_weights(field::Weights::initial()))),
        _ => None,
    }
}

/// Why an evaluation cannot take some weights.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    #[error("the evaluation \"{0}\" has no weights to set; these have: {known}", known = WEIGHTED.join(", "))]
    NotTunable(String),
    /// The text is not a weight file of this evaluation.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Passes the evaluation of a name, with the weights of a file's text, to a visitor.
///
/// ```
/// use tabia_core::Score;
/// use tabia_eval::registry::{self, Visitor, WeightsError};
/// use tabia_eval::{Evaluate, View};
///
/// struct AtTheStart;
///
/// impl Visitor for AtTheStart {
///     type Output = Score;
///
///     fn visit<E: Evaluate + 'static>(self, mut evaluation: E) -> Score {
///         evaluation.evaluate(View::from(&shakmaty::Chess::default()))
///     }
/// }
///
/// let error = registry::with_weights("material", "{}", AtTheStart).unwrap_err();
/// assert!(matches!(error, WeightsError::NotTunable(_)));
/// ```
pub fn with_weights<V: Visitor>(name: &str, text: &str, visitor: V) -> Result<V::Output, WeightsError> {
    struct Reading<'a, V>(&'a str, V);

    impl<V: Visitor> TunableVisitor for Reading<'_, V> {
        type Output = Result<V::Output, FileError>;

        fn visit<E: Tunable + Sync + 'static>(self, evaluation: E) -> Self::Output {
            Ok(self.1.visit(evaluation.with_file(self.0)?))
        }
    }

    if name == NETWORK {
        return Ok(visitor.visit(Nnue::new(nnue::file::read(text)?)));
    }
    let read = with_tunable(name, Reading(text, visitor));
    Ok(read.ok_or_else(|| WeightsError::NotTunable(name.to_owned()))??)
}

/// The evaluation that a weight file says it is for, such as `field` for the format `tabia-field/4`.
pub fn evaluation_of(text: &str) -> Option<&'static str> {
    #[derive(serde::Deserialize)]
    struct Head {
        format: String,
    }

    let Head { format } = serde_json::from_str(text).ok()?;
    let (name, _version) = format.strip_prefix("tabia-")?.split_once('/')?;
    WEIGHTED.iter().copied().find(|known| *known == name)
}

/// The strongest evaluation on `engine`, by matches (`docs/evaluations.md`); the default.
pub const STRONGEST: &str = NETWORK;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    struct ScoreOf<'a>(View<'a>);

    impl Visitor for ScoreOf<'_> {
        type Output = Score;

        fn visit<E: Evaluate + 'static>(self, mut evaluation: E) -> Score {
            evaluation.evaluate(self.0)
        }
    }

    #[test]
    fn a_weight_file_says_which_evaluation_it_is_for() {
        let of = |format: &str| evaluation_of(&format!("{{\"note\": \"x\", \"format\": \"{format}\"}}"));
        assert_eq!([of(field::file::FORMAT), of(nnue::file::FORMAT)], [Some("field"), Some(NETWORK)]);
        // Another version is for the same evaluation.
        assert_eq!(of("tabia-axon/99"), Some("axon"));
        assert_eq!([of("tabia-replay/1"), of("axon/1"), evaluation_of("{}")], [None; 3]);
    }

    #[test]
    fn both_ways_from_a_name_lead_to_the_same_evaluation() {
        let position = testing::random_position(1);
        let view = View::from(&position);
        for name in NAMES {
            let mut any = AnyEvaluation::named(name).unwrap();
            assert_eq!(Some(any.evaluate(view)), with_named(name, ScoreOf(view)), "{name}");
            assert_eq!(any.explain(view).sum(), any.evaluate(view).raw(), "{name}");
        }
    }

    #[test]
    fn the_strongest_is_one_of_them() {
        assert!(NAMES.contains(&STRONGEST));
    }

    #[test]
    fn names_are_distinct_and_others_mean_nothing() {
        for (index, name) in NAMES.iter().enumerate() {
            assert!(!NAMES[..index].contains(name), "{name}");
        }
        assert!(AnyEvaluation::named("nonsense").is_none());
    }
}
