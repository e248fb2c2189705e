//! Generates labelled positions for fitness with Tabia's own engine.
//!
//! A position is taken from a self-play game and searched longer; the label is the best move (`bm`) and the score (`ce`, in
//! centipawns for the side to move). Only quiet positions are taken (no check, the best move neither captures nor promotes), near
//! enough to equal that the choice matters: there evaluation decides, not calculation.

use rand::Rng;
use shakmaty::Position;
use shakmaty::san::San;
use tabia_core::{Agent, AgentError, ChessGame, Game, Limits, Stop, seed};

use crate::game;
use crate::settings::OpeningSettings;

/// Largest number of plies after the opening at which a position is taken.
const LONGEST: u32 = 90;
/// Positions with a larger absolute score are skipped.
const DECIDED_CP: i32 = 500;
/// Games tried for one position.
const ATTEMPTS: u64 = 50;

/// The position with this number as an EPD line, determined by the seed. `None` if stopped, or if no game had a suitable position.
pub fn position(
    engine: &mut dyn Agent<ChessGame>,
    opening: &OpeningSettings,
    nodes: u64,
    seed: u64,
    number: u64,
    stop: &Stop,
) -> Result<Option<String>, AgentError> {
    for attempt in 0..ATTEMPTS {
        let own = seed::derive(seed::derive(seed, number), attempt);
        let found = try_position(engine, opening, nodes, own, stop)?;
        if stop.is_stopped() {
            return Ok(None);
        }
        if let Some((game, best, score_cp)) = found {
            let fen = game.fen();
            let four: Vec<&str> = fen.split(' ').take(4).collect();
            return Ok(Some(format!("{} bm {best}; ce {score_cp}; id \"{number}\";", four.join(" "))));
        }
    }
    Ok(None)
}

fn try_position(
    engine: &mut dyn Agent<ChessGame>,
    opening: &OpeningSettings,
    nodes: u64,
    seed: u64,
    stop: &Stop,
) -> Result<Option<(ChessGame, String, i32)>, AgentError> {
    let mut game = game::opening(engine, opening, seed, stop)?;
    let plies = seed::random(seed).random_range(0..LONGEST);
    for _ in 0..plies {
        if game.outcome().is_some() || stop.is_stopped() {
            return Ok(None);
        }
        let chosen = engine.choose(&game, &Limits::depth(opening.depth), stop, &mut |_| {})?;
        game.apply(chosen);
    }
    if game.outcome().is_some() || game.position().is_check() || game.position().legal_moves().len() < 2 {
        return Ok(None);
    }
    engine.new_game();
    let mut score_cp = None;
    // Without the game's history, which readers of the label do not have.
    let without_history = ChessGame::from_position(game.position().clone(), game.mode());
    let best = engine.choose(&without_history, &Limits::nodes(nodes), stop, &mut |info| {
        score_cp = Some(info.score.raw());
    })?;
    let quiet = !best.is_capture() && !best.is_promotion();
    let score_cp = score_cp.filter(|worth| worth.abs() <= DECIDED_CP && quiet);
    Ok(score_cp.map(|worth| (game.clone(), San::from_move(game.position(), best).to_string(), worth)))
}
