//! Conversion of samples from and to PGN and EPD.
//!
//! | form | score | result |
//! | --- | --- | --- |
//! | EPD | `ce`, centipawns of the side to move | `c9 "1-0"`, as engines' training sets have it |
//! | PGN, read | `[%eval …]` of the move that was played | the game's |
//! | PGN, written | `[%eval …]` of a game without moves | the game's |
//!
//! From games the positions are taken that self-play would keep: quiet, and after the opening.

use shakmaty::{Chess, Color, Position};
use tabia_core::chess::fen_of;
use tabia_core::{ChessGame, Game, Outcome, Score};
use tabia_games::epd::Epd;
use tabia_games::record::RecordError;
use tabia_games::{GameRecord, error::LineError};

use crate::games::ScoredGame;
use crate::sample::{GameResult, Sample};

/// Plies at the start of a game that are skipped.
pub const FIRST_PLY: u16 = 16;

/// Why a text is not a sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    #[error("there is no result: expected c9 \"1-0\", \"0-1\" or \"1/2-1/2\"")]
    NoResult,
    #[error("the result is \"{0}\", expected 1-0, 0-1 or 1/2-1/2")]
    Result(String),
    #[error("there is no score: expected ce and centipawns")]
    NoScore,
    #[error("the score is \"{0}\", expected whole centipawns")]
    Score(String),
    #[error(transparent)]
    Game(#[from] RecordError),
    #[error("{0}")]
    Fault(LineError),
}

/// A result from its text.
pub const fn result_text(result: GameResult) -> &'static str {
    match result {
        GameResult::Loss => "0-1",
        GameResult::Draw => "1/2-1/2",
        GameResult::Win => "1-0",
    }
}

fn read_result(text: &str) -> Result<GameResult, ExchangeError> {
    match text {
        "1-0" => Ok(GameResult::Win),
        "0-1" => Ok(GameResult::Loss),
        "1/2-1/2" => Ok(GameResult::Draw),
        other => Err(ExchangeError::Result(other.to_owned())),
    }
}

/// A score of the side to move, converted to White's view.
pub(crate) fn whites(score: i16, turn: Color) -> i16 {
    turn.fold_wb(score, score.saturating_neg())
}

/// A score as stored in samples; `None` for a mate.
fn centipawns(score: Score) -> Option<i16> {
    (!score.is_decisive()).then(|| score.raw().clamp(i16::MIN.into(), i16::MAX.into()) as i16)
}

/// A sample as a line of EPD; `None` for an illegal position.
pub fn to_epd(sample: &Sample) -> Option<String> {
    let fen = fen_of(&sample.position()?);
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let (score, result) = (whites(sample.score, sample.turn), result_text(sample.result));
    let number = sample.ply / 2 + 1;
    Some(format!("{} ce {score}; c9 \"{result}\"; fmvn {number};", fields.join(" ")))
}

/// A sample from a line of EPD.
pub fn from_epd(epd: &Epd) -> Result<Sample, ExchangeError> {
    let result = read_result(&epd.text("c9").ok_or(ExchangeError::NoResult)?)?;
    let score = epd.text("ce").ok_or(ExchangeError::NoScore)?;
    let score: i16 = score.parse().map_err(|_| ExchangeError::Score(score))?;
    let position = epd.game.position();
    Ok(Sample::new(position, whites(score, position.turn()), result, ply_of(position)))
}

/// Plies before a position, by its counters: the largest number that this side can have to move at, where they are larger.
pub(crate) fn ply_of(position: &Chess) -> u16 {
    let black = u32::from(position.turn().is_black());
    let ply = (position.fullmoves().get() - 1).saturating_mul(2).saturating_add(black);
    ply.min(u32::from(u16::MAX) - 1 + black) as u16
}

/// A sample as a game without moves; `None` for an illegal position.
pub fn to_game(sample: &Sample) -> Option<GameRecord> {
    let fen = fen_of(&sample.position()?);
    let winner = match sample.result {
        GameResult::Win => Some(Color::White),
        GameResult::Loss => Some(Color::Black),
        GameResult::Draw => None,
    };
    let reason = tabia_core::Reason::Adjudication;
    let outcome = winner.map_or_else(|| Outcome::draw(reason), |winner| Outcome::win(winner, reason));
    let score = format!("{:.2}", f64::from(sample.score) / 100.0);
    Some(GameRecord {
        white: "?".to_owned(),
        black: "?".to_owned(),
        start: Some(fen),
        outcome: Some(outcome),
        tags: vec![("Event".to_owned(), "a position to learn from".to_owned()), ("Score".to_owned(), score)],
        ..GameRecord::default()
    })
}

/// The samples of a game: quiet positions whose move has a score, or gets one from `judge`, in the mover's view. A game
/// written by [`to_game`] gives back its one position.
pub fn from_game(
    record: &GameRecord,
    judge: &mut dyn FnMut(&ChessGame) -> Option<Score>,
) -> Result<Vec<Sample>, ExchangeError> {
    let outcome = record.outcome.ok_or(ExchangeError::NoResult)?;
    let result = GameResult::of(outcome.winner);
    let mut game = record.opening_position()?;
    if record.plies.is_empty() {
        let Some(score) = record.tag("Score") else { return Ok(Vec::new()) };
        let pawns: f64 = score.parse().map_err(|_| ExchangeError::Score(score.to_owned()))?;
        let position = game.position();
        return Ok(vec![Sample::new(position, (pawns * 100.0).round() as i16, result, ply_of(position))]);
    }
    let mut samples = Vec::new();
    for (ply, action) in record.plies.iter().zip(record.moves()?) {
        let before = ply_of(game.position());
        let quiet = !game.position().is_check() && !action.is_capture() && !action.is_promotion();
        if quiet && before >= FIRST_PLY {
            let score = ply.score.or_else(|| judge(&game)).and_then(centipawns);
            if let Some(score) = score {
                let white = whites(score, game.side_to_move());
                samples.push(Sample::new(game.position(), white, result, before));
            }
        }
        game.apply(action);
    }
    Ok(samples)
}

/// A game with its moves and no scores; none if it ends within its opening. A game that begins with a position of its own has
/// no opening.
pub fn to_scored_game(record: &GameRecord) -> Result<Option<ScoredGame>, ExchangeError> {
    let outcome = record.outcome.ok_or(ExchangeError::NoResult)?;
    let result = GameResult::of(outcome.winner);
    let begin = record.opening_position()?;
    let here = begin.position();
    let start = record.start.as_ref().map(|_| Sample::new(here, 0, result, ply_of(here)));
    let moves = record.moves()?;
    let opening = if start.is_none() { FIRST_PLY.into() } else { 0 };
    Ok((opening <= moves.len()).then(|| ScoredGame { start, moves, opening, scores: Vec::new(), result }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_eval::testing;
    use tabia_games::pgn;

    fn sample(seed: u64) -> Sample {
        let position = testing::random_position(seed);
        let result = [GameResult::Loss, GameResult::Draw, GameResult::Win][seed as usize % 3];
        Sample::new(&position, (seed as i16 % 700) - 350, result, ply_of(&position))
    }

    #[test]
    fn epd_gives_back_what_was_written() {
        for seed in 0..300 {
            let sample = sample(seed);
            let line = to_epd(&sample).unwrap();
            assert_eq!(from_epd(&Epd::read(&line).unwrap()).unwrap(), sample, "{line}");
        }
    }

    #[test]
    fn games_give_back_what_was_written() {
        for seed in 0..100 {
            let sample = sample(seed);
            let text = pgn::write(&to_game(&sample).unwrap()).unwrap();
            let games = pgn::read_text(&text).unwrap();
            let read = from_game(&games[0], &mut |_| None).unwrap();
            assert_eq!(read, [sample], "{text}");
        }
    }

    #[test]
    fn what_is_missing_in_a_line_is_named() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let error = |rest: &str| from_epd(&Epd::read(&format!("{start} {rest}")).unwrap()).unwrap_err();
        assert_eq!(error("ce 3;"), ExchangeError::NoResult);
        assert_eq!(error("ce 3; c9 \"2-0\";"), ExchangeError::Result("2-0".to_owned()));
        assert_eq!(error("c9 \"1-0\";"), ExchangeError::NoScore);
        assert_eq!(error("ce much; c9 \"1-0\";"), ExchangeError::Score("much".to_owned()));
    }

    #[test]
    fn a_game_keeps_its_moves_and_its_start() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0";
        assert_eq!(to_scored_game(&pgn::read_text(text).unwrap()[0]).unwrap(), None);
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0";
        let game = to_scored_game(&pgn::read_text(text).unwrap()[0]).unwrap().unwrap();
        assert_eq!(
            (game.moves.len(), game.opening, game.start, game.result),
            (16, 16, None, GameResult::Win)
        );
        let text = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 40\"]\n\n40. e4 Kd7 1/2-1/2";
        let game = to_scored_game(&pgn::read_text(text).unwrap()[0]).unwrap().unwrap();
        assert_eq!((game.moves.len(), game.opening, game.result), (2, 0, GameResult::Draw));
        assert_eq!(game.start.map(|start| start.ply), Some(78));
        let unfinished = pgn::read_text("1. e4 e5 *").unwrap();
        assert_eq!(to_scored_game(&unfinished[0]).unwrap_err(), ExchangeError::NoResult);
    }

    #[test]
    fn of_a_game_the_quiet_positions_after_the_opening_are_taken() {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
                     9. h3 {[%eval 0.35]} Nb8 {[%eval 0.40]} 10. d4 {[%eval 0.31]} exd4 {[%eval 0.5]} 11. cxd4 d5 1-0";
        let record = &pgn::read_text(moves).unwrap()[0];
        let samples = from_game(record, &mut |_| None).unwrap();
        let scores: Vec<(u16, i16)> = samples.iter().map(|sample| (sample.ply, sample.score)).collect();
        // Evaluations in games are White's view; captures and moves without a score are left out.
        assert_eq!(scores, [(16, 35), (17, 40), (18, 31)]);
        assert!(samples.iter().all(|sample| sample.result == GameResult::Win));
        let judged = from_game(record, &mut |_| Some(Score::cp(7))).unwrap();
        assert_eq!(judged.last().map(|sample| (sample.ply, sample.score)), Some((21, -7)));
    }
}
