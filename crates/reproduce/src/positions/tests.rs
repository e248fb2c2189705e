//! The proofs of what this program measures with.

use super::proof::{forced, gain, mates_in};
use super::*;

#[test]
fn masters_play_ten_moves_each() {
    let games = masters().unwrap();
    assert!(games.len() >= 20, "{}", games.len());
    for (index, moves) in games.iter().enumerate() {
        assert_eq!(moves.len(), 20, "game {}", index + 1);
    }
}

#[test]
fn mates_are_as_far_away_as_they_say() {
    for moves in [2u32, 3] {
        let list = mates(moves as i32).unwrap();
        assert!(list.len() >= 20, "{} mates in {moves}", list.len());
        for problem in list {
            let mut expected = problem.best();
            let mut found = mates_in(&problem.game, moves);
            expected.sort_by_key(|m| problem.game.write_move(*m));
            found.sort_by_key(|m| problem.game.write_move(*m));
            assert_eq!(found, expected, "{}", problem.id);
            assert!(!found.is_empty(), "{}", problem.id);
            assert!(mates_in(&problem.game, moves - 1).is_empty(), "{} is shorter", problem.id);
        }
    }
}

#[test]
fn pieces_are_won_at_their_depth_and_not_before() {
    for plies in [3, 5] {
        let list = wins(plies).unwrap();
        assert!(list.len() >= 20, "{} wins in {plies}", list.len());
        for problem in list {
            let (won, best) = gain(&problem.game, plies).unwrap();
            assert!(won >= 200, "{}: {won}", problem.id);
            assert_eq!(problem.best(), [best], "{}", problem.id);
            assert!(forced(&problem.game, plies, best, 100), "{}", problem.id);
            let before = gain(&problem.game, plies - 2).map_or(0, |(won, _)| won);
            assert!(before < 100, "{}: {before} is won sooner", problem.id);
        }
    }
}

#[test]
fn random_positions_repeat_and_can_be_played_on() {
    for number in 0..50 {
        let position = random(number);
        assert_eq!(position, random(number));
        assert!(!position.legal_moves().is_empty());
    }
    let pieces = [(Role::King, Color::White), (Role::King, Color::Black), (Role::Knight, Color::White)];
    assert!((0..20).filter_map(|seed| placed(&pieces, seed)).count() > 10);
}
