//! The seeds' own engines: their evaluations on the textbook search, with the settings they name.
//!
//! Seed 000 names everything. Seed 002 gives an evaluation and asks for a quiescence search before it; seed 003
//! gives plain alpha-beta and plays its tests at depth 4. Where a seed is silent, the plainest setting is taken.

use shakmaty::{Color, Move, Square};
use tabia_core::{
    Agent, AgentEntry, AgentError, CatalogueError, ChessGame, Limits, OptionEntry, OptionKind, Options,
    SearchInfo, Stop,
};
use tabia_eval::axiomx::Axiomx;
use tabia_eval::axiomx_speed::AxiomxSpeed;
use tabia_eval::axon::Axon;
use tabia_eval::chromosome::Chromosome;
use tabia_eval::tuning::Tunable;
use tabia_eval::{View, registry};

use super::{ReadText, option, weights_option, weights_text};
use crate::classic::{Classic, Settings, SquareValueFn};
use crate::engine;
use crate::player::{EnginePlayer, OwnLimits};

/// Deepest search that the textbook agents offer.
const DEEPEST: i64 = 8;
/// The same for a chromosome, which may have the strong search.
const DEEPEST_STRONG: i64 = 30;

/// Seed 003's search: plain alpha-beta, at the depth of its tests. Captures beyond are an option of ours.
const CHROMOSOME: Settings = Settings { depth: 4, ..Settings::ALPHABETA };

fn depth(default: &'static str) -> OptionEntry {
    option("depth", OptionKind::Integer { min: 1, max: DEEPEST }, default, "plies to look ahead")
}

fn with_depth(settings: Settings, options: &Options) -> Settings {
    let depth = options.integer("depth").and_then(|depth| u32::try_from(depth).ok());
    Settings { depth: depth.unwrap_or(settings.depth), ..settings }
}

/// Seed 000, version 1.0.
pub fn axiomx_speed() -> AgentEntry<ChessGame> {
    AgentEntry {
        name: "axiomx-speed",
        summary: "seed 000's first engine: piece-square tables at depth 3",
        options: vec![depth("3")],
        build: Box::new(|options| {
            let settings = with_depth(Settings::AXIOMX_SPEED, options);
            Ok(Box::new(Classic::new(AxiomxSpeed, settings)))
        }),
    }
}

/// Seed 000, version 2.0, with the extensions of its §10.
pub fn axiomx(read: ReadText) -> AgentEntry<ChessGame> {
    AgentEntry {
        name: "axiomx",
        summary: "seed 000's second engine: gradient fields of influence at depth 3 and captures beyond",
        options: [depth("3")]
            .into_iter()
            .chain(registry::options::AXIOMX.iter().cloned())
            .chain([
                option("guided", OptionKind::Switch, "off", "try moves towards better control first"),
                weights_option(),
            ])
            .collect(),
        build: Box::new(move |options| {
            let evaluation = Axiomx::new(&registry::options::axiomx(options)?);
            let evaluation = with_weights(evaluation, options, &read)?;
            let settings = with_depth(Settings::AXIOMX, options);
            let guide = evaluation.clone();
            let mut agent = Classic::new(evaluation, settings);
            if options.switch("guided") {
                agent = agent.with_square_values(control_square_values(guide));
            }
            Ok(Box::new(agent))
        }),
    }
}

/// Seed 000's control field as a guide for the ordering of quiet moves (§10.5).
pub fn control_square_values(field: Axiomx) -> SquareValueFn {
    Box::new(move |view| control_for_side_to_move(&field, view))
}

/// The control field as the side to move sees it.
pub(super) fn control_for_side_to_move(field: &Axiomx, view: View<'_>) -> [i32; 64] {
    let control = field.control(view);
    std::array::from_fn(|index| {
        let white = control.at(Square::new(index as u32));
        view.turn.fold_wb(white, -white)
    })
}

/// Seed 002.
pub fn axon(read: ReadText) -> AgentEntry<ChessGame> {
    AgentEntry {
        name: "axon",
        summary: "seed 002's evaluation: symmetric, master knowledge, captures played out first",
        options: [depth("3")]
            .into_iter()
            .chain(registry::options::AXON.iter().cloned())
            .chain([weights_option()])
            .collect(),
        build: Box::new(move |options| {
            let contempt = options.integer("contempt").unwrap_or(0) as i32;
            let settings = Settings { contempt, ..with_depth(Settings::AXON, options) };
            let playing = |color| {
                let axon = Axon::new(registry::options::axon(options, Some(color)));
                with_weights(axon, options, &read).map(|axon| Classic::new(axon, settings))
            };
            Ok(Box::new(AxonAgent { white: playing(Color::White)?, black: playing(Color::Black)? }))
        }),
    }
}

/// Contempt depends on which side one is on, so there is one search for each.
struct AxonAgent {
    white: Classic<Axon>,
    black: Classic<Axon>,
}

impl Agent<ChessGame> for AxonAgent {
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, AgentError> {
        let search = match game.side_to_move() {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        };
        search.choose(game, limits, stop, report)
    }

    fn new_game(&mut self) {
        self.white.new_game();
        self.black.new_game();
    }
}

/// An evaluation with the weights of the file that options name, if they name one.
fn with_weights<E: Tunable>(evaluation: E, options: &Options, read: &ReadText) -> Result<E, CatalogueError> {
    let Some(text) = weights_text(options, read)? else { return Ok(evaluation) };
    let path = options.text("weights").unwrap_or_default();
    evaluation.with_file(&text).map_err(|error| options.refuse(format_args!("{path}: {error}")))
}

/// Seed 003, its weights from a file.
pub fn chromosome(read: ReadText) -> AgentEntry<ChessGame> {
    AgentEntry {
        name: "chromosome",
        summary: "seed 003's evaluation: 402 weights, evolved or as they start, on plain alpha-beta",
        options: vec![
            option(
                "depth",
                OptionKind::Integer { min: 1, max: DEEPEST_STRONG },
                "4",
                "plies to look ahead; the plain search is slow beyond 6",
            ),
            option(
                "weights",
                OptionKind::Text,
                "",
                "a file of weights; without one, the centre of the first generation",
            ),
            option(
                "search",
                OptionKind::Choice(&["plain", "engine"]),
                "plain",
                "the seed's alpha-beta, or the strong search",
            ),
            option(
                "quiescence",
                OptionKind::Integer { min: 0, max: 16 },
                "0",
                "plies of captures beyond the depth; 0 is none, as the seed has it",
            ),
            option(
                "checks",
                OptionKind::Integer { min: 0, max: 16 },
                "0",
                "plies that a line is lengthened for checks at most; 0 is none, as the seed has it",
            ),
        ],
        build: Box::new(move |options| {
            let evaluation = with_weights(Chromosome::default(), options, &read)?;
            if options.text("search") == Some("engine") {
                let depth = options.integer("depth").and_then(|depth| u32::try_from(depth).ok());
                let limits = OwnLimits { depth, nodes: None };
                return Ok(Box::new(EnginePlayer::new(evaluation, engine::Settings::default(), limits)));
            }
            let plies =
                |name: &str| options.integer(name).and_then(|plies| u32::try_from(plies).ok()).unwrap_or(0);
            let (quiescence, checks) = (plies("quiescence"), plies("checks"));
            let settings = Settings { quiescence, checks, ..with_depth(CHROMOSOME, options) };
            Ok(Box::new(Classic::new(evaluation, settings)))
        }),
    }
}
