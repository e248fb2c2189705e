//! The extensions of §10, each on against all off: nodes, and games.

use shakmaty::fen::Fen;
use shakmaty::{Color, EnPassantMode, Position};
use tabia_arena::tournament::Format;
use tabia_core::ChessGame;
use tabia_eval::axiomx::Axiomx;
use tabia_evolve::positions::{self as labelled, BUILT_IN};
use tabia_search::agents;
use tabia_search::classic::{Classic, Settings};

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::rating::{entrant, play_match};
use crate::searches::search_by;
use crate::step::Findings;

/// What is switched on, and where the seed proposes it.
const EXTENSIONS: [(&str, &str); 5] = [
    (
        "learned kernels (§10.1)",
        "alphabeta(eval=axiomx-learned,depth=3,quiescence=4,ordering=seed000,killers=on,table=200000)",
    ),
    ("multiscale (§10.2)", "axiomx(multiscale=3,5,7,9)"),
    ("attention (§10.3)", "axiomx(attention=on)"),
    ("phase (§10.4)", "axiomx(phase=on)"),
    ("guided (§10.5)", "axiomx(guided=on)"),
];

/// Plays each against the plain engine.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let games = work.extent.of(2, 20, 200);
    let rows = work.extent.of(1, EXTENSIONS.len(), EXTENSIONS.len());
    let mut figures = Vec::new();
    for (name, spec) in &EXTENSIONS[EXTENSIONS.len() - rows..] {
        let agents = vec![entrant(spec), entrant("axiomx")];
        let Some(played) = play_match(agents, Format::RoundRobin, games, work)? else { return Ok(None) };
        let summary = &played.result.summary;
        figures.push(
            Figure::new(format!("{name}: points"), "%")
                .ours(100.0 * summary.point_share.unwrap_or(f64::NAN))
                .more_is_better(),
        );
        figures.push(
            Figure::new(format!("{name}: over `axiomx`"), "Elo")
                .ours(summary.estimate.elo.unwrap_or(f64::NAN))
                .error(summary.estimate.elo_error_95)
                .more_is_better(),
        );
    }
    let Some(nodes) = guided_nodes(work)? else { return Ok(None) };
    figures.extend(nodes);
    Ok(Some(Findings {
        how: format!(
            "Each extension alone against `axiomx` without any, {games} games from the built-in openings with both colours, both at depth 3. \
             Guided ordering is also compared by nodes, on built-in quiet positions of `tabia evolve` and on the same positions with colours swapped."
        ),
        figures,
        notes: vec!["The seed proposes them as future work and gives no numbers.".to_owned()],
        ..Findings::default()
    }))
}

/// What guided ordering saves at roots of either colour: the same positions, and their colours swapped.
fn guided_nodes(work: &mut StepContext<'_>) -> Interruptible<Vec<Figure>> {
    let most = work.extent.of(4, 100, 600);
    let positions: Vec<ChessGame> = labelled::read(BUILT_IN, 0)?
        .iter()
        .take(most)
        .map(|position| ChessGame::from_fen(&position.fen))
        .collect::<Result<_, _>>()?;
    let mut figures = Vec::new();
    for color in [Color::White, Color::Black] {
        let games: Vec<ChessGame> =
            positions.iter().map(|game| with_side_to_move(game, color)).collect::<Result<_, _>>()?;
        let plain = || Classic::new(Axiomx::default(), Settings::AXIOMX);
        let guided = || plain().with_square_values(agents::control_square_values(Axiomx::default()));
        let Some(without) = search_by(plain, &games, work)? else { return Ok(None) };
        let Some(with) = search_by(guided, &games, work)? else { return Ok(None) };
        let saved = 100.0 * (with.nodes() / without.nodes() - 1.0);
        figures
            .push(Figure::new(format!("guided (§10.5): nodes, {color} to move"), "%").ours(saved).compared());
    }
    Ok(Some(figures))
}

/// The position itself where a colour is to move, else its colour swap.
fn with_side_to_move(game: &ChessGame, color: Color) -> Result<ChessGame, ReproduceError> {
    if game.side_to_move() == color {
        return Ok(game.clone());
    }
    let mut setup = game.position().to_setup(EnPassantMode::Legal);
    setup.mirror();
    let fen = Fen::try_from_setup(setup).expect("a position that was read can be written");
    Ok(ChessGame::from_fen(&fen.to_string())?)
}
