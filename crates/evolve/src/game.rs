//! Games of a chromosome: opening, play and fitness (seed 003 §III.B.5).

use std::ops::ControlFlow;

use rand::Rng;
use shakmaty::{Board, Color, Move, Position, Role};
use tabia_core::play::{self, Players, Unfinished};
use tabia_core::{Agent, AgentError, ChessGame, Game, Limits, Outcome, Reason, Stop, seed};

use crate::settings::OpeningSettings;

/// Fitness of a win.
pub const WIN: f64 = 1000.0;
/// Fitness of an immediate loss; every ply of delay adds one.
pub const LOSS: f64 = -1000.0;

/// Openings with a larger absolute score are rejected.
const LEVEL_CP: i32 = 100;
/// Openings tried before the last one is accepted.
const ATTEMPTS: u64 = 20;

/// A finished game from the chromosome's perspective.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedGame {
    /// Its points: 1, 0.5 or 0.
    pub points: f64,
    /// Half-moves played after the opening.
    pub plies: u32,
    /// Its material less the other side's, in pawns.
    pub material: i32,
    /// All moves, those of the opening first, as UCI writes them.
    pub moves: String,
}

impl FinishedGame {
    /// A finished game from one side's perspective.
    pub fn of(game: &ChessGame, points: f64, plies: u32, color: Color) -> FinishedGame {
        let moves: Vec<String> = game.moves().iter().map(|m| game.write_move(*m)).collect();
        FinishedGame {
            points,
            plies,
            material: material(game.position().board(), color),
            moves: moves.join(" "),
        }
    }

    /// 1000 for a win, material balance for a draw, −1000 plus the number of plies for a loss.
    pub fn fitness(&self) -> f64 {
        if self.points > 0.75 {
            WIN
        } else if self.points < 0.25 {
            LOSS + f64::from(self.plies)
        } else {
            f64::from(self.material)
        }
    }
}

/// Plays an opening: some random plies, then the agent against itself. Openings that end the game or favour one side are rejected,
/// and the next is drawn.
pub fn opening(
    agent: &mut dyn Agent<ChessGame>,
    settings: &OpeningSettings,
    seed: u64,
    stop: &Stop,
) -> Result<ChessGame, AgentError> {
    let mut last = ChessGame::default();
    for attempt in 0..ATTEMPTS {
        let (game, score_cp) = try_opening(agent, settings, seed::derive(seed, attempt), stop)?;
        if game.outcome().is_none() {
            let level = score_cp.is_none_or(|worth| worth.abs() <= LEVEL_CP);
            last = game;
            if level || stop.is_stopped() {
                break;
            }
        }
    }
    Ok(last)
}

/// One opening, and the agent's last score.
fn try_opening(
    agent: &mut dyn Agent<ChessGame>,
    settings: &OpeningSettings,
    seed: u64,
    stop: &Stop,
) -> Result<(ChessGame, Option<i32>), AgentError> {
    let mut random = seed::random(seed);
    let mut game = ChessGame::default();
    let mut score_cp = None;
    agent.new_game();
    agent.reseed(seed);
    for ply in 0..settings.plies {
        if game.outcome().is_some() {
            break;
        }
        let chosen: Move = if ply < settings.random_plies {
            let moves = game.position().legal_moves();
            moves[random.random_range(0..moves.len())]
        } else {
            agent.choose(&game, &Limits::depth(settings.depth), stop, &mut |info| {
                score_cp = Some(info.score.raw());
            })?
        };
        game.apply(chosen);
    }
    Ok((game, score_cp))
}

/// One side of a game.
pub struct Side<'a> {
    pub agent: &'a mut dyn Agent<ChessGame>,
    pub limits: Limits,
}

/// Plays until the game is over, or a draw at `max_plies`; `None` if stopped.
pub fn play(
    mut game: ChessGame,
    own: &mut Side<'_>,
    rival: &mut Side<'_>,
    color: Color,
    max_plies: u32,
    stop: &Stop,
) -> Result<Option<FinishedGame>, AgentError> {
    let mut players = BothSides { own, rival, color, max_plies, plies: 0, stop };
    let outcome = Unfinished::unless_stopped(play::play(&mut game, &mut players))?;
    let plies = players.plies;
    Ok(outcome.map(|outcome| FinishedGame::of(&game, outcome.points(color), plies, color)))
}

/// The players of a game; `own` has `color`.
struct BothSides<'a, 'own, 'rival> {
    own: &'a mut Side<'own>,
    rival: &'a mut Side<'rival>,
    color: Color,
    max_plies: u32,
    plies: u32,
    stop: &'a Stop,
}

impl Players<ChessGame> for BothSides<'_, '_, '_> {
    type Error = Unfinished;

    fn adjudicate(&mut self, _game: &ChessGame) -> Option<Outcome> {
        (self.plies >= self.max_plies).then_some(Outcome::draw(Reason::MoveLimit))
    }

    fn choose(&mut self, game: &ChessGame, turn: Color) -> Result<ControlFlow<Outcome, Move>, Unfinished> {
        let chosen = if turn == self.color {
            play::ask(&mut *self.own.agent, game, &self.own.limits, self.stop)?
        } else {
            play::ask(&mut *self.rival.agent, game, &self.rival.limits, self.stop)?
        };
        self.plies += 1;
        Ok(ControlFlow::Continue(chosen))
    }
}

/// Material of one side less the other's, in pawns (Algorithm 7).
pub fn material(board: &Board, color: Color) -> i32 {
    const VALUES: [(Role, i32); 5] =
        [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    let count = |color: Color, role: Role| (board.by_color(color) & board.by_role(role)).count() as i32;
    VALUES.iter().map(|(role, value)| value * (count(color, *role) - count(color.other(), *role))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitness_is_as_the_seed_has_it() {
        let ending = |points, plies, material| {
            FinishedGame { points, plies, material, moves: String::new() }.fitness()
        };
        let expected = [(1.0, 1000.0), (0.5, -3.0), (0.0, -940.0)];
        for (points, fitness) in expected {
            assert!((ending(points, 60, -3) - fitness).abs() < 1e-9, "{points}");
        }
    }

    #[test]
    fn material_is_counted_from_ones_own_side() {
        let game = ChessGame::from_fen("4k3/8/8/8/8/8/PP6/R3K1nq w - - 0 1").unwrap();
        assert_eq!(material(game.position().board(), Color::White), 2 + 5 - 3 - 9);
        assert_eq!(material(game.position().board(), Color::Black), 5);
    }
}
