//! Adjudication: games that are decided before their end.
//!
//! Scores of the players count only if both agree, or for long enough; tablebases decide at once.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Position};
use tabia_book::{TableWdl, Tables};
use tabia_core::{ChessGame, Outcome, Reason, Score};

use tabia_games::record::Ply;

/// Draw adjudication by score.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// First move of the game at which it applies.
    pub from_move: u32,
    /// Consecutive moves of each side.
    pub moves: u32,
    /// Largest absolute score, in centipawns.
    pub score_cp: i32,
}

/// Win adjudication by score.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    pub moves: u32,
    /// Smallest score, in centipawns.
    pub score_cp: i32,
    /// The loser's score alone is enough.
    #[serde(default)]
    pub one_sided: bool,
}

/// Everything that ends a game besides the rules of chess.
#[derive(Clone, Debug, Default)]
pub struct Adjudication {
    /// Draw by score.
    pub draw: Option<DrawRule>,
    /// Win by score.
    pub resign: Option<ResignRule>,
    /// Longer games are drawn; in full moves, the opening included.
    pub max_moves: Option<u32>,
    /// Tablebases.
    pub tables: Option<Tables>,
}

impl Adjudication {
    /// The outcome of a game that goes on by the rules, if it is adjudicated. `plies` led to the position of `game`.
    pub fn adjudicate(&self, game: &ChessGame, plies: &[Ply]) -> Option<Outcome> {
        self.by_tables(game)
            .or_else(|| self.resign.and_then(|rule| resigned(rule, game, plies)))
            .or_else(|| self.draw.and_then(|rule| drawn(rule, game, plies)))
            .or_else(|| self.too_long(plies))
    }

    fn by_tables(&self, game: &ChessGame) -> Option<Outcome> {
        let tables = self.tables.as_ref()?;
        let turn = game.side_to_move();
        Some(match tables.probe_wdl(game.position())? {
            TableWdl::Win => Outcome::win(turn, Reason::Adjudication),
            TableWdl::Loss => Outcome::win(turn.other(), Reason::Adjudication),
            TableWdl::Draw | TableWdl::CursedWin | TableWdl::BlessedLoss => {
                Outcome::draw(Reason::Adjudication)
            }
        })
    }

    fn too_long(&self, plies: &[Ply]) -> Option<Outcome> {
        let max = self.max_moves? as usize;
        (plies.len() >= 2 * max).then_some(Outcome::draw(Reason::MoveLimit))
    }
}

/// The scores of the last `count` moves that players chose, latest first, each with its player; none where there are
/// fewer, or one has no score.
fn last_scores(game: &ChessGame, plies: &[Ply], count: usize) -> Option<Vec<(Color, Score)>> {
    let mut color = game.side_to_move();
    let scores: Vec<(Color, Score)> = plies
        .iter()
        .rev()
        .take(count)
        .map_while(|ply| {
            color = color.other();
            Some((color, ply.score.filter(|_| !ply.opening)?))
        })
        .collect();
    (scores.len() == count).then_some(scores)
}

fn drawn(rule: DrawRule, game: &ChessGame, plies: &[Ply]) -> Option<Outcome> {
    if game.position().fullmoves().get() < rule.from_move {
        return None;
    }
    let scores = last_scores(game, plies, 2 * rule.moves as usize)?;
    let level = scores.iter().all(|(_, score)| score.raw().abs() <= rule.score_cp);
    level.then_some(Outcome::draw(Reason::Adjudication))
}

fn resigned(rule: ResignRule, game: &ChessGame, plies: &[Ply]) -> Option<Outcome> {
    let loser = game.side_to_move().other();
    let count = 2 * rule.moves as usize;
    if rule.one_sided {
        // The side that has just moved, over its own last moves alone.
        let own: Vec<Score> = plies
            .iter()
            .rev()
            .step_by(2)
            .take(rule.moves as usize)
            .map_while(|ply| ply.score.filter(|_| !ply.opening))
            .collect();
        let lost = own.len() == rule.moves as usize && own.iter().all(|score| score.raw() <= -rule.score_cp);
        return lost.then_some(Outcome::win(loser.other(), Reason::Resignation));
    }
    let scores = last_scores(game, plies, count)?;
    let winner = |side: Color| {
        scores.iter().all(|(color, score)| {
            let for_side = if *color == side { score.raw() } else { -score.raw() };
            for_side >= rule.score_cp
        })
    };
    Color::ALL.into_iter().find(|side| winner(*side)).map(|side| Outcome::win(side, Reason::Adjudication))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::Game;

    /// A game of knights moving to and fro, with these scores, each from its player's side.
    fn game(scores: &[Option<i32>]) -> (ChessGame, Vec<Ply>) {
        const DANCE: [&str; 8] = ["b1c3", "b8c6", "g1f3", "g8f6", "c3b1", "c6b8", "f3g1", "f6g8"];
        let mut game = ChessGame::default();
        let mut plies = Vec::new();
        for (index, score) in scores.iter().enumerate() {
            let text = DANCE[index % DANCE.len()];
            let m = game.read_move(text).unwrap();
            game.apply(m);
            plies.push(Ply { score: score.map(Score::cp), ..Ply::of(text) });
        }
        (game, plies)
    }

    fn adjudicate(rules: &Adjudication, scores: &[i32]) -> Option<Outcome> {
        let scores: Vec<Option<i32>> = scores.iter().copied().map(Some).collect();
        let (game, plies) = game(&scores);
        rules.adjudicate(&game, &plies)
    }

    #[test]
    fn a_draw_needs_both_sides_for_long_enough_and_late_enough() {
        let draw = |from_move| Adjudication {
            draw: Some(DrawRule { from_move, moves: 2, score_cp: 10 }),
            ..Adjudication::default()
        };
        assert_eq!(adjudicate(&draw(1), &[90, 5, -10, 0, 10]), Some(Outcome::draw(Reason::Adjudication)));
        assert_eq!(adjudicate(&draw(1), &[5, -10, 11, 0]), None);
        assert_eq!(adjudicate(&draw(1), &[5, -10, 10]), None);
        assert_eq!(adjudicate(&draw(9), &[5, -10, 10, 0]), None);
    }

    #[test]
    fn a_win_is_given_when_both_see_it() {
        let resign = |one_sided| Adjudication {
            resign: Some(ResignRule { moves: 2, score_cp: 500, one_sided }),
            ..Adjudication::default()
        };
        let white_wins = Outcome::win(Color::White, Reason::Adjudication);
        let black_wins = Outcome::win(Color::Black, Reason::Adjudication);
        assert_eq!(adjudicate(&resign(false), &[500, -600, 700, -800]), Some(white_wins));
        assert_eq!(adjudicate(&resign(false), &[-500, 600, -700, 800]), Some(black_wins));
        assert_eq!(adjudicate(&resign(false), &[500, -600, 700, 800]), None);
        assert_eq!(adjudicate(&resign(false), &[500, -600, 700]), None);
        // Black gives up, whatever White thinks.
        let given_up = Outcome::win(Color::White, Reason::Resignation);
        assert_eq!(adjudicate(&resign(true), &[0, -600, 0, -800]), Some(given_up));
        assert_eq!(adjudicate(&resign(true), &[0, -600, 900, -400]), None);
    }

    #[test]
    fn moves_without_a_score_and_moves_of_the_opening_decide_nothing() {
        let rules = Adjudication {
            draw: Some(DrawRule { from_move: 1, moves: 1, score_cp: 10 }),
            ..Adjudication::default()
        };
        let (position, plies) = game(&[Some(0), None]);
        assert_eq!(rules.adjudicate(&position, &plies), None);
        let (position, mut plies) = game(&[Some(0), Some(0)]);
        plies[0].opening = true;
        assert_eq!(rules.adjudicate(&position, &plies), None);
    }

    #[test]
    fn a_game_that_is_too_long_is_drawn() {
        let rules = Adjudication { max_moves: Some(2), ..Adjudication::default() };
        assert_eq!(adjudicate(&rules, &[900, 900, 900]), None);
        assert_eq!(adjudicate(&rules, &[900, 900, 900, 900]), Some(Outcome::draw(Reason::MoveLimit)));
    }
}
