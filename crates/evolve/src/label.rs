//! Positions to measure fitness by, made and labelled by an engine of our own.
//!
//! A position is taken from somewhere in a game that the engine plays against itself; then it thinks longer, and what it would play
//! (`bm`) and what it thinks of it (`ce`, centipawns for the side to move) is the label. Only quiet positions are taken (nobody in check, the best move
//! neither captures nor promotes), near enough to even that it matters what is played: there evaluation decides, not calculation.

use rand::Rng;
use shakmaty::Position;
use shakmaty::san::San;
use tabia_core::{Agent, AgentError, ChessGame, Game, Limits, Stop, seed};

use crate::game;
use crate::settings::OpeningSettings;

/// Half-moves after the opening, at most, that a position is taken from.
const LONGEST: u32 = 90;
/// Positions worth more than this to a side are left out.
const DECIDED_CP: i32 = 500;
/// How many games are tried for one position.
const ATTEMPTS: u64 = 50;

/// The position of a number as a line of EPD: the same for the same seed, whoever makes it. None when it was stopped, or when no
/// game had a position that fits.
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
        if let Some((game, best, worth_cp)) = found {
            let fen = game.fen();
            let four: Vec<&str> = fen.split(' ').take(4).collect();
            return Ok(Some(format!("{} bm {best}; ce {worth_cp}; id \"{number}\";", four.join(" "))));
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
    let mut worth_cp = None;
    // From the position alone: whoever reads the label knows no moves before it.
    let bare = ChessGame::from_position(game.position().clone(), game.mode());
    let best = engine.choose(&bare, &Limits::nodes(nodes), stop, &mut |thought| {
        worth_cp = Some(thought.score.raw());
    })?;
    let quiet = !best.is_capture() && !best.is_promotion();
    let worth_cp = worth_cp.filter(|worth| worth.abs() <= DECIDED_CP && quiet);
    Ok(worth_cp.map(|worth| (game.clone(), San::from_move(game.position(), best).to_string(), worth)))
}
